import type { FactValue } from '../domain/fact.ts'
import { type Computed, type Trust, toOperand } from './computed.ts'
import { rootOf } from './declared-facts.ts'
import type { DeclaredFact } from './rule-set.ts'

/**
 * The field of an object that a plain path such as `address.city` leads to: own properties only, nothing evaluated.
 * A field that is not there is unknown, for want of the fact that holds it; one of another type than declared is an
 * error.
 */
export function partOf(
  whole: FactValue,
  path: string,
  declared: DeclaredFact,
  trust: Trust & { readonly method?: string | null },
): Computed {
  let value: FactValue | undefined = whole
  for (const name of path.split('.')) {
    const isObject: boolean = typeof value === 'object' && !Array.isArray(value)
    value = isObject && Object.hasOwn(value as object, name) ? fieldOf(value, name) : undefined
    if (value === undefined) {
      const missing = [rootOf(declared.name)]
      return { state: 'unknown', why: `\`${declared.name}\` is not given`, missing }
    }
  }
  const { confidence, weakest, method } = trust
  const { type, of } = declared.declaration
  try {
    const operand = toOperand(type, value, of)
    return { state: 'known', value: operand, confidence, weakest, ...(method ? { method } : {}) }
  } catch (cause) {
    return { state: 'error', why: cause instanceof Error ? cause.message : String(cause) }
  }
}

function fieldOf(value: FactValue | undefined, name: string): FactValue | undefined {
  return (value as { readonly [field: string]: FactValue })[name]
}
