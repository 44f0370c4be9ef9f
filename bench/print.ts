import type { Measurement } from './measurement.ts'

/** One JSON object a line, or a table for people. */
export function printMeasurements(measurements: readonly Measurement[], json: boolean): void {
  if (json) {
    for (const measurement of measurements) console.log(JSON.stringify(measurement))
    return
  }
  for (const { case: name, metric, unit, ours, peers, ratio, target, met } of measurements) {
    const beside = Object.entries(peers).map(([peer, value]) => `${peer} ${value}`)
    const compared = ratio === null ? '' : `  (${beside.join(', ')}; ratio ${ratio})`
    const judged = target === null ? '' : `  at most ${target}: ${met === true ? 'met' : 'NOT MET'}`
    console.log(
      `${name.padEnd(12)} ${metric.padEnd(10)} ${String(ours).padStart(10)} ${unit}${compared}${judged}`,
    )
  }
}
