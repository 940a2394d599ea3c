import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { readWhole } from '#processing/provider.ts'
import { MISSING, pointers } from '#testing/answers.ts'
import { stopCommitting } from '#testing/commits.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { holdProcessorLine, type ProcessorLine } from '#testing/processor-line.ts'
import { CARD, openTill, type Till } from '#testing/till.ts'
import { returnUrlOf } from './request-token.ts'

const DAY_MS = 24 * 3_600_000

let service: TestService
let till: Till
let line: ProcessorLine
let tokenizer: string
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  line = holdProcessorLine(service)
  await service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })
  tokenizer = await addService({ payment_method_tokenization_enabled: true })
})
afterEach(() => {
  vi.restoreAllMocks()
  line.repair()
})
afterAll(() => service.close())

const redirect_url = 'https://shop.example.com/stored'

async function addService(over: object = {}, options = {}): Promise<string> {
  const body = {
    display_name: 'Tokens',
    payment_service_definition_id: 'mock-card',
    fields: [{ key: 'merchant_id', value: 'shop' }],
    accepted_currencies: ['USD'],
    accepted_countries: ['US'],
    ...over,
  }
  const response = await service.send('POST /payment-services', body, options)
  expect(response.statusCode, response.body).toBe(201)
  return response.json().id
}

async function store(over: object = {}, options = {}): Promise<string> {
  const response = await service.send('POST /payment-methods', { ...CARD, ...over }, options)
  expect(response.statusCode, response.body).toBe(201)
  return response.json().id
}

const pathOf = (methodId: string) => `/payment-methods/${methodId}/payment-service-tokens`
const ask = (methodId: string, over: object = {}, options = {}) =>
  service.send(`POST ${pathOf(methodId)}`, { payment_service_id: tokenizer, redirect_url, ...over }, options)
const list = async (methodId: string, query = '') =>
  (await service.send(`GET ${pathOf(methodId)}${query}`)).json().items
const pay = (id: string, payment_service_id = tokenizer) =>
  till.pay({ payment_service_id, payment_method: { method: 'id', id } })

/** What the processor has in its books about an attempt, or about a token: the operation and its status. */
async function books(query: string): Promise<string[]> {
  const response = await service.providers.fetch(`https://processor.simulator.invalid/books?${query}`)
  const { entries } = (await (await readWhole(response)).json()) as {
    entries: { operation: string; status: string }[]
  }
  return entries
    .map(({ operation, status }) => `${operation} ${status}`)
    .toSorted((a, b) => a.localeCompare(b))
}

/** The processor refuses a deletion, and no other service could do it instead. */
const REFUSAL = {
  operation: 'forgetToken',
  status: 'refused',
  reference: 'refused-deletion',
  amount: 0,
  response_code: '400001',
  avs: null,
  cvv: null,
  advice_code: null,
  scheme_transaction_id: null,
  code: '400001',
  description: 'internal_error',
  do_not_retry: false,
}

/** Everything that was asked about a token. The books know it by its id. */
const booksOf = (tokenId: string) => books(`transaction_id=${tokenId}`)

async function sealedTokens(methodId: string): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*) from vault.items where field like 'provider-token of %' and token in (
      select vault_token from payment_service_tokens where payment_method_id = ${methodId})
  `.execute(service.context.db)
  return Number(rows[0]?.count)
}

describe('asking for a token', () => {
  test('stores the card at the service, and shows the token', async () => {
    const id = await store()

    const response = await ask(id, { security_code: '737' })

    expect(response.statusCode, response.body).toBe(201)
    expect(response.json()).toEqual({
      type: 'payment-service-token',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      payment_method_id: id,
      payment_service_id: tokenizer,
      status: 'succeeded',
      approval_url: null,
      token: expect.stringMatching(/^tok_/),
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect(await list(id)).toEqual([response.json()])
    expect(await list(id, `?payment_service_id=${tokenizer}`)).toEqual([response.json()])
    expect(await list(id, `?payment_service_id=${MISSING}`)).toEqual([])
    expect(await booksOf(response.json().id)).toEqual(['tokenize approved'])
    expect(await till.audited(response.json().id)).toEqual(['created by Test key'])
  })

  test('is answered again under its key, and the stored answer hides the token', async () => {
    const id = await store()
    const headers = { 'idempotency-key': crypto.randomUUID() }

    const first = await ask(id, {}, { headers })
    const again = await ask(id, {}, { headers })

    expect(again.body).toBe(first.body)
    const { rows } = await sql<{
      row: string
    }>`select idempotency_keys::text as row from idempotency_keys`.execute(service.context.db)
    expect(rows.filter(({ row }) => row.includes(first.json().token))).toEqual([])
  })

  test('is refused a second time, with the id of the first', async () => {
    const id = await store()
    const first = (await ask(id)).json()

    const second = await ask(id)

    expect(second.statusCode).toBe(409)
    expect(second.json()).toMatchObject({ resource_id: first.id })
    expect(pointers(second)).toEqual([['/payment_service_id', 'value_error.duplicate']])
    expect(await list(id)).toHaveLength(1)
  })

  test('of many requests at once, one is made', async () => {
    const id = await store()

    const responses = await Promise.all([ask(id), ask(id), ask(id)])

    expect(responses.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 409, 409])
  })
})

describe('is refused', () => {
  const refused = async (over: object, expected: string[][]) => {
    const id = await store()
    const response = await ask(id, over)
    expect(response.statusCode, response.body).toBe(400)
    expect(pointers(response)).toEqual(expected)
    expect(await list(id)).toEqual([])
  }
  const service_ = '/payment_service_id'

  test('without a service or an address to return to', () =>
    refused({ payment_service_id: undefined, redirect_url: undefined }, [
      ['/payment_service_id', 'value_error.missing'],
      ['/redirect_url', 'value_error.missing'],
    ]))

  test('with an address that runs code', () =>
    refused({ redirect_url: 'javascript:alert(1)' }, [['/redirect_url', 'value_error.url']]))

  test('with a code that does not fit the card', () =>
    refused({ security_code: '1234' }, [['/security_code', 'value_error.str.regex']]))

  test('at a service that does not exist, or is another account’s', async () => {
    await refused({ payment_service_id: MISSING }, [[service_, 'value_error.not_found']])
    const other = await addService({ payment_method_tokenization_enabled: true }, { account: 'other' })
    await refused({ payment_service_id: other }, [[service_, 'value_error.not_found']])
  })

  test('at a service that is not set up for it, is off, takes another method, or cannot', async () => {
    const plain = await addService()
    await refused({ payment_service_id: plain }, [[service_, 'value_error.conflict']])
    const off = await addService({ payment_method_tokenization_enabled: true, active: false })
    await refused({ payment_service_id: off }, [[service_, 'value_error.conflict']])
    const wallet = await addService({ payment_service_definition_id: 'mock-paypal' })
    await refused({ payment_service_id: wallet }, [[service_, 'value_error.conflict']])
    const unable = await addService({
      payment_service_definition_id: 'test-card',
      fields: [
        { key: 'merchant_id', value: 'x' },
        { key: 'api_key', value: 'right-key' },
      ],
    })
    await refused({ payment_service_id: unable }, [[service_, 'value_error.conflict']])
  })

  test('for a method that does not exist, was deleted, or is another account’s', async () => {
    const id = await store()
    await service.send(`DELETE /payment-methods/${id}`)
    const foreign = await store({}, { account: 'other' })

    for (const missing of [MISSING, id, foreign]) {
      expect((await ask(missing)).statusCode).toBe(404)
      expect((await service.send(`GET ${pathOf(missing)}`)).statusCode).toBe(404)
      expect((await service.send(`DELETE ${pathOf(missing)}/${MISSING}`)).statusCode).toBe(404)
    }
  })
})

describe('a payment with the stored card', () => {
  test('presents the token at its service, and the number elsewhere', async () => {
    const id = await store()
    await ask(id)
    const elsewhere = await addService()

    const there = await pay(id)
    const here = await pay(id, elsewhere)

    expect(there).toMatchObject({ status: 'authorization_succeeded', instrument_type: 'card_token' })
    expect(here).toMatchObject({ status: 'authorization_succeeded', instrument_type: 'pan' })
    const last4 = async (transactionId: string) => {
      const url = `https://processor.simulator.invalid/books?transaction_id=${transactionId}`
      const { entries } = (await (await readWhole(await service.providers.fetch(url))).json()) as {
        entries: { last4: string }[]
      }
      return entries[0]?.last4
    }
    expect(await last4(there.id)).toBeNull()
    expect(await last4(here.id)).toBe('1111')
  })

  test('presents the number if the token is deleted while the payment begins', async () => {
    const id = await store()
    const token = (await ask(id)).json()
    await sql`delete from vault.items using payment_service_tokens as token
      where token.id = ${token.id} and vault.items.token = vault_token`.execute(service.context.db)

    const paid = await pay(id)

    expect(paid).toMatchObject({ status: 'authorization_succeeded', instrument_type: 'pan' })
  })

  test('presents the number if the provider no longer knows the token', async () => {
    const id = await store()
    const token = (await ask(id)).json()
    // The merchant has deleted it in the provider's own dashboard.
    await service.providers.fetch('https://processor.simulator.invalid/forgotten-tokens', {
      method: 'POST',
      headers: { 'x-merchant-id': 'shop' },
      body: JSON.stringify({ attempt_id: crypto.randomUUID(), token: token.token }),
    })

    const paid = await pay(id)

    expect(paid).toMatchObject({ status: 'authorization_succeeded', instrument_type: 'pan' })
  })
})

describe('deleting', () => {
  test('a token: payments use the number at once, and the provider deletes its own', async () => {
    const id = await store()
    const token = (await ask(id)).json()

    const response = await service.send(`DELETE ${pathOf(id)}/${token.id}`)

    expect(response.statusCode).toBe(204)
    expect(await list(id)).toEqual([])
    expect(await pay(id)).toMatchObject({ instrument_type: 'pan' })
    expect((await service.send(`DELETE ${pathOf(id)}/${token.id}`)).statusCode).toBe(404)
    expect(await sealedTokens(id)).toBe(1)
    await service.resolveDue()
    expect(await booksOf(token.id)).toEqual(['forgetToken approved', 'tokenize approved'])
    expect(await sealedTokens(id)).toBe(0)
    expect((await ask(id)).statusCode).toBe(201)
    expect(await till.audited(token.id)).toEqual(['created by Test key', 'deleted by Test key'])
  })

  test('a token of another payment method is not found', async () => {
    const [one, other] = [await store(), await store()]
    const token = (await ask(one)).json()

    expect((await service.send(`DELETE ${pathOf(other)}/${token.id}`)).statusCode).toBe(404)
    expect(await list(one)).toHaveLength(1)
  })

  test('the payment method deletes its tokens, too', async () => {
    const id = await store()
    const token = (await ask(id)).json()

    await service.send(`DELETE /payment-methods/${id}`)
    await service.resolveDue()

    expect(await booksOf(token.id)).toEqual(['forgetToken approved', 'tokenize approved'])
    expect(await sealedTokens(id)).toBe(0)
  })

  test('is asked for again if the request never arrived', async () => {
    const id = await store()
    const token = (await ask(id)).json()
    await service.send(`DELETE ${pathOf(id)}/${token.id}`)
    line.intercept((go, url) => (url.endsWith('forgotten-tokens') ? Promise.reject(new TypeError()) : go()))
    await service.resolveDue()
    line.repair()

    service.moveClock(61_000)
    await service.resolveDue()

    expect(await booksOf(token.id)).toEqual(['forgetToken approved', 'tokenize approved'])
    expect(await sealedTokens(id)).toBe(0)
  })

  test('is asked for daily while the provider refuses, and our copy stays until it is done', async () => {
    const id = await store()
    const token = (await ask(id)).json()
    await service.send(`DELETE ${pathOf(id)}/${token.id}`)
    const refuse = async () => Response.json(REFUSAL)
    line.intercept((go, url) => (url.endsWith('forgotten-tokens') ? refuse() : go()))
    await service.resolveDue()
    line.repair()
    expect(await booksOf(token.id)).toEqual(['tokenize approved'])
    expect(await sealedTokens(id)).toBe(1)

    service.moveClock(DAY_MS)
    await service.resolveDue()
    service.moveClock(-DAY_MS)

    expect(await booksOf(token.id)).toEqual(['forgetToken approved', 'tokenize approved'])
    expect(await sealedTokens(id)).toBe(0)
  })
})

describe('when the provider’s answer does not reach us', () => {
  /** The provider does what it is asked, but its answer is lost. */
  const loseAnswers = () =>
    line.intercept(async (go, url) => {
      await go()
      if (url.endsWith('/tokens')) throw new TypeError('fetch failed')
      return go()
    })

  test('the token is processing until the job has asked again', async () => {
    const id = await store()
    loseAnswers()
    const token = (await ask(id)).json()
    line.repair()
    expect(token).toMatchObject({ status: 'processing', token: null })
    expect(await pay(id)).toMatchObject({ instrument_type: 'pan' })

    service.moveClock(61_000)
    await service.resolveDue()

    expect(await list(id)).toMatchObject([{ status: 'succeeded', token: expect.stringMatching(/^tok_/) }])
    expect(await booksOf(token.id)).toEqual(['tokenize approved'])
    expect(await till.audited(token.id)).toEqual(['created by Test key', 'updated by test'])
  })

  test('a token that was deleted meanwhile is deleted at the provider, too', async () => {
    const id = await store()
    loseAnswers()
    const token = (await ask(id)).json()
    line.repair()
    expect((await service.send(`DELETE ${pathOf(id)}/${token.id}`)).statusCode).toBe(204)

    service.moveClock(61_000)
    await service.resolveDue()
    await service.resolveDue()

    expect(await list(id)).toEqual([])
    expect(await booksOf(token.id)).toEqual(['forgetToken approved', 'tokenize approved'])
    expect(await sealedTokens(id)).toBe(0)
  })

  test('a request that never arrived fails, and can be made again', async () => {
    const id = await store()
    line.intercept((go, url) => (url.endsWith('/tokens') ? Promise.reject(new TypeError()) : go()))
    const token = (await ask(id)).json()
    line.repair()
    expect(token).toMatchObject({ status: 'processing' })

    service.moveClock(61_000)
    await service.resolveDue()

    expect(await list(id)).toMatchObject([{ id: token.id, status: 'failed', token: null }])
    expect((await ask(id)).json()).toMatchObject({ status: 'succeeded' })
  })

  test('because our process died, a retry finds the token instead of making a second one', async () => {
    const id = await store()
    const headers = { 'idempotency-key': crypto.randomUUID() }
    line.intercept(async (go, url) => {
      const response = await go()
      if (url.endsWith('/tokens')) stopCommitting(service)
      return response
    })
    expect((await ask(id, {}, { headers })).statusCode).toBe(500)
    vi.restoreAllMocks()
    line.repair()

    service.moveClock(61_000)
    const again = await ask(id, {}, { headers })

    expect(again.statusCode, again.body).toBe(201)
    expect(again.json()).toMatchObject({ status: 'succeeded', token: expect.stringMatching(/^tok_/) })
    expect(await list(id)).toEqual([again.json()])
    expect(await booksOf(again.json().id)).toEqual(['tokenize approved'])
  })
})

test('a new number from the account updater ends the tokens of the old one', async () => {
  await service.send('PUT /merchant-accounts/default', { account_updater_enabled: true })
  const id = await store({ number: '4111111100011116', expiration_date: '12/40' })
  const token = (await ask(id)).json()
  await service.send('POST /account-updater/jobs', { payment_method_ids: [id] })
  await service.resolveDue()
  expect(await list(id)).toHaveLength(1)

  const declined = await till.pay({
    amount: 200001,
    payment_service_id: tokenizer,
    payment_method: { method: 'id', id },
  })
  await service.resolveDue()

  expect(declined).toMatchObject({ error_code: 'canceled_payment_method' })
  expect(await list(id)).toEqual([])
  expect(await booksOf(token.id)).toEqual(['forgetToken approved', 'tokenize approved'])
})

describe('the page to which the provider sends the buyer', () => {
  const many = async (url: string, remoteAddress: string) => {
    const answers = await Promise.all(
      Array.from({ length: 51 }, () => service.app.inject({ method: 'GET', url, remoteAddress })),
    )
    return answers.map(({ statusCode }) => statusCode).toSorted()
  }

  test('refuses too many visits, and too many guesses of one sender', async () => {
    const { id } = (await ask(await store())).json()
    const { pathname } = new URL(returnUrlOf(service.engine, { merchant_account_id: 'default', id }))

    const visits = await many(pathname, '192.0.2.1')
    const guesses = await many(`${pathname.slice(0, -43)}${'x'.repeat(43)}`, '192.0.2.2')

    expect(visits).toEqual([...Array(50).fill(303), 429])
    expect(guesses).toEqual([...Array(50).fill(404), 429])
  })
})
