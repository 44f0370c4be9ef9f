import { html } from 'hono/html'
import type { ApiAnswer, ApiContent, ApiOperation } from './api-document.ts'
import { codes, type Html, kindOf } from './schema-view.ts'

/** One address and method: what it does, who may call it, what it takes and what it answers. */
export function operationView(path: string, method: string, operation: ApiOperation): Html {
  const { operationId, summary, description, parameters, requestBody, responses } = operation
  return html`<article id="${operationId}">
    <h3>${summary}<span class="zh" lang="zh">${operation['x-summary-zh']}</span></h3>
    <p class="address">
      <span class="method ${method.toUpperCase()}">${method.toUpperCase()}</span><code>${path}</code>
    </p>
    <p>${codes(description)}</p>
    ${rolesView(operation)}
    ${parameters === undefined ? '' : parametersView(parameters)}
    ${
      requestBody === undefined
        ? ''
        : html`<h4>Body<span class="zh" lang="zh">请求</span></h4>
          <p>${codes(requestBody.description)}</p>
          ${contentsView(requestBody.content)}`
    }
    <h4>Answers<span class="zh" lang="zh">应答</span></h4>
    <table class="fields">
      <thead><tr><th scope="col">Status</th><th scope="col">Content</th><th scope="col">When</th></tr></thead>
      <tbody>${Object.entries(responses).map(([status, answer]) => answerRow(status, answer))}</tbody>
    </table>
    ${Object.entries(responses).map(([status, answer]) => examplesView(answer.content ?? {}, `answer ${status}`))}
  </article>`
}

function rolesView({ 'x-roles': roles }: ApiOperation): Html {
  const who =
    roles === undefined
      ? html`Open to everyone.`
      : html`Needs an access key with the role ${roles.join(', or ')}.`
  return html`<p class="roles">${who}</p>`
}

function parametersView(parameters: NonNullable<ApiOperation['parameters']>): Html {
  return html`<h4>Parameters<span class="zh" lang="zh">参数</span></h4>
    <table class="fields">
      <thead><tr><th scope="col">Name</th><th scope="col">Kind</th><th scope="col">Meaning</th></tr></thead>
      <tbody>${parameters.map(
        ({ name, in: place, required, schema, description }) => html`<tr>
          <td><code>${name}</code>${required ? '' : html`<span class="may">may be left out</span>`}</td>
          <td>in the ${place}: ${kindOf(schema)}</td><td>${codes(description)}</td>
        </tr>`,
      )}</tbody>
    </table>`
}

function contentsView(content: Readonly<Record<string, ApiContent>>): Html {
  return html`${Object.entries(content).map(
    ([type, { schema }]) => html`<p><code>${type}</code>: ${kindOf(schema)}</p>`,
  )}${examplesView(content, 'request')}`
}

function answerRow(status: string, { description, content = {} }: ApiAnswer): Html {
  return html`<tr>
    <td><span class="status ${Number(status) < 400 ? 'ok' : 'wrong'}">${status}</span></td>
    <td>${Object.entries(content).map(([type, { schema }]) => html`<div>${kindOf(schema)}${mediaType(type)}</div>`)}</td>
    <td>${codes(description)}</td>
  </tr>`
}

/** The usual types go without saying: `application/json`, and `application/problem+json` for a Problem. */
function mediaType(type: string): string {
  return type === 'application/json' || type === 'application/problem+json' ? '' : ` as ${type}`
}

function examplesView(content: Readonly<Record<string, ApiContent>>, what: string): Html {
  const examples = Object.values(content).flatMap((one) => Object.entries(one.examples ?? {}))
  const views = examples.map(
    ([name, { summary, value }]) => html`<details>
      <summary>Example ${what} <code>${name}</code>: ${summary}</summary>
      <pre tabindex="0">${JSON.stringify(value, null, 2)}</pre>
    </details>`,
  )
  if (views.length < 4) return html`${views}`
  return html`<details><summary>${views.length} examples</summary>${views}</details>`
}
