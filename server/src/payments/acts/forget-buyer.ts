import { inTransaction, type Scope } from '#platform/database/db.ts'
import * as attempts from '#processing/attempts/store.ts'
import * as exchanges from '#processing/exchanges/store.ts'
import { forgetCard } from '#resources/checkout/sessions/forget-card.ts'
import * as sessions from '#resources/checkout/sessions/store.ts'
import * as disputeEvidence from '#resources/disputes/evidence.ts'
import * as events from '#resources/events/store.ts'
import * as facts from '#resources/metrics-explorer/facts/store.ts'
import * as paymentLinks from '#resources/payment-links/store.ts'
import { forgetNotes } from '#resources/payment-service-reports/lines/disputes.ts'
import type { Vault } from '#vault'
import type { Document, OrderDetails, PaymentMethodSnapshot } from '../document.ts'
import { isOpen } from '../state.ts'
import * as captures from '../store/captures.ts'
import * as transactionEvents from '../store/events.ts'
import * as transactions from '../store/payments.ts'
import * as refunds from '../store/refunds.ts'

/**
 * Takes everything personal out of a payment and of all that belongs to it, in one commit. Amounts, times, codes and references
 * stay, so that the books do. Returns false while the payment is open: it may still need what it knows.
 */
export function forgetBuyer(scope: Scope, vault: Vault, id: string): Promise<boolean> {
  return inTransaction(scope, async (tx) => {
    const payment = await transactions.lock(tx, id)
    if (!payment) return true
    if (await isStillOpen(tx, payment)) return false
    const document = anonymousDocument(payment.document)
    await transactions.forgetBuyer(tx, payment, { document, outcome: anonymousOutcome(payment.outcome) })
    await facts.forgetMetadata(tx, payment)
    await transactionEvents.forgetBuyer(tx, id)
    await attempts.forgetBuyer(tx, id)
    await forgetNotes(tx, id)
    await disputeEvidence.removeOf(tx, id)
    await exchanges.removeOf(tx, id)
    const told = [id, ...(await captures.forgetBuyer(tx, id)), ...(await refunds.forgetBuyer(tx, id))]
    const { checkout_session_id: sessionId, payment_link_id: linkId } = payment
    if (linkId !== null) told.push(...(await paymentLinks.forgetBuyer(tx, { id: linkId })))
    await events.keepFacts(tx, told)
    if (sessionId !== null) {
      await forgetCard(tx, vault, { id: sessionId })
      await sessions.forgetBuyer(tx, sessionId)
    }
    return true
  })
}

async function isStillOpen(scope: Scope, payment: transactions.StoredTransaction): Promise<boolean> {
  return isOpen(payment) || (await attempts.openOf(scope, payment.id)).length > 0
}

/** Fields that say nothing about a person. Every other field goes, also one that is added later. */
const KEPT_DETAILS = [
  'installment_count',
  'tax_amount',
  'amount_includes_tax',
  'merchant_tax_id',
  'duty_amount',
  'shipping_amount',
  'account_funding_transaction',
  'statement_descriptor',
  'async_capture',
] as const satisfies readonly (keyof OrderDetails)[]

function anonymousDocument({ payment_method, instrument_type, order, flow }: Document): Document {
  const kept = KEPT_DETAILS.flatMap((name) => (name in order ? [[name, order[name]]] : []))
  return {
    payment_method: payment_method && anonymousMethod(payment_method),
    instrument_type,
    buyer: null,
    shipping_details: null,
    metadata: null,
    three_d_secure_data: null,
    challenge: null,
    holds_card: false,
    redirect_url: null,
    connection_options: null,
    previous_scheme_transaction_id: null,
    previous_transaction_link_id: null,
    order: Object.fromEntries(kept),
    ...(flow && { flow }),
  }
}

/** The last digits of a card stay: chargebacks name them. Of an account at a provider, the label is often an e-mail address. */
function anonymousMethod(method: PaymentMethodSnapshot): PaymentMethodSnapshot {
  const { label } = method
  return {
    ...method,
    label: label !== null && /^\d{4}$/.test(label) ? label : null,
    fingerprint: null,
    external_identifier: null,
    payment_account_reference: null,
  }
}

function anonymousOutcome(outcome: transactions.Outcome): transactions.Outcome {
  const {
    raw_response_description: _description,
    payment_account_reference: _account,
    approval_url: _url,
    approval_frame_url: _frame,
    session_token: _token,
    ...kept
  } = outcome
  return kept
}
