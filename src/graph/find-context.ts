import type { Link } from '../domain/chain.ts'
import { compareText } from '../domain/compare-text.ts'
import { buildLink } from './build-chain.ts'
import type { CausalView } from './causal-view.ts'
import type { FoundChain } from './search.ts'

/** ACCOMPANIES edges in force from or to a node of the chains, by edge id. They carry no causality. */
export function findContext(view: CausalView, chains: readonly FoundChain[]): readonly Link[] {
  const nodes = new Set(
    chains.flatMap(({ start, steps }) => [start.type, ...steps.map(({ reading }) => reading.edge.to)]),
  )
  const links = new Map<string, Link>()
  for (const node of nodes) {
    const beside = [...view.edgesFrom('ACCOMPANIES', node), ...view.edgesTo('ACCOMPANIES', node)]
    for (const reading of beside) {
      if (reading.state === 'walkable' && reading.validity === 'in force') {
        links.set(reading.edge.id, buildLink(reading))
      }
    }
  }
  return [...links].sort(([a], [b]) => compareText(a, b)).map(([, link]) => link)
}
