import { compareText } from '../domain/compare-text.ts'
import type { FactsFile } from '../domain/policy.ts'
import type { DeclaredFact } from './rule-set.ts'

/** Names that are readable as facts without being declared. */
export const builtIn: ReadonlyMap<string, DeclaredFact> = new Map(
  (
    [
      ['as_of', { type: 'instant', en: 'Time of the decision', zh: '决定时间' }],
      ['received_at', { type: 'instant', en: 'Time of receipt', zh: '收到申请的时间' }],
      ['consents', { type: 'list', of: 'text', en: 'Consents given', zh: '已给予的同意' }],
    ] as const
  ).map(([name, declaration]) => [name, { name, origin: 'built_in', declaration }]),
)

/** Everything readable by name, in the order of the names. */
export function declaredFacts(facts: FactsFile): Map<string, DeclaredFact> {
  const list: DeclaredFact[] = [...builtIn.values()]
  for (const [name, declaration] of Object.entries(facts.facts))
    list.push({ name, origin: 'fact', declaration })
  for (const [name, derived] of Object.entries(facts.derived ?? {})) {
    const { type, unit, en, zh } = derived
    const declaration = { type, en, zh, may_be_none: true, ...(unit === undefined ? {} : { unit }) }
    list.push({ name, origin: 'derived', declaration })
  }
  for (const [name, declaration] of Object.entries(facts.memory ?? {})) {
    list.push({ name, origin: 'memory', declaration })
  }
  return new Map(list.sort((one, two) => compareText(one.name, two.name)).map((fact) => [fact.name, fact]))
}
