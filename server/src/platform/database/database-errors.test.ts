import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import pg from 'pg'
import { expect, test } from 'vitest'
import { isDatabaseAway, isTooSlow } from './database-errors.ts'

const withCode = (code: string) => Object.assign(new Error(code), { code })

test.each([
  ...[
    'ECONNREFUSED',
    'EHOSTUNREACH',
    'EHOSTDOWN',
    'ENETUNREACH',
    'ENETDOWN',
    'ECONNABORTED',
    '57P01',
    '25006',
  ],
])('the database is away after %s', (code) => {
  expect(isDatabaseAway(withCode(code))).toBe(true)
  expect(isDatabaseAway(new AggregateError([new Error('other'), withCode(code)]))).toBe(true)
})

test('the database is away if it does not answer in time, which the driver tells without a code', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const client = new pg.Client({ host: '127.0.0.1', port, connectionTimeoutMillis: 20 })
  const error = await client.connect().catch((reason: unknown) => reason)
  silent.close()

  expect(error).not.toHaveProperty('code')
  expect(isDatabaseAway(error)).toBe(true)
})

test('a refusal of the database is none of that', () => {
  for (const code of ['23505', '57014', 'ENOENT']) expect(isDatabaseAway(withCode(code))).toBe(false)
})

test('a statement that took too long is known under another error, too', () => {
  expect(isTooSlow(withCode('57014'))).toBe(true)
  expect(isTooSlow(Object.assign(new Error('query too broad'), { cause: withCode('57014') }))).toBe(true)
  expect(isTooSlow(withCode('40001'))).toBe(false)
})
