import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'

/** `npm run soak [-- FILE …]`: the random tests with their full counts, printed with their seeds. */
const named = process.argv.slice(2)
const files =
  named.length > 0 ? named : globSync('test/{property,differential,end-to-end}/**/*.test.ts').sort()
const run = spawnSync(process.execPath, ['--test', '--test-reporter=spec', ...files], {
  stdio: 'inherit',
  env: { ...process.env, CAUSEBOOK_SOAK: '1' },
})
process.exitCode = run.status ?? 1
