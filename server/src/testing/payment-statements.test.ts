import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { PreparingClient } from '#platform/database/open-database.ts'
import { startTestService, type TestService } from './harness.ts'
import { openTill } from './till.ts'

/*
 * Databases that spread over machines carry out a statement on one of them if it names one account, and some refuse one that changes a
 * table twice. So this records the statements of one keyed payment (docs/decisions/database.md).
 */

/** What a payment writes or changes without naming its account. This list may only become shorter. */
const WITHOUT_ACCOUNT = ['attempts', 'audit_waiting', 'idempotency_keys', 'webhook_deliveries']

const keyed = () => ({ headers: { 'idempotency-key': crypto.randomUUID() } })

let service: TestService
let texts: string[]
beforeAll(async () => {
  service = await startTestService()
  const till = openTill(service)
  await till.pay({}, keyed())
  texts = []
  const query = PreparingClient.prototype.query
  const spy = vi.spyOn(PreparingClient.prototype, 'query').mockImplementation(function (
    this: PreparingClient,
    ...args: unknown[]
  ) {
    if (typeof args[0] === 'string') texts.push(args[0])
    return query.apply(this, args)
  })
  await till.pay({}, keyed())
  spy.mockRestore()
})
afterAll(() => service.close())

/** The writes of a statement: several, if it was merged. */
function writesOf(text: string) {
  const parts = text.startsWith('with w0 as (') ? text.split(/(?:with|,) w\d+ as \(/) : [text]
  return parts.flatMap((part) => {
    const [, kind, table] = /^\s*(insert into|update|delete from) "?([\w.]+)/.exec(part) ?? []
    return kind && table
      ? [{ part, table, isNew: kind === 'insert into' && !part.includes('on conflict') }]
      : []
  })
}

test('no statement of a payment changes a table twice, other than by new rows', () => {
  const twice = texts.flatMap((text) => {
    const writes = writesOf(text)
    return writes.filter(
      (one) => !one.isNew && writes.some((other) => other !== one && other.table === one.table),
    )
  })

  expect(texts.flatMap(writesOf).length).toBeGreaterThan(10)
  expect(twice).toEqual([])
})

test('each write of a payment names one account, but for those that are listed', () => {
  const writes = texts.flatMap(writesOf).filter(({ table }) => !table.startsWith('simulator.'))
  const namesAccount = (part: string) =>
    /^\s*insert/.test(part)
      ? /^[^)]*\bmerchant_account_id\b/.test(part)
      : /"?merchant_account_id"? = \$\d+/.test(part)
  const others = writes.filter(({ part }) => !namesAccount(part)).map(({ table }) => table)

  expect([...new Set(others)].toSorted((one, other) => one.localeCompare(other))).toEqual(WITHOUT_ACCOUNT)
})
