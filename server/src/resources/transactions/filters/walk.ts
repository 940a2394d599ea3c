import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/db.ts'
import type { Reach } from '#platform/operation.ts'
import type { Slice } from '#platform/pagination.ts'
import type { StoredService } from '#resources/payment-services/store.ts'
import { COLUMNS, type Row, type StoredTransaction } from '../store.ts'
import { type Bounds, HIGHEST, LOWEST } from './bounds.ts'
import { unseen } from './unseen.ts'

/** The columns with an index that goes on by id. None of them changes with the progress of a payment. */
export type IndexedColumn = Exclude<
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

/** A way to payments: the index that has them together. All but the two ranges have them in the order of the list. */
export type Lead =
  | { readonly kind: 'everything' }
  | {
      readonly kind: 'column'
      readonly column: IndexedColumn
      readonly type: ColumnType
      readonly values: readonly (string | number | boolean)[]
    }
  | { readonly kind: 'marks'; readonly values: readonly string[] }
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'amounts'; readonly from: number; readonly to: number }
  | { readonly kind: 'updates'; readonly from: Date; readonly to: Date }
  | { readonly kind: 'any'; readonly leads: readonly Lead[] }

export type ColumnType = 'text' | 'uuid' | 'inet' | 'integer' | 'boolean'

/** What a payment must meet. A query that names `transactions` asks for it. */
export type Condition = {
  readonly sql: RawBuilder<boolean>
  /** It is looked up in another table, by the payment's key or by more than that. */
  readonly looksUp?: 'by-key' | 'by-row'
}

/** Where to look, and which way. */
export type Place = Pick<Slice, 'direction' | 'limit'> & {
  readonly db: Db
  readonly reach: Reach
  readonly bounds: Bounds
}

type Walk = {
  readonly conditions: readonly Condition[]
  /** How many entries of each index to look at. Without it, as many as it takes. */
  readonly depth?: number
}

/** Whether the index has the payments in the order of the list. */
export function isInOrder(lead: Lead): boolean {
  return lead.kind !== 'amounts' && lead.kind !== 'updates'
}

/** How many walks it takes for each account. */
export function widthOf(lead: Lead): number {
  return 'values' in lead ? lead.values.length : 1
}

/** A payment with the service it went through last. */
export type ListedTransaction = StoredTransaction & {
  readonly service: Pick<
    StoredService,
    'id' | 'payment_service_definition_id' | 'method' | 'display_name'
  > | null
}

/** The next payments along a lead that meet the conditions, with their documents. */
export async function walk(place: Place, lead: Lead, steps: Walk): Promise<ListedTransaction[]> {
  // Only what is on the page is read as a whole.
  const { rows } = await sql<ListedTransaction>`
    select ${OWN_COLUMNS}, transaction_documents.document, service.service
    from (${nextAlong(place, lead, steps)}) as page
    join transactions
      on transactions.merchant_account_id = page.merchant_account_id and transactions.id = page.id
    join transaction_documents
      on transaction_documents.merchant_account_id = page.merchant_account_id and transaction_documents.id = page.id
    left join lateral (
      select json_build_object('id', id, 'payment_service_definition_id', payment_service_definition_id,
        'method', payment_services.method, 'display_name', display_name) as service
      from payment_services where payment_services.id = transactions.payment_service_id
    ) as service on true
    order by page.id ${sql.raw(place.direction)}
  `.execute(place.db)
  return rows
}

/** How many entries each lead has, up to a limit. */
export async function count(place: Place, leads: readonly Lead[], max: number): Promise<number[]> {
  const countOf = (lead: Lead) => sql`(select count(*) from (${entries(place, lead, max)}) as entries)`
  // A range has to be read from end to end, if need be, to know how much of it is within the bounds. That is not worth
  // it if there is little within the bounds at all.
  const counts = leads.map((lead) => {
    if (lead.kind === 'everything') return sql`everything.entries`
    if (isInOrder(lead)) return countOf(lead)
    return sql`case when everything.entries < ${sql.lit(max)} then ${sql.lit(max)} else ${countOf(lead)} end`
  })
  // `offset 0` keeps the planner from counting everything each time that it is named.
  const { rows } = await sql<{ counts: string[] }>`
    select array[${sql.join(counts)}]::text[] as counts
    from (select ${countOf({ kind: 'everything' })} as entries offset 0) as everything
  `.execute(place.db)
  return rows[0]?.counts.map(Number) ?? []
}

const OWN_COLUMNS = sql.raw(COLUMNS.join(', '))
const ACCOUNT = sql.ref('account.id')
const VALUE = sql.ref('wanted.value')

/** The keys that the walks of each account and value find, merged. */
function nextAlong(place: Place, lead: Lead, steps: Walk): RawBuilder<unknown> {
  const order = sql.raw(place.direction)
  const limit = sql.lit(place.limit)
  if (lead.kind === 'any') {
    const arms = lead.leads.map((one) => sql`(${nextAlong(place, one, steps)})`)
    return sql`
      select merchant_account_id, id from (${sql.join(arms, sql` union `)}) as found
      order by id ${order} limit ${limit}`
  }
  const turns = turnsOf(place, lead)
  const own = ownWalk(place, lead, { ...steps, ...turns })
  if (turns.from.length === 0) return own
  return sql`
    select found.merchant_account_id, found.id
    from ${sql.join(turns.from, sql` cross join `)} cross join lateral (${own}) as found
    where true ${steps.depth === undefined ? sql`` : withinReach(place, lead, steps.depth)}
    order by found.id ${order} limit ${limit}`
}

/**
 * A short walk knows nothing beyond its last entry. So what the other walks found further on does not count: there may
 * be something before it.
 */
function withinReach(place: Place, lead: Single, depth: number): RawBuilder<unknown> {
  const { from, ...own } = turnsOf(place, lead)
  const { entries: rows, keys } = indexOf(place, lead, own)
  const order = sql.raw(place.direction)
  const last = sql`
    select last.id from ${sql.join(from, sql` cross join `)} cross join lateral (
      select ${sql.raw(keys.at(-1) ?? '')} from ${rows}
      order by ${sorted(keys, place.direction)} offset ${sql.lit(depth - 1)} limit 1
    ) as last order by last.id ${order} limit 1`
  const end = place.direction === 'desc' ? unseen(LOWEST, 'uuid') : unseen(HIGHEST, 'uuid')
  return sql`and found.id ${sql.raw(place.direction === 'desc' ? '>=' : '<=')} coalesce((${last}), ${end})`
}

type Turns = {
  readonly from: readonly RawBuilder<unknown>[]
  readonly account: RawBuilder<unknown>
  readonly value: RawBuilder<unknown>
}

/**
 * One index walk for each account and value: a single walk over several could not follow the order of the list. One
 * alone is written without a join, so that PostgreSQL keeps its plan.
 */
function turnsOf({ reach }: Place, lead: Lead): Turns {
  const from: RawBuilder<unknown>[] = []
  let account: RawBuilder<unknown> = ACCOUNT
  let value: RawBuilder<unknown> = VALUE
  if (reach === 'all') from.push(sql`merchant_accounts as account`)
  else if (reach.length === 1) account = unseen(reach[0], 'text')
  else from.push(sql`unnest(${unseen([...reach], 'text[]')}) as account (id)`)
  if (lead.kind === 'column' || lead.kind === 'marks') {
    const type = lead.kind === 'column' ? lead.type : 'text'
    if (lead.values.length === 1) value = unseen(lead.values[0], type)
    else from.push(sql`unnest(${unseen([...lead.values], `${type}[]`)}) as wanted (value)`)
  }
  return { from, account, value }
}

type Own = Walk & Omit<Turns, 'from'>
type Single = Exclude<Lead, { kind: 'any' }>

function ownWalk(place: Place, lead: Single, own: Own): RawBuilder<unknown> {
  const index = indexOf(place, lead, own)
  return lead.kind === 'everything' || lead.kind === 'id' || lead.kind === 'column'
    ? walkRows(place, index, own)
    : walkKeys(place, index, { ...own, isSorted: isInOrder(lead) })
}

/** The entries of an index for one account and value: what follows `from`, and the columns it is sorted by. */
type Index = { readonly entries: RawBuilder<unknown>; readonly keys: readonly string[] }

function indexOf({ bounds }: Place, lead: Single, { account, value }: Omit<Turns, 'from'>): Index {
  const from = unseen(bounds.from, 'uuid')
  const to = unseen(bounds.to, 'uuid')
  const own = (table: string) => sql`${sql.ref(`${table}.merchant_account_id`)} = ${account}`
  // As a comparison of pairs, because only one index has that order. For a plain equality the planner would at times
  // rather walk the primary key, and for a value that is rare in this account it would read all of it.
  const pairs = (column: string, id: string) => sql`
    (${sql.ref(column)}, ${sql.ref(id)}) >= (${value}, ${from})
    and (${sql.ref(column)}, ${sql.ref(id)}) < (${value}, ${to})`
  // Asked in a way that no index answers, for the same reason.
  const within = sql`(found.id >= ${from} and found.id < ${to}) is true`
  switch (lead.kind) {
    case 'everything':
      return {
        entries: sql`transactions where ${own('transactions')}
          and transactions.id >= ${from} and transactions.id < ${to}`,
        keys: ['transactions.id'],
      }
    case 'id':
      return {
        entries: sql`transactions where ${own('transactions')} and transactions.id = ${unseen(lead.id, 'uuid')}
          and (transactions.id >= ${from} and transactions.id < ${to}) is true`,
        keys: ['transactions.id'],
      }
    case 'column': {
      const column = `transactions.${lead.column}`
      return {
        entries: sql`transactions where ${own('transactions')} and ${sql.ref(column)} is not null
          and ${pairs(column, 'transactions.id')}`,
        keys: [column, 'transactions.id'],
      }
    }
    case 'marks':
      return {
        entries: sql`transaction_marks as found where ${own('found')} and ${pairs('found.mark', 'found.id')}`,
        keys: ['found.mark', 'found.id'],
      }
    case 'amounts':
      return {
        entries: sql`transactions as found where ${own('found')}
          and found.amount between ${unseen(lead.from, 'integer')} and ${unseen(lead.to, 'integer')} and ${within}`,
        keys: ['found.amount', 'found.id'],
      }
    case 'updates':
      return {
        entries: sql`transaction_updates as found where ${own('found')}
          and found.updated_at between ${unseen(lead.from, 'timestamptz')} and ${unseen(lead.to, 'timestamptz')} and ${within}`,
        keys: ['found.updated_at', 'found.id'],
      }
  }
}

/** Along an index of the payments themselves. */
function walkRows(
  { direction, limit }: Place,
  { entries: rows, keys }: Index,
  { conditions, depth }: Walk,
): RawBuilder<unknown> {
  const end = sql`order by ${sorted(keys, direction)} limit ${sql.lit(limit)}`
  const page = sql`select transactions.merchant_account_id, transactions.id`
  if (depth === undefined) return sql`${page} from ${rows} ${and(conditions)} ${end}`
  return sql`
    ${page} from (
      select ${OWN_COLUMNS} from ${rows} order by ${sorted(keys, direction)} limit ${sql.lit(depth)}
    ) as transactions
    where true ${and(conditions)} ${end}`
}

/** Along another table, or an index with another order: keys first, then the payments one by one. */
function walkKeys(
  { direction, limit }: Place,
  { entries: rows, keys }: Index,
  { conditions, depth, isSorted }: Walk & { readonly isSorted: boolean },
): RawBuilder<unknown> {
  const order = sorted(isSorted ? keys : ['found.id'], direction)
  const end = sql`order by ${order} limit ${sql.lit(limit)}`
  const key = sql.raw(['found.merchant_account_id', ...keys].join(', '))
  // `offset 0` keeps the planner from moving things: what is not in order is put in order before any payment is read.
  const found = isSorted ? rows : sql`(select ${key} from ${rows} offset 0) as found`
  if (conditions.length === 0) return sql`select found.merchant_account_id, found.id from ${found} ${end}`
  const steps = isSorted && depth !== undefined ? sql`limit ${sql.lit(depth)}` : sql`offset 0`
  const next = sql`(select ${key} from ${found} order by ${order} ${steps})`
  if (conditions.every(({ looksUp }) => looksUp === 'by-key')) {
    const page = sql`select transactions.merchant_account_id, transactions.id from (${next}) as transactions`
    const own = isSorted ? keys.map((name) => name.replace('found.', 'transactions.')) : ['transactions.id']
    return sql`${page} where true ${and(conditions)} order by ${sorted(own, direction)} limit ${sql.lit(limit)}`
  }
  return sql`
    select found.merchant_account_id, found.id
    from ${next} as found cross join lateral (
      select from transactions
      where transactions.merchant_account_id = found.merchant_account_id and transactions.id = found.id
        ${and(conditions)} offset 0
    ) as transactions
    ${end}`
}

/** Conditions are asked in a way that no index answers: which one to walk along is decided already. */
function and(conditions: readonly Condition[]): RawBuilder<unknown> {
  return sql.join(
    conditions.map((condition) => sql`and (${condition.sql}) is true`),
    sql` `,
  )
}

function sorted(keys: readonly string[], direction: Place['direction']): RawBuilder<unknown> {
  return sql.raw(keys.map((key) => `${key} ${direction}`).join(', '))
}

function entries(place: Place, lead: Lead, max: number): RawBuilder<unknown> {
  const limit = sql.lit(max)
  if (lead.kind === 'any') {
    const arms = lead.leads.map((one) => sql`(${entries(place, one, max)})`)
    return sql`${sql.join(arms, sql` union all `)} limit ${limit}`
  }
  const turns = turnsOf(place, lead)
  const index = indexOf(place, lead, turns)
  const own = sql`select from ${index.entries} order by ${sorted(index.keys, 'asc')} limit ${limit}`
  if (turns.from.length === 0) return own
  return sql`select from ${sql.join(turns.from, sql` cross join `)} cross join lateral (${own}) as entries
    limit ${limit}`
}
