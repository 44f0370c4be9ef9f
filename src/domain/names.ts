import { z } from 'zod'

const nameText = /^[a-z][a-z0-9_]{0,63}$/
const forbidden = new Set(['constructor', 'prototype', 'tostring', 'valueof'])

/** Name of a fact, event type, source or pack part: lower case, digits, underscore. */
export const Name = z
  .string()
  .regex(nameText, 'expected lower-case letters, digits and `_`, starting with a letter, 64 at most')
  .refine((name) => !forbidden.has(name), 'expected another name: this one is reserved')
  .meta({ description: 'Name in lower-case letters, digits and `_`.' })

export const FactName = Name.meta({ description: "Name of a fact, declared in the policy's `facts.yaml`." })

/** A fact, a field inside an object (`employer.size`), or a field of a list's element (`accounts[].balance`). */
export const FactPath = z
  .string()
  .max(400)
  .regex(
    /^[a-z][a-z0-9_]{0,63}(?:\[\])?(?:\.[a-z][a-z0-9_]{0,63}(?:\[\])?)*$/,
    'expected the name of a fact, or a path into one such as `employer.size`',
  )
  .meta({ description: 'Name of a fact, or a path into an object: `employer.size`.' })

export const EventTypeName = Name.meta({ description: 'Name of an event type of the causal knowledge.' })
export const SourceName = Name.meta({
  description: "Name of a source, declared in the policy's `sources.yaml`.",
})

/** Name of a policy and its folder: lower case, digits, hyphen. */
export const PolicyName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,63}$/, 'expected lower-case letters, digits and `-`, such as `us-consumer`')
  .meta({ description: 'Name of a policy, such as `us-consumer`.' })

/** An identifier given by a caller (application, subject, episode): printable ASCII without blanks. */
export const CallerId = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._:@/+-]{0,127}$/,
    'expected 1 to 128 letters, digits or `._:@/+-`, starting with a letter or digit',
  )
  .meta({ description: "The caller's own identifier: 1 to 128 letters, digits or `._:@/+-`." })

/** `US-08a@1.0.0`: one version of one rule. */
export const RuleVersionId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*@[0-9A-Za-z.-]+$/)
  .meta({ description: 'One version of one rule, such as `US-08a@1.0.0`.' })

/** `e-17@2`: one version of one causal edge. */
export const EdgeVersionId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*@[1-9]\d*$/)
  .meta({ description: 'One version of one causal edge, such as `e-17@2`.' })

export const Sha256 = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/)
  .meta({ description: 'SHA-256 as `sha256:` and 64 hex digits.' })

/** A text in the two languages an applicant or a compliance officer reads. */
export const BilingualText = z
  .strictObject({
    en: z.string().min(1).max(2000).meta({ description: 'In English.' }),
    zh: z.string().min(1).max(2000).meta({ description: 'In Chinese.' }),
  })
  .meta({ description: 'A text in English and Chinese.' })
export type BilingualText = z.infer<typeof BilingualText>
