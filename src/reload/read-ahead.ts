import type { Clock } from '../ports/clock.ts'
import type { Offer } from '../rules/current-rule-sets.ts'
import type { YamlMemory } from '../rules/remember-yaml.ts'
import { FaultList, sourceFile } from '../rules/source-file.ts'

/** How long a turn may take, so that decisions go on meanwhile. */
const turnMs = 8

/** Reads the YAML of what is offered into memory, a few files a turn, and forgets what is no longer there. */
export async function readAhead(offer: Offer, memory: YamlMemory, clock: Clock): Promise<void> {
  const paths = new Set<string>()
  let turnedMs = clock.nowMs()
  for (const { files } of offer.packs) {
    for (const { path, text } of files) {
      paths.add(path)
      if (!/\.ya?ml$/i.test(path)) continue
      memory.read(sourceFile(path, text), new FaultList())
      if (clock.nowMs() - turnedMs < turnMs) continue
      await new Promise((resolve) => setImmediate(resolve))
      turnedMs = clock.nowMs()
    }
  }
  memory.keep(paths)
}
