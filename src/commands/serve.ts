import { guardDecisions } from '../decision/guard-decisions.ts'
import { serve as serveHttp } from '../http/serve.ts'
import type { Command, Surroundings } from './command.ts'
import { counted } from './counted.ts'
import { type Deployment, deploy } from './deployment.ts'
import { measureStore } from './measure-store.ts'
import { openRuleSetCheck } from './open-rule-set-check.ts'
import { type StartedAccess, startAccess } from './start-access.ts'
import { startRules } from './start-rules.ts'
import { startWitness } from './start-witness.ts'

export const serve: Command = {
  name: 'serve',
  summary: 'answer decisions over HTTP',
  help: `causebook serve

Loads the packs in CAUSEBOOK_RULES, opens the store in CAUSEBOOK_DATA, and answers over HTTP
until it is asked to stop (Ctrl-C or SIGTERM; what is under way finishes first). Packs that
change meanwhile go into force by themselves; bad ones are refused, and the last good rules
go on deciding.

  causebook serve
  CAUSEBOOK_PORT=9000 CAUSEBOOK_DATA=/var/lib/causebook causebook serve
`,
  options: {},
  words: { from: 0, to: 0, names: '' },
  async run(_call, surroundings) {
    const config = surroundings.config()
    const migrations = await surroundings.readMigrations(config)
    await using store = await surroundings.openStore(config)
    const door = await startAccess(store, config, surroundings)
    const metrics = surroundings.openMetrics()
    measureStore(metrics, store)
    const { deadlineMs } = config
    const { version: engine, clock, randomness } = surroundings
    const checkRuleSet = await openRuleSetCheck(store, migrations, clock)
    await using started = await startRules(store, config, metrics, checkRuleSet, surroundings)
    const { rules } = started
    const log = (line: string) => surroundings.err(`${line}\n`)
    const witness = startWitness(config.witnessSample, metrics, log)
    const parts = { store, rules, migrations, clock, randomness, deadlineMs, engine, witness }
    const deployment = await deploy(parts)
    const listening = await serveHttp(
      {
        service: guardDecisions(deployment.service, rules, metrics, clock),
        rules,
        metrics,
        access: door.access,
        log,
        api: { version: engine, examples: surroundings.apiExamples() },
      },
      config,
    )
    surroundings.out(
      greeting(deployment, door, rules.current().overlooked, listening.url, config.dataFolder, surroundings),
    )
    await surroundings.stopRequested()
    surroundings.out('stopping: no new requests are taken, what is under way finishes\n')
    await listening.stop()
    await door.stop()
    return 0
  },
}

function greeting(
  { rules: current, graphPosition, readiness, warnings }: Deployment,
  { needsKey, sentence }: StartedAccess,
  overlooked: readonly string[],
  url: string,
  dataFolder: string,
  { version, exampleRequest }: Surroundings,
): string {
  const failing = readiness.checks.filter((check) => !check.ok)
  const ruleSets = [...current.ruleSets().values()]
  const example = exampleRequest(ruleSets.map((ruleSet) => ruleSet.policy.policy))
  return [
    `causebook ${version}`,
    ...ruleSets.map(
      ({ policy, rules, hash }) =>
        `  policy  ${policy.policy} ${policy.version}, ${counted(rules.size, 'rule')}, ${hash}`,
    ),
    `  graph   ${graphPosition.migration ?? 'no migration'}, ${counted(graphPosition.sequence, 'operation')}`,
    `  data    ${dataFolder}`,
    `  access  ${sentence}`,
    ...overlooked.map(
      (name) => `  note    \`${name}\` among the rules belongs to no pack (no policy.yaml beside it)`,
    ),
    ...warnings.map(({ at, why }) => `  note    ${at}: ${why}`),
    ...failing.map((check) => `  NOT READY  ${check.name}: ${check.detail}`),
    `listening on ${url}`,
    ...(example === undefined ? [] : ['', ...nextSteps(url, example, needsKey)]),
    '',
  ].join('\n')
}

function nextSteps(url: string, example: string, needsKey: boolean): readonly string[] {
  const key = needsKey ? `-H "Authorization: Bearer $KEY" ` : ''
  return [
    'Try next, in another terminal:',
    `  curl -s ${url}/v1/decisions ${key}-H 'Content-Type: application/json' -d @${example}`,
    `  npm run -s causebook -- decide ${example}`,
  ]
}
