import { canonicalJson, sha256 } from '../audit/canonical.ts'
import { PackContent, ReasonsFile, SourcesFile } from '../domain/policy.ts'
import { type Rule, ruleVersionId } from '../domain/rule.ts'
import { Failure } from '../errors.ts'
import { checkDerived, readExpression, refuseProtected } from './check-derived.ts'
import { checkRule } from './check-rule.ts'
import { checkSources } from './check-sources.ts'
import { compareText } from './compare-text.ts'
import { compareRules } from './compile-rules.ts'
import { declaredFacts } from './declared-facts.ts'
import { type Expression, factsRead } from './expression.ts'
import { checkExpression } from './expression-type.ts'
import { nodesOf, orderNodes } from './order-steps.ts'
import type { PackContext, RuleContext } from './pack-context.ts'
import { type FactsRead, readFacts } from './read-facts.ts'
import { type PolicyFrame, readPolicy, readPolicyConditions } from './read-policy.ts'
import { type RuleRead, readRule } from './read-rule.ts'
import { readShape } from './read-shape.ts'
import { FaultList, sourceFile } from './source-file.ts'
import { field, lineText, readYaml, type YamlNode } from './yaml-node.ts'

/** A file of a pack folder, as text. */
export interface PackFile {
  readonly path: string
  readonly text: string
}

/**
 * Reads and checks one pack: `policy.yaml`, `facts.yaml`, `sources.yaml`, `reasons.yaml`, and rules in every other
 * YAML file. Values come out typed and normalised; the order of files, facts and rules changes nothing. Throws
 * `RULE_FILE_INVALID` with everything found wrong, each at `path:line:column` with the line and a caret.
 */
export function parsePack(files: readonly PackFile[]): { content: PackContent; hash: string } {
  const faults = new FaultList()
  const content = readPack(splitFiles(files, faults), faults)
  if (content === undefined || faults.faults.length > 0) throw new Failure('RULE_FILE_INVALID', faults.faults)
  return { content, hash: sha256(canonicalJson(content)) }
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

const named = ['policy.yaml', 'facts.yaml', 'sources.yaml', 'reasons.yaml'] as const
type Named = (typeof named)[number]

interface SplitFiles {
  readonly single: ReadonlyMap<Named, YamlNode>
  readonly rules: readonly YamlNode[]
}

function splitFiles(files: readonly PackFile[], faults: FaultList): SplitFiles {
  const single = new Map<Named, YamlNode>()
  const seen = new Map<string, string>()
  const rules: YamlNode[] = []
  for (const { path, text } of [...files].sort((one, two) => compareText(one.path, two.path))) {
    if (!/\.ya?ml$/i.test(path)) continue
    const base = path.slice(path.lastIndexOf('/') + 1)
    const file = sourceFile(path, text)
    const start = { file, offset: 0 }
    const before = faults.faults.length
    const documents = readYaml(file, faults)
    if (!isNamed(base)) {
      if (documents.length === 0 && faults.faults.length === before)
        faults.add(start, 'the file holds no rule')
      for (const node of documents) rules.push(...(node.kind === 'list' ? node.items : [node]))
      continue
    }
    const first = seen.get(base)
    seen.set(base, path)
    const [node, second] = documents
    if (first !== undefined) faults.add(start, `a second \`${base}\`; the first is ${first}`)
    else if (second !== undefined)
      faults.add(second.place, `\`${base}\` holds one document; take the others out`)
    else if (node !== undefined) single.set(base, node)
    else if (faults.faults.length === before) faults.add(start, 'the file is empty')
  }
  for (const base of named) {
    if (!seen.has(base)) faults.faults.push({ at: base, why: 'the file is missing from the pack' })
  }
  if (rules.length === 0 && faults.faults.length === 0) {
    faults.faults.push({ at: '', why: 'the pack holds no rule' })
  }
  return { single, rules }
}

function isNamed(base: string): base is Named {
  return (named as readonly string[]).includes(base)
}

function readPack({ single, rules: ruleNodes }: SplitFiles, faults: FaultList): PackContent | undefined {
  const policyNode = single.get('policy.yaml')
  const factsNode = single.get('facts.yaml')
  const policy = policyNode === undefined ? undefined : readPolicy(policyNode, faults)
  const sources = readFile(single.get('sources.yaml'), (node) => readShape(SourcesFile, node, faults))
  const reasons = readFile(single.get('reasons.yaml'), (node) => readShape(ReasonsFile, node, faults))
  if (factsNode === undefined) return undefined
  const zone = policy?.zone ?? 'UTC'
  const read = readFacts(factsNode, zone, faults)
  const { context, expressions } = readDeclared(read, policy, faults)
  const sourcesNode = single.get('sources.yaml')
  if (sources !== undefined && sourcesNode !== undefined) checkSources(sources, sourcesNode, context)
  const conditions = policyNode === undefined ? undefined : readPolicyConditions(policyNode, context)
  const ruleContext: RuleContext = {
    ...context,
    outcomes: policy === undefined ? null : outcomesOf(policy),
    reasonCodes: reasons === undefined ? null : new Set(Object.keys(reasons.reasons)),
  }
  const rules = readRules(ruleNodes, ruleContext)
  checkCycles(read, rules, expressions, faults)
  if (faults.faults.length > 0 || policy === undefined || conditions === undefined) return undefined
  if (sources === undefined || reasons === undefined) return undefined
  return PackContent.parse({
    format: 1,
    policy: { ...policy, ...conditions },
    facts: read.facts,
    sources,
    reasons,
    rules: rules.flatMap((each) => each.rule ?? []).sort(compareRules),
  } satisfies PackContent)
}

function readFile<Content>(
  node: YamlNode | undefined,
  read: (node: YamlNode) => Content,
): Content | undefined {
  return node === undefined ? undefined : read(node)
}

function readDeclared(
  read: FactsRead,
  policy: PolicyFrame | undefined,
  faults: FaultList,
): { context: PackContext; expressions: Map<string, Expression> } {
  const proxies = new Map<string, string>()
  const context: PackContext = {
    faults,
    zone: policy?.zone ?? 'UTC',
    currency: policy?.currency ?? 'USD',
    declared: declaredFacts(read.facts),
    broken: read.broken,
    proxies,
  }
  const expressions = checkDerived(read.facts.derived ?? {}, read.nodes, context)
  for (const [name, proxy] of proxiesAmong(context, expressions)) proxies.set(name, proxy)
  checkChangesWith(read, context)
  return { context, expressions }
}

/** Derived facts that read a proxy, directly or through others. */
function proxiesAmong(
  context: PackContext,
  expressions: ReadonlyMap<string, Expression>,
): Map<string, string> {
  const found = new Map<string, string>()
  for (const fact of context.declared.values())
    if (fact.declaration.proxy === true) found.set(fact.name, fact.name)
  for (let before = -1; before !== found.size; ) {
    before = found.size
    for (const [name, expression] of expressions) {
      const proxy = factsRead(expression)
        .map((each) => found.get(each))
        .find((each) => each !== undefined)
      if (proxy !== undefined && !found.has(name)) found.set(name, proxy)
    }
  }
  return found
}

function checkChangesWith(read: FactsRead, context: PackContext): void {
  for (const [name, declaration] of Object.entries(read.facts.facts)) {
    const changes = declaration.changeable?.changes_with ?? {}
    const node = field(field(read.nodes.get(name)?.value, 'changeable'), 'changes_with')
    for (const [other, text] of Object.entries(changes)) {
      const textNode = field(node, other)
      const target = context.declared.get(other)
      if (textNode === undefined) continue
      if (target === undefined) {
        context.faults.add(textNode.place, `there is no fact \`${other}\` that could change with \`${name}\``)
        continue
      }
      const expression = readExpression(text, textNode, context.faults)
      if (expression === undefined) continue
      const report = (_at: number, why: string) => context.faults.add(textNode.place, why)
      checkExpression(expression, target.declaration, { ...context, report })
      refuseProtected('this expression', factsRead(expression), textNode.place, context)
    }
  }
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
  expressions: ReadonlyMap<string, Expression>,
  faults: FaultList,
): void {
  const content: { facts: FactsRead['facts']; rules: Rule[] } = {
    facts: read.facts,
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
