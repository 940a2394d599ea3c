import { type RawBuilder, sql } from 'kysely'
import { createdAt, firstIdOf } from '#domain/ids.ts'
import type { Document } from '#payments/document.ts'
import type { Payment } from '#payments/routing/facts.ts'
import type { Row } from '#payments/store/payments.ts'
import type { Scope } from '#platform/database/db.ts'
import type { AntiFraudDecision } from '#resources/transactions/wire/transaction.ts'
import { type Column, type Need, OWN, SHARED } from './columns.ts'

/** Payments of one kind. */
export type PastPayments = { readonly kind: Kind; readonly payments: readonly Payment[] }

export type Span = { readonly after: string | null; readonly from: Date; readonly to: Date }

/** In the order of `SHARED`. */
type Shared = readonly [
  method: Row['method'],
  intent: Row['intent'],
  currency: string,
  country: string | null,
  status: Row['status'],
  hasGiftCards: boolean,
  serviceId: string | null,
  scheme: string | null,
  instrumentType: Document['instrument_type'],
  hasThreeDSecure: boolean,
  isForReview: boolean,
  isFree: boolean,
  source: Row['payment_source'],
  isMerchantInitiated: boolean,
  isSubsequent: boolean,
  cardCountry: string | null,
  paymentMethodId: string | null,
  cardType: NonNullable<PaymentMethod['details']>['card_type'],
  issuerName: string | null,
  language: string | null,
  installments: number | null,
  decision: AntiFraudDecision | null,
]

/** The parts of it that conditions ask for. */
type PaymentMethod = NonNullable<Document['payment_method']>

/** In the order of `OWN`. */
type Own = readonly [
  id: string,
  amount: number,
  bin: string | null,
  payer: string | null,
  metadata: Record<string, string> | null,
  cartItems: Document['order']['cart_items'] | null,
  giftCardBins: string[] | null,
]

/**
 * Payments of a time, the oldest first, by their kind. The database gathers them: a value that many payments share is then read and
 * judged once for all of them. A page is one text: V8 parses JSON many times faster than the driver reads rows.
 */
export async function readPayments(
  { db, merchantAccountId }: Scope,
  span: Span,
  { need, limit }: { readonly need: Need; readonly limit: number },
): Promise<PastPayments[]> {
  const columns = Object.entries<Column>({ ...SHARED, ...OWN }).map(
    ([name, { sql: value, of }]) =>
      sql`${of === undefined || of.some((one) => need.has(one)) ? value : sql`null`} as ${sql.ref(name)}`,
  )
  const shared = Object.keys(SHARED).map((name) => sql.ref(name))
  const own = Object.keys(OWN).map((name) => sql.ref(name))
  const { rows } = await sql<{ page: [Shared, Own[]][] | null }>`
    with page as materialized (
      select ${sql.join(columns)} from transactions join transaction_documents
        on transaction_documents.merchant_account_id = transactions.merchant_account_id
        and transaction_documents.id = transactions.id
      where transactions.merchant_account_id = ${merchantAccountId} and ${within(span)}
      order by transactions.id limit ${limit}
    )
    select json_agg(json_build_array(kind, payments)) as page from (
      select json_build_array(${sql.join(shared)}) as kind, json_agg(json_build_array(${sql.join(own)})) as payments
      from page group by ${sql.join(shared)}
    ) as kinds
  `.execute(db)
  return (rows[0]?.page ?? []).map(([kind, payments]) => toPayments(merchantAccountId, kind, payments))
}

export async function countPayments({ db, merchantAccountId }: Scope, span: Span): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*) from transactions where merchant_account_id = ${merchantAccountId} and ${within(span)}
  `.execute(db)
  return Number(rows[0]?.count ?? 0)
}

/** Ids begin with the time. */
function within({ after, from, to }: Span): RawBuilder<unknown> {
  const end = firstIdOf(new Date(to.getTime() + 1))
  return after === null
    ? sql`transactions.id >= ${firstIdOf(from)} and transactions.id < ${end}`
    : sql`transactions.id > ${after} and transactions.id < ${end}`
}

function toPayments(merchantAccountId: string, shared: Shared, payments: readonly Own[]): PastPayments {
  const kind = kindOf(merchantAccountId, shared)
  return { kind, payments: payments.map((own) => toPayment(kind, own)) }
}

/** Spelled out: what is copied for every payment must not bring more than it needs. */
function kindOf(merchant_account_id: string, shared: Shared) {
  const [method, intent, currency, country, status, hasGiftCards, serviceId, scheme, ...rest] = shared
  const [instrument_type, hasThreeDSecure, isForReview, isFree, source, isMerchantInitiated, ...more] = rest
  const [isSubsequent, cardCountry, paymentMethodId, card_type, card_issuer_name, ...others] = more
  const [language, installments, decision] = others
  return {
    row: {
      id: '',
      merchant_account_id,
      amount: 0,
      currency,
      country,
      method,
      intent,
      status,
      payment_source: source,
      merchant_initiated: isMerchantInitiated,
      is_subsequent_payment: isSubsequent,
      has_gift_card_redemptions: hasGiftCards,
      buyer_id: null,
      payment_service_id: serviceId,
      payment_method_id: paymentMethodId,
      payment_method_scheme: scheme,
      payment_method_country: cardCountry,
      payment_method_fingerprint: null,
      payment_method_bin: null,
    },
    instrument_type,
    payment_method: { details: { bin: null, card_type, card_issuer_name } } as PaymentMethod,
    order: {
      ...(language && { browser_info: { language } }),
      ...(installments && { installment_count: installments }),
    } as Document['order'],
    decision,
    hasThreeDSecure,
    isForReview,
    isFree,
  }
}

export type Kind = ReturnType<typeof kindOf>

function toPayment({ row, instrument_type, payment_method, order, decision }: Kind, own: Own): Payment {
  const [id, amount, payment_method_bin, buyer_id, metadata, cart_items, giftCardBins] = own
  return {
    row: { ...row, id, amount, payment_method_bin, buyer_id },
    document: {
      instrument_type,
      metadata: metadata ?? NONE,
      order: cart_items ? { ...order, cart_items } : order,
      payment_method,
    },
    giftCardBins: giftCardBins ?? [],
    decision,
    at: createdAt(id),
  }
}

const NONE = {}
