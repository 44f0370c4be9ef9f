import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { answerFor } from '../../src/decision/answer-for.ts'
import { readRequest } from '../../src/decision/read-request.ts'
import { openWitness, type Witnessed, type WitnessResult } from '../../src/decision/witness.ts'
import { parseBody } from '../../src/http/read-body.ts'
import { openTestService } from '../support/open-test-service.ts'
import { ratioInputs, ratioKnowledge, ratioRules } from '../support/ratio-policy.ts'

const ruleSet = ratioRules()

function aDecision(id: string): Witnessed {
  const inputs = ratioInputs({ income: '4321', debts: '2100', payment: '400' }, { decision_id: id })
  return {
    inputs,
    ruleSet,
    knowledge: ratioKnowledge,
    answer: answerFor(inputs, ruleSet, ratioKnowledge).answer,
  }
}

function aWitness(changes: { share?: number; waitingMax?: number } = {}) {
  const results: WitnessResult[] = []
  const lines: string[] = []
  const witness = openWitness({
    share: 1,
    count: (result) => results.push(result),
    log: (line) => lines.push(line),
    later: setImmediate,
    ...changes,
  })
  return { witness, results, lines }
}

describe('the witness of live decisions', () => {
  it('finds the compiled rules, the plain evaluation and json-rules-engine of one mind', async () => {
    const { witness, results, lines } = aWitness()
    for (const id of ['d1', 'd2', 'd3']) witness.see(aDecision(id))
    assert.deepEqual(results, [], 'an answer does not wait for it')
    await witness.idle()
    assert.deepEqual(results, ['same', 'same', 'same'])
    assert.deepEqual(lines, [])
  })

  it('finds them of one mind on every example request of the packs', async () => {
    const { witness, results, lines } = aWitness()
    const { service } = await openTestService('2026-06-01T12:00:00.000Z', { witness })
    const folder = 'examples/requests'
    for (const name of (await readdir(folder)).filter((file) => file.endsWith('.json'))) {
      await service.decide(readRequest(parseBody(await readFile(`${folder}/${name}`))), 'a test')
    }
    await witness.idle()
    assert.deepEqual(lines, [])
    assert.ok(results.length >= 10, `${results.length} decisions`)
    assert.deepEqual([...new Set(results)], ['same'])
  })

  it('names decision and rule set of a difference, and no value of the application', async () => {
    const { witness, results, lines } = aWitness()
    const decision = aDecision('d1')
    assert.notDeepEqual(decision.answer.rules.fired, [])
    const answer = { ...decision.answer, rules: { ...decision.answer.rules, fired: [] } }
    witness.see({ ...decision, answer })
    await witness.idle()
    assert.deepEqual(results, ['different'])
    assert.match(lines.join(), /decision d1, policy ratio, rule set sha256:[0-9a-f]{64}/)
    assert.doesNotMatch(lines.join(), /4321|2100|\b400\b/)
  })

  it('drops and counts what comes while too many wait', async () => {
    const { witness, results } = aWitness({ waitingMax: 2 })
    for (const id of ['d1', 'd2', 'd3', 'd4']) witness.see(aDecision(id))
    await witness.idle()
    assert.deepEqual(results.sort(), ['dropped', 'dropped', 'same', 'same'])
  })

  it('looks at the share asked for: none of them at 0', async () => {
    const counts = await Promise.all(
      [0, 0.1].map(async (share) => {
        const { witness, results } = aWitness({ share, waitingMax: 1000 })
        const decision = aDecision('d')
        for (let index = 0; index < 500; index++) {
          witness.see({ ...decision, inputs: { ...decision.inputs, decision_id: `d${index}` } })
        }
        await witness.idle()
        return results.length
      }),
    )
    assert.equal(counts[0], 0)
    assert.ok((counts[1] ?? 0) > 25 && (counts[1] ?? 0) < 75, `${counts[1]} of 500`)
  })

  it('outlives a decision that it cannot look at', async () => {
    const { witness, results } = aWitness()
    const decision = aDecision('d1')
    witness.see({ ...decision, inputs: { ...decision.inputs, as_of: 'never' } })
    witness.see(aDecision('d2'))
    await witness.idle()
    assert.deepEqual(results, ['failed', 'same'])
  })
})
