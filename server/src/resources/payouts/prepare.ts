import type { Connector } from '#connectors/contract/connector.ts'
import { isExpired, parseExpiration } from '#domain/card.ts'
import { newId } from '#domain/ids.ts'
import { withoutNumbers } from '#payments/document.ts'
import { findBuyer } from '#payments/prepare/find-buyer.ts'
import { findStoredPayer, findTypedPayer } from '#payments/prepare/find-payer.ts'
import type { Source } from '#payments/prepare/payer.ts'
import type { Scope } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import type { Engine } from '#processing/engine.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import type { PaymentMethodRequest } from '#resources/transactions/wire/payment-method.ts'
import { isTyped } from './check-request.ts'
import type { PayoutCreate } from './schemas.ts'
import type { StoredPayout } from './store.ts'

/** A payout whose parts are found and checked. Nothing of it is stored or sent yet. */
export type Prepared = {
  readonly payout: StoredPayout
  readonly service: paymentServices.StoredService
  readonly connector: Payer
  readonly source: Source
}

type Payer = Connector & Required<Pick<Connector, 'payout'>>

/** Finds the service, the card and the buyer that a request names. Refuses what cannot be paid out. */
export async function prepare(scope: Scope, engine: Engine, request: PayoutCreate): Promise<Prepared> {
  const { service, connector } = await findService(scope, engine, request)
  const card = await findCard(scope, engine, request)
  const { buyer } = await findBuyer(
    scope,
    {
      buyer_id: request.buyer_id ?? null,
      buyer_external_identifier: request.buyer_external_identifier ?? null,
      guest: request.buyer ?? null,
      shipping_details_id: null,
    },
    card,
    ANY_BUYER,
  )
  const now = scope.clock()
  const payout: StoredPayout = {
    merchant_account_id: scope.merchantAccountId,
    id: newId(now.getTime()),
    amount: request.amount,
    currency: request.currency,
    category: request.category ?? null,
    external_identifier: request.external_identifier ?? null,
    payment_service_id: service.id,
    document: {
      payment_method: card.snapshot,
      buyer,
      merchant: request.merchant ?? null,
      connection_options: withoutNumbers(request.connection_options ?? null),
    },
    status: 'pending',
    payment_service_payout_id: null,
    updated_at: now,
  }
  return { payout, service, connector, source: card.source }
}

/** Browser tokens cannot pay out, so the caller may name any buyer of the account. */
const ANY_BUYER = () => true

async function findService(
  scope: Scope,
  { providers }: Engine,
  { payment_service_id, currency }: PayoutCreate,
): Promise<Pick<Prepared, 'service' | 'connector'>> {
  const at = '/payment_service_id'
  const service = await paymentServices.find(scope, payment_service_id)
  if (!service) {
    throw errors.invalid(inBody(at, 'value_error.not_found', 'there is no such payment service'))
  }
  const connector = providers.connectors.find(service.payment_service_definition_id)
  if (!connector || !canPayOut(connector)) {
    const message = 'name another payment service: this one cannot pay out to cards'
    throw errors.invalid(inBody(at, 'value_error.conflict', message))
  }
  if (!service.active || service.status !== 'created') {
    const message = 'activate the payment service, or name another one: this one is not active'
    throw errors.invalid(inBody(at, 'value_error.conflict', message))
  }
  if (!service.accepted_currencies.includes(currency)) {
    const message = 'use a currency that the payment service accepts, or add this one to it'
    throw errors.invalid(inBody('/currency', 'value_error.conflict', message))
  }
  return { service, connector }
}

function canPayOut(connector: Connector): connector is Payer {
  return connector.payout !== undefined
}

/** The card that gets the money, as it is now. */
async function findCard(scope: Scope, { vault }: Engine, { payment_method: given }: PayoutCreate) {
  const method = (isTyped(given) ? { kind: 'card', body: given } : { kind: 'id', body: given }) as Extract<
    PaymentMethodRequest,
    { kind: 'card' | 'id' }
  >
  const card =
    method.kind === 'card'
      ? await findTypedPayer(scope, vault, method)
      : await findStoredPayer(scope, vault, method.body, ANY_BUYER)
  if (card.method !== 'card') {
    const message = 'name a stored card: payouts go to cards only'
    throw errors.invalid(inBody('/payment_method/id', 'value_error.conflict', message))
  }
  const expiration = parseExpiration(card.snapshot.expiration_date ?? '')
  if (expiration && isExpired(expiration, scope.clock())) {
    const message = 'name another card: this one has expired'
    throw errors.invalid(inBody('/payment_method/id', 'value_error.expired', message))
  }
  const scheme = isTyped(given) ? given.card_scheme : null
  if (!scheme || card.source.kind !== 'typed') return card
  // The caller chooses among the schemes of the card. We may not know all of them.
  const source = { ...card.source, facts: { ...card.source.facts, scheme } }
  return { ...card, source, snapshot: { ...card.snapshot, scheme } }
}
