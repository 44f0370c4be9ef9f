import type { Belief } from '../agents/believe.ts'
import type { BilingualText } from '../domain/names.ts'
import type { ApiRequest } from '../domain/rule.ts'
import type { RuleSet } from '../rules/rule-set.ts'
import type { Conclusion } from './conclusion.ts'
import { suppliedBy } from './supplied-by.ts'

/** What to do next, concretely: the evidence to ask for, the contradictions to settle, the bars to clear. */
export function nextSteps(
  { decision, missing, wanted, requests, bars }: Conclusion,
  belief: Belief,
  ruleSet: RuleSet,
): readonly BilingualText[] {
  if (decision === 'stop' || decision === 'decline' || decision === 'approve') return []
  const contests = decision === 'manual_review' ? belief.contests : []
  const steps = [
    ...missing.filter((piece) => piece.obtainable).map((piece) => askFor(piece.supplied_by)),
    ...wanted.map((fact) => askFor(suppliedBy(fact, ruleSet))),
    ...requests.map((request) => requestStep(request, ruleSet)),
    ...contests.map((contest) => settleStep(contest.facts, ruleSet)),
    ...bars.map((bar) => bar.text),
  ]
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

/** What to ask of whom; facts by their names, never with their values. */
function requestStep({ api, params }: ApiRequest, ruleSet: RuleSet): BilingualText {
  const source = ruleSet.sources.sources[api]
  const write = (language: 'en' | 'zh'): string => {
    const list = Object.entries(params ?? {}).map(([name, value]) =>
      typeof value === 'object'
        ? (ruleSet.declared.get(value.fact)?.declaration[language] ?? value.fact)
        : `${name} ${value}`,
    )
    return list.join(language === 'en' ? ', ' : '、')
  }
  const [en, zh] = [write('en'), write('zh')]
  return {
    en: `Request from ${source?.en ?? api}${en === '' ? '' : `, with: ${en}`}`,
    zh: `请向${source?.zh ?? api}查询${zh === '' ? '' : `，提供：${zh}`}`,
  }
}

function askFor(evidence: BilingualText): BilingualText {
  return { en: `Ask for: ${evidence.en}`, zh: `请补充：${evidence.zh}` }
}
