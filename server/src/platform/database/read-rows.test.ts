import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { cloneDatabase } from '#testing/harness.ts'
import { type Database, openDatabase } from './open-database.ts'
import { readerFor, TYPES } from './read-rows.ts'

let database: Database
let driver: pg.Client
const connection = cloneDatabase()
beforeAll(async () => {
  database = openDatabase(await connection, { poolSize: 1, onError: () => {} })
  driver = new pg.Client({ ...(await connection), types: TYPES })
  await driver.connect()
})
afterAll(async () => {
  await driver.end()
  await database.close()
})

/** One column of each kind that the service reads, and names that are no plain words. */
const ROWS = `
  select number, number::bigint as "a big one", number / 7.0 as "it's ""quoted""\\", number::float8 as ratio,
    case when number % 2 = 0 then null else 'text ' || number end as text, number % 3 = 0 as flag,
    '2026-01-31 10:20:30.123+00'::timestamptz + number * interval '1 hour' as time,
    array['a', 'b,c', null, 'text ' || number] as words, array[]::text[] as none, array[1, number] as numbers,
    jsonb_build_object('number', number, 'list', jsonb_build_array(null, 'é"\\')) as document,
    json_build_array(number) as list, decode('00ff' , 'hex') as bytes, gen_random_uuid() is null as id,
    null as nothing, 'first' as twice, number as twice
  from generate_series(1, $1::int) as number`

test('rows are those of the driver, with their fields in the same order', async () => {
  for (const count of [0, 1, 25]) {
    const [{ rows }, { rows: expected }] = [
      await database.pool.query(ROWS, [count]),
      await driver.query(ROWS, [count]),
    ]
    expect(rows).toEqual(expected)
    expect(rows.map((row) => Object.keys(row))).toEqual(expected.map((row) => Object.keys(row)))
    expect(JSON.stringify(rows)).toBe(JSON.stringify(expected))
  }
})

test('what is told beside the rows is what the driver tells', async () => {
  const text = 'insert into analytics_marks select $1::int'
  for (const client of [database.pool, driver])
    await client.query('create temporary table analytics_marks (n int)')
  const told = async (client: Pick<pg.Client, 'query'>) => {
    const { command, rowCount, rows } = await client.query(text, [1])
    return { command, rowCount, rows }
  }
  expect(await told(database.pool as unknown as pg.Client)).toEqual(await told(driver))
})

test('a value that cannot be read fails its statement, and not the connection', async () => {
  const spy = vi.spyOn(TYPES, 'getTypeParser').mockReturnValue(() => {
    throw new RangeError('no such value')
  })
  const text = 'select number as unreadable from generate_series(1, $1::int) as number'
  await expect(database.pool.query(text, [3])).rejects.toThrow(RangeError)
  spy.mockRestore()
  expect((await database.pool.query('select $1::int as one', [1])).rows).toEqual([{ one: 1 }])
})

test('the reader of a statement is kept until its columns change', () => {
  const columns = [
    { name: 'id', dataTypeID: 25 },
    { name: 'amount', dataTypeID: 23 },
  ]
  const first = readerFor(columns, undefined)
  expect(first.read(['a', '7'])).toEqual({ id: 'a', amount: 7 })
  expect(readerFor([...columns], first)).toBe(first)
  expect(readerFor([...columns], undefined)).toBe(first)

  const changed = readerFor(
    [
      { name: 'id', dataTypeID: 25 },
      { name: 'amount', dataTypeID: 20 },
    ],
    first,
  )
  expect(changed.read(['a', '7'])).toEqual({ id: 'a', amount: '7' })
  expect(readerFor(columns.slice(0, 1), first).read(['a'])).toEqual({ id: 'a' })
})
