import type { BilingualText } from '../domain/names.ts'
import type { PackContent } from '../domain/policy.ts'

/** What would supply a fact, in the pack's words; its own name where the pack has none. */
export function suppliedBy(fact: string, { facts }: Pick<PackContent, 'facts'>): BilingualText {
  const declaration = facts.facts[fact]
  if (declaration?.supplied_by !== undefined) return declaration.supplied_by
  return { en: `Evidence of: ${declaration?.en ?? fact}`, zh: `${declaration?.zh ?? fact}的证明` }
}
