import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** A decline, so its answer has causes to look at. */
const preferred = 'b2.json'

/** A request file of a folder that names one of these policies; a suggestion, so nothing here fails. */
export function exampleRequest(folder: string, policies: readonly string[]): string | undefined {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
    const files = [preferred, ...names.filter((name) => name !== preferred).sort()]
    return files
      .filter((name) => names.includes(name))
      .map((name) => path.join(folder, name))
      .find((file) => policies.includes(policyOf(file)))
  } catch {
    return undefined
  }
}

function policyOf(file: string): string {
  const found = /"policy"\s*:\s*"([a-z0-9-]+)"/.exec(readFileSync(file, 'utf8'))
  return found?.[1] ?? ''
}
