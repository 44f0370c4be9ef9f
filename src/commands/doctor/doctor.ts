import type { Config } from '../../config.ts'
import type { Store } from '../../ports/store.ts'
import type { Command, Surroundings } from '../command.ts'
import { checkEventNames } from './check-event-names.ts'
import { checkGraph, checkPacks } from './check-files.ts'
import { checkKeys } from './check-keys.ts'
import { checkClock, checkDisk } from './check-machine.ts'
import { checkLedgerTail, checkStoreFile } from './check-store.ts'
import { attempt, type Finding, fine, warning } from './finding.ts'

export const doctor: Command = {
  name: 'doctor',
  summary: 'look at everything the service needs, and say what to do',
  help: `causebook doctor [--json]

Looks at configuration, store, packs, graph, clock, disk, keys and the end of the ledger: one line
each, \`ok\`, \`warning\` or \`problem\`, with what it saw and what to do. Changes nothing; the
service may be running or not.

  causebook doctor
  CAUSEBOOK_DATA=/var/lib/causebook causebook doctor --json

Exit status 1 when there is a problem; warnings alone leave it 0.
`,
  options: { json: { type: 'boolean' } },
  words: { from: 0, to: 0, names: '' },
  async run(call, surroundings) {
    const findings = await examine(surroundings)
    const ok = findings.every(({ state }) => state !== 'problem')
    if (call.flags.has('json')) surroundings.out(`${JSON.stringify({ ok, findings })}\n`)
    else surroundings.out(findings.map(linesOf).join(''))
    return ok ? 0 : 1
  },
}

async function examine(surroundings: Surroundings): Promise<readonly Finding[]> {
  let config: Config | undefined
  const configuration = await attempt(
    'configuration',
    'set each as it says; the rest is not looked at until then',
    async () => {
      config = surroundings.config()
      const { host, port, store } = config
      return [fine('configuration', `store ${store}, ${host} port ${port}, deadline ${config.deadlineMs} ms`)]
    },
  )
  if (config === undefined) return configuration
  return [...configuration, ...(await examineParts(config, surroundings))]
}

async function examineParts(config: Config, surroundings: Surroundings): Promise<readonly Finding[]> {
  const { dataFolder, rulesFolder } = config
  const { inspection, clock } = surroundings
  const nowMs = clock.nowMs()
  let store: Store | undefined
  const opened = await attempt('store', whenUnreadable, async () => {
    if (config.store === 'memory')
      return [warning('store', 'it forgets everything when the process ends', onlyTests)]
    const findings = checkStoreFile(dataFolder, inspection)
    store =
      inspection.storeFile(dataFolder) === undefined
        ? undefined
        : await surroundings.openStoreReadOnly(config)
    return findings
  })
  await using held = store
  const parts = [
    await attempt('packs', 'correct the files; the service does not start until then', async () =>
      checkPacks(await surroundings.loadPacks(config), rulesFolder),
    ),
    await attempt('graph', 'correct the files in CAUSEBOOK_GRAPH', async () =>
      checkGraph(await surroundings.readMigrations(config), held, nowMs),
    ),
    await checkEventNames(
      () => surroundings.loadPacks(config),
      () => surroundings.readMigrations(config),
      held,
      nowMs,
    ),
    await checkClock(nowMs, inspection),
    await checkDisk(dataFolder, inspection),
    await attempt('keys', whenUnreadable, async () =>
      checkKeys((await held?.listKeys()) ?? [], config, nowMs),
    ),
    held === undefined ? [] : await attempt('ledger', whenUnreadable, () => checkLedgerTail(held, nowMs)),
  ]
  return [...opened, ...parts.flat()]
}

const whenUnreadable = 'is CAUSEBOOK_DATA right? Restore the data folder from its last copy if it is'
const onlyTests = 'leave CAUSEBOOK_STORE out unless this is a test'

function linesOf({ check, state, saw, todo, details = [] }: Finding): string {
  const line = `${state.padEnd(7)}  ${check.padEnd(13)}  ${saw}${todo === undefined ? '' : `; ${todo}`}\n`
  return line + details.map((detail) => `${' '.repeat(24)}${detail}\n`).join('')
}
