import { sha256 } from '../audit/canonical.ts'
import { docsPage } from '../ui/docs-page.ts'
import { docsStyle } from '../ui/docs-style.ts'
import { aboutDocs, aboutOpenApi } from './about-others.ts'
import { type ApiParts, openApi } from './openapi.ts'
import type { Route } from './route.ts'

/** The one style sheet of the page, named by its hash, and nothing else may load. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${Buffer.from(sha256(docsStyle).slice('sha256:'.length), 'hex').toString('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The description of the API for programs and for people; `table` gives all routes, these among them. */
export function docsRoutes(table: () => readonly Route[], parts: ApiParts): readonly Route[] {
  let made: ReturnType<typeof openApi> | undefined
  const document = () => {
    made ??= openApi(table(), parts)
    return made
  }
  return [
    {
      method: 'GET',
      path: '/openapi.json',
      about: aboutOpenApi,
      handle: (context) => context.json(document()),
    },
    {
      method: 'GET',
      path: '/docs',
      about: aboutDocs,
      handle: (context) =>
        context.html(docsPage(document()), 200, {
          'content-security-policy': policy,
          'referrer-policy': 'no-referrer',
        }),
    },
  ]
}
