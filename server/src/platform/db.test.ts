import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cloneDatabase, startTestService, type TestService } from '#testing/harness.ts'
import { inBriefTransaction, inTransaction, isDatabaseAway, openDatabase, write, writeOrFail } from './db.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
  await sql`create table notes (id integer primary key, text text not null)`.execute(service.context.db)
})
afterAll(() => service.close())

const note = (id: number, text = 'new') => sql`insert into notes values (${id}, ${text})`
const change = (id: number) => sql`update notes set text = 'changed' where id = ${id} returning id`
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
      await write(tx, sql`insert into notes values (4, null)`)
    })

    await expect(work).rejects.toThrow('not-null')
    expect(await ids(3, 4)).toEqual([])
  })

  test('writes nothing when it is given up', async () => {
    const work = inBriefTransaction(service.context, async (tx) => {
      await note(5).execute(tx.db)
      await write(tx, note(6))
      throw new Error('given up')
    })

    await expect(work).rejects.toThrow('given up')
    expect(await ids(5, 6)).toEqual([])
  })

  test('reads and locks along the way in one transaction with what it writes', async () => {
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

  test('is given up with the error that was named', async () => {
    const work = begin(service.context, async (tx) => {
      if (isReading) await sql`select 1`.execute(tx.db)
      await write(tx, note(id))
      await writeOrFail(tx, change(999), gone)
      await write(tx, note(id + 1000))
    })

    await expect(work).rejects.toThrow('there is no such note')
    expect(await ids(id, id + 1000)).toEqual([])
  })

  test('and whose next one finds it is not', async () => {
    await note(id + 2000).execute(service.context.db)

    await begin(service.context, async (tx) => {
      if (isReading) await sql`select 1`.execute(tx.db)
      await writeOrFail(tx, change(id + 2000), gone)
      await write(tx, note(id + 3000))
    })

    expect(await ids(id + 3000)).toEqual([id + 3000])
  })
})

test('of several writes, the one that found nothing says so', async () => {
  await note(4000).execute(service.context.db)
  const work = inBriefTransaction(service.context, async (tx) => {
    await writeOrFail(tx, change(4000), () => new Error('another one'))
    await write(tx, note(4001))
    await writeOrFail(tx, change(999), gone)
  })

  await expect(work).rejects.toThrow('there is no such note')
  expect(await ids(4001)).toEqual([])
})

test('another failure is not mistaken for a write that found nothing', async () => {
  const work = inBriefTransaction(service.context, async (tx) => {
    await writeOrFail(tx, sql`insert into notes select 'x'::int, 'none' from notes returning id`, gone)
  })

  await expect(work).rejects.toThrow('invalid input syntax')
})

test.each([
  [[]],
  [['USD']],
  [['USD', 'EUR', 'user_id', 'a-b.c:d/e']],
  [['']],
  [['two words', 'a,b', 'a"b', 'a\\b', '{a}', ' ']],
  [['NULL', 'null']],
  [['USD', null]],
  [['é', '漢']],
])('a list is read as it was written: %j', async (list) => {
  const { rows } = await sql<{ list: unknown }>`select ${list}::text[] as list`.execute(service.context.db)

  expect(rows).toEqual([{ list }])
})

test('a list whose numbering begins elsewhere, and one of lists, are read', async () => {
  const { rows } = await sql`select '[2:3]={a,b}'::text[] as list, '{{a,b},{c,d}}'::text[] as lists`.execute(
    service.context.db,
  )

  expect(rows).toEqual([
    {
      list: ['a', 'b'],
      lists: [
        ['a', 'b'],
        ['c', 'd'],
      ],
    },
  ])
})

test('a connection that is lost between two statements ends the transaction, and not the process', async () => {
  const work = inTransaction(service.context, async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx.db)
    await sql`select pg_terminate_backend(${rows[0]?.pid}, 5000)`.execute(service.context.db)
    await sleep(50)
    await note(90).execute(tx.db)
  })

  await expect(work).rejects.toSatisfy(isDatabaseAway)
})

describe('a connection that is silent', () => {
  const open = async () =>
    openDatabase(await cloneDatabase(), { poolSize: 1, onError: () => {}, silentMs: 200 })

  test('while a statement is waited for is given up, and the next statement has a new one', async () => {
    const database = await open()

    const stuck = sql`select pg_sleep(10)`.execute(database.db)

    await expect(stuck).rejects.toSatisfy(isDatabaseAway)
    expect((await sql`select 1 as one`.execute(database.db)).rows).toEqual([{ one: 1 }])
    await database.close()
  })

  test('because nothing is asked of it is kept, with the locks it holds', async () => {
    const database = await open()

    await database.db.connection().execute(async (connection) => {
      await sql`select pg_advisory_lock(4711)`.execute(connection)
      await sleep(700)
      const { rows } = await sql`select pg_advisory_unlock(4711) as held`.execute(connection)
      expect(rows).toEqual([{ held: true }])
      await expect(sql`select pg_sleep(10)`.execute(connection)).rejects.toSatisfy(isDatabaseAway)
    })
    await database.close()
  })
})
