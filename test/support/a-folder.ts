import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folders: string[] = []
process.on('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** A fresh folder, removed when this test process ends. */
export function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'causebook-'))
  folders.push(folder)
  return folder
}
