import type { Answer, SyncAnswer } from '#connectors/contract/connector.ts'
import type { PayoutOrder } from '#connectors/contract/orders.ts'
import { createdAt } from '#domain/ids.ts'
import { reconciliationId } from '#domain/reconciliation-id.ts'
import type { Scope } from '#platform/db.ts'
import type { Engine } from '#processing/engine.ts'
import { askProvider } from '#processing/provider.ts'
import { openFields } from '#processing/service-accounts/open-fields.ts'
import { completeAddress } from '#resources/buyers/complete-details.ts'
import { linkTo, optionsFor } from '#resources/payment-services/link.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import { refusalOf, withInstrument } from '#resources/transactions/authorization/open-instrument.ts'
import type { Prepared } from './prepare.ts'
import type { StoredPayout } from './store.ts'

/** Asks the payment service to pay out. The attempt is already recorded, and no database transaction is open. */
export function askToPayOut(
  scope: Scope,
  { vault, providers }: Engine,
  { payout, service, payOut, source }: Prepared,
): Promise<Answer> {
  return withInstrument(scope, vault, source, async (instrument) => {
    const options = optionsFor(payout.document.connection_options ?? {}, service)
    const fields = await openFields(scope, vault, service, paymentServices.KIND)
    return askProvider(providers, payOut, orderOf(payout, instrument), { fields, options })
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
  { id, payment_service_id, payment_service_payout_id: reference, document }: StoredPayout,
): Promise<SyncAnswer> {
  const link = await linkTo(scope, engine, payment_service_id, document.connection_options)
  if (!link?.connector.sync) return { outcome: 'unknown', reason: 'the provider cannot be asked' }
  const asked = { attemptId: id, transactionId: id, reference, sentAt: createdAt(id), order: null }
  const inquiry = { ...asked, operation: 'payout' } as const
  return askProvider(link.providers, link.connector.sync, inquiry, link)
}
