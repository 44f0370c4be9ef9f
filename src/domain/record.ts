import { z } from 'zod'
import { CreatedKey, KeyId } from './access-key.ts'
import { GraphPosition } from './knowledge.ts'
import { CallerId, FactName, PolicyName, RuleVersionId, Sha256 } from './names.ts'
import { DecisionKind } from './policy.ts'
import { InstantText } from './time.ts'

/** `sha256:` over a 32-byte random salt and the canonical value: binds to it without showing it. */
export const Commitment = Sha256

/** What a decision's record says: everything a replay needs by name, personal values only as commitments. */
export const DecisionPayload = z.strictObject({
  decision_id: z.string(),
  application_id: CallerId,
  subject: Commitment.nullable(),
  decision: DecisionKind,
  policy: PolicyName,
  rule_set: Sha256,
  graph_position: GraphPosition,
  received_at: InstantText,
  as_of: InstantText,
  known_at: InstantText,
  consents: z.array(z.string()),
  facts: z.array(z.strictObject({ fact: FactName, version: z.int(), commitment: Commitment })),
  episodes: z.array(Commitment),
  edges_examined_max: z.int().nullable(),
  late: z.boolean().optional(),
  fired: z.array(RuleVersionId),
  answer: Commitment,
  /** Version of the software that decided. */
  engine: z.string(),
})
export type DecisionPayload = z.infer<typeof DecisionPayload>

/** Calls that were refused, counted: at most one record a minute for the same key, address and reason. */
export const AccessDenied = z.strictObject({
  /** The key whose secret was shown; null where none was, or one that is not known. */
  key_id: KeyId.nullable(),
  method: z.string(),
  /** Pattern of the address, such as `/v1/decisions/:id`; `unknown` where there is none. */
  route: z.string(),
  why: z.enum(['missing', 'unknown', 'expired', 'revoked', 'role', 'rate']),
  count: z.int().min(1),
  first_at: InstantText,
  last_at: InstantText,
})
export type AccessDenied = z.infer<typeof AccessDenied>

/** A rule set that goes into force for a policy, and what it changes against the one before. */
export const RuleSetActivated = z.strictObject({
  policy: PolicyName,
  rule_set: Sha256,
  before: Sha256.nullable(),
  added: z.array(RuleVersionId),
  changed: z.array(RuleVersionId),
  removed: z.array(RuleVersionId),
})
export type RuleSetActivated = z.infer<typeof RuleSetActivated>

/** Content of one ledger record before it is linked. Later kinds (reads, approvals) join this union. */
export const RecordBody = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('decision'), payload: DecisionPayload }),
  z.strictObject({
    kind: z.literal('graph_migrated'),
    payload: z.strictObject({
      migration: z.string(),
      checksum: z.string(),
      last_sequence: z.int(),
      /** SHA-256 over the canonical JSON of the applied migration and its lines in the change log. */
      log: Sha256,
    }),
  }),
  z.strictObject({
    kind: z.literal('key_created'),
    payload: CreatedKey.pick({ id: true, roles: true, expires_at: true, rate_per_minute: true }).extend({
      /** SHA-256 over the canonical JSON of the key as it was created, so that none is changed later. */
      key: Sha256,
    }),
  }),
  z.strictObject({
    kind: z.literal('key_revoked'),
    payload: CreatedKey.pick({ id: true, roles: true }),
  }),
  z.strictObject({ kind: z.literal('access_denied'), payload: AccessDenied }),
  // Written before the set decides anything; its content is stored before that.
  z.strictObject({ kind: z.literal('rule_set_activated'), payload: RuleSetActivated }),
  z.strictObject({
    kind: z.literal('policy_withdrawn'),
    payload: z.strictObject({ policy: PolicyName, rule_set: Sha256 }),
  }),
  // Of what is only supposed, nothing is kept but that it was asked.
  z.strictObject({
    kind: z.literal('what_if_asked'),
    payload: z.strictObject({
      policy: PolicyName,
      /** The recorded decision it was asked of; null: a request. */
      based_on: z.string().nullable(),
      /** Names of the facts changed or removed; no values. */
      changed: z.array(FactName),
      rule_set: Sha256,
      graph_position: GraphPosition,
    }),
  }),
  z.strictObject({
    kind: z.literal('counterfactual_asked'),
    payload: z.strictObject({ based_on: z.string() }),
  }),
])
export type RecordBody = z.infer<typeof RecordBody>

/** One entry of the ledger. `hash` is SHA-256 over the canonical JSON of all other fields, `prev` among them. */
export const LedgerRecord = z.strictObject({
  writer: z.string(),
  seq: z.int().min(1),
  time: InstantText,
  actor: z.string(),
  kind: z.string(),
  payload: z.record(z.string(), z.unknown()),
  prev: Sha256,
  hash: Sha256,
})
export type LedgerRecord = z.infer<typeof LedgerRecord>
