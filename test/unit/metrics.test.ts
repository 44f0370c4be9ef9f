import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openMetrics } from '../../src/adapters/memory/open-metrics.ts'
import { guardDecisions } from '../../src/decision/guard-decisions.ts'
import { Failure } from '../../src/errors.ts'
import { noRules } from '../support/no-rules.ts'
import { openTestService } from '../support/open-test-service.ts'

describe('metrics', () => {
  it('are told in Prometheus text format, in one order, with labels escaped', async () => {
    const metrics = openMetrics()
    const calls = metrics.counter('calls_total', 'Calls, "so far"\nand more.')
    metrics.gauge('age', 'Age.', async () => [{ value: 1.5 }])
    const took = metrics.histogram('took_seconds', 'How long.', [0.1, 1])
    calls.add({ b: 'x', a: 'say "no"\n\\' })
    calls.add({ a: 'say "no"\n\\', b: 'x' }, 2)
    for (const value of [0.05, 0.1, 3]) took.observe(value, { kind: 'k' })
    assert.equal(
      await metrics.text(),
      [
        '# HELP age Age.',
        '# TYPE age gauge',
        'age 1.5',
        '# HELP calls_total Calls, "so far"\\nand more.',
        '# TYPE calls_total counter',
        'calls_total{a="say \\"no\\"\\n\\\\",b="x"} 3',
        '# HELP took_seconds How long.',
        '# TYPE took_seconds histogram',
        'took_seconds_bucket{kind="k",le="0.1"} 2',
        'took_seconds_bucket{kind="k",le="1"} 2',
        'took_seconds_bucket{kind="k",le="+Inf"} 3',
        'took_seconds_sum{kind="k"} 3.15',
        'took_seconds_count{kind="k"} 3',
        '',
      ].join('\n'),
    )
  })

  it('one that fails is left out, the others are told', async () => {
    const metrics = openMetrics()
    metrics.counter('calls_total', 'Calls.')
    metrics.gauge('records', 'Records.', () => Promise.reject(new Error('store')))
    assert.match(await metrics.text(), /^calls_total 0$/m)
    assert.doesNotMatch(await metrics.text(), /^records /m)
  })

  it('a name is taken once', () => {
    const metrics = openMetrics()
    metrics.counter('calls_total', 'Calls.')
    assert.throws(() => metrics.counter('calls_total', 'Calls.'), TypeError)
    assert.throws(() => metrics.counter('Calls', 'Calls.'), TypeError)
  })

  it('count each decision by what was decided, and each that was not by why', async () => {
    const { service } = await openTestService('2026-06-01T14:00:00Z')
    const { rules } = noRules()
    const metrics = openMetrics()
    const guarded = guardDecisions(service, rules, metrics, { nowMs: () => 0 })
    const request = {
      application_id: 'm-1',
      policy: 'us-consumer',
      received_at: '2026-06-01T13:00:00Z',
      facts: {},
    }
    const { decision } = await guarded.decide(request, 'test')
    await assert.rejects(guarded.decide({ ...request, policy: 'none' }, 'test'), Failure)
    const text = await metrics.text()
    assert.ok(text.includes(`causebook_decisions_total{decision="${decision}"} 1\n`))
    assert.ok(text.includes('causebook_decisions_failed_total{code="POLICY_UNKNOWN"} 1\n'))
    assert.ok(text.includes('causebook_decision_duration_seconds_count 1\n'))
  })
})
