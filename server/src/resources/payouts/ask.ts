import type { Answer, SyncAnswer } from '#connectors/contract/connector.ts'
import type { PayoutOrder } from '#connectors/contract/orders.ts'
import { reconciliationId } from '#domain/reconciliation-id.ts'
import { refusalOf, withInstrument } from '#payments/plan/instruments.ts'
import { inTransaction, type Scope } from '#platform/database/db.ts'
import { ABANDONED, clearOrder, findSent, keepOrder, TOO_LATE } from '#processing/attempts/kept-orders.ts'
import { type Attempt, holdWhileAsked } from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import { askProvider, lineTo } from '#processing/provider.ts'
import { memoryOf, openFields } from '#processing/service-accounts/fields.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { completeAddress } from '#resources/buyers/details.ts'
import { linkTo, optionsFor } from '#resources/payment-services/link.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import type { Prepared } from './prepare.ts'
import type { StoredPayout } from './store.ts'

/** Asks the payment service to pay out. The attempt is already recorded, and no database transaction is open. */
export function askToPayOut(
  scope: Scope,
  { vault, secrets, providers }: Engine,
  { payout, service, connector, source }: Prepared,
): Promise<Answer> {
  return withInstrument(scope, vault, source, async (instrument) => {
    const options = optionsFor(payout.document.connection_options ?? {}, service)
    const fields = await openFields(scope, vault, service, paymentServices.KIND)
    const attempt = { id: payout.id, kind: 'payout' } as const
    const asked = { attempt, connector, order: orderOf(payout, instrument) }
    const order = await keepOrder(scope, vault, { ...asked, onReveal: revealing(scope, payout) })
    if (!order) return ABANDONED
    const memory = memoryOf(scope, secrets, service, fields)
    const line = lineTo(providers, connector, 'payout')
    return askProvider(line, connector.payout, order, { fields, options, memory })
  }).catch(refusalOf)
}

function orderOf(payout: StoredPayout, instrument: PayoutOrder['instrument']): PayoutOrder {
  const { id, document } = payout
  const { merchant, buyer } = document
  return {
    attemptId: id,
    payoutId: id,
    reconciliationId: reconciliationId(id),
    amount: payout.amount,
    currency: payout.currency,
    instrument,
    billing: buyer?.billing_details ?? null,
    category: payout.category,
    externalIdentifier: payout.external_identifier,
    merchant: merchant && {
      ...merchant,
      address: merchant.address ? completeAddress(merchant.address) : null,
    },
  }
}

/** Asks for the outcome of a payout whose answer did not reach us. */
export async function inquire(
  scope: Scope,
  engine: Engine,
  payout: StoredPayout,
  attempt: Attempt,
): Promise<SyncAnswer> {
  const { id, payment_service_id, payment_service_payout_id: reference, document } = payout
  const link = await linkTo(scope, engine, payment_service_id, document.connection_options)
  if (!link?.connector.sync) return { outcome: 'unknown', reason: 'the provider cannot be asked' }
  const { connector, providers } = link
  const line = lineTo(providers, connector, 'sync')
  if (!(await holdWhileAsked(scope, attempt, line))) return ABANDONED
  const about = { attempt, connector, onReveal: revealing(scope, payout) }
  const sent = await findSent<PayoutOrder>(scope, engine.vault, about)
  if (sent.outcome === 'never_sent') return { outcome: 'not_found' }
  // A payout that the provider has named can be looked up for longer than its order is kept.
  if (sent.outcome === 'too_late' && reference === null) return TOO_LATE
  const { sentAt, order } = sent.outcome === 'sent' ? sent : { sentAt: attempt.created_at, order: null }
  const asked = { attemptId: id, transactionId: id, reference, ownReference: reference, sentAt, order }
  const inquiry = { ...asked, operation: 'payout' } as const
  return askProvider(line, link.connector.sync, inquiry, link).finally(() => clearOrder(order))
}

function revealing(scope: Scope, { id }: StoredPayout) {
  const opened = { type: 'payout', id, name: 'payment' }
  return () => inTransaction(scope, (tx) => auditLogs.record(tx, 'revealed', opened))
}
