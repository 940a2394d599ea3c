import type { Scope, Tx } from '#platform/database/db.ts'
import type { Open } from '#processing/attempts/answer.ts'
import type { Engine } from '#processing/engine.ts'
import { approvalEnd } from '../approval/approval-time.ts'
import { approvalUrl } from '../approval/approval-url.ts'
import { sessionToken } from '../approval/session-token.ts'
import * as state from '../state.ts'
import * as transactions from '../store/payments.ts'
import { tellStatus } from '../tell.ts'
import { forgetCodeOfSession } from './finish-card.ts'
import { outcomeOf } from './outcome.ts'

/** The provider has not decided yet, or wants the buyer to approve on its own page. */
export async function waitForAuthorization(
  tx: Scope<Tx>,
  engine: Engine,
  transaction: transactions.StoredTransaction,
  answer: Open,
): Promise<transactions.StoredTransaction> {
  const { vault, secrets } = engine
  if (answer.outcome === 'unknown') return transaction
  // The provider has received the security code.
  await forgetCodeOfSession(tx, vault, transaction)
  if (!state.isUndecided(transaction)) return transaction
  const known = { payment_service_transaction_id: answer.reference, outcome: outcomeOf(answer.facts) }
  if (answer.outcome === 'pending') return transactions.change(tx, transaction, known)
  // Set once, so that an inquiry does not give the buyer more time.
  const approval_expires_at =
    (state.isBuyerAsked(transaction) ? transaction.outcome.approval_expires_at : null) ??
    approvalEnd(tx.clock, answer.expiresAt).toISOString()
  const { approval } = answer
  const ourUrl = approvalUrl(engine, transaction)
  const after = await transactions.change(tx, transaction, {
    ...known,
    ...state.BUYER_ASKED,
    outcome: {
      ...known.outcome,
      approval_url: approval.kind === 'redirect' ? approval.url : ourUrl,
      approval_frame_url: approval.kind === 'redirect' && approval.isForFrames ? ourUrl : null,
      approval_expires_at,
      session_token: answer.hasSession ? sessionToken(secrets, transaction) : null,
    },
  })
  await tellStatus(tx, transaction.status, after)
  return after
}
