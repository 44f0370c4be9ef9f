import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { editorSchemas } from '../../src/rules/editor-schemas.ts'

/** Where editors find the schemas of rule files. */
const folder = path.join(import.meta.dirname, '..', '..', 'rules', 'schema')

mkdirSync(folder, { recursive: true })
for (const [name, text] of Object.entries(editorSchemas())) writeFileSync(path.join(folder, name), text)
