import { z } from 'zod'
import { compareText } from '../domain/compare-text.ts'
import { FactsInput, RawValue } from '../domain/request.ts'
import type { ApiSchema } from '../ui/api-document.ts'
import { nameOfRef } from '../ui/schema-view.ts'
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
  const sorted = Object.entries(all).sort(([one], [other]) => compareText(one, other))
  return Object.fromEntries(sorted.map(([name, schema]) => [name, withWords(schema, all)]))
}

/** A reference to a named shape, or a small shape of its own. */
export function schemaOf(schema: z.ZodType): ApiSchema {
  const name = names.get(schema)
  if (name !== undefined) return { $ref: refTo(name) }
  const { $schema: _, ...plain } = z.toJSONSchema(schema, { override: tidy })
  return plain as ApiSchema
}

/** A field that has no words of its own gets those of the shape it refers to. */
function withWords(schema: ApiSchema, all: Readonly<Record<string, ApiSchema>>): ApiSchema {
  const { properties, items, anyOf } = schema
  return {
    ...schema,
    ...(properties === undefined
      ? {}
      : { properties: mapValues(properties, (field) => wordsOf(field, all)) }),
    ...(items === undefined ? {} : { items: withWords(items, all) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map((one) => withWords(one, all)) }),
  }
}

function wordsOf(field: ApiSchema, all: Readonly<Record<string, ApiSchema>>): ApiSchema {
  const { $ref } = field
  if ($ref === undefined || field.description !== undefined) return withWords(field, all)
  const description = all[nameOfRef($ref)]?.description
  return description === undefined ? field : { ...field, description }
}

function mapValues<T, R>(record: Readonly<Record<string, T>>, change: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))
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

const anyType = ['null', 'boolean', 'number', 'string', 'array', 'object']

type Override = NonNullable<z.core.ToJSONSchemaParams['override']>

const tidy: Override = ({ zodSchema, jsonSchema }) => {
  // The bounds of exact integers in JavaScript say nothing about the field.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  // Letters of every script: not every reader of a JSON Schema knows such a class, and some read it as Latin.
  if (jsonSchema.pattern?.includes('\\p{')) delete jsonSchema.pattern
  // A recursive shape with words of its own would be spelled out beside the reference.
  if (jsonSchema.$ref !== undefined) delete jsonSchema.anyOf
  if ((zodSchema as unknown) === RawValue) {
    delete jsonSchema.anyOf
    jsonSchema.type = anyType as unknown as 'string'
  }
  if (zodSchema === FactsInput) jsonSchema.additionalProperties = { $ref: refTo('FactInput') }
}

function refTo(name: string): string {
  return `#/components/schemas/${name}`
}
