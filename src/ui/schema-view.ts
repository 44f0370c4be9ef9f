import { html } from 'hono/html'
import type { ApiSchema } from './api-document.ts'

export type Html = ReturnType<typeof html>

/** `#/components/schemas/Chain` -> `Chain` */
export function nameOfRef(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1)
}

/** A table of an object's fields: name, kind, meaning; nested objects without a name of their own are shown below. */
export function fieldTable(schema: ApiSchema, prefix = ''): Html {
  return html`<table class="fields">
    <thead><tr><th scope="col">Field</th><th scope="col">Kind</th><th scope="col">Meaning</th></tr></thead>
    <tbody>${rowsOf(schema, prefix)}</tbody>
  </table>`
}

function rowsOf(schema: ApiSchema, prefix: string): readonly Html[] {
  const required = new Set(schema.required ?? [])
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`
    const may = required.has(name) ? '' : html`<span class="may">may be left out</span>`
    const row = html`<tr>
      <td><code>${path}</code>${may}</td><td>${kindOf(field)}</td><td>${codes(field.description ?? '')}</td>
    </tr>`
    return [row, ...nested(field).flatMap(([mark, inner]) => rowsOf(inner, `${path}${mark}.`))]
  })
}

/** Objects inside a field that have no name of their own, with the mark of how they lie in it. */
function nested(field: ApiSchema): readonly (readonly [string, ApiSchema])[] {
  if (field.properties !== undefined) return [['', field]]
  if (field.items !== undefined) return nested(field.items).map(([mark, inner]) => [`[]${mark}`, inner])
  const { additionalProperties: values } = field
  if (typeof values === 'object') return nested(values).map(([mark, inner]) => [`.*${mark}`, inner])
  return (field.anyOf ?? []).flatMap(nested)
}

/** What a value may be, in words, with links to the named shapes. */
export function kindOf(schema: ApiSchema): Html {
  if (schema.$ref !== undefined) {
    const name = nameOfRef(schema.$ref)
    return html`<a href="#schema-${name}">${name}</a>`
  }
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`
  if (schema.enum !== undefined)
    return joined(schema.enum.map((value) => html`<code>${String(value)}</code>`))
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return joined(choices.map(kindOf))
  if (schema.items !== undefined) return html`list of ${kindOf(schema.items)}${limits(schema)}`
  if (schema.type === 'object') {
    const values = schema.additionalProperties
    return typeof values === 'object' ? html`object, each ${kindOf(values)}` : html`object`
  }
  if (Array.isArray(schema.type)) return html`any JSON value`
  const type = schema.type === 'null' ? 'null' : (schema.format ?? schema.type ?? 'any value')
  return html`${String(type)}${limits(schema)}`
}

function joined(parts: readonly Html[]): Html {
  return html`${parts.map((part, index) => (index === 0 ? part : html` or ${part}`))}`
}

function limits(schema: ApiSchema): string {
  const low = schema.minimum ?? schema.minLength ?? schema.minItems
  const high = schema.maximum ?? schema.maxLength ?? schema.maxItems
  if (low === undefined && high === undefined) return ''
  const what = schema.maxItems !== undefined || schema.minItems !== undefined ? ' entries' : ''
  const unit = schema.maxLength !== undefined || schema.minLength !== undefined ? ' characters' : what
  if (high === undefined) return `, ${low}${unit} at least`
  return low === undefined ? `, ${high}${unit} at most` : `, ${low} to ${high}${unit}`
}

/** What stands in backticks is set as code. */
export function codes(text: string): readonly Html[] {
  return text.split('`').map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))
}
