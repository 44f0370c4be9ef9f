import { suggestion } from '../domain/nearest-name.ts'
import type { SourcesFile } from '../domain/policy.ts'
import type { PackContext } from './pack-context.ts'
import { quote } from './typed-value.ts'
import { field, type YamlNode } from './yaml-node.ts'

/** Tells what is wrong in `sources.yaml`: sources that are not listed, and kinds that are no fact and no measure. */
export function checkSources(file: SourcesFile, node: YamlNode, context: PackContext): void {
  const names = Object.keys(file.sources)
  for (const role of ['caller', 'applicant'] as const) {
    if (Object.hasOwn(file.sources, file[role])) continue
    const place = field(node, role)?.place ?? node.place
    context.faults.add(
      place,
      `there is no source ${quote(file[role])} under \`sources\`${suggestion(file[role], names)}`,
    )
  }
  const kinds = new Set<string>(context.broken)
  for (const fact of context.declared.values()) {
    if (fact.origin !== 'fact') continue
    kinds.add(fact.name)
    if (fact.declaration.measures !== undefined) kinds.add(fact.declaration.measures)
  }
  const list = field(node, 'sources')
  for (const [name, source] of Object.entries(file.sources)) {
    const kindsNode = field(field(list, name), 'kinds')
    for (const kind of Object.keys(source.kinds ?? {})) {
      if (kinds.has(kind)) continue
      const place =
        (kindsNode?.kind === 'map'
          ? kindsNode.entries.find((entry) => entry.key === kind)?.keyPlace
          : undefined) ?? node.place
      context.faults.add(
        place,
        `${quote(kind)} is neither a fact nor what one \`measures\`${suggestion(kind, kinds)}`,
      )
    }
  }
}
