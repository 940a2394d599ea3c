import type { Row } from '#payments/store/payments.ts'
import type { Secrets } from '#platform/access/secrets.ts'
import { turnPage } from '#platform/listing/pagination.ts'
import {
  fillAuditLogs,
  fillEvents,
  fillGiftCards,
  fillLinks,
  fillPaymentMethods,
  fillPayouts,
  METHODS_OF_A_BUYER,
  OTHER_KEY,
  RARE_KEY,
  SUBSCRIPTION,
} from './list-growth-fill.ts'
import {
  ABSENT_SERVICE,
  BUSY_BUYER,
  campaignOf,
  giftCardOf,
  last4Of,
  paymentOf,
  RARE,
  RETIRED_SERVICE,
  serviceOf,
} from './list-growth-payment.ts'
import {
  createdAt,
  type Fill,
  idOf,
  type Rows,
  referenceOf,
  SECOND_ACCOUNT,
  SMALL_ACCOUNT,
} from './list-growth-rows.ts'
import { fillTransactions } from './list-growth-transactions.ts'
import { PAYMENT } from './payment.ts'

export type Filters = Readonly<Record<string, string | readonly string[]>>

/** One way to ask for a list. The requests of a case take turns with several filters of the same kind. */
export type Case = {
  readonly name: string
  readonly list: string
  readonly filters: readonly Filters[]
  /** Default: the default account. `*` means all accounts that the key reaches. */
  readonly account?: string
  /** Sent with a key for the three accounts, instead of one for all. */
  readonly isConfined?: true
}

type List = {
  /** The path of the list, and the name that its cursors carry. */
  readonly list: string
  readonly cursors?: string
  /** It is of one account, so it cannot be asked for in several. */
  readonly isOfOneAccount?: true
  /** Filters by name. Those that are named `…, no match` find nothing. */
  readonly filters: (rows: Rows) => Readonly<Record<string, Filters | readonly Filters[]>>
  /** The beginnings of names of filters that are asked for in all accounts, too. Default: all. */
  readonly everywhere?: readonly string[]
}

/** Lists that are measured together, and what fills their tables. */
export type Growth = {
  readonly name: string
  readonly title: string
  /** The lists, as part of a sentence. */
  readonly subject: string
  readonly lists: readonly List[]
  readonly fill: readonly Fill[]
  /** Whether there are as many buyers as rows. Default: yes. */
  readonly hasBuyers?: false
  /** The creation that is measured as well, on the long list. */
  readonly creation?: { readonly route: string; readonly body: object }
  readonly settings: readonly string[]
}

const EVENLY =
  '9 in 10 in the default account, 1 in 10 in a second one, 5 in a third; created evenly over a year'
const NO_MATCH = 'no match'
const ABSENT_ID = '019c0000-0000-7000-8000-000000000000'
const DAY_MS = 24 * 3_600_000
const VARIANTS = 20

export const GROWTHS: readonly Growth[] = [
  {
    name: 'list-growth',
    title: 'Lists that grow',
    subject: '`GET /payment-methods` and `GET /buyers` are when their tables are',
    lists: [
      { list: 'payment-methods', filters: methodFilters },
      { list: 'buyers', filters: buyerFilters },
    ],
    fill: [fillPaymentMethods],
    settings: [
      `as many buyers as payment methods: ${EVENLY}`,
      'statuses: 97 % succeeded, 3 % failed, 0.1 % processing, 5 rows buyer_approval_required',
    ],
  },
  {
    name: 'list-events-growth',
    title: 'Events and deliveries that grow',
    subject: '`GET /events` and a subscription’s `GET …/deliveries` are when their tables are',
    lists: [
      { list: 'events', filters: eventFilters },
      {
        list: `webhook-subscriptions/${SUBSCRIPTION}/deliveries`,
        cursors: `webhook-deliveries ${SUBSCRIPTION}`,
        isOfOneAccount: true,
        filters: () => named('status', ['delivered', 'parked', 'waiting']),
      },
    ],
    fill: [fillEvents],
    settings: [
      `as many buyers as events: ${EVENLY}`,
      'names: 90 % transaction.authorized, 10 % buyer.created, 5 of the oldest gift-card.deleted',
      'one subscription with a delivery of every event: one in a thousand parked, 5 of the oldest waiting, the others delivered',
    ],
  },
  {
    name: 'list-audit-logs-growth',
    title: 'Audit logs and gift cards that grow',
    subject: '`GET /audit-logs` and `GET /gift-cards` are when their tables are',
    lists: [
      { list: 'audit-logs', filters: auditLogFilters },
      { list: 'gift-cards', filters: (rows) => buyersFilters(rows) },
    ],
    fill: [fillAuditLogs, fillGiftCards],
    settings: [
      `as many buyers and gift cards as entries: ${EVENLY}`,
      'one entry in 100 is of the installation; 90 % created, 10 % updated; 90 % of transactions, 10 % of buyers; 90 % by one key, 10 % by another; "rare" is what 5 of the oldest have',
      'three gift cards for each buyer who has any, and one card in a hundred belongs to the same buyer',
    ],
  },
  {
    name: 'list-payment-links-growth',
    title: 'Payment links that grow',
    subject: '`GET /payment-links` is when its tables are',
    lists: [{ list: 'payment-links', filters: linkFilters }],
    fill: [fillLinks],
    creation: { route: 'payment-links', body: { amount: 1299, currency: 'USD', country: 'US' } },
    settings: [
      `as many buyers as links: ${EVENLY}`,
      'statuses: 89 % completed, 10 % expired, the newest 1 % active, one in a thousand processing; 5 of the oldest are active, and their time is over',
      'currencies: 90 % USD, 10 % EUR, 5 of the oldest CLP; 997 amounts; every link has a buyer',
    ],
  },
  {
    name: 'list-payouts-growth',
    title: 'Payouts that grow',
    subject: '`GET /payouts` is when its tables are',
    lists: [{ list: 'payouts', filters: payoutFilters }],
    fill: [fillPayouts],
    hasBuyers: false,
    settings: [
      EVENLY,
      'statuses: 97 % succeeded, 3 % declined, one in a thousand failed, 5 of the oldest pending',
      'half of them have an external identifier, all but the pending ones an id at the payment service',
    ],
  },
  {
    name: 'list-transactions-growth',
    title: 'Transactions that grow',
    subject: '`GET /transactions` is, and `POST /transactions`, when its tables are',
    lists: [
      {
        list: 'transactions',
        filters: transactionFilters,
        everywhere: ['external_identifier', 'currency', 'status', 'amount_gte', 'search', 'metadata'],
      },
    ],
    fill: [fillTransactions],
    creation: { route: 'transactions', body: PAYMENT },
    settings: [
      'as many buyers as transactions; of these 60 % in the default account, 20 % in a second one, 5 in a third, the rest in 18 others; created evenly over a year',
      '50 % USD, 30 % EUR; 80 % cards; 70 % captured, 12 % declined; 3 % refunded; two pairs of metadata; "rare" is what 5 of the oldest have',
    ],
  },
]

/** Every list without a filter, and with each of its filters: from its beginning, from its middle, and in all accounts. */
export async function casesOf({ lists }: Growth, rows: Rows, secrets: Secrets): Promise<Case[]> {
  const cases: Case[] = []
  for (const one of lists) cases.push(...(await casesOfList(one, rows, secrets)))
  return cases
}

async function casesOfList(
  { list, cursors = list, isOfOneAccount, filters: filtersOf, everywhere = [''] }: List,
  rows: Rows,
  secrets: Secrets,
): Promise<Case[]> {
  const { older, newer } = await middleCursors(cursors, rows, secrets)
  const label = list.split('/').at(-1)
  const one = (name: string, filters: Filters | readonly Filters[], more: Partial<Case> = {}): Case => ({
    name: `${label}: ${name}`,
    list,
    filters: Array.isArray(filters) ? filters : [filters as Filters],
    ...more,
  })
  const midway = (filters: Filters | readonly Filters[]) =>
    [filters].flat().map((each) => ({ ...each, cursor: older }))
  const all = { account: '*' }
  const entries = Object.entries(filtersOf(rows))
  return [
    one('no filter', {}),
    one('cursor in the middle, forwards', { cursor: older }),
    one('cursor in the middle, backwards', { cursor: newer }),
    ...entries.flatMap(([name, filters]) => [
      one(name, filters),
      ...(name.endsWith(NO_MATCH) ? [] : [one(`${name}, middle`, midway(filters))]),
    ]),
    ...(isOfOneAccount
      ? []
      : [
          one('an account with few', {}, { account: SMALL_ACCOUNT }),
          one('all accounts', {}, all),
          one('three accounts', {}, { ...all, isConfined: true }),
          one('all accounts, cursor in the middle', { cursor: older }, all),
          ...entries
            .filter(([name]) => everywhere.some((start) => name.startsWith(start)))
            .map(([name, filters]) => one(`${name}, all accounts`, filters, all)),
          // All rare rows are of the default account.
          ...entries
            .filter(([name]) => name.endsWith('rare'))
            .map(([name, filters]) => one(`${name}, ${NO_MATCH}`, filters, { account: SECOND_ACCOUNT })),
        ]),
  ]
}

/** The service's own cursors for the row in the middle of the list. */
async function middleCursors(
  name: string,
  rows: Rows,
  secrets: Secrets,
): Promise<{ readonly older: string; readonly newer: string }> {
  const index = Math.floor(rows.count / 2)
  const row = { id: idOf(rows, index), created_at: createdAt(rows, index) }
  const page = { name, mac: secrets.mac, page: { limit: 1 } }
  const { next_cursor } = await turnPage(
    page,
    async () => [row, row],
    () => null,
  )
  const older = next_cursor ?? ''
  const back = await turnPage(
    { ...page, page: { limit: 1, cursor: older } },
    async () => [row],
    () => null,
  )
  return { older, newer: back.previous_cursor ?? '' }
}

/** Rows of the default account from all over the list, none at its ends. */
function spread({ count }: Rows): number[] {
  return Array.from({ length: VARIANTS }, (_none, at) => {
    const index = Math.floor((count * (at + 1)) / (VARIANTS + 1))
    return index - (index % 10)
  })
}

/** One filter with several values: `status parked`, or with a word for each, `status, rare`. */
function named(
  column: string,
  values: readonly string[] | Readonly<Record<string, string | readonly string[]>>,
): Record<string, Filters> {
  const entries = Array.isArray(values)
    ? values.map((value: string) => [` ${value}`, value] as const)
    : Object.entries(values).map(([word, value]) => [word === '' ? '' : `, ${word}`, value] as const)
  return Object.fromEntries(entries.map(([word, value]) => [`${column}${word}`, { [column]: value }]))
}

/** One filter with values of many rows, and with one that no row has. */
function each(
  column: string,
  values: readonly string[],
  absent = 'absent',
): Record<string, Filters | Filters[]> {
  return {
    [column]: values.map((value) => ({ [column]: value })),
    [`${column}, ${NO_MATCH}`]: { [column]: absent },
  }
}

const middleOf = (rows: Rows, part = 0.5, plusMs = 0) =>
  new Date(createdAt(rows, Math.floor(rows.count * part)).getTime() + plusMs).toISOString()

/** Of a buyer, and of its first method: multiples of 6 that are not the busy one's have both a buyer and a reference. */
const withBuyer = (rows: Rows) =>
  spread(rows).map((index) => index - (index % (METHODS_OF_A_BUYER * 100)) + 6)

function buyersFilters(rows: Rows) {
  const some = withBuyer(rows)
  return {
    ...each(
      'buyer_id',
      some.map((index) => idOf(rows, index)),
      ABSENT_ID,
    ),
    'buyer_id of a buyer with many': { buyer_id: idOf(rows, BUSY_BUYER) },
    ...each('buyer_external_identifier', some.map(referenceOf)),
  }
}

function methodFilters(rows: Rows) {
  return {
    ...buyersFilters(rows),
    ...each('external_identifier', withBuyer(rows).map(referenceOf)),
    ...named('status', ['succeeded', 'failed', 'processing', 'buyer_approval_required']),
    ...named('status', {
      'two common': ['succeeded', 'failed'],
      'two rare': ['processing', 'buyer_approval_required'],
    }),
  }
}

function buyerFilters(rows: Rows) {
  return {
    ...each('external_identifier', spread(rows).map(referenceOf)),
    ...named('search', {
      'rare (3 buyers)': 'zyxwald',
      'one in 2,300': 'anna berg 17',
      'one in 100': 'clara fuchs',
      'common (all)': 'shop.example',
      absent: 'qqqxyz',
      'absent but made of common parts': 'anna berg 300',
      'one character, common': 'a',
      'one character, absent': 'ß',
      'two characters, common': 'an',
      'two characters, rare': 'zy',
      'two characters, absent': 'qx',
    }),
  }
}

function eventFilters(rows: Rows) {
  const middle = middleOf(rows)
  return {
    ...named('name', {
      common: 'transaction.authorized',
      'one in ten': 'buyer.created',
      rare: 'gift-card.deleted',
      [NO_MATCH]: 'refund.failed',
    }),
    ...each(
      'target_id',
      spread(rows).map((index) => idOf(rows, index)),
      SUBSCRIPTION,
    ),
    created_at_lte: { created_at_lte: middle },
    created_at_gte: { created_at_gte: middle },
    'name and created_at_lte': { name: 'buyer.created', created_at_lte: middle },
  }
}

/** A key for all accounts sees the entries of the installation beside those of an account. */
function auditLogFilters() {
  return {
    ...named('action', { common: 'created', rare: 'voided', [NO_MATCH]: 'captured' }),
    ...named('user_id', { 'one in ten': OTHER_KEY, rare: RARE_KEY }),
    ...named('resource_type', { rare: 'digital-wallet', [NO_MATCH]: 'absent' }),
    'rare action, common resource_type': { action: 'voided', resource_type: 'transaction' },
  }
}

function linkFilters(rows: Rows) {
  const middle = middleOf(rows)
  return {
    ...named('status', ['completed', 'expired', 'active', 'processing']),
    ...named('status', { several: ['active', 'processing'] }),
    ...named('currency', { common: 'USD', rare: 'CLP', [NO_MATCH]: 'JPY' }),
    amount_eq: { amount_eq: '17' },
    'amount range': { amount_gte: '100', amount_lte: '110' },
    'status and currency': { status: 'active', currency: 'EUR' },
    created_at_lte: { created_at_lte: middle },
    updated_at_gte: { updated_at_gte: middle },
    updated_at_lte: { updated_at_lte: middle },
    'buyer_search by id': spread(rows).map((at) => ({ buyer_search: idOf(rows, at) })),
    'buyer_search, rare': { buyer_search: 'zyxwald' },
  }
}

function payoutFilters(rows: Rows) {
  const middle = middleOf(rows)
  return {
    ...each('external_identifier', spread(rows).map(referenceOf)),
    ...each(
      'payment_service_payout_id',
      spread(rows).map((index) => `payout-${index}`),
    ),
    ...named('status', ['succeeded', 'declined', 'failed', 'pending']),
    ...named('status', { several: ['declined', 'failed'] }),
    created_at_lte: { created_at_lte: middle },
    created_at_gte: { created_at_gte: middle },
    updated_at_lte: { updated_at_lte: middle },
    updated_at_gte: { updated_at_gte: middle },
    'status and created_at_lte': { status: ['declined'], created_at_lte: middle },
  }
}

const IDENTIFIERS = [
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
  'payment_service_transaction_id',
] as const
const SEARCHED = [
  'external_identifier',
  'buyer_id',
  'buyer_external_identifier',
  'payment_service_transaction_id',
] as const
const FLAGS = [
  'has_refunds',
  'has_settlements',
  'pending_review',
  'disputed',
  'used_3ds',
  'has_gift_card_redemptions',
  'is_subsequent_payment',
  'merchant_initiated',
]
/** A value that many payments have, one that five of the oldest have, and one that none has. */
const KINDS: Readonly<Record<string, readonly [common: string, rare: string, absent: string]>> = {
  currency: ['USD', RARE.currency, 'XOF'],
  country: ['DE', RARE.country, 'ZW'],
  method: ['card', RARE.method, 'oxxo'],
  payment_method_scheme: ['visa', RARE.scheme, 'mir'],
  payment_method_country: ['US', RARE.country, 'ZW'],
  payment_service_id: [serviceOf(0), RARE.service, ABSENT_SERVICE],
  amount_eq: ['999', String(RARE.amount), '99999999'],
  error_code: ['insufficient_funds', RARE.error, 'absent'],
}

/** Every filter of the list alone, with values that many payments have, few, and none. */
function transactionFilters(rows: Rows) {
  const pair = (key: string, value: string) => JSON.stringify({ [key]: value })
  const absent = (column: string) =>
    /_id$/.test(column) && column !== 'payment_service_transaction_id'
      ? ABSENT_ID
      : column === 'ip_address'
        ? '::1'
        : 'absent'
  const values = new Map(IDENTIFIERS.map((column) => [column, valuesOf(rows, column)]))
  const ids = mainRows(rows).map((index) => idOf(rows, index))
  return Object.assign(
    {},
    ...IDENTIFIERS.map((column) => each(column, values.get(column) ?? [], absent(column))),
    ...Object.entries(KINDS).map(([column, [common, rare, none]]) =>
      named(column, { '': common, rare, [NO_MATCH]: none }),
    ),
    ...FLAGS.map((flag) => named(flag, ['true', 'false'])),
    each('id', ids, ABSENT_ID),
    named('buyer_id', { 'a buyer with many': idOf(rows, BUSY_BUYER) }),
    named('payment_method_bin', { rare: RARE.bin }),
    named('payment_method_label', { rare: RARE.label }),
    named('reconciliation_id', { [NO_MATCH]: '02rWsLmUqCQF9dIRnVtE0a' }),
    named('payment_source', { '': 'ecommerce', rare: RARE.source }),
    named('payment_service_id', {
      retired: RETIRED_SERVICE,
      several: [serviceOf(1), serviceOf(4), RETIRED_SERVICE],
    }),
    named('currency', {
      several: ['EUR', 'GBP', 'JPY'],
      'common and rare': ['USD', RARE.currency],
      'several rare': [RARE.currency, 'XOF', 'XAF'],
    }),
    named('status', {
      '': 'capture_succeeded',
      'less common': 'authorization_declined',
      'newest only': 'processing',
      rare: RARE.status,
      several: ['authorization_declined', 'authorization_failed', 'capture_pending'],
    }),
    named('error_code', { several: ['insufficient_funds', RARE.error] }),
    named('metadata', {
      '': pair('channel', 'web'),
      'one in 200': pair('campaign', campaignOf(17)),
      rare: pair('note', 'by hand'),
      [NO_MATCH]: pair('note', 'absent'),
    }),
    each('gift_card_id', [giftCardOf(3)], ABSENT_ID),
    each('gift_card_last4', [last4Of(3)], 'none'),
    named('amount_gte', { common: '1000', 'one in 1,000': '100001', [NO_MATCH]: '90000000' }),
    named('amount_lte', { common: '5000', rare: '100', [NO_MATCH]: '50' }),
    timeFilters(rows),
    ...SEARCHED.map((column) => ({
      [`search, by ${column}`]: values.get(column)?.map((value) => ({ search: value })),
    })),
    { 'search, by id': ids.map((id) => ({ search: id })) },
    named('search', { 'a buyer with many': referenceOf(BUSY_BUYER), [NO_MATCH]: 'absent' }),
    named('buyer_search', {
      'rare (3 buyers)': 'zyxwald',
      'common (all)': 'shop.example',
      [NO_MATCH]: 'qqqxyz',
    }),
    {
      'limit 500': { limit: '500' },
      'amount range, narrow': { amount_gte: '77700', amount_lte: '77800' },
      'currency and status': { currency: 'USD', status: 'capture_succeeded' },
    },
  )
}

function timeFilters(rows: Rows): Record<string, Filters> {
  const at = (part: number, plusMs = 0) => middleOf(rows, part, plusMs)
  return {
    ...named('created_at_gte', { '': at(0.7), [NO_MATCH]: at(1, DAY_MS) }),
    ...named('created_at_lte', { '': at(0.3) }),
    'created_at, one day': { created_at_gte: at(0.4), created_at_lte: at(0.4, DAY_MS) },
    ...named('updated_at_gte', {
      '': at(0.3),
      'an hour ago': at(1, -3_600_000),
      [NO_MATCH]: at(1, DAY_MS),
    }),
    ...named('updated_at_lte', { '': at(0.5) }),
    'updated_at, one day': { updated_at_gte: at(0.4), updated_at_lte: at(0.4, DAY_MS) },
    'updated_at, a minute': { updated_at_gte: at(0.4), updated_at_lte: at(0.4, 60_000) },
  }
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
