import pc from 'picocolors'
import type { Paint } from '../decision/draw-chain.ts'
import type { Surroundings } from './command.ts'

/** Colours for a terminal that shows them, otherwise none. */
export function paintFor({ colour }: Surroundings): Paint {
  const { bold, dim } = pc.createColors(colour)
  return { strong: bold, faint: dim }
}
