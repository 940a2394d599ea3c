import { inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import type { Engine } from '../engine.ts'
import { askInTime, type STILL_ASKED } from './in-time.ts'

/** The first commit recorded nothing, so nobody is asked. */
export type Stopped<Why> = { readonly stopped: Why }

type Recorded<Begun> = Exclude<Begun, Stopped<unknown>>
type Asked<Begun, Answer> = (Recorded<Begun> & { readonly answer: Answer }) | Extract<Begun, Stopped<unknown>>

type Asking<Begun, Answer> = {
  /** Part of the first commit: records what is asked, and notes it in the request's `Once`, so that a retry continues it. */
  readonly begin: (tx: Scope<Tx>) => Promise<Begun>
  readonly inFirstCommit?: typeof inTransaction
  /** Called with no transaction open. */
  readonly ask: (begun: Recorded<Begun>) => Promise<Answer>
}

/**
 * The first commit records the attempt. Then the provider is asked, with no transaction open. The caller concludes the answer in the
 * second commit.
 */
export async function askBetweenCommits<Begun extends object, Answer>(
  scope: Scope,
  { begin, inFirstCommit = inTransaction, ask }: Asking<Begun, Answer>,
): Promise<Asked<Begun, Answer>> {
  const begun = await inFirstCommit(scope, begin)
  if ('stopped' in begun) return begun as Extract<Begun, Stopped<unknown>>
  const recorded = begun as Recorded<Begun>
  return { ...recorded, answer: await ask(recorded) }
}

type AskingInTime<Begun, Answer> = Asking<Begun, Answer> & {
  /** Concludes an answer for which the request could not wait. */
  readonly concludeLate: (begun: Recorded<Begun>, answer: Answer) => Promise<unknown>
}

/** The same, for as long as the client of the request waits. */
export function askInTimeBetweenCommits<Begun extends object, Answer>(
  scope: Scope,
  engine: Engine,
  { ask, concludeLate, ...asking }: AskingInTime<Begun, Answer>,
): Promise<Asked<Begun, Answer | typeof STILL_ASKED>> {
  return askBetweenCommits(scope, {
    ...asking,
    ask: (begun) => askInTime(scope, engine, ask(begun), (late) => concludeLate(begun, late)),
  })
}
