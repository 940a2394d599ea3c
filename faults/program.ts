/** The short form runs with the tests: fewer of everything, and no limit that needs a fast machine. */
export type Form = 'full' | 'short'

/** Says how far a program is. */
export type Say = (text: string) => void

/** How thorough a program is, the seed of its choices, and a database to use. */
export type Pace = {
  readonly form: Form
  /** Decides what is sent and when things break. The order in which processes run still depends on the machine. */
  readonly seed: number
  /** Commits do not wait for a standby. Only programs with standbys know the difference. */
  readonly isAsynchronous?: boolean
  /** Makes a database that no other program uses, and returns its address. */
  readonly newDatabase: () => Promise<string>
}

/** Numbers, by a name that the report shows. */
export type Counts = Readonly<Record<string, number>>

export type Outcome = {
  readonly seed: number
  /** What was done: requests, kills, faults. */
  readonly did: Counts
  /** What answers acknowledged. */
  readonly acknowledged: Counts
  /** What was there afterwards. */
  readonly found: Counts
  /** A sentence for each breach. Empty when the promise holds. */
  readonly broken: readonly string[]
}

/** Shows that a promise holds while things break. */
export type Program = {
  readonly name: string
  /** The number of the promise in docs/reliability.md. */
  readonly promise: number
  readonly title: string
  readonly explanation: string
  /** Why it cannot run on this machine, if it cannot. */
  readonly whyNot?: () => string | undefined
  readonly run: (pace: Pace, say: Say) => Promise<Outcome>
}

const SHOWN_MAX = 20

/** One sentence for each wrong thing that was found, but only for the first few. */
export function complaints(what: string, found: readonly unknown[]): string[] {
  const shown = found.slice(0, SHOWN_MAX).map((thing) => `${what}: ${JSON.stringify(thing)}`)
  return found.length > SHOWN_MAX ? [...shown, `${what}: ${found.length - SHOWN_MAX} more`] : shown
}
