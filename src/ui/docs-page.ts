import { html, raw } from 'hono/html'
import type { ApiDocument, ApiOperation, ApiSchema } from './api-document.ts'
import { docsStyle } from './docs-style.ts'
import { operationView } from './operation-view.ts'
import { codes, fieldTable, type Html, kindOf } from './schema-view.ts'

/** The API's description as one page of HTML: no script, nothing fetched from elsewhere. */
export function docsPage(document: ApiDocument): Html {
  const { info, tags } = document
  const operations = operationsOf(document)
  const byTag = tags.map((tag) => ({
    ...tag,
    own: operations.filter((one) => one.operation.tags.includes(tag.name)),
  }))
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${info.title} ${info.version}: API</title>
  <style>${raw(docsStyle)}</style>
</head>
<body>
  <a class="skip" href="#main">To the content</a>
  <header class="top"><div class="frame">
    <h1>${info.title} <small>API, version ${info.version} <span lang="zh">接口说明</span></small></h1>
    <p>${info.summary} ${codes(info.description)}</p>
    <p>For programs: <a href="/openapi.json">/openapi.json</a> (OpenAPI 3.1), of which this page is made.</p>
  </div></header>
  <div class="frame columns">
    <nav aria-label="Contents">
      ${byTag.map(
        ({ name, own }) => html`<strong>${name}</strong>
        ${own.map(({ operation }) => html`<a href="#${operation.operationId}">${operation.summary}</a>`)}`,
      )}
      <strong>More</strong>
      <a href="#problems">When something goes wrong</a>
      <a href="#schemas">Shapes</a>
    </nav>
    <main id="main">
      ${byTag.map(
        ({ name, description, own }) => html`<section>
          ${tagHeading(name, description)}
          ${own.map(({ path, method, operation }) => operationView(path, method, operation))}
        </section>`,
      )}
      ${problemsView()}
      <section>
        <h2 id="schemas">Shapes<span class="zh" lang="zh">数据结构</span></h2>
        <p class="lead">What requests and answers are made of.</p>
        ${Object.entries(document.components.schemas).map(([name, schema]) => schemaView(name, schema))}
      </section>
    </main>
  </div>
  <footer><div class="frame">${info.title} ${info.version} · ${info.license.name}</div></footer>
</body>
</html>`
}

interface Located {
  readonly path: string
  readonly method: string
  readonly operation: ApiOperation
}

function operationsOf({ paths }: ApiDocument): readonly Located[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
}

/** A tag's description ends with its Chinese name. */
function tagHeading(name: string, description: string): Html {
  const cut = description.lastIndexOf(' ')
  return html`<h2>${name}<span class="zh" lang="zh">${description.slice(cut + 1)}</span></h2>
    <p class="lead">${description.slice(0, cut)}</p>`
}

function problemsView(): Html {
  return html`<section>
    <h2 id="problems">When something goes wrong<span class="zh" lang="zh">错误</span></h2>
    <p>Every failure is answered as <code>application/problem+json</code> in the shape
      <a href="#schema-Problem">Problem</a>. <code>type</code> is stable, for programs; <code>detail</code> says
      what was found and what would be right; <code>errors</code> names every bad field by its JSON pointer.
      Nothing of a refused request is recorded.</p>
  </section>`
}

function schemaView(name: string, schema: ApiSchema): Html {
  const shape =
    schema.properties === undefined || Object.keys(schema.properties).length === 0
      ? html`<p>${kindOf(schema)}${schema.pattern === undefined ? '' : html`, like <code>${schema.pattern}</code>`}</p>
        ${(schema.anyOf ?? []).filter((one) => one.properties !== undefined).map((one) => fieldTable(one))}`
      : fieldTable(schema)
  return html`<article id="schema-${name}">
    <h3>${name}</h3>
    <p>${codes(schema.description ?? '')}</p>
    ${shape}
  </article>`
}
