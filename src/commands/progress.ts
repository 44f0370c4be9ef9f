import { Presets, SingleBar } from 'cli-progress'
import type { Surroundings } from './command.ts'

/** A bar on standard error, shown to a person only, and only when the work takes longer than a second. */
export interface Progress {
  to(done: number, total: number): void
  /** Clears the bar; what follows starts on a clean line. */
  end(): void
}

const quietMs = 1000

export function startProgress(what: string, { errIsTerminal }: Surroundings): Progress {
  if (!errIsTerminal) return { to: () => {}, end: () => {} }
  const startedMs = performance.now()
  let bar: SingleBar | undefined
  return {
    to: (done, total) => {
      if (bar === undefined) {
        if (performance.now() - startedMs < quietMs) return
        bar = new SingleBar(
          { format: `${what} {bar} {value}/{total}  {eta_formatted} left`, clearOnComplete: true },
          Presets.shades_classic,
        )
        bar.start(total, done)
      }
      bar.setTotal(total)
      bar.update(done)
    },
    end: () => bar?.stop(),
  }
}
