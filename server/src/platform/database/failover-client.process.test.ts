import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTwoServers, type TwoServers } from '#testing/two-servers.ts'
import { isDatabaseAway } from './database-errors.ts'
import { connectionFrom } from './failover-client.ts'
import { type Database, openDatabase } from './open-database.ts'

/*
 * Two real servers, and one service's pool through a whole failover. The tests follow each other: what one has done to the
 * servers, the next one finds.
 */
let servers: TwoServers
let database: Database
beforeAll(async () => {
  servers = await startTwoServers()
  database = open(servers.url)
  await servers.primary.query('create table notes (text text primary key)')
}, 120_000)
afterAll(async () => {
  await database?.close()
  await servers?.close()
})

function open(url: string, options: { readonly mayBeReadOnly?: boolean } = {}): Database {
  return openDatabase(connectionFrom(url), { poolSize: 2, onError: () => {}, suspectMs: 200, ...options })
}

const note = (text: string) => sql`insert into notes values (${text})`.execute(database.db)
const portOf = async ({ db }: Database) => {
  const { rows } = await sql<{ port: number }>`select inet_server_port() as port`.execute(db)
  return rows[0]?.port
}

test('finds the server that takes writes, whatever its place in the list', async () => {
  await note('before')

  expect(await portOf(database)).toBe(servers.primary.port)
})

test('does not serve from a standby, unless nothing is written', async () => {
  const [alone, reader] = [open(servers.standby.url), open(servers.standby.url, { mayBeReadOnly: true })]

  await expect(portOf(alone)).rejects.toSatisfy(isDatabaseAway)
  expect(await portOf(reader)).toBe(servers.standby.port)
  await expect(sql`insert into notes values ('x')`.execute(reader.db)).rejects.toSatisfy(isDatabaseAway)
  expect(await portOf(reader)).toBe(servers.standby.port)
  await Promise.all([alone.close(), reader.close()])
})

test('a connection whose server has become read-only does not go back to the pool', async () => {
  const pidOf = async () =>
    (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(database.db)).rows[0]?.pid
  const before = await pidOf()
  await sql`set default_transaction_read_only = on`.execute(database.db)

  await expect(note('refused')).rejects.toSatisfy(isDatabaseAway)

  expect(await pidOf()).not.toBe(before)
  await note('accepted')
})

test('a server that hangs is noticed, though its connections stay open', async () => {
  const pids = await Promise.all(
    [1, 2].map(async () => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid, pg_sleep(0.2)`.execute(
        database.db,
      )
      return rows[0]?.pid ?? 0
    }),
  )
  const thaw = servers.primary.freeze([...new Set(pids)])

  try {
    await expect(portOf(database)).rejects.toSatisfy(isDatabaseAway)
  } finally {
    thaw()
  }
  await expect.poll(() => portOf(database).catch(() => 0)).toBe(servers.primary.port)
})

test('a long statement is no sign of a server that hangs', async () => {
  const { rows } = await sql`select 1 as one, pg_sleep(1)`.execute(database.db)

  expect(rows[0]).toMatchObject({ one: 1 })
})

test('writes go on at the standby once it is promoted, and nothing is lost', async () => {
  await note('last')

  await servers.primary.kill()
  await expect(note('nowhere')).rejects.toSatisfy(isDatabaseAway)
  await servers.standby.query('select pg_promote()')

  await expect
    .poll(() => note('after').then(() => 'written', isDatabaseAway), { timeout: 30_000 })
    .toBe('written')
  expect(await portOf(database)).toBe(servers.standby.port)
  const { rows } = await sql<{ text: string }>`select text from notes order by text`.execute(database.db)
  expect(rows.map(({ text }) => text)).toEqual(['accepted', 'after', 'before', 'last'])
})

test('a former primary that comes back is not written to', async () => {
  await servers.primary.start({ synchronous_standby_names: '' })
  // Every connection is lost once more, so that both servers are asked.
  await servers.standby.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()',
  )

  await expect.poll(() => portOf(database).catch(() => 0)).toBe(servers.standby.port)

  await servers.standby.kill()
  await expect(note('lost')).rejects.toSatisfy(isDatabaseAway)
  await expect(note('lost')).rejects.toSatisfy(isDatabaseAway)
  expect(await servers.primary.query("select from notes where text = 'lost'")).toEqual([])
})
