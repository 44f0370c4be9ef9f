import { z } from 'zod'
import { RegulationId } from './knowledge.ts'
import { PolicyName, RuleVersionId, Sha256 } from './names.ts'
import { DateText, InstantText } from './time.ts'

/** One thing wrong with a pack. */
export const RuleFault = z
  .strictObject({
    at: z.string().meta({ description: '`file:line:column`, a rule version, a file or a folder.' }),
    why: z.string().meta({ description: 'What was found there, and what would be right.' }),
  })
  .meta({ description: 'One thing wrong with a pack, or worth a look.' })
export type RuleFault = z.infer<typeof RuleFault>

/** Why a pack, as it lies there now, is not in force. */
export const RulesFailure = z
  .strictObject({
    since: InstantText.meta({ description: 'Since when what lies there has not been good.' }),
    at: InstantText.meta({ description: 'When it was last looked at and refused.' }),
    errors: z.array(RuleFault).meta({ description: 'Everything wrong with it, all at once.' }),
  })
  .meta({ description: 'Why a pack, as it lies there now, is not in force.' })
export type RulesFailure = z.infer<typeof RulesFailure>

const versions = (description: string) => z.array(RuleVersionId).meta({ description })

/** What a rule set changes against the one before. */
export const RulesDifference = z
  .strictObject({
    before: Sha256.nullable().meta({ description: 'The rule set before; null where there was none.' }),
    added: versions('Versions that were not there before.'),
    changed: versions('Versions that say something else under the same name.'),
    removed: versions('Versions that are gone; each was retired.'),
    declarations: z
      .array(z.string())
      .meta({ description: 'What else changed: `policy`, `facts`, `sources`, `reasons`, …' }),
  })
  .meta({ description: 'What a rule set changes against the one before.' })
export type RulesDifference = z.infer<typeof RulesDifference>

const effective = {
  effective_from: DateText.nullable().meta({ description: 'First day of receipt it is for; null: any.' }),
  effective_until: DateText.nullable().meta({
    description: 'First day of receipt it is no longer for; null: none.',
  }),
}

/** One version of a rule, in short. */
export const RuleVersionEntry = z
  .strictObject({
    version: z.string().meta({ description: 'Its version, three numbers.' }),
    ...effective,
    regulation: RegulationId.meta({ description: 'The regulation or paper that it cites.' }),
  })
  .meta({ description: 'One version of a rule, in short.' })

/** The rule set in force for one policy. */
export const PolicyRules = z
  .strictObject({
    policy: PolicyName,
    version: z.string().meta({ description: 'Version that `policy.yaml` states.' }),
    set: Sha256.meta({ description: 'The rule set in force; every decision names it.' }),
    since: InstantText.meta({ description: 'Since when it has been in force.' }),
    folder: z.string().nullable().meta({
      description: 'The folder it was read from; null when it serves from the store, its files gone or bad.',
    }),
    files: z
      .array(
        z.strictObject({
          path: z.string().meta({ description: 'Path below the rules folder.' }),
          hash: Sha256.meta({ description: 'SHA-256 of its text.' }),
        }),
      )
      .meta({ description: 'The files it was read from.' }),
    rules: z
      .array(
        z.strictObject({
          rule_id: z.string().meta({ description: 'Id of the rule.' }),
          versions: z.array(RuleVersionEntry).meta({ description: 'Its versions, the highest first.' }),
        }),
      )
      .meta({ description: 'Every rule, by id.' }),
    regulations: z.array(RegulationId).meta({ description: 'Everything that its rules cite, sorted.' }),
    retired: z.array(z.string()).meta({ description: 'Rules and versions taken out for good.' }),
    change: z
      .strictObject({ at: InstantText.meta({ description: 'When.' }), ...RulesDifference.shape })
      .nullable()
      .meta({ description: 'The last change that this process made; null when there was none yet.' }),
    failure: RulesFailure.nullable().meta({
      description: 'Why what lies there now is not in force; null when it is.',
    }),
  })
  .meta({ description: 'The rule set in force for one policy.' })
export type PolicyRules = z.infer<typeof PolicyRules>

/** `GET /v1/rules` */
export const RulesReport = z
  .strictObject({
    policies: z.array(PolicyRules).meta({ description: 'Every policy that decides, by name.' }),
    refused: z
      .array(
        z.strictObject({
          folder: z.string().meta({ description: 'The folder; empty: all of the rules.' }),
          failure: RulesFailure,
        }),
      )
      .meta({ description: 'Folders that are not in force and belong to no policy that is.' }),
    overlooked: z.array(z.string()).meta({
      description: 'Folders and files that look like rules but have no `policy.yaml` beside them.',
    }),
  })
  .meta({ description: 'Which rules decide, since when, and what is wrong with what lies there now.' })
export type RulesReport = z.infer<typeof RulesReport>

/** `GET /v1/rules/{id}` */
export const RuleVersions = z
  .strictObject({
    rule_id: z.string().meta({ description: 'Id of the rule.' }),
    policies: z
      .array(
        z.strictObject({
          policy: PolicyName,
          set: Sha256.meta({ description: 'The rule set in force that it was read from.' }),
          versions: z
            .array(
              RuleVersionEntry.extend({
                in_force: z.boolean().meta({
                  description: 'Whether an application received now is decided by this version.',
                }),
                description: z.string().meta({ description: 'What it says, as cause and effect.' }),
                tests: z.int().meta({ description: 'Tests inside its file.' }),
                content: z.string().meta({
                  description: 'All of it, as the rule set holds it: canonical JSON (RFC 8785).',
                }),
              }).meta({ description: 'One version of a rule.' }),
            )
            .meta({ description: 'Its versions, the highest first.' }),
        }),
      )
      .meta({ description: 'Every policy that has a rule of this id, by name.' }),
  })
  .meta({ description: 'The versions of a rule.' })
export type RuleVersions = z.infer<typeof RuleVersions>

export const checkedFilesMax = 2000

/** Body of `POST /v1/rules/check`: the files of one pack. */
export const RulesCheckRequest = z
  .strictObject({
    files: z
      .array(
        z.strictObject({
          path: z
            .string()
            .max(300)
            .regex(
              /^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[^\p{C}/\\][^\p{C}\\]*$/u,
              'expected a path such as `policy.yaml` or `us-consumer/US-01.yaml`',
            )
            .meta({ description: "Path inside the pack, or with the pack's folder before it." }),
          text: z.string().meta({ description: 'All of the file.' }),
        }),
      )
      .min(1)
      .max(checkedFilesMax)
      .meta({ description: 'Every file of the pack.' }),
  })
  .meta({ description: 'The files of one pack.' })
export type RulesCheckRequest = z.infer<typeof RulesCheckRequest>

/** Answer of `POST /v1/rules/check`. */
export const RulesCheck = z
  .strictObject({
    ok: z.boolean().meta({ description: 'Whether these files would go into force.' }),
    policy: PolicyName.nullable().meta({ description: 'The policy; null where it could not be read.' }),
    set: Sha256.nullable().meta({ description: 'The rule set they make; null where they make none.' }),
    errors: z.array(RuleFault).meta({ description: 'Everything wrong, all at once; empty when `ok`.' }),
    warnings: z.array(RuleFault).meta({ description: 'What is worth a look, and forbids nothing.' }),
    difference: RulesDifference.nullable().meta({
      description: 'What they would change against what is in force; null where they make no rule set.',
    }),
  })
  .meta({ description: 'What came of checking a pack; nothing was put in force.' })
export type RulesCheck = z.infer<typeof RulesCheck>
