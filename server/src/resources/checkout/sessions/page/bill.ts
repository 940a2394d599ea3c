import type { OrderStatus } from '#domain/pay-page.ts'
import { findOutcome } from '#payments/find.ts'
import { ANONYMOUS } from '#platform/access/auth.ts'
import type { Scope } from '#platform/database/db.ts'
import { isSameKey } from '#platform/http/incoming.ts'
import type { Engine } from '#processing/engine.ts'
import type { CreateBuyer } from '#resources/buyers/schemas.ts'
import * as buyers from '#resources/buyers/store.ts'
import { totalOf } from '#resources/payment-links/cart.ts'
import type { Bill, PageWishes, PaymentTerms } from '../../pay-page/bill.ts'
import { asksOf } from '../../pay-page/contact.ts'
import * as sessions from '../store.ts'
import * as pages from './store.ts'

/** A session as the page shows and pays it. Undefined: it has no page, or nothing to pay any more. */
export async function findSessionBill(scope: Scope, engine: Engine, id: string): Promise<Bill | undefined> {
  const page = await pages.find(scope, id)
  const session = page && (await sessions.findEvenExpired(scope, id))
  if (!session) return undefined
  const payment =
    session.transaction_id === null ? undefined : await findOutcome(scope, session.transaction_id)
  // What was paid stays what it was, whatever becomes of the session.
  const { amount, currency } = payment ?? session
  if (amount === null || currency === null) return undefined
  const { merchant_account_id: merchantAccountId } = session
  return {
    kind: 'checkout-session',
    id,
    merchantAccountId,
    url: pageUrl(engine, { merchantAccountId, id }),
    amount,
    currency,
    country: session.country,
    cart: cartOf(session, amount),
    expiresAt: session.expires_at,
    standing: {
      status: statusOf(scope, session, payment),
      tries: page.tries,
      lastTransactionId: page.last_transaction_id,
      lastAttempt: page.last_attempt,
    },
    page: wishesOf(page),
    asks: asksOf(page.required_fields, {
      billing: session.buyer?.billing_details,
      shipping: session.buyer?.shipping_details,
    }),
    payment: await termsOf(scope, page, { session, amount, currency }),
  }
}

/** Sessions pass carts on as they are. The page shows one that adds up; any other would be a wrong bill. */
function cartOf({ cart_items }: sessions.StoredSession, amount: number): Bill['cart'] {
  return cart_items && totalOf(cart_items) === BigInt(amount) ? cart_items : []
}

const STATUS = { pending: 'processing', succeeded: 'paid', failed: 'closed' } as const

/** A payment that is not on record is still being written. */
function statusOf(
  { clock }: Scope,
  { transaction_id, expires_at }: sessions.StoredSession,
  payment: { readonly outcome: keyof typeof STATUS } | undefined,
): OrderStatus {
  if (transaction_id === null) return expires_at > clock() ? 'open' : 'expired'
  return payment ? STATUS[payment.outcome] : 'processing'
}

function wishesOf(page: pages.StoredPage): PageWishes {
  return {
    locale: page.locale,
    merchantName: null,
    merchantUrl: page.cancel_url,
    bannerUrl: null,
    faviconUrl: null,
    termsUrl: null,
    message: null,
    color: null,
    returnUrl: page.return_url,
    allowedOrigins: page.allowed_origins,
    tellsTransaction: page.terms !== null,
  }
}

type Priced = {
  readonly session: sessions.StoredSession
  readonly amount: number
  readonly currency: string
}

/**
 * The page pays as a browser whose token belongs to the session and to its buyer. So it may do what such a page of the shop
 * may do, and nothing else.
 */
async function termsOf(
  scope: Scope,
  page: pages.StoredPage,
  { session, amount, currency }: Priced,
): Promise<PaymentTerms> {
  const named = session.buyer?.external_identifier ?? null
  const found = await findBuyer(scope, page.terms?.buyer_id ?? null, named)
  const buyerId = found?.id ?? null
  const pinned = { checkout_session_id: session.id, ...(buyerId !== null && { buyer_id: buyerId }) }
  return {
    buyerId,
    newBuyer: named !== null && buyerId === null ? newBuyerOf(session.buyer) : null,
    store: page.store === 'ask' && named === null && buyerId === null ? 'never' : page.store,
    asksCode: page.ask_security_code,
    caller: { ...ANONYMOUS, isEmbed: true, pinned },
    claim: (form) => ({ checkoutPage: { id: session.id, ...form } }),
    request: {
      ...page.terms,
      amount,
      currency,
      external_identifier: page.external_identifier,
      async_capture: false,
      account_funding_transaction: false,
      allow_partial_authorization: false,
    },
  }
}

async function findBuyer(scope: Scope, id: string | null, named: string | null) {
  if (id !== null) return buyers.find(scope, id)
  return named === null ? undefined : buyers.findByExternalIdentifier(scope, named)
}

function newBuyerOf(guest: sessions.StoredSession['buyer']): CreateBuyer {
  const { shipping_details: _elsewhere, ...details } = guest ?? {}
  return details
}

type Key = { readonly merchantAccountId: string; readonly id: string }

/** Where the buyer pays. It cannot be guessed from the session's id, which the shop's pages know, too. */
export function pageUrl({ publicUrl, secrets }: Pick<Engine, 'publicUrl' | 'secrets'>, session: Key): string {
  return `${publicUrl}/pay/${session.merchantAccountId}/${session.id}/${keyOf(secrets, session)}`
}

export function isPageKey(secrets: Engine['secrets'], session: Key, given: string): boolean {
  return isSameKey(keyOf(secrets, session), given)
}

function keyOf(secrets: Engine['secrets'], { merchantAccountId, id }: Key): string {
  return secrets.mac('checkout-page', `${merchantAccountId}/${id}`).toString('base64url')
}
