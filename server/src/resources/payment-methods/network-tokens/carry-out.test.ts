import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { readWhole } from '#processing/provider.ts'
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
    const body = (await (await readWhole(await fetch(url, init))).json()) as object
    // Read as the answer to another operation, it brings no token.
    return Response.json({ ...body, operation: 'suspend' })
  })
  const method = await desk.store()

  const response = await desk.provision(method)
  await goOn()

  expect(response.statusCode, response.body).toBe(504)
  expect(response.json()).toMatchObject({
    message: 'Request could not be processed',
    details: [{ message: expect.stringContaining('Repeat the request with its idempotency key.') }],
  })
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

describe('a merchant account that gets other ids at the token service', () => {
  let shops = 0

  /** An account of its own. `change` gives it other ids, or none. */
  async function openShop() {
    shops += 1
    const id = `moving-shop-${shops}`
    await service.send('POST /merchant-accounts', { id, display_name: id, ...requestorIds(id) })
    const change = async (ids: Record<string, string | null>) => {
      const changed = await service.send(`PUT /merchant-accounts/${id}`, ids)
      expect(changed.statusCode, changed.body).toBe(200)
    }
    return { desk: openTokenDesk(service, id), change }
  }

  const OTHER_IDS = () => requestorIds(`other-ids-${shops}`)
  const NO_IDS = () => Object.fromEntries(Object.keys(requestorIds('')).map((name) => [name, null]))

  test.each([
    ['others', OTHER_IDS],
    ['none', NO_IDS],
  ])('deletes its tokens under the ids with which they were made: %s', async (_what, ids) => {
    const { desk, change } = await openShop()
    const token = await desk.make()

    await change(ids())
    const proof = await desk.act(token, 'cryptogram', { merchant_initiated: false })
    await desk.act(token, 'suspend')
    await desk.act(token, 'delete')

    expect(proof.statusCode, proof.body).toBe(201)
    expect(await desk.books(token.id)).toEqual([
      { status: 'deleted', done: ['provision', 'suspend', 'delete'] },
    ])
  })

  test.each([
    ['others', OTHER_IDS],
    ['none', NO_IDS],
  ])('learns what became of a token that it had asked for: %s', async (_what, ids) => {
    const { desk, change } = await openShop()
    const method = await desk.store()

    dieAt('after')
    await desk.provision(method)
    vi.restoreAllMocks()
    await change(ids())
    await goOn()

    const [token] = await desk.list(method)
    expect(token).toMatchObject({ status: 'active' })
    expect(await desk.books(token.id)).toEqual([{ status: 'active', done: ['provision'] }])
  })

  test('still hears what the service tells of its tokens', async () => {
    const { desk, change } = await openShop()
    const token = await desk.make()

    await change(OTHER_IDS())
    const told = await desk.notify({ network_token_id: token.id, event: 'token.suspended' })

    expect(told.statusCode, told.body).toBe(204)
    expect(await desk.list(token.payment_method_id)).toMatchObject([{ status: 'suspended' }])
  })
})

function present<Found>(found: Found | null): Found {
  if (found === null) throw new Error('the sandbox has no token service')
  return found
}

describe('a token service that does not answer', () => {
  const MASTERCARD = { method: 'card', number: '5555555555554444', expiration_date: '12/40' }

  test.each([
    ['another account', 'waiting-shop', undefined],
    ['another scheme', 'shop', MASTERCARD],
  ])('holds up no token of %s', async (_what, account, card) => {
    await service.send('POST /merchant-accounts', {
      id: account,
      display_name: account,
      ...requestorIds(account),
    })
    const others = openTokenDesk(service, account)
    const [slow, token] = [await desk.make(), await others.make(card)]
    await service.send(`DELETE /payment-methods/${slow.payment_method_id}`, undefined, { account: 'shop' })
    const gate = Promise.withResolvers<void>()
    const simulator = present(service.providers.networkTokens.find('mock-network-token') ?? null)
    const { change } = simulator
    const asked = vi.spyOn(simulator, 'change').mockImplementationOnce(async (...given) => {
      await gate.promise
      return change(...given)
    })

    const run = service.resolveDue()
    await expect.poll(() => asked.mock.calls.length).toBe(1)
    await service.send(`DELETE /payment-methods/${token.payment_method_id}`, undefined, { account })
    const inTime = expect.poll(() => others.books(token.id))
    await inTime.toEqual([{ status: 'deleted', done: ['provision', 'delete'] }]).finally(gate.resolve)
    await run

    expect(await desk.books(slow.id)).toMatchObject([{ status: 'deleted' }])
  })
})
