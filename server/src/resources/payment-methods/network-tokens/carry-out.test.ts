import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { stopCommitting } from '#testing/commits.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTokenDesk, requestorIds, type TokenDesk } from '#testing/network-tokens.ts'

const MINUTE_MS = 60_000

let service: TestService
let desk: TokenDesk
beforeAll(async () => {
  service = await startTestService()
  await service.send('POST /merchant-accounts', { id: 'shop', display_name: 'Shop', ...requestorIds('shop') })
  desk = openTokenDesk(service, 'shop')
})
afterAll(() => service.close())
afterEach(() => vi.restoreAllMocks())

/** The process dies when the next call reaches the token service, before its answer comes, or before the call arrives. */
function dieAt(moment: 'before' | 'after'): void {
  const fetch = service.providers.fetch
  vi.spyOn(service.providers, 'fetch').mockImplementationOnce(async (url, init) => {
    const answer = moment === 'after' ? await fetch(url, init) : undefined
    stopCommitting(service)
    if (!answer) throw new TypeError('fetch failed')
    return answer
  })
}

/** Another process takes over. */
async function goOn(): Promise<void> {
  vi.restoreAllMocks()
  service.moveClock(2 * MINUTE_MS)
  await service.resolveDue()
}

test('a card that is deleted while its token is made is not found, and the token is deleted', async () => {
  const method = await desk.store()
  const fetch = service.providers.fetch
  vi.spyOn(service.providers, 'fetch').mockImplementationOnce(async (url, init) => {
    await service.send(`DELETE /payment-methods/${method}`, undefined, { account: 'shop' })
    return fetch(url, init)
  })

  const response = await desk.provision(method)
  await service.resolveDue()

  expect(response.statusCode, response.body).toBe(404)
  const { rows } = await service.database.pool.query<{ id: string }>(
    'select id from network_tokens where payment_method_id = $1',
    [method],
  )
  expect(await desk.books(rows[0]?.id ?? '')).toEqual([{ status: 'deleted', done: ['provision', 'delete'] }])
})

test('an approval without a token proves nothing: the job asks again', async () => {
  const fetch = service.providers.fetch
  vi.spyOn(service.providers, 'fetch').mockImplementationOnce(async (url, init) => {
    const body = (await (await fetch(url, init)).json()) as object
    // Read as the answer to another operation, it brings no token.
    return Response.json({ ...body, operation: 'suspend' })
  })
  const method = await desk.store()

  const response = await desk.provision(method)
  await goOn()

  expect(response.statusCode, response.body).toBe(504)
  expect(await desk.list(method)).toMatchObject([{ status: 'active' }])
})

describe('a process that dies', () => {
  test('after the token was made has made one token, which the retry gets', async () => {
    const method = await desk.store()
    const keyed = { headers: { 'idempotency-key': 'dies-after' } }

    dieAt('after')
    const first = await desk.provision(method, keyed)
    await goOn()
    const retry = await desk.provision(method, keyed)

    expect(first.statusCode).toBeGreaterThanOrEqual(500)
    expect(retry.statusCode, retry.body).toBe(201)
    expect(await desk.list(method)).toEqual([retry.json()])
    expect(await desk.books(retry.json().id)).toEqual([{ status: 'active', done: ['provision'] }])
  })

  test('before the service was asked has made none, and another request makes one', async () => {
    const method = await desk.store()

    dieAt('before')
    const first = await desk.provision(method)
    await goOn()
    const none = await desk.list(method)
    const second = await desk.provision(method)

    expect(first.statusCode).toBeGreaterThanOrEqual(500)
    expect(none).toEqual([])
    expect(second.statusCode, second.body).toBe(201)
    expect(await desk.books(second.json().id)).toEqual([{ status: 'active', done: ['provision'] }])
  })

  test('while it suspends a token leaves it suspended, as the service has it', async () => {
    const token = await desk.make()

    dieAt('after')
    await desk.act(token, 'suspend')
    await goOn()

    expect(await desk.list(token.payment_method_id)).toMatchObject([{ status: 'suspended' }])
    expect(await desk.books(token.id)).toEqual([{ status: 'suspended', done: ['provision', 'suspend'] }])
  })

  test.each(['before', 'after'] as const)(
    'while it deletes a token leaves the rest to the job: %s the service was asked',
    async (moment) => {
      const token = await desk.make()

      dieAt(moment)
      await desk.act(token, 'delete')
      await goOn()

      expect(await desk.list(token.payment_method_id)).toMatchObject([{ status: 'deleted' }])
      expect(await desk.books(token.id)).toEqual([{ status: 'deleted', done: ['provision', 'delete'] }])
    },
  )
})
