import type { Scope } from '#platform/database/db.ts'
import * as paymentMethods from '#resources/payment-methods/store.ts'
import { complete } from '#resources/transactions/wire/complete.ts'
import { Airline, CartItem, GuestBuyer } from '#resources/transactions/wire/order.ts'
import type { CheckoutSession, EnteredMethod } from './schemas.ts'
import type { StoredSession } from './store.ts'

export async function showSession(scope: Scope, session: StoredSession): Promise<CheckoutSession> {
  return {
    type: 'checkout-session',
    id: session.id,
    metadata: session.metadata,
    amount: session.amount,
    currency: session.currency,
    country: session.country,
    payment_service_id: session.payment_service_id,
    intent: session.intent,
    payment_source: session.payment_source,
    merchant_initiated: session.merchant_initiated,
    is_subsequent_payment: session.is_subsequent_payment,
    cart_items: session.cart_items?.map((item) => complete(CartItem, item)) ?? null,
    buyer: session.buyer && complete(GuestBuyer, session.buyer),
    airline: session.airline && complete(Airline, session.airline),
    expires_at: session.expires_at.toISOString(),
    payment_method: await enteredMethod(scope, session),
  }
}

/** A stored method that was deleted since is not shown. */
async function enteredMethod(scope: Scope, session: StoredSession): Promise<EnteredMethod | null> {
  if (session.method === 'card') return toEntered(null, session)
  if (session.method === 'click-to-pay') {
    const unknown = { details: null, label: null, scheme: null, fingerprint: null }
    return { type: 'payment-method', id: null, method: 'card', ...unknown }
  }
  const stored = session.payment_method_id && (await paymentMethods.find(scope, session.payment_method_id))
  return stored ? toEntered(stored.id, stored) : null
}

type Card = Pick<
  StoredSession,
  'label' | 'scheme' | 'fingerprint' | 'bin' | 'card_country' | 'card_type' | 'card_issuer_name'
>

function toEntered(id: string | null, card: Card): EnteredMethod {
  return {
    type: 'payment-method',
    id,
    details: {
      bin: card.bin,
      card_country: card.card_country,
      card_type: card.card_type,
      card_issuer_name: card.card_issuer_name,
    },
    label: card.label,
    method: 'card',
    scheme: card.scheme,
    fingerprint: card.fingerprint,
  }
}
