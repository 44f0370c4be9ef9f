import { ruleWith } from './pack-builders.ts'

const bomb = Array.from({ length: 12 }, (_, level) =>
  level === 0
    ? 'a0: &a0 [x, x, x, x, x, x, x, x, x]'
    : `a${level}: &a${level} [${Array(9)
        .fill(`*a${level - 1}`)
        .join(', ')}]`,
).join('\n')

/** Each in the place of a rule file, beside a good one that stays. */
export const refused: Readonly<Record<string, string>> = {
  'an alias bomb': `${bomb}\n`,
  'an alias bomb inside a rule': ruleWith({ more: `${bomb}\n` }),
  '5,000 nested brackets': `${'['.repeat(5000)}${']'.repeat(5000)}`,
  '5,000 nested brackets never closed': '['.repeat(5000),
  '3,000 nested all': ruleWith({ when: `${'{all: ['.repeat(3000)}x${']}'.repeat(3000)}` }),
  '3,000 nested all, one a line': `when:\n${Array.from({ length: 3000 }, (_, level) => `${' '.repeat(level % 200)}- all:`).join('\n')}`,
  'a text of 1 MB': ruleWith({ more: `author: ${'x'.repeat(1_000_000)}` }),
  'a text of more than 1 MB': ruleWith({ more: `author: ${'x'.repeat(1_100_000)}` }),
  'a key of 1 MB': `${'k'.repeat(1_000_000)}: 1`,
  'a key twice': ruleWith({ more: 'version: 1.0.1' }),
  'an id twice': `${ruleWith({})}\n---\n${ruleWith({})}`,
  'an alias of itself': 'rule_id: &a [*a]',
  '__proto__ as a key': ruleWith({ more: '__proto__: {x: 1}' }),
  '__proto__ as a fact': ruleWith({ when: '{fact: __proto__, operator: equal, value: 1}' }),
  'a path with a filter': ruleWith({ when: '{fact: "extra[?(@.a==1)]", operator: equal, value: 1}' }),
  'a tag': ruleWith({ more: 'author: !!js/function "x"' }),
  'a tab before a key': `rule_id: X\n\tversion: 1.0.0`,
  'a control character': 'rule_id: "a\u0000b"',
  'a hundred thousand lines of nothing much': '- x\n'.repeat(100_000),
  'a hundred thousand mistakes': '- {rule_id: 1}\n'.repeat(60_000),
  'a million colons': ':'.repeat(1_000_000),
  'half a million quotes': '"'.repeat(500_000),
  'a million dashes': '- '.repeat(500_000),
}

/** Legal, if odd: each must be in force, as it is in the good file. */
export const accepted: Readonly<Record<string, string>> = {
  'a byte order mark': `\uFEFF${ruleWith({})}`,
  'CR LF': ruleWith({}).replaceAll('\n', '\r\n'),
  'CR alone': ruleWith({}).replaceAll('\n', '\r'),
  'tabs after values': ruleWith({}).replaceAll('\n', '\t\n'),
}
