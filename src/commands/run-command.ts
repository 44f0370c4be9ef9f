import { parseArgs } from 'node:util'
import { nearestName } from '../domain/nearest-name.ts'
import { Failure, failures } from '../errors.ts'
import type { Call, Command, ExitStatus, Surroundings } from './command.ts'
import { decide } from './decide.ts'
import { doctor } from './doctor/doctor.ts'
import { graphMigrate } from './graph-migrate.ts'
import { graphStatus } from './graph-status.ts'
import { keysCreate } from './keys-create.ts'
import { keysList } from './keys-list.ts'
import { keysRevoke } from './keys-revoke.ts'
import { replay } from './replay.ts'
import { serve } from './serve.ts'
import { verify } from './verify.ts'

const commands: readonly Command[] = [
  serve,
  decide,
  verify,
  replay,
  graphMigrate,
  graphStatus,
  keysCreate,
  keysList,
  keysRevoke,
  doctor,
]

/** Runs one command line and gives its exit status; whatever goes wrong is said in plain words on standard error. */
export async function runCommand(argv: readonly string[], surroundings: Surroundings): Promise<ExitStatus> {
  try {
    if (argv.length === 0 || argv[0] === '--help' || argv[0] === '-h' || argv[0] === 'help') {
      surroundings.out(overview())
      return argv.length === 0 ? 2 : 0
    }
    if (argv[0] === '--version') {
      surroundings.out(`${surroundings.version}\n`)
      return 0
    }
    const { command, rest } = commandOf(argv)
    if (rest.includes('--help') || rest.includes('-h')) {
      surroundings.out(command.help)
      return 0
    }
    return await command.run(callOf(command, rest), surroundings)
  } catch (error) {
    return tell(error, argv.includes('--json'), surroundings)
  }
}

function tell(error: unknown, isJson: boolean, { err }: Surroundings): ExitStatus {
  if (!(error instanceof Failure)) throw error
  const { code, faults } = error
  const { title } = failures[code]
  if (isJson) err(`${JSON.stringify({ error: { code, title, faults } })}\n`)
  else err(`${title} (${code})\n${indented(error.message)}\n`)
  return error.code === 'USAGE' || error.code === 'CONFIG_INVALID' ? 2 : 1
}

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n')
}

function commandOf(argv: readonly string[]): { command: Command; rest: readonly string[] } {
  for (const length of [2, 1]) {
    const name = argv.slice(0, length).join(' ')
    const command = commands.find((candidate) => candidate.name === name)
    if (command !== undefined) return { command, rest: argv.slice(length) }
  }
  const first = argv[0] ?? ''
  const group = commands.filter((command) => command.name.startsWith(`${first} `))
  if (group.length > 0) {
    if (argv.includes('--help')) return { command: groupHelp(group), rest: ['--help'] }
    throw usage(`expected ${group.map((command) => `\`${command.name}\``).join(' or ')}`)
  }
  const near = nearestName(
    first,
    commands.flatMap((command) => [command.name, command.name.split(' ')[0] ?? '']),
  )
  const hint = near === undefined ? '`causebook --help` lists the commands' : `did you mean \`${near}\`?`
  throw usage(`there is no command \`${first.slice(0, 60)}\`; ${hint}`)
}

function groupHelp(group: readonly Command[]): Command {
  const first = group[0]
  if (first === undefined) throw new Error('a group has commands')
  return { ...first, help: group.map((command) => command.help).join('\n') }
}

function callOf(command: Command, rest: readonly string[]): Call {
  const options = command.options
  try {
    const { values, positionals } = parseArgs({
      args: [...rest],
      options,
      allowPositionals: true,
      strict: true,
    })
    const { from, to, names } = command.words
    if (positionals.length < from || positionals.length > to) {
      const wanted = names === '' ? 'expected no further words' : `expected ${names}`
      throw usage(`${wanted}; got ${positionals.length}. See \`causebook ${command.name} --help\``)
    }
    const given = Object.entries(values)
    return {
      words: positionals,
      flags: new Set(given.flatMap(([name, value]) => (value === true ? [name] : []))),
      values: new Map(given.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))),
    }
  } catch (error) {
    if (error instanceof Failure || !(error instanceof TypeError)) throw error
    const known = Object.keys(options).map((name) => `--${name}`)
    const takes = known.length === 0 ? 'it takes no options' : `its options are ${known.join(', ')}`
    throw usage(`${error.message.split('. ')[0]}; ${takes}. See \`causebook ${command.name} --help\``)
  }
}

function usage(why: string): Failure {
  return new Failure('USAGE', { at: '', why })
}

function overview(): string {
  const width = Math.max(...commands.map((command) => command.name.length))
  const list = commands.map((command) => `  ${command.name.padEnd(width)}  ${command.summary}`)
  return `Causebook decides loan applications and shows the causes of each decision.

Usage: causebook COMMAND [--help]

${list.join('\n')}

Settings come from the environment:
  CAUSEBOOK_PORT (8080)  CAUSEBOOK_HOST (127.0.0.1)  CAUSEBOOK_DATA (./data)
  CAUSEBOOK_RULES (./rules)  CAUSEBOOK_GRAPH (./graph)  CAUSEBOOK_STORE (embedded)
  CAUSEBOOK_DEADLINE_MS (2000)  CAUSEBOOK_RULES_SETTLE_MS (200)
  CAUSEBOOK_RULES_POLL_MS (0)  CAUSEBOOK_RULES_FAILING_MAX_S (0)
  CAUSEBOOK_WITNESS_SAMPLE (0.01)

Exit status: 0 as hoped, 1 problems were found, 2 called wrongly.
`
}
