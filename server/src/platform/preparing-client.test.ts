import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { cloneDatabase } from '#testing/harness.ts'
import { type Database, openDatabase } from './open-database.ts'
import { PREPARED_MAX } from './preparing-client.ts'

let database: Database
beforeAll(async () => {
  database = openDatabase(await cloneDatabase(), { poolSize: 1, onError: () => {} })
})
afterAll(() => database.close())

const say = (number: number) =>
  sql`select ${number}::int as ${sql.raw(`number_${number}`)}`.execute(database.db)

async function prepared(): Promise<string[]> {
  const { rows } = await database.pool.query('select statement from pg_prepared_statements')
  return rows.map(({ statement }) => statement)
}

test('keeps used statements prepared, however many others there were', async () => {
  for (let number = 0; number < 1_100; number += 1) {
    await say(number)
    if (number % 100 === 0) await say(0)
  }

  const statements = await prepared()
  expect(statements.length).toBeLessThanOrEqual(PREPARED_MAX)
  expect(statements).toContain('select $1::int as number_1099')
  expect(statements).toContain('select $1::int as number_0')
  expect(statements).not.toContain('select $1::int as number_1')
  expect((await say(1)).rows).toEqual([{ number_1: 1 }])
})

test('dropping a statement that could not be prepared ends no transaction', async () => {
  await expect(sql`select ${1}::int from nowhere`.execute(database.db)).rejects.toThrow('nowhere')

  const { rows } = await database.db.transaction().execute(async (tx) => {
    for (let number = 0; number <= PREPARED_MAX; number += 1) {
      await sql`select ${number}::int as ${sql.raw(`other_${number}`)}`.execute(tx)
    }
    return sql`select ${1}::int as one`.execute(tx)
  })

  expect(rows).toEqual([{ one: 1 }])
})

test('dropping a statement in a failed transaction does not break the connection', async () => {
  const failing = database.db.transaction().execute(async (tx) => {
    await sql`select 1 / ${0}::int`.execute(tx).catch(() => {})
    await sql`select ${1}::int as unheard`.execute(tx)
  })

  await expect(failing).rejects.toThrow('aborted')
  expect((await sql`select ${2}::int as unheard`.execute(database.db)).rows).toEqual([{ unheard: 2 }])
  expect((await sql`select ${1}::int as unheard`.execute(database.db)).rows).toEqual([{ unheard: 1 }])
})

test('the server describes the rows of a statement once', async () => {
  const client = await database.pool.connect()
  const { connection } = client as unknown as { connection: { describe: (portal: unknown) => void } }
  const describe = vi.spyOn(connection, 'describe')
  const text = "select $1::int as number, 'text' as text, null::jsonb as nothing"
  const ask = (number: number) => client.query(text, [number])
  const rowOf = (number: number) => ({ number, text: 'text', nothing: null })

  expect((await ask(1)).rows).toEqual([rowOf(1)])
  expect((await ask(2)).rows).toEqual([rowOf(2)])
  expect(describe).toHaveBeenCalledTimes(1)

  const { rows, fields, rowCount } = await ask(3)
  expect({ rows, rowCount }).toEqual({ rows: [rowOf(3)], rowCount: 1 })
  expect(fields.map(({ name }) => name)).toEqual(['number', 'text', 'nothing'])
  expect(describe).toHaveBeenCalledTimes(1)
  client.release()
})

test('statements without rows, with no row and with many are told apart', async () => {
  const client = await database.pool.connect()
  await client.query('create temporary table counted (number int primary key)')
  const add = (number: number) => client.query('insert into counted values ($1)', [number])
  const list = (least: number) => client.query('select number from counted where number >= $1', [least])

  for (const number of [1, 2, 3]) expect(await add(number)).toMatchObject({ rowCount: 1, rows: [] })
  for (const [least, count] of [
    [9, 0],
    [1, 3],
    [9, 0],
    [3, 1],
  ] as const)
    expect((await list(least)).rows).toHaveLength(count)
  await expect(add(3)).rejects.toThrow('duplicate key')
  expect((await list(2)).rows).toEqual([{ number: 2 }, { number: 3 }])
  client.release()
})

test('the server refuses a statement whose rows have changed', async () => {
  const client = await database.pool.connect()
  await client.query('create temporary table changing (value int)')
  await client.query('insert into changing values (7)')
  const ask = () => client.query('select value from changing where $1::int = 1', [1])
  expect([(await ask()).rows, (await ask()).rows]).toEqual([[{ value: 7 }], [{ value: 7 }]])

  await client.query('alter table changing alter value type text')

  await expect(ask()).rejects.toThrow('cached plan must not change result type')
  client.release()
})
