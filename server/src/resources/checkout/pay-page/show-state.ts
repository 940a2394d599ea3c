import { createHash } from 'node:crypto'
import type { FailureReason, OwnPayment, PageState } from '#domain/pay-page.ts'
import { findOutcome } from '#payments/find.ts'
import { showTransaction } from '#payments/show.ts'
import * as transactions from '#payments/store/payments.ts'
import type { Context, Scope } from '#platform/database/db.ts'
import { isId, isSameKey } from '#platform/http/incoming.ts'
import { withPayment } from '#resources/approvals/return-url.ts'
import type { Transaction } from '#resources/transactions/wire/transaction.ts'
import type { Bill } from './bill.ts'

/** What a browser shows to tell which payment it has made. */
export type Claimed = {
  /** In the address to which an approval page returned the buyer. */
  readonly transactionId?: unknown
  /** The secret of the form that was sent. */
  readonly attempt?: unknown
}

/** How a bill stands, for a browser. Others who have the address do not see its payment. */
export async function showState(context: Context, bill: Bill, claimed: Claimed): Promise<PageState> {
  const { status, tries } = bill.standing
  const own = await findOwn(context, bill, claimed)
  return {
    status,
    tries,
    amount: bill.amount,
    currency: bill.currency,
    waits_until: status === 'processing' ? await waitsUntil(context, bill) : null,
    own: own ? showOwn(bill, await showTransaction(context, own), own) : null,
  }
}

async function waitsUntil(context: Context, { merchantAccountId, standing }: Bill): Promise<string | null> {
  const { lastTransactionId: id } = standing
  const last = id ? await findOutcome({ ...context, merchantAccountId }, id) : undefined
  return last?.waitsUntil ?? null
}

export function hashOf(attempt: string): string {
  return createHash('sha256').update(attempt).digest('hex')
}

export async function findOwn(
  context: Context,
  bill: Bill,
  { transactionId, attempt }: Claimed,
): Promise<transactions.StoredTransaction | undefined> {
  const { lastAttempt, lastTransactionId } = bill.standing
  const isLatest =
    typeof attempt === 'string' && lastAttempt !== null && isSameKey(lastAttempt, hashOf(attempt))
  const id = isLatest ? lastTransactionId : transactionId
  if (typeof id !== 'string' || !isId(id)) return undefined
  const scope: Scope = { ...context, merchantAccountId: bill.merchantAccountId }
  const stored = await transactions.find(scope, id)
  if (!stored || (stored.payment_link_id !== bill.id && stored.checkout_session_id !== bill.id))
    return undefined
  return stored
}

function showOwn(bill: Bill, payment: Transaction, stored: transactions.StoredTransaction): OwnPayment {
  const { intent_outcome: outcome, payment_method: method } = payment
  const approval_url = outcome === 'pending' ? (method?.approval_url ?? null) : null
  const { returnUrl } = bill.page
  return {
    id: payment.id,
    outcome,
    reason: outcome === 'failed' ? reasonOf(payment) : null,
    approval_url,
    approval_frame_url: approval_url && (stored.outcome.approval_frame_url ?? null),
    return_url: returnUrl === null ? null : withPayment(returnUrl, payment),
    method: payment.method ?? 'gift-card',
    scheme: method?.scheme ?? null,
    label: method?.label ?? null,
    gift_card_amount: payment.gift_card_redemptions.reduce((sum, { amount }) => sum + amount, 0),
    created_at: payment.created_at,
    external_identifier: payment.external_identifier,
  }
}

const REASONS: Readonly<Record<string, FailureReason>> = {
  insufficient_funds: 'no_funds',
  expired_payment_method: 'expired_card',
  incorrect_cvv: 'wrong_code',
  incorrect_expiry_date: 'wrong_expiry',
  unsupported_scheme: 'wrong_kind',
  unsupported_payment_method: 'wrong_kind',
  unknown_payment_method: 'wrong_kind',
  service_network_error: 'unavailable',
  failed_buyer_approval: 'not_approved',
  cancelled_buyer_approval: 'not_approved',
  incomplete_buyer_approval: 'not_approved',
}

/** Suspected fraud is not mentioned. */
function reasonOf({ error_code, raw_response_code }: Transaction): FailureReason {
  return REASONS[error_code ?? ''] ?? (raw_response_code === null ? 'failed' : 'declined')
}
