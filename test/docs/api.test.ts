import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { readJson } from '../../src/decision/read-json.ts'
import { readRequest } from '../../src/decision/read-request.ts'
import { readWhatIf } from '../../src/decision/read-what-if.ts'
import { openTestService } from '../support/open-test-service.ts'

const page = readFileSync('docs/api.md', 'utf8')

/** A JSON block of the page by its label, `…` replaced by the id of a decision. */
function example(label: string, decisionId: string): string {
  const found = new RegExp(`^\`\`\`json ${label}\\n([^]*?)^\`\`\`$`, 'm').exec(page)?.[1]
  assert.ok(found !== undefined, `docs/api.md has no example \`${label}\``)
  return found.replaceAll('"…"', JSON.stringify(decisionId))
}

it('the what-if and the counterfactual of docs/api.md are answered as the page says, on worked example B2', async () => {
  const { service } = await openTestService('2026-06-01T18:00:00Z')
  const request = readRequest(readJson(readFileSync('examples/requests/b2.json', 'utf8')))
  const { decision_id: id } = await service.decide(request, 'test')
  const supposed = await service.whatIf(readWhatIf(readJson(example('what-if request', id))), 'test')
  assert.partialDeepStrictEqual(supposed, JSON.parse(example('what-if answer', id)))
  const counterfactual = await service.counterfactual(id, 'test')
  assert.partialDeepStrictEqual(counterfactual, JSON.parse(example('counterfactual answer', id)))
})
