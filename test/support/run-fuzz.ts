import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { causebook, startService, temporaryFolder } from './service.ts'

/**
 * `npm run fuzz [-- schemathesis options]`: the real service on this machine, with a key that may do everything and
 * the worked examples decided, against random requests that its own description gives rise to. schemathesis is no
 * package of npm: `pip install schemathesis`, or name the program in SCHEMATHESIS.
 */
const program = process.env.SCHEMATHESIS ?? 'schemathesis'

// Left out: `positive_data_acceptance`, since only a policy knows which facts there are, and checks of other kinds of API.
const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
  'missing_required_header',
  'unsupported_method',
  'allow_header_conformance',
  'ignored_auth',
]

await using folder = await temporaryFolder()
const folders = { data: folder.path }
const created = await causebook(
  [
    'keys',
    'create',
    '--role',
    'underwriter,compliance,auditor,admin',
    '--name',
    'fuzz',
    '--rate',
    '1000000',
    '--json',
  ],
  folders,
)
if (created.status !== 0) throw new Error(created.err)
const authorization = `Bearer ${JSON.parse(created.out).secret}`

await using service = await startService(folders)
for (const file of globSync('examples/requests/*.json')) {
  const headers = { 'content-type': 'application/json', authorization }
  const answer = await fetch(`${service.url}/v1/decisions`, {
    method: 'POST',
    headers,
    body: readFileSync(file),
  })
  if (!answer.ok) throw new Error(`${file}: ${await answer.text()}`)
}
const given = process.argv.slice(2)
const options = [
  ...['run', `${service.url}/openapi.json`, '--header', `Authorization: ${authorization}`],
  ...['--checks', checks.join(','), '--max-examples', '2000', '--continue-on-failure'],
  ...['--suppress-health-check', 'all', ...given],
]
// What it remembers of a run stays out of this folder.
const child = spawn(program, options, { stdio: 'inherit', cwd: folder.path })
child.once('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'ENOENT') throw error
  console.error(
    `there is no \`${program}\`: install it with \`pip install schemathesis\`, or set SCHEMATHESIS`,
  )
})
const [status] = (await Promise.race([once(child, 'close'), once(child, 'error').then(() => [2])])) as [
  number,
]
const mistakes = service
  .output()
  .split('\n')
  .filter((line) => line.startsWith('failure '))
console.log(`${mistakes.length} failures in the service's log`)
for (const line of mistakes.slice(0, 20)) console.log(line)
const { out } = await stopAndVerify()
console.log(out.trim())
process.exitCode = mistakes.length > 0 ? 1 : status

async function stopAndVerify() {
  await service.stop()
  return causebook(['verify'], folders)
}
