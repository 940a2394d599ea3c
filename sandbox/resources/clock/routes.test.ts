import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signToken, startTestService, type TestService } from '#testing/harness.ts'
import { advance, endSandboxWork } from '#testing/sandbox-clock.ts'

const DAY_MS = 86_400_000

let service: TestService

beforeAll(async () => {
  service = await startTestService({ hasSandboxClock: true })
})
afterAll(() => service.close())

// biome-ignore lint/suspicious/noExplicitAny: the harness compares every answer with its schema
async function clockNow(): Promise<any> {
  return (await service.send('GET /sandbox/clock')).json()
}

test('the clock of a new sandbox shows real time', async () => {
  const clock = await clockNow()

  expect(clock).toMatchObject({ status: 'ready', offset_seconds: 0, target: null })
  expect(clock.now).toBe(clock.real_time)
  expect(Math.abs(Date.parse(clock.now) - Date.now())).toBeLessThan(60_000)
})

test('a key that is restricted to merchant accounts does not move the clock of all', async () => {
  const token = await signToken(await service.addKey({ merchantAccountIds: ['default'] }))

  const response = await service.send('POST /sandbox/clock/advance', { by: 'P1D' }, { token })

  expect(response.statusCode).toBe(403)
  expect(await clockNow()).toMatchObject({ status: 'ready', offset_seconds: 0 })
})

describe('bad input', () => {
  test.each([
    [{}, '', 'send by, such as "P3D", or to, a time'],
    [{ by: null }, '', 'send by, such as "P3D", or to, a time'],
    [{ by: 'P3D', to: '2027-01-01T00:00:00Z' }, '/to', 'send either by or to, not both'],
    [{ by: 'three days' }, '/by', 'must be an ISO 8601 duration in whole units, such as P3D or PT36H'],
    [{ by: '' }, '/by', 'must be an ISO 8601 duration in whole units, such as P3D or PT36H'],
    [{ by: '-P3D' }, '/by', 'must be an ISO 8601 duration in whole units, such as P3D or PT36H'],
    [{ by: 'P1.5D' }, '/by', 'must be an ISO 8601 duration in whole units, such as P3D or PT36H'],
    [{ by: 'P0D' }, '/by', 'must be longer than zero: the clock only goes forward'],
    [{ by: 'P3Y' }, '/by', 'must be at most two years: move the clock in several steps'],
    [{ by: 'P2YT1S' }, '/by', 'must be at most two years: move the clock in several steps'],
    [{ by: 'P999999999Y' }, '/by', 'must be at most two years: move the clock in several steps'],
    [
      { to: '2020-01-01T00:00:00Z' },
      '/to',
      expect.stringMatching(/^must be after .*: the clock only goes forward$/),
    ],
    [{ to: '2199-01-01T00:00:00Z' }, '/to', 'must be at most two years: move the clock in several steps'],
    [{ to: '2027-02-30T00:00:00Z' }, '/to', expect.any(String)],
    [{ to: 'tomorrow' }, '/to', expect.any(String)],
    [{ by: 3 }, '/by', expect.any(String)],
    [{ days: 3 }, '/days', expect.any(String)],
  ])('%j is refused', async (body, pointer, message) => {
    const response = await service.send('POST /sandbox/clock/advance', body)

    expect(response.statusCode).toBe(400)
    expect(response.json().details).toEqual(
      expect.arrayContaining([expect.objectContaining({ location: 'body', pointer, message })]),
    )
    expect(await clockNow()).toMatchObject({ status: 'ready', offset_seconds: 0 })
  })
})

describe('an advance', () => {
  test('moves the clock of the whole service, and real time stays', async () => {
    const before = await clockNow()

    const after = await advance(service, { by: 'P3D' })

    expect(after).toMatchObject({ status: 'ready', target: null })
    expect(Date.parse(after.now) - Date.parse(before.now)).toBeGreaterThanOrEqual(3 * DAY_MS)
    expect(Date.parse(after.now) - Date.parse(before.now)).toBeLessThan(3 * DAY_MS + 60_000)
    expect(Math.abs(Date.parse(after.real_time) - Date.now())).toBeLessThan(60_000)
    expect(after.offset_seconds).toBeGreaterThan((3 * DAY_MS) / 1000 - 60)
    const made = (await service.send('POST /buyers', { display_name: 'Ann' })).json()
    expect(Date.parse(made.created_at)).toBeGreaterThanOrEqual(Date.parse(after.now))
    expect(Number.parseInt(made.id.replaceAll('-', '').slice(0, 12), 16)).toBe(Date.parse(made.created_at))
  })

  test('to a time ends there', async () => {
    const target = new Date(service.context.clock().getTime() + 90 * 60_000).toISOString()

    const after = await advance(service, { to: target })

    const passedMs = Date.parse(after.now) - Date.parse(target)
    expect(passedMs).toBeGreaterThanOrEqual(0)
    expect(passedMs).toBeLessThan(60_000)
  })

  test('is in the audit log', async () => {
    await advance(service, { by: 'PT1H' })

    const { items } = (await service.send('GET /audit-logs?limit=1&resource_type=sandbox-clock')).json()
    expect(items[0]).toMatchObject({
      action: 'updated',
      resource: { type: 'sandbox-clock', name: expect.stringMatching(/^to 20..-/) },
    })
  })

  test('is refused while another one is under way, and a repeated request is not', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const first = await service.send('POST /sandbox/clock/advance', { by: 'PT1H' }, { headers })

    const second = await service.send('POST /sandbox/clock/advance', { by: 'PT1H' })
    const repeated = await service.send('POST /sandbox/clock/advance', { by: 'PT1H' }, { headers })

    expect(first.json()).toMatchObject({ status: 'advancing' })
    const { target } = first.json()
    expect(second.statusCode).toBe(409)
    expect(second.headers['retry-after']).toBe('1')
    expect(second.json().details[0].message).toBe(
      `the clock is advancing to ${target}: wait until GET /sandbox/clock says ready`,
    )
    expect(repeated.json()).toEqual(first.json())
    await endSandboxWork(service)
  })

  test('of two that begin at once, one is refused', async () => {
    const both = await Promise.all([
      service.send('POST /sandbox/clock/advance', { by: 'PT1H' }),
      service.send('POST /sandbox/clock/advance', { by: 'PT2H' }),
    ])

    expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
    await endSandboxWork(service)
  })
})

test('two years in one step are possible, and end', async () => {
  const after = await advance(service, { by: 'P2Y' })

  expect(after.offset_seconds).toBeGreaterThan(2 * 365 * 86_400)
}, 240_000)

describe('the database', () => {
  test('refuses to set the clock back, or to remove it', async () => {
    const { db } = service.context

    await expect(sql`update sandbox_clock set offset_ms = offset_ms - 1`.execute(db)).rejects.toThrow(
      'the clock of a sandbox only goes forward',
    )
    await expect(sql`delete from sandbox_clock`.execute(db)).rejects.toThrow('only goes forward')
    await expect(sql`insert into sandbox_clock (is_only) values (false)`.execute(db)).rejects.toThrow()
  })
})

describe('in production', () => {
  test('there is no such clock', async () => {
    const real = await startTestService({ environment: 'production' })

    const shown = await real.send('GET /sandbox/clock')
    const moved = await real.send('POST /sandbox/clock/advance', { by: 'P3D' })
    const document = await real.app.inject('/openapi.json')

    expect([shown.statusCode, moved.statusCode]).toEqual([404, 404])
    expect(Object.keys(document.json().paths).filter((path) => path.startsWith('/sandbox'))).toEqual([])
    await sql`update instance set environment = 'production'`.execute(real.context.db)
    await expect(sql`update sandbox_clock set offset_ms = 1`.execute(real.context.db)).rejects.toThrow(
      'only the clock of a sandbox can be moved',
    )
    await real.close()
  })
})
