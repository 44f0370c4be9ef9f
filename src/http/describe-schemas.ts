import { z } from 'zod'
import { FactsInput } from '../domain/decision.ts'
import type { ApiSchema } from '../ui/api-document.ts'
import { answerSchemas, requestSchemas } from './named-schemas.ts'

const names = new Map<z.ZodType, string>(
  [...Object.entries(requestSchemas), ...Object.entries(answerSchemas)].map(([name, schema]) => [
    schema,
    name,
  ]),
)

/** Every named shape as JSON Schema, by name; the shapes refer to each other. */
export function describeSchemas(): Readonly<Record<string, ApiSchema>> {
  const all = { ...convert(requestSchemas, 'input'), ...convert(answerSchemas, 'output') }
  return Object.fromEntries(Object.entries(all).sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** A reference to a named shape, or a small shape of its own. */
export function schemaOf(schema: z.ZodType): ApiSchema {
  const name = names.get(schema)
  if (name !== undefined) return { $ref: refTo(name) }
  const { $schema: _, ...plain } = z.toJSONSchema(schema, { override: tidy })
  return plain as ApiSchema
}

function convert(
  schemas: Readonly<Record<string, z.ZodType>>,
  io: 'input' | 'output',
): Record<string, ApiSchema> {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id })
  const made = z.toJSONSchema(registry, { uri: refTo, io, unrepresentable: 'any', override: tidy })
  return Object.fromEntries(
    Object.entries(made.schemas).map(([name, { $schema, $id, ...schema }]) => [name, schema as ApiSchema]),
  )
}

type Override = NonNullable<z.core.ToJSONSchemaParams['override']>

const tidy: Override = ({ zodSchema, jsonSchema }) => {
  // The bounds of exact integers in JavaScript say nothing about the field.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (zodSchema === FactsInput) jsonSchema.additionalProperties = { $ref: refTo('FactInput') }
}

function refTo(name: string): string {
  return `#/components/schemas/${name}`
}
