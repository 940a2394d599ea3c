/**
 * Transactions that are committed one after the other, while the next one is prepared beside the last.
 *
 * A turn that is prepared waits for the commit of the turn before it, in this process, where the database does not see that
 * it waits. So the turn before must not wait for it: a turn begins when the turn before has all locks that it needs. If
 * the first try of a turn fails, the next one gives up what it holds, and both are repeated alone.
 */
export type Turn<Result> = {
  /** Fulfilled once it has its locks. Rejected if its first try fails before. */
  readonly locked: Promise<void>
  /** Its first try, beside the turn before. */
  readonly first: Promise<Result>
  /** What became of it, after it was repeated if need be. */
  readonly done: Promise<Result>
}

/** What the work of a turn tells and asks. */
export type Taking<Result> = {
  /** All locks are held that another turn or transaction may want, too. */
  readonly hasLocks: () => void
  /** The result of the turn before, which is committed. */
  readonly before: () => Promise<Result>
  /** Whether no other turn is under way, so that the work may wait for locks again. */
  readonly isAlone: boolean
}

/** Where a row of turns begins. */
export function firstTurn<Result>(result: Result): Turn<Result> {
  return { locked: Promise.resolve(), first: Promise.resolve(result), done: Promise.resolve(result) }
}

/** The caller has waited for `canFollow`. */
export function takeTurn<Result>(
  last: Turn<Result>,
  work: (taking: Taking<Result>) => Promise<Result>,
): Turn<Result> {
  const { promise: locked, resolve: hasLocks, reject } = Promise.withResolvers<void>()
  const first = work({ hasLocks, before: () => last.first, isAlone: false })
  const done = first.catch(async () => {
    const before = await last.done
    return work({ hasLocks: () => {}, before: async () => before, isAlone: true })
  })
  first.catch(reject)
  // A failure is heard by what waits for these. The process must not end because nothing waits for them yet.
  for (const promise of [locked, done]) promise.catch(() => {})
  return { locked, first, done }
}

/** Another turn may begin behind this one. */
export async function canFollow(last: Turn<unknown>): Promise<void> {
  await last.locked.catch(() => last.done)
}
