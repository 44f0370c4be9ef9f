import type { Chain } from '../domain/chain.ts'

/** How parts of the drawing are coloured; the default leaves them plain. */
export interface Paint {
  readonly strong: (text: string) => string
  readonly faint: (text: string) => string
}

/** Without colours. */
export const plainPaint: Paint = { strong: (text) => text, faint: (text) => text }

/** Draws a chain as a small tree, one line a link, with strength, source and edge beside it. */
export function drawChain(chain: Chain, paint: Paint = plainPaint): string {
  const sign = chain.score >= chain.threshold ? '≥' : '<'
  const by = chain.rule === undefined ? 'no rule' : chain.rule
  const head = `${paint.strong(`${chain.score} ${sign} ${chain.threshold}`)}  ${chain.outcome}  ${paint.faint(by)}`
  return [
    head,
    startLine(chain, paint),
    ...chain.links.map((link, index) => linkLine(link, index, paint)),
  ].join('\n')
}

function startLine(chain: Chain, paint: Paint): string {
  const { start } = chain
  const name = 'finding' in start ? start.finding : `${start.episode} ${start.occurred_at.slice(0, 10)}`
  const weight = start.temporal_weight === 1 ? '' : `  weight ${start.temporal_weight}`
  return `${name}${paint.faint(weight)}`
}

function linkLine(link: Chain['links'][number], index: number, paint: Paint): string {
  const notes = [link.source, link.edge]
  if (link.factors.validity === 'deprecated') notes.push('deprecated')
  const { recurrence, prevented_by: prevented } = link.factors
  if (recurrence !== undefined) notes.push(`${recurrence.count} times in ${recurrence.within_days} days`)
  if (prevented !== undefined) notes.push(`prevented ${prevented.strength} by ${prevented.start}`)
  return `${'   '.repeat(index)}└─ ${link.strength} → ${link.to}  ${paint.faint(notes.join('  '))}`
}
