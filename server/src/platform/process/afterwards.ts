/** Work that goes on after its request was answered. */
export type Afterwards = {
  readonly add: (work: Promise<unknown>) => void
  /** Resolves once nothing is left to do. */
  readonly done: () => Promise<void>
}

export function createAfterwards(onError: (error: unknown) => void): Afterwards {
  const open = new Set<Promise<void>>()
  return {
    add: (work) => {
      const done: Promise<void> = work.then(() => {}, onError).finally(() => open.delete(done))
      open.add(done)
    },
    done: async () => {
      while (open.size > 0) await Promise.all(open)
    },
  }
}
