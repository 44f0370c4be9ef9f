import type { Condition } from '../domain/rule.ts'
import { compileLeaf } from './compile-leaf.ts'
import type { CompiledCondition, Result, Scene } from './compiled-condition.ts'
import { certain, strongestOf, type Trust, weaker, weakestOf } from './computed.ts'
import type { LeafContext } from './leaf-soundness.ts'

/**
 * Makes a condition ready: names become places, literals are read once, and a part that decides ends the looking.
 * `undefined` where a leaf might break: the rule is then left to the plain judge.
 */
export function compileCondition(
  condition: Condition,
  context: LeafContext,
  negated = false,
): CompiledCondition | undefined {
  if ('all' in condition) {
    const parts = compileParts(condition.all, context, negated)
    return parts === undefined ? undefined : allOf(parts, negated)
  }
  if ('any' in condition) {
    const parts = compileParts(condition.any, context, negated)
    return parts === undefined ? undefined : anyOf(parts)
  }
  if ('not' in condition) {
    const part = compileCondition(condition.not, context, !negated)
    return part === undefined ? undefined : notOf(part)
  }
  return compileLeaf(condition, negated, context)
}

function compileParts(
  conditions: readonly Condition[],
  context: LeafContext,
  negated: boolean,
): readonly CompiledCondition[] | undefined {
  const parts: CompiledCondition[] = []
  for (const condition of conditions) {
    const part = compileCondition(condition, context, negated)
    if (part === undefined) return undefined
    parts.push(part)
  }
  return parts
}

type Weights = Readonly<Record<Result, number>>

/** Of an `all` the heaviest part decides; under an odd number of `not`, what is still open outweighs a none. */
const inAll: Weights = { true: 0, unknown: 1, error: 2, none: 3, false: 4 }
const inNegatedAll: Weights = { true: 0, none: 1, unknown: 2, error: 3, false: 4 }
const inAny: Weights = { none: 0, false: 1, unknown: 2, error: 3, true: 4 }

function heaviest(parts: readonly CompiledCondition[], weights: Weights, least: Result, most: Result) {
  const tests = parts.map((part) => part.test)
  return (scene: Scene): Result => {
    let result = least
    for (const test of tests) {
      const next = test(scene)
      if (next === most) return next
      if (weights[next] > weights[result]) result = next
    }
    return result
  }
}

function allOf(parts: readonly CompiledCondition[], negated: boolean): CompiledCondition {
  const test = heaviest(parts, negated ? inNegatedAll : inAll, 'true', 'false')
  const trust = (scene: Scene, result: Result): Trust => {
    if (isOpen(result)) return certain
    if (result !== 'true') return strongestOf(trustsOf(parts, result, scene))
    let least = certain
    for (const part of parts) least = weaker(least, part.trust(scene, 'true'))
    return least
  }
  return { test, trust, explain: explainParts(test, parts) }
}

function anyOf(parts: readonly CompiledCondition[]): CompiledCondition {
  const test = heaviest(parts, inAny, 'none', 'true')
  const trust = (scene: Scene, result: Result): Trust => {
    if (isOpen(result)) return certain
    if (result === 'true') return strongestOf(trustsOf(parts, result, scene))
    return weakestOf(parts.map((part) => part.trust(scene, part.test(scene))))
  }
  return { test, trust, explain: explainParts(test, parts) }
}

function notOf(part: CompiledCondition): CompiledCondition {
  return {
    test: (scene) => inverse(part.test(scene)),
    trust: (scene, result) => part.trust(scene, inverse(result)),
    explain: part.explain,
  }
}

function inverse(result: Result): Result {
  return result === 'true' ? 'false' : result === 'false' ? 'true' : result
}

function trustsOf(parts: readonly CompiledCondition[], result: Result, scene: Scene): Trust[] {
  return parts.filter((part) => part.test(scene) === result).map((part) => part.trust(scene, result))
}

/** Only what is open itself says what it waits for. */
function explainParts(
  test: (scene: Scene) => Result,
  parts: readonly CompiledCondition[],
): CompiledCondition['explain'] {
  return (scene, open) => {
    if (isOpen(test(scene))) for (const part of parts) part.explain(scene, open)
  }
}

function isOpen(result: Result): boolean {
  return result === 'unknown' || result === 'error'
}
