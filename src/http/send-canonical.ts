import { canonicalJson } from '../audit/canonical.ts'

/** Sends a value as canonical JSON (RFC 8785): the bytes a recorded answer's commitment was made over. */
export function sendCanonical(value: unknown, headers: Record<string, string> = {}): Response {
  return new Response(canonicalJson(value), {
    headers: { 'content-type': 'application/json', ...headers },
  })
}
