import { openWitness, type Witness } from '../decision/witness.ts'
import type { Metrics } from '../ports/metrics.ts'

/** The witness of a service: counted for `/metrics`, its lines in the log, at work between the answers. */
export function startWitness(share: number, metrics: Metrics, log: (line: string) => void): Witness {
  const results = metrics.counter(
    'causebook_witness_decisions_total',
    'Decisions evaluated again in the background by other means, by result; `different` should stay 0.',
  )
  return openWitness({
    share,
    count: (result) => results.add({ result }),
    log,
    later: setImmediate,
  })
}
