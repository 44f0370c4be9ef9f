import { verifyLedger } from '../audit/verify-ledger.ts'
import type { Command } from './command.ts'
import { counted } from './counted.ts'
import { openExistingStore } from './open-existing-store.ts'
import { startProgress } from './progress.ts'

export const verify: Command = {
  name: 'verify',
  summary: 'check the ledger and everything it binds to',
  help: `causebook verify [--json]

Checks every record's hash and link, and that facts, episodes, answers, rule sets and graph log
still are what the records committed to. Needs only the store, neither rules nor a running service.

  causebook verify
  CAUSEBOOK_DATA=/var/lib/causebook causebook verify --json

Exit status 1 when anything does not verify.
`,
  options: { json: { type: 'boolean' } },
  words: { from: 0, to: 0, names: '' },
  async run(call, surroundings) {
    await using store = await openExistingStore(surroundings.config(), surroundings)
    const progress = startProgress('verifying', surroundings)
    const report = await verifyLedger(store, ({ done, total }) => progress.to(done, total))
    progress.end()
    const verifies = report.faultCount === 0
    if (call.flags.has('json')) {
      surroundings.out(`${JSON.stringify({ verifies, ...report })}\n`)
      return verifies ? 0 : 1
    }
    for (const fault of report.faults) {
      const place = fault.seq === 0 ? 'store' : `record ${fault.seq} of ${fault.writer}`
      surroundings.err(`${place}: ${fault.why}\n`)
    }
    const hidden = report.faultCount - report.faults.length
    if (hidden > 0) surroundings.err(`and ${hidden} more\n`)
    const verdict = verifies
      ? 'the ledger verifies'
      : `the ledger does NOT verify: ${counted(report.faultCount, 'fault')}`
    surroundings.out(
      `${counted(report.decisions, 'decision')}, ${counted(report.records, 'record')}: ${verdict}\n`,
    )
    return verifies ? 0 : 1
  },
}
