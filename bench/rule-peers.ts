import { ZenDecisionContent, ZenEngine } from '@gorules/zen-engine'
import { Engine, type RuleProperties } from 'json-rules-engine'
import { facts, type Test, type TestsOfRules } from './rule-policy.ts'

/** One run of a peer over the applicant's facts; gives the names of the rules that fired. */
export type PeerRun = () => Promise<readonly string[]>

/** A decision table of ZEN, hit policy `collect`, a row for each rule; its content is compiled once. */
export function zenOf(rules: TestsOfRules, trace: boolean): PeerRun {
  const fields = [...new Set(rules.flatMap((tests) => tests.map((test) => test.fact)))]
  const content = {
    nodes: [
      { id: 'in', type: 'inputNode', name: 'in' },
      {
        id: 'table',
        type: 'decisionTableNode',
        name: 'table',
        content: {
          hitPolicy: 'collect',
          inputs: fields.map((field) => ({ id: field, field, name: field })),
          outputs: [{ id: 'rule', field: 'rule', name: 'rule' }],
          rules: rules.map((tests, index) => ({
            _id: String(index),
            ...Object.fromEntries(tests.map((test) => [test.fact, unaryTest(test)])),
            rule: JSON.stringify(nameOf(index)),
          })),
        },
      },
      { id: 'out', type: 'outputNode', name: 'out' },
    ],
    edges: [
      { id: 'e1', sourceId: 'in', targetId: 'table', type: 'edge' },
      { id: 'e2', sourceId: 'table', targetId: 'out', type: 'edge' },
    ],
  }
  const decision = new ZenEngine().createDecision(new ZenDecisionContent(content))
  return async () => {
    const { result } = await decision.evaluate(facts, { trace })
    return result.map((row: { rule: string }) => row.rule)
  }
}

function unaryTest({ operator, value }: Test): string {
  if (operator === 'equal') return JSON.stringify(value)
  return `${operator === 'lessThan' ? '<' : '>='} ${value}`
}

/** json-rules-engine with an engine made for each run, since runs of one engine must not overlap. */
export function jsonRulesEngineOf(rules: TestsOfRules): PeerRun {
  const properties = rules.map(
    (tests, index): RuleProperties => ({
      conditions: { all: tests.map(({ fact, operator, value }) => ({ fact, operator, value })) },
      event: { type: nameOf(index) },
    }),
  )
  return async () => {
    const engine = new Engine(properties)
    const { events } = await engine.run(facts)
    return events.map((event) => event.type)
  }
}

/** `B-000012@1.0.0`, as ours are called. */
export function nameOf(index: number): string {
  return `B-${String(index).padStart(6, '0')}@1.0.0`
}
