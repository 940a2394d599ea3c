import { ANONYMOUS } from '#platform/auth.ts'
import type { Context, Scope } from '#platform/db.ts'
import { UNKEYED } from '#platform/once.ts'
import type { Engine } from '#processing/engine.ts'
import { createTransaction } from '#resources/transactions/create.ts'
import type { TransactionConnectionOptions } from '#resources/transactions/wire/connection-options/schemas.ts'
import type { Metadata } from '#resources/transactions/wire/order.ts'
import type { Transaction, TransactionCreate } from '#resources/transactions/wire/transaction.ts'
import { linkUrl } from './link-url.ts'
import type { StoredLink } from './store.ts'

export type TypedCard = {
  readonly number: string
  readonly expiration_date: string
  readonly security_code: string
}

type Buyer = {
  readonly card: TypedCard
  /** As the buyer's form says. It is refused if another payment was tried since. */
  readonly tries: number
  readonly address: string
}

/**
 * Pays a link, as `POST /transactions` would with the link's order and this card. The buyer chooses the card and nothing
 * else. Throws a `LinkObstacle` if the link cannot be paid now.
 */
export async function payLink(
  context: Context,
  engine: Engine,
  link: StoredLink,
  { card, tries, address }: Buyer,
): Promise<Transaction> {
  const scope: Scope = { ...context, merchantAccountId: link.merchant_account_id }
  const { buyer, shipping_details: shipping } = link.document
  const { answer } = await createTransaction(scope, engine, {
    once: UNKEYED,
    request: orderOf(engine, link, card),
    caller: ANONYMOUS,
    address,
    paymentLink: { id: link.id, tries, buyer: { buyer, shipping } },
  })
  return answer
}

function orderOf(engine: Engine, link: StoredLink, card: TypedCard): TransactionCreate {
  const { document } = link
  return {
    amount: link.amount,
    currency: link.currency,
    country: link.country,
    intent: link.intent,
    payment_source: link.payment_source,
    merchant_initiated: false,
    is_subsequent_payment: false,
    store: link.store,
    external_identifier: link.external_identifier,
    payment_method: { method: 'card', ...card, redirect_url: linkUrl(engine, link) },
    metadata: document.metadata && asTexts(document.metadata),
    cart_items: document.cart_items && [...document.cart_items],
    statement_descriptor: document.statement_descriptor,
    connection_options: document.connection_options as TransactionConnectionOptions | null,
    installment_count: document.installment_count,
    async_capture: false,
    account_funding_transaction: false,
    allow_partial_authorization: false,
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
