import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { inTransaction } from '#platform/db.ts'
import * as attempts from '#processing/attempts/store.ts'
import { compareLinks } from '#resources/transactions/compare-links.ts'
import { concludePayment } from '#resources/transactions/conclusions/conclude.ts'
import { disagreements } from '#testing/books.ts'
import { stopCommitting } from '#testing/commits.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { holdProcessorLine, type ProcessorLine } from '#testing/processor-line.ts'
import { openTill, type Till } from '#testing/till.ts'
import { expireDueLinks } from '../expire.ts'

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
const open = (url: string, headers: Record<string, string> = {}) =>
  service.app.inject({ method: 'GET', url, headers })
const submit = (url: string, typed: Record<string, string> = {}) =>
  service.app.inject({
    method: 'POST',
    url,
    payload: new URLSearchParams({ ...TYPED, tries: '0', ...typed }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
const statusOf = async (id: string) => (await service.send(`GET /payment-links/${id}`)).json().status
const paymentsOf = async (id: string) =>
  (await service.send(`GET /transactions?payment_link_id=${id}`)).json().items
const inMs = (ms: number) => new Date(service.context.clock().getTime() + ms).toISOString()
/** Where a payment sends the browser: to the page itself. */
const next = (response: { headers: Record<string, unknown> }) => {
  const { pathname, search } = new URL(String(response.headers['location']))
  return pathname + search
}

describe('the form', () => {
  test('shows who asks, what for and how much, and takes a card', async () => {
    const { path } = await make({
      merchant_name: 'Fashion & Store',
      merchant_message: 'Thank you <b>very</b> much',
      merchant_url: 'https://shop.example.com/',
      merchant_terms_and_conditions_url: 'https://shop.example.com/terms',
      cart_items: [
        { name: 'Canvas bag', quantity: 2, unit_amount: 1500 },
        { name: 'Voucher', quantity: 1, unit_amount: 402, product_type: 'discount' },
      ],
    })

    const { statusCode, body } = await open(path)

    expect(statusCode).toBe(200)
    expect(body).toMatch(/^<!doctype html><html lang="en">/)
    expect(body).toContain('Fashion &amp; Store')
    expect(body).toContain('Thank you &lt;b&gt;very&lt;/b&gt; much')
    expect(body).toContain('<h1>$25.98</h1>')
    expect(body).toContain('Canvas bag <span class="count">× 2</span></span><b>$30.00</b>')
    expect(body).toContain('Voucher</span><b>-$4.02</b>')
    expect(body).toContain('href="https://shop.example.com/terms"')
    for (const [name, autocomplete] of [
      ['number', 'cc-number'],
      ['expiration_date', 'cc-exp'],
      ['security_code', 'cc-csc'],
    ]) {
      expect(body).toContain(`<label for="${name}">`)
      expect(body).toMatch(new RegExp(`<input id="${name}" [^>]*autocomplete="${autocomplete}"`))
    }
  })

  test('runs no script, loads nothing but the merchant’s pictures, and cannot be framed', async () => {
    const { path } = await make({ merchant_banner_url: 'https://cdn.example.com/b.png?x="><script>' })

    const { headers, body } = await open(path)

    const style = /<style>(.*?)<\/style>/s.exec(body)?.[1] ?? ''
    const hash = createHash('sha256').update(style).digest('base64')
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; img-src https://cdn.example.com`,
    )
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    })
    expect(body).not.toMatch(/<script|onclick|style="/i)
    expect(body).toContain('<meta name="robots" content="noindex">')
  })

  test('has the merchant’s colour, with text that can be read on it', async () => {
    const [dark, light] = [await make({ merchant_color: '#123' }), await make({ merchant_color: '#FFEE00' })]
    const named = await make({ merchant_color: 'Navy' })

    expect((await open(dark.path)).body).toContain('--accent: #112233; --on-accent: #fff')
    expect((await open(light.path)).body).toContain('--accent: #ffee00; --on-accent: #000')
    expect((await open(named.path)).body).toContain('--accent: #000080; --on-accent: #fff')
  })

  test.each([
    ['en', 'Card number', 'US$', 'USD'],
    ['en-GB', 'Card number', 'US$25.98', 'USD'],
    ['es', 'Número de tarjeta', '25,98', 'EUR'],
    ['pt', 'A sua encomenda', '25,98', 'EUR'],
    ['pt-BR', 'Seu pedido', 'R$', 'BRL'],
  ])('speaks %s', async (locale, text, amount, currency) => {
    const cart_items = [{ name: 'Bag', quantity: 1, unit_amount: 2598 }]
    const { path } = await make({ locale, currency, cart_items })

    const { body } = await open(path, { 'accept-language': 'es' })

    expect(body).toContain(`<html lang="${locale}">`)
    expect(body).toContain(text)
    expect(body).toContain(locale === 'en' ? '$25.98' : amount)
  })

  test.each([
    ['pt-BR,pt;q=0.9', 'pt-BR'],
    ['de-DE, es-MX;q=0.8', 'es'],
    ['fr', 'en'],
  ])('speaks the browser’s language if the link names none: %s', async (asked, locale) => {
    const { path } = await make()

    expect((await open(path, { 'accept-language': asked })).body).toContain(`<html lang="${locale}">`)
  })

  test.each([
    ['JPY', 1299, '¥1,299'],
    ['KWD', 1299, '1.299'],
  ])('shows amounts with the minor units of %s', async (currency, amount, text) => {
    const { path } = await make({ currency, amount })

    expect((await open(path)).body).toContain(text)
  })
})

describe('paying', () => {
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

    const answer = await submit(path, { number: '4111 1111 1111 1111', expiration_date: '12 / 2040' })

    expect(answer.statusCode, answer.body).toBe(303)
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
    const page = await open(next(answer))
    expect(page.body).toContain('<h1>Paid</h1>')
    expect((await open(path)).body).toContain('<h1>Paid</h1>')
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

    const answer = await submit(path)

    const own = (await open(next(answer))).body
    const id = new URL(String(answer.headers['location'])).searchParams.get('transaction_id')
    const back = `https://shop.example.com/thanks?order=1&amp;transaction_id=${id}&amp;transaction_status=authorization_succeeded`
    expect(own).toContain(`<meta http-equiv="refresh" content="5; url=${back}`)
    expect((await open(path)).body).not.toContain('thanks')
  })

  test('shows why a payment was refused, and lets the buyer try again', async () => {
    const { id, path } = await make({ amount: 200_011 })

    const answer = await submit(path)

    expect(await statusOf(id)).toBe('active')
    const page = await open(next(answer))
    expect(page.body).toContain('There is not enough money on this card.')
    expect(page.body).toContain('name="tries" value="1"')
    expect((await submit(path, { tries: '1' })).statusCode).toBe(303)
    expect(await paymentsOf(id)).toHaveLength(2)
    expect(await statusOf(id)).toBe('active')
  })

  test('is refused before the provider is asked if the card has a 3-D Secure refusal', async () => {
    const { id, path } = await make()

    const answer = await submit(path, { number: '4111111111104017' })

    expect((await open(next(answer))).body).toContain('The payment was not approved.')
    expect(await statusOf(id)).toBe('active')
    expect(await till.told(id)).toEqual(['payment-link.created'])
  })
})

describe('wrong input', () => {
  test.each([
    ['a wrong check digit', { number: '4111111111111112' }, 'number', 'typing mistake'],
    ['no number', { number: '' }, 'number', 'typing mistake'],
    ['letters for a number', { number: '<script>alert(1)' }, 'number', 'typing mistake'],
    ['a thirteenth month', { expiration_date: '13/40' }, 'expiration_date', 'Enter month and year'],
    ['a past date', { expiration_date: '01/20' }, 'expiration_date', 'has expired'],
    ['a code that is too short', { security_code: '12' }, 'security_code', 'security code'],
    ['a code of another scheme', { security_code: '1234' }, 'security_code', 'security code'],
  ])('is told beside the field: %s', async (_what, typed, field, text) => {
    const { id, path } = await make()

    const { statusCode, body } = await submit(path, typed)

    expect(statusCode).toBe(400)
    expect(body).toMatch(new RegExp(`<input id="${field}" [^>]*aria-invalid="true"`))
    expect(/<p class="error" id="([^"]+)">([^<]*)/.exec(body)?.slice(1)).toEqual([
      `${field}-error`,
      expect.stringContaining(text),
    ])
    expect(body).not.toContain(CARD)
    expect(body).not.toMatch(/\b737\b/)
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
    const { path } = await make()

    const answer = await open(change(path), { 'accept-language': 'es' })

    expect(answer.statusCode).toBe(404)
    expect(answer.body).toContain('Este enlace no funciona')
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
  })

  test('too many attempts on one link are refused', async () => {
    const { path } = await make()

    const answers = await Promise.all(Array.from({ length: 51 }, () => submit(path, { number: '' })))

    const refused = answers.filter(({ statusCode }) => statusCode === 429)
    expect(refused).toHaveLength(1)
    expect(refused[0]?.body).toContain('Too many attempts')
    expect(refused[0]?.headers['retry-after']).toBeDefined()
  })
})

describe('one payment for each link', () => {
  test('of several buyers at once one pays, and the others are told', async () => {
    const { id, path } = await make()

    const answers = await Promise.all(Array.from({ length: 6 }, () => submit(path)))

    const codes = answers.map(({ statusCode }) => statusCode).toSorted()
    expect(codes).toEqual([303, 409, 409, 409, 409, 409])
    for (const { statusCode, body } of answers) {
      if (statusCode === 409) expect(body).toContain('Nothing was charged for this attempt.')
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
    expect(again.body).toContain('There was another attempt to pay')
    expect(await paymentsOf(id)).toHaveLength(1)
  })

  test('a paid link cannot be paid or expired', async () => {
    const { id, path } = await make()
    await submit(path)

    const [again, expire] = [
      await submit(path, { tries: '1' }),
      await service.send(`POST /payment-links/${id}/expire`),
    ]

    expect(again.statusCode).toBe(409)
    expect(again.body).toContain('<h1>Paid</h1>')
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

    const page = (await open(next(answer))).body
    const [, approval = ''] = /content="0; url=([^"]+)"/.exec(page) ?? []
    expect(await statusOf(id)).toBe('processing')
    expect((await open(path)).body).not.toContain('/approvals/')
    const decided = await service.app.inject({
      method: 'POST',
      url: new URL(approval).pathname,
      payload: 'decision=approve',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(new URL(String(decided.headers['location'])).pathname).toBe(path)
    expect((await open(next(decided))).body).toContain('<h1>Paid</h1>')
    expect(await statusOf(id)).toBe('completed')
  })

  test('with 3-D Secure that the buyer refuses frees the link, and another card pays', async () => {
    const { id, path } = await make()
    const answer = await submit(path, { number: CHALLENGED })
    const [, approval = ''] = /content="0; url=([^"]+)"/.exec((await open(next(answer))).body) ?? []

    const decided = await service.app.inject({
      method: 'POST',
      url: new URL(approval).pathname,
      payload: 'decision=refuse',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })

    expect((await open(next(decided))).body).toContain('The payment was not approved.')
    expect(await statusOf(id)).toBe('active')
    expect((await submit(path, { tries: '1' })).statusCode).toBe(303)
    expect(await statusOf(id)).toBe('completed')
  })

  test('keeps the link while its outcome is unknown, and cannot be expired', async () => {
    const fault = { on: 'authorize', kind: 'lose-answer' }
    const { id, path } = await make({ connection_options: { 'mock-card': { fault } } })

    const answer = await submit(path)

    expect((await open(next(answer))).body).toContain('<meta http-equiv="refresh" content="5">')
    expect(await statusOf(id)).toBe('processing')
    expect((await submit(path, { tries: '1' })).statusCode).toBe(409)
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
    expect((await submit(path, { tries: '1' })).statusCode).toBe(409)
    service.moveClock(120_000)
    await service.resolveDue()
    expect(await statusOf(id)).toBe('completed')
    expect(await disagreements(service.database.pool)).toEqual([])
  })

  test.each([
    ['authorized', 'authorization_succeeded', 'completed', 'payment-link.updated'],
    ['declined', 'authorization_declined', 'active', 'payment-link.updated'],
  ])(
    'that a process of an older version has %s is compared with its link',
    async (_what, status, expected, told) => {
      const { id, path } = await make()
      line.intercept(async (go, url) => {
        await go()
        if (url.endsWith('/authorizations')) throw new TypeError('fetch failed')
        return go()
      })
      await submit(path)
      line.repair()
      const [payment] = await paymentsOf(id)
      await compareLinks(service.context)
      const before = await statusOf(id)
      // It knows no links, so it changes only the payment.
      await sql`update transactions set status = ${status} where id = ${payment.id}`.execute(
        service.context.db,
      )
      await sql`update attempts set state = 'approved', due_at = null where transaction_id = ${payment.id}`.execute(
        service.context.db,
      )

      await compareLinks(service.context)
      await compareLinks(service.context)

      expect(before).toBe('processing')
      expect(await statusOf(id)).toBe(expected)
      expect((await till.told(id)).filter((name) => name === told)).toHaveLength(2)
    },
  )

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
    await submit(path, { tries: '1' })
    const [second] = await paymentsOf(id)

    // The buyer was told that the first one failed, and has paid again.
    const { rows } = await sql<{ reference: string }>`
      select reference from simulator.entries where transaction_id = ${first.id}
    `.execute(service.context.db)
    const scope = { ...service.context, merchantAccountId: 'default' }
    const attempt = await attempts.lastOf(scope, first.id, 'authorize')
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
    expect(answer.body).toContain('It shows whether the payment was made.')
    expect(await statusOf(id)).toBe('active')
    expect((await submit(path)).statusCode).toBe(303)
  })
})

describe('a link that is over', () => {
  test('is refused while the buyer types, and nothing is charged', async () => {
    const { id, path } = await make({ expires_at: inMs(60_000) })
    const form = await open(path)
    service.moveClock(60_001)

    const answer = await submit(path)

    expect(form.body).toContain('<form')
    expect(answer.statusCode).toBe(410)
    expect(answer.body).toContain('This link has expired')
    expect(answer.body).toContain('Nothing was charged for this attempt.')
    expect((await open(path)).statusCode).toBe(410)
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

    expect(answer.statusCode).toBe(410)
    expect(await paymentsOf(id)).toEqual([])
  })

  test('that the merchant expired says so', async () => {
    const { id, path } = await make()
    await service.send(`POST /payment-links/${id}/expire`)

    expect((await open(path)).body).toContain('This link has expired')
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
    expect((await submit(path, { tries: '1' })).statusCode).toBe(303)
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
    expect((await submit(path, { tries: '1' })).statusCode).toBe(409)
  })

  test('does not take a link that another payment has paid', async () => {
    const { id, path } = await make()
    await submit(path, { number: '4111111111104017' })
    await submit(path, { tries: '1' })
    const [paid, failed] = await paymentsOf(id)

    const answer = await correct(failed.id, 'authorization_succeeded')

    expect(answer.statusCode, answer.body).toBe(200)
    const stored = await sql<{ transaction_id: string }>`
      select transaction_id from payment_links where id = ${id}`.execute(service.context.db)
    expect(stored.rows[0]?.transaction_id).toBe(paid.id)
  })
})
