export type Turns = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>

/**
 * Work on one card waits its turn here and not in the database, where a request that waits for a lock holds a
 * connection that others need. Correctness depends on the locks alone: other processes have turns of their own.
 */
export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>()
  return (key, work) => {
    const before = last.get(key) ?? Promise.resolve()
    const mine = before.then(work, work)
    last.set(key, mine)
    const leave = () => {
      if (last.get(key) === mine) last.delete(key)
    }
    mine.then(leave, leave)
    return mine
  }
}
