import { z } from 'zod'
import { fileForms } from './file-form.ts'

/**
 * JSON Schemas of the files of a pack, by file name, as text: for editors, which complete and check with them while
 * a person types. What they let through the loader still checks.
 */
export function editorSchemas(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(fileForms).map(([name, form]) => [
      `${name}.schema.json`,
      `${JSON.stringify({ title: titles[name as keyof typeof fileForms], ...schemaOf(form) }, null, 2)}\n`,
    ]),
  )
}

const titles: Readonly<Record<keyof typeof fileForms, string>> = {
  rule: 'Rule',
  table: 'Decision table',
  policy: 'policy.yaml',
  facts: 'facts.yaml',
  sources: 'sources.yaml',
  reasons: 'reasons.yaml',
}

function schemaOf(form: z.ZodType): object {
  return z.toJSONSchema(form, { io: 'input', unrepresentable: 'any' })
}
