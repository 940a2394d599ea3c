import type { Row } from '#payments/store/payments.ts'
import type { Secrets } from '#platform/access/secrets.ts'
import { type Case, type Filters, middleCursors, spread } from './list-growth-cases.ts'
import { campaignOf } from './list-growth-document.ts'
import { giftCardOf, last4Of, paymentOf } from './list-growth-payment.ts'
import { ABSENT_SERVICE, BUSY_BUYER, RARE, RETIRED_SERVICE, serviceOf } from './list-growth-rare.ts'
import { createdAt, idOf, type Rows, referenceOf, SECOND_ACCOUNT, SMALL_ACCOUNT } from './list-growth-rows.ts'

const list = 'transactions'
const ABSENT_ID = '019c0000-0000-7000-8000-000000000000'
const DAY_MS = 24 * 3_600_000

/** Every filter of the transaction list alone, with values that many payments have, few, and none. */
export async function transactionCases(rows: Rows, secrets: Secrets): Promise<Case[]> {
  const { older, newer } = await middleCursors(list, rows, secrets)
  const alone = [
    ...identifierCases(rows),
    ...kindCases(),
    ...markCases(rows),
    ...flagCases(),
    ...rangeCases(rows),
    ...searchCases(rows),
  ]
  const middle = alone
    .filter(({ name }) => !name.endsWith(NO_MATCH))
    .map((one) => ({
      ...one,
      name: `${one.name}, middle`,
      filters: one.filters.map((filters) => ({ ...filters, cursor: older })),
    }))
  const everywhere = alone
    .filter(({ name }) => EVERYWHERE.some((start) => name.startsWith(start)))
    .map((one) => ({ ...one, name: `${one.name}, all accounts`, account: '*' }))
  return [...plainCases(older, newer), ...alone, ...middle, ...everywhere].map((one) => ({
    ...one,
    list,
    name: `${list}: ${one.name}`,
  }))
}

type Unlisted = Omit<Case, 'list'>

const NO_MATCH = 'no match'
const EVERYWHERE = ['external_identifier', 'currency', 'status', 'amount_gte', 'search', 'metadata']

function plainCases(older: string, newer: string): Unlisted[] {
  return [
    one('no filter', {}),
    one('limit 500', { limit: '500' }),
    { ...one('an account with few', {}), account: SMALL_ACCOUNT },
    { ...one('all accounts', {}), account: '*' },
    { ...one('three accounts', {}), account: '*', isConfined: true },
    {
      ...one('status, three accounts', { status: 'authorization_declined' }),
      account: '*',
      isConfined: true,
    },
    one('cursor in the middle, forwards', { cursor: older }),
    one('cursor in the middle, backwards', { cursor: newer }),
    one('currency, middle, backwards', { currency: 'EUR', cursor: newer }),
    one('status, middle, backwards', { status: RARE.status, cursor: newer }),
    one('amount_gte, middle, backwards', { amount_gte: '1000000', cursor: newer }),
  ]
}

function identifierCases(rows: Rows): Unlisted[] {
  const columns = [
    'external_identifier',
    'buyer_id',
    'buyer_external_identifier',
    'buyer_email_address',
    'ip_address',
    'checkout_session_id',
    'payment_link_id',
    'payment_method_id',
    'payment_method_label',
    'payment_method_fingerprint',
    'payment_method_bin',
    'reauthorized_from_transaction_id',
  ] as const
  const absent = (column: string) =>
    /_id$/.test(column) ? ABSENT_ID : column === 'ip_address' ? '::1' : 'absent'
  return [
    ...columns.flatMap((column) => [
      { name: column, filters: valuesOf(rows, column).map((value) => ({ [column]: value })) },
      one(`${column}, ${NO_MATCH}`, { [column]: absent(column) }),
    ]),
    one('buyer_id of a buyer with many', { buyer_id: idOf(rows, BUSY_BUYER) }),
    one('buyer_external_identifier of a buyer with many', {
      buyer_external_identifier: referenceOf(BUSY_BUYER),
    }),
    one('payment_method_bin, rare', { payment_method_bin: RARE.bin }),
    one('payment_method_label, rare', { payment_method_label: RARE.label }),
    { name: 'id', filters: mainRows(rows).map((index) => ({ id: idOf(rows, index) })) },
    one(`id, ${NO_MATCH}`, { id: ABSENT_ID }),
    one(`reconciliation_id, ${NO_MATCH}`, { reconciliation_id: '02rWsLmUqCQF9dIRnVtE0a' }),
  ]
}

function kindCases(): Unlisted[] {
  const kinds: Readonly<Record<string, readonly [common: string, rare: string, absent: string]>> = {
    currency: ['USD', RARE.currency, 'XOF'],
    country: ['DE', RARE.country, 'ZW'],
    method: ['card', RARE.method, 'oxxo'],
    payment_method_scheme: ['visa', RARE.scheme, 'mir'],
    payment_method_country: ['US', RARE.country, 'ZW'],
    payment_service_id: [serviceOf(0), RARE.service, ABSENT_SERVICE],
    payment_source: ['ecommerce', RARE.source, ''],
    amount_eq: ['999', String(RARE.amount), '99999999'],
  }
  return [
    ...Object.entries(kinds).flatMap(([name, [common, rare, absent]]) => [
      one(name, { [name]: common }),
      one(`${name}, rare`, { [name]: rare }),
      ...(absent === '' ? [] : [one(`${name}, ${NO_MATCH}`, { [name]: absent })]),
    ]),
    one('payment_service_id, retired', { payment_service_id: RETIRED_SERVICE }),
    one('payment_service_id, several', { payment_service_id: [serviceOf(1), serviceOf(4), RETIRED_SERVICE] }),
    one('currency, several', { currency: ['EUR', 'GBP', 'JPY'] }),
    one('currency, common and rare', { currency: ['USD', RARE.currency] }),
    one('currency, several rare', { currency: [RARE.currency, 'XOF', 'XAF'] }),
    { ...one(`payment_source, ${NO_MATCH}`, { payment_source: RARE.source }), account: SECOND_ACCOUNT },
  ]
}

function markCases(rows: Rows): Unlisted[] {
  const ids = valuesOf(rows, 'payment_service_transaction_id')
  const pair = (key: string, value: string) => JSON.stringify({ [key]: value })
  return [
    one('status', { status: 'capture_succeeded' }),
    one('status, less common', { status: 'authorization_declined' }),
    one('status, newest only', { status: 'processing' }),
    one('status, rare', { status: RARE.status }),
    one('status, several', { status: ['authorization_declined', 'authorization_failed', 'capture_pending'] }),
    { ...one(`status, ${NO_MATCH}`, { status: RARE.status }), account: SECOND_ACCOUNT },
    one('error_code', { error_code: 'insufficient_funds' }),
    one('error_code, rare', { error_code: RARE.error }),
    one('error_code, several', { error_code: ['insufficient_funds', RARE.error] }),
    one(`error_code, ${NO_MATCH}`, { error_code: 'absent' }),
    {
      name: 'payment_service_transaction_id',
      filters: ids.map((id) => ({ payment_service_transaction_id: id })),
    },
    one(`payment_service_transaction_id, ${NO_MATCH}`, { payment_service_transaction_id: 'absent' }),
    one('metadata', { metadata: pair('channel', 'web') }),
    one('metadata, one in 200', { metadata: pair('campaign', campaignOf(17)) }),
    one('metadata, rare', { metadata: pair('note', 'by hand') }),
    one(`metadata, ${NO_MATCH}`, { metadata: pair('note', 'absent') }),
    one('gift_card_id', { gift_card_id: giftCardOf(3) }),
    one(`gift_card_id, ${NO_MATCH}`, { gift_card_id: ABSENT_ID }),
    one('gift_card_last4', { gift_card_last4: last4Of(3) }),
    one(`gift_card_last4, ${NO_MATCH}`, { gift_card_last4: 'none' }),
  ]
}

function flagCases(): Unlisted[] {
  const flags = [
    'has_refunds',
    'has_settlements',
    'pending_review',
    'disputed',
    'used_3ds',
    'has_gift_card_redemptions',
    'is_subsequent_payment',
    'merchant_initiated',
  ]
  return flags.flatMap((flag) => [
    one(`${flag} true`, { [flag]: 'true' }),
    one(`${flag} false`, { [flag]: 'false' }),
  ])
}

function rangeCases(rows: Rows): Unlisted[] {
  const at = (part: number, plusMs = 0) =>
    new Date(createdAt(rows, Math.floor(rows.count * part)).getTime() + plusMs).toISOString()
  return [
    one('amount_gte, common', { amount_gte: '1000' }),
    one('amount_gte, one in 1,000', { amount_gte: '100001' }),
    one(`amount_gte, ${NO_MATCH}`, { amount_gte: '90000000' }),
    one('amount_lte, common', { amount_lte: '5000' }),
    one('amount_lte, rare', { amount_lte: '100' }),
    one(`amount_lte, ${NO_MATCH}`, { amount_lte: '50' }),
    one('amount range, narrow', { amount_gte: '77700', amount_lte: '77800' }),
    one('created_at_gte', { created_at_gte: at(0.7) }),
    one('created_at_lte', { created_at_lte: at(0.3) }),
    one('created_at, one day', { created_at_gte: at(0.4), created_at_lte: at(0.4, DAY_MS) }),
    one(`created_at_gte, ${NO_MATCH}`, { created_at_gte: at(1, DAY_MS) }),
    one('updated_at_gte, an hour ago', { updated_at_gte: at(1, -3_600_000) }),
    one('updated_at_gte', { updated_at_gte: at(0.3) }),
    one('updated_at_lte', { updated_at_lte: at(0.5) }),
    one('updated_at, one day', { updated_at_gte: at(0.4), updated_at_lte: at(0.4, DAY_MS) }),
    one('updated_at, a minute', { updated_at_gte: at(0.4), updated_at_lte: at(0.4, 60_000) }),
    one(`updated_at_gte, ${NO_MATCH}`, { updated_at_gte: at(1, DAY_MS) }),
  ]
}

function searchCases(rows: Rows): Unlisted[] {
  const places = [
    'external_identifier',
    'buyer_id',
    'buyer_external_identifier',
    'payment_service_transaction_id',
  ] as const
  return [
    ...places.map((column) => ({
      name: `search, by ${column}`,
      filters: valuesOf(rows, column).map((value) => ({ search: value })),
    })),
    { name: 'search, by id', filters: mainRows(rows).map((index) => ({ search: idOf(rows, index) })) },
    one('search, a buyer with many', { search: referenceOf(BUSY_BUYER) }),
    one(`search, ${NO_MATCH}`, { search: 'absent' }),
    one('buyer_search, rare (3 buyers)', { buyer_search: 'zyxwald' }),
    one('buyer_search, common (all)', { buyer_search: 'shop.example' }),
    one(`buyer_search, ${NO_MATCH}`, { buyer_search: 'qqqxyz' }),
  ]
}

/** Several filters at once, and searches for values that are neither rare nor common. Each is answered in time or refused. */
export function combinationCases(rows: Rows): Case[] {
  const buyer = idOf(rows, BUSY_BUYER)
  const time = (part: number) => createdAt(rows, Math.floor(rows.count * part)).toISOString()
  const all = [
    one('currency and status', { currency: 'USD', status: 'capture_succeeded' }),
    one('currency and rare status', { currency: 'USD', status: RARE.status }),
    one('status and rare currency', { currency: RARE.currency, status: 'authorization_void_pending' }),
    one('common status and rare currency, none', { currency: RARE.currency, status: 'capture_succeeded' }),
    one('common currency and method, none', { currency: 'USD', method: 'ideal' }),
    one('common country and currency, none', { currency: 'USD', country: 'GB' }),
    one('three common, none', { currency: 'GBP', country: 'DE', payment_method_scheme: 'visa' }),
    one('declined, amex and GBP', {
      status: 'authorization_declined',
      payment_method_scheme: 'amex',
      currency: 'GBP',
    }),
    one('declined and retired service', {
      status: 'authorization_declined',
      payment_service_id: RETIRED_SERVICE,
    }),
    one('declined with common metadata', {
      status: 'authorization_declined',
      metadata: '{"channel":"kiosk"}',
    }),
    one('error and currency', { error_code: 'invalid_payment_method', currency: 'JPY' }),
    one('declined and has_settlements, none', { status: 'authorization_declined', has_settlements: 'true' }),
    one('captured, not settled', { status: 'capture_succeeded', has_settlements: 'false' }),
    one('captured, not settled, old', {
      status: 'capture_succeeded',
      has_settlements: 'false',
      created_at_lte: time(0.9),
    }),
    one('merchant_initiated and not subsequent, none', {
      merchant_initiated: 'true',
      is_subsequent_payment: 'false',
    }),
    one('buyer with many and status', { buyer_id: buyer, status: 'authorization_declined' }),
    one('buyer with many and rare status, none', { buyer_id: buyer, status: RARE.status }),
    one('buyer and status', { buyer_id: idOf(rows, 130), status: 'authorization_declined' }),
    one('disputed and refunded', { disputed: 'true', has_refunds: 'true' }),
    one('large amount and currency', { amount_gte: '500000', currency: 'JPY' }),
    one('large amount and declined', { amount_gte: '100001', status: 'authorization_declined' }),
    one('two ranges', {
      amount_gte: '100001',
      updated_at_gte: time(0.99),
    }),
    one('bin and declined', { payment_method_bin: '41000007', status: 'authorization_declined' }),
    one('buyer_search and status', { buyer_search: 'clara fuchs', status: 'authorization_declined' }),
    one('search and rare status', { search: referenceOf(BUSY_BUYER), status: RARE.status }),
    one('two pairs of metadata', { metadata: [`{"channel":"app"}`, `{"campaign":"${campaignOf(3)}"}`] }),
    one('created long ago, updated lately', { created_at_lte: time(0.5), updated_at_gte: time(0.92) }),
    one('buyer_search for one in 2,300', { buyer_search: 'anna berg 17' }),
    one('buyer_search for one in 100', { buyer_search: 'clara fuchs' }),
    one('buyer_search for two terms', { buyer_search: ['anna', 'berg 17'] }),
  ]
  return all.map((each) => ({ ...each, list, isSlow: true, name: `${list}, combination: ${each.name}` }))
}

function one(name: string, filters: Filters): Unlisted {
  return { name, filters: [filters] }
}

/** Values of a column from all over the list. */
function valuesOf(rows: Rows, column: keyof Row): string[] {
  return spread(rows).map((start) => {
    for (let offset = 0; offset < rows.count; offset += 1) {
      const { row } = paymentOf(rows, (start + offset) % rows.count)
      if (row.merchant_account_id === 'default' && row[column] !== null) return String(row[column])
    }
    throw new Error(`no row has ${column}`)
  })
}

function mainRows(rows: Rows): number[] {
  return spread(rows).map((start) => {
    let index = start
    while (paymentOf(rows, index).row.merchant_account_id !== 'default') index += 1
    return index
  })
}
