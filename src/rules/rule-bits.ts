/** A set of rules by their places in a list, 32 to a word. An array of small integers is cheap to copy. */
export type RuleBits = number[]

/** A set of rules, all of them in the words `from` up to but not including `to`. */
export interface RuleRange {
  readonly bits: RuleBits
  readonly from: number
  readonly to: number
}

/** All places below `count`. */
export function allRules(count: number): RuleBits {
  const bits = noRules(count).map(() => -1)
  const rest = count & 31
  if (rest !== 0) bits[bits.length - 1] = (1 << rest) - 1
  return bits
}

/** The empty set of places below `count`. */
export function noRules(count: number): RuleBits {
  return Array.from({ length: Math.ceil(count / 32) }, () => 0)
}

export function hasRule(bits: RuleBits, rule: number): boolean {
  return ((bits[rule >>> 5] as number) & (1 << (rule & 31))) !== 0
}

export function addRule(bits: RuleBits, rule: number): void {
  bits[rule >>> 5] = (bits[rule >>> 5] as number) | (1 << (rule & 31))
}

/** Calls `see` on each place in the set, in order. */
export function eachRule({ bits, from, to }: RuleRange, see: (rule: number) => void): void {
  for (let word = from; word < to; word++) {
    let left = bits[word] as number
    while (left !== 0) {
      see((word << 5) + 31 - Math.clz32(left & -left))
      left &= left - 1
    }
  }
}
