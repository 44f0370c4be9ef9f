#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import path from 'node:path'
import pc from 'picocolors'
import { exampleRequest } from './adapters/files/example-request.ts'
import { readApiExamples } from './adapters/files/read-api-examples.ts'
import { readInput } from './adapters/files/read-input.ts'
import { readMigrations } from './adapters/files/read-migrations.ts'
import { readPacks } from './adapters/files/read-packs.ts'
import { watchPacks } from './adapters/files/watch-packs.ts'
import { openMemoryStore } from './adapters/memory/open-memory-store.ts'
import { openMetrics } from './adapters/memory/open-metrics.ts'
import { openSqliteStore } from './adapters/sqlite/open-sqlite-store.ts'
import { inspectMachine } from './adapters/system/inspect-machine.ts'
import { systemClock } from './adapters/system/system-clock.ts'
import { systemRandomness } from './adapters/system/system-randomness.ts'
import type { Packs, Surroundings } from './commands/command.ts'
import { runCommand } from './commands/run-command.ts'
import { type Config, readConfig } from './config.ts'
import { Failure, type Fault } from './errors.ts'
import { loadPack } from './rules/load-pack.ts'
import type { RuleSet } from './rules/rule-set.ts'

const home = path.join(import.meta.dirname, '..')

const surroundings: Surroundings = {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  outIsTerminal: process.stdout.isTTY === true,
  errIsTerminal: process.stderr.isTTY === true,
  colour: process.stdout.isTTY === true && pc.isColorSupported,
  version: JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8')).version,
  config: () => readConfig(process.env),
  openStore: async ({ store, dataFolder }) =>
    store === 'memory' ? openMemoryStore() : openSqliteStore(path.join(dataFolder, 'causebook.db')),
  openExistingStore: ({ dataFolder }) =>
    openSqliteStore(path.join(dataFolder, 'causebook.db'), { mustExist: true }),
  openStoreReadOnly: ({ dataFolder }) =>
    openSqliteStore(path.join(dataFolder, 'causebook.db'), { readOnly: true }),
  loadPacks,
  ruleSource: ({ rulesFolder, rulesPollMs: pollMs }, log) => watchPacks(rulesFolder, { pollMs, log }),
  openMetrics,
  readMigrations: ({ graphFolder }) => readMigrations(graphFolder),
  inspection: inspectMachine,
  clock: systemClock,
  randomness: systemRandomness,
  openInput: readInput,
  stopRequested,
  apiExamples: () => readApiExamples(path.join(home, 'examples')),
  exampleRequest: (policies) => {
    const file = exampleRequest(path.join(home, 'examples', 'requests'), policies)
    return file === undefined ? undefined : path.relative(process.cwd(), file)
  },
}

async function loadPacks({ rulesFolder }: Config): Promise<Packs> {
  const { packs, overlooked } = await readPacks(rulesFolder)
  const ruleSets: RuleSet[] = []
  const faults: Fault[] = []
  for (const pack of packs) {
    try {
      ruleSets.push(loadPack(pack.files))
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'RULE_FILE_INVALID') throw error
      faults.push(...error.faults)
    }
  }
  if (faults.length > 0) throw new Failure('RULE_FILE_INVALID', faults)
  return { ruleSets, overlooked }
}

function stopRequested(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve())
  })
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // Whoever read our output has gone (`causebook … | head`); that is no error of ours.
  if (error.code === 'EPIPE') process.exit(0)
  process.stderr.write(`The output can't be written: ${error.message}\n`)
  process.exit(1)
})
// Where nothing can be said of it any more, work goes on.
process.stderr.on('error', () => {})

process.exitCode = await runCommand(process.argv.slice(2), surroundings)
