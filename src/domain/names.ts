import { z } from 'zod'

const nameText = /^[a-z][a-z0-9_]{0,63}$/
const forbidden = new Set(['constructor', 'prototype', 'tostring', 'valueof'])

/** Name of a fact, event type, source or pack part: lower case, digits, underscore. */
export const Name = z
  .string()
  .regex(nameText, 'expected lower-case letters, digits and `_`, starting with a letter, 64 at most')
  .refine((name) => !forbidden.has(name), 'this name is reserved')

export const FactName = Name
export const EventTypeName = Name
export const SourceName = Name

/** Name of a policy and its folder: lower case, digits, hyphen. */
export const PolicyName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,63}$/, 'expected lower-case letters, digits and `-`, such as `us-consumer`')

/** An identifier given by a caller (application, subject, episode): printable ASCII without blanks. */
export const CallerId = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._:@/+-]{0,127}$/,
    'expected 1 to 128 letters, digits or `._:@/+-`, starting with a letter or digit',
  )

/** `US-08a@1.0.0`: one version of one rule. */
export const RuleVersionId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]*@[0-9A-Za-z.-]+$/)

/** `e-17@2`: one version of one causal edge. */
export const EdgeVersionId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]*@[1-9]\d*$/)

export const Sha256 = z.string().regex(/^sha256:[0-9a-f]{64}$/)

/** A text in the two languages an applicant or a compliance officer reads. */
export const BilingualText = z.strictObject({
  en: z.string().min(1).max(2000),
  zh: z.string().min(1).max(2000),
})
export type BilingualText = z.infer<typeof BilingualText>
