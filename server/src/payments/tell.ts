import type { Facts, SyncAnswer } from '#connectors/contract/connector.ts'
import type { EventName } from '#domain/event-names.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import type { PaymentAttempt as Attempt } from '#processing/attempts/store.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as events from '#resources/events/store.ts'
import { followPayment } from '#resources/payment-links/follow-payment.ts'
import type { Status } from '#resources/transactions/wire/transaction.ts'
import { toTarget } from './show.ts'
import { intentOutcome, isCapturing, isFailed } from './state.ts'
import * as transactionEvents from './store/events.ts'
import type { StoredTransaction } from './store/payments.ts'

/**
 * The event for reaching a status. Going back to an earlier status has none: the event of the failed
 * operation tells it.
 */
const REACHED: Readonly<Partial<Record<Status, EventName>>> = {
  buyer_approval_pending: 'transaction.authentication-pending',
  authorization_succeeded: 'transaction.authorized',
  authorization_declined: 'transaction.declined',
  authorization_failed: 'transaction.failed',
  authorization_voided: 'transaction.voided',
  authorization_void_pending: 'transaction.void-pending',
  capture_pending: 'transaction.capture-pending',
  capture_succeeded: 'transaction.captured',
}

/** Takes a `Tx`, so that subscribers and the payment's history get a change together with the change. */
export async function tellStatus(
  tx: Scope<Tx>,
  before: Status | null,
  after: StoredTransaction,
  alsoNames: readonly EventName[] = [],
): Promise<void> {
  // A capture has its own events, and after a refused capture the payment returns to a status that was told
  // before.
  const isCaptureOver = before !== null && isCapturing({ status: before }) && !isFailed(after)
  const reached = before === after.status || isCaptureOver ? undefined : REACHED[after.status]
  const names = [...new Set([...alsoNames, ...(reached ? [reached] : [])])]
  await recordStatus(tx, before, after)
  await events.publish(tx, names, toTarget(after))
}

/**
 * Records the status in the payment's history, and lets its payment link follow. Subscribers are not told: they hear of a
 * pending status only if the answer takes long.
 */
export async function recordStatus(
  tx: Scope<Tx>,
  before: Status | null,
  after: StoredTransaction,
): Promise<void> {
  const { id, status, payment_link_id: linkId } = after
  if (before === status) return
  const context = { from: before, status }
  await transactionEvents.record(tx, id, [{ name: 'transaction-updated-status', context }])
  if (linkId !== null) await followPayment(tx, linkId, { id, outcome: intentOutcome(after) })
}

/**
 * An entry of the audit log. An outcome that we learn after the operation was answered gets its own: its actor is the source, which is
 * the caller of a sync, the provider that notifies us, the job, or the page on which the buyer decided.
 */
export function audit(
  tx: Scope<Tx>,
  action: Parameters<typeof auditLogs.record>[1],
  { id, currency, amount }: Pick<StoredTransaction, 'id' | 'currency' | 'amount'>,
  shown = amount,
): Promise<void> {
  return auditLogs.record(tx, action, { type: 'transaction', id, name: `${currency} ${shown}` })
}

type Service = {
  readonly id: string
  readonly display_name: string
  readonly payment_service_definition_id: string
}
export type RetryRule =
  | 'failure'
  | 'retriable_decline'
  | 'payment_method_replacement'
  | 'instrument_fallback'
  | 'step_up'
  | null

/** A provider's answer, as an event for the payment's history. */
export function answered(
  attempt: Attempt,
  answer: SyncAnswer,
  service: Service | undefined,
  more: { readonly retryRule: RetryRule; readonly transaction: StoredTransaction },
): transactionEvents.NewEvent[] {
  const name = NAMES[attempt.kind]?.[answer.outcome]
  // A refund to a gift card goes through no payment service, and has events of its own.
  const isOfGiftCard = attempt.kind === 'refund' && !service
  if (!name || isOfGiftCard) return []
  const facts: Facts = 'facts' in answer ? answer.facts : {}
  const { document } = more.transaction
  const context = {
    attempt_id: attempt.id,
    operation: attempt.kind,
    ...(attempt.kind === 'refund' && { refund_id: attempt.subject_id }),
    amount: attempt.amount,
    payment_service_id: attempt.service_id,
    payment_service_display_name: service?.display_name ?? null,
    payment_service_definition_id: service?.payment_service_definition_id ?? null,
    payment_service_transaction_id: 'reference' in answer ? answer.reference : null,
    status: answer.outcome,
    code: 'code' in answer ? answer.code : null,
    instrument_type: attempt.instrument_type ?? document.instrument_type,
    payment_method_scheme: document.payment_method?.scheme ?? null,
    retry_rule: more.retryRule,
    raw_response_code: facts.rawCode ?? null,
    raw_response_description: facts.rawDescription ?? null,
    auth_response_code: facts.authResponseCode ?? null,
    avs_response_code: facts.avsResponseCode ?? null,
    cvv_response_code: facts.cvvResponseCode ?? null,
  }
  return [{ name, context }]
}

type Names = Readonly<Partial<Record<SyncAnswer['outcome'], transactionEvents.NewEvent['name']>>>

/** An undecided answer has no event, except for cancelling. */
const NAMES: Readonly<Record<Attempt['kind'], Names | undefined>> = {
  authorize: {
    approved: 'payment-connector-response-transaction-authorization-succeeded',
    declined: 'payment-connector-response-transaction-declined',
    failed: 'payment-connector-response-transaction-authorization-failed',
    not_found: 'payment-connector-response-transaction-authorization-failed',
  },
  capture: {
    approved: 'payment-connector-response-transaction-capture-succeeded',
    declined: 'payment-connector-response-transaction-capture-declined',
    failed: 'payment-connector-response-transaction-capture-failed',
    not_found: 'payment-connector-response-transaction-capture-failed',
  },
  void: {
    approved: 'payment-connector-response-transaction-void-succeeded',
    declined: 'payment-connector-response-transaction-void-declined',
    failed: 'payment-connector-response-transaction-void-failed',
    not_found: 'payment-connector-response-transaction-void-failed',
  },
  cancel: {
    approved: 'payment-connector-response-transaction-cancel-succeeded',
    pending: 'payment-connector-response-transaction-cancel-pending',
    declined: 'payment-connector-response-transaction-cancel-failed',
    failed: 'payment-connector-response-transaction-cancel-failed',
    not_found: 'payment-connector-response-transaction-cancel-failed',
  },
  increment: {
    approved: 'payment-connector-response-transaction-authorization-increment-succeeded',
    declined: 'payment-connector-response-transaction-authorization-increment-failed',
    failed: 'payment-connector-response-transaction-authorization-increment-failed',
    not_found: 'payment-connector-response-transaction-authorization-increment-failed',
  },
  refund: {
    approved: 'payment-connector-response-transaction-refund-succeeded',
    declined: 'payment-connector-response-transaction-refund-declined',
    failed: 'payment-connector-response-transaction-refund-failed',
    not_found: 'payment-connector-response-transaction-refund-failed',
  },
  redeem: undefined,
  reverse: undefined,
}
