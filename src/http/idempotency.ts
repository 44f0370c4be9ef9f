import type { Context } from 'hono'
import { canonicalJson, sha256 } from '../audit/canonical.ts'
import { AnsweredBefore } from '../decision/answered-before.ts'
import type { DecisionService } from '../decision/decision-service.ts'
import type { Answered } from '../decision/find-answered.ts'
import { type IdempotencyClaim, IdempotencyKey } from '../domain/idempotency.ts'
import type { RawValue } from '../domain/request.ts'
import { Failure } from '../errors.ts'
import { callerOf } from './caller-of.ts'
import { parseBody, readBytes } from './read-body.ts'
import type { AppEnv } from './route.ts'
import { sendCanonicalText } from './send-canonical.ts'

/**
 * Answers a POST: reads its body and lets `act` say what follows, for whom. With an `Idempotency-Key`, the same caller sending the same bytes to the same address
 * again gets the same bytes back (`Idempotency-Replayed: true`), and `act` takes effect once; without, it just acts.
 * Only what was recorded uses a key up. Failures: REQUEST_INVALID, IDEMPOTENCY_CONFLICT, and those of `act`.
 */
export async function answerOnce(
  context: Context<AppEnv>,
  service: Pick<DecisionService, 'answered'>,
  act: (value: RawValue, actor: string, claim: IdempotencyClaim | undefined) => Promise<object>,
): Promise<Response> {
  const body = await readBytes(context.req.raw)
  const claim = readClaim(context, body)
  const answer = async () => answeredWith(await act(parseBody(body), callerOf(context).id, claim))
  if (claim === undefined) return send(await answer())
  const before = await service.answered(claim)
  if (before !== undefined) return send(before, true)
  try {
    return send(await answer())
  } catch (error) {
    if (!(error instanceof AnsweredBefore)) throw error
    const meanwhile = await service.answered(claim)
    if (meanwhile === undefined) throw error
    return send(meanwhile, true)
  }
}

function readClaim(context: Context<AppEnv>, body: Uint8Array): IdempotencyClaim | undefined {
  const key = context.req.header('idempotency-key')
  if (key === undefined) return undefined
  const parsed = IdempotencyKey.safeParse(key)
  if (!parsed.success) {
    const why = `header \`Idempotency-Key\`: ${parsed.error.issues[0]?.message ?? ''}; got ${key.length} characters`
    throw new Failure('REQUEST_INVALID', { at: '', why })
  }
  // The address as it was called, not its pattern: what it names is part of the request.
  const scope = `${callerOf(context).id} ${context.req.method} ${context.req.path}`
  return { scope, key, bodyHash: sha256(body) }
}

function answeredWith(answer: object): Answered {
  const isDecision = 'record' in answer && 'decision_id' in answer
  return { text: canonicalJson(answer), decisionId: isDecision ? String(answer.decision_id) : null }
}

function send({ text, decisionId }: Answered, isReplayed = false): Response {
  return sendCanonicalText(text, {
    ...(decisionId === null ? {} : { location: `/v1/decisions/${decisionId}` }),
    ...(isReplayed ? { 'idempotency-replayed': 'true' } : {}),
  })
}
