/**
 * Thrown instead of an answer when another sending of the same request was answered in the meantime. Nothing was
 * written; `DecisionService.answered` gives that answer.
 */
export class AnsweredBefore extends Error {
  constructor() {
    super('another sending of this request was answered meanwhile')
    this.name = 'AnsweredBefore'
  }
}
