import { Failure } from '../errors.ts'

const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i

/**
 * Refuses a request whose `Host` is not this machine: while there are no access keys, a web page whose name was
 * pointed at loopback (DNS rebinding) must not read applications. Failure: HOST_UNKNOWN.
 */
export function checkHost(host: string | undefined): void {
  if (host === undefined || loopbackHost.test(host)) return
  const why = `expected this machine, such as \`localhost\`; got \`${host.slice(0, 100)}\``
  throw new Failure('HOST_UNKNOWN', { at: '', why })
}
