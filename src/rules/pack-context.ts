import { suggestion } from '../domain/nearest-name.ts'
import { rootOf } from './declared-facts.ts'
import type { DeclaredFact } from './rule-set.ts'
import type { FaultList, Place } from './source-file.ts'
import { quote } from './typed-value.ts'

/** What the parts of a pack need of each other while they are read. */
export interface PackContext {
  readonly faults: FaultList
  readonly zone: string
  readonly currency: string
  readonly declared: ReadonlyMap<string, DeclaredFact>
  /** Names whose declaration is itself at fault: what reads them says nothing more. */
  readonly broken: ReadonlySet<string>
  /** Derived facts that read a proxy, by name: the proxy. */
  readonly proxies: ReadonlyMap<string, string>
  /** Methods and sources declared in `sources.yaml`; absent when it could not be read. */
  readonly methods?: ReadonlySet<string>
  readonly sources?: ReadonlySet<string>
}

/** What a rule is checked against beyond the facts. */
export interface RuleContext extends PackContext {
  /** Outcome events of the policy; null when the policy could not be read. */
  readonly outcomes: { readonly events: ReadonlySet<string>; readonly adverse: ReadonlySet<string> } | null
  /** Reason codes; null when they could not be read. */
  readonly reasonCodes: ReadonlySet<string> | null
}

/**
 * A declared fact by name or path; tells the fault, with the nearest name, where there is none. `element`: the list
 * among whose elements' fields the name is looked up.
 */
export function factNamed(
  name: string,
  place: Place,
  context: PackContext,
  element?: string,
): DeclaredFact | undefined {
  const prefix = element === undefined ? '' : `${element}[].`
  const fact = context.declared.get(`${prefix}${name}`)
  if (fact !== undefined && (fact.origin === 'element') === (element !== undefined)) return fact
  if (context.broken.has(rootOf(element ?? name))) return undefined
  const names = [...context.declared.values()]
    .filter((each) => (each.origin === 'element') === (element !== undefined))
    .map((each) => each.name)
    .filter((each) => each.startsWith(prefix))
    .map((each) => each.slice(prefix.length))
  const where =
    element === undefined ? `fact ${quote(name)}` : `field ${quote(name)} in an element of ${quote(element)}`
  const list = name.slice(0, name.lastIndexOf('.'))
  const isInList = element === undefined && context.declared.get(list)?.declaration.type === 'list'
  const hint = isInList
    ? `; ${quote(list)} is a list: test its elements with \`some\` or \`every\``
    : suggestion(name, names)
  context.faults.add(place, `there is no ${where}${hint}`)
  return undefined
}

/** Where a protected attribute's use is forbidden. */
export const protectedLaw = '12 CFR 1002.6(b), 15 USC 1691(a)'
