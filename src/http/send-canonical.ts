import { canonicalJson } from '../audit/canonical.ts'

/** Sends a value as canonical JSON (RFC 8785): the bytes a recorded answer's commitment was made over. */
export function sendCanonical(value: unknown, headers: Record<string, string> = {}): Response {
  return sendCanonicalText(canonicalJson(value), headers)
}

/** Sends what is canonical JSON already. */
export function sendCanonicalText(text: string, headers: Record<string, string> = {}): Response {
  return new Response(text, {
    headers: { 'content-type': 'application/json', ...headers },
  })
}
