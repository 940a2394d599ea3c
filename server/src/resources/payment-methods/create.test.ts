import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { readWhole } from '#processing/provider.ts'
import { MISSING, pointers } from '#testing/answers.ts'
import { stopCommitting } from '#testing/commits.ts'
import { signToken, startTestService, type TestService } from '#testing/harness.ts'
import { holdProcessorLine, type ProcessorLine } from '#testing/processor-line.ts'
import { debited } from '#testing/test-connectors.ts'
import { CARD, openTill, order, type Till } from '#testing/till.ts'
import { returnUrlOf } from './payment-service-tokens/request-token.ts'
import { expireApprovals } from './resource.ts'

describe('cards', () => {
  let service: TestService
  let till: Till
  let line: ProcessorLine
  let walletId: string
  beforeAll(async () => {
    const started = await startTestService()
    // These tests move the clock by weeks.
    const token = await signToken(started.admin, { exp: Math.floor(Date.now() / 1000) + 60 * 86_400 })
    service = { ...started, send: (route, body, options) => started.send(route, body, { token, ...options }) }
    till = openTill(service)
    line = holdProcessorLine(service)
    await service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })
    walletId = await addWallet()
  })
  afterEach(() => {
    vi.restoreAllMocks()
    line.repair()
  })
  afterAll(() => service.close())

  const WALLET = {
    method: 'paypal',
    country: 'US',
    currency: 'USD',
    redirect_url: 'https://shop.example.com/stored',
  }

  async function addWallet(): Promise<string> {
    const response = await service.send('POST /payment-services', {
      display_name: 'Wallet',
      payment_service_definition_id: 'mock-paypal',
      fields: [{ key: 'merchant_id', value: 'shop' }],
      accepted_currencies: ['USD'],
      accepted_countries: ['US'],
    })
    expect(response.json()).toMatchObject({ payment_method_tokenization_enabled: true })
    return response.json().id
  }

  const create = (body: object, options = {}) => service.send('POST /payment-methods', body, options)
  const get = async (id: string) => (await service.send(`GET /payment-methods/${id}`)).json()

  /** The buyer decides on the wallet's page, and follows the redirects of this service. Returns where the shop is reached. */
  async function decide(approvalUrl: string, decision: 'approve' | 'refuse'): Promise<string> {
    const page = await service.app.inject(new URL(approvalUrl).pathname)
    expect(page.statusCode).toBe(200)
    const decided = await sendDecision(approvalUrl, decision)
    const ours = await service.app.inject(new URL(String(decided.headers.location)).pathname)
    expect(ours.statusCode).toBe(303)
    return String(ours.headers.location)
  }

  async function sendDecision(approvalUrl: string, decision: 'approve' | 'refuse') {
    const decided = await service.app.inject({
      method: 'POST',
      url: new URL(approvalUrl).pathname,
      payload: `decision=${decision}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(decided.statusCode).toBe(303)
    return decided
  }

  async function stored(over: object = {}) {
    const { id, approval_url } = (await create({ ...WALLET, ...over })).json()
    await decide(approval_url, 'approve')
    return get(id)
  }

  describe('a wallet', () => {
    test('is stored once the buyer has approved, and the shop finds it so', async () => {
      const response = await create({ ...WALLET, external_identifier: 'wallet-1' })

      expect(response.statusCode, response.body).toBe(201)
      const { id, approval_url } = response.json()
      expect(response.json()).toMatchObject({
        method: 'paypal',
        mode: 'redirect',
        status: 'buyer_approval_required',
        approval_url: expect.stringContaining('/simulator/approvals/'),
        approval_target: 'any',
        country: 'US',
        currency: 'USD',
        label: null,
        scheme: null,
        details: null,
        external_identifier: 'wallet-1',
      })
      const shop = new URL(await decide(approval_url, 'approve'))
      expect(shop.origin + shop.pathname).toBe('https://shop.example.com/stored')
      expect(Object.fromEntries(shop.searchParams)).toMatchObject({
        payment_method_id: id,
        payment_method_status: 'succeeded',
      })
      expect(await get(id)).toMatchObject({
        status: 'succeeded',
        approval_url: null,
        label: expect.stringMatching(/^buyer-.*@example\.com$/),
      })
      expect(await till.told(id)).toEqual(['payment-method.updated', 'payment-method.updated'])
      expect(await till.audited(id)).toEqual(['created by Test key'])
      const tokens = (await service.send(`GET /payment-methods/${id}/payment-service-tokens`)).json().items
      expect(tokens).toMatchObject([{ payment_service_id: walletId, status: 'succeeded' }])
    })

    test('that the buyer refuses has failed', async () => {
      const { id, approval_url } = (await create(WALLET)).json()

      const shop = await decide(approval_url, 'refuse')

      expect(shop).toContain('payment_method_status=failed')
      expect(await get(id)).toMatchObject({ status: 'failed', approval_url: null })
    })

    test('that is not approved within an hour has failed; a later approval is deleted at the provider', async () => {
      const { id, approval_url } = (await create(WALLET)).json()
      service.moveClock(59 * 60_000)
      await expireApprovals(service.context)
      expect(await get(id)).toMatchObject({ status: 'buyer_approval_required' })
      service.moveClock(2 * 60_000)
      await expireApprovals(service.context)
      expect(await get(id)).toMatchObject({ status: 'failed', approval_url: null })
      await decide(approval_url, 'approve')
      await service.resolveDue()

      expect(await get(id)).toMatchObject({ status: 'failed' })
      const left = await service.context.db
        .selectFrom('payment_service_tokens')
        .select(['status', 'vault_token'])
        .where('payment_method_id', '=', id)
        .executeTakeFirst()
      expect(left).toEqual({ status: 'failed', vault_token: null })
    })

    describe('that the buyer never approves', () => {
      const DAY_MS = 86_400_000
      const tokenOf = (id: string) =>
        service.context.db
          .selectFrom('payment_service_tokens')
          .innerJoin('attempts', 'attempts.id', 'payment_service_tokens.id')
          .select(['payment_service_tokens.id', 'status', 'vault_token', 'state', 'due_at'])
          .where('payment_method_id', '=', id)
          .executeTakeFirstOrThrow()
      const forgotten = async (tokenId: string) =>
        (
          await service.context.db
            .selectFrom('attempts')
            .select('state')
            .where('kind', '=', 'forget-token')
            .where('subject_id', '=', tokenId)
            .execute()
        ).map(({ state }) => state)

      /** The buyer approves, but the provider says that it waits for the buyer until its line is repaired. */
      async function waitForever(): Promise<string> {
        let first: object | undefined
        line.intercept(async (go, url) => {
          if (first && url.includes('/attempts/')) return Response.json(first)
          const response = await go()
          if (url.endsWith('/tokens')) first = (await response.clone().json()) as object
          return response
        })
        const { id, approval_url } = (await create(WALLET)).json()
        await sendDecision(approval_url, 'approve')
        return id
      }

      /** Lets days pass, with the job running on each. */
      async function wait(days: number): Promise<void> {
        for (let day = 0; day < days; day += 1) {
          service.moveClock(DAY_MS)
          waited += 1
          await expireApprovals(service.context)
          await service.resolveDue()
        }
      }
      let waited = 0
      afterEach(() => {
        service.moveClock(-waited * DAY_MS)
        waited = 0
      })

      test('is inquired about for a month; a token that the provider gives after that is deleted', async () => {
        const id = await waitForever()

        await wait(29)
        const open = await tokenOf(id)
        await wait(5)
        const ended = await tokenOf(id)
        line.repair()
        const { pathname } = new URL(
          returnUrlOf(service.engine, { merchant_account_id: 'default', id: ended.id }),
        )
        await service.app.inject(pathname)
        await service.resolveDue()
        // A second visit finds nothing more to do.
        await service.app.inject(pathname)

        expect(open).toMatchObject({ status: 'failed', state: 'pending', due_at: expect.any(Date) })
        expect(ended).toMatchObject({ status: 'failed', state: 'failed', due_at: null })
        expect(await tokenOf(id)).toMatchObject({ status: 'failed', state: 'approved', vault_token: null })
        expect(await forgotten(ended.id)).toEqual(['approved'])
      })

      test('does not keep the fields of its service from being changed', async () => {
        const paypal = await addWallet()
        const fields = [{ key: 'merchant_id', value: 'another' }]
        await service.send(`PUT /payment-services/${walletId}`, { active: false })
        const id = await waitForever()

        const early = await service.send(`PUT /payment-services/${paypal}`, { fields })
        await wait(1)
        const late = await service.send(`PUT /payment-services/${paypal}`, { fields })
        await service.send(`PUT /payment-services/${walletId}`, { active: true })
        await service.send(`DELETE /payment-services/${paypal}`)

        expect(early.statusCode).toBe(400)
        expect(pointers(early)).toEqual([['/fields/0/value', 'value_error.conflict']])
        expect(await tokenOf(id)).toMatchObject({ status: 'failed', state: 'pending' })
        expect(late.statusCode, late.body).toBe(200)
      })
    })

    test('pays without the buyer, by the provider’s token', async () => {
      const { id, label } = await stored()

      const paid = await till.pay({
        payment_method: { method: 'id', id, redirect_url: 'https://shop.example.com/paid' },
      })

      expect(paid).toMatchObject({
        status: 'authorization_succeeded',
        instrument_type: 'redirect_token',
        method: 'paypal',
        payment_method: { id, method: 'paypal', mode: 'redirect', label, details: null },
        payment_service: { id: walletId },
      })
      expect(await till.books(paid.id)).toMatchObject({ authorized: 1000 })
      expect(await get(id)).toMatchObject({ usage_count: 1 })
    })

    test('cannot pay before it is approved, without an address, or with a security code', async () => {
      const waiting = (await create(WALLET)).json().id
      const ready = (await stored()).id
      const pay = async (method: object) => pointers(await order(service, { payment_method: method }))

      expect(await pay({ method: 'id', id: waiting, redirect_url: WALLET.redirect_url })).toEqual([
        ['/payment_method/id', 'value_error.conflict'],
      ])
      expect(await pay({ method: 'id', id: ready, security_code: '123' })).toEqual([
        ['/payment_method/redirect_url', 'value_error.missing'],
        ['/payment_method/security_code', 'value_error.conflict'],
      ])
    })

    test('cannot pay in a currency other than its own', async () => {
      const { id } = await stored()
      const payment_method = { method: 'id', id, redirect_url: 'https://shop.example.com/paid' }

      const refused = await order(service, { currency: 'EUR', payment_method })

      expect(refused.statusCode, refused.body).toBe(400)
      expect(pointers(refused)).toEqual([['/currency', 'value_error.conflict']])
      expect(refused.json().details[0].message).toContain('must be USD')
    })

    test('is listed for its buyer once it can pay', async () => {
      const buyer = (await service.send('POST /buyers', {})).json().id
      const list = async () =>
        (await service.send(`GET /buyers/payment-methods?buyer_id=${buyer}`)).json().items.length
      await create({ ...WALLET, buyer_id: buyer })
      expect(await list()).toBe(0)

      await stored({ buyer_id: buyer })

      expect(await list()).toBe(1)
    })

    test('that is deleted is deleted at the provider, too, and cannot lose its token alone', async () => {
      const { id } = await stored()
      const path = `/payment-methods/${id}/payment-service-tokens`
      const [token] = (await service.send(`GET ${path}`)).json().items
      expect((await service.send(`DELETE ${path}/${token.id}`)).statusCode).toBe(400)

      expect((await service.send(`DELETE /payment-methods/${id}`)).statusCode).toBe(204)
      await service.resolveDue()

      const response = await service.providers.fetch(
        `https://processor.simulator.invalid/books?transaction_id=${token.id}`,
      )
      const { entries } = (await (await readWhole(response)).json()) as { entries: { operation: string }[] }
      expect(entries.map(({ operation }) => operation)).toContain('forgetToken')
    })

    test('has no expiration date to change', async () => {
      const { id } = await stored()

      const response = await service.send(`PUT /payment-methods/${id}`, { expiration_date: '12/40' })

      expect(response.statusCode).toBe(400)
      expect(pointers(response)).toEqual([['/expiration_date', 'value_error.conflict']])
    })

    test('is stored once, though our process died before it could record the answer', async () => {
      const headers = { 'idempotency-key': crypto.randomUUID() }
      line.intercept(async (go, url) => {
        const response = await go()
        if (url.endsWith('/tokens')) stopCommitting(service)
        return response
      })
      expect((await create({ ...WALLET, external_identifier: 'once' }, { headers })).statusCode).toBe(500)
      vi.restoreAllMocks()
      line.repair()

      service.moveClock(61_000)
      const again = await create({ ...WALLET, external_identifier: 'once' }, { headers })

      expect(again.statusCode, again.body).toBe(201)
      expect(again.json()).toMatchObject({ status: 'buyer_approval_required', external_identifier: 'once' })
      expect((await service.send('GET /payment-methods?external_identifier=once')).json().items).toHaveLength(
        1,
      )
    })
  })

  describe('a payment that the provider asks the buyer about', () => {
    test('is decided when the buyer returns to the shop', async () => {
      const paid = await till.pay({
        payment_method: { ...WALLET, redirect_url: 'https://shop.example.com/paid' },
      })
      expect(paid).toMatchObject({ status: 'buyer_approval_pending', instrument_type: 'redirect' })

      const shop = await decide(paid.payment_method.approval_url, 'approve')

      expect(shop).toContain('transaction_status=authorization_succeeded')
      expect(await till.get(paid.id)).toMatchObject({ status: 'authorization_succeeded' })
    })
  })

  describe('refuses', () => {
    test.each<[string, object, string[][]]>([
      [
        'a wallet without its place and address',
        { method: 'paypal' },
        [
          ['/country', 'value_error.missing'],
          ['/currency', 'value_error.missing'],
          ['/redirect_url', 'value_error.missing'],
        ],
      ],
      [
        'an address that runs code',
        { ...WALLET, redirect_url: 'javascript:x' },
        [['/redirect_url', 'value_error.url']],
      ],
      ['a currency that is none', { ...WALLET, currency: 'QQQ' }, [['/currency', 'type_error.enum']]],
      [
        'a method that no service offers',
        { ...WALLET, method: 'klarna' },
        [['/method', 'value_error.not_found']],
      ],
      [
        'a country that no service accepts',
        { ...WALLET, country: 'NL' },
        [['/method', 'value_error.not_found']],
      ],
      ['a method that does not exist', { ...WALLET, method: 'cowries' }, [['/method', 'type_error.enum']]],
      ['a number as a method', { ...WALLET, method: 7 }, [['/method', 'type_error.string']]],
      [
        'a field that wallets do not have',
        { ...WALLET, number: CARD.number },
        [['/number', 'value_error.extra']],
      ],
      [
        'a buyer that does not exist',
        { ...WALLET, buyer_id: MISSING },
        [['/buyer_id', 'value_error.not_found']],
      ],
      [
        'a session that does not exist',
        { method: 'checkout-session', id: MISSING },
        [['/id', 'value_error.not_found']],
      ],
      ['a card without its method', { ...CARD, method: undefined }, [['/method', 'value_error.missing']]],
      ['a wallet without its method', { ...WALLET, method: undefined }, [['/method', 'value_error.missing']]],
      ['a session without its method', { id: MISSING }, [['/method', 'value_error.missing']]],
      ['a token of Plaid without its method', { token: 'x' }, [['/method', 'value_error.missing']]],
      [
        'a bank account without its method and scheme',
        { account_number: '1234567890' },
        [
          ['/method', 'value_error.missing'],
          ['/scheme', 'value_error.missing'],
        ],
      ],
      ['a session without its id', { method: 'checkout-session' }, [['/id', 'value_error.missing']]],
    ])('%s', async (_name, body, expected) => {
      const response = await create(body)

      expect(response.statusCode, response.body).toBe(400)
      expect(pointers(response)).toEqual(expected)
    })

    test('a reference that another method has', async () => {
      const card = (await create({ ...CARD, external_identifier: 'taken' })).json()

      const response = await create({ ...WALLET, external_identifier: 'taken' })

      expect(response.statusCode).toBe(409)
      expect(response.json()).toMatchObject({ resource_id: card.id })
    })
  })

  describe('a card of a checkout session', () => {
    const open = async (options = {}) =>
      (await service.send('POST /checkout/sessions', undefined, options)).json().id
    const enter = (id: string, payment_method: object = CARD) =>
      service.send(`PUT /checkout/sessions/${id}/fields`, { payment_method }, { token: null })
    const store = (id: string, over: object = {}, options = {}) =>
      create({ method: 'checkout-session', id, ...over }, options)

    test('is stored like one that is typed, and the session can still be paid', async () => {
      const id = await open()
      await enter(id)

      const response = await store(id, { external_identifier: 'from-session' })

      expect(response.statusCode, response.body).toBe(201)
      const typed = (await create(CARD)).json()
      expect(response.json()).toMatchObject({
        method: 'card',
        mode: 'card',
        status: 'succeeded',
        label: '1111',
        scheme: 'visa',
        expiration_date: '12/40',
        fingerprint: typed.fingerprint,
        external_identifier: 'from-session',
      })
      expect(await till.pay({ payment_method: { method: 'id', id: response.json().id } })).toMatchObject({
        status: 'authorization_succeeded',
      })
      expect(await till.pay({ payment_method: { method: 'checkout-session', id } })).toMatchObject({
        status: 'authorization_succeeded',
      })
    })

    test('is refused without a card, once the session is paid, has expired, or is another account’s', async () => {
      const empty = await open()
      expect(pointers(await store(empty))).toEqual([['/id', 'value_error.not_found']])

      const paid = await open()
      await enter(paid)
      await till.pay({ payment_method: { method: 'checkout-session', id: paid } })
      const response = await store(paid)
      expect(response.statusCode).toBe(400)
      expect(response.json().details[0].pointer).toBe('/id')

      const foreign = await open({ account: 'other' })
      await enter(foreign)
      expect(pointers(await store(foreign))).toEqual([['/id', 'value_error.not_found']])

      const usesStored = await open()
      const card = (await create(CARD)).json().id
      await enter(usesStored, { method: 'id', id: card })
      expect(pointers(await store(usesStored))).toEqual([['/id', 'value_error.conflict']])

      const old = await open()
      await enter(old)
      service.moveClock(25 * 3_600_000)
      expect(pointers(await store(old))).toEqual([['/id', 'value_error.not_found']])
    })
  })
})

describe('bank accounts that Plaid connects', () => {
  let service: TestService
  let till: Till
  let first: string
  let second: string
  beforeAll(async () => {
    service = await startTestService()
    till = openTill(service)
    first = await addService('First')
    second = await addService('Second')
  })
  beforeEach(() => {
    debited.length = 0
  })
  afterAll(() => service.close())

  const PLAID = { method: 'plaid', token: 'public-sandbox-1', account_id: 'checking-1' }

  async function addService(display_name: string): Promise<string> {
    const response = await service.send('POST /payment-services', {
      display_name,
      payment_service_definition_id: 'test-plaid',
      fields: [{ key: 'account', value: 'shop' }],
      accepted_currencies: ['USD'],
      accepted_countries: ['US'],
    })
    expect(response.statusCode, response.body).toBe(201)
    return response.json().id
  }

  const create = (body: object) => service.send('POST /payment-methods', body)
  const pay = (id: string) => order(service, { country: 'US', payment_method: { method: 'id', id } })

  test('a token of Plaid is stored, pays at the first service, and is shown nowhere', async () => {
    const response = await create({ ...PLAID, external_identifier: 'plaid-1' })

    expect(response.statusCode, response.body).toBe(201)
    const method = response.json()
    expect(method).toMatchObject({
      method: 'plaid',
      mode: 'bank',
      status: 'succeeded',
      label: null,
      currency: null,
      scheme: null,
      external_identifier: 'plaid-1',
    })
    expect(response.body).not.toContain(PLAID.token)
    const paid = await pay(method.id)
    expect(paid.json()).toMatchObject({
      status: 'authorization_succeeded',
      instrument_type: 'plaid',
      payment_service: { id: first },
      payment_method: { id: method.id, method: 'plaid', mode: 'bank' },
    })
    expect(debited).toEqual([{ kind: 'plaid', ...PLAID }])
    expect(await till.audited(method.id)).toEqual(['created by Test key'])
    const opened = await sql`
    select from audit_logs where resource_id = ${method.id} and action = 'revealed'
  `.execute(service.context.db)
    expect(opened.rows).toHaveLength(1)
  })

  test('a token for one service pays there only', async () => {
    const { id } = (
      await create({ method: 'plaid', token: 'public-sandbox-2', payment_service_id: second })
    ).json()

    expect((await pay(id)).json()).toMatchObject({ payment_service: { id: second } })

    await service.send(`PUT /payment-services/${second}`, { active: false })
    const failed = (await pay(id)).json()
    await service.send(`PUT /payment-services/${second}`, { active: true })
    expect(failed).toMatchObject({ status: 'authorization_failed', error_code: 'all_attempts_skipped' })
  })

  test('is deleted with its token', async () => {
    const { id } = (await create(PLAID)).json()

    expect((await service.send(`DELETE /payment-methods/${id}`)).statusCode).toBe(204)

    expect(pointers(await pay(id))).toEqual([['/payment_method/id', 'value_error.not_found']])
    expect(await till.told(id)).toEqual(['payment-method.deleted'])
  })

  test.each([
    ['no token', { token: undefined }, '/token', 'value_error.missing'],
    ['an empty token', { token: '' }, '/token', 'value_error.any_str.min_length'],
    ['a token that is no text', { token: { a: 1 } }, '/token', 'type_error.string'],
    ['a field of a bank account', { routing_number: '021000021' }, '/routing_number', 'value_error.extra'],
    [
      'a service that does not exist',
      { payment_service_id: MISSING },
      '/payment_service_id',
      'value_error.not_found',
    ],
    ['a service that is no id', { payment_service_id: 'x' }, '/payment_service_id', 'type_error.uuid'],
  ])('refuses %s, and stores nothing', async (_what, over, pointer, type) => {
    const count = () => sql`select count(*) from payment_methods`.execute(service.context.db)
    const before = (await count()).rows

    const response = await create({ ...PLAID, ...over })

    expect(response.statusCode, response.body).toBe(400)
    expect(pointers(response)).toEqual([[pointer, type]])
    expect((await count()).rows).toEqual(before)
  })

  test('refuses a service that takes cards', async () => {
    const { id } = await till.addService({})

    const response = await create({ ...PLAID, payment_service_id: id })

    expect(pointers(response)).toEqual([['/payment_service_id', 'value_error.conflict']])
  })
})
