import type { Store } from '../ports/store.ts'
import type { FaultList } from './collect-faults.ts'
import { readOrBroken } from './read-or-broken.ts'

const pageSize = 200

/** Finds facts of applications, and episodes of subjects, that no decision is about: they came past the ledger. */
export async function verifyUnnamed(
  store: Pick<Store, 'unnamedApplications' | 'unnamedSubjects'>,
  faults: FaultList,
): Promise<void> {
  await each(
    (...page) => store.unnamedApplications(...page),
    (id) => `facts of application \`${id}\` are stored, which no record names`,
  )
  await each(
    (...page) => store.unnamedSubjects(...page),
    (id) => `episodes of subject \`${id}\` are stored, which no record names`,
  )

  async function each(list: Store['unnamedApplications'], sentence: (id: string) => string): Promise<void> {
    const nowhere = { writer: '', seq: 0 }
    let after: string | undefined
    for (;;) {
      const from = after
      const read = await readOrBroken(() => list(from, pageSize))
      if ('broken' in read) return faults.add(nowhere, read.broken)
      for (const id of read.value) faults.add(nowhere, sentence(id))
      after = read.value.at(-1)
      if (after === undefined) return
    }
  }
}
