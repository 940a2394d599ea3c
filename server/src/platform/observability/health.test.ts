import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { serveHealth } from './health.ts'
import { createMetrics } from './metrics.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const get = (url: string, headers: Record<string, string> = {}, address = '127.0.0.1') =>
  service.send(`GET ${url}`, undefined, { token: null, headers, address })

test('is alive and ready without a token', async () => {
  expect((await get('/health/live')).json()).toEqual({
    status: 'ok',
    instance: expect.stringMatching(/^[0-9a-f]{16}$/),
  })
  expect((await get('/health/ready')).json()).toEqual({ status: 'ok' })
})

test('is not ready while it stops', async () => {
  const app = appWith({ isStopping: () => true })

  const response = await app.inject('/health/ready')

  expect(response.statusCode).toBe(503)
})

test('is ready with a wrong clock, and warns', async () => {
  const app = appWith({ warnings: () => ['The clock is wrong.'] })

  const response = await app.inject('/health/ready')

  expect(response.statusCode).toBe(200)
  expect(response.json()).toEqual({ status: 'ok', warnings: ['The clock is wrong.'] })
})

test('measures how far the clock of the machine is ahead', async () => {
  const metrics = createMetrics()
  metrics.watchClock(() => -1_500)

  expect(await metrics.render()).toMatch(/^switchyard_clock_difference_seconds -1[.]5$/m)
})

test('is not ready without its database, and still alive', async () => {
  const other = await startTestService()
  await other.database.close()

  expect((await other.app.inject('/health/ready')).statusCode).toBe(503)
  expect((await other.app.inject('/health/live')).statusCode).toBe(200)
})

test('is not ready while the disk of the database is full, until a write succeeds again', async () => {
  const { db, disk, pool } = service.database
  const metrics = createMetrics()
  const app = appWith({ db, disk, metrics })
  const look = async () => {
    const { statusCode, json } = await app.inject('/health/ready')
    return [statusCode, json().status, /^switchyard_ready (\d)$/m.exec(await metrics.render())?.[1]]
  }
  expect(await look()).toEqual([200, 'ok', '1'])

  const raise = (name: string, returns: string) =>
    pool.query(`create function ${name}() returns ${returns} language plpgsql as $$
      begin raise exception 'no space left' using errcode = '53100'; end $$`)
  await raise('write_fully', 'integer')
  await raise('refuse_all', 'event_trigger')
  await pool.query(`create event trigger disk_is_full on ddl_command_start when tag in ('CREATE TABLE AS')
    execute function refuse_all()`)
  expect(await look()).toEqual([200, 'ok', '1'])
  await expect(sql`select write_fully() where ${1}::int = 1`.execute(db)).rejects.toThrow('no space')
  expect(await look()).toEqual([503, 'database disk full', '0'])
  await pool.query('drop event trigger disk_is_full')

  expect(await look()).toEqual([200, 'ok', '1'])
  expect(disk.isFull).toBe(false)
})

test('measures requests by operation and status', async () => {
  await service.send('GET /roles')
  const metrics = (await get('/metrics')).body

  expect(metrics).toMatch(
    /switchyard_request_duration_seconds_count\{operation="list_roles",method="GET",status="200"\} 1/,
  )
  expect(metrics).toContain('nodejs_eventloop_lag_seconds')
})

test('shows metrics to this machine only, and not through a proxy', async () => {
  expect((await get('/metrics')).statusCode).toBe(200)
  expect((await get('/metrics', {}, '10.0.0.1')).statusCode).toBe(404)
  expect((await get('/metrics', { 'x-forwarded-for': '127.0.0.1' })).statusCode).toBe(404)
})

test('with a token, shows metrics only to its holder', async () => {
  const app = appWith({ metricsToken: 'watch' })
  const ask = (authorization?: string) =>
    app.inject({
      url: '/metrics',
      remoteAddress: '10.0.0.1',
      headers: authorization ? { authorization } : {},
    })

  expect((await ask('Bearer watch')).statusCode).toBe(200)
  expect((await ask('Bearer guess')).statusCode).not.toBe(200)
  expect((await ask()).statusCode).not.toBe(200)
})

test('in production, shows no metrics without a token, not even to this machine', async () => {
  const app = appWith({ environment: 'production' })

  expect((await app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' })).statusCode).toBe(404)
})

function appWith(options: Partial<Parameters<typeof serveHealth>[1]>) {
  const app = Fastify()
  const { db } = service.context
  const usual = {
    instance: '0123456789abcdef',
    db,
    metrics: createMetrics(),
    environment: 'sandbox',
    metricsToken: null,
    isStopping: () => false,
  }
  serveHealth(app, { ...usual, ...options })
  return app
}
