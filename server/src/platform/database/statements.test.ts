import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { insertColumns, insertInto, insertRows, updateTable } from './statements.ts'

declare module './db.ts' {
  interface Tables {
    shelves: { room: string; 'shelf "no"': number; label: string | null; filled_at: Date }
  }
}

const THEN = new Date('2026-01-02T03:04:05.678Z')

let service: TestService
beforeAll(async () => {
  service = await startTestService()
  await sql`
    create table shelves (room text, "shelf ""no""" integer, label text default 'none', filled_at timestamptz)
  `.execute(service.context.db)
})
afterAll(() => service.close())

const shelf = (room: string, no: number, label?: string | null) => ({
  room,
  'shelf "no"': no,
  filled_at: THEN,
  ...(label !== undefined && { label }),
})
const labels = async (room: string) => {
  const { rows } = await sql<{ label: string | null }>`
    select label from shelves where room = ${room} order by "shelf ""no"""
  `.execute(service.context.db)
  return rows.map(({ label }) => label)
}

test('a row is inserted with defaults for missing columns', async () => {
  const { db } = service.context

  await insertInto('shelves', shelf('attic', 1, `'; drop table shelves; --`)).execute(db)
  await insertInto('shelves', shelf('attic', 2, null)).execute(db)
  await insertInto('shelves', { ...shelf('attic', 3), label: undefined } as never).execute(db)

  expect(await labels('attic')).toEqual([`'; drop table shelves; --`, null, 'none'])
})

test('several rows are inserted at once', async () => {
  const { db } = service.context

  await insertRows('shelves', [shelf('shed', 1, 'a'), shelf('shed', 2, null), shelf('shed', 3, 'c')]).execute(
    db,
  )

  expect(await labels('shed')).toEqual(['a', null, 'c'])
})

test('two rows and a thousand are the same statement, and one row is a plain insert', async () => {
  const { db } = service.context
  const textOf = (count: number) =>
    sql`${insertRows(
      'shelves',
      Array.from({ length: count }, (_, no) => shelf('loft', no, '"quoted" \\ and {odd}')),
    )}`.compile(db).sql

  expect(textOf(1_000)).toBe(textOf(2))
  expect(textOf(1)).toContain('values ($1, $2, $3, $4)')
  expect(() => insertRows('shelves', [])).toThrow('no row')
})

test('rows are inserted column by column, in their order, with values that they share', async () => {
  const { db } = service.context
  const labelled = ['a', null, '"c" \\ {,}']

  await insertColumns('shelves', {
    same: { room: ['text', 'barn'], filled_at: ['timestamptz', THEN] },
    each: { 'shelf "no"': ['integer', [1, 2, 3]], label: ['text', labelled] },
  }).execute(db)
  await insertColumns('shelves', {
    same: {},
    each: { room: ['text', ['byre']], label: ['text', ['alone']], filled_at: ['timestamptz', [THEN]] },
  }).execute(db)

  expect(await labels('barn')).toEqual(labelled)
  expect(await labels('byre')).toEqual(['alone'])
})

test('an update with missing conditions is refused', async () => {
  const change = { label: 'new' } as never

  expect(() => updateTable('shelves', change, {})).toThrow('does not say which rows')
  expect(() => updateTable('shelves', change, { room: 'hall', 'shelf "no"': undefined } as never)).toThrow()
})

test('only rows with all the values change, and only in the given columns', async () => {
  const { db } = service.context
  for (const no of [1, 2]) await insertInto('shelves', shelf('cellar', no, 'old')).execute(db)
  await insertInto('shelves', shelf('hall', 1, 'old')).execute(db)

  const change = { label: 'new', filled_at: undefined } as never
  const changed = await updateTable('shelves', change, { room: 'cellar', 'shelf "no"': 2 }).execute(db)

  expect(changed.numAffectedRows).toBe(1n)
  expect(await labels('cellar')).toEqual(['old', 'new'])
  expect(await labels('hall')).toEqual(['old'])
  const { rows } = await sql`select distinct filled_at from shelves`.execute(db)
  expect(rows).toEqual([{ filled_at: THEN }])
})
