import { inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import type { Engine } from '../engine.ts'
import type { Told } from './answer.ts'
import { type Concluded, conclude, type Effects } from './conclude.ts'
import { afterRequest, waitInTime } from './in-time.ts'
import type { Attempt } from './store.ts'

/** What the engine must know to send, inquire about and conclude one kind of attempt. */
export type Kind<Subject, Answer extends Told> = Effects<Subject, Answer> & {
  readonly find: (scope: Scope, attempt: Attempt) => Promise<Subject>
  /** Sends a queued attempt under its id. May be called twice for the same attempt. */
  readonly ask: Ask<Subject, Answer>
  /** Asks for the outcome of an attempt whose answer did not reach us. */
  readonly inquire: Ask<Subject, Answer>
  /** Asks the provider to finish an attempt whose buyer has come back. May be called twice for the same attempt. */
  readonly complete?: Ask<Subject, Answer>
  /** Locks the subject and the attempt, so that one process concludes it. */
  readonly lock: (tx: Scope<Tx>, attempt: Attempt) => Promise<Held<Subject>>
  /** Audits an outcome that we learn after the request was answered. */
  readonly recordLate?: (tx: Scope<Tx>, subject: Subject) => Promise<void>
  /** Overwrites secrets in an answer, once no transaction needs them: the database may abort one, which is then repeated. */
  readonly forget?: (answer: Answer) => void
}
type Ask<Subject, Answer> = (
  scope: Scope,
  engine: Engine,
  subject: Subject,
  attempt: Attempt,
) => Promise<Answer>
type Held<Subject> = { readonly subject: Subject; readonly attempt: Attempt }

/**
 * Sends a queued attempt, completes one whose buyer has come back, and inquires about all others. If the client of the
 * request cannot wait for the answer, then it is concluded later.
 */
export async function resolve<Subject, Answer extends Told>(
  scope: Scope,
  engine: Engine,
  kind: Kind<Subject, Answer>,
  attempt: Attempt,
): Promise<Concluded<Subject>> {
  const subject = await kind.find(scope, attempt)
  const ask = wayFor(kind, attempt)
  const concludeAnswer = (answer: Answer) => concludeLate(scope, engine, kind, { attempt, answer })
  const concluding = ask(scope, engine, subject, attempt).then(concludeAnswer)
  const inTime = await waitInTime(scope, engine, concluding)
  if (inTime) return inTime.result
  engine.afterwards.add(concluding)
  return { subject, attempt, isNews: false }
}

/** Concludes an answer that its request did not wait for, or that is not the first one. */
export async function concludeLate<Subject, Answer extends Told>(
  scope: Scope,
  engine: Engine,
  kind: Kind<Subject, Answer>,
  { attempt, answer }: { readonly attempt: Attempt; readonly answer: Answer },
): Promise<Concluded<Subject>> {
  try {
    return await inTransaction(afterRequest(scope), async (tx) => {
      const concluded = await concludeHeld(tx, engine, kind, { attempt, answer })
      // The request that queued the attempt has already recorded it.
      if (concluded.isNews && attempt.state !== 'queued') await kind.recordLate?.(tx, concluded.subject)
      return concluded
    })
  } finally {
    kind.forget?.(answer)
  }
}

function wayFor<Subject, Answer extends Told>(
  { ask, inquire, complete }: Kind<Subject, Answer>,
  { state, may_complete }: Attempt,
): Ask<Subject, Answer> {
  if (state === 'queued') return ask
  return may_complete && complete ? complete : inquire
}

/** Takes the locks, then concludes. */
export async function concludeHeld<Subject, Answer extends Told>(
  tx: Scope<Tx>,
  engine: Engine,
  kind: Pick<Kind<Subject, Answer>, 'lock'> & Effects<Subject, Answer>,
  { attempt, answer }: { readonly attempt: Attempt; readonly answer: Answer },
): Promise<Concluded<Subject>> {
  return conclude(tx, engine, kind, { ...(await kind.lock(tx, attempt)), answer })
}
