import { Failure } from '../errors.ts'
import { compileRules } from './compile-rules.ts'
import { prepareRules } from './evaluate.ts'
import { type PackFile, parsePack } from './parse-pack.ts'
import type { YamlReader } from './remember-yaml.ts'
import type { RuleSet } from './rule-set.ts'
import { runEmbeddedTests } from './run-embedded-tests.ts'

/**
 * Reads, checks and compiles a pack and runs its embedded tests. Throws `RULE_FILE_INVALID` with all faults. A
 * `readFile` that remembers saves reading what has not changed.
 */
export function loadPack(files: readonly PackFile[], readFile?: YamlReader): RuleSet {
  const ruleSet = compileRules(parsePack(files, readFile).content)
  const failures = runEmbeddedTests(ruleSet)
  if (failures.length === 0) return prepareRules(ruleSet)
  throw new Failure(
    'RULE_FILE_INVALID',
    failures.map(({ rule, test, expected, got }) => ({
      at: rule,
      why: `test \`${test}\`: expected ${expected}; got ${got}`,
    })),
  )
}
