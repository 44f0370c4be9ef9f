import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'

/** `npm test [-- FILE …]`: runs every test file, or the ones named, with node's own runner. */
const named = process.argv.slice(2)
const files = named.length > 0 ? named : globSync('test/**/*.test.ts').sort()
const run = spawnSync(
  process.execPath,
  ['--test', '--test-concurrency=2', '--test-reporter=spec', ...files],
  { stdio: 'inherit' },
)
process.exitCode = run.status ?? 1
