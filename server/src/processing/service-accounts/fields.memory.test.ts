import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Scope } from '#platform/database/db.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { memoryOf, removeOldMemories } from './fields.ts'

const HOUR_MS = 3_600_000
const SERVICE = { id: '01900000-0000-7000-8000-0000000000aa' }
const FIELDS = { client_id: 'shop', client_secret: 'secret-of-the-shop' }
const VALUE = 'access-token-that-the-provider-lends'

let service: TestService
let scope: Scope
beforeAll(async () => {
  service = await startTestService()
  scope = { ...service.context, merchantAccountId: 'default' }
})
afterAll(() => service.close())

const open = (id = SERVICE.id, fields: Record<string, string> = FIELDS) =>
  memoryOf(scope, service.engine.secrets, { id }, fields)
const lend = (value: string, ms = HOUR_MS) =>
  vi.fn(async () => ({ value, expiresAt: new Date(Date.now() + ms) }))
const rows = async () => (await service.database.pool.query('select * from service_memories')).rows

test('makes a value once, also for requests at the same time and for other processes', async () => {
  const make = lend(VALUE)

  const first = await Promise.all([1, 2, 3].map(() => open().remember('token', make)))
  const later = await open().remember('token', make)

  expect([...first, later]).toEqual(Array(4).fill(VALUE))
  expect(make).toHaveBeenCalledTimes(1)
})

test('keeps it sealed', async () => {
  await open().remember('token', lend(VALUE))

  const kept = await rows()

  expect(kept.length).toBeGreaterThan(0)
  for (const { key, value } of kept) {
    expect(`${key.toString('latin1')} ${value.toString('latin1')}`).not.toContain(VALUE)
  }
})

test('is of one service, one name, and its credentials', async () => {
  const make = lend('another')
  await open().remember('token', lend(VALUE))

  await open('01900000-0000-7000-8000-0000000000ab').remember('token', make)
  await open().remember('certificate', make)
  await open(SERVICE.id, { ...FIELDS, client_secret: 'new' }).remember('token', make)

  expect(make).toHaveBeenCalledTimes(3)
})

test('is made again once it is forgotten, or about to end', async () => {
  await open().remember('token', lend(VALUE))
  await open().forget('token')
  const again = lend('second', 20_000)
  const third = lend('third')

  expect(await open().remember('token', again)).toBe('second')
  expect(await open().remember('token', third)).toBe('third')
  expect(await open().remember('token', lend('fourth'))).toBe('third')
})

test('a value that cannot be made is an error, and the next request tries again', async () => {
  const failing = () => open().remember('failing', async () => Promise.reject(new Error('401')))

  await expect(failing()).rejects.toThrow('401')
  await expect(failing()).rejects.toThrow('401')
  expect(await open().remember('failing', lend('made'))).toBe('made')
})

test('a value that does not fit is given, and not kept', async () => {
  const make = lend('x'.repeat(70_000))

  await open().remember('large', make)
  await open().remember('large', make)

  expect(make).toHaveBeenCalledTimes(2)
})

test('the job removes what is over', async () => {
  await open().remember('short', lend('over', -1))
  const before = (await rows()).length

  await removeOldMemories(service.context)

  expect((await rows()).length).toBe(before - 1)
})
