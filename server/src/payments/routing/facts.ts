import { hash } from 'node:crypto'
import { createdAt } from '#domain/ids.ts'
import type { Scope } from '#platform/database/db.ts'
import type { CardFacts, Facts } from '#resources/flows/conditions/facts.ts'
import { CARD_BIN_DIGITS, GIFT_CARD_BIN_DIGITS, startOf } from '#resources/flows/conditions/ranges.ts'
import type { Flow } from '#resources/flows/vocabulary.ts'
import type { AntiFraudDecision, InstrumentType } from '#resources/transactions/wire/transaction.ts'
import type { Document } from '../document.ts'
import type { Row, StoredTransaction } from '../store/payments.ts'
import * as redemptions from '../store/redemptions.ts'

/** A payment that is prepared, or that was made before: rules see the same facts of both. */
export type Payment = {
  readonly row: Pick<
    Row,
    | 'id'
    | 'merchant_account_id'
    | 'amount'
    | 'currency'
    | 'country'
    | 'method'
    | 'payment_source'
    | 'merchant_initiated'
    | 'is_subsequent_payment'
    | 'has_gift_card_redemptions'
    | 'buyer_id'
    | 'payment_method_id'
    | 'payment_method_scheme'
    | 'payment_method_country'
    | 'payment_method_fingerprint'
    | 'payment_method_bin'
  >
  readonly document: Pick<Document, 'instrument_type' | 'metadata' | 'order' | 'payment_method'>
  readonly giftCardBins: readonly string[]
  /** Null: the anti-fraud service was not asked, or not yet. */
  readonly decision: AntiFraudDecision | null
  readonly at: Date
}

export function factsOf({ row, document, giftCardBins, decision, at }: Payment): Facts {
  const { order } = document
  return {
    amount: row.amount,
    currency: row.currency,
    country: row.country,
    payment_method: row.method,
    payment_source: row.payment_source,
    merchant_initiated: row.merchant_initiated,
    is_subsequent_payment: row.is_subsequent_payment,
    has_gift_cards: row.has_gift_card_redemptions,
    gift_card_bins: giftCardBins.map((bin) => startOf(bin, GIFT_CARD_BIN_DIGITS)),
    metadata: document.metadata ?? {},
    cart_items: order.cart_items ?? [],
    browser_language: order.browser_info?.language?.slice(0, 2).toLowerCase() ?? null,
    anti_fraud_decision: decision,
    card: cardFactsOf(row, document),
    installment_count: order.installment_count ?? null,
    at,
    shareOf: shareOf(row),
  }
}

function cardFactsOf(
  row: Payment['row'],
  { instrument_type, payment_method }: Payment['document'],
): CardFacts | null {
  if (instrument_type === null || !OF_CARDS.includes(instrument_type)) return null
  return {
    bin: row.payment_method_bin === null ? null : startOf(row.payment_method_bin, CARD_BIN_DIGITS),
    scheme: row.payment_method_scheme,
    type: payment_method?.details?.card_type ?? null,
    country: row.payment_method_country,
    issuer_name: payment_method?.details?.card_issuer_name ?? null,
    source: sourceOf(row, instrument_type),
  }
}

const OF_CARDS: readonly InstrumentType[] = ['pan', 'network_token', 'applepay', 'googlepay', 'card_token']

function sourceOf({ method, payment_method_id }: Payment['row'], type: InstrumentType): string | null {
  if (method === 'applepay') return 'applepay'
  if (method === 'googlepay' || method === 'googlepay_pan_only') return 'googlepay'
  if (type === 'network_token') return 'network-token'
  if (type !== 'pan') return null
  return payment_method_id === null ? 'raw' : 'token'
}

/** Where the rules about a payment are: those that decline it, and those that choose its payment service. */
export function flowsOf(instrumentType: InstrumentType | null): {
  readonly declining: Flow
  /** Null: gift cards pay for everything, and no payment service is asked. */
  readonly routing: Flow | null
} {
  if (instrumentType === null) return { declining: 'non-card-transaction', routing: null }
  return OF_CARDS.includes(instrumentType)
    ? { declining: 'card-transaction', routing: 'card-transaction' }
    : { declining: 'non-card-transaction', routing: 'redirect-transaction' }
}

const DIGITS = 12
const WHOLE = 16 ** DIGITS

/**
 * A buyer stays in the same share with every payment; without a buyer, a card does. It follows from the ids alone, so that the
 * past can be tried again.
 */
function shareOf(row: Payment['row']): (salt: string) => number {
  const payer = row.buyer_id ?? row.payment_method_fingerprint ?? row.id
  return (salt) => {
    const digest = hash('sha256', `${row.merchant_account_id} ${salt} ${payer}`)
    return Number.parseInt(digest.slice(0, DIGITS), 16) / WHOLE
  }
}

/** A payment that was made, as the rules saw it then. */
export async function paymentOfStored(scope: Scope, transaction: StoredTransaction): Promise<Payment> {
  const giftCards = transaction.has_gift_card_redemptions
    ? await redemptions.listOf(scope, transaction.id)
    : []
  return {
    row: transaction,
    document: transaction.document,
    giftCardBins: giftCards.map(({ bin }) => bin),
    decision: transaction.outcome.anti_fraud?.decision ?? null,
    at: createdAt(transaction.id),
  }
}
