import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createdAt, idMaker } from '#domain/ids.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { inTransaction } from '../database/db.ts'
import type { Reach } from '../http/operation.ts'
import { NOTHING, only, timeBounds } from './bounds.ts'
import {
  anyFilter,
  inColumn,
  inMarkedColumn,
  inRange,
  isInMarkedColumn,
  isOrNot,
  withId,
  withMarks,
} from './filters.ts'
import { listFiltered } from './list-filtered.ts'
import { insertMarks, markOf, replaceMarks } from './marks.ts'
import type { Filter, Lead, ReadTable } from './table.ts'
import { nextAlong } from './walk.ts'

/** Everything that a list must declare about its table. */
const PARCELS: ReadTable<Parcel> = {
  name: 'parcels',
  marks: 'parcel_marks',
  read: (keys) => sql<Parcel>`
    select parcels.* from (${keys}) as page
    join parcels on parcels.merchant_account_id = page.merchant_account_id and parcels.id = page.id`,
}

type Parcel = {
  readonly merchant_account_id: string
  readonly id: string
  readonly colour: string
  readonly weight: number
  readonly state: string
  readonly is_fragile: boolean
  readonly tags: readonly string[]
}

const ACCOUNTS = ['default', 'second-shop', 'tiny-shop'] as const
const START = Date.parse('2026-01-01T00:00:00Z')
const COUNT = 1_200
/** More rows than all short walks together reach. */
const FAR = 30

let service: TestService
let parcels: readonly Parcel[]
beforeAll(async () => {
  service = await startTestService()
  for (const id of ACCOUNTS.slice(1)) await service.send('POST /merchant-accounts', { id, display_name: id })
  await makeTables()
  parcels = await fill()
})
afterAll(() => service.close())

const colour = (...values: string[]) => inColumn(PARCELS, { name: 'colour', type: 'text' }, values)
const state = (...values: string[]) =>
  inMarkedColumn(PARCELS, 'state', values, (value) => markOf('state', value))
const weight = (from: number, to: number) => inRange(PARCELS, { column: 'weight', type: 'integer', from, to })
const tags = (...values: string[]) =>
  withMarks(
    PARCELS,
    values.map((value) => markOf('tag', value)),
    2,
  )
const fragile = (wanted: boolean) =>
  isOrNot(wanted, isInMarkedColumn(PARCELS, 'is_fragile', markOf('fragile')))

type Case = readonly [name: string, filters: () => readonly Filter[], meets: (parcel: Parcel) => boolean]

const CASES: readonly Case[] = [
  ['no filter', () => [], () => true],
  ['a column', () => [colour('red')], (one) => one.colour === 'red'],
  ['two values of a column', () => [colour('red', 'blue')], (one) => ['red', 'blue'].includes(one.colour)],
  ['a value that no row has', () => [colour('pink')], () => false],
  ['no value at all', () => [colour()], () => false],
  ['a column that changes', () => [state('sent')], (one) => one.state === 'sent'],
  ['a mark', () => tags('gift'), (one) => one.tags.includes('gift')],
  [
    'more marks than lead',
    () => tags('gift', 'bulky', 'cold'),
    (one) => ['gift', 'bulky', 'cold'].every((tag) => one.tags.includes(tag)),
  ],
  ['a fact', () => fragile(true), (one) => one.is_fragile],
  ['the opposite of a fact', () => fragile(false), (one) => !one.is_fragile],
  ['a range', () => [weight(10, 12)], (one) => one.weight >= 10 && one.weight <= 12],
  [
    'a column and a range',
    () => [colour('blue'), weight(0, 3)],
    (one) => one.colour === 'blue' && one.weight <= 3,
  ],
  [
    'two that rarely meet, far from the beginning',
    () => [colour('red'), state('lost')],
    (one) => one.colour === 'red' && one.state === 'lost',
  ],
  [
    'two common ones that never meet',
    () => [colour('blue'), ...fragile(true)],
    (one) => one.colour === 'blue' && one.is_fragile,
  ],
  [
    'any of two',
    () => [anyFilter([colour('green'), state('lost')])],
    (one) => one.colour === 'green' || one.state === 'lost',
  ],
  [
    'any of two, and a third',
    () => [anyFilter([colour('green'), state('lost')]), ...fragile(true)],
    (one) => (one.colour === 'green' || one.state === 'lost') && one.is_fragile,
  ],
]

describe('a list finds the same rows as a plain reading, in pages, forwards and back', () => {
  test.each(CASES)('%s', async (_name, filters, meets) => {
    for (const reach of [['default'], ['default', 'tiny-shop'], 'all'] as const) {
      const expected = parcels
        .filter(
          (one) => (reach === 'all' || reach.some((id) => id === one.merchant_account_id)) && meets(one),
        )
        .map(({ id }) => id)

      expect(await pages({ reach, filters: filters() }, Math.ceil(expected.length / 5))).toEqual(expected)
    }
  })

  test('within bounds of time', async () => {
    const time = (at: number) => createdAt(parcels[at]?.id ?? '').toISOString()
    const bounds = timeBounds({ created_at_gte: time(800), created_at_lte: time(300) })
    const expected = parcels.filter(
      ({ id, colour: own }) =>
        own === 'red' && createdAt(id).toISOString() >= time(800) && createdAt(id).toISOString() <= time(300),
    )

    const found = await pages({ reach: 'all', filters: [colour('red')], bounds }, 20)

    expect(found).toEqual(expected.map(({ id }) => id))
    expect(await pages({ reach: 'all', filters: [], bounds: NOTHING }, 20)).toEqual([])
  })

  test('one row by its id, if it matches the filters', async () => {
    const one = parcels.find((parcel) => parcel.merchant_account_id === 'default') as Parcel
    const [isOne, other] = [{ bounds: only(one.id) }, one.colour === 'red' ? 'blue' : 'red']

    expect(await pages({ reach: ['default'], filters: [withId(PARCELS, one.id)] }, 2)).toEqual([one.id])
    expect(await pages({ reach: ['default'], filters: [colour(one.colour)], ...isOne }, 2)).toEqual([one.id])
    expect(await pages({ reach: ['default'], filters: [colour(other)], ...isOne }, 2)).toEqual([])
    expect(await pages({ reach: ['tiny-shop'], filters: [], ...isOne }, 2)).toEqual([])
  })
})

test('a lead is looked up only when a short walk does not fill the page', async () => {
  let lookUps = 0
  const found = (value: string): Filter => ({
    sql: sql<boolean>`parcels.state = ${value}`,
    looksUp: 'by-row',
    findLead: async () => {
      lookUps += 1
      return { kind: 'marks', values: [markOf('state', value)] }
    },
  })
  const lost = parcels.filter((one) => one.state === 'lost' && one.merchant_account_id === 'default')

  await listFiltered(listOf(5), { ...wanted(['default']), filters: [found('packed')] })
  expect(lookUps).toBe(0)
  const page = await listFiltered(listOf(50), { ...wanted(['default']), filters: [found('lost')] })
  expect(lookUps).toBe(1)
  expect(page.items.map(({ id }) => id)).toEqual(lost.map(({ id }) => id))
})

test('the planner does not see how long a walk is', () => {
  const { db } = service.context
  const place = {
    db,
    table: PARCELS,
    reach: 'all',
    direction: 'desc',
    limit: 21,
    bounds: timeBounds({}),
  } as const
  const textOf = (lead: Lead, depth: number) =>
    nextAlong(place, lead, { conditions: [weight(100, 105)], depth }).compile(db).sql

  const leads: readonly Lead[] = [{ kind: 'everything' }, { kind: 'marks', values: ['state:sent'] }]
  expect(leads.map((lead) => textOf(lead, 2_100))).toEqual(leads.map((lead) => textOf(lead, 30_000)))
})

test('marks follow a row when it changes', async () => {
  const one = parcels.at(-1) as Parcel
  const key = { merchant_account_id: one.merchant_account_id, id: one.id }
  const change = { from: [markOf('tag', 'old')], to: [markOf('tag', 'x'.repeat(500))] }

  await inTransaction({ ...service.context, merchantAccountId: '' }, async (tx) => {
    await insertMarks(tx, PARCELS, key, change.from)
    await replaceMarks(tx, PARCELS, key, change)
  })

  expect(await pages({ reach: 'all', filters: tags('old') }, 2)).toEqual([])
  expect(await pages({ reach: 'all', filters: tags('x'.repeat(500)) }, 2)).toEqual([one.id])
})

test('a filter on marks fails for a table without marks', async () => {
  const { marks: _none, ...bare } = PARCELS

  await expect(
    listFiltered({ ...listOf(5), table: bare }, { ...wanted('all'), filters: [state('sent')] }),
  ).rejects.toThrow('parcels has no table of marks')
})

async function makeTables(): Promise<void> {
  const { db } = service.context
  await sql`
    create table parcels (
      merchant_account_id text, id uuid, colour text, weight integer, state text, is_fragile boolean, tags text[],
      primary key (merchant_account_id, id)
    )`.execute(db)
  await sql`create index on parcels (merchant_account_id, colour, id)`.execute(db)
  await sql`create index on parcels (merchant_account_id, weight, id)`.execute(db)
  await sql`
    create table parcel_marks (
      merchant_account_id text, mark text, id uuid, primary key (merchant_account_id, mark, id)
    )`.execute(db)
}

/** Newest first. Each three share a millisecond, and the lost ones are among the oldest. */
async function fill(): Promise<Parcel[]> {
  const newId = idMaker()
  const rows = Array.from({ length: COUNT }, (_none, index): Parcel => {
    const own = index % 2 === 0 ? 'red' : 'blue'
    return {
      merchant_account_id: index % 50 === 7 ? ACCOUNTS[2] : ACCOUNTS[index % 5 === 4 ? 1 : 0],
      id: newId(START + Math.floor(index / 3) * 60_000),
      colour: index % 97 === 0 ? 'green' : own,
      weight: (index * 7) % 100,
      state: index < FAR && index % 3 === 0 ? 'lost' : index % 4 === 0 ? 'sent' : 'packed',
      is_fragile: own === 'red' && index % 97 !== 0,
      tags: ['gift', 'bulky', 'cold'].filter((_tag, at) => index % (at + 2) === 0),
    }
  })
  await inTransaction({ ...service.context, merchantAccountId: '' }, async (tx) => {
    for (const row of rows) {
      const { merchant_account_id, id, colour: own, weight: grams, state: now, is_fragile, tags: all } = row
      await sql`insert into parcels values (
        ${merchant_account_id}, ${id}, ${own}, ${grams}, ${now}, ${is_fragile}, ${all})`.execute(tx.db)
      const facts = [markOf('state', now), ...all.map((tag) => markOf('tag', tag))]
      await insertMarks(tx, PARCELS, row, is_fragile ? [...facts, markOf('fragile')] : facts)
    }
  })
  return rows.toReversed()
}

type Wanted = Omit<Parameters<typeof listFiltered>[1], 'db' | 'bounds'> &
  Partial<Pick<Parameters<typeof listFiltered>[1], 'bounds'>>

function wanted(reach: Reach) {
  return { db: service.context.db, reach, bounds: timeBounds({}) }
}

function listOf(limit: number, cursor?: string) {
  return { name: 'parcels', page: { limit, cursor }, mac: service.secrets.mac, table: PARCELS }
}

/** Walks all pages forward, then back to the first. Returns the ids of the way forward. */
async function pages({ reach, ...given }: Wanted, limit: number): Promise<string[]> {
  const read = (cursor?: string | null) =>
    listFiltered(listOf(Math.max(2, limit), cursor ?? undefined), { ...wanted(reach), ...given })
  const forward: string[][] = []
  let page = await read()
  forward.push(page.items.map(({ id }) => id))
  while (page.next_cursor !== null) {
    page = await read(page.next_cursor)
    forward.push(page.items.map(({ id }) => id))
  }
  for (const expected of forward.slice(0, -1).reverse()) {
    page = await read(page.previous_cursor)
    expect(page.items.map(({ id }) => id)).toEqual(expected)
  }
  expect(page.previous_cursor).toBeNull()
  return forward.flat()
}
