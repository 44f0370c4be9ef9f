import { compareText } from '../domain/compare-text.ts'
import type { TableOutput } from '../domain/decision-table.ts'
import type { FactDeclaration, FactsFile } from '../domain/policy.ts'
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

/**
 * Everything readable by name, in the order of the names. `tables`: by path, what the tables yield, for the values of
 * an enumeration and the elements of a list.
 */
export function declaredFacts(
  facts: FactsFile,
  tables: Readonly<Record<string, { readonly output: TableOutput }>> = {},
): Map<string, DeclaredFact> {
  const list: DeclaredFact[] = [...builtIn.values()]
  for (const [name, declaration] of Object.entries(facts.facts)) {
    const inside = partsOf(name, declaration, 'part')
    const parts = inside.filter((each) => each.origin === 'part')
    list.push({ name, origin: 'fact', declaration, ...(parts.length === 0 ? {} : { parts }) }, ...inside)
  }
  for (const [name, derived] of Object.entries(facts.derived ?? {})) {
    const { type, unit, en, zh } = derived
    const made = 'table' in derived ? valuesOf(type, tables[derived.table]?.output) : {}
    const declaration = { type, en, zh, may_be_none: true, ...(unit === undefined ? {} : { unit }), ...made }
    list.push({ name, origin: 'derived', declaration })
  }
  for (const [name, declaration] of Object.entries(facts.memory ?? {})) {
    list.push({ name, origin: 'memory', declaration })
  }
  return new Map(list.sort((one, two) => compareText(one.name, two.name)).map((fact) => [fact.name, fact]))
}

function valuesOf(type: FactDeclaration['type'], output: TableOutput | undefined): Partial<FactDeclaration> {
  if (output === undefined) return {}
  const { values } = output
  return {
    ...(values === undefined ? {} : { values: Object.fromEntries(values.map((value) => [value, []])) }),
    ...(type === 'list' ? { of: output.type } : {}),
  }
}

/** The declared fact that a path leads into: `accounts` of `accounts[].balance`. */
export function rootOf(path: string): string {
  const end = path.search(/[.[]/)
  return end === -1 ? path : path.slice(0, end)
}

/**
 * Fields of an object as `employer.size`; of the objects of a list as `accounts[].balance`, which only `some` and
 * `every` read. What is protected or a proxy as a whole is so in each part.
 */
function partsOf(path: string, whole: FactDeclaration, origin: 'part' | 'element'): DeclaredFact[] {
  const isList = whole.type === 'list'
  return Object.entries(whole.fields ?? {}).flatMap(([field, declared]) => {
    const name = isList ? `${path}[].${field}` : `${path}.${field}`
    const inner = isList ? 'element' : origin
    const { en, zh, prohibited, proxy, ...type } = declared
    const declaration = {
      ...type,
      en: en ?? `${whole.en}: ${field}`,
      zh: zh ?? `${whole.zh}：${field}`,
      ...(whole.prohibited === true || prohibited === true ? { prohibited: true } : {}),
      ...(whole.proxy === true || proxy === true ? { proxy: true } : {}),
    } as FactDeclaration
    return [{ name, origin: inner, declaration }, ...partsOf(name, declaration, inner)]
  })
}
