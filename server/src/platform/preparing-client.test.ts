import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
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
