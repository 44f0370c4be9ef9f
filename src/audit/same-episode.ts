import type { Episode } from '../domain/episode.ts'
import { canonicalJson } from './canonical.ts'

/** Whether two episodes of one identity say the same, whenever each was recorded. */
export function sameEpisode(one: Episode, other: Episode): boolean {
  return said(one) === said(other)
}

function said(episode: Episode): string {
  return canonicalJson({ ...episode, recorded_at: '' })
}
