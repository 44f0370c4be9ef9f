import { Decimal, writeDecimal } from '../domain/decimal.ts'
import { type Boost, boostThresholdDefault, type Rule } from '../domain/rule.ts'
import { certain, mergeNames, type Trust, weakestOf } from './computed.ts'
import { joinAll, judgeCondition } from './judge-condition.ts'
import { type JudgeContext, type Judgement, shownConfidence } from './judgement.ts'

/**
 * Judges all that a rule tests: `when`, and where it has boosts, that those which hold reach its threshold. Then the
 * confidence is their sum, 1 at most.
 */
export function judgeWhole(
  rule: Pick<Rule, 'when' | 'boosts' | 'threshold'>,
  context: JudgeContext,
): Judgement {
  const when = judgeCondition(rule.when, context)
  if (rule.boosts === undefined) return when
  const boosts = judgeBoosts(rule.boosts, rule.threshold ?? boostThresholdDefault, context)
  const whole = joinAll([when, boosts], false)
  if (whole.result !== 'true') return whole
  const trust = {
    confidence: boosts.trust.confidence,
    weakest: weakestOf([when.trust, boosts.trust]).weakest,
  }
  return { ...whole, trust, trace: { ...whole.trace, confidence: trust.confidence } }
}

/**
 * True when the boosts that hold sum to the threshold. False when not even those that are still open could bring it
 * there; one that is not applicable brings nothing. In between it is in error where an open one is, else unknown.
 */
function judgeBoosts(boosts: readonly Boost[], threshold: number, context: JudgeContext): Judgement {
  const parts = boosts.map(({ condition, boost }) => ({
    judged: judgeCondition(condition, context),
    boost: new Decimal(boost),
  }))
  const sumOf = (results: readonly string[]) =>
    parts
      .filter((part) => results.includes(part.judged.result))
      .reduce((sum, part) => sum.plus(part.boost), new Decimal(0))
  const sum = sumOf(['true'])
  const open = parts.map((part) => part.judged).filter(({ result }) => isOpen(result))
  const result = sum.greaterThanOrEqualTo(threshold)
    ? 'true'
    : sumOf(['true', 'unknown', 'error']).lessThan(threshold)
      ? 'false'
      : open.some((part) => part.result === 'error')
        ? 'error'
        : 'unknown'
  const trust = trustIn(result, sum, parts)
  const stays = isOpen(result)
  return {
    result,
    trust,
    missing: stays ? mergeNames(open.map((part) => part.missing)) : [],
    errors: stays ? mergeNames(open.map((part) => part.errors)) : [],
    trace: {
      kind: 'boosts',
      result,
      confidence: shownConfidence(result, trust),
      parts: parts.map((part) => part.judged.trace),
      boosts: parts.map((part) => writeDecimal(part.boost)),
      sum: writeDecimal(sum),
      threshold: writeDecimal(new Decimal(threshold)),
    },
  }
}

function isOpen(result: Judgement['result']): boolean {
  return result === 'unknown' || result === 'error'
}

/** The capped sum of those that hold, or how sure it is that the others do not. */
function trustIn(
  result: Judgement['result'],
  sum: Decimal,
  parts: readonly { readonly judged: Judgement }[],
): Trust {
  if (isOpen(result)) return certain
  const wanted = parts
    .map((part) => part.judged)
    .filter((part) => (part.result === 'true') === (result === 'true'))
  const weakest = weakestOf(wanted.filter((part) => !isOpen(part.result)).map((part) => part.trust))
  if (result !== 'true') return weakest
  return {
    confidence: Decimal.min(sum, 1).toDecimalPlaces(6, Decimal.ROUND_DOWN).toNumber(),
    weakest: weakest.weakest,
  }
}
