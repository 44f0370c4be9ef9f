import { suggestion } from '../domain/nearest-name.ts'
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
}

/** What a rule is checked against beyond the facts. */
export interface RuleContext extends PackContext {
  /** Outcome events of the policy; null when the policy could not be read. */
  readonly outcomes: { readonly events: ReadonlySet<string>; readonly adverse: ReadonlySet<string> } | null
  /** Reason codes; null when they could not be read. */
  readonly reasonCodes: ReadonlySet<string> | null
}

/** A declared fact by name; tells the fault, with the nearest name, where there is none. */
export function factNamed(name: string, place: Place, context: PackContext): DeclaredFact | undefined {
  const fact = context.declared.get(name)
  if (fact === undefined && !context.broken.has(name)) {
    context.faults.add(place, `there is no fact ${quote(name)}${suggestion(name, context.declared.keys())}`)
  }
  return fact
}

/** Where a protected attribute's use is forbidden. */
export const protectedLaw = '12 CFR 1002.6(b), 15 USC 1691(a)'
