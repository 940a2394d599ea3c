import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { SUBSCRIPTIONS_MAX } from './create.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
  await service.send('POST /merchant-accounts', { id: 'other-shop', display_name: 'Other shop' })
})
afterAll(() => service.close())

const subscribe = (account: string) =>
  service.send('POST /webhook-subscriptions', { url: 'https://shop.example/hooks' }, { account })

test.each(['default', '*'])(
  '%s can have 100 subscriptions, also when they are created at once',
  async (account) => {
    for (let made = 0; made < SUBSCRIPTIONS_MAX - 1; made += 1) {
      expect((await subscribe(account)).statusCode).toBe(201)
    }

    const last = await Promise.all([subscribe(account), subscribe(account), subscribe(account)])

    const statuses = last.map(({ statusCode }) => statusCode)
    expect(statuses.toSorted()).toEqual([201, 400, 400])
    const refused = last.find(({ statusCode }) => statusCode === 400)
    expect(refused?.json().message).toMatch(/100 webhook subscriptions.*delete one first/)
    expect((await subscribe('other-shop')).statusCode).toBe(201)
  },
)

test('a deleted subscription does not count', async () => {
  const { rows } = await service.database.pool.query(
    `select id from webhook_subscriptions where merchant_account_id = 'default' limit 1`,
  )
  expect((await subscribe('default')).statusCode).toBe(400)

  await service.send(`DELETE /webhook-subscriptions/${rows[0].id}`, undefined, { account: 'default' })

  expect((await subscribe('default')).statusCode).toBe(201)
})
