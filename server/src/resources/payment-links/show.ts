import { createdAt } from '#domain/ids.ts'
import { reconciliationId } from '#domain/reconciliation-id.ts'
import type { Engine } from '#processing/engine.ts'
import type { Target } from '#resources/events/store.ts'
import { complete } from '#resources/transactions/wire/complete.ts'
import { CartItem, StatementDescriptor } from '#resources/transactions/wire/order.ts'
import { linkUrl } from './link-url.ts'
import type { PaymentLink } from './schemas.ts'
import { statusAt } from './state.ts'
import type { StoredLink } from './store.ts'

export function showLink(
  engine: Pick<Engine, 'publicUrl' | 'secrets'>,
  link: StoredLink,
  now: Date,
): PaymentLink {
  return { url: linkUrl(engine, link), ...fieldsOf(link, now) }
}

/** The link in webhook events: without its address, which lets anyone open the page. */
export function toTarget(link: StoredLink, now: Date): Target {
  return fieldsOf(link, now)
}

function fieldsOf(link: StoredLink, now: Date): Omit<PaymentLink, 'url'> {
  const { document } = link
  const { buyer, shipping_details: shipping, cart_items, statement_descriptor } = document
  return {
    type: 'payment-link',
    id: link.id,
    status: statusAt(link, now),
    expires_at: link.expires_at.toISOString(),
    amount: link.amount,
    currency: link.currency,
    country: link.country,
    intent: link.intent,
    payment_source: link.payment_source,
    store: link.store,
    external_identifier: link.external_identifier,
    statement_descriptor: statement_descriptor && complete(StatementDescriptor, statement_descriptor),
    cart_items: cart_items?.map((item) => complete(CartItem, item)) ?? null,
    metadata: document.metadata,
    buyer: buyer && {
      type: 'buyer',
      reconciliation_id: buyer.id === null ? null : reconciliationId(buyer.id),
      ...buyer,
    },
    buyer_id: link.buyer_id,
    shipping_details: shipping && { type: 'shipping-details', ...shipping },
    connection_options: document.connection_options,
    installment_count: document.installment_count,
    locale: document.locale,
    merchant_name: document.merchant_name,
    merchant_url: document.merchant_url,
    merchant_banner_url: document.merchant_banner_url,
    merchant_color: document.merchant_color,
    merchant_message: document.merchant_message,
    merchant_terms_and_conditions_url: document.merchant_terms_and_conditions_url,
    merchant_favicon_url: document.merchant_favicon_url,
    return_url: document.return_url,
    required_fields: [...(document.required_fields ?? [])],
    created_at: createdAt(link.id).toISOString(),
    updated_at: link.updated_at.toISOString(),
  }
}
