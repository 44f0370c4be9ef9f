import type { Answer } from '../domain/decision.ts'
import { drawChain, type Paint, plainPaint } from './draw-chain.ts'

/**
 * An answer as a person reads it on a terminal: decision, reasons, the strongest chain drawn as a small tree, and
 * what is missing or stands in the way. Ends with a line break. For the lender's staff, not for the applicant.
 */
export function drawAnswer(recorded: Answer, paint: Paint = plainPaint): string {
  const answer = printable(recorded)
  const { policy } = answer
  const title = `${paint.strong(answer.decision)}  (confidence ${answer.confidence})`
  const lines = [
    `${title}  ${paint.faint(`${answer.application_id}  ${policy.policy} ${policy.version}`)}`,
    ...answer.reasons.map((reason) => `  ${reason.code}  ${reason.text.en}`),
    ...answer.internal_reasons.map((reason) => `  ${reason.code}  ${reason.text.en} (internal)`),
    ...answer.conditions.map((condition) => `  condition ${condition.code}  ${condition.text.en}`),
    ...(answer.offer === null ? [] : [`  offer ${answer.offer.code}  ${answer.offer.text.en}`]),
    ...answer.facts.missing.map((missing) => `  missing ${missing.fact}: ${missing.supplied_by.en}`),
    ...answer.bars.map((bar) => `  in the way of approval: ${bar.text.en}`),
    ...weakerLines(answer),
    ...chainLines(answer, paint),
    ...answer.next_steps.map((step) => `  next: ${step.en}`),
    ...answer.warnings.map((warning) => `  warning: ${warning}`),
    paint.faint(`decision ${answer.decision_id}`),
  ]
  return `${lines.join('\n')}\n`
}

/** What other sources claim, beside what is believed. */
function weakerLines(answer: Answer): readonly string[] {
  return Object.entries(answer.facts.believed).flatMap(
    ([fact, { value, source, confidence, weaker_claims: weaker = [] }]) =>
      weaker.map((claim) => {
        const believed = `${JSON.stringify(value)} by ${source} (${confidence})`
        return `  weaker claim: ${fact} ${JSON.stringify(claim.value)} by ${claim.source} (${claim.confidence}); believed ${believed}`
      }),
  )
}

function chainLines(answer: Answer, paint: Paint): readonly string[] {
  const strongest = answer.chains[0]
  if (strongest !== undefined) {
    const more = answer.chains.length - 1 + answer.chains_omitted
    const rest = more === 0 ? [] : [paint.faint(`and ${more} more toward ${strongest.outcome}`)]
    return [...drawChain(strongest, paint).split('\n'), ...rest]
  }
  if (answer.strongest_adverse === null) return ['no chain leads to an adverse outcome']
  const { chain, distance } = answer.strongest_adverse
  return [
    `strongest adverse chain, ${distance} short of its threshold:`,
    ...drawChain(chain, paint).split('\n'),
  ]
}

/** The answer with every text fit for a terminal: a caller's text must not move the cursor or turn the reading direction. */
function printable(answer: Answer): Answer {
  return JSON.parse(JSON.stringify(answer), (_, value) =>
    typeof value === 'string' ? value.replace(unprintable, '\ufffd') : value,
  )
}

const unprintable = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu
