import { isIP } from 'node:net'
import { type RawBuilder, sql } from 'kysely'
import { uuidOf } from '#domain/reconciliation-id.ts'
import { errors } from '#platform/errors.ts'
import * as marks from '../marks/store.ts'
import { type Bounds, firstMsOf, intersect, lastMsOf, only, timeBounds } from './bounds.ts'
import { readMetadata } from './metadata.ts'
import type { TransactionFilters } from './schemas.ts'
import { anyOf, unseen } from './unseen.ts'
import type { ColumnType, Condition, IndexedColumn, Lead } from './walk.ts'

/** One thing that payments must meet, and the index that has those which do. */
export type Filter = Condition & { readonly lead?: Lead }

type Given = Omit<TransactionFilters, 'cursor' | 'limit'>

/** Pairs beyond these are checked, but no index is asked for them. */
const METADATA_LEADS_MAX = 5
const AMOUNT_MAX = 2_147_483_647
/** Nothing was updated before or after, and PostgreSQL does not take every year that a request may name. */
const FIRST_MS = 0
const LAST_MS = Date.UTC(9999, 11, 31)
const UUID = /^(?:urn:uuid:)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i

/** Those that nearly always name a few payments, best first. */
const IDENTIFIERS: readonly (readonly [name: keyof Given & IndexedColumn, type: ColumnType])[] = [
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

/** Those that may name many, the more selective first. */
const KINDS: readonly (readonly [name: keyof Given & IndexedColumn, type: ColumnType])[] = [
  ['payment_method_bin', 'text'],
  ['payment_method_country', 'text'],
  ['country', 'text'],
  ['payment_service_id', 'uuid'],
  ['method', 'text'],
  ['payment_method_scheme', 'text'],
  ['payment_source', 'text'],
  ['currency', 'text'],
  ['has_gift_card_redemptions', 'boolean'],
  ['merchant_initiated', 'boolean'],
  ['is_subsequent_payment', 'boolean'],
]

/** The filters, the best lead first, and the ids within which all matches are. Nothing if there can be none. */
export function readFilters(
  given: Given,
): { readonly bounds: Bounds; readonly filters: readonly Filter[] } | undefined {
  const bounds = idBounds(given)
  const filters = [
    ...search(given.search),
    ...columns(given, IDENTIFIERS),
    ...serviceTransaction(given),
    ...giftCard(given),
    ...metadata(given.metadata),
    ...errorCode(given.error_code),
    ...flags(given),
    ...amount(given),
    ...columns(given, KINDS),
    ...status(given.status),
    ...ranges(given),
  ]
  if (!bounds || filters.some(({ lead }) => lead && leadsNowhere(lead))) return undefined
  return { bounds, filters }
}

function idBounds(given: Given): Bounds | undefined {
  const bounds = [timeBounds(given)]
  for (const id of [
    given.id === undefined ? null : asUuid(given.id),
    given.reconciliation_id === undefined ? null : uuidOf(given.reconciliation_id),
  ]) {
    if (id === undefined) return undefined
    if (id !== null) bounds.push(only(id))
  }
  return intersect(...bounds)
}

function leadsNowhere(lead: Lead): boolean {
  return 'values' in lead && lead.values.length === 0
}

function columns(
  given: Given,
  list: readonly (readonly [name: keyof Given & IndexedColumn, type: ColumnType])[],
): Filter[] {
  return list.flatMap(([name, type]) => {
    const value = given[name]
    if (value === undefined) return []
    return [column(name, type, name === 'payment_method_bin' ? binsFrom(String(value)) : [value].flat())]
  })
}

const BIN_DIGITS = 8

/**
 * Every BIN that a payment can show of a card that begins with these digits: themselves, and all of eight. The index has
 * whole BINs, each in the order of the list.
 */
function binsFrom(digits: string): string[] {
  const missing = BIN_DIGITS - digits.length
  if (!/^\d{6,7}$/.test(digits)) return [digits]
  const endings = Array.from({ length: 10 ** missing }, (_, rest) => String(rest).padStart(missing, '0'))
  return [digits, ...endings.map((rest) => digits + rest)]
}

function column(
  name: IndexedColumn,
  type: ColumnType,
  given: readonly (string | number | boolean)[],
): Filter {
  const values = [...new Set(given)].flatMap((value) => asStored(name, type, value) ?? [])
  return {
    sql: sql<boolean>`${sql.ref(`transactions.${name}`)} = ${anyOf(values, type)}`,
    lead: { kind: 'column', column: name, type, values },
  }
}

/** As PostgreSQL writes it. Undefined: no payment can have it. */
function asStored(name: string, type: ColumnType, value: string | number | boolean) {
  if (type === 'uuid') return asUuid(String(value))
  if (type !== 'inet' || (isIP(String(value)) > 0 && !String(value).includes('%'))) return value
  throw errors.invalid({
    location: 'query',
    pointer: `/${name}`,
    type: 'value_error.str.regex',
    message: 'must be an IPv4 or IPv6 address',
  })
}

export function asUuid(text: string): string | undefined {
  return UUID.exec(text)?.[1]?.toLowerCase()
}

/** Exactly this text in any of five places. */
function search(text: string | undefined): Filter[] {
  if (text === undefined) return []
  const id = asUuid(text)
  const arms = [
    column('external_identifier', 'text', [text]),
    column('buyer_external_identifier', 'text', [text]),
    ...serviceTransaction({ payment_service_transaction_id: text }),
  ]
  if (id !== undefined) {
    arms.push(column('buyer_id', 'uuid', [id]), {
      sql: sql<boolean>`transactions.id = ${unseen(id, 'uuid')}`,
      lead: { kind: 'id', id },
    })
  }
  const conditions = arms.map((arm) => arm.sql)
  return [
    {
      sql: sql<boolean>`(${sql.join(conditions, sql` or `)})`,
      lead: { kind: 'any', leads: arms.flatMap(({ lead }) => lead ?? []) },
    },
  ]
}

function serviceTransaction({
  payment_service_transaction_id: id,
}: Pick<Given, 'payment_service_transaction_id'>): Filter[] {
  if (id === undefined) return []
  return [
    {
      sql: sql<boolean>`transactions.payment_service_transaction_id = ${unseen(id, 'text')}`,
      lead: { kind: 'marks', values: [marks.markOf('service-transaction', id)] },
    },
  ]
}

function giftCard({ gift_card_id, gift_card_last4 }: Given): Filter[] {
  const found: Filter[] = []
  if (gift_card_id !== undefined) found.push(marked(marks.markOf('gift-card', asUuid(gift_card_id))))
  if (gift_card_last4 !== undefined) found.push(marked(marks.markOf('gift-card-last4', gift_card_last4)))
  return found
}

function metadata(items: readonly string[] | undefined): Filter[] {
  const found = [...readMetadata(items ?? [])].map(([key, value]) => marks.metadataMark(key, value))
  const others = found.slice(METADATA_LEADS_MAX)
  return [
    ...found.slice(0, METADATA_LEADS_MAX).map(marked),
    ...(others.length > 0 ? [{ sql: marks.hasAll(others), looksUp: 'by-key' as const }] : []),
  ]
}

function marked(mark: string): Filter {
  return { sql: marks.has(mark), looksUp: 'by-key', lead: { kind: 'marks', values: [mark] } }
}

function errorCode(codes: readonly string[] | undefined): Filter[] {
  if (!codes) return []
  const values = [...new Set(codes)]
  return [
    {
      sql: sql<boolean>`transactions.error_code = ${anyOf(values, 'text')}`,
      lead: { kind: 'marks', values: values.map((code) => marks.markOf('error', code)) },
    },
  ]
}

/** Only what is true is marked. What is not is most payments, and found among all. */
function flags(given: Given): Filter[] {
  const onRow = (condition: RawBuilder<boolean>): Condition => ({ sql: condition })
  return [
    ...flag(given.pending_review, 'pending-review', onRow(sql<boolean>`transactions.pending_review`)),
    ...flag(given.disputed, 'disputed', onRow(sql<boolean>`transactions.disputed`)),
    ...flag(given.has_refunds, 'refunded'),
    ...flag(given.used_3ds, 'three-d-secure'),
    ...flag(given.has_settlements, 'settled'),
  ]
}

function flag(
  value: boolean | undefined,
  kind: Parameters<typeof marks.markOf>[0],
  condition: Condition = marked(marks.markOf(kind)),
): Filter[] {
  if (value === undefined) return []
  if (value) return [{ ...condition, lead: { kind: 'marks', values: [marks.markOf(kind)] } }]
  const { looksUp } = condition
  return [{ sql: sql<boolean>`not (${condition.sql})`, ...(looksUp && { looksUp }) }]
}

function amount({ amount_eq }: Given): Filter[] {
  return amount_eq === undefined ? [] : [column('amount', 'integer', [amount_eq])]
}

function status(values: Given['status']): Filter[] {
  if (!values) return []
  const wanted = [...new Set(values)]
  return [
    {
      sql: sql<boolean>`transactions.status = ${anyOf(wanted, 'text')}`,
      lead: { kind: 'marks', values: wanted.map((value) => marks.markOf('status', value)) },
    },
  ]
}

function ranges(given: Given): Filter[] {
  return [...amounts(given), ...updates(given)]
}

function amounts({ amount_gte, amount_lte }: Given): Filter[] {
  if (amount_gte === undefined && amount_lte === undefined) return []
  const from = amount_gte ?? 0
  const to = amount_lte ?? AMOUNT_MAX
  return [
    {
      sql: sql<boolean>`transactions.amount between ${unseen(from, 'integer')} and ${unseen(to, 'integer')}`,
      lead: { kind: 'amounts', from, to },
    },
  ]
}

function updates({ updated_at_gte, updated_at_lte }: Given): Filter[] {
  if (updated_at_gte === undefined && updated_at_lte === undefined) return []
  const from = updated_at_gte === undefined ? FIRST_MS : firstMsOf(updated_at_gte, 'updated_at_gte')
  const to = updated_at_lte === undefined ? LAST_MS : lastMsOf(updated_at_lte, 'updated_at_lte')
  const span = {
    from: new Date(Math.max(from, FIRST_MS)),
    to: new Date(Math.min(Math.max(to, FIRST_MS), LAST_MS)),
  }
  return [
    {
      sql: sql<boolean>`transactions.updated_at between ${unseen(span.from, 'timestamptz')} and ${unseen(span.to, 'timestamptz')}`,
      lead: { kind: 'updates', ...span },
    },
  ]
}
