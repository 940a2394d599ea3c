import type { Socket } from 'node:net'
import type pg from 'pg'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { urlOf } from '#testing/database-url.ts'
import { guardedFolder } from '#testing/guard.ts'
import { cloneDatabase } from '#testing/harness.ts'
import { OPERATIONS } from '#testing/operations.ts'
import { call, type Running, removeFolder, startHere } from '#testing/service-process.ts'
import { startTwoServers, type TwoServers } from '#testing/two-servers.ts'
import { startTcpProxy } from '../../../../faults/tcp-proxy.ts'
import { pathOf } from '../http/operation.ts'
import { connectionFrom } from './failover-client.ts'
import { openDatabase } from './open-database.ts'
import { Replica } from './replica.ts'

/*
 * Two real servers. The tests follow each other: what one has done to the servers, the next one finds. While replay is paused, the
 * standby has nothing that is new, so that an answer shows where it was read.
 */
const PATIENCE = { timeout: 60_000, interval: 100 }
let servers: TwoServers
let dataDir: string
let service: Running | undefined
beforeAll(async () => {
  servers = await startTwoServers()
  // Commits go on without the standby.
  await servers.primary.query("alter system set synchronous_standby_names = ''")
  await servers.primary.query('select pg_reload_conf()')
  dataDir = guardedFolder()
}, 120_000)
afterEach(async () => {
  await resume()
  await service?.end('SIGTERM')
  service = undefined
})
afterAll(async () => {
  await servers?.close()
  removeFolder(dataDir)
})

async function start(READ_DATABASE_URL: string, READ_LAG_MAX_SECONDS: string): Promise<Running> {
  const DATABASE_URL = servers.primary.url
  service = await startHere(dataDir, { DATABASE_URL, READ_DATABASE_URL, READ_LAG_MAX_SECONDS })
  return service
}

async function pause(): Promise<void> {
  await servers.standby.query('select pg_wal_replay_pause()')
  const state = () => servers.standby.query('select pg_get_wal_replay_pause_state() as state')
  await expect.poll(state, PATIENCE).toEqual([{ state: 'paused' }])
}

const resume = () => servers.standby.query('select pg_wal_replay_resume() where pg_is_in_recovery()')
const create = async (id: string) =>
  (await call(running(), dataDir, '/merchant-accounts', { id, display_name: id })).status
const ready = async () => (await fetch(`${running().url}/health/ready`)).json()
const metrics = async () => (await fetch(`${running().url}/metrics`)).text()

function running(): Running {
  if (!service) throw new Error('no service runs')
  return service
}

async function listed(): Promise<string[]> {
  const answer = await call(running(), dataDir, '/merchant-accounts')
  expect(answer.status).toBe(200)
  return ((await answer.json()) as { items: { id: string }[] }).items.map(({ id }) => id)
}

test('lists are read from the standby; what is written, or asked for by id, is not', {
  timeout: 120_000,
}, async () => {
  // Both addresses: the standby is found.
  await start(servers.url, '300')
  expect(await create('one')).toBe(201)
  await expect.poll(ready, PATIENCE).toEqual({ status: 'ok' })
  await expect.poll(listed, PATIENCE).toContain('one')
  const subscribed = await call(running(), dataDir, '/webhook-subscriptions', {
    url: 'https://shop.example.com/webhooks',
  })
  expect(subscribed.status).toBe(201)

  await pause()
  expect(await create('two')).toBe(201)
  expect(await create('two')).toBe(409)

  expect((await call(running(), dataDir, '/merchant-accounts/two')).status).toBe(200)
  expect(await listed()).not.toContain('two')
  // The standby knows no such account. A refusal is for the primary to say.
  const below = await call(running(), dataDir, '/merchant-accounts/two/three-ds-configurations')
  expect([below.status, await below.json()]).toMatchObject([200, { items: [] }])
  await expect.poll(metrics, PATIENCE).toMatch(/^switchyard_replica_lag_seconds [1-9]/m)
  // None of them writes or locks, which a standby refuses. One shows a secret, which is noted: it is read where it is written.
  const lists = OPERATIONS.filter(({ isList, params }) => isList && !params).map(pathOf)
  expect(lists.length).toBeGreaterThan(20)
  for (const path of lists) {
    // One of them wants a query.
    expect([200, 400], path).toContain((await call(running(), dataDir, path)).status)
  }
  const text = await metrics()
  expect(text).toMatch(/^switchyard_replica_reads_total\{server="replica"\} [1-9]/m)
  expect(text).toContain('switchyard_replica_reads_total{server="primary"} 1\n')
  await resume()
  await expect.poll(listed, PATIENCE).toContain('two')
})

test('a standby that is too far behind, or away, is not read from', { timeout: 120_000 }, async () => {
  await start(servers.standby.url, '1')
  await expect.poll(ready, PATIENCE).toEqual({ status: 'ok' })

  await pause()
  expect(await create('three')).toBe(201)
  const lagging = ['Lists are read from the primary: the replica is too far behind.']
  await expect.poll(ready, PATIENCE).toEqual({ status: 'ok', warnings: lagging })
  expect(await listed()).toContain('three')
  expect(await metrics()).toContain('switchyard_replica_used 0\n')
  await resume()
  await expect.poll(ready, PATIENCE).toEqual({ status: 'ok' })

  // The next request finds out by itself.
  await servers.standby.kill()
  const asked = await call(
    running(),
    dataDir,
    '/metrics-explorer/authorization/metrics/transactions/totals?datetime_range=P1D/now',
  )
  expect(asked.status).toBe(200)
  expect(await create('four')).toBe(201)
  expect(await listed()).toContain('four')
  const away = ['Lists are read from the primary: the replica at READ_DATABASE_URL does not answer.']
  await expect.poll(ready, PATIENCE).toEqual({ status: 'ok', warnings: away })
  await servers.standby.start()
  await expect.poll(ready, PATIENCE).toEqual({ status: 'ok' })
})

test('what has to be whole waits for the standby, or is read from the primary', {
  timeout: 120_000,
}, async () => {
  const open = (url: string) =>
    openDatabase(connectionFrom(url), { poolSize: 2, onError: () => {}, mayBeReadOnly: true })
  const [primary, replica] = [open(servers.primary.url), open(servers.standby.url)]
  const logger = pino({ level: 'silent' })
  const watched = new Replica({ primary, replica, lagMaxMs: 60_000, logger, check: async () => {} })
  const leave = vi.fn()
  const hurried = new Replica({ primary, replica, lagMaxMs: 50, logger, check: async () => {}, leave })
  for (const each of [watched, hurried]) await each.follow()
  await pause()
  await servers.primary.query('create table notes (text text)')

  const source = watched.caughtUp()
  expect(await hurried.caughtUp()).toBe(primary)
  // Another standby may be nearer to the primary.
  await expect.poll(() => leave.mock.calls.length, PATIENCE).toBeGreaterThan(0)
  await resume()
  expect(await source).toBe(replica)

  for (const each of [watched, hurried]) each.end()
  await Promise.all([primary.close(), replica.close()])
})

test('all connections follow when another address is read from', { timeout: 120_000 }, async () => {
  const { port } = servers.standby
  const [first, second] = [await startTcpProxy({ port }), await startTcpProxy({ port })]
  const url = `postgres://switchyard@127.0.0.1:${first.port},127.0.0.1:${second.port}/payments`
  const options = { poolSize: 3, onError: () => {}, mayBeReadOnly: true }
  const { pool, close } = openDatabase(connectionFrom(url, true), options)
  const connect = async () => (await pool.connect()) as pg.PoolClient & Inner
  second.setFault(() => ({ kind: 'refuse' }))
  const [kept, broken] = [await connect(), await connect()]

  second.setFault(() => ({ kind: 'none' }))
  first.setFault(() => ({ kind: 'refuse' }))
  const endOf = (client: pg.PoolClient) => new Promise((resolve) => client.once('end', () => resolve(null)))
  const [ended, lost] = [endOf(kept), endOf(broken)]
  broken.connection.stream.destroy(new Error('cut'))
  await lost
  const next = await connect()
  await ended

  expect([kept, broken, next].map((client) => client.port)).toEqual([first.port, first.port, second.port])
  for (const client of [kept, broken, next]) client.release(true)
  await close()
  await Promise.all([first.stop(), second.stop()])
})

/** The driver's own fields, which its types leave out. */
type Inner = { readonly port: number; readonly connection: { readonly stream: Socket } }

test('a server that is no replica of our own database stops the start', { timeout: 120_000 }, async () => {
  const stopped = await start(urlOf(await cloneDatabase()), '5')

  expect(await stopped.exited).toBe(1)
  expect(stopped.output()).toContain('READ_DATABASE_URL does not lead to a replica of our own database.')
})

test('a server that takes writes is not read from in place of the primary', {
  timeout: 120_000,
}, async () => {
  await start(servers.url, '300')
  await expect.poll(ready, PATIENCE).toEqual({ status: 'ok' })

  // Now there are two of them, and one does not know what the other does.
  await servers.standby.query('select pg_promote()')
  await expect.poll(metrics, PATIENCE).toContain('switchyard_replica_used 0\n')
  expect(await create('five')).toBe(201)

  expect(await listed()).toContain('five')
  await expect.poll(metrics, PATIENCE).toContain('switchyard_replica_used 0\n')
  const { warnings } = (await ready()) as { warnings: string[] }
  expect(warnings).toEqual([expect.stringMatching(/^Lists are read from the primary: /)])
})
