import { Failure } from '../errors.ts'

/** What was read, or why a stored row cannot be read (`LEDGER_BROKEN`); any other failure is passed on. */
export async function readOrBroken<T>(
  read: () => Promise<T>,
): Promise<{ readonly value: T } | { readonly broken: string }> {
  try {
    return { value: await read() }
  } catch (error) {
    if (error instanceof Failure && error.code === 'LEDGER_BROKEN') return { broken: error.message }
    throw error
  }
}
