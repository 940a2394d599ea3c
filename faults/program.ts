/** How thorough a program is, where its chance comes from, and where it may write. */
export type Pace = {
  /** The short form runs with the tests: fewer of everything, and no limit that needs a fast machine. */
  readonly isShort: boolean
  /** Decides what is asked for and when things break. How processes take turns is up to the machine all the same. */
  readonly seed: number
  /** The address of a database that nobody else uses. */
  readonly newDatabase: () => Promise<string>
}

/** How many of what, by a name that a reader understands. */
export type Counts = Readonly<Record<string, number>>

export type Outcome = {
  readonly seed: number
  /** What was done: requests, kills, faults. */
  readonly did: Counts
  /** What callers were promised by an answer. */
  readonly acknowledged: Counts
  /** What was there afterwards. */
  readonly found: Counts
  /** Sentences about what should not be. Empty when the promise holds. */
  readonly broken: readonly string[]
}

/** Shows that a promise holds while things break. */
export type Program = {
  readonly name: string
  /** The number of the promise in docs/reliability.md. */
  readonly promise: number
  readonly title: string
  readonly explanation: string
  readonly run: (pace: Pace, say: (text: string) => void) => Promise<Outcome>
}

const SHOWN_MAX = 20

/** One sentence for each thing that was found and should not be there. Beyond a few, more of them teach nothing. */
export function complaints(what: string, found: readonly unknown[]): string[] {
  const shown = found.slice(0, SHOWN_MAX).map((thing) => `${what}: ${JSON.stringify(thing)}`)
  return found.length > SHOWN_MAX ? [...shown, `${what}: ${found.length - SHOWN_MAX} more`] : shown
}
