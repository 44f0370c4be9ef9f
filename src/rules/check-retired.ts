import { type Rule, ruleVersionId } from '../domain/rule.ts'
import type { FaultList } from './source-file.ts'
import { quote } from './typed-value.ts'
import { field, type YamlNode } from './yaml-node.ts'

const retiredText = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}(?:@\d+\.\d+\.\d+)?$/

/**
 * Checks `retired` of policy.yaml: each line is a rule, or one version of it, that may be gone. One that is still
 * there is a fault, for nobody could tell whether it is meant to decide.
 */
export function checkRetired(
  policy: YamlNode,
  rules: readonly Pick<Rule, 'rule_id' | 'version'>[],
  faults: FaultList,
): void {
  const list = field(policy, 'retired')
  if (list?.kind !== 'list') return
  const there = new Map<string, string>()
  for (const rule of rules) {
    there.set(rule.rule_id, ruleVersionId(rule))
    there.set(ruleVersionId(rule), ruleVersionId(rule))
  }
  for (const item of list.items) {
    if (item.kind !== 'scalar') continue
    const still = there.get(item.text)
    if (!retiredText.test(item.text)) {
      faults.add(
        item.place,
        `expected a rule such as \`US-08a\`, or a version such as \`US-08a@1.0.0\`; got ${quote(item.text)}`,
      )
    } else if (still !== undefined) {
      faults.add(
        item.place,
        `${quote(item.text)} is retired, and \`${still}\` is still here; take it out of its file, or take this line out`,
      )
    }
  }
}
