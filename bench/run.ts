import type { Measurement } from './measurement.ts'
import { benchPath } from './path.ts'
import { printMeasurements } from './print.ts'
import { benchReload } from './reload.ts'
import { benchRules } from './rules.ts'

const benches: Readonly<Record<string, () => Promise<readonly Measurement[]>>> = {
  path: benchPath,
  rules: benchRules,
  reload: benchReload,
}

const [name = '', ...rest] = process.argv.slice(2)
const bench = Object.hasOwn(benches, name) ? benches[name] : undefined
if (bench === undefined || rest.some((option) => option !== '--json')) {
  console.error(`usage: npm run bench -- NAME [--json]\nNAME is one of: ${Object.keys(benches).join(', ')}`)
  process.exitCode = 2
} else {
  printMeasurements(await bench(), rest.includes('--json'))
}
