import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { inBriefTransaction, write, writeInOrder, writeOrFail } from './brief-transaction.ts'
import { inTransaction } from './db.ts'
import { Statement, statement } from './statements.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
  await sql`create table notes (id integer primary key, text text not null)`.execute(service.context.db)
})
afterAll(() => service.close())

const note = (id: number, text = 'new') => statement`insert into notes values (${id}, ${text})`
const change = (id: number) => statement`update notes set text = 'changed' where id = ${id} returning id`
const gone = () => new Error('there is no such note')
const notes = async () =>
  (await sql<{ id: number }>`select id from notes order by id`.execute(service.context.db)).rows
const ids = async (...wanted: number[]) =>
  (await notes()).map(({ id }) => id).filter((id) => wanted.includes(id))

describe('a brief transaction', () => {
  test('writes everything at its end', async () => {
    await inBriefTransaction(service.context, async (tx) => {
      await write(tx, note(1))
      await write(tx, note(2))
      expect(await ids(1, 2)).toEqual([])
    })

    expect(await ids(1, 2)).toEqual([1, 2])
  })

  test('writes nothing when a part of it is refused', async () => {
    const work = inBriefTransaction(service.context, async (tx) => {
      await write(tx, note(3))
      await write(tx, statement`insert into notes values (4, null)`)
    })

    await expect(work).rejects.toThrow('not-null')
    expect(await ids(3, 4)).toEqual([])
  })

  test('writes nothing when it is rolled back', async () => {
    const work = inBriefTransaction(service.context, async (tx) => {
      await note(5).execute(tx.db)
      await write(tx, note(6))
      throw new Error('given up')
    })

    await expect(work).rejects.toThrow('given up')
    expect(await ids(5, 6)).toEqual([])
  })

  test('reads and locks in the same transaction as its writes', async () => {
    const told = await inBriefTransaction(service.context, async (tx) => {
      const transaction = sql<{ id: string }>`select pg_current_xact_id()::text as id`
      const first = await transaction.execute(tx.db)
      await write(tx, note(7, 'in one'))
      const second = await transaction.execute(tx.db)
      return [first.rows[0]?.id, second.rows[0]?.id]
    })

    const { rows } = await sql<{ id: string }>`select xmin::text as id from notes where id = 7`.execute(
      service.context.db,
    )
    expect(new Set([...told, rows[0]?.id]).size).toBe(1)
  })

  test('changes a table once in a statement, and is one transaction all the same', async () => {
    const remove = (id: number) => statement`delete from notes where id = ${id} returning id`
    const add = (id: number) => statement`insert into notes values (${id}, 'added') on conflict do nothing`
    await write({ db: service.context.db as never }, note(20))

    const failing = inBriefTransaction(service.context, async (tx) => {
      await write(tx, remove(20))
      await write(tx, add(20))
      await writeOrFail(tx, change(99), gone)
    })
    await expect(failing).rejects.toThrow('there is no such note')
    const texts = async () =>
      (await sql<{ text: string }>`select text from notes where id = 20`.execute(service.context.db)).rows
    expect(await texts()).toEqual([{ text: 'new' }])

    await inBriefTransaction(service.context, async (tx) => {
      await write(tx, remove(20))
      await write(tx, add(20))
    })
    // One statement would have removed the note, and not added it: no part sees what another has written.
    expect(await texts()).toEqual([{ text: 'added' }])
  })

  test('is repeated when the database asks for it', async () => {
    let tries = 0
    await inBriefTransaction(service.context, async (tx) => {
      tries += 1
      await write(tx, note(10 + tries))
      if (tries === 1) throw Object.assign(new Error('deadlock'), { code: '40P01' })
    })

    expect(await ids(11, 12)).toEqual([12])
  })

  test('leaves no connection behind, however it ends', async () => {
    const end = (index: number) =>
      inBriefTransaction(service.context, async (tx) => {
        await sql`select 1`.execute(tx.db)
        if (index % 2 === 0) throw new Error('given up')
      }).catch(() => {})

    await Promise.all(Array.from({ length: 100 }, (_, index) => end(index)))

    const { rows } = await sql`
      select 1 from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'
    `.execute(service.context.db)
    expect(rows).toEqual([])
  })
})

describe.each([
  ['a transaction', inTransaction, false],
  ['a brief transaction', inBriefTransaction, false],
  ['a brief transaction that has read something', inBriefTransaction, true],
] as const)('%s whose write finds nothing to change', (name, begin, isReading) => {
  const id = 100 + name.length

  test('fails with the given error', async () => {
    const work = begin(service.context, async (tx) => {
      if (isReading) await sql`select 1`.execute(tx.db)
      await write(tx, note(id))
      await writeOrFail(tx, change(999), gone)
      await write(tx, note(id + 1000))
    })

    await expect(work).rejects.toThrow('there is no such note')
    expect(await ids(id, id + 1000)).toEqual([])
  })

  test('succeeds if the row exists', async () => {
    await note(id + 2000).execute(service.context.db)

    await begin(service.context, async (tx) => {
      if (isReading) await sql`select 1`.execute(tx.db)
      await writeOrFail(tx, change(id + 2000), gone)
      await write(tx, note(id + 3000))
    })

    expect(await ids(id + 3000)).toEqual([id + 3000])
  })
})

test('of several writes, the one that changed nothing fails', async () => {
  await note(4000).execute(service.context.db)
  const work = inBriefTransaction(service.context, async (tx) => {
    await writeOrFail(tx, change(4000), () => new Error('another one'))
    await write(tx, note(4001))
    await writeOrFail(tx, change(999), gone)
  })

  await expect(work).rejects.toThrow('there is no such note')
  expect(await ids(4001)).toEqual([])
})

test('another error is not mistaken for a write that changed nothing', async () => {
  const work = inBriefTransaction(service.context, async (tx) => {
    await writeOrFail(tx, statement`insert into notes select 'x'::int, 'none' from notes returning id`, gone)
  })

  await expect(work).rejects.toThrow('invalid input syntax')
})

describe.each([
  ['a transaction', inTransaction],
  ['a brief transaction', inBriefTransaction],
] as const)('%s', (name, begin) => {
  const tableName = `numbered_${name.replaceAll(' ', '_')}`
  const table = sql.id(tableName)
  const writeAll = (texts: readonly string[]) => [
    new Statement([`insert into ${tableName} (text) select unnest(`, '::text[])'], [texts]),
  ]

  test('numbers rows in the order in which they were written', async () => {
    const { db } = service.context
    await sql`create table ${table} (number integer generated always as identity, text text not null)`.execute(
      db,
    )

    await begin(service.context, async (tx) => {
      await writeInOrder(tx, writeAll, ['first'])
      await write(tx, note(5000 + name.length))
      await writeInOrder(tx, writeAll, ['second', 'third'])
    })

    const { rows } = await sql<{ text: string }>`select text from ${table} order by number`.execute(db)
    expect(rows.map(({ text }) => text)).toEqual(['first', 'second', 'third'])
  })
})

describe('a brief transaction that writes a row twice', () => {
  test('keeps both writes, in their order', async () => {
    await inBriefTransaction(service.context, async (tx) => {
      await write(tx, note(7000))
      await write(tx, statement`update notes set text = text || ${' then'} where id = ${7000}`)
      await write(tx, statement`update notes set text = text || ${' this'} where id = ${7000}`)
    })

    const { rows } = await sql<{ text: string }>`select text from notes where id = 7000`.execute(
      service.context.db,
    )
    expect(rows).toEqual([{ text: expect.stringMatching(/ then this$/) }])
  })

  test('keeps none of them if one changes nothing', async () => {
    const work = inBriefTransaction(service.context, async (tx) => {
      await write(tx, note(7001))
      await writeOrFail(tx, change(7001), gone)
      await writeOrFail(tx, change(999), gone)
    })

    await expect(work).rejects.toThrow('there is no such note')
    expect(await ids(7001)).toEqual([])
  })
})
