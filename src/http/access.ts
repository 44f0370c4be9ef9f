import { Role } from '../domain/access-key.ts'

/**
 * Who may call an address: everybody; everybody, but the details only with a key; or keys of these roles. A key
 * that is shown must be valid wherever keys are looked at.
 */
export type Who = 'open' | 'details_with_key' | readonly Role[]

// An admin makes keys and sees that the service is well; what was decided about whom is none of their business.
const readers: readonly Role[] = ['underwriter', 'compliance', 'auditor']

/** The one table of who may call what; `docs/security.md` shows it, and a test calls every cell. */
export const access: Readonly<Record<string, Who>> = {
  'POST /v1/decisions': ['underwriter'],
  'POST /v1/decisions/what-if': ['underwriter', 'compliance'],
  'GET /v1/decisions/:id': readers,
  'GET /v1/decisions/:id/chains': readers,
  'POST /v1/decisions/:id/counterfactual': ['underwriter', 'compliance'],
  'GET /v1/applications/:id/facts': readers,
  'GET /v1/rules': readers,
  'GET /v1/rules/:id': readers,
  'POST /v1/rules/check': ['compliance'],
  'GET /openapi.json': 'open',
  'GET /docs': 'open',
  'GET /healthz': 'open',
  'GET /readyz': 'details_with_key',
  // Any key: whoever watches the service need not decide, nor read what was decided.
  'GET /metrics': Role.options,
}
