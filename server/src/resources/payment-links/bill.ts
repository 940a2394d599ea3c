import type { OrderStatus } from '#domain/pay-page.ts'
import { ANONYMOUS } from '#platform/access/auth.ts'
import type { Scope } from '#platform/database/db.ts'
import type { Engine } from '#processing/engine.ts'
import type { Bill, PageWishes, PaymentTerms } from '#resources/checkout/pay-page/bill.ts'
import { asksOf } from '#resources/checkout/pay-page/contact.ts'
import type { TransactionConnectionOptions } from '#resources/transactions/wire/connection-options/schemas.ts'
import type { Metadata } from '#resources/transactions/wire/order.ts'
import { linkUrl } from './link-url.ts'
import type { PaymentLinkStatus } from './schemas.ts'
import { statusAt } from './state.ts'
import * as links from './store.ts'

/** A link as the page shows and pays it. */
export async function findLinkBill(scope: Scope, engine: Engine, id: string): Promise<Bill | undefined> {
  const link = await links.find(scope, id)
  if (!link) return undefined
  const { buyer, shipping_details: shipping, required_fields = [] } = link.document
  return {
    kind: 'payment-link',
    id,
    merchantAccountId: link.merchant_account_id,
    url: linkUrl(engine, link),
    amount: link.amount,
    currency: link.currency,
    country: link.country,
    cart: link.document.cart_items ?? [],
    expiresAt: link.expires_at,
    standing: {
      status: STATUS[statusAt(link, scope.clock())],
      tries: link.tries,
      lastTransactionId: link.last_transaction_id,
      lastAttempt: link.last_attempt,
    },
    page: wishesOf(link),
    asks: asksOf(required_fields, { billing: buyer?.billing_details, shipping }),
    payment: termsOf(link),
  }
}

const STATUS: Readonly<Record<PaymentLinkStatus, OrderStatus>> = {
  active: 'open',
  processing: 'processing',
  completed: 'paid',
  expired: 'expired',
}

/** Pages of other sites cannot show it: a link is opened from a message, and a frame would hide whose page it is. */
function wishesOf({ document }: links.StoredLink): PageWishes {
  return {
    locale: document.locale,
    merchantName: document.merchant_name,
    merchantUrl: document.merchant_url,
    bannerUrl: document.merchant_banner_url,
    faviconUrl: document.merchant_favicon_url,
    termsUrl: document.merchant_terms_and_conditions_url,
    message: document.merchant_message,
    color: document.merchant_color,
    returnUrl: document.return_url,
    allowedOrigins: [],
    tellsTransaction: false,
  }
}

/** A link may be passed on. So it offers nothing that is stored for its buyer. */
function termsOf(link: links.StoredLink): PaymentTerms {
  const { document } = link
  const buyer = { buyer: document.buyer, shipping: document.shipping_details }
  return {
    buyerId: null,
    newBuyer: null,
    store: link.store ? 'always' : 'never',
    asksCode: true,
    caller: ANONYMOUS,
    claim: (form) => ({ paymentLink: { id: link.id, ...form, buyer } }),
    request: {
      amount: link.amount,
      currency: link.currency,
      country: link.country,
      intent: link.intent,
      payment_source: link.payment_source,
      merchant_initiated: false,
      is_subsequent_payment: false,
      external_identifier: link.external_identifier,
      metadata: document.metadata && asTexts(document.metadata),
      cart_items: document.cart_items && [...document.cart_items],
      statement_descriptor: document.statement_descriptor,
      connection_options: document.connection_options as TransactionConnectionOptions | null,
      installment_count: document.installment_count,
      async_capture: false,
      account_funding_transaction: false,
      allow_partial_authorization: false,
    },
  }
}

/** A payment's metadata is text to text. */
function asTexts(metadata: Readonly<Record<string, unknown>>): Metadata {
  return Object.fromEntries(
    Object.entries(metadata).map(([key, value]) => [
      key,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  )
}
