import { createdAt } from '#domain/ids.ts'
import { buyerOf } from '#payments/show.ts'
import type { Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import type { Attempt } from '#processing/attempts/store.ts'
import { completeAddress } from '#resources/buyers/details.ts'
import type { Target } from '#resources/events/store.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import type { TransactionPaymentMethod } from '#resources/transactions/wire/payment-method.ts'
import type { NewPayoutMerchant, Payout, PayoutMerchant } from './schemas.ts'
import * as payouts from './store.ts'

export type Service = Pick<
  paymentServices.StoredService,
  'id' | 'payment_service_definition_id' | 'display_name'
>

/** A payout as the API shows it. */
export async function showPayout(scope: Scope, id: string): Promise<Payout> {
  const payout = await payouts.find(scope, id)
  if (!payout) throw errors.notFound()
  return toPayout(payout, await findService(scope, payout))
}

/** The service of a payout, also a deleted one. */
export async function findService(
  scope: Scope,
  { payment_service_id: id }: payouts.StoredPayout,
): Promise<paymentServices.WorkingService> {
  const service = (await paymentServices.findMany(scope, [id])).get(id)
  if (!service) throw new Error('a payout has no payment service')
  return service
}

export function toPayout(payout: payouts.StoredPayout, service: Service): Payout {
  const { document } = payout
  return {
    type: 'payout',
    id: payout.id,
    merchant_account_id: payout.merchant_account_id,
    status: payout.status,
    amount: payout.amount,
    currency: payout.currency,
    category: payout.category,
    external_identifier: payout.external_identifier,
    payment_method: methodOf(payout),
    payment_service: {
      type: 'payment-service',
      id: service.id,
      method: 'card',
      payment_service_definition_id: service.payment_service_definition_id,
      display_name: service.display_name,
    },
    payment_service_payout_id: payout.payment_service_payout_id,
    buyer: document.buyer && buyerOf(document.buyer),
    merchant: document.merchant && merchantOf(document.merchant),
    created_at: createdAt(payout.id).toISOString(),
    updated_at: payout.updated_at.toISOString(),
  }
}

/** The payout in events: with the reason of a refusal, for which the answers of the API have no field. */
export function toTarget(payout: payouts.StoredPayout, service: Service, attempt: Attempt): Target {
  return {
    ...toPayout(payout, service),
    error_code: attempt.error_code,
    raw_response_code: attempt.raw_response_code,
    raw_response_description: attempt.raw_response_description,
  }
}

function methodOf({ document }: payouts.StoredPayout) {
  return {
    type: 'payment-method',
    ...document.payment_method,
    payment_account_reference: null,
    approval_url: null,
    approval_target: null,
  } as TransactionPaymentMethod
}

function merchantOf({ address, ...merchant }: NewPayoutMerchant): PayoutMerchant {
  return { type: 'merchant', ...merchant, address: address ? completeAddress(address) : null }
}
