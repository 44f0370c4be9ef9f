import { believe } from '../agents/believe.ts'
import { sha256 } from '../audit/canonical.ts'
import type { Answer, DecisionInputs } from '../domain/decision.ts'
import type { FactState } from '../domain/fact.ts'
import type { Knowledge } from '../graph/knowledge.ts'
import { instantMs } from '../graph/question.ts'
import { askEngine } from '../rules/ask-engine.ts'
import { evaluate } from '../rules/evaluate.ts'
import { evaluatePlainly } from '../rules/evaluate-plainly.ts'
import type { Evaluation, RuleResult } from '../rules/evaluation.ts'
import type { RuleSet } from '../rules/rule-set.ts'
import { questionOf } from './evaluate-states.ts'
import { readingsOf } from './readings-of.ts'

/** A decision as it was made. */
export interface Witnessed {
  readonly inputs: DecisionInputs
  readonly ruleSet: RuleSet
  readonly knowledge: Knowledge
  readonly answer: Answer
}

/** What comes of a decision of the share: `dropped` when too many waited, `failed` when looking again broke. */
export type WitnessResult = 'same' | 'different' | 'dropped' | 'failed'

/** Looks at a share of live decisions again, after they are answered. */
export interface Witness {
  /** Remembers a decision to look at, if it is among the share. Never throws and never waits. */
  see(decision: Witnessed): void
  /** Resolves when nothing waits any more. */
  idle(): Promise<void>
}

export interface WitnessOptions {
  /** From 0 (none) to 1 (all). Which ones is decided by the decision's id. */
  readonly share: number
  readonly count: (result: WitnessResult) => void
  /** Takes lines that name decision, rule set and rules, never a value of an application. */
  readonly log: (line: string) => void
  /** Runs something when the answers under way are given. */
  readonly later: (work: () => void) => void
  readonly waitingMax?: number
}

/**
 * Evaluates sampled decisions again by the plain evaluation and json-rules-engine, one at a time in the background,
 * and says where they differ from the compiled rules. A queue that is full drops what comes, and counts it.
 */
export function openWitness({ share, count, log, later, waitingMax = 100 }: WitnessOptions): Witness {
  const waiting: Witnessed[] = []
  let atWork = false
  let whenIdle: (() => void)[] = []

  async function work(): Promise<void> {
    const next = waiting.shift()
    if (next === undefined) {
      atWork = false
      for (const resolve of whenIdle) resolve()
      whenIdle = []
      return
    }
    await look(next)
    later(work)
  }

  async function look(decision: Witnessed): Promise<void> {
    const { decision_id: id, policy } = decision.inputs
    const where = `decision ${id}, policy ${policy}, rule set ${decision.ruleSet.hash}`
    try {
      const differences = await differencesOf(decision)
      count(differences.length === 0 ? 'same' : 'different')
      if (differences.length === 0) return
      log(`witness: the rules came out otherwise (${where}): ${differences.join('; ')}`)
    } catch (error) {
      count('failed')
      log(`witness: looking again broke (${where}): ${error instanceof Error ? error.name : 'unknown'}`)
    }
  }

  return {
    see(decision) {
      if (!isSampled(decision.inputs.decision_id, share)) return
      if (waiting.length >= waitingMax) {
        count('dropped')
        return
      }
      waiting.push(decision)
      if (atWork) return
      atWork = true
      later(work)
    },
    idle: () => (atWork ? new Promise((resolve) => whenIdle.push(resolve)) : Promise.resolve()),
  }
}

/** The same decisions at any share that is as large, on every machine. */
function isSampled(decisionId: string, share: number): boolean {
  const [, hex = ''] = sha256(decisionId).split(':')
  return Number.parseInt(hex.slice(0, 8), 16) / 2 ** 32 < share
}

async function differencesOf({ inputs, ruleSet, knowledge, answer }: Witnessed): Promise<readonly string[]> {
  const belief = believe(inputs.facts, ruleSet, instantMs(inputs.as_of))
  const readings = readingsOf(belief, ruleSet.facts.facts, ruleSet.policy)
  const differences: string[] = []
  const fired: string[] = []
  for (const { states } of readings) {
    const question = questionOf(states, inputs, knowledge)
    const ours = evaluate(ruleSet, question)
    const plain = evaluatePlainly(ruleSet, question)
    differences.push(...againstPlain(ours, plain), ...(await againstEngine(ruleSet, plain)))
    fired.push(firedOf(plain).join())
  }
  if (readings.length > 0 && !fired.includes(answer.rules.fired.join()))
    differences.push('the answer lists other fired rules than any reading of its facts')
  return [...new Set(differences)]
}

function againstPlain(ours: Evaluation, plain: Evaluation): readonly string[] {
  const differences = plain.rules.flatMap((result, index) => {
    const mine = ours.rules[index]
    return mine !== undefined && textOf(mine) === textOf(result)
      ? []
      : [`${result.id} is \`${mine?.outcome ?? 'missing'}\`, plainly evaluated \`${result.outcome}\``]
  })
  if (ours.rules.length !== plain.rules.length) differences.push('other rules are in force')
  if (ours.notFired !== plain.notFired) differences.push('another number of rules did not fire')
  for (const [name, state] of plain.states) {
    const mine = ours.states.get(name)
    if (statesText(mine) !== statesText(state)) differences.push(`the state of ${name} differs`)
  }
  return differences
}

/** All that is said of a rule's outcome. */
function textOf({ id, outcome, confidence, weakest, unknownFacts, error, findings }: RuleResult): string {
  return JSON.stringify([id, outcome, confidence, weakest, unknownFacts, error, findings])
}

function statesText(state: FactState | undefined): string {
  return JSON.stringify(state ?? null)
}

async function againstEngine(ruleSet: RuleSet, plain: Evaluation): Promise<readonly string[]> {
  const { asked, fired } = await askEngine(ruleSet, plain)
  const ours = new Set(firedOf(plain))
  return asked
    .filter((id) => fired.has(id) !== ours.has(id))
    .map((id) => `${id} ${ours.has(id) ? 'fired' : 'did not fire'}, otherwise by json-rules-engine`)
}

function firedOf(evaluation: Evaluation): readonly string[] {
  return evaluation.notable.filter((rule) => rule.outcome === 'fired').map((rule) => rule.id)
}
