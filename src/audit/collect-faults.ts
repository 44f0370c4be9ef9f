/** Something wrong with the ledger: at which record (`seq` 0: none in particular), and a plain sentence. */
export interface LedgerFault {
  readonly writer: string
  readonly seq: number
  readonly why: string
}

export interface FaultList {
  add(at: { readonly writer: string; readonly seq: number }, why: string): void
  report(): { readonly faults: readonly LedgerFault[]; readonly faultCount: number }
}

const keptMax = 100

/** Keeps the first hundred faults and counts them all, so that a ruined ledger cannot fill the memory. */
export function collectFaults(): FaultList {
  const faults: LedgerFault[] = []
  let faultCount = 0
  return {
    add({ writer, seq }, why) {
      faultCount += 1
      if (faults.length < keptMax) faults.push({ writer, seq, why })
    },
    report: () => ({ faults, faultCount }),
  }
}
