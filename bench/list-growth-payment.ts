import type { Document } from '#payments/document.ts'
import * as marks from '#payments/store/marks.ts'
import type { Row } from '#payments/store/payments.ts'
import { dice, mix, pick, type Weights, weighed } from '../lab/dice.ts'
import {
  createdAt,
  emailOf,
  idOf,
  MAIN_ACCOUNT,
  nameOf,
  type Rows,
  referenceOf,
  SECOND_ACCOUNT,
  SMALL_ACCOUNT,
} from './list-growth-rows.ts'

/** So many payments of the default account have a rare value, however long the list is. */
const RARE_ROWS = 5

export const RARE = {
  currency: 'ISK',
  country: 'IS',
  method: 'pix',
  scheme: 'elo',
  service: serviceOf(90),
  source: 'installment',
  amount: 77_777,
  error: 'suspected_fraud',
  status: 'authorization_void_pending',
  bin: '65003100',
  label: 'abcd',
} as const

/** A payment service that took a tenth of all payments, and none since the first third of the time. */
export const RETIRED_SERVICE = serviceOf(80)
export const ABSENT_SERVICE = serviceOf(99)
/** Of the default account: one payment in a hundred, one payment method and one gift card in a hundred are theirs. */
export const BUSY_BUYER = 0

const DAY_MS = 24 * 3_600_000
const SMALL_SHOPS = 18
/** Beside the three that all lists have. */
export const OTHER_ACCOUNTS = Array.from({ length: SMALL_SHOPS }, (_none, at) => `shop-${at + 1}`)

const CURRENCIES = weighed({ USD: 50, EUR: 30, GBP: 15, JPY: 5 })
const COUNTRIES: Readonly<Record<string, Weights<string>>> = {
  USD: weighed({ US: 90, CA: 10 }),
  EUR: weighed({ DE: 40, FR: 30, NL: 25, MT: 5 }),
  GBP: weighed({ GB: 1 }),
  JPY: weighed({ JP: 1 }),
}
const SCHEMES = weighed({ visa: 55, mastercard: 33, amex: 10, discover: 2 })
const SERVICES: Weights<string> = [50, 25, 15, 7, 3].map((weight, at) => [serviceOf(at), weight])
const SOURCES = weighed({ ecommerce: 85, recurring: 10, card_on_file: 4, moto: 1 })
const STATUSES = weighed({
  capture_succeeded: 700,
  authorization_declined: 120,
  authorization_succeeded: 88,
  authorization_voided: 50,
  authorization_failed: 35,
  capture_pending: 5,
  buyer_approval_pending: 2,
})
const ERRORS = weighed({
  insufficient_funds: 50,
  refused_transaction: 30,
  expired_payment_method: 15,
  invalid_payment_method: 5,
})
const METHODS = weighed({ card: 85, paypal: 9, klarna: 4, applepay: 2 })
const CHANNELS = weighed({ web: 70, app: 29, kiosk: 1 })
const COMMON_AMOUNTS = [999, 1999, 4999]
/** So few that each has paid for something in the short list, too. */
const GIFT_CARDS = 5

export type Payment = {
  readonly row: Row
  readonly document: Document
  readonly marks: readonly string[]
}

/** The same index always gives the same payment, so that a benchmark can name values that exist. */
export function paymentOf(rows: Rows, index: number): Payment {
  const roll = dice(index)
  const merchant_account_id = accountOf(rows, index, roll())
  const isRare = isRareRow(rows, index)
  const buyer = buyerOf(rows, index, merchant_account_id, roll())
  const status = isRare ? RARE.status : (newestStatus(rows, index) ?? pick(STATUSES, roll()))
  const method = methodColumns(rows, index, roll)
  const money = amountColumns(status, roll, isRare)
  const created = createdAt(rows, index)
  const source = isRare ? RARE.source : pick(SOURCES, roll())
  const hasError = status === 'authorization_declined' || status === 'authorization_failed'
  const hasGiftCard = roll() < 0.005
  const isSettled = money.captured_amount > 0 && created.getTime() < rows.startMs + 363 * DAY_MS
  const isChallenged = method.method === 'card' && roll() < 0.3
  const row: Row = {
    merchant_account_id,
    id: idOf(rows, index),
    intent: status.startsWith('capture') ? 'capture' : 'authorize',
    ...method,
    ...money,
    ...buyer.columns,
    payment_source: source,
    merchant_initiated: source === 'recurring',
    is_subsequent_payment: source === 'recurring' || source === 'card_on_file',
    has_gift_card_redemptions: hasGiftCard,
    gift_card_amount: 0,
    has_gift_card_refunds: false,
    external_identifier: roll() < 0.9 ? orderOf(index) : null,
    ip_address: roll() < 0.8 ? ipOf(Math.floor(roll() ** 2 * rows.count)) : null,
    checkout_session_id: roll() < 0.3 ? sessionOf(rows, index) : null,
    payment_link_id: roll() < 0.05 ? sessionOf(rows, index - (index % 1_000)) : null,
    reauthorized_from_transaction_id: index % 1_000 === 130 ? idOf(rows, index - 100) : null,
    status,
    pending_review: roll() < 0.001,
    disputed: money.captured_amount > 0 && roll() < 0.003,
    settled_amount: String(isSettled ? money.captured_amount : 0),
    settled_currency: isSettled ? method.currency : null,
    uncollected_amount: 0,
    error_code: isRare ? RARE.error : hasError ? pick(ERRORS, roll()) : null,
    payment_service_transaction_id: status === 'authorization_failed' ? null : serviceTransactionOf(index),
    outcome: { raw_response_code: '00', ...(isChallenged && { three_d_secure: THREE_D_SECURE }) },
    updated_at: updatedAt(rows, created, roll()),
  }
  const document = documentOf(row, buyer.name, roll)
  const found = marks.of(row, document.metadata)
  if (hasGiftCard) {
    const card = Math.floor(roll() * GIFT_CARDS)
    found.push(marks.markOf('gift-card', giftCardOf(card)), marks.markOf('gift-card-last4', last4Of(card)))
  }
  return { row, document, marks: found }
}

const THREE_D_SECURE = {
  version: '2.2.0',
  status: 'complete',
  method: 'challenge',
} as never

/** Old ones, so that a walk from the newest end has far to go. They belong to the default account. */
function isRareRow({ count }: Rows, index: number): boolean {
  const step = Math.floor(count / 4 / RARE_ROWS)
  return index % step === 3 && index < step * RARE_ROWS
}

function accountOf(rows: Rows, index: number, chance: number): string {
  if (isRareRow(rows, index)) return MAIN_ACCOUNT
  if (index % Math.floor(rows.count / RARE_ROWS) === 1) return SMALL_ACCOUNT
  if (chance < 0.6) return MAIN_ACCOUNT
  if (chance < 0.8) return SECOND_ACCOUNT
  return `shop-${1 + Math.floor(((chance - 0.8) / 0.2) * SMALL_SHOPS)}`
}

/** Only the newest payments are still pending. */
function newestStatus(rows: Rows, index: number): Row['status'] | undefined {
  return index >= rows.count - 50 ? 'processing' : undefined
}

function buyerOf(rows: Rows, index: number, account: string, chance: number) {
  const none = { buyer_id: null, buyer_external_identifier: null, buyer_email_address: null }
  if (account !== MAIN_ACCOUNT || chance < 0.15) return { columns: none, name: null }
  // Buyers whose number ends with 9 belong to another account; a few of the small one do not matter.
  const tens = Math.floor(((chance - 0.15) / 0.85) ** 2 * (rows.count / 10))
  const number = index % 100 === 50 ? BUSY_BUYER : tens * 10 + (index % 9)
  const columns = {
    buyer_id: idOf(rows, number),
    buyer_external_identifier: referenceOf(number),
    buyer_email_address: emailOf(rows, number),
  }
  return { columns, name: nameOf(rows, number) }
}

function methodColumns(rows: Rows, index: number, roll: () => number) {
  const isRare = isRareRow(rows, index)
  const currency = isRare ? RARE.currency : pick(CURRENCIES, roll())
  const country = isRare ? RARE.country : pick(COUNTRIES[currency] ?? [], roll())
  const method = isRare ? RARE.method : methodIn(country, roll())
  const isCard = method === 'card'
  const isRetired = index < rows.count / 3 && roll() < 0.1
  const card = Math.floor(roll() ** 2 * (rows.count / 3))
  const isStored = roll() < 0.4
  return {
    currency,
    country: isRare || roll() < 0.95 ? country : null,
    method,
    payment_method_id: isStored ? storedMethodOf(rows, card) : null,
    payment_method_label: isRare ? RARE.label : isCard ? last4Of(card) : null,
    payment_method_scheme: isRare ? RARE.scheme : isCard ? pick(SCHEMES, roll()) : null,
    payment_method_country: isRare ? RARE.country : isCard ? country : null,
    payment_method_fingerprint: isCard ? fingerprintOf(card) : null,
    payment_method_bin: isRare ? RARE.bin : isCard ? binOf(card) : null,
    payment_service_id: isRare ? RARE.service : isRetired ? RETIRED_SERVICE : pick(SERVICES, roll()),
  }
}

/** iDEAL comes from one country only, and so with one currency only. */
function methodIn(country: string, chance: number): string {
  if (country === 'NL' && chance < 0.6) return 'ideal'
  return pick(METHODS, chance)
}

function amountColumns(status: string, roll: () => number, isRare: boolean) {
  const free = Math.floor(100 * 10 ** (roll() * 3) * (roll() < 0.001 ? 50 : 1))
  const common = COMMON_AMOUNTS[Math.floor(roll() * 30)]
  const amount = isRare ? RARE.amount : (common ?? (free === RARE.amount ? free + 1 : free))
  const isAuthorized = !/declined|failed|processing|pending/.test(status)
  const captured = status === 'capture_succeeded' ? amount : 0
  return {
    amount,
    authorized_amount: isAuthorized ? amount : 0,
    capture_limit: isAuthorized ? amount : 0,
    captured_amount: captured,
    capturing_amount: 0,
    refunded_amount: captured > 0 && roll() < 0.03 ? captured : 0,
    refunding_amount: 0,
    released_amount: 0,
    is_capture_final: captured > 0,
  }
}

/** Most change within minutes, a few after weeks. */
function updatedAt({ startMs }: Rows, created: Date, chance: number): Date {
  const later = chance < 0.03 ? (chance / 0.03) * 60 * DAY_MS : chance * 600_000
  return new Date(Math.min(created.getTime() + Math.floor(later), startMs + 365 * DAY_MS))
}

function orderOf(index: number): string {
  return `order-${index}`
}

function serviceTransactionOf(index: number): string {
  return `psp_${index.toString(36).padStart(8, '0')}`
}

function ipOf(number: number): string {
  return `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`
}

export function giftCardOf(number: number): string {
  return `019b0000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`
}

function storedMethodOf(rows: Rows, card: number): string {
  return idOf(rows, Math.min(card, rows.count - 1))
}

/** Ids without a row in the database. */
function sessionOf(rows: Rows, index: number): string {
  return idOf(rows, index).replace(/-7000-/, '-7001-')
}

function fingerprintOf(card: number): string {
  return mix(card, 1).toString(16).padStart(8, '0').repeat(8)
}

function binOf(card: number): string {
  return `4${(1_000_000 + (mix(card, 2) % 20) ** 2 * 7).toString()}`
}

export function last4Of(card: number): string {
  return (mix(card, 3) % 10_000).toString().padStart(4, '0')
}

export function serviceOf(number: number): string {
  return `019a0000-0000-7000-8000-0000000000${number.toString().padStart(2, '0')}`
}

/** The document of a payment: about one and a half kilobytes. */
function documentOf(row: Row, name: string | null, roll: () => number): Document {
  const address = {
    line1: '12 Long Street',
    line2: null,
    city: 'Springfield',
    postal_code: '12345',
    country: row.country,
  }
  const contact = {
    first_name: name,
    last_name: name,
    email_address: row.buyer_email_address,
    phone_number: null,
  }
  const metadata = {
    channel: pick(CHANNELS, roll()),
    campaign: campaignOf(Math.floor(roll() * 200)),
    ...(row.currency === RARE.currency && { note: 'by hand' }),
  }
  return {
    payment_method: {
      id: row.payment_method_id,
      method: row.method ?? 'card',
      mode: row.method === 'card' ? 'card' : 'redirect',
      label: row.payment_method_label,
      scheme: row.payment_method_scheme,
      expiration_date: '12/30',
      fingerprint: row.payment_method_fingerprint,
      country: row.payment_method_country,
      currency: row.currency,
      external_identifier: null,
      last_replaced_at: null,
      details: { bin: row.payment_method_bin, card_type: 'credit', card_issuer_name: 'Test Bank' },
    },
    instrument_type: 'pan',
    buyer: row.buyer_id
      ? ({
          id: row.buyer_id,
          display_name: name,
          external_identifier: row.buyer_external_identifier,
          account_number: null,
          billing_details: { ...contact, address, tax_id: null },
        } as never)
      : null,
    shipping_details: { id: null, buyer_id: row.buyer_id, ...contact, address } as never,
    metadata,
    redirect_url: 'https://shop.example/thanks',
    connection_options: null,
    previous_scheme_transaction_id: null,
    previous_transaction_link_id: null,
    three_d_secure_data: null,
    challenge: null,
    holds_card: false,
    order: {
      cart_items: [1, 2].map((number) => ({
        name: `Article ${number}`,
        quantity: number,
        unit_amount: Math.floor(row.amount / 3),
        sku: `SKU-${number}`,
        product_type: 'physical',
        discount_amount: 0,
        tax_amount: 0,
      })),
      statement_descriptor: { name: 'SHOP', description: 'Order at the shop' },
    },
  }
}

export function campaignOf(number: number): string {
  return `campaign-${number}`
}
