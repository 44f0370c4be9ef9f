import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Episode } from '../../src/domain/episode.ts'
import type { FactType } from '../../src/domain/fact.ts'
import type { EpisodeCount } from '../../src/domain/policy.ts'
import { toFactState } from '../../src/rules/computed.ts'
import { countEpisodes } from '../../src/rules/count-episodes.ts'

const asOfMs = Date.UTC(2026, 5, 1)

function anEpisode(changes: Partial<Episode>): Episode {
  return {
    subject_id: 's',
    episode_id: 'e',
    type: 'credit_overdue',
    occurred_at: '2026-05-01T00:00:00.000Z',
    valid_until: null,
    confidence: 0.9,
    source: 'bureau',
    attributes: {},
    recorded_at: '2026-05-01T00:00:00.000Z',
    ...changes,
  }
}

function count(history: Episode[] | undefined, changes: Partial<EpisodeCount>, type: FactType = 'integer') {
  const isSubtype = (one: string, ancestor: string) =>
    one === 'mortgage_overdue' && ancestor === 'credit_overdue'
  const wanted: EpisodeCount = { type: 'credit_overdue', take: 'count', ...changes }
  return toFactState(
    countEpisodes('overdues', type, wanted, { asOfMs, zone: 'America/New_York', history, isSubtype }),
  )
}

describe('facts counted over episodes', () => {
  it('count the type and its subtypes within reach, not later than as_of, not past their validity', () => {
    const history = [
      anEpisode({ confidence: 0.8 }),
      anEpisode({ type: 'mortgage_overdue' }),
      anEpisode({ type: 'relocation' }),
      anEpisode({ occurred_at: '2026-06-01T00:00:00.001Z' }),
      anEpisode({ occurred_at: '2025-12-03T00:00:00.000Z' }),
      anEpisode({ occurred_at: '2025-12-02T23:59:59.999Z' }),
      anEpisode({ valid_until: '2026-05-20T00:00:00.000Z' }),
    ]
    assert.deepEqual(count(history, { within_days: 180 }), { state: 'known', value: '3', confidence: 0.8 })
  })

  it('without episodes, count and sum are 0, latest and max none, all surely', () => {
    assert.deepEqual(count([], {}), { state: 'known', value: '0', confidence: 1 })
    assert.deepEqual(count([], { take: 'sum', attribute: 'amount' }), {
      state: 'known',
      value: '0',
      confidence: 1,
    })
    assert.deepEqual(count([], { take: 'max', attribute: 'amount' }), { state: 'none', confidence: 1 })
    assert.deepEqual(count([], { take: 'latest' }, 'date'), { state: 'none', confidence: 1 })
  })

  it('are unknown when the history could not be read', () => {
    const state = count(undefined, {})
    assert.equal(state.state, 'unknown')
    assert.deepEqual('missing' in state && state.missing, ['overdues'])
  })

  it('test attributes as decimals, and are unknown where an episode lacks what decides about it', () => {
    const late = (days: string) => anEpisode({ attributes: { days_overdue: days, paid: true, kind: 'card' } })
    const where = { days_overdue: '>= 30' }
    assert.deepEqual(count([late('30'), late('29.9'), late('100')], { where }), {
      state: 'known',
      value: '2',
      confidence: 0.9,
    })
    const lacking = count([late('30'), anEpisode({ episode_id: 'x-1' })], { where })
    assert.match(
      lacking.state === 'unknown' ? lacking.why : '',
      /episode `x-1` has no attribute `days_overdue` that is a number/,
    )
    // Where another test already rules the episode out, nothing is missing.
    const both = { kind: "= 'loan'", days_overdue: '>= 30' }
    assert.deepEqual(count([anEpisode({ attributes: { kind: 'card' } })], { where: both }), {
      state: 'known',
      value: '0',
      confidence: 1,
    })
    assert.deepEqual(count([late('5')], { where: { paid: '= true', kind: "!= 'loan'" } }), {
      state: 'known',
      value: '1',
      confidence: 0.9,
    })
  })

  it('take the latest day in the pack\u2019s zone, the largest and the sum', () => {
    const history = [
      anEpisode({ occurred_at: '2026-05-02T03:00:00.000Z', attributes: { amount: '10.5' } }),
      anEpisode({ attributes: { amount: '9' } }),
    ]
    assert.deepEqual(count(history, { take: 'latest' }, 'date'), {
      state: 'known',
      value: '2026-05-01',
      confidence: 0.9,
    })
    assert.deepEqual(count(history, { take: 'max', attribute: 'amount' }, 'money'), {
      state: 'known',
      value: '10.5',
      confidence: 0.9,
    })
    assert.deepEqual(count(history, { take: 'sum', attribute: 'amount' }, 'money'), {
      state: 'known',
      value: '19.5',
      confidence: 0.9,
    })
  })
})
