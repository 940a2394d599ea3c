import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import * as history from '#payments/store/events.ts'
import { inTransaction } from '#platform/database/db.ts'
import { PreparingClient } from '#platform/database/open-database.ts'
import { Sealer } from '#resources/audit-logs/seal.ts'
import * as events from '#resources/events/store.ts'
import { type GiftCardCounter, giftCardWith, openGiftCardCounter } from './gift-cards.ts'
import { startTestService, type TestService } from './harness.ts'
import { openTill, type Till } from './till.ts'

/*
 * Every text of a statement is prepared and kept on each connection, so a text must not depend on how many things a
 * request is about. Each case does the same with two, three and five of them. It was seen to fail for rows side by side
 * (`values ($1, $2), ($3, $4)`) and for `in ($1, $2)`.
 */
let service: TestService
let till: Till
let counter: GiftCardCounter
let texts: Set<string>
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  counter = openGiftCardCounter(service)
})
afterAll(() => service.close())

beforeEach(() => {
  texts = new Set()
  const query = PreparingClient.prototype.query
  const spy = vi.spyOn(PreparingClient.prototype, 'query').mockImplementation(function (
    this: PreparingClient,
    ...args: unknown[]
  ) {
    if (typeof args[0] === 'string' && Array.isArray(args[1])) texts.add(args[0])
    return query.apply(this, args)
  })
  return () => spy.mockRestore()
})

const CURRENCIES = ['USD', 'EUR', 'GBP', 'SEK', 'NOK']
const STATUSES = [
  'processing',
  'authorization_succeeded',
  'authorization_declined',
  'capture_succeeded',
  'capture_pending',
]
const upTo = <Item>(count: number, make: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => make(index))
const several = (name: string, values: readonly string[]) =>
  values.map((value) => `${name}=${encodeURIComponent(value)}`).join('&')

const CASES: readonly [name: string, work: (count: number) => Promise<unknown>][] = [
  [
    'metadata and lines of a payment',
    (count) =>
      till.pay({
        metadata: Object.fromEntries(upTo(count, (index) => [`key-${index}`, 'value'])),
        cart_items: upTo(count, () => ({ name: 'Hat', quantity: 1, unit_amount: 100 })),
      }),
  ],
  [
    'gift cards of a payment',
    (count) => counter.pay(upTo(count, () => ({ ...giftCardWith(100), amount: 100 }))),
  ],
  [
    'currencies and states of a list',
    (count) =>
      service.send(
        `GET /transactions?${several('currency', CURRENCIES.slice(0, count))}&${several('status', STATUSES.slice(0, count))}`,
      ),
  ],
  [
    'services of a list',
    (count) =>
      service.send(
        `GET /transactions?${several(
          'payment_service_id',
          upTo(count, () => crypto.randomUUID()),
        )}`,
      ),
  ],
  [
    'payments on a page',
    async (count) => {
      const external_identifier = `page-${count}`
      for (const _ of upTo(count, () => 0)) await till.pay({ external_identifier })
      await service.send(`GET /transactions?external_identifier=${external_identifier}`)
    },
  ],
  [
    'roles and accounts of a key',
    async (count) => {
      const ids = upTo(count, (index) => `shop-${count}-${index}`)
      for (const id of ids) await service.send('POST /merchant-accounts', { id, display_name: id })
      const { items } = (await service.send('GET /roles')).json()
      const made = await service.send('POST /api-key-pairs', {
        display_name: 'Key',
        role_ids: items.slice(0, 2).map(({ id }: { id: string }) => id),
        merchant_account_ids: ids,
      })
      expect(made.statusCode, made.body).toBe(201)
    },
  ],
  [
    'entries under a seal',
    async (count) => {
      for (const _ of upTo(count, () => 0)) await service.send('POST /buyers', {})
      await new Sealer(service.secrets, null).seal(service.context)
    },
  ],
  [
    'events',
    (count) =>
      inTransaction({ ...service.context, merchantAccountId: 'default' }, async (tx) => {
        const target = { type: 'buyer', id: crypto.randomUUID() }
        await events.publish(
          tx,
          upTo(count, () => 'buyer.created' as never),
          target,
        )
        await history.record(
          tx,
          target.id,
          upTo(count, () => ({ name: 'note', context: {} }) as never),
        )
      }),
  ],
  [
    'events that are removed',
    (count) =>
      inTransaction(service.context, (tx) =>
        events.remove(
          tx,
          upTo(count, () => crypto.randomUUID()),
        ),
      ),
  ],
]

test.each(CASES)('a statement is one text for any number of: %s', async (_name, work) => {
  for (const count of [2, 3, 5]) await work(count)

  expect(texts.size).toBeGreaterThan(0)
  expect(variantsAmong(texts)).toEqual([])
})

test('variants are recognized', () => {
  const lists = ['select 1 where a in ($1, $2) and b = $3', 'select 1 where a in ($1, $2, $3) and b = $4']
  const rows = ['insert into t values ($1, $2::text), ($3, $4::text)', 'insert into t values ($1, $2::text)']
  const others = [
    'select 1 where a = $1',
    'select 1 where a = any($1)',
    'select 1 limit 20',
    'select 1 limit 21',
  ]

  expect(variantsAmong(new Set([...lists, ...others]))).toEqual([lists])
  expect(variantsAmong(new Set([...rows, ...others]))).toEqual([rows])
})

/** Texts that differ in nothing but the number of values, or of rows of values, side by side. */
function variantsAmong(all: ReadonlySet<string>): string[][] {
  const groups = Map.groupBy(all, (text) =>
    text
      .replaceAll(/\$\d+/g, '$')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/(\$[\w:[\]]*)(, \1)+/g, '$1')
      .replaceAll(/(\([^()]*\))(, \1)+/g, '$1'),
  )
  return [...groups.values()].filter((texts) => texts.length > 1)
}
