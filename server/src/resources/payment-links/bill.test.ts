import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { concludePayment } from '#payments/conclude/conclude.ts'
import { inTransaction } from '#platform/database/db.ts'
import * as history from '#processing/attempts/history.ts'
import { disagreements } from '#testing/books.ts'
import { stopCommitting } from '#testing/commits.ts'
import { giftCardWith } from '#testing/gift-cards.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { holdProcessorLine, type ProcessorLine } from '#testing/processor-line.ts'
import { openTill, type Till } from '#testing/till.ts'
import { expireDueLinks } from './routes.ts'

const CARD = '4111111111111111'
const CHALLENGED = '4111111111102011'
const TYPED = { number: CARD, expiration_date: '12/40', security_code: '737' }

let service: TestService
let till: Till
let line: ProcessorLine
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  line = holdProcessorLine(service)
  await service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })
})
afterEach(() => {
  vi.restoreAllMocks()
  line.repair()
})
afterAll(() => service.close())

const make = async (body: object = {}) => {
  const order = { amount: 2598, currency: 'USD', country: 'US', ...body }
  const response = await service.send('POST /payment-links', order)
  expect(response.statusCode, response.body).toBe(201)
  const { id, url } = response.json()
  return { id: id as string, path: new URL(url).pathname }
}
const open = async (path: string, query = '') => {
  const response = await service.app.inject({ method: 'GET', url: `${path}/state${query}` })
  return response.json()
}
const submit = async (path: string, typed: Record<string, unknown> = {}) => {
  // A wrong address tells nothing.
  const due = await open(path).catch(() => ({ amount: 2598, currency: 'USD' }))
  const { tries = 0, attempt = newSecret(), amount = due.amount, currency = due.currency, ...card } = typed
  const payment_method = { method: 'card', ...TYPED, ...card }
  return service.app.inject({
    method: 'POST',
    url: `${path}/payments`,
    payload: { tries, attempt, amount, currency, payment_method },
  })
}
let secrets = 0
const newSecret = () => {
  secrets += 1
  return `secret-of-a-browser-${secrets}`
}
const statusOf = async (id: string) => (await service.send(`GET /payment-links/${id}`)).json().status
const paymentsOf = async (id: string) =>
  (await service.send(`GET /transactions?payment_link_id=${id}`)).json().items
const inMs = (ms: number) => new Date(service.context.clock().getTime() + ms).toISOString()
describe('paying', () => {
  test('takes nothing that is stored, of its own buyer or of another: a link may be passed on', async () => {
    const buyer = (await service.send('POST /buyers', { display_name: 'Grace' })).json()
    const { number, expiration_date } = TYPED
    const stored = { method: 'card', number, expiration_date, buyer_id: buyer.id }
    const card = (await service.send('POST /payment-methods', stored)).json()
    const gift = (
      await service.send('POST /gift-cards', { ...giftCardWith(5_000), buyer_id: buyer.id })
    ).json()
    const links = [await make(), await make({ buyer_id: buyer.id })]
    const send = (path: string, form: object) =>
      service.app.inject({
        method: 'POST',
        url: `${path}/payments`,
        payload: { tries: 0, attempt: newSecret(), amount: 2598, currency: 'USD', ...form },
      })

    for (const { id, path } of links) {
      const byCard = await send(path, {
        payment_method: { method: 'id', id: card.id, security_code: '737' },
      })
      const byGiftCard = await send(path, { gift_cards: [{ id: gift.id, amount: 2598 }] })

      expect(byCard.json().details[0].pointer).toBe('/payment_method/id')
      expect(byGiftCard.json().details[0].pointer).toBe('/gift_cards/0/id')
      expect([byCard.statusCode, byGiftCard.statusCode]).toEqual([400, 400])
      expect(await paymentsOf(id)).toEqual([])
      expect(await statusOf(id)).toBe('active')
    }
  })

  test('takes no form that shows another amount or currency', async () => {
    const { id, path } = await make()

    for (const shown of [{ amount: 2597 }, { currency: 'EUR' }]) {
      const refused = await submit(path, shown)
      expect(refused.statusCode).toBe(409)
      expect(refused.json()).toMatchObject({ status: 'open', tries: 0, amount: 2598, currency: 'USD' })
    }
    expect(await paymentsOf(id)).toEqual([])
  })

  test('makes a transaction of the link’s order, and completes the link', async () => {
    const buyer = (await service.send('POST /buyers', { display_name: 'Ada' })).json()
    const { id, path } = await make({
      intent: 'capture',
      external_identifier: 'order-4711',
      buyer_id: buyer.id,
      metadata: { order: '4711', shelf: { row: 3 } },
      cart_items: [{ name: 'Bag', quantity: 2, unit_amount: 1299 }],
      statement_descriptor: { name: 'FASHION STORE' },
      store: true,
    })

    const answer = await submit(path)

    expect(answer.statusCode, answer.body).toBe(200)
    expect(answer.json()).toMatchObject({ status: 'paid', tries: 1, own: { outcome: 'succeeded' } })
    const [paid] = await paymentsOf(id)
    const whole = await till.get(paid.id)
    expect(whole).toMatchObject({
      amount: 2598,
      currency: 'USD',
      country: 'US',
      intent: 'capture',
      status: 'capture_succeeded',
      external_identifier: 'order-4711',
      metadata: { order: '4711', shelf: '{"row":3}' },
      statement_descriptor: { name: 'FASHION STORE' },
    })
    expect(whole.buyer.id).toBe(buyer.id)
    expect(whole.cart_items).toHaveLength(1)
    expect(whole.payment_method.id).not.toBeNull()
    expect(await statusOf(id)).toBe('completed')
    expect(await till.told(id)).toEqual([
      'payment-link.created',
      'payment-link.updated',
      'payment-link.updated',
    ])
    expect(await open(path)).toMatchObject({ status: 'paid', tries: 1, own: null })
  })

  test('records from where the buyer paid, and tells the link in the events of the transaction', async () => {
    const { id, path } = await make()

    await submit(path)

    const [{ id: transaction }] = await paymentsOf(id)
    const events = (await service.send(`GET /events?target_id=${transaction}`)).json().items
    expect(events[0].target.payment_link_id).toBe(id)
    const found = await service.send('GET /transactions?ip_address=127.0.0.1')
    expect(found.json().items.map((one: { id: string }) => one.id)).toContain(transaction)
  })

  test('takes the buyer back to the shop, and only the buyer who paid', async () => {
    const { path } = await make({ return_url: 'https://shop.example.com/thanks?order=1' })

    const { own } = (await submit(path)).json()

    expect(own.return_url).toMatch(/^https:[/][/]shop[.]example[.]com[/]thanks[?]order=1&transaction_id=/)
    expect(own.return_url).toContain(`transaction_id=${own.id}&transaction_status=authorization_succeeded`)
    expect((await open(path)).own).toBeNull()
    expect((await open(path, `?transaction_id=${own.id}`)).own).toEqual(own)
  })

  test('shows why a payment was refused, and lets the buyer try again', async () => {
    const { id, path } = await make({ amount: 200_011 })

    const answer = await submit(path)

    expect(await statusOf(id)).toBe('active')
    expect(answer.json()).toMatchObject({ status: 'open', tries: 1, own: { reason: 'no_funds' } })
    expect((await submit(path, { tries: 1 })).statusCode).toBe(200)
    expect(await paymentsOf(id)).toHaveLength(2)
    expect(await statusOf(id)).toBe('active')
  })

  test('is refused before the provider is asked if the card has a 3-D Secure refusal', async () => {
    const { id, path } = await make()

    const answer = await submit(path, { number: '4111111111104017' })

    expect(answer.json().own).toMatchObject({ outcome: 'failed', reason: 'not_approved' })
    expect(await statusOf(id)).toBe('active')
    expect(await till.told(id)).toEqual(['payment-link.created'])
  })
})

describe('wrong input', () => {
  test.each([
    ['a wrong check digit', { number: '4111111111111112' }, 'number'],
    ['no number', { number: '' }, 'number'],
    ['letters for a number', { number: '<script>alert(1)' }, 'number'],
    ['a thirteenth month', { expiration_date: '13/40' }, 'expiration_date'],
    ['a past date', { expiration_date: '01/20' }, 'expiration_date'],
    ['a code that is too short', { security_code: '12' }, 'security_code'],
    ['a code of another scheme', { security_code: '1234' }, 'security_code'],
    ['no code', { security_code: null }, 'security_code'],
    ['a field of the shop', { buyer_id: '01900000-0000-7000-8000-0000000000ff' }, 'buyer_id'],
    ['another page to return to', { redirect_url: 'https://evil.example' }, 'redirect_url'],
    ['a method that pages have not', { method: 'checkout-session' }, 'method'],
  ])('is told by its field: %s', async (_what, typed, field) => {
    const { id, path } = await make()

    const { statusCode, body, ...answer } = await submit(path, typed)

    expect(statusCode).toBe(400)
    expect(answer.json().details).toContainEqual(
      expect.objectContaining({ pointer: `/payment_method/${field}` }),
    )
    expect(body).not.toContain(CARD)
    expect(body).not.toContain('alert(1)')
    expect(await statusOf(id)).toBe('active')
    expect(await paymentsOf(id)).toEqual([])
  })

  test.each([
    ['a wrong key', (path: string) => `${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`],
    ['a shorter key', (path: string) => path.slice(0, -1)],
    ['no key', (path: string) => path.slice(0, path.lastIndexOf('/'))],
    ['another link', (path: string) => path.replace(/[0-9a-f-]{36}/, '01900000-0000-7000-8000-0000000000ff')],
    ['another merchant account', (path: string) => path.replace('/default/', '/other/')],
    ['an id that is none', (path: string) => path.replace(/[0-9a-f-]{36}/, 'nothing')],
  ])('%s leads nowhere', async (_what, change) => {
    const { id, path } = await make()

    const answer = await submit(change(path))

    // Without its key, the address is that of a page, which takes nothing.
    expect([404, 405]).toContain(answer.statusCode)
    expect(await statusOf(id)).toBe('active')
  })

  test('too many attempts on one link are refused', async () => {
    const { path } = await make()

    const answers = await Promise.all(Array.from({ length: 51 }, () => submit(path, { number: '' })))

    const refused = answers.filter(({ statusCode }) => statusCode === 429)
    expect(refused).toHaveLength(1)
    expect(refused[0]?.headers['retry-after']).toBeDefined()
  })
})

describe('one payment for each link', () => {
  test('of several buyers at once one pays, and the others are told', async () => {
    const { id, path } = await make()

    const answers = await Promise.all(Array.from({ length: 6 }, () => submit(path)))

    const codes = answers.map(({ statusCode }) => statusCode).toSorted()
    expect(codes).toEqual([200, 409, 409, 409, 409, 409])
    for (const { statusCode, body } of answers) {
      if (statusCode === 409) expect(JSON.parse(body).own).toBeNull()
    }
    expect(await statusOf(id)).toBe('completed')
    expect(await paymentsOf(id)).toHaveLength(1)
    expect(await disagreements(service.database.pool)).toEqual([])
  })

  test('a form that is sent again after a refusal does not pay again', async () => {
    const { id, path } = await make({ amount: 200_011 })
    await submit(path)

    const again = await submit(path)

    expect(again.statusCode).toBe(409)
    expect(again.json()).toMatchObject({ status: 'open', tries: 1, own: null })
    expect(await paymentsOf(id)).toHaveLength(1)
  })

  test('a paid link cannot be paid or expired', async () => {
    const { id, path } = await make()
    await submit(path)

    const [again, expire] = [
      await submit(path, { tries: 1 }),
      await service.send(`POST /payment-links/${id}/expire`),
    ]

    expect(again.statusCode).toBe(409)
    expect(again.json()).toMatchObject({ status: 'paid', tries: 1, own: null })
    expect(expire.statusCode).toBe(400)
    expect(expire.json().message).toBe('The payment link cannot be expired: it is paid.')
    expect(await paymentsOf(id)).toHaveLength(1)
  })

  test.each([
    [
      'a payment that does not hold its link',
      (id: string) => sql`
      insert into transactions (merchant_account_id, id, intent, amount, currency, payment_source, merchant_initiated,
        is_subsequent_payment, payment_link_id, status, updated_at)
      values ('default', gen_random_uuid(), 'authorize', 1, 'USD', 'ecommerce', false, false, ${id}, 'processing', now())`,
    ],
    [
      'a link that gives up its payment',
      (id: string) => sql`
      update payment_links set status = 'active', transaction_id = null, due_at = expires_at where id = ${id}`,
    ],
    [
      'a link with another payment',
      (id: string) => sql`
      update payment_links set transaction_id = gen_random_uuid() where id = ${id}`,
    ],
  ])('the database refuses %s', async (_what, write) => {
    const { id, path } = await make()
    await submit(path)

    await expect(write(id).execute(service.context.db)).rejects.toThrow(/payment link/)
  })
})

describe('a payment that takes time', () => {
  test('with 3-D Secure goes to the issuer, and back to a paid link', async () => {
    const { id, path } = await make()

    const answer = await submit(path, { number: CHALLENGED })

    const approval = answer.json().own.approval_url
    expect(await statusOf(id)).toBe('processing')
    expect(await open(path)).toMatchObject({ status: 'processing', tries: 1, own: null })
    const decided = await service.app.inject({
      method: 'POST',
      url: new URL(approval).pathname,
      payload: 'decision=approve',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    const back = new URL(String(decided.headers['location']))
    expect(back.pathname).toBe(path)
    expect(await open(path, back.search)).toMatchObject({ status: 'paid', own: { outcome: 'succeeded' } })
    expect(await statusOf(id)).toBe('completed')
  })

  test('with 3-D Secure that the buyer refuses frees the link, and another card pays', async () => {
    const { id, path } = await make()
    const answer = await submit(path, { number: CHALLENGED })
    const approval = answer.json().own.approval_url

    const decided = await service.app.inject({
      method: 'POST',
      url: new URL(approval).pathname,
      payload: 'decision=refuse',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })

    const { search } = new URL(String(decided.headers['location']))
    expect(await open(path, search)).toMatchObject({ status: 'open', own: { reason: 'not_approved' } })
    expect(await statusOf(id)).toBe('active')
    expect((await submit(path, { tries: 1 })).statusCode).toBe(200)
    expect(await statusOf(id)).toBe('completed')
  })

  test('keeps the link while its outcome is unknown, and cannot be expired', async () => {
    const fault = { on: 'authorize', kind: 'lose-answer' }
    const { id, path } = await make({ connection_options: { 'mock-card': { fault } } })

    const answer = await submit(path)

    expect(answer.json()).toMatchObject({ status: 'processing', own: { outcome: 'pending' } })
    expect(await statusOf(id)).toBe('processing')
    expect((await submit(path, { tries: 1 })).statusCode).toBe(409)
    const expire = await service.send(`POST /payment-links/${id}/expire`)
    expect(expire.statusCode).toBe(400)
    service.moveClock(120_000)
    await service.resolveDue()
    expect(await statusOf(id)).toBe('completed')
    expect(await paymentsOf(id)).toHaveLength(1)
  })

  test('goes on when the link expires meanwhile', async () => {
    const fault = { on: 'authorize', kind: 'lose-answer' }
    const options = { connection_options: { 'mock-card': { fault } } }
    const { id, path } = await make({ ...options, expires_at: inMs(60_000) })
    await submit(path)
    service.moveClock(120_000)

    await expireDueLinks(service.context)

    expect(await statusOf(id)).toBe('processing')
    await service.resolveDue()
    expect(await statusOf(id)).toBe('completed')
  })

  test('and fails after the link’s time leaves it expired', async () => {
    const fault = { on: 'authorize', kind: 'unreachable' }
    const options = { connection_options: { 'mock-card': { fault } } }
    const { id, path } = await make({ ...options, expires_at: inMs(60_000) })
    await submit(path)
    service.moveClock(120_000)

    await service.resolveDue()

    expect(await statusOf(id)).toBe('expired')
  })

  test('is finished by a job if its process dies, and the link with it', async () => {
    const { id, path } = await make()
    line.intercept(async (go) => {
      const response = await go()
      stopCommitting(service)
      return response
    })

    await submit(path)
    vi.restoreAllMocks()
    line.repair()

    expect(await statusOf(id)).toBe('processing')
    expect((await submit(path, { tries: 1 })).statusCode).toBe(409)
    service.moveClock(120_000)
    await service.resolveDue()
    expect(await statusOf(id)).toBe('completed')
    expect(await disagreements(service.database.pool)).toEqual([])
  })

  test('that the provider captures after it had refused it is refunded: the link is paid once', async () => {
    const { id, path } = await make({ intent: 'capture' })
    line.intercept(async (go, url) => {
      if (!url.endsWith('/authorizations') && !url.includes('/attempts/')) return go()
      await go()
      // As if it had never arrived.
      return Response.json({ error: 'attempt_closed' }, { status: 404 })
    })
    await submit(path)
    service.moveClock(120_000)
    await service.resolveDue()
    line.repair()
    const [first] = await paymentsOf(id)
    await submit(path, { tries: 1 })
    const [second] = await paymentsOf(id)

    // The buyer was told that the first one failed, and has paid again.
    const { rows } = await sql<{ reference: string }>`
      select reference from simulator.entries where transaction_id = ${first.id}
    `.execute(service.context.db)
    const scope = { ...service.context, merchantAccountId: 'default' }
    const attempt = await history.lastOf(scope, first.id, 'authorize')
    if (!attempt) throw new Error('nothing was asked')
    const answer = { outcome: 'approved', reference: rows[0]?.reference ?? '', facts: {} } as const
    await inTransaction(scope, (tx) => concludePayment(tx, service.engine, { attempt, answer }))
    await service.resolveDue()

    expect(await statusOf(id)).toBe('completed')
    expect(await till.books(first.id)).toMatchObject({ captured: 2598, refunded: 2598 })
    expect(await till.books(second.id)).toMatchObject({ captured: 2598, refunded: 0 })
    expect((await till.get(first.id)).status).toBe('authorization_failed')
  })

  test('leaves the link free if its process dies before it is recorded', async () => {
    const { id, path } = await make()
    vi.spyOn(service.database.db, 'startTransaction').mockImplementation(() => {
      throw new Error('the process is dead')
    })

    const answer = await submit(path)
    vi.restoreAllMocks()

    expect(answer.statusCode).toBe(500)
    expect(await statusOf(id)).toBe('active')
    expect((await submit(path)).statusCode).toBe(200)
  })
})

describe('a link that is over', () => {
  test('is refused while the buyer types, and nothing is charged', async () => {
    const { id, path } = await make({ expires_at: inMs(60_000) })
    const before = await open(path)
    service.moveClock(60_001)

    const answer = await submit(path)

    expect(before.status).toBe('open')
    expect(answer.statusCode).toBe(409)
    expect(answer.json()).toMatchObject({ status: 'expired', tries: 0, own: null })
    expect(await paymentsOf(id)).toEqual([])
  })

  test('is refused at the last moment, too: when the payment is recorded', async () => {
    const { id, path } = await make({ expires_at: inMs(60_000) })
    const find = service.vault.fingerprint.bind(service.vault)
    vi.spyOn(service.vault, 'fingerprint').mockImplementation((...given) => {
      service.moveClock(60_001)
      return find(...given)
    })

    const answer = await submit(path)

    expect(answer.statusCode).toBe(409)
    expect(await paymentsOf(id)).toEqual([])
  })

  test('that the merchant expired says so', async () => {
    const { id, path } = await make()
    await service.send(`POST /payment-links/${id}/expire`)

    expect((await open(path)).status).toBe('expired')
  })
})

describe('a payment that the merchant corrects', () => {
  const correct = (id: string, status: string) => service.send(`PUT /transactions/${id}`, { status })

  test('to failed frees its link', async () => {
    const { id, path } = await make()
    await submit(path)
    const [paid] = await paymentsOf(id)

    const answer = await correct(paid.id, 'authorization_failed')

    expect(answer.statusCode, answer.body).toBe(200)
    expect(await statusOf(id)).toBe('active')
    expect((await submit(path, { tries: 1 })).statusCode).toBe(200)
  })

  test('to paid completes its link, so that no other buyer pays', async () => {
    const { id, path } = await make({ amount: 200_011 })
    await submit(path)
    const [declined] = await paymentsOf(id)

    const answer = await service.send(`PUT /transactions/${declined.id}`, {
      status: 'authorization_succeeded',
      authorized_amount: 200_011,
    })

    expect(answer.statusCode, answer.body).toBe(200)
    expect(await statusOf(id)).toBe('completed')
    expect((await submit(path, { tries: 1 })).statusCode).toBe(409)
  })

  test('does not take a link that another payment has paid', async () => {
    const { id, path } = await make()
    await submit(path, { number: '4111111111104017' })
    await submit(path, { tries: 1 })
    const [paid, failed] = await paymentsOf(id)

    const answer = await correct(failed.id, 'authorization_succeeded')

    expect(answer.statusCode, answer.body).toBe(200)
    const stored = await sql<{ transaction_id: string }>`
      select transaction_id from payment_links where id = ${id}`.execute(service.context.db)
    expect(stored.rows[0]?.transaction_id).toBe(paid.id)
  })
})

test('the page has the icon and may show the banner of the shop, from their own servers', async () => {
  const { path } = await make({
    merchant_favicon_url: 'https://icons.example.com/i.png?a=1&b="><script>alert(1)</script>',
    merchant_banner_url: 'https://cdn.example.com/banner.png',
  })

  const { body, headers } = await service.app.inject({ method: 'GET', url: path })

  expect(body).toContain(
    '<link rel="icon" href="https://icons.example.com/i.png?a=1&amp;b=%22%3E%3Cscript%3Ealert(1)%3C/script%3E" /></head>',
  )
  expect(headers['content-security-policy']).toContain(
    "img-src 'self' https://cdn.example.com https://icons.example.com;",
  )
})
