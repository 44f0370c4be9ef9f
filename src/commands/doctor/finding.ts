import { Failure } from '../../errors.ts'

/** What a look at one part of a deployment found; `todo` says what to do unless all is well. */
export interface Finding {
  readonly check: string
  readonly state: 'ok' | 'warning' | 'problem'
  readonly saw: string
  readonly todo?: string
  /** Every single fault, where there are several. */
  readonly details?: readonly string[]
}

export function fine(check: string, saw: string): Finding {
  return { check, state: 'ok', saw }
}

export function warning(check: string, saw: string, todo: string): Finding {
  return { check, state: 'warning', saw, todo }
}

export function problem(check: string, saw: string, todo: string, details: readonly string[] = []): Finding {
  return { check, state: 'problem', saw, todo, ...(details.length === 0 ? {} : { details }) }
}

/** Runs a check; a failure is what it found, and anything else is a bug. */
export async function attempt(
  check: string,
  todo: string,
  look: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await look()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const lines = error.faults.map(({ at, why }) => (at === '' ? why : `${at}: ${why}`))
    if (lines.length === 1) return [problem(check, lines[0] ?? '', todo)]
    return [problem(check, `${lines.length} faults`, todo, lines)]
  }
}
