import { afterAll, beforeAll, expect, test } from 'vitest'
import * as attempts from '#processing/attempts/store.ts'
import { type GiftCardShop, openGiftCardShop } from '#testing/gift-cards.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { writeByHand } from '#testing/model/guard.ts'
import { attemptsMade } from '#testing/test-gift-card-connector.ts'
import * as operations from './store.ts'

let service: TestService
let shops: GiftCardShop[]
beforeAll(async () => {
  service = await startTestService()
  shops = [await openGiftCardShop(service, 'busy'), await openGiftCardShop(service, 'quiet')]
})
afterAll(() => service.close())

/** Operations that the service knows, as a process that died leaves them. */
async function leave(shop: GiftCardShop, count: number): Promise<string[]> {
  const now = service.context.clock()
  return service.context.db.transaction().execute(async (db) => {
    const ids: string[] = []
    await writeByHand(db)
    for (let made = 0; made < count; made += 1) {
      const tx = { ...shop.scope, db }
      const { id } = await operations.insert(tx, {
        kind: 'issue',
        gift_card_service_id: shop.serviceId,
        amount: 5,
        currency: 'USD',
        external_identifier: null,
      })
      const asked = { id, kind: 'issue', service_id: shop.serviceId, amount: 5 } as const
      const attempt = await attempts.send(tx, service.providers, asked)
      await attempts.change(tx, attempt, { state: 'sent', due_at: now })
      const answer = { outcome: 'approved', reference: `i-${id}`, url: 'https://cards.example.com' } as const
      attemptsMade.set(id, { answer, times: 1 })
      ids.push(id)
    }
    return ids
  })
}

const stateOf = async (shop: GiftCardShop, id: string) => (await operations.find(shop.scope, id))?.state

test('services take turns, and each operation is taken by one process', async () => {
  const [busy, quiet] = shops
  if (!busy || !quiet) throw new Error('no shops')
  await leave(busy, 20)
  const [last] = await leave(quiet, 1)
  const take = () =>
    attempts.takeDue(service.context, {
      kinds: ['activate', 'issue'],
      limit: 12,
      limitPerService: 8,
      underWay: [],
      leaseMs: 60_000,
    })

  const taken = (await Promise.all([take(), take(), take()])).flat()

  const ids = taken.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toContain(last)
  expect(taken.every(({ checks }) => checks === 1)).toBe(true)
})

test('all operations that are due are resolved, however many', async () => {
  const [busy, quiet] = shops
  if (!busy || !quiet) throw new Error('no shops')
  const [many, few] = [await leave(busy, 40), await leave(quiet, 2)]

  await Promise.all([1, 2].map(() => service.resolveDue()))

  for (const id of many) expect(await stateOf(busy, id)).toBe('approved')
  for (const id of few) expect(await stateOf(quiet, id)).toBe('approved')
})

test('an operation that cannot be resolved does not block the others', async () => {
  const [busy, quiet] = shops
  if (!busy || !quiet) throw new Error('no shops')
  const [bad, good] = [await leave(quiet, 1), await leave(busy, 3)]
  await service.context.db
    .updateTable('gift_card_services')
    .set({ secrets: { api_key: '01900000-0000-7000-8000-0000000000ff' }, updated_at: new Date(0) })
    .where('id', '=', quiet.serviceId)
    .execute()

  const run = service.resolveDue()

  await expect(run).rejects.toThrow('no such item in the vault')
  for (const id of good) expect(await stateOf(busy, id)).toBe('approved')
  expect(await stateOf(quiet, bad[0] ?? '')).toBe('sent')
})

test('a process that stops takes no new operations', async () => {
  const [busy] = shops
  if (!busy) throw new Error('no shops')
  const [id] = await leave(busy, 1)

  await service.resolveDue({ stopping: AbortSignal.abort() })

  expect(await stateOf(busy, id ?? '')).toBe('sent')
})
