/** A set of rules by their places in a list, 32 to a word. An array of small integers is cheap to copy. */
export type RuleBits = number[]

/** All places below `count`. */
export function allRules(count: number): RuleBits {
  const bits = Array.from({ length: Math.ceil(count / 32) }, () => -1)
  const rest = count & 31
  if (rest !== 0) bits[bits.length - 1] = (1 << rest) - 1
  return bits
}

export function hasRule(bits: RuleBits, rule: number): boolean {
  return ((bits[rule >>> 5] as number) & (1 << (rule & 31))) !== 0
}

export function addRule(bits: RuleBits, rule: number): void {
  bits[rule >>> 5] = (bits[rule >>> 5] as number) | (1 << (rule & 31))
}

/** Calls `see` on each place in the set, in order. */
export function eachRule(bits: RuleBits, see: (rule: number) => void): void {
  for (let word = 0; word < bits.length; word++) {
    let left = bits[word] as number
    while (left !== 0) {
      see((word << 5) + 31 - Math.clz32(left & -left))
      left &= left - 1
    }
  }
}
