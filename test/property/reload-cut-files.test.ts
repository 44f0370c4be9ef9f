import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { anOffer, aPack, inForce, openTestRules } from '../support/live-rules.ts'
import { policyYaml } from '../support/pack-builders.ts'

const ids = Array.from({ length: 20 }, (_, index) => `R-${index + 1}`)
const flow = (id: string) =>
  `{rule_id: ${id}, version: 1.0.0, description: d, regulation: lender/x, when: {fact: score, operator: lessThan, value: 600}, then: [{episode: low}]}`
const block = (id: string) => `rule_id: ${id}
version: 1.0.0
description: d
regulation: lender/x
when: {fact: score, operator: lessThan, value: 600}
then:
  - episode: low
    toward: manual_review_required
  - episode: low_too
`

const forms: Readonly<Record<string, string>> = {
  'a list': ids.map((id) => `- ${flow(id)}\n`).join(''),
  documents: ids.map(block).join('---\n'),
}

const soaking = process.env.CAUSEBOOK_SOAK === '1'

/** Offers a text cut at every byte (or each `step`), one after the other; at none of them may anything change. */
async function cutEverywhere(
  path: string,
  whole: string,
  change: (text: string) => Record<string, string>,
  step = 1,
) {
  const opened = await openTestRules()
  await opened.rules.offer(anOffer([aPack(change(whole))]))
  const before = opened.rules.ruleSets()
  const bytes = Buffer.from(whole)
  let refused = 0
  let offered = 0
  for (let length = 0; length < bytes.length; length += step) {
    offered++
    const text = new TextDecoder().decode(bytes.subarray(0, length))
    await opened.rules.offer(anOffer([aPack(change(text))]))
    assert.equal(opened.rules.ruleSets(), before, `${path} cut after ${length} bytes went into force`)
    if (opened.rules.current().failures.length > 0) refused++
  }
  await opened.rules.offer(anOffer([aPack(change(whole))]))
  assert.deepEqual(opened.rules.current().failures, [])
  return { opened, refused, offered }
}

describe('a half-written file', () => {
  for (const [form, text] of Object.entries(forms)) {
    it(`of 20 rules as ${form}, cut at every byte: nothing of it is in force, and nothing crashes`, async () => {
      // Every byte of the shorter form in every run, of the longer one in the soak.
      const step = soaking || form === 'a list' ? 1 : 7
      const change = (cut: string) => ({ 'rules.yaml': cut })
      const { opened, refused, offered } = await cutEverywhere('rules.yaml', text, change, step)
      assert.equal(inForce(opened).length, 21)
      // Only a cut that leaves the whole meaning (the last line break, say) is as good as the whole.
      assert.ok(refused >= offered - 2, `${refused} of ${offered} refused`)
    })
  }

  it('policy.yaml cut at every byte: no required fact is lost, in whatever order it is written', async () => {
    const last = `${policyYaml.replace(/^required: .*\n/m, '')}required:\n  - monthly_income\n  - monthly_debts\n  - score\n`
    await cutEverywhere('policy.yaml', last, (cut) => ({ 'policy.yaml': cut }))
  })

  it('what was cut on purpose goes into force once the end says so', async () => {
    const opened = await openTestRules()
    const rule = block('R-1')
    const shorter = rule.slice(0, rule.indexOf('  - episode: low_too'))
    await opened.rules.offer(anOffer([aPack({ 'r.yaml': rule })]))
    await opened.rules.offer(anOffer([aPack({ 'r.yaml': shorter })]))
    const [failure] = opened.rules.current().failures
    assert.match(
      failure?.faults[0]?.why ?? '',
      /^the file is exactly the first \d+ of the \d+ characters in force, as if it had been cut/,
    )
    await opened.rules.offer(anOffer([aPack({ 'r.yaml': `${shorter}# the second finding is gone\n` })]))
    assert.deepEqual(opened.rules.current().failures, [])
    const { change } = opened.rules.current().active.get('test-pack') ?? {}
    assert.deepEqual(change?.changed, ['R-1@1.0.0'])
  })

  it('a rule retired from the end of its file is no cut', async () => {
    const opened = await openTestRules()
    const text = forms.documents ?? ''
    await opened.rules.offer(anOffer([aPack({ 'rules.yaml': text })]))
    const changes = {
      'rules.yaml': text.slice(0, text.indexOf('---\nrule_id: R-20')),
      'policy.yaml': `${policyYaml}retired: [R-20]\n`,
    }
    await opened.rules.offer(anOffer([aPack(changes)]))
    assert.deepEqual(opened.rules.current().failures, [])
    assert.equal(inForce(opened).length, 20)
  })
})
