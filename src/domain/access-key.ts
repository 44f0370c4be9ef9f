import { z } from 'zod'
import { Sha256 } from './names.ts'
import { InstantText } from './time.ts'

/** What a key may do; which role may call what is said in one table, `src/http/access.ts`. */
export const Role = z.enum(['underwriter', 'compliance', 'auditor', 'admin'])
export type Role = z.infer<typeof Role>

/** Names a key in records and lists. It is no secret: 12 hex digits, the middle of `cbk_<id>_<secret>`. */
export const KeyId = z
  .string()
  .regex(/^[0-9a-f]{12}$/, 'expected an id of 12 hex digits, such as `0f3a9c21d4be`')

/** What a person calls the key; shown in lists on a terminal, so without control or direction signs. */
export const KeyName = z
  .string()
  .regex(/^[^\p{C}\p{Zl}\p{Zp}]{1,100}$/u, 'expected 1 to 100 visible characters')
  .refine((name) => name.trim() === name, 'expected no blanks at its ends')

export const RatePerMinute = z.int().min(1).max(1_000_000)

/** A key as it was created; its secret is kept only as a hash. */
export const CreatedKey = z.strictObject({
  id: KeyId,
  roles: z
    .array(Role)
    .min(1)
    .refine((roles) => roles.every((role, index) => index === 0 || (roles[index - 1] ?? '') < role), {
      error: 'expected each role once, in alphabetical order',
    }),
  name: KeyName,
  created_at: InstantText,
  expires_at: InstantText.nullable(),
  rate_per_minute: RatePerMinute.meta({ description: 'Requests a minute, in the long run.' }),
  hash: Sha256.meta({ description: 'SHA-256 of the whole secret.' }),
})
export type CreatedKey = z.infer<typeof CreatedKey>

/** A key as it stands now. */
export const AccessKey = CreatedKey.extend({ revoked_at: InstantText.nullable() })
export type AccessKey = z.infer<typeof AccessKey>
