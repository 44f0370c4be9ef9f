import { isIP } from 'node:net'
import path from 'node:path'
import { z } from 'zod'
import { nearestName } from './domain/nearest-name.ts'
import { Failure, type Fault } from './errors.ts'

/** Where the decisions go: the embedded file in the data folder, or (for tests) nowhere that lasts. */
export type StoreChoice = 'embedded' | 'memory'

const whole = (from: number, to: number, example: string) =>
  z
    .string()
    .refine(
      (text) => /^\d{1,9}$/.test(text) && Number(text) >= from && Number(text) <= to,
      `expected a whole number from ${from} to ${to}, such as \`${example}\``,
    )
    .transform(Number)

const share = z
  .string()
  .refine(
    (text) => /^(?:0?\.\d{1,6}|0|1(?:\.0{1,6})?)$/.test(text),
    'expected a share from 0 (none) to 1 (all), such as `0.01`',
  )
  .transform(Number)

const folder = z.string().transform((text) => path.resolve(text))

const Environment = z.object({
  CAUSEBOOK_PORT: whole(0, 65_535, '8080').prefault('8080'),
  CAUSEBOOK_HOST: z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9.-]*$|^[0-9a-fA-F:.]+$/,
      'expected an address or a host name, such as `127.0.0.1`',
    )
    .prefault('127.0.0.1'),
  CAUSEBOOK_DATA: folder.prefault('./data'),
  CAUSEBOOK_RULES: folder.prefault('./rules'),
  CAUSEBOOK_GRAPH: folder.prefault('./graph'),
  CAUSEBOOK_STORE: z
    .string()
    .transform((text, context): StoreChoice => {
      if (text === 'embedded') return 'embedded'
      if (text === 'memory:') return 'memory'
      context.addIssue({ code: 'custom', message: whyNotStore(text) })
      return z.NEVER
    })
    .prefault('embedded'),
  CAUSEBOOK_DEADLINE_MS: whole(1, 600_000, '2000').prefault('2000'),
  CAUSEBOOK_WITNESS_SAMPLE: share.prefault('0.01'),
  CAUSEBOOK_RULES_SETTLE_MS: whole(0, 60_000, '200').prefault('200'),
  CAUSEBOOK_RULES_POLL_MS: whole(0, 3_600_000, '2000').prefault('0'),
  CAUSEBOOK_RULES_FAILING_MAX_S: whole(0, 31_536_000, '3600').prefault('0'),
})

/** Everything the environment decides, checked; folders are absolute. */
export interface Config {
  readonly port: number
  readonly host: string
  readonly dataFolder: string
  readonly rulesFolder: string
  readonly graphFolder: string
  readonly store: StoreChoice
  readonly deadlineMs: number
  /** Share of decisions that are evaluated again in the background, by other means. */
  readonly witnessSample: number
  /** How long rule files must stay the same before they are read. */
  readonly rulesSettleMs: number
  /** Look for changed rules this often, without help of the system; 0: wait to be told. */
  readonly rulesPollMs: number
  /** Refuse decisions of a policy whose pack has been bad for longer; 0: never. */
  readonly rulesFailingMaxS: number
}

/**
 * Reads the `CAUSEBOOK_*` variables once; an empty one counts as not set. Failure: CONFIG_INVALID, naming every
 * variable that is wrong or unknown, and what would be right.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const ours = Object.entries(environment).filter(
    ([name, text]) => name.startsWith('CAUSEBOOK_') && text !== undefined && text !== '',
  )
  const parsed = Environment.safeParse(Object.fromEntries(ours))
  const faults = [
    ...unknownVariables(ours.map(([name]) => name)),
    ...(parsed.error?.issues ?? []).map((issue) => faultOf(issue, environment)),
  ]
  if (parsed.success && faults.length === 0) return configOf(parsed.data)
  throw new Failure('CONFIG_INVALID', faults)
}

function configOf(values: z.infer<typeof Environment>): Config {
  return {
    port: values.CAUSEBOOK_PORT,
    host: values.CAUSEBOOK_HOST,
    dataFolder: values.CAUSEBOOK_DATA,
    rulesFolder: values.CAUSEBOOK_RULES,
    graphFolder: values.CAUSEBOOK_GRAPH,
    store: values.CAUSEBOOK_STORE,
    deadlineMs: values.CAUSEBOOK_DEADLINE_MS,
    witnessSample: values.CAUSEBOOK_WITNESS_SAMPLE,
    rulesSettleMs: values.CAUSEBOOK_RULES_SETTLE_MS,
    rulesPollMs: values.CAUSEBOOK_RULES_POLL_MS,
    rulesFailingMaxS: values.CAUSEBOOK_RULES_FAILING_MAX_S,
  }
}

function unknownVariables(names: readonly string[]): readonly Fault[] {
  const known = Object.keys(Environment.shape)
  return names
    .filter((name) => !known.includes(name))
    .map((name) => {
      const nearest = nearestName(name, known)
      const hint = nearest === undefined ? `known are ${known.join(', ')}` : `did you mean ${nearest}?`
      return { at: name, why: `there is no such setting; ${hint}` }
    })
}

function faultOf(issue: z.core.$ZodIssue, environment: Readonly<Record<string, string | undefined>>): Fault {
  const name = String(issue.path[0])
  return { at: name, why: `${issue.message}; got \`${environment[name] ?? ''}\`` }
}

/** Whether only this machine can reach the address. */
export function isLoopback(host: string): boolean {
  if (host === 'localhost' || host === '::1') return true
  return isIP(host) === 4 && host.startsWith('127.')
}

function whyNotStore(text: string): string {
  if (/^neo4j(\+s|\+ssc)?:/.test(text)) {
    return 'this version has no Neo4j store yet; leave the variable out for the embedded store in the data folder'
  }
  return 'expected `embedded` (or nothing) for the store in the data folder, or `memory:` for one that forgets everything when the process ends'
}
