import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { type Listening, serve } from '../../src/http/serve.ts'
import { noBrowser, openBrowser } from '../support/open-browser.ts'
import { openTestApi, type TestApi } from '../support/open-test-api.ts'

describe('/docs in a browser', { skip: noBrowser }, () => {
  let api: TestApi
  let listening: Listening
  let browser: Browser

  before(async () => {
    api = await openTestApi()
    listening = await serve(api.deps, { host: '127.0.0.1', port: 0 })
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    await listening.stop()
  })

  /** The page, and everything the browser asked for or complained about. */
  async function open(viewport = { width: 1280, height: 900 }) {
    const page = await browser.newPage({ viewport })
    const requested: string[] = []
    const complaints: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('requestfailed', (request) => complaints.push(request.url()))
    const response = await page.goto(`${listening.url}/docs`)
    return { page, requested, complaints, response }
  }

  it('shows every operation with its Chinese name, every answer, and every shape', async () => {
    const { page } = await open()
    const text = await textOf(page)
    for (const [path, methods] of Object.entries(api.document.paths)) {
      for (const operation of Object.values(methods)) {
        const article = page.locator(`article#${operation.operationId}`)
        assert.equal(await article.count(), 1, operation.operationId)
        const shown = (await article.textContent()) ?? ''
        for (const wanted of [
          path,
          operation.summary,
          operation['x-summary-zh'],
          ...Object.keys(operation.responses),
        ]) {
          assert.ok(shown.includes(wanted), `${operation.operationId}: ${wanted}`)
        }
      }
    }
    for (const name of Object.keys(api.document.components.schemas)) assert.ok(text.includes(name), name)
    assert.match(await page.title(), /^Causebook test: API$/)
  })

  it('asks for nothing but itself, and the browser has nothing to complain about', async () => {
    const { requested, complaints, response } = await open()
    assert.deepEqual(requested, [`${listening.url}/docs`])
    assert.deepEqual(complaints, [])
    const policy = (await response?.headerValue('content-security-policy')) ?? ''
    assert.match(policy, /^default-src 'none'; style-src 'sha256-[^']+'; /)
    assert.doesNotMatch(policy, /unsafe/)
  })

  it('is styled although no style may come from elsewhere, and runs no script put into it', async () => {
    const { page } = await open()
    assert.equal(await page.evaluate("getComputedStyle(document.querySelector('nav')).position"), 'sticky')
    assert.equal(await page.locator('script').count(), 0)
  })

  it('leads from its contents to an operation, from there to its shapes, and unfolds examples', async () => {
    const { page } = await open()
    await page.getByRole('link', { name: 'Decide one application' }).click()
    assert.match(page.url(), /#decide$/)
    await page.locator('#decide').getByRole('link', { name: 'DecisionRequest' }).first().click()
    assert.match(page.url(), /#schema-DecisionRequest$/)
    assert.ok(await page.locator('#schema-DecisionRequest').isVisible())
    const example = page.locator('#askWhatIf pre').first()
    assert.equal(await example.isVisible(), false)
    await page.locator('#askWhatIf summary').first().click()
    assert.equal(await example.isVisible(), true)
    assert.match((await example.textContent()) ?? '', /"loan_amount": 9000/)
  })

  it('every link leads somewhere', async () => {
    const { page } = await open()
    const links: string[] = await page.evaluate(
      "[...document.querySelectorAll('a[href^=\"#\"]')].map((link) => link.getAttribute('href').slice(1))",
    )
    const ids: string[] = await page.evaluate("[...document.querySelectorAll('[id]')].map(({ id }) => id)")
    const dead = links.filter((link) => !ids.includes(link))
    assert.deepEqual(dead, [])
    assert.equal(new Set(ids).size, ids.length)
  })

  it('fits a phone: nothing is wider than the screen, unfolded or not', async () => {
    const { page } = await open({ width: 360, height: 740 })
    const widths = () =>
      page.evaluate('[document.documentElement.scrollWidth, document.documentElement.clientWidth]')
    assert.deepEqual(await widths(), [360, 360])
    await page.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true })")
    assert.deepEqual(await widths(), [360, 360])
  })
})

async function textOf(page: Page): Promise<string> {
  return (await page.locator('main').textContent()) ?? ''
}
