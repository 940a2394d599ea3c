import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { PROCESSING, REPORTING, signToken, startTestService, type TestService } from '#testing/harness.ts'
import { cardThatAsks, openTokenDesk, requestorIds, type TokenDesk } from '#testing/network-tokens.ts'
import { holdProcessorLine } from '#testing/processor-line.ts'
import { signIn } from '#testing/sign-in.ts'
import { countGivenUp } from '../given-up-tokens.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

let service: TestService
let desk: TokenDesk
beforeAll(async () => {
  service = await startTestService()
  await service.send('POST /merchant-accounts', { id: 'shop', display_name: 'Shop', ...requestorIds('shop') })
  desk = openTokenDesk(service, 'shop')
})
afterAll(() => service.close())

const attemptsOf = async (tokenId: string) => {
  const found = await sql<{ kind: string; state: string }>`
    select kind, state from attempts where subject_id = ${tokenId} order by created_at, id
  `.execute(service.context.db)
  return found.rows.map(({ kind, state }) => `${kind} ${state}`)
}

const openOf = async (tokenId: string) => {
  const found =
    await sql`select 1 from attempts where subject_id = ${tokenId} and due_at is not null`.execute(
      service.context.db,
    )
  return found.rows.length
}

const auditedOf = async (id: string) => {
  const found = await sql<{ entry: string }>`
    select action || ' ' || resource_name as entry from audit_logs
    where resource_id = ${id} order by created_at, id
  `.execute(service.context.db)
  return found.rows.map(({ entry }) => entry)
}

describe('a network token', () => {
  test.each([
    ['visa', '4111111111111111', /^489537\d{10}$/],
    ['mastercard', '5555555555554444', /^520473\d{10}$/],
    ['amex', '378282246310005', /^370471\d{9}$/],
    ['discover', '6011111111111117', /^601179\d{10}$/],
  ])('of a %s card is provisioned and listed', async (_scheme, number, form) => {
    const token = await desk.make({ method: 'card', number, expiration_date: '12/40' })

    expect(token).toMatchObject({ type: 'network-token', status: 'active' })
    expect(token.token).toMatch(form)
    expect(await desk.list(token.payment_method_id)).toEqual([token])
    expect(await desk.books(token.id)).toEqual([{ status: 'active', done: ['provision'] }])
    expect(await auditedOf(token.id)).toContain('revealed api')
  })

  test('is inactive until the issuer has verified the cardholder', async () => {
    const token = await desk.make(cardThatAsks('0022'))

    expect(token.status).toBe('inactive')
    expect((await desk.act(token, 'suspend')).json().message).toContain('inactive')
    expect((await desk.act(token, 'cryptogram', { merchant_initiated: false })).statusCode).toBe(400)
  })

  test('is one for each card', async () => {
    const token = await desk.make()

    const again = await desk.provision(token.payment_method_id)

    expect(again.statusCode).toBe(409)
    expect(again.json()).toMatchObject({ code: 'duplicate_record', resource_id: token.id })
  })

  test('can be made again after it was deleted', async () => {
    const token = await desk.make()
    await desk.act(token, 'delete')

    const again = await desk.provision(token.payment_method_id)

    expect(again.statusCode, again.body).toBe(201)
    const listed = await desk.list(token.payment_method_id)
    expect(listed.map(({ status }) => status)).toEqual(['active', 'deleted'])
  })

  test('is made once when two requests ask at the same time', async () => {
    const method = await desk.store()

    const answers = await Promise.all([1, 2, 3].map(() => desk.provision(method)))

    const statuses = answers.map(({ statusCode }) => statusCode).toSorted()
    expect(statuses[0]).toBe(201)
    expect(statuses.slice(1).every((status) => status === 409 || status === 425)).toBe(true)
    expect(await desk.list(method)).toHaveLength(1)
  })
})

describe('a token is refused', () => {
  test('for an account without ids at the scheme’s token service', async () => {
    const made = await service.send('POST /payment-methods', {
      method: 'card',
      number: '4111111111111111',
      expiration_date: '12/40',
    })

    const response = await service.send(`POST /payment-methods/${made.json().id}/network-tokens`, {
      merchant_initiated: false,
      is_subsequent_payment: false,
    })

    expect(response.statusCode).toBe(400)
    expect(response.json().message).toContain('visa_network_tokens_requestor_id')
  })

  test('for a card of a scheme without tokens', async () => {
    const method = await desk.store({ method: 'card', number: '3530111333300000', expiration_date: '12/40' })

    const response = await desk.provision(method)

    expect(response.statusCode).toBe(400)
    expect(response.json().message).toContain('Visa, Mastercard, American Express or Discover')
  })

  test('for a security code of the wrong length, which changes nothing', async () => {
    const method = await desk.store()
    const route = `POST /payment-methods/${method}/network-tokens`
    const body = { merchant_initiated: false, is_subsequent_payment: false, security_code: '1234' }

    const response = await service.send(route, body, { account: 'shop' })

    expect(response.statusCode).toBe(400)
    expect(response.json().details).toMatchObject([{ pointer: '/security_code' }])
    expect(await desk.list(method)).toEqual([])
  })

  test('if its issuer takes no part, and can be asked for again', async () => {
    const method = await desk.store(cardThatAsks('0021'))

    const response = await desk.provision(method)
    const again = await desk.provision(method)

    expect(response.statusCode).toBe(400)
    expect(response.json().message).toBe('The token service refuses: unsupported_payment_method.')
    expect(again.statusCode).toBe(400)
    expect(await desk.list(method)).toEqual([])
  })

  test('for a card of another account', async () => {
    const method = await desk.store()

    const response = await service.send(`POST /payment-methods/${method}/network-tokens`, {
      merchant_initiated: false,
      is_subsequent_payment: false,
    })

    expect(response.statusCode).toBe(404)
  })
})

describe('a token service', () => {
  const keyed = { headers: { 'idempotency-key': 'provision-1' } }

  test('that answers twice has made one token', async () => {
    const token = await desk.make(cardThatAsks('0034'))

    expect(await desk.books(token.id)).toEqual([{ status: 'active', done: ['provision'] }])
  })

  test.each([
    ['whose answer is lost', '0031'],
    ['that does not answer in time', '0033'],
    ['that answers with garbage', '0035'],
  ])('%s leaves nothing in doubt: the job finds the token', async (_what, digits) => {
    const line = holdProcessorLine(service)
    const method = await desk.store(cardThatAsks(digits))

    const response = await desk.provision(method)
    const meanwhile = await desk.provision(method)
    service.moveClock(2 * MINUTE_MS)
    await line.letArrive()
    await service.resolveDue()

    expect(response.statusCode, response.body).toBe(504)
    expect(meanwhile.statusCode, meanwhile.body).toBe(425)
    const [token, ...others] = await desk.list(method)
    expect(others).toEqual([])
    expect(token.status).toBe('active')
    expect(await desk.books(token.id)).toEqual([{ status: 'active', done: ['provision'] }])
    expect(await attemptsOf(token.id)).toEqual(['provision-token approved'])
  })

  test('whose answer is lost gives the token to the retry with the same key', async () => {
    const method = await desk.store(cardThatAsks('0031'))

    const first = await desk.provision(method, keyed)
    service.moveClock(2 * MINUTE_MS)
    await service.resolveDue()
    const retry = await desk.provision(method, keyed)
    const replay = await desk.provision(method, keyed)

    expect(first.statusCode).toBe(504)
    expect(retry.statusCode, retry.body).toBe(201)
    expect(replay.json()).toEqual(retry.json())
    expect(await desk.books(retry.json().id)).toEqual([{ status: 'active', done: ['provision'] }])
  })

  test('that cannot be reached has made no token, and can be asked again', async () => {
    const method = await desk.store(cardThatAsks('0036'))

    const response = await desk.provision(method)
    service.moveClock(2 * MINUTE_MS)
    await service.resolveDue()

    expect(response.statusCode).toBe(504)
    expect(await desk.list(method)).toEqual([])
    // The fault hits the first call of an attempt, and the second request is another attempt.
    expect((await desk.provision(method)).statusCode).toBe(504)
  })

  test('is asked again by the job until it has deleted a token', async () => {
    const token = await desk.make(cardThatAsks('0046'))

    const response = await desk.act(token, 'delete')
    expect(await desk.books(token.id)).toEqual([{ status: 'active', done: ['provision'] }])
    for (const _ of [1, 2, 3]) {
      service.moveClock(2 * MINUTE_MS)
      await service.resolveDue()
    }

    expect(response.statusCode).toBe(204)
    expect(await desk.list(token.payment_method_id)).toMatchObject([{ status: 'deleted' }])
    const [first, second] = (await attemptsOf(token.id)).slice(1)
    expect(first).toBe('delete-token failed')
    expect(second).toMatch(/^delete-token /)
  })

  test.each([
    ['refuses', () => Response.json({ status: 'refused', code: 'restricted' })],
    ['does not answer', () => Promise.reject(new TypeError('fetch failed'))],
  ])('that %s is asked for a month to delete a token, and then the operator is told', async (_how, reply) => {
    const token = await desk.make()
    const before = await countGivenUp(service.context)
    const { fetch } = service.providers
    vi.spyOn(service.providers, 'fetch').mockImplementation(async (url, init) =>
      url.includes('/delete') || url.includes('/attempts/') ? reply() : fetch(url, init),
    )
    onTestFinished(() => void vi.restoreAllMocks())
    let days = 0
    const wait = async (count: number) => {
      for (const until = days + count; days < until; days += 1) {
        service.moveClock(DAY_MS)
        await service.resolveDue()
      }
      return (await attemptsOf(token.id)).length
    }

    await desk.act(token, 'delete')
    await wait(29)
    const meanwhile = await auditedOf(token.id)
    const asked = await wait(8)
    const askedLater = await wait(5)
    const told = await countGivenUp(service.context)
    service.moveClock(-days * DAY_MS)

    expect(meanwhile).not.toContain('updated not deleted at the provider')
    expect(askedLater).toBe(asked)
    expect(told).toBeGreaterThan(before)
    expect(await openOf(token.id)).toBe(0)
    expect(await auditedOf(token.id)).toContain('updated not deleted at the provider')
    expect(await desk.books(token.id)).toEqual([{ status: 'active', done: ['provision'] }])
  })

  test('whose answer to a suspension is lost is asked for the outcome', async () => {
    const token = await desk.make(cardThatAsks('0041'))

    const response = await desk.act(token, 'suspend')
    const meanwhile = await desk.act(token, 'cryptogram', { merchant_initiated: false })
    const another = await desk.act(token, 'resume')
    service.moveClock(2 * MINUTE_MS)
    await service.resolveDue()

    expect(response.statusCode).toBe(504)
    expect(meanwhile.statusCode).toBe(400)
    expect(another.statusCode).toBe(425)
    expect(await desk.list(token.payment_method_id)).toMatchObject([{ status: 'suspended' }])
    expect(await desk.books(token.id)).toEqual([{ status: 'suspended', done: ['provision', 'suspend'] }])
  })
})

describe('suspending', () => {
  test('stops cryptograms, and resuming allows them again', async () => {
    const token = await desk.make()

    const suspended = await desk.act(token, 'suspend')
    const refused = await desk.act(token, 'cryptogram', { merchant_initiated: false })
    const resumed = await desk.act(token, 'resume')
    const made = await desk.act(token, 'cryptogram', { merchant_initiated: false })

    expect(suspended.json()).toMatchObject({ id: token.id, status: 'suspended', token: token.token })
    expect(refused.statusCode).toBe(400)
    expect(refused.json().message).toContain('suspended')
    expect(resumed.json().status).toBe('active')
    expect(made.statusCode, made.body).toBe(201)
    expect((await desk.books(token.id))[0]?.done).toEqual(['provision', 'suspend', 'resume'])
  })

  test('a suspended token again changes nothing and sends no request', async () => {
    const token = await desk.make()
    await desk.act(token, 'suspend')

    const again = await desk.act(token, 'suspend')

    expect(again.statusCode).toBe(200)
    expect((await desk.books(token.id))[0]?.done).toEqual(['provision', 'suspend'])
  })
})

describe('a cryptogram', () => {
  test('is new each time, and audited', async () => {
    const token = await desk.make()

    const [first, second] = [
      (await desk.act(token, 'cryptogram', { merchant_initiated: false })).json(),
      (await desk.act(token, 'cryptogram', { merchant_initiated: true })).json(),
    ]

    expect(first).toEqual({ type: 'network-token-cryptogram', cryptogram: expect.any(String) })
    expect(first.cryptogram).not.toBe(second.cryptogram)
    expect((await auditedOf(token.id)).filter((entry) => entry === 'revealed cryptogram')).toHaveLength(2)
  })

  test('is not stored: a replay does not show it', async () => {
    const token = await desk.make()
    const route = `POST /payment-methods/${token.payment_method_id}/network-tokens/${token.id}/cryptogram`
    const send = () =>
      service.send(
        route,
        { merchant_initiated: false },
        { account: 'shop', headers: { 'idempotency-key': 'cryptogram-1' } },
      )

    const first = await send()
    const again = await send()

    expect(first.json().cryptogram).not.toBe('***')
    expect(again.json()).toEqual({ type: 'network-token-cryptogram', cryptogram: '***' })
  })

  test('of a deleted token does not exist', async () => {
    const token = await desk.make()
    await desk.act(token, 'delete')

    const response = await desk.act(token, 'cryptogram', { merchant_initiated: false })

    expect(response.statusCode).toBe(404)
  })

  test('that the service does not make is a 400', async () => {
    const token = await desk.make(cardThatAsks('0023'))

    const response = await desk.act(token, 'cryptogram', { merchant_initiated: false })

    expect(response.statusCode).toBe(400)
    expect(response.json().message).toContain('cryptogram_not_available')
  })

  test('needs the scope to write', async () => {
    const token = await desk.make()
    const key = await service.addKey({ roleIds: [PROCESSING] })
    const route = `POST /payment-methods/${token.payment_method_id}/network-tokens/${token.id}/cryptogram`
    const ask = async (scope: string) =>
      service.send(
        route,
        { merchant_initiated: false },
        { account: 'shop', token: await signToken(key, { scopes: [scope] }) },
      )

    expect((await ask('payment-methods.read')).statusCode).toBe(403)
    expect((await ask('payment-methods.write')).statusCode).toBe(201)
  })
})

describe('the number of a token', () => {
  test('is shown to keys whose roles may charge, and to no other key', async () => {
    const token = await desk.make()
    const seenBy = async (roleId: string) => {
      const bearer = await signToken(await service.addKey({ roleIds: [roleId] }), {
        scopes: ['payment-methods.read'],
      })
      const route = `GET /payment-methods/${token.payment_method_id}/network-tokens`
      return (await service.send(route, undefined, { account: 'shop', token: bearer })).json().items[0].token
    }

    expect(await seenBy(PROCESSING)).toBe(token.token)
    expect(await seenBy(REPORTING)).toBe(`************${token.token.slice(-4)}`)
  })

  test.each(['analyst', 'customer-support', 'processing', 'administrator'])(
    'is shown to no person, not even with the role %s, and no role that looks gets a cryptogram',
    async (role) => {
      const { headers } = await signIn(service, { roles: [role] })
      const asPerson = { account: 'shop', token: null, headers }
      const token = await desk.make()
      const path = `/payment-methods/${token.payment_method_id}/network-tokens`
      const before = await auditedOf(token.id)

      const listed = await service.send(`GET ${path}`, undefined, asPerson)
      const changed = await service.send(`POST ${path}/${token.id}/suspend`, undefined, asPerson)
      const resumed = await service.send(`POST ${path}/${token.id}/resume`, undefined, asPerson)
      const proved = await service.send(
        `POST ${path}/${token.id}/cryptogram`,
        { merchant_initiated: false },
        asPerson,
      )

      const mayWrite = role === 'processing' || role === 'administrator'
      const masked = `************${token.token.slice(-4)}`
      expect(listed.json().items).toMatchObject([{ token: masked }])
      if (mayWrite) expect([changed.json().token, resumed.json().token]).toEqual([masked, masked])
      expect([changed.statusCode, proved.statusCode]).toEqual(mayWrite ? [200, 201] : [403, 403])
      expect((await auditedOf(token.id)).filter((entry) => entry === 'revealed api')).toEqual(
        before.filter((entry) => entry === 'revealed api'),
      )
    },
  )
})

describe('deleting', () => {
  test('a token removes its number here and at the service', async () => {
    const token = await desk.make()

    const response = await desk.act(token, 'delete')

    expect(response.statusCode).toBe(204)
    expect(await desk.list(token.payment_method_id)).toMatchObject([
      { status: 'deleted', token: `************${token.token.slice(-4)}` },
    ])
    expect(await desk.books(token.id)).toEqual([{ status: 'deleted', done: ['provision', 'delete'] }])
    for (const verb of ['delete', 'suspend', 'resume']) {
      expect((await desk.act(token, verb)).statusCode, verb).toBe(404)
    }
  })

  test('the card deletes its token, too', async () => {
    const token = await desk.make()

    await service.send(`DELETE /payment-methods/${token.payment_method_id}`, undefined, { account: 'shop' })
    await service.resolveDue()

    expect(await desk.books(token.id)).toEqual([{ status: 'deleted', done: ['provision', 'delete'] }])
    const kept =
      await sql`select from network_tokens where id = ${token.id} and vault_token is not null`.execute(
        service.context.db,
      )
    expect(kept.rows).toEqual([])
  })

  test('the card while its token is made deletes that as soon as it is known', async () => {
    const method = await desk.store(cardThatAsks('0031'))
    await desk.provision(method)

    await service.send(`DELETE /payment-methods/${method}`, undefined, { account: 'shop' })
    for (const _ of [1, 2]) {
      service.moveClock(2 * MINUTE_MS)
      await service.resolveDue()
    }

    const found = await sql<{ id: string; status: string }>`
      select id, status from network_tokens where payment_method_id = ${method}
    `.execute(service.context.db)
    expect(found.rows).toMatchObject([{ status: 'deleted' }])
    expect(await desk.books(found.rows[0]?.id ?? '')).toEqual([
      { status: 'deleted', done: ['provision', 'delete'] },
    ])
  })
})

test('a card that the account updater replaces keeps its token', async () => {
  await service.send('PUT /merchant-accounts/shop', { account_updater_enabled: true })
  const token = await desk.make({ method: 'card', number: '4929120000020004', expiration_date: '12/35' })

  await service.send(
    'POST /account-updater/jobs',
    { payment_method_ids: [token.payment_method_id] },
    { account: 'shop' },
  )
  await service.resolveDue()

  const route = `GET /payment-methods/${token.payment_method_id}`
  const card = (await service.send(route, undefined, { account: 'shop' })).json()
  expect(card.expiration_date).toBe('12/39')
  expect(await desk.list(token.payment_method_id)).toEqual([token])
})
