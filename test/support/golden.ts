import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Compares a whole answer with its golden file, line by line as a reviewer reads it. `UPDATE_GOLDEN=1` writes the
 * file anew instead; read the difference before committing it.
 */
export function assertGolden(path: string, value: unknown): void {
  const text = `${JSON.stringify(value, undefined, 2)}\n`
  if (process.env.UPDATE_GOLDEN === '1') {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    return
  }
  assert.ok(existsSync(path), `${path} does not exist; UPDATE_GOLDEN=1 writes it`)
  assert.equal(text, readFileSync(path, 'utf8'), `${path} differs`)
}
