import assert from 'node:assert/strict'
import { Failure } from '../../src/errors.ts'
import { loadPack } from '../../src/rules/load-pack.ts'
import type { RuleSet } from '../../src/rules/rule-set.ts'
import { factsWith, packFiles } from './pack-builders.ts'

/** Facts that tables of tests test. */
export const tableFacts = `age: {type: integer, min: 0, max: 120, en: Age, zh: 年龄}
status: {type: enum, values: {single: [], married: [], widowed: []}, en: Status, zh: 婚姻状况}
rate: {type: ratio, en: Rate, zh: 利率}
since: {type: date, may_be_none: true, en: Since, zh: 自}
term: {type: duration, en: Term, zh: 期限}`

/** The small pack of tests with tables: by file name, the text; derived facts as lines of facts.yaml. */
export function tablePackFiles(
  tables: Readonly<Record<string, string>>,
  derived: string,
  more: Readonly<Record<string, string | undefined>> = {},
) {
  return packFiles({
    'facts.yaml': factsWith({ facts: tableFacts, derived }),
    ...Object.fromEntries(Object.entries(tables).map(([name, text]) => [`tables/${name}`, text])),
    ...more,
  })
}

export function tablePack(
  tables: Readonly<Record<string, string>>,
  derived: string,
  more: Readonly<Record<string, string | undefined>> = {},
): RuleSet {
  return loadPack(tablePackFiles(tables, derived, more))
}

/** The faults of a pack that must not load, each as `path:line:column sentence`. */
export function tableFaults(
  tables: Readonly<Record<string, string>>,
  derived: string,
  more: Readonly<Record<string, string | undefined>> = {},
): string[] {
  try {
    tablePack(tables, derived, more)
  } catch (cause) {
    assert.ok(cause instanceof Failure, String(cause))
    return cause.faults.map(({ at, why }) => `${at} ${why.split('\n')[0]}`)
  }
  return []
}
