/** Counts what is under way, so that a change can be told once nothing began before it any more. */
export interface UnderWay {
  /** Gives what ends it; ending twice counts once. */
  begin(): () => void
  /** What begins from now on comes after the change. */
  turn(): void
  /** Resolves when nothing is under way that began before the last change. */
  settled(): Promise<void>
}

export function openUnderWay(): UnderWay {
  let turns = 0
  const counts = new Map<number, number>()
  let waiting: { readonly before: number; readonly resolve: () => void }[] = []

  const oldest = (): number => Math.min(...counts.keys(), turns)
  function wake(): void {
    const from = oldest()
    for (const { before, resolve } of waiting) if (from >= before) resolve()
    waiting = waiting.filter(({ before }) => from < before)
  }

  return {
    begin() {
      const turn = turns
      counts.set(turn, (counts.get(turn) ?? 0) + 1)
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        const left = (counts.get(turn) ?? 1) - 1
        if (left > 0) counts.set(turn, left)
        else counts.delete(turn)
        wake()
      }
    },
    turn() {
      turns += 1
    },
    settled() {
      const before = turns
      if (oldest() >= before) return Promise.resolve()
      return new Promise((resolve) => waiting.push({ before, resolve }))
    },
  }
}
