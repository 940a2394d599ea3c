import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expireApprovals } from '#payments/acts/expire.ts'
import { TAKERS } from '#resources/payment-services/notifications/takers.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTill, type Till } from '#testing/till.ts'
import { WORDS } from '#words/words.ts'
import { simulatedNotificationJob } from '../../deliver-notifications.ts'

const SHOP = 'https://shop.example.com/back'
const MINUTE_MS = 60_000

let service: TestService
let till: Till
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  for (const { method, currency, country } of [...ROWS, DEBIT]) {
    const made = await service.send('POST /payment-services', {
      display_name: method,
      payment_service_definition_id: `mock-${method}`,
      fields: [{ key: 'merchant_id', value: 'shop' }],
      accepted_currencies: [currency],
      accepted_countries: [country],
    })
    expect(made.statusCode, made.body).toBe(201)
  }
})
afterAll(() => service.close())

const ROWS = [
  {
    method: 'pix',
    currency: 'BRL',
    country: 'BR',
    shown: 'aria-label="QR code"',
    minutes: 60,
    isRefunded: true,
  },
  {
    method: 'boleto',
    currency: 'BRL',
    country: 'BR',
    shown: '<output id="number"',
    minutes: 24 * 60,
    isRefunded: false,
  },
  {
    method: 'mbway',
    currency: 'EUR',
    country: 'PT',
    shown: 'Approve in your app',
    minutes: 5,
    isRefunded: true,
  },
  {
    method: 'blik',
    currency: 'PLN',
    country: 'PL',
    shown: 'Approve in your app',
    minutes: 2,
    isRefunded: true,
    fields: { blik_code: '777123' },
  },
] as const

test.each([
  [undefined, 201, 'invalid_request_parameters'],
  [{ blik_code: '77712' }, 400, undefined],
  [{ blik_code: '777123', pin: '1' }, 400, undefined],
  [{ payto_account: 'x' }, 400, undefined],
])('what the buyer enters is checked: %j', async (fields, status, code) => {
  const payment_method = { method: 'blik', currency: 'PLN', country: 'PL', redirect_url: SHOP, fields }
  const request = { amount: 1299, currency: 'PLN', country: 'PL', intent: 'capture', payment_method }
  const answer = await service.send('POST /transactions', request)

  expect(answer.statusCode, answer.body).toBe(status)
  expect(answer.json().error_code).toBe(code)
  expect(answer.body).not.toContain('77712')
})

test('what the buyer has entered is in no table', async () => {
  const code = '918273'
  const payment_method = {
    method: 'blik',
    currency: 'PLN',
    country: 'PL',
    redirect_url: SHOP,
    fields: { blik_code: code },
  }
  await till.pay({ amount: 1299, currency: 'PLN', country: 'PL', intent: 'capture', payment_method })
  const { rows } = await service.database.pool.query<{ found: string }>(
    `select table_schema || '.' || table_name as found from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  )
  const holding: string[] = []
  for (const { found } of rows) {
    const { rowCount } = await service.database.pool.query(
      `select from ${found} t where t::text like $1 limit 1`,
      [`%${code}%`],
    )
    if (rowCount) holding.push(found)
  }

  expect(holding).toEqual([])
})

const DEBIT = { method: 'sepa', currency: 'EUR', country: 'DE' } as const
const DAY_MS = 24 * 60 * MINUTE_MS

describe('sepa', () => {
  const { method, currency, country } = DEBIT
  const order = async (amount = 1299) => {
    const payment_method = { method, currency, country, redirect_url: SHOP }
    const payment = await till.pay({ amount, currency, country, intent: 'capture', payment_method })
    return { id: payment.id as string, page: new URL(payment.payment_method.approval_url).pathname }
  }
  const decide = async (url: string, decision: string) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const init = { method: 'POST', url, payload: `decision=${decision}`, headers } as const
    const decided = await service.app.inject(init)
    return service.app.inject({ url: new URL(String(decided.headers['location'])).pathname })
  }
  const daysLater = async (days: number) => {
    service.moveClock(days * DAY_MS)
    await expireApprovals(service.context, service.engine)
    await service.resolveDue()
    await simulatedNotificationJob(TAKERS).run(service, new AbortController().signal)
  }

  test('shows the mandate, and is paid three days after the buyer has permitted it', async () => {
    const { id, page } = await order()
    const { body } = await service.app.inject({ url: page, headers: { 'accept-language': 'de' } })
    await decide(page, 'approve')
    const permitted = await till.get(id)
    await daysLater(1)
    const later = await till.get(id)
    await daysLater(3)
    const paid = await till.get(id)
    const refund = await till.act(id, 'refunds', { amount: 300 })

    expect(body).toContain(WORDS.de.simulatedWallet.mandate)
    expect(permitted).toMatchObject({ status: 'processing', captured_amount: 0 })
    expect(later).toMatchObject({ status: 'processing' })
    expect(paid).toMatchObject({ status: 'capture_succeeded', captured_amount: 1299 })
    expect(refund.statusCode, refund.body).toBe(201)
  })

  test('is refused by the bank days later', async () => {
    const { id, page } = await order(200_011)
    await decide(page, 'approve')
    const permitted = await till.get(id)
    await daysLater(4)

    expect(permitted.status).toBe('processing')
    expect(await till.get(id)).toMatchObject({
      status: 'authorization_declined',
      error_code: 'insufficient_funds',
    })
  })

  test('that was paid is sent back later, and the capture has failed', async () => {
    const { id, page } = await order(620_002)
    await decide(page, 'approve')
    await daysLater(4)
    const paid = await till.get(id)
    await daysLater(4)

    expect(paid).toMatchObject({ status: 'capture_succeeded', captured_amount: 620_002 })
    expect(await till.get(id)).toMatchObject({ captured_amount: 0 })
    expect(await till.told(id)).toContain('transaction.capture-failed')
  })

  test('that was paid is charged back later', async () => {
    const { id, page } = await order(610_001)
    await decide(page, 'approve')
    await daysLater(4)
    await daysLater(2)

    expect(await till.get(id)).toMatchObject({ disputed: true, captured_amount: 610_001 })
  })

  test('is refused by the buyer, or cancelled before the bank has it', async () => {
    const refused = await order()
    await decide(refused.page, 'refuse')
    const cancelled = await order()
    await decide(cancelled.page, 'approve')
    const answer = await till.act(cancelled.id, 'cancel', undefined)
    await daysLater(4)

    expect(await till.get(refused.id)).toMatchObject({ error_code: 'cancelled_buyer_approval' })
    expect(answer.statusCode, answer.body).toBe(200)
    expect(await till.get(cancelled.id)).toMatchObject({ status: 'authorization_failed', captured_amount: 0 })
  })
})

describe.each(ROWS)('$method', ({ method, currency, country, shown, minutes, isRefunded, ...row }) => {
  const order = async () => {
    const asked = 'fields' in row ? { fields: row.fields } : {}
    const payment_method = { method, currency, country, redirect_url: SHOP, ...asked }
    const payment = await till.pay({ currency, country, intent: 'capture', payment_method })
    const page = new URL(payment.payment_method.approval_url).pathname
    const { body } = await service.app.inject({ url: page })
    // Our page leads to the simulator's, where the buyer decides.
    const [, simulated = ''] = /href="([^"]+\/simulator\/approvals\/[^"]+)"/.exec(body) ?? []
    return {
      id: payment.id as string,
      status: payment.status,
      page,
      body,
      simulated: new URL(simulated).pathname,
    }
  }
  const decide = (url: string, decision: string) =>
    service.app.inject({
      method: 'POST',
      url,
      payload: `decision=${decision}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  const pathOf = (location: unknown) => new URL(String(location)).pathname

  test('is shown, approved, paid, and refunded if it can be', async () => {
    const { id, status, page, body, simulated } = await order()

    const decided = await decide(simulated, 'approve')
    const back = await service.app.inject({ url: pathOf(decided.headers['location']) })
    const again = await service.app.inject({ url: page })
    const refund = await till.act(id, 'refunds', { amount: 300 })

    expect(status).toBe('buyer_approval_pending')
    expect(body).toContain(shown)
    expect(String(back.headers['location'])).toContain(SHOP)
    expect(String(again.headers['location'])).toContain(SHOP)
    expect(refund.statusCode, refund.body).toBe(isRefunded ? 201 : 400)
    expect(await till.get(id)).toMatchObject({
      status: 'capture_succeeded',
      refunded_amount: isRefunded ? 300 : 0,
    })
  })

  test('is refused by the buyer', async () => {
    const { id, simulated } = await order()

    const decided = await decide(simulated, 'refuse')
    await service.app.inject({ url: pathOf(decided.headers['location']) })

    expect(await till.get(id)).toMatchObject({
      status: 'authorization_failed',
      error_code: 'cancelled_buyer_approval',
    })
  })

  test('is waited for as long as the provider says, and cannot be paid after that', async () => {
    const { id, page, body, simulated } = await order()
    service.moveClock((minutes - 1) * MINUTE_MS)
    await expireApprovals(service.context, service.engine)
    const late = (await service.app.inject({ url: page })).body
    service.moveClock(2 * MINUTE_MS)
    await expireApprovals(service.context, service.engine)
    await service.resolveDue()

    const decided = await decide(simulated, 'approve')

    expect(late).toBe(body)
    expect(decided.statusCode).toBe(303)
    expect(await till.get(id)).toMatchObject({
      status: 'authorization_failed',
      error_code: 'incomplete_buyer_approval',
      captured_amount: 0,
    })
  })

  test('that was approved without a way back is found, also when its time is over', async () => {
    const { id, simulated } = await order()
    await decide(simulated, 'approve')
    service.moveClock((minutes + 1) * MINUTE_MS)

    await expireApprovals(service.context, service.engine)
    await service.resolveDue()

    expect(await till.get(id)).toMatchObject({ status: 'capture_succeeded' })
  })
})
