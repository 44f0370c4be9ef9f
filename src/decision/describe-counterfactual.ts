import { compareText } from '../domain/compare-text.ts'
import { type Decimal, writeDecimal } from '../domain/decimal.ts'
import type { FactValue } from '../domain/fact.ts'
import type { Counterfactual, NoCounterfactual } from '../domain/hypothetical.ts'
import type { BilingualText } from '../domain/names.ts'
import type { DecisionKind, FactDeclaration } from '../domain/policy.ts'
import type { RuleSet } from '../rules/rule-set.ts'
import type { FoundChange } from './search-changes.ts'

type Language = 'en' | 'zh'

/** A change found, with the sentence that says it. Numbers are written in full: a rounded one may lie beyond the boundary. */
export function describeCounterfactual(found: FoundChange, ruleSet: RuleSet): Counterfactual {
  const { fact, changed, decision } = found
  const declarationOf = (name: string) => ruleSet.facts.facts[name]
  const followers = fact.follows.map((follower, index) => ({
    fact: follower.fact,
    from: follower.version.value ?? '',
    to: changed.followers[index]?.value ?? '',
  }))
  const others = Object.fromEntries(
    followers
      .toSorted((one, other) => compareText(one.fact, other.fact))
      .map(({ fact: name, from, to }) => [name, { from, to, unit: declarationOf(name)?.unit ?? null }]),
  )
  const { to } = changed
  return {
    hypothetical: true,
    fact: fact.fact,
    from: writeDecimal(fact.from),
    to: writeDecimal(to),
    unit: declarationOf(fact.fact)?.unit ?? null,
    step: writeDecimal(fact.step),
    steps: Math.abs(found.steps),
    with: others,
    decision,
    text: {
      en: english(fact.fact, fact.from, to, others, decision, declarationOf),
      zh: chinese(fact.fact, fact.from, to, others, decision, declarationOf),
    },
  }
}

type Others = Counterfactual['with']
type DeclarationOf = (name: string) => FactDeclaration | undefined

function english(
  fact: string,
  from: Decimal,
  to: Decimal,
  others: Others,
  decision: DecisionKind,
  declarationOf: DeclarationOf,
): string {
  const declaration = declarationOf(fact)
  const was = shown(writeDecimal(from), declaration, 'en')
  const would = shown(writeDecimal(to), declaration, 'en')
  const along = Object.entries(others).map(
    ([name, other]) => `“${declarationOf(name)?.en ?? name}” ${shown(other.to, declarationOf(name), 'en')}`,
  )
  const besides = along.length === 0 ? '' : `, and with it ${along.join(', ')}`
  const what = `“${declaration?.en ?? fact}” were ${would} instead of ${was}${besides}`
  return `Hypothetical: if ${what}, and all else stayed the same, the decision would be: ${decisions[decision].en}.`
}

function chinese(
  fact: string,
  from: Decimal,
  to: Decimal,
  others: Others,
  decision: DecisionKind,
  declarationOf: DeclarationOf,
): string {
  const declaration = declarationOf(fact)
  const was = shown(writeDecimal(from), declaration, 'zh')
  const would = shown(writeDecimal(to), declaration, 'zh')
  const along = Object.entries(others).map(
    ([name, other]) =>
      `“${declarationOf(name)?.zh ?? name}”随之为 ${shown(other.to, declarationOf(name), 'zh')}`,
  )
  const besides = along.map((part) => `，${part}`).join('')
  return `假设：若“${declaration?.zh ?? fact}”为 ${would}（现为 ${was}）${besides}，其他条件不变，结果将为：${decisions[decision].zh}。`
}

function shown(value: FactValue, declaration: FactDeclaration | undefined, language: Language): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const unit = declaration?.unit
  if (unit === undefined) return text
  return language === 'zh' && unit === 'CNY' ? `${text} 元` : `${text} ${unit}`
}

const decisions: Readonly<Record<DecisionKind, BilingualText>> = {
  approve: { en: 'approved', zh: '批准' },
  counteroffer: { en: 'an offer on other terms', zh: '按其他条件提供' },
  manual_review: { en: 'review by a person', zh: '人工审核' },
  insufficient_evidence: { en: 'more evidence needed', zh: '需要补充材料' },
  hold: { en: 'on hold', zh: '暂缓处理' },
  decline: { en: 'declined', zh: '拒绝' },
  stop: { en: 'stopped', zh: '终止处理' },
}

/** Why none is named. One sentence for all that is not offered, so that it tells nothing of which it was. */
export function whyNone(code: NoCounterfactual['code']): NoCounterfactual {
  return { code, text: reasons[code] }
}

const reasons: Readonly<Record<NoCounterfactual['code'], BilingualText>> = {
  approved: { en: 'The decision is an approval already', zh: '该决定已是批准' },
  not_offered: { en: 'No counterfactual is offered for this decision', zh: '本决定不提供反事实说明' },
  nothing_changeable: {
    en: 'No fact of this application that could be changed is known',
    zh: '该申请中没有已知且可更改的事实',
  },
  none_found: {
    en: 'No change of a single fact within its limits was found that gives a better decision',
    zh: '在允许范围内，未找到仅更改一项事实即可得到更好结果的办法',
  },
  search_ended: {
    en: 'The search ended before a change of a single fact was found that gives a better decision',
    zh: '在找到仅更改一项事实即可得到更好结果的办法之前，搜索已结束',
  },
}
