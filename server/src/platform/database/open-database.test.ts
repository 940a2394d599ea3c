import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cloneDatabase, startTestService, type TestService } from '#testing/harness.ts'
import { isDatabaseAway } from './database-errors.ts'
import { inTransaction } from './db.ts'
import { connectionFrom } from './failover-client.ts'
import { openDatabase } from './open-database.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

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

test('arrays with other lower bounds, and arrays of arrays, are read', async () => {
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

test('a connection that is lost between two statements ends the transaction, but not the process', async () => {
  const work = inTransaction(service.context, async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx.db)
    await sql`select pg_terminate_backend(${rows[0]?.pid}, 5000)`.execute(service.context.db)
    await sleep(50)
    await sql`select 1`.execute(tx.db)
  })

  await expect(work).rejects.toSatisfy(isDatabaseAway)
})

test('a connection that the server opens and ends in one message fails its query, but does not end the process', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.write(Buffer.concat([AUTHENTICATED, READY, TERMINATED])))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { db, close } = openDatabase(
    { host: '127.0.0.1', port, user: 'shop', database: 'shop' },
    { poolSize: 1, onError: () => {} },
  )

  await expect(sql`select 1`.execute(db)).rejects.toSatisfy(isDatabaseAway)
  await close()
  server.close()
})

describe('a connection that is silent', () => {
  const open = async () =>
    openDatabase(await cloneDatabase(), { poolSize: 1, onError: () => {}, silentMs: 600 })

  test('during a statement is closed, and the next statement gets a new one', async () => {
    const database = await open()

    const stuck = sql`select pg_sleep(10)`.execute(database.db)

    await expect(stuck).rejects.toSatisfy(isDatabaseAway)
    expect((await sql`select 1 as one`.execute(database.db)).rows).toEqual([{ one: 1 }])
    await database.close()
  })

  test('while idle is kept, with its locks', async () => {
    const database = await open()

    await database.db.connection().execute(async (connection) => {
      await sql`select pg_advisory_lock(4711)`.execute(connection)
      await sleep(1_500)
      const { rows } = await sql`select pg_advisory_unlock(4711) as held`.execute(connection)
      expect(rows).toEqual([{ held: true }])
      await expect(sql`select pg_sleep(10)`.execute(connection)).rejects.toSatisfy(isDatabaseAway)
    })
    await database.close()
  })
})

/** What a server of PostgreSQL says: a letter, a length that counts itself, and the content. */
function message(letter: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(content.length + 4)
  return Buffer.concat([Buffer.from(letter), length, content])
}

const AUTHENTICATED = message('R', Buffer.alloc(4))
const READY = message('Z', Buffer.from('I'))
const TERMINATED = message(
  'E',
  Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0'),
)

test('of several addresses, the error names each with its reason', async () => {
  const url = 'postgres://nobody@127.0.0.1:1,127.0.0.1:2/payments'
  const { db, close } = openDatabase(connectionFrom(url), { poolSize: 1, onError: () => {} })

  const error = await sql`select 1`.execute(db).catch((cause: unknown) => cause)
  await close()

  expect(String(error)).toMatch(/127[.]0[.]0[.]1:1: .*ECONNREFUSED.*; 127[.]0[.]0[.]1:2: .*ECONNREFUSED/)
  expect(isDatabaseAway(error)).toBe(true)
})
