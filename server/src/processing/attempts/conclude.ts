import { afterCommit, type Scope, type Tx } from '#platform/database/db.ts'
import type { Engine } from '../engine.ts'
import { closing, type Decided, isDecided, type Open, referenceOf, type Told } from './answer.ts'
import { approvalIn } from './approval.ts'
import { nextCheck } from './due.ts'
import { STILL_ASKED } from './in-time.ts'
import { forgetCode, forgetOrder } from './kept-orders.ts'
import * as attempts from './store.ts'

/** An attempt, its subject, and the provider's answer. */
export type AnsweredAttempt<Subject, Said> = {
  readonly subject: Subject
  readonly attempt: attempts.Attempt
  readonly answer: Said
}

/** What an answer changes beyond the attempt itself. Each function returns the changed subject. */
export type Effects<Subject, Answer extends Told> = {
  /** The answer decides the attempt. The engine calls this once for each attempt. */
  readonly decide: (
    tx: Scope<Tx>,
    engine: Engine,
    found: AnsweredAttempt<Subject, Decided<Answer>>,
  ) => Promise<Subject>
  /** The answer leaves the attempt open. `before` is the attempt as it was. */
  readonly wait?: (
    tx: Scope<Tx>,
    engine: Engine,
    found: AnsweredAttempt<Subject, Open<Answer>> & { readonly before: attempts.Attempt },
  ) => Promise<Subject>
  /** The attempt was decided before this answer came. */
  readonly hearAgain?: (
    tx: Scope<Tx>,
    engine: Engine,
    found: AnsweredAttempt<Subject, Answer>,
  ) => Promise<Subject>
  /** When to ask again. Undefined: the engine stops asking, and `giveUp` decides the attempt. */
  readonly nextCheck?: (now: Date, checks: number) => Date | undefined
  readonly giveUp?: Decided<Answer>
}

export type Concluded<Subject> = {
  readonly subject: Subject
  /** As it is now. Another process may have concluded it already. */
  readonly attempt: attempts.Attempt
  /** Whether this answer decided the attempt. */
  readonly isNews: boolean
}

/**
 * The second commit: applies a provider's answer to an attempt. It is the same whether the answer came at
 * once, late, by a notification, or to an inquiry of the job. An attempt is concluded once.
 *
 * The caller holds the locks of attempt and subject, or has both as they were last written: then `Overtaken`
 * ends the transaction if another process has changed them.
 */
export async function conclude<Subject, Answer extends Told>(
  tx: Scope<Tx>,
  engine: Engine,
  effects: Effects<Subject, Answer>,
  { subject, attempt, answer }: AnsweredAttempt<Subject, Answer>,
): Promise<Concluded<Subject>> {
  if (answer === STILL_ASKED) return { subject, attempt, isNews: false }
  if (attempt.due_at === null) {
    const after = await effects.hearAgain?.(tx, engine, { subject, attempt, answer })
    return { subject: after ?? subject, attempt, isNews: false }
  }
  const again = (effects.nextCheck ?? nextCheck)(tx.clock(), attempt.checks)
  const isOver = again === undefined && effects.giveUp !== undefined
  const decision = isDecided(answer) ? answer : isOver ? effects.giveUp : undefined
  if (decision) {
    const closed = await attempts.change(tx, attempt, closing(decision))
    afterCommit(tx, () => engine.metrics.countAttempt(closed))
    await forgetOrder(tx, engine.vault, attempt)
    const after = await effects.decide(tx, engine, { subject, attempt: closed, answer: decision })
    return { subject: after, attempt: closed, isNews: true }
  }
  const open = answer as Open<Answer>
  const reference = referenceOf(open)
  if (open.outcome !== 'unknown') await forgetCode(tx, engine.vault, attempt)
  const waiting = await attempts.change(tx, attempt, {
    state: open.outcome === 'unknown' ? 'unknown' : 'pending',
    due_at: again ?? nextCheck(tx.clock(), attempt.checks),
    ...(reference !== null && { reference }),
    ...approvalIn(engine, attempt, open),
  })
  const after = await effects.wait?.(tx, engine, { subject, attempt: waiting, before: attempt, answer: open })
  return { subject: after ?? subject, attempt: waiting, isNews: false }
}
