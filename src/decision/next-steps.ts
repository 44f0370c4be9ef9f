import type { Belief } from '../agents/believe.ts'
import type { BilingualText } from '../domain/names.ts'
import type { RuleSet } from '../rules/rule-set.ts'
import type { Conclusion } from './conclusion.ts'

/** What to do next, concretely: the evidence to ask for, the contradictions to settle, the bars to clear. */
export function nextSteps(
  conclusion: Conclusion,
  belief: Belief,
  ruleSet: RuleSet,
): readonly BilingualText[] {
  const settled =
    conclusion.decision === 'stop' || conclusion.decision === 'decline' || conclusion.decision === 'approve'
  const evidence = settled
    ? []
    : conclusion.missing.filter((piece) => piece.obtainable).map((piece) => piece.supplied_by)
  const contests =
    conclusion.decision === 'manual_review'
      ? belief.contests.map((contest) => settleStep(contest.facts, ruleSet))
      : []
  const steps = [...evidence, ...contests]
  if (!settled && conclusion.bars.length > 0) steps.push(...conclusion.bars.map((bar) => bar.text))
  const seen = new Set<string>()
  return steps.filter((step) => !seen.has(step.en) && seen.add(step.en))
}

function settleStep(facts: readonly string[], ruleSet: RuleSet): BilingualText {
  const names = (language: 'en' | 'zh'): string =>
    facts.map((fact) => ruleSet.facts.facts[fact]?.[language] ?? fact).join(language === 'en' ? ', ' : '、')
  return {
    en: `Ask a third source about: ${names('en')}`,
    zh: `请向第三方来源核实：${names('zh')}`,
  }
}
