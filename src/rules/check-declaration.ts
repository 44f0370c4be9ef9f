import { Decimal } from '../domain/decimal.ts'
import { decimalTypes } from '../domain/fact.ts'
import type { FactDeclaration } from '../domain/policy.ts'
import type { FaultList, Place } from './source-file.ts'
import { quote } from './typed-value.ts'
import { field, type YamlNode } from './yaml-node.ts'

/** Tells fields of a declaration that do not go with its type, and bounds that hold nothing. */
export function checkDeclaration(declaration: FactDeclaration, node: YamlNode, faults: FaultList): void {
  const { type, min, max } = declaration
  const place = (name: string): Place => field(node, name)?.place ?? node.place
  const onlyFor = (name: keyof FactDeclaration, fits: boolean, types: string) => {
    if (declaration[name] !== undefined && !fits)
      faults.add(place(name), `\`${name}\` goes with ${types}; this fact is ${quote(type)}`)
  }
  const element = type === 'list' ? (declaration.of ?? 'text') : type
  onlyFor('values', element === 'enum', '`enum`')
  onlyFor('unlisted', element === 'enum', '`enum`')
  onlyFor('of', type === 'list', '`list`')
  onlyFor('min', decimalTypes.has(element), 'numbers')
  onlyFor('max', decimalTypes.has(element), 'numbers')
  onlyFor('tolerance', decimalTypes.has(type), 'numbers')
  onlyFor('changeable', decimalTypes.has(type), 'numbers')
  onlyFor('except', declaration.prohibited === true, '`prohibited: true`')
  if (element === 'enum' && Object.keys(declaration.values ?? {}).length === 0) {
    faults.add(
      node.place,
      'an `enum` lists its `values`, such as `values: {personal_loan: [personal], mortgage: []}`',
    )
  }
  if (min !== undefined && max !== undefined && new Decimal(min).greaterThan(max)) {
    faults.add(place('max'), `\`max\` ${quote(max)} lies below \`min\` ${quote(min)}`)
  }
  if (declaration.changeable !== undefined && !new Decimal(declaration.changeable.step).greaterThan(0)) {
    faults.add(place('changeable'), `\`step\` is more than 0; got ${quote(declaration.changeable.step)}`)
  }
}
