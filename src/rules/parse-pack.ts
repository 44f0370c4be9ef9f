import { canonicalJson, sha256 } from '../audit/canonical.ts'
import { PackContent, ReasonsFile, SourcesFile } from '../domain/policy.ts'
import { ruleVersionId } from '../domain/rule.ts'
import { Failure, type Fault } from '../errors.ts'
import { checkRetired } from './check-retired.ts'
import { checkRule } from './check-rule.ts'
import { checkSources } from './check-sources.ts'
import { compareRules } from './compile-rules.ts'
import type { Expression } from './expression-tree.ts'
import { nodesOf, orderNodes } from './order-steps.ts'
import type { RuleContext } from './pack-context.ts'
import { readDeclared } from './read-declared.ts'
import { type FactsRead, readFacts } from './read-facts.ts'
import { type PolicyFrame, readPolicy, readPolicyConditions } from './read-policy.ts'
import { type RuleRead, readRule } from './read-rule.ts'
import { readShape } from './read-shape.ts'
import type { YamlReader } from './remember-yaml.ts'
import { FaultList } from './source-file.ts'
import { type PackFile, type SplitFiles, splitFiles } from './split-files.ts'
import { readTableFrames, readTables } from './tables/read-tables.ts'
import { field, lineText, type YamlNode } from './yaml-node.ts'

export type { PackFile } from './split-files.ts'

/**
 * Reads and checks one pack: `policy.yaml`, `facts.yaml`, `sources.yaml`, `reasons.yaml`, and rules in every other
 * YAML file. Values come out typed and normalised; the order of files, facts and rules changes nothing. Throws
 * `RULE_FILE_INVALID` with everything found wrong, each at `path:line:column` with the line and a caret.
 */
export function parsePack(
  files: readonly PackFile[],
  readFile?: YamlReader,
): {
  content: PackContent
  hash: string
  /** What keeps nothing from loading but should be looked at. */
  warnings: readonly Fault[]
} {
  const faults = new FaultList()
  const warnings = new FaultList()
  const content = readPack(splitFiles(files, faults, readFile), faults, warnings)
  if (content === undefined || faults.faults.length > 0) throw new Failure('RULE_FILE_INVALID', faults.faults)
  return { content, hash: sha256(canonicalJson(content)), warnings: warnings.faults }
}

/** Reads content back that `parsePack` made and a store kept. Throws `RULE_FILE_INVALID` where it is no such text. */
export function readPackContent(text: string): PackContent {
  let data: unknown
  try {
    data = JSON.parse(text)
  } catch (cause) {
    throw new Failure('RULE_FILE_INVALID', { at: '', why: 'stored rules: not valid JSON' }, { cause })
  }
  const result = PackContent.safeParse(data)
  if (result.success) return result.data
  const faults = result.error.issues.map((issue) => ({
    at: `/${issue.path.join('/')}`,
    why: `stored rules: ${issue.message}`,
  }))
  throw new Failure('RULE_FILE_INVALID', faults)
}

function readPack(
  { single, rules: ruleNodes, tables: tableFiles }: SplitFiles,
  faults: FaultList,
  warnings: FaultList,
): PackContent | undefined {
  const policyNode = single.get('policy.yaml')
  const factsNode = single.get('facts.yaml')
  const policy = policyNode === undefined ? undefined : readPolicy(policyNode, faults)
  const sources = readFile(single.get('sources.yaml'), (node) => readShape(SourcesFile, node, faults))
  const reasons = readFile(single.get('reasons.yaml'), (node) => readShape(ReasonsFile, node, faults))
  if (factsNode === undefined) return undefined
  const zone = policy?.zone ?? 'UTC'
  const read = readFacts(factsNode, zone, faults)
  const frames = readTableFrames(tableFiles, faults)
  const { context: declared, expressions } = readDeclared(read, policy, frames, faults)
  const context = sources === undefined ? declared : { ...declared, ...namesIn(sources) }
  const sourcesNode = single.get('sources.yaml')
  if (sources !== undefined && sourcesNode !== undefined) checkSources(sources, sourcesNode, context)
  const conditions = policyNode === undefined ? undefined : readPolicyConditions(policyNode, context)
  const ruleContext: RuleContext = {
    ...context,
    outcomes: policy === undefined ? null : outcomesOf(policy),
    reasonCodes: reasons === undefined ? null : new Set(Object.keys(reasons.reasons)),
  }
  const tables = readTables(frames, tableFiles, read.facts, context, warnings)
  const rules = readRules(ruleNodes, ruleContext)
  if (policyNode !== undefined) {
    checkRetired(
      policyNode,
      rules.flatMap((each) => each.rule ?? []),
      faults,
    )
  }
  checkCycles(read, rules, tables, expressions, faults)
  if (faults.faults.length > 0 || policy === undefined || conditions === undefined) return undefined
  if (sources === undefined || reasons === undefined) return undefined
  return PackContent.parse({
    format: 1,
    policy: { ...policy, ...conditions },
    facts: read.facts,
    sources,
    reasons,
    ...(Object.keys(tables).length === 0 ? {} : { tables }),
    rules: rules.flatMap((each) => each.rule ?? []).sort(compareRules),
  } satisfies PackContent)
}

function namesIn(sources: SourcesFile): Pick<RuleContext, 'methods' | 'sources'> {
  return { methods: new Set(Object.keys(sources.methods)), sources: new Set(Object.keys(sources.sources)) }
}

function readFile<Content>(
  node: YamlNode | undefined,
  read: (node: YamlNode) => Content,
): Content | undefined {
  return node === undefined ? undefined : read(node)
}

function outcomesOf(policy: PolicyFrame): NonNullable<RuleContext['outcomes']> {
  const events = new Set<string>()
  const adverse = new Set<string>()
  let approves = false
  for (const entry of policy.outcomes) {
    approves ||= entry.decision === 'approve'
    if (!('event' in entry)) continue
    events.add(entry.event)
    if (!approves) adverse.add(entry.event)
  }
  return { events, adverse }
}

function readRules(nodes: readonly YamlNode[], context: RuleContext): RuleRead[] {
  const reads: RuleRead[] = []
  const places = new Map<string, YamlNode>()
  for (const node of nodes) {
    const read = readRule(node, context)
    const id = identity(node)
    const first = id === undefined ? undefined : places.get(id)
    if (first !== undefined) {
      const place = field(node, 'rule_id')?.place ?? node.place
      context.faults.add(place, `\`${id}\` stands here a second time; the first is ${lineText(first.place)}`)
    } else if (id !== undefined) places.set(id, field(node, 'rule_id') ?? node)
    if (read === undefined) continue
    checkRule(read, context)
    reads.push(read)
  }
  return reads
}

function identity(node: YamlNode): string | undefined {
  const id = field(node, 'rule_id')
  const version = field(node, 'version')
  if (id?.kind !== 'scalar' || version?.kind !== 'scalar') return undefined
  return ruleVersionId({ rule_id: id.text, version: version.text })
}

function checkCycles(
  read: FactsRead,
  rules: readonly RuleRead[],
  tables: NonNullable<PackContent['tables']>,
  expressions: ReadonlyMap<string, Expression>,
  faults: FaultList,
): void {
  const content = {
    facts: read.facts,
    tables,
    rules: rules.flatMap((each) => each.rule ?? []),
  }
  const ordered = orderNodes(nodesOf(content, expressions))
  if (!('cycle' in ordered)) return
  const [first] = ordered.cycle
  const place =
    read.nodes.get(first ?? '')?.keyPlace ??
    rules.find((each) => each.rule !== undefined && ruleVersionId(each.rule) === first)?.node.place
  const why = `goes round in a circle: ${ordered.cycle.join(' -> ')}`
  if (place !== undefined) faults.add(place, why)
  else faults.faults.push({ at: '', why })
}
