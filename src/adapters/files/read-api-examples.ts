import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

interface ApiExample {
  readonly operation: string
  readonly name: string
  readonly summary: string
  readonly request?: unknown
  readonly answer?: { readonly status: number; readonly body: unknown }
}

/**
 * The examples that the API's description shows: `requests/NAME.json` asks for a decision, `answers/NAME.json` is
 * the whole answer to it, `api/OPERATION.NAME.json` is the body of another operation. A file that can't be read is
 * left out: the description is no worse without it.
 */
export function readApiExamples(folder: string): readonly ApiExample[] {
  return [
    ...jsonFiles(path.join(folder, 'requests')).map(([name, request]) => {
      return { operation: 'decide', name, summary: summaryOf(request), request }
    }),
    ...jsonFiles(path.join(folder, 'answers')).map(([name, body]) => {
      return {
        operation: 'decide',
        name,
        summary: `the answer to request \`${name}\``,
        answer: { status: 200, body },
      }
    }),
    ...jsonFiles(path.join(folder, 'api')).map(([file, request]) => {
      const [operation = '', name = ''] = file.split('.')
      return { operation, name, summary: name.replaceAll('-', ' '), request }
    }),
  ]
}

function summaryOf(request: unknown): string {
  const { policy = '', facts = {} } = request as { policy?: string; facts?: Record<string, unknown> }
  return `an application under ${policy}, ${Object.keys(facts).length} facts`
}

function jsonFiles(folder: string): readonly (readonly [string, unknown])[] {
  try {
    return readdirSync(folder)
      .filter((file) => file.endsWith('.json'))
      .sort()
      .map((file) => [
        file.slice(0, -'.json'.length),
        JSON.parse(readFileSync(path.join(folder, file), 'utf8')),
      ])
  } catch {
    return []
  }
}
