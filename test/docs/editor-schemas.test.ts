import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { parseAllDocuments, parseDocument } from 'yaml'
import { editorSchemas } from '../../src/rules/editor-schemas.ts'
import { ruleYaml } from '../support/pack-builders.ts'

const schemas = editorSchemas()
const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true })
addFormats.default(ajv)
const validators = new Map<string, ValidateFunction>(
  Object.entries(schemas).map(([name, text]) => [name, ajv.compile(JSON.parse(text))]),
)

const single = ['policy', 'facts', 'sources', 'reasons']

function schemaFor(file: string): string {
  if (file.includes(`${path.sep}tables${path.sep}`)) return 'table.schema.json'
  const name = path.basename(file, '.yaml')
  return `${single.includes(name) ? name : 'rule'}.schema.json`
}

function errorsOf(schema: string, data: unknown): string[] {
  const validate = validators.get(schema)
  assert.ok(validate)
  return validate(data)
    ? []
    : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`)
}

/** Every YAML file of the packs in a folder. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml') && file.includes(path.sep))
    .map((file) => path.join(folder, file))
}

const packs = ['rules', ...readdirSync('examples').map((name) => `examples/${name}/rules`)]
const files = packs.flatMap((folder) => {
  try {
    return filesIn(folder)
  } catch {
    return []
  }
})

describe('the schemas for editors', () => {
  it('are as `npm run schemas` writes them', () => {
    for (const [name, text] of Object.entries(schemas))
      assert.equal(readFileSync(`rules/schema/${name}`, 'utf8'), text, `${name}: run \`npm run schemas\``)
    assert.deepEqual(readdirSync('rules/schema').sort(), Object.keys(schemas).sort())
  })

  it('take every file of every pack', () => {
    assert.ok(files.length > 80)
    for (const file of files) {
      for (const document of parseAllDocuments(readFileSync(file, 'utf8'))) {
        const data: unknown = 'toJS' in document ? document.toJS() : null
        assert.deepEqual(errorsOf(schemaFor(file), data), [], file)
      }
    }
  })

  it('every file of the two policies names its schema', () => {
    for (const file of filesIn('rules')) {
      const [first = ''] = readFileSync(file, 'utf8').split('\n')
      const match = /^# yaml-language-server: \$schema=(\S+)$/.exec(first)
      assert.ok(match, `${file}: the first line names the schema`)
      const found = path.join(path.dirname(file), match[1] ?? '')
      assert.equal(found, path.join('rules/schema', schemaFor(file)), file)
    }
  })

  it('find an unknown field, operator or type, and a value out of its range', () => {
    const changed = (from: string, to: string) => {
      assert.ok(ruleYaml.includes(from))
      return errorsOf('rule.schema.json', parseDocument(ruleYaml.replace(from, to)).toJS()).length
    }
    assert.equal(changed('rule_id', 'rule_id'), 0)
    for (const [from, to] of [
      ['description:', 'descripton:'],
      ['greaterThan', 'greatrThan'],
      ['1.0.0', '1.0'],
      ['tell: reason', 'tell: all'],
      ['episode: dti_high', 'episode: DTI high'],
      ['value: 0.45', 'valu: 0.45'],
    ] as const)
      assert.notEqual(changed(from, to), 0, to)
    const fact = { facts: { income: { type: 'mony', en: 'Income', zh: '收入' } } }
    assert.notEqual(errorsOf('facts.schema.json', fact).length, 0)
  })
})
