import { Decimal } from '../domain/decimal.ts'
import { decimalTypes } from '../domain/fact.ts'
import type { FactDeclaration, FieldDeclaration } from '../domain/policy.ts'
import type { FaultList, Place } from './source-file.ts'
import { quote } from './typed-value.ts'
import { field, type YamlNode } from './yaml-node.ts'

/** Tells fields of a declaration that do not go with its type, and bounds that hold nothing. */
export function checkDeclaration(declaration: FactDeclaration, node: YamlNode, faults: FaultList): void {
  const { type } = declaration
  const place = (name: string): Place => field(node, name)?.place ?? node.place
  const onlyFor = (name: keyof FactDeclaration, fits: boolean, types: string) => {
    if (declaration[name] !== undefined && !fits)
      faults.add(place(name), `\`${name}\` goes with ${types}; this fact is ${quote(type)}`)
  }
  checkValueType(declaration, node, faults)
  onlyFor('tolerance', decimalTypes.has(type), 'numbers')
  onlyFor('changeable', decimalTypes.has(type), 'numbers')
  onlyFor('except', declaration.prohibited === true, '`prohibited: true`')
  onlyFor('past', type === 'date' || type === 'instant', 'dates and times')
  if (declaration.timeless !== undefined && declaration.fresh_days !== undefined) {
    faults.add(place('timeless'), '`timeless` and `fresh_days` contradict each other; keep one')
  }
  if (declaration.fresh_tau_days !== undefined && declaration.fresh_days === undefined) {
    faults.add(
      place('fresh_tau_days'),
      '`fresh_tau_days` says how fast weight is lost after `fresh_days`; add it',
    )
  }
  if (declaration.changeable !== undefined && !new Decimal(declaration.changeable.step).greaterThan(0)) {
    faults.add(place('changeable'), `\`step\` is more than 0; got ${quote(declaration.changeable.step)}`)
  }
}

/** What a fact and a field of an object share: what its values can be. */
export function checkValueType(declaration: FieldDeclaration, node: YamlNode, faults: FaultList): void {
  const { type, min, max } = declaration
  const place = (name: string): Place => field(node, name)?.place ?? node.place
  const element = type === 'list' ? (declaration.of ?? 'text') : type
  const isNumber = decimalTypes.has(element)
  const kinds = [
    ['values', element === 'enum', '`enum`'],
    ['unlisted', element === 'enum', '`enum`'],
    ['of', type === 'list', '`list`'],
    ['fields', element === 'object', '`object`'],
    ['min', isNumber, 'numbers'],
    ['max', isNumber, 'numbers'],
  ] as const
  for (const [name, fits, types] of kinds) {
    if (declaration[name] === undefined || fits) continue
    faults.add(place(name), `\`${name}\` goes with ${types}; this fact is ${quote(type)}`)
  }
  if (element === 'enum' && Object.keys(declaration.values ?? {}).length === 0) {
    faults.add(
      node.place,
      'an `enum` lists its `values`, such as `values: {personal_loan: [personal], mortgage: []}`',
    )
  }
  if (declaration.fields !== undefined && Object.keys(declaration.fields).length === 0)
    faults.add(place('fields'), 'expected `fields` with their types; got none')
  if (min !== undefined && max !== undefined && new Decimal(min).greaterThan(max)) {
    faults.add(place('max'), `\`max\` ${quote(max)} lies below \`min\` ${quote(min)}`)
  }
}
