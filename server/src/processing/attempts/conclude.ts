import { ERROR_CODES, type ErrorCode } from '#connectors/contract/codes.ts'
import type { Answer, Approval, Approved, Facts, SyncAnswer } from '#connectors/contract/connector.ts'
import type { Secrets } from '#platform/access/secrets.ts'
import { afterCommit, inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import type { Engine } from '../engine.ts'
import { afterRequest, STILL_ASKED, waitInTime } from './ask-between-commits.ts'
import { forgetCode, forgetOrder } from './kept-orders.ts'
import * as attempts from './store.ts'
import { type Attempt, nextCheck } from './store.ts'

/** An attempt, its subject, and the provider's answer. */
export type AnsweredAttempt<Subject, Said> = {
  readonly subject: Subject
  readonly attempt: attempts.Attempt
  readonly answer: Said
}

/** What an answer changes beyond the attempt itself. Each function returns the changed subject. */
export type Effects<Subject, Answer extends ProviderAnswer> = {
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
export async function conclude<Subject, Answer extends ProviderAnswer>(
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

/** What the engine must know to send, inquire about and conclude one kind of attempt. */
export type Kind<Subject, Answer extends ProviderAnswer> = Effects<Subject, Answer> & {
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
export async function resolve<Subject, Answer extends ProviderAnswer>(
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
export async function concludeLate<Subject, Answer extends ProviderAnswer>(
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

function wayFor<Subject, Answer extends ProviderAnswer>(
  { ask, inquire, complete }: Kind<Subject, Answer>,
  { state, may_complete }: Attempt,
): Ask<Subject, Answer> {
  if (state === 'queued') return ask
  return may_complete && complete ? complete : inquire
}

/** Takes the locks, then concludes. */
export async function concludeHeld<Subject, Answer extends ProviderAnswer>(
  tx: Scope<Tx>,
  engine: Engine,
  kind: Pick<Kind<Subject, Answer>, 'lock'> & Effects<Subject, Answer>,
  { attempt, answer }: { readonly attempt: Attempt; readonly answer: Answer },
): Promise<Concluded<Subject>> {
  return conclude(tx, engine, kind, { ...(await kind.lock(tx, attempt)), answer })
}

/** A provider's answer about an attempt. Not every approval has an id of the provider. */
export type ProviderAnswer = SyncAnswer | (Omit<Approved, 'reference'> & { readonly reference: null })

/** An answer that leaves the attempt open. */
export type Open<A extends ProviderAnswer = SyncAnswer> = Extract<
  A,
  { outcome: 'unknown' | 'pending' | 'approval_required' }
>
/** An answer that decides the attempt. */
export type Decided<A extends ProviderAnswer = SyncAnswer> = Exclude<A, Open>

export function isDecided<A extends ProviderAnswer>(answer: A): answer is Decided<A> {
  return !['unknown', 'pending', 'approval_required'].includes(answer.outcome)
}

/** No money moved, and none will. */
export type Refusal = Extract<SyncAnswer, { outcome: 'declined' | 'failed' | 'not_found' }>

export function isRefusal(answer: SyncAnswer): answer is Refusal {
  return isDecided(answer) && answer.outcome !== 'approved'
}

export function codeOf(answer: Decided<ProviderAnswer>): ErrorCode | null {
  return answer.outcome === 'approved' ? null : codeOfRefusal(answer)
}

/** The provider has never seen an attempt that it does not find, and will refuse it if it still arrives: a network error. */
export function codeOfRefusal(answer: Refusal): ErrorCode {
  return answer.outcome === 'not_found' ? 'service_network_error' : answer.code
}

/** How a capture, a refund or a redemption ended, in the words of the API. */
export function endOf({ outcome }: Decided): 'succeeded' | 'declined' | 'failed' {
  if (outcome === 'approved') return 'succeeded'
  return outcome === 'declined' ? 'declined' : 'failed'
}

export function factsOf(answer: ProviderAnswer): Facts {
  return 'facts' in answer ? answer.facts : {}
}

/** The provider's own id of what it did. */
export function referenceOf(answer: ProviderAnswer): string | null {
  return 'reference' in answer ? answer.reference : null
}

/**
 * What an attempt keeps of the answer that decides it. The provider may later refer to it by its reference.
 */
export function closing(answer: Decided<ProviderAnswer>) {
  const reference = referenceOf(answer)
  const { rawCode = null, rawDescription = null } = factsOf(answer)
  return {
    state: answer.outcome === 'not_found' ? ('failed' as const) : answer.outcome,
    due_at: null,
    error_code: codeOf(answer),
    raw_response_code: rawCode,
    raw_response_description: rawDescription,
    ...(reference !== null && { reference }),
  }
}

/** Our own refusal, in the shape of a provider's. */
export function refusal(code: keyof typeof ERROR_CODES): Extract<Answer, { outcome: 'declined' | 'failed' }> {
  const { category, isRetriable } = ERROR_CODES[code]
  const outcome = category === 'decline' ? 'declined' : 'failed'
  return { outcome, code, isRetriable, reference: null, facts: {} }
}

/** What a buyer's browser brought back from the provider: parameters of the address and of a form. */
export type Returned = Readonly<Record<string, string>>

/** An approval that needs a page of ours. */
export type ShownApproval = Exclude<Approval, { kind: 'redirect' }>

type Kept = Pick<Attempt, 'id' | 'returned' | 'approval'>

export function sealReturned({ seal }: Secrets, { id }: Kept, returned: Returned): Buffer {
  return seal('returned', id, JSON.stringify(returned))
}

/** Null if the buyer has not come back. */
export function openReturned({ open }: Secrets, { id, returned }: Kept): Returned | null {
  return returned && JSON.parse(open('returned', id, returned))
}

/** Null if the provider has an address of its own for the buyer. */
export function openApproval({ open }: Secrets, { id, approval }: Kept): ShownApproval | null {
  return approval && JSON.parse(open('approval', id, approval))
}

/**
 * How an attempt changes by an answer that leaves it open. If the provider still waits for the buyer, then what the buyer
 * brought back is used up.
 */
function approvalIn(
  { secrets }: Engine,
  attempt: Attempt,
  answer: Open<ProviderAnswer>,
): Partial<Pick<Attempt, 'may_complete' | 'returned' | 'approval'>> {
  if (answer.outcome !== 'approval_required') return {}
  const { approval } = answer
  const isShown = approval.kind !== 'redirect'
  return {
    ...(attempt.may_complete && { may_complete: false, returned: null }),
    ...(isShown && { approval: secrets.seal('approval', attempt.id, JSON.stringify(approval)) }),
    ...(!isShown && attempt.approval && { approval: null }),
  }
}
