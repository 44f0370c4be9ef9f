import { keyState } from '../../access/key-state.ts'
import { type Config, isLoopback } from '../../config.ts'
import type { AccessKey } from '../../domain/access-key.ts'
import { dayMs } from '../../domain/time.ts'
import { counted } from '../counted.ts'
import { type Finding, fine, problem, warning } from './finding.ts'

const soonDays = 14
const makeOne = 'make a key: `causebook keys create --role underwriter --name "core banking"`'

/** Whether anybody may call, whether too many may, and whether a key soon ends. */
export function checkKeys(
  keys: readonly AccessKey[],
  { host }: Pick<Config, 'host'>,
  nowMs: number,
): readonly Finding[] {
  const active = keys.filter((key) => keyState(key, nowMs) === 'active')
  if (active.length === 0 && !isLoopback(host)) {
    const saw = `no key is active, and ${host} is no loopback address: the service will not start`
    return [problem('keys', saw, `${makeOne}, or leave CAUSEBOOK_HOST out`)]
  }
  if (keys.length === 0) {
    return [fine('keys', `none; everybody on this machine, and nobody else, may do everything (${host})`)]
  }
  if (active.length === 0) return [problem('keys', 'none is active, so every request is refused', makeOne)]
  const found = `${counted(active.length, 'active key')} of ${keys.length}, on ${host}`
  const ending = active.filter((key) => keyState(key, nowMs + soonDays * dayMs) === 'expired')
  if (ending.length === 0) return [fine('keys', found)]
  const names = ending.map(({ id, name, expires_at }) => `${id} (${name}) on ${expires_at}`).join(', ')
  return [warning('keys', `${found}; ${soonDays} days at most are left to ${names}`, 'make their successors')]
}
