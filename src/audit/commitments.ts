import type { SaltedEpisode, SaltedFact } from '../ports/store.ts'
import { commitment, commitmentOfText } from './canonical.ts'

/** Commitment to one whole fact version, every column of it. */
export function factCommitment({ fact, salt }: SaltedFact): string {
  return commitment(salt, fact)
}

/** Commitment to one whole stored episode. */
export function episodeCommitment({ episode, salt }: SaltedEpisode): string {
  return commitment(salt, episode)
}

/** Commitment to whom a decision was about. */
export function subjectCommitment(subjectId: string, salt: string): string {
  return commitment(salt, subjectId)
}

/** Commitment to the bytes of an answer, which are canonical JSON. */
export function answerCommitment(answer: { readonly text: string; readonly salt: string }): string {
  return commitmentOfText(answer.salt, answer.text)
}
