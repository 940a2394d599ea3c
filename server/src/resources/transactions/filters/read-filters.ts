import { sql } from 'kysely'
import { uuidOf } from '#domain/reconciliation-id.ts'
import * as marks from '#payments/store/marks.ts'
import { LISTED } from '#payments/store/marks.ts'
import type { Row } from '#payments/store/payments.ts'
import { type Bounds, intersect, NOTHING, only, timeBounds } from '#platform/listing/bounds.ts'
import { hidden } from '#platform/listing/branches.ts'
import {
  anyFilter,
  asUuid,
  inColumn,
  inMarkedColumn,
  inRange,
  inUpdates,
  isInColumn,
  isInMarkedColumn,
  isOrNot,
  withId,
  withMark,
  withMarks,
} from '#platform/listing/filters.ts'
import type { ColumnType, Filter } from '#platform/listing/table.ts'
import { ofBuyersWith } from '#resources/buyers/filter-by-buyer.ts'
import { readMetadata } from './metadata.ts'
import type { TransactionFilters } from './schemas.ts'

type Given = Omit<TransactionFilters, 'cursor' | 'limit'>

/** The columns with an index that is sorted by id. Their values do not change while a payment proceeds. */
type IndexedColumn = Exclude<
  keyof Row,
  | 'merchant_account_id'
  | 'id'
  | 'intent'
  | 'status'
  | `${string}_amount`
  | 'capture_limit'
  | 'is_capture_final'
  | 'has_gift_card_refunds'
  | 'pending_review'
  | 'disputed'
  | 'error_code'
  | 'payment_service_transaction_id'
  | 'outcome'
  | 'updated_at'
>

/** At most this many pairs are looked up in an index. The others are checked row by row. */
const METADATA_LEADS_MAX = 5
const AMOUNT_MAX = 2_147_483_647

type Columns = readonly (readonly [name: keyof Given & IndexedColumn, type: ColumnType])[]

/** Filters that nearly always match a few payments, best first. */
const IDENTIFIERS: Columns = [
  ['external_identifier', 'text'],
  ['reauthorized_from_transaction_id', 'uuid'],
  ['checkout_session_id', 'uuid'],
  ['payment_method_id', 'uuid'],
  ['buyer_id', 'uuid'],
  ['buyer_external_identifier', 'text'],
  ['buyer_email_address', 'text'],
  ['payment_method_fingerprint', 'text'],
  ['payment_link_id', 'uuid'],
  ['ip_address', 'inet'],
  ['payment_method_label', 'text'],
]

/** Filters that may match many payments, the more selective first. */
const KINDS: Columns = [
  ['payment_method_bin', 'text'],
  ['payment_method_country', 'text'],
  ['country', 'text'],
  ['payment_service_id', 'uuid'],
  ['method', 'text'],
  ['payment_method_scheme', 'text'],
  ['payment_source', 'text'],
  ['currency', 'text'],
]

/** The same, of columns that are true for some payments. What is false is found along the list. */
const FACTS = ['has_gift_card_redemptions', 'merchant_initiated', 'is_subsequent_payment'] as const

/** The filters, the best lead first, and the range of ids of all matches. */
export function readFilters(given: Given): { readonly bounds: Bounds; readonly filters: readonly Filter[] } {
  const bounds = idBounds(given)
  const filters = [
    ...search(given.search),
    ...columns(given, IDENTIFIERS),
    ...serviceTransaction(given.payment_service_transaction_id),
    ...giftCard(given),
    ...metadata(given.metadata),
    ...marked('error_code', given.error_code, 'error'),
    ...flags(given),
    ...amount(given),
    ...columns(given, KINDS),
    ...FACTS.flatMap((name) => isOrNot(given[name], isInColumn(LISTED, name))),
    ...marked('status', given.status, 'status'),
    ...amounts(given),
    ...inUpdates(LISTED, 'transaction_updates', given),
    ...partOfReference(given.external_identifier_contains),
    ...ofBuyersWith(LISTED, given.buyer_search),
  ]
  return { bounds, filters }
}

function idBounds(given: Given): Bounds {
  const bounds = [timeBounds(given)]
  const bound = (id: string | undefined) => bounds.push(id === undefined ? NOTHING : only(id))
  if (given.id !== undefined) bound(asUuid(given.id))
  if (given.reconciliation_id !== undefined) bound(uuidOf(given.reconciliation_id))
  return intersect(...bounds)
}

function columns(given: Given, list: Columns): Filter[] {
  return list.flatMap(([name, type]) => {
    const value = given[name]
    if (value === undefined) return []
    return [inColumn(LISTED, { name, type }, valuesOf(name, [value].flat()))]
  })
}

function valuesOf(name: keyof Given, values: readonly (string | boolean)[]) {
  if (name === 'payment_method_bin') return values.flatMap((one) => binsFrom(String(one)))
  if (name === 'country' || name === 'payment_method_country')
    return values.map((one) => String(one).toUpperCase())
  return values
}

const BIN_DIGITS = 8

/**
 * Every BIN that a payment can show for a card that begins with these digits: the digits themselves, and all
 * BINs of eight digits. The index has whole BINs, each in the order of the list.
 */
function binsFrom(digits: string): string[] {
  const missing = BIN_DIGITS - digits.length
  if (!/^\d{6,7}$/.test(digits)) return [digits]
  const endings = Array.from({ length: 10 ** missing }, (_, rest) => String(rest).padStart(missing, '0'))
  return [digits, ...endings.map((rest) => digits + rest)]
}

/** Matches exactly this text in any of five fields. */
function search(text: string | undefined): Filter[] {
  if (text === undefined) return []
  const id = asUuid(text)
  const places = [
    inColumn(LISTED, { name: 'external_identifier', type: 'text' }, [text]),
    inColumn(LISTED, { name: 'buyer_external_identifier', type: 'text' }, [text]),
    ...serviceTransaction(text),
  ]
  if (id !== undefined) {
    places.push(inColumn(LISTED, { name: 'buyer_id', type: 'uuid' }, [id]), withId(LISTED, id))
  }
  return [anyFilter(places)]
}

/** Checked along the list, or along another filter: an index of parts would cost every payment more than the search is worth. */
function partOfReference(text: string | undefined): Filter[] {
  if (text === undefined) return []
  const part = hidden(text.toLowerCase(), 'text')
  return [{ sql: sql<boolean>`strpos(lower(transactions.external_identifier), ${part}) > 0` }]
}

function serviceTransaction(id: string | undefined): Filter[] {
  return id === undefined ? [] : marked('payment_service_transaction_id', [id], 'service-transaction')
}

function marked(
  column: keyof Row,
  values: readonly string[] | undefined,
  kind: Parameters<typeof marks.markOf>[0],
): Filter[] {
  return values ? [inMarkedColumn(LISTED, column, values, (value) => marks.markOf(kind, value))] : []
}

function giftCard({ gift_card_id, gift_card_last4 }: Given): Filter[] {
  const found: string[] = []
  if (gift_card_id !== undefined) found.push(marks.markOf('gift-card', asUuid(gift_card_id)))
  if (gift_card_last4 !== undefined) found.push(marks.markOf('gift-card-last4', gift_card_last4))
  return withMarks(LISTED, found, found.length)
}

function metadata(items: readonly string[] | undefined): Filter[] {
  const found = [...readMetadata(items ?? [])].map(([key, value]) => marks.metadataMark(key, value))
  return withMarks(LISTED, found, METADATA_LEADS_MAX)
}

function flags(given: Given): Filter[] {
  const mark = (kind: Parameters<typeof marks.markOf>[0]) => withMark(LISTED, marks.markOf(kind))
  const isPending = isInMarkedColumn(LISTED, 'pending_review', marks.markOf('pending-review'))
  return [
    ...isOrNot(given.pending_review, isPending),
    ...isOrNot(given.disputed, isInMarkedColumn(LISTED, 'disputed', marks.markOf('disputed'))),
    ...isOrNot(given.has_refunds, mark('refunded')),
    ...isOrNot(given.used_3ds, mark('three-d-secure')),
    ...isOrNot(given.has_settlements, mark('settled')),
  ]
}

function amount({ amount_eq }: Given): Filter[] {
  return amount_eq === undefined ? [] : [inColumn(LISTED, { name: 'amount', type: 'integer' }, [amount_eq])]
}

function amounts({ amount_gte, amount_lte }: Given): Filter[] {
  if (amount_gte === undefined && amount_lte === undefined) return []
  const range = { from: amount_gte ?? 0, to: amount_lte ?? AMOUNT_MAX }
  return [inRange(LISTED, { column: 'amount', type: 'integer', ...range })]
}
