import type { Bar } from '../domain/decision.ts'
import type { ChainsFound } from './find-chains.ts'
import type { OpenRule } from './gather-missing.ts'

/** Overall confidence that is enough, and the one under which evidence is asked for instead of a person. */
const confidenceEnough = 0.6
const confidenceFarTooLow = 0.3

/** Everything that forbids an approval or counteroffer although nothing adverse was reached. */
export function gatherBars(open: readonly OpenRule[], found: ChainsFound): readonly Bar[] {
  return [
    ...open.map(openRuleBar),
    ...found.unwalkable.map((finding): Bar => {
      const en = `Rule ${finding.rule} fired, but no chain leads from ${finding.type} to ${finding.toward}`
      const zh = `规则 ${finding.rule} 已触发，但从 ${finding.type} 到 ${finding.toward} 没有可走的因果链`
      return { kind: 'no_walkable_chain', what: finding.rule, text: { en, zh } }
    }),
    ...found.excluded.map((excluded): Bar => {
      const edges = excluded.edges.map((link) => link.edge).join(', ')
      const en = `Evidence too weak for ${edges} would otherwise reach ${excluded.outcome}`
      const zh = `若证据足以通过 ${edges}，本会达到 ${excluded.outcome}`
      return { kind: 'gated_edge', what: edges, text: { en, zh } }
    }),
    ...found.brokenEdges.map((edge): Bar => {
      const text = { en: `Edge ${edge} is broken and was not walked`, zh: `因果边 ${edge} 已损坏，未使用` }
      return { kind: 'broken_edge', what: edge, text }
    }),
    ...(found.cutAt === null ? [] : [searchCut(found.cutAt)]),
  ]
}

/** The application is of a kind that the policy does not cover, or can't be told to be. */
export const notCovered: Bar = {
  kind: 'not_covered',
  what: 'covers',
  text: { en: 'No policy covers this product', zh: '没有适用于该产品的政策' },
}

/** The decision took longer than its total deadline. */
export const deadlinePassed: Bar = {
  kind: 'deadline_passed',
  what: 'deadline',
  text: { en: 'The deadline passed before the decision was made', zh: '作出决定前已超过时限' },
}

/** Too little confidence in the required facts to approve. */
export function confidenceBar(overall: number): readonly Bar[] {
  if (overall >= confidenceEnough) return []
  const kind = overall < confidenceFarTooLow ? 'confidence_far_too_low' : 'confidence_low'
  const text = {
    en: `Overall confidence ${overall} is under ${confidenceEnough}`,
    zh: `总体置信度 ${overall} 低于 ${confidenceEnough}`,
  }
  return [{ kind, what: String(overall), text }]
}

function openRuleBar(open: OpenRule): Bar {
  if (open.outcome === 'error') {
    const text = {
      en: `Rule ${open.rule} failed: ${open.why ?? ''}`,
      zh: `规则 ${open.rule} 出错：${open.why ?? ''}`,
    }
    return { kind: 'rule_error', what: open.rule, text }
  }
  const facts = open.unknownFacts.join(', ')
  const text = {
    en: `Rule ${open.rule} could not be evaluated: ${facts}`,
    zh: `规则 ${open.rule} 无法评估：${facts}`,
  }
  return { kind: 'rule_unknown', what: open.rule, text }
}

function searchCut(edges: number): Bar {
  const text = {
    en: `The search for chains met the deadline after ${edges} edges`,
    zh: `因果链搜索在检查 ${edges} 条边后超时`,
  }
  return { kind: 'search_cut', what: String(edges), text }
}
