import { type RawBuilder, sql } from 'kysely'
import { HIGHEST, LOWEST } from './bounds.ts'
import { across, type Branch, eachAccount, eachValue, hidden, named } from './branches.ts'
import { marksOf } from './marks.ts'
import type { Condition, Lead, Place } from './table.ts'

type Walk = {
  readonly conditions: readonly Condition[]
  /** How many entries of each index to read. Default: as many as needed. */
  readonly depth?: number
}

/** Whether the index has the rows in the order of the list. */
export function isInOrder(lead: Lead): boolean {
  return lead.kind !== 'range'
}

/** How many walks a lead needs for each account. */
export function widthOf(lead: Lead): number {
  return 'values' in lead ? lead.values.length : 1
}

/** Selects the keys of the next rows along a lead that meet the conditions: those of each account and value, merged. */
export function nextAlong(place: Place, lead: Lead, steps: Walk): RawBuilder<unknown> {
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
  const all = across([turns.account, turns.value], own)
  if (!all) return own
  return sql`
    select found.merchant_account_id, found.id from ${all}
    where true ${steps.depth === undefined ? sql`` : withinReach(place, lead, steps.depth)}
    order by found.id ${order} limit ${limit}`
}

/** Selects as many empty rows as a lead has entries, up to a limit. */
export function entriesOf(place: Place, lead: Lead, max: number): RawBuilder<unknown> {
  const limit = sql.lit(max)
  if (lead.kind === 'any') {
    const arms = lead.leads.map((one) => sql`(${entriesOf(place, one, max)})`)
    return sql`${sql.join(arms, sql` union all `)} limit ${limit}`
  }
  const turns = turnsOf(place, lead)
  const index = indexOf(place, lead, turns)
  const own = sql`select from ${index.entries} order by ${sorted(index.keys, 'asc')} limit ${limit}`
  const all = across([turns.account, turns.value], own)
  return all ? sql`select from ${all} limit ${limit}` : own
}

type Turns = { readonly account: Branch; readonly value: Branch }
type Own = Walk & Turns
type Single = Exclude<Lead, { kind: 'any' }>

/** One index walk for each account and value. */
function turnsOf({ reach }: Place, lead: Lead): Turns {
  const account = eachAccount(reach)
  if (lead.kind === 'column') return { account, value: eachValue(lead.values, lead.type) }
  if (lead.kind === 'marks') return { account, value: eachValue(lead.values, 'text') }
  return { account, value: { value: sql`null` } }
}

/**
 * A short walk knows nothing beyond its last entry. Rows that other walks found beyond it do not count,
 * because there may be others before them.
 */
function withinReach(place: Place, lead: Single, depth: number): RawBuilder<unknown> {
  const turns = turnsOf(place, lead)
  const { entries, keys } = indexOf(place, lead, turns)
  const order = sql.raw(place.direction)
  const ends = across(
    [turns.account, turns.value],
    sql`select ${sql.raw(keys.at(-1) ?? '')} from ${entries}
      order by ${sorted(keys, place.direction)} offset ${far(depth - 1)} limit 1`,
    'last',
  )
  const last = sql`select last.id from ${ends} order by last.id ${order} limit 1`
  const end = place.direction === 'desc' ? hidden(LOWEST, 'uuid') : hidden(HIGHEST, 'uuid')
  return sql`and found.id ${sql.raw(place.direction === 'desc' ? '>=' : '<=')} coalesce((${last}), ${end})`
}

function ownWalk(place: Place, lead: Single, own: Own): RawBuilder<unknown> {
  const index = indexOf(place, lead, own)
  return lead.kind === 'marks' || lead.kind === 'range'
    ? walkKeys(place, index, { ...own, isSorted: isInOrder(lead) })
    : walkRows(place, index, own)
}

/** The entries of an index for one account and value: the SQL after `from`, and the columns that sort it. */
type Index = { readonly entries: RawBuilder<unknown>; readonly keys: readonly string[] }

function indexOf({ table, bounds }: Place, lead: Single, { account, value }: Turns): Index {
  const { name } = table
  const from = hidden(bounds.from, 'uuid')
  const to = hidden(bounds.to, 'uuid')
  const ofAccount = (alias: string) => sql`${named(`${alias}.merchant_account_id`)} = ${account.value}`
  // Compares pairs, because only one index has that order. For a plain equality the planner would sometimes
  // walk the primary key, and read all of it for a value that is rare in this account.
  const pairs = (column: string, id: string) => sql`
    (${named(column)}, ${named(id)}) >= (${value.value}, ${from})
    and (${named(column)}, ${named(id)}) < (${value.value}, ${to})`
  // `is true` keeps the planner from using an index for these, for the same reason.
  const within = (alias: string) =>
    sql`(${named(`${alias}.id`)} >= ${from} and ${named(`${alias}.id`)} < ${to}) is true`
  const rows = sql`${named(name)} where ${ofAccount(name)}`
  const id = named(`${name}.id`)
  switch (lead.kind) {
    case 'everything':
      return { entries: sql`${rows} and ${id} >= ${from} and ${id} < ${to}`, keys: [`${name}.id`] }
    case 'id':
      return {
        entries: sql`${rows} and ${id} = ${hidden(lead.id, 'uuid')} and ${within(name)}`,
        keys: [`${name}.id`],
      }
    case 'column': {
      const column = `${name}.${lead.column}`
      // The index may leave out what no walk looks for.
      const isIndexed = lead.type === 'boolean' ? named(column) : sql`${named(column)} is not null`
      return {
        entries: sql`${rows} and ${isIndexed} and ${pairs(column, `${name}.id`)}`,
        keys: [column, `${name}.id`],
      }
    }
    case 'marks':
      return {
        entries: sql`${marksOf(table, lead.values[0])} as found where ${ofAccount('found')} and ${pairs('found.mark', 'found.id')}`,
        keys: ['found.mark', 'found.id'],
      }
    case 'range': {
      const column = `found.${lead.column}`
      return {
        entries: sql`${named(lead.indexedIn ?? name)} as found where ${ofAccount('found')}
          and ${named(column)} between ${hidden(lead.from, lead.type)} and ${hidden(lead.to, lead.type)}
          and ${within('found')}`,
        keys: [column, 'found.id'],
      }
    }
  }
}

/** Along an index of the listed table itself. */
function walkRows(
  { table: { name }, direction, limit }: Place,
  { entries, keys }: Index,
  { conditions, depth }: Walk,
): RawBuilder<unknown> {
  const end = sql`order by ${sorted(keys, direction)} limit ${sql.lit(limit)}`
  const page = sql`select ${named(`${name}.merchant_account_id`)}, ${named(`${name}.id`)}`
  if (depth === undefined) return sql`${page} from ${entries} ${and(conditions)} ${end}`
  return sql`
    ${page} from (
      select ${named(name)}.* from ${entries} order by ${sorted(keys, direction)} limit ${far(depth)}
    ) as ${named(name)}
    where true ${and(conditions)} ${end}`
}

/** Along another table, or an index with another order: first the keys, then the rows one by one. */
function walkKeys(
  { table: { name }, direction, limit }: Place,
  { entries, keys }: Index,
  { conditions, depth, isSorted }: Walk & { readonly isSorted: boolean },
): RawBuilder<unknown> {
  const order = sorted(isSorted ? keys : ['found.id'], direction)
  const end = sql`order by ${order} limit ${sql.lit(limit)}`
  const key = sql.raw(['found.merchant_account_id', ...keys].join(', '))
  // `offset 0` keeps the planner from reordering: keys are sorted before any row is read.
  const found = isSorted ? entries : sql`(select ${key} from ${entries} offset 0) as found`
  if (conditions.length === 0) return sql`select found.merchant_account_id, found.id from ${found} ${end}`
  const reach = isSorted && depth !== undefined ? sql`limit ${far(depth)}` : sql`offset 0`
  const next = sql`(select ${key} from ${found} order by ${order} ${reach})`
  const own = { account: named(`${name}.merchant_account_id`), id: named(`${name}.id`) }
  if (conditions.every(({ looksUp }) => looksUp === 'by-key')) {
    const columns = (isSorted ? keys : ['found.id']).map((column) => column.replace('found.', `${name}.`))
    return sql`
      select ${own.account}, ${own.id} from (${next}) as ${named(name)}
      where true ${and(conditions)} order by ${sorted(columns, direction)} limit ${sql.lit(limit)}`
  }
  return sql`
    select found.merchant_account_id, found.id
    from ${next} as found cross join lateral (
      select from ${named(name)}
      where ${own.account} = found.merchant_account_id and ${own.id} = found.id ${and(conditions)} offset 0
    ) as ${named(name)}
    ${end}`
}

/**
 * How far to walk. A planner that knew it, and expected fewer entries than that, would not walk: it would read all entries in the
 * cheapest order, and sort them.
 */
function far(depth: number): RawBuilder<unknown> {
  return hidden(depth, 'integer')
}

/** `is true` keeps the planner from using another index than the one to walk along. */
function and(conditions: readonly Condition[]): RawBuilder<unknown> {
  return sql.join(
    conditions.map((condition) => sql`and (${condition.sql}) is true`),
    sql` `,
  )
}

function sorted(keys: readonly string[], direction: Place['direction']): RawBuilder<unknown> {
  return sql.raw(keys.map((key) => `${key} ${direction}`).join(', '))
}
