import { compareText } from '../../domain/compare-text.ts'
import type { Labels, Metrics } from '../../ports/metrics.ts'

interface Family {
  readonly kind: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly lines: () => Promise<readonly string[]> | readonly string[]
}

/** Metrics of this process; they start at nothing with it. */
export function openMetrics(): Metrics {
  const families = new Map<string, Family>()
  const add = (name: string, family: Family): void => {
    if (!/^[a-z_][a-z0-9_]*$/.test(name) || families.has(name)) {
      throw new TypeError(`expected a metric name of its own; got ${name}`)
    }
    families.set(name, family)
  }
  return {
    counter(name, help) {
      const values = new Map<string, number>([['', 0]])
      add(name, { kind: 'counter', help, lines: () => linesOf(name, values) })
      return {
        add(labels = {}, by = 1) {
          const key = labelText(labels)
          // The line without labels only stands for "none yet".
          if (key !== '') values.delete('')
          values.set(key, (values.get(key) ?? 0) + by)
        },
      }
    },
    gauge(name, help, read) {
      const lines = async () => {
        const samples = await read()
        return linesOf(name, new Map(samples.map(({ labels = {}, value }) => [labelText(labels), value])))
      }
      add(name, { kind: 'gauge', help, lines })
    },
    histogram(name, help, bounds) {
      const series = new Map<string, Series>()
      add(name, { kind: 'histogram', help, lines: () => seriesLines(name, bounds, series) })
      return {
        observe(value, labels = {}) {
          const key = labelText(labels)
          const one = series.get(key) ?? { labels, counts: bounds.map(() => 0), sum: 0, count: 0 }
          series.set(key, one)
          bounds.forEach((bound, index) => {
            if (value <= bound) one.counts[index] = (one.counts[index] ?? 0) + 1
          })
          one.sum += value
          one.count += 1
        },
      }
    },
    async text() {
      const parts: string[] = []
      for (const [name, family] of [...families].sort(([one], [other]) => compareText(one, other))) {
        parts.push(`# HELP ${name} ${escaped(family.help, false)}\n# TYPE ${name} ${family.kind}\n`)
        for (const line of await linesOrNone(family)) parts.push(`${line}\n`)
      }
      return parts.join('')
    },
  }
}

interface Series {
  readonly labels: Labels
  readonly counts: number[]
  sum: number
  count: number
}

/** What can't be told now is left out; the others are told all the same. */
async function linesOrNone({ lines }: Family): Promise<readonly string[]> {
  try {
    return await lines()
  } catch {
    return []
  }
}

function linesOf(name: string, values: ReadonlyMap<string, number>): readonly string[] {
  return [...values]
    .sort(([one], [other]) => compareText(one, other))
    .map(([labels, value]) => `${name}${labels} ${numberText(value)}`)
}

function seriesLines(
  name: string,
  bounds: readonly number[],
  series: ReadonlyMap<string, Series>,
): readonly string[] {
  return [...series]
    .sort(([one], [other]) => compareText(one, other))
    .flatMap(([key, { labels, counts, sum, count }]) => [
      ...bounds.map(
        (bound, index) =>
          `${name}_bucket${labelText({ ...labels, le: numberText(bound) })} ${counts[index] ?? 0}`,
      ),
      `${name}_bucket${labelText({ ...labels, le: '+Inf' })} ${count}`,
      `${name}_sum${key} ${numberText(sum)}`,
      `${name}_count${key} ${count}`,
    ])
}

function labelText(labels: Labels): string {
  const parts = Object.entries(labels)
    .sort(([one], [other]) => compareText(one, other))
    .map(([name, value]) => `${name}="${escaped(value, true)}"`)
  return parts.length === 0 ? '' : `{${parts.join(',')}}`
}

function escaped(text: string, quotes: boolean): string {
  const plain = text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
  return quotes ? plain.replaceAll('"', '\\"') : plain
}

function numberText(value: number): string {
  if (Number.isFinite(value)) return String(value)
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
}
