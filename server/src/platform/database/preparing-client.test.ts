import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cloneDatabase } from '#testing/harness.ts'
import { type Db, inTransaction } from './db.ts'
import { type Database, openDatabase, PREPARED_MAX } from './open-database.ts'

let database: Database
const connection = cloneDatabase()
beforeAll(async () => {
  database = openDatabase(await connection, { poolSize: 1, onError: () => {} })
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

describe('a prepared statement whose rows have changed', () => {
  const ask = sql<{ a: number }>`select changing.* from changing where ${1}::int = 1`
  const rowsOf = async (db: Db) => (await ask.execute(db)).rows
  let several: Database
  let columns = 1
  const addColumn = () => database.pool.query(`alter table changing add column c${++columns} int`)
  const names = () => ['a', ...Array.from({ length: columns - 1 }, (_, at) => `c${at + 2}`)]
  beforeAll(async () => {
    several = openDatabase(await connection, { poolSize: 4, onError: () => {} })
    await database.pool.query('create table changing (a int)')
    await database.pool.query('insert into changing values (7)')
  })
  afterAll(() => several.close())

  /** Each of the connections has prepared it. */
  const prepareAll = () =>
    several.db.connection().execute((one) =>
      several.db.connection().execute(async (two) => {
        for (const db of [one, two, several.db]) await rowsOf(db)
        return several.db.connection().execute(rowsOf)
      }),
    )

  test('is sent again', async () => {
    await prepareAll()
    await addColumn()

    for (let turn = 0; turn < 6; turn += 1) {
      const [row] = await rowsOf(several.db)
      expect(Object.keys(row ?? {})).toEqual(names())
    }
  })

  test('writes once', async () => {
    const write = sql`update changing set a = a + ${1} returning *`
    await write.execute(several.db)
    await addColumn()
    await write.execute(several.db)

    expect(await rowsOf(several.db)).toMatchObject([{ a: 9 }])
  })

  test('makes a transaction start over, whichever connection it gets', async () => {
    await prepareAll()
    await addColumn()

    let tries = 0
    const context = {
      db: several.db,
      clock: () => new Date(0),
      actor: { id: null, name: '' },
      requestId: null,
      mac: () => Buffer.alloc(0),
    }
    const rows = await inTransaction(context, async (tx) => {
      tries += 1
      return rowsOf(tx.db)
    })
    expect([tries, Object.keys(rows[0] ?? {})]).toEqual([2, names()])
  })
})

describe('a statement that is not prepared as we believe', () => {
  const text = 'select $1::int as one'

  test.each([
    ['another has dropped it', 'deallocate all'],
    ['nobody has dropped it', 'select 1'],
  ])('is run all the same: %s', async (_name, between) => {
    const client = await database.pool.connect()
    expect((await client.query(text, [1])).rows).toEqual([{ one: 1 }])
    await client.query(between)
    for (const one of [2, 3]) expect((await client.query(text, [one])).rows).toEqual([{ one }])
    client.release()
  })

  test('is run all the same: another has prepared it before', async () => {
    const client = await database.pool.connect()
    const { rows } = await client.query('select name from pg_prepared_statements where statement = $1', [
      text,
    ])
    const { parsedStatements } = (
      client as unknown as { connection: { parsedStatements: Record<string, string> } }
    ).connection
    // As if a pooler had handed us the connection of another process.
    delete parsedStatements[rows[0].name]

    for (const one of [2, 3]) expect((await client.query(text, [one])).rows).toEqual([{ one }])
    client.release()
  })

  test('has the same name on every connection, and no other text has it', async () => {
    const name = async (number: number) => {
      const other = openDatabase(await connection, { poolSize: 1, onError: () => {} })
      try {
        for (let before = 0; before < number; before += 1)
          await other.pool.query(`select $1::int as b${before}`, [1])
        await other.pool.query(text, [1])
        const { rows } = await other.pool.query(
          'select name from pg_prepared_statements where statement = $1',
          [text],
        )
        return rows[0].name
      } finally {
        await other.close()
      }
    }
    expect(await name(0)).toBe(await name(3))
  })
})
