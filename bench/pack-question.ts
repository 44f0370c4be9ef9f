import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { believe } from '../src/agents/believe.ts'
import { perceive } from '../src/agents/perceive.ts'
import { readRequest } from '../src/decision/read-request.ts'
import { parseBody } from '../src/http/read-body.ts'
import type { Question } from '../src/rules/evaluation.ts'
import type { RuleSet } from '../src/rules/rule-set.ts'

const folder = path.join(import.meta.dirname, '..', 'examples', 'requests')

/** What the rules of a pack are asked for the first example of its policy; `undefined` without one. */
export async function packQuestion(ruleSet: RuleSet): Promise<Question | undefined> {
  for (const name of (await readdir(folder)).sort()) {
    if (!name.endsWith('.json')) continue
    const request = readRequest(parseBody(await readFile(path.join(folder, name))))
    if (request.policy !== ruleSet.policy.policy) continue
    const receivedAtMs = Date.parse(request.received_at)
    const { newFacts } = perceive(request, {
      content: ruleSet.content,
      isEventType: () => true,
      eventTypeNames: [],
      facts: [],
      episodes: [],
      asOfMs: receivedAtMs,
    })
    return {
      facts: believe(newFacts, ruleSet, receivedAtMs).states,
      consents: request.consents ?? [],
      asOfMs: receivedAtMs,
      receivedAtMs,
      history: [],
      isSubtype: () => false,
    }
  }
  return undefined
}
