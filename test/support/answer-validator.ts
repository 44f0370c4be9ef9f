import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { ApiDocument } from '../../src/ui/api-document.ts'

const documentId = 'https://example.org/openapi.json'

/** Holds requests and answers to what the API's description says of them. */
export interface AnswerValidator {
  /** Says what is wrong with a request body; empty when it is as described. */
  request(method: string, path: string, body: unknown): string
  /** Fails unless status, content type and body of an answer are as described. */
  answer(method: string, path: string, response: Response): Promise<unknown>
}

/** `path` is the description's, such as `/v1/decisions/{id}`. */
export function answerValidator(document: ApiDocument): AnswerValidator {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true })
  // The package is CommonJS: its function is the default export's `default`.
  formats.default(ajv)
  ajv.addSchema(document, documentId)
  const compiled = new Map<string, ValidateFunction>()
  const at = (...steps: readonly string[]): ValidateFunction => {
    const pointer = steps.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')
    const $ref = `${documentId}#/${encodeURI(pointer)}`
    const held = compiled.get($ref) ?? ajv.compile({ $ref })
    compiled.set($ref, held)
    return held
  }
  return {
    request(method, path, body) {
      const content = document.paths[path]?.[method.toLowerCase()]?.requestBody?.content ?? {}
      const type = Object.keys(content)[0] ?? ''
      const validate = at('paths', path, method.toLowerCase(), 'requestBody', 'content', type, 'schema')
      return validate(body) ? '' : ajv.errorsText(validate.errors)
    },
    async answer(method, path, response) {
      const where = `${method} ${path} ${response.status}`
      const described = document.paths[path]?.[method.toLowerCase()]?.responses[response.status]
      assert.ok(described !== undefined, `${where} is not described`)
      const type = (response.headers.get('content-type') ?? '').split(';')[0] ?? ''
      assert.ok(described.content?.[type] !== undefined, `${where} as ${type} is not described`)
      const text = await response.text()
      const body: unknown = type.endsWith('json') ? JSON.parse(text) : text
      const status = String(response.status)
      const validate = at('paths', path, method.toLowerCase(), 'responses', status, 'content', type, 'schema')
      assert.ok(validate(body), `${where}: ${ajv.errorsText(validate.errors)}\n${text.slice(0, 2000)}`)
      return body
    },
  }
}
