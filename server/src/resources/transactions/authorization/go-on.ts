import { inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import { closing } from '#processing/attempts/answer.ts'
import { forgetOrder } from '#processing/attempts/kept-orders.ts'
import * as attempts from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import { approvalUrl } from '../approval/approval-url.ts'
import { approvalExpiry } from '../approval/request-approval.ts'
import * as transactionEvents from '../events/store.ts'
import { answered, type RetryRule, tellStatus } from '../events/tell.ts'
import { lockWithAttempt } from '../lock-with-attempt.ts'
import { holdLimit } from '../scheme-advices/hold-limit.ts'
import { noteDecline } from '../scheme-advices/note-decline.ts'
import type { Objection } from '../scheme-advices/objection.ts'
import * as state from '../state.ts'
import * as transactions from '../store.ts'
import { authenticationEvents } from './authenticate.ts'
import { beginAttempt } from './begin-attempt.ts'
import { shownAs } from './choose-instrument.ts'
import type { Step } from './decide-step.ts'
import { holdCardOf } from './hold-card.ts'
import type { Refusal } from './reason-to-end.ts'
import type { Answered, Authorization, Turn } from './turn.ts'

type Given = { readonly given: Authorization; readonly turn: Turn }
type Again = Given & Omit<Extract<Step, { go: 'again' }>, 'go'>
type Challenged = Given & Omit<Extract<Step, { go: 'challenge' }>, 'go'>

/**
 * Refuses one attempt and begins the next in one commit. Returns undefined if the payment was decided
 * meanwhile. `over`: other payments with the card have used up a limit meanwhile, and nothing was begun.
 */
export function tryAgain(
  scope: Scope,
  engine: Engine,
  again: Again,
): Promise<Turn | { readonly over: Objection } | undefined> {
  const { given, turn, found, isSame, steppedUp, besides, events, standing } = again
  const { chosen, presented, others } = found
  const authenticated = steppedUp?.by === 'us' ? steppedUp.authenticated : null
  return inTransaction(scope, async (tx) => {
    const isAfterDecline = again.answer.outcome === 'declined'
    const planned = { payment: turn.transaction, now: tx.clock(), isAfterDecline }
    const over = await holdLimit(tx, { standing, planned })
    if (over) return { over }
    const refused = await refuseAttempt(tx, engine, { ...again, isGoingOn: true })
    if (!refused) return undefined
    const moved = await transactions.change(tx, refused.transaction, {
      payment_service_id: chosen.service.id,
      outcome: { ...shownAs(presented), ...(authenticated && { three_d_secure: authenticated.summary }) },
    })
    const proof = authenticated ? authenticationEvents(authenticated) : []
    await transactionEvents.record(tx, moved.id, [...events, ...proof])
    const { isAsyncCapture } = given
    const attempt = await beginAttempt(tx, engine, { transaction: moved, chosen, presented, isAsyncCapture })
    return {
      transaction: moved,
      attempt,
      chosen,
      presented,
      waiting: others,
      threeDSecure: steppedUp ? (authenticated?.result ?? 'provider') : proofFor(again),
      besides: isSame ? besides : [],
      wasReplaced: turn.wasReplaced || again.isReplaced,
      times: isSame ? turn.times + 1 : 1,
    }
  })
}

/** The proof of our own server is good at every service. What one provider was to do, the next one decides by its own settings. */
function proofFor({ turn, isSame, given }: Again): Turn['threeDSecure'] {
  if (isSame || turn.threeDSecure !== 'provider') return turn.threeDSecure
  return given.threeDSecure
}

/**
 * The issuer wants to ask the buyer before the service is asked again: the payment waits for the approval, and then goes on as one
 * that waited from the start. Returns nothing new if the payment was decided meanwhile.
 */
export function askBuyer(
  scope: Scope,
  engine: Engine,
  challenged: Challenged,
): Promise<Pick<Answered, 'transaction' | 'attempt'> | undefined> {
  const { given, authenticated } = challenged
  return inTransaction(scope, async (tx) => {
    const step = { ...challenged, retryRule: 'step_up', isGoingOn: true } as const
    const refused = await refuseAttempt(tx, engine, step)
    if (!refused) return undefined
    const { transaction: before, attempt } = refused
    const isHeld = await holdCardOf(tx, engine.vault, before, given.source)
    const documented = await transactions.changeDocument(tx, before, {
      ...before.document,
      holds_card: before.document.holds_card || isHeld,
      challenge: {
        ...authenticated.challenge,
        payment_service_id: given.paymentServiceId,
        is_partial_allowed: given.isPartialAllowed,
      },
    })
    const url = approvalUrl(engine, before)
    const waiting = await transactions.change(tx, documented, {
      ...state.BUYER_ASKED,
      outcome: {
        three_d_secure: authenticated.summary,
        approval_url: url,
        approval_frame_url: url,
        approval_expires_at: approvalExpiry(tx.clock(), before).toISOString(),
      },
    })
    await transactionEvents.record(tx, waiting.id, authenticationEvents(authenticated))
    await tellStatus(tx, before.status, waiting)
    return { transaction: waiting, attempt }
  })
}

type Refused = Given & {
  readonly answer: Refusal
  readonly retryRule: NonNullable<RetryRule>
  readonly isGoingOn: boolean
}

/** Under the lock of the payment. Undefined: another process has decided it. */
async function refuseAttempt(
  tx: Scope<Tx>,
  { vault }: Engine,
  { turn, answer, retryRule, isGoingOn }: Refused,
): Promise<Pick<Answered, 'transaction' | 'attempt'> | undefined> {
  const found = await lockWithAttempt(tx, turn.attempt)
  if (!found || !state.isProcessing(found.transaction) || found.attempt.due_at === null) return undefined
  const { transaction } = found
  const attempt = await attempts.change(tx, found.attempt, closing(answer))
  await forgetOrder(tx, vault, found.attempt)
  const told = answered(attempt, answer, turn.chosen.service, { retryRule, transaction })
  await transactionEvents.record(tx, transaction.id, told)
  await noteDecline(tx, transaction, { attempt, answer, isGoingOn })
  return { transaction, attempt }
}
