import type { DecisionPayload } from '../domain/record.ts'
import type { Memory, Store, StoredDecision } from '../ports/store.ts'
import type { FaultList } from './collect-faults.ts'
import { readOrBroken } from './read-or-broken.ts'

interface Lacking {
  readonly at: { readonly writer: string; readonly seq: number }
  readonly what: string
  readonly stored: number
  named: number
}

export interface UnnamedTracker {
  see(row: StoredDecision, payload: DecisionPayload, memory: Memory): void
  finish(): Promise<void>
}

const pageSize = 200

/**
 * Finds facts and episodes beside the ledger that no decision record names. Every decision names all it saw, and
 * memory only grows, so the last decision of an application (and of a subject) names everything there is. Kept are
 * only those whose last decision has not come by yet.
 */
export function trackUnnamed(store: Store, faults: FaultList): UnnamedTracker {
  const lacking = new Map<string, Lacking>()

  function note(key: string, at: Lacking['at'], what: string, stored: number, named: number): void {
    if (named >= stored) lacking.delete(key)
    else lacking.set(key, { at, what, stored, named: Math.max(named, lacking.get(key)?.named ?? 0) })
  }

  // The last decision may stand in a chain that was read earlier, or have been made meanwhile.
  async function lookAgain(): Promise<void> {
    let after: { writer: string; seq: number } | undefined
    for (;;) {
      const from = after
      const read = await readOrBroken(() => store.listDecisions(from, pageSize))
      const last = 'value' in read ? read.value.at(-1) : undefined
      if (!('value' in read) || last === undefined) return
      for (const row of read.value) {
        for (const [key, list] of namedBy(row)) {
          const lack = lacking.get(key)
          if (lack !== undefined) lack.named = Math.max(lack.named, list)
        }
      }
      after = last.record
    }
  }

  return {
    see(row, payload, memory) {
      const { writer, seq } = row.record
      const at = { writer, seq }
      const { applicationId, subjectId } = row
      note(`application ${applicationId}`, at, 'facts', memory.facts.length, payload.facts.length)
      if (subjectId === undefined) return
      note(`subject ${subjectId}`, at, 'episodes', memory.episodes.length, payload.episodes.length)
    },
    async finish() {
      if (lacking.size > 0) await lookAgain()
      for (const { at, what, stored, named } of lacking.values()) {
        if (named < stored) faults.add(at, `${stored - named} stored ${what} stand in no record`)
      }
    },
  }
}

function namedBy({ applicationId, subjectId, record }: StoredDecision): [string, number][] {
  const { facts, episodes } = record.payload
  const size = (list: unknown) => (Array.isArray(list) ? list.length : 0)
  return [
    [`application ${applicationId}`, size(facts)],
    [`subject ${subjectId ?? ''}`, size(episodes)],
  ]
}
