import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTill, type Till } from '#testing/till.ts'

const BACK = 'https://shop.example.com/back'
const CARD = { method: 'card', number: '4111111111102011', expiration_date: '12/40', security_code: '123' }

let service: TestService
let till: Till
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  await service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })
})
afterAll(() => service.close())

const challenge = async (redirect_url = BACK, body: object = {}) => {
  const payment = await till.pay({ payment_method: { ...CARD, redirect_url }, ...body })
  expect(payment.status).toBe('buyer_approval_pending')
  return { id: payment.id as string, path: new URL(payment.payment_method.approval_url).pathname }
}
const open = (path: string) => service.app.inject({ method: 'GET', url: path })
const decide = (path: string, payload: string, contentType = 'application/x-www-form-urlencoded') =>
  service.app.inject({ method: 'POST', url: path, payload, headers: { 'content-type': contentType } })

describe('the page', () => {
  test('shows what is paid and with which card, and two ways to decide', async () => {
    const { path } = await challenge(BACK, { amount: 129_900 })

    const page = await open(path)

    expect(page.statusCode).toBe(200)
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.body).toMatch(/^<!doctype html><html lang="en">/)
    expect(page.body).toContain('$1,299.00')
    expect(page.body).toContain('Visa •••• 2011')
    expect(page.body).toContain('<form method="post">')
    expect(page.body).toContain('<button name="decision" value="approve">')
    expect(page.body).toContain('<button name="decision" value="refuse">')
    expect(page.body).not.toContain(CARD.number)
  })

  test('runs no script, loads nothing, and is never cached', async () => {
    const { path } = await challenge()

    const { headers, body } = await open(path)

    const style = /<style>(.*?)<\/style>/s.exec(body)?.[1] ?? ''
    const hash = createHash('sha256').update(style).digest('base64')
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'self' https:`,
    )
    expect(body).not.toMatch(/<script|onclick|style=|src=|href=/i)
    expect(style).toContain('prefers-color-scheme: dark')
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
    })
  })

  test.each([
    ['JPY', 1299, '¥1,299'],
    ['KWD', 1299, '1.299'],
    ['EUR', 1299, '€12.99'],
    ...'AFN ALL COP HUF IDR IRR KPW LAK LBP MGA MMK PKR SOS SYP YER'
      .split(' ')
      .map((currency): [string, number, string] => [currency, 129_900, '1,299.00<']),
    ['IQD', 1_299_000, '1,299.000<'],
  ])('shows amounts with the minor units of %s', async (currency, amount, text) => {
    const { path } = await challenge(BACK, { currency, amount })

    expect((await open(path)).body).toContain(text)
  })

  test('can be opened several times without deciding anything', async () => {
    const { id, path } = await challenge()

    const pages = [await open(path), await open(path)]

    expect(pages.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect((await till.get(id)).status).toBe('buyer_approval_pending')
  })

  test.each([
    ['a wrong key', (path: string) => `${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`],
    ['a shorter key', (path: string) => path.slice(0, -1)],
    [
      'another payment',
      (path: string) => path.replace(/\/[0-9a-f-]{36}\//, '/01900000-0000-7000-8000-0000000000ff/'),
    ],
    ['another merchant account', (path: string) => path.replace('/default/', '/other/')],
    ['an id that is none', (path: string) => path.replace(/\/[0-9a-f-]{36}\//, '/nothing/')],
  ])('is not there for %s', async (_what, change) => {
    const { id, path } = await challenge()

    const answers = [await open(change(path)), await decide(change(path), 'decision=approve')]

    for (const answer of answers) {
      expect(answer.statusCode).toBe(404)
      expect(answer.headers['content-type']).toContain('text/html')
      expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
      expect(answer.headers['content-security-policy']).toContain("form-action 'none'")
      expect(answer.body).toContain('This link does not work')
    }
    expect((await till.get(id)).status).toBe('buyer_approval_pending')
  })

  test('says so when the link was cut short', async () => {
    const { path } = await challenge()

    const answer = await open(path.slice(0, path.lastIndexOf('/')))

    expect(answer.statusCode).toBe(404)
    expect(answer.body).toContain('This link does not work')
  })

  test('is not found for a payment that needs no approval', async () => {
    const { path, id } = await challenge()
    const paid = await till.pay()

    const answer = await open(path.replace(id, paid.id))

    expect(answer.statusCode).toBe(404)
  })
})

describe('deciding', () => {
  test.each([
    ['nothing', ''],
    ['something else', 'decision=perhaps'],
    ['both', 'decision=approve,refuse'],
    ['a list', 'decision[]=approve'],
  ])('%s shows the page again', async (_what, payload) => {
    const { id, path } = await challenge()

    const page = await decide(path, payload)

    expect(page.statusCode).toBe(400)
    expect(page.body).toContain('value="approve"')
    expect((await till.get(id)).status).toBe('buyer_approval_pending')
  })

  test('without a body shows the page again', async () => {
    const { path } = await challenge()

    expect((await service.app.inject({ method: 'POST', url: path })).statusCode).toBe(400)
  })

  test('with a long body is refused', async () => {
    const { id, path } = await challenge()

    const answer = await decide(path, `decision=approve&more=${'x'.repeat(1024 * 1024)}`)

    expect(answer.statusCode).toBe(400)
    expect(answer.headers['content-type']).toContain('text/html')
    expect((await till.get(id)).status).toBe('buyer_approval_pending')
  })
})

describe('too many visits', () => {
  const many = async (url: string, remoteAddress: string) => {
    const answers = await Promise.all(
      Array.from({ length: 51 }, () => service.app.inject({ method: 'GET', url, remoteAddress })),
    )
    return answers.filter(({ statusCode }) => statusCode === 429)
  }

  test('of the page that asks the provider are refused', async () => {
    const { path } = await challenge()

    const refused = await many(`${path}/return`, '192.0.2.1')

    expect(refused).toHaveLength(1)
    expect(refused[0]?.body).toContain('Too many attempts')
    expect(refused[0]?.headers['retry-after']).toBeDefined()
  })

  test('with a wrong key are refused to their sender, and to no one else', async () => {
    const { path } = await challenge()

    expect(await many(`${path.slice(0, -43)}${'x'.repeat(43)}/return`, '192.0.2.2')).toHaveLength(1)
    expect((await open(`${path}x`)).statusCode).toBe(404)
    const right = await service.app.inject({ method: 'GET', url: path, remoteAddress: '192.0.2.2' })
    expect(right.statusCode).toBe(200)
  })
})

describe('the return URL', () => {
  test.each([
    ['approve', 'authorization_succeeded'],
    ['refuse', 'authorization_failed'],
  ])('to %s leads to the shop with the payment and its status', async (decision, status) => {
    const { id, path } = await challenge()

    const answer = await decide(path, `decision=${decision}`)

    expect(answer.statusCode).toBe(303)
    expect(answer.headers.location).toBe(
      `${BACK}?transaction_id=${id}&transaction_status=${status}&gr4vy_transaction_id=${id}&gr4vy_transaction_status=${status}`,
    )
  })

  test('keeps its own parameters, and has none twice', async () => {
    const { id, path } = await challenge(
      'https://shop.example.com/back?order=4711&transaction_id=forged&x=%C3%BC#end',
    )

    const { location } = (await decide(path, 'decision=approve')).headers

    const url = new URL(String(location))
    expect(url.hash).toBe('#end')
    expect([...url.searchParams]).toEqual([
      ['order', '4711'],
      ['transaction_id', id],
      ['x', 'ü'],
      ['transaction_status', 'authorization_succeeded'],
      ['gr4vy_transaction_id', id],
      ['gr4vy_transaction_status', 'authorization_succeeded'],
    ])
  })

  test('is the same when the page is opened after the decision', async () => {
    const { path } = await challenge()
    const decided = await decide(path, 'decision=refuse')

    const opened = await open(path)

    expect([opened.statusCode, opened.headers.location]).toEqual([303, decided.headers.location])
  })

  test.each([
    ['approve', 'Approved'],
    ['refuse', 'Not paid'],
  ])('of an app, which has no address, is a page that says so: %s', async (decision, title) => {
    const { path } = await challenge(`data:application/json;base64,${btoa('{"app":"shop"}')}`)

    const page = await decide(path, `decision=${decision}`)

    expect(page.statusCode).toBe(200)
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    expect(page.body).toContain(`<h1>${title}</h1>`)
    expect(page.body).not.toContain('<form')
    expect((await open(path)).body).toBe(page.body)
  })

  test.each([
    ['myapp://paid', 'myapp://paid?'],
    ['com.example.shop:/paid?order=4711', 'com.example.shop:/paid?order=4711&'],
    ['myapp:paid#end', 'myapp:paid?'],
    ['HTTPS://Shop.example.com', 'https://shop.example.com/?'],
  ])('of an app leads to it by its own scheme: %s', async (redirect_url, start) => {
    const { id, path } = await challenge(redirect_url)

    const asked = await open(path)
    const decided = await decide(path, 'decision=approve')
    const opened = await open(path)

    const rules = String(asked.headers['content-security-policy']).split('; ')
    const schemes = new Set(['https:', URL.parse(redirect_url)?.protocol])
    expect(rules).toContain(`form-action 'self' ${[...schemes].join(' ')}`)
    const { location } = decided.headers
    expect([decided.statusCode, opened.statusCode]).toEqual([303, 303])
    expect(String(location).slice(0, start.length)).toBe(start)
    expect(location).toContain(`transaction_id=${id}&transaction_status=authorization_succeeded`)
    expect(opened.headers.location).toBe(location)
  })

  test('never holds another header or markup', async () => {
    const { path } = await challenge('myapp://paid/"><script>alert(1)</script>\u00fc\u{1f6cd}')

    const { headers, body } = await decide(path, 'decision=approve')

    expect(headers.location).toMatch(/^myapp:\/\/paid\/[\x21-\x7e]+$/)
    expect(body).not.toContain('script')
  })

  test.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'data:text/html,<script>',
    'blob:x',
    'about:blank',
  ])('to what a browser would run or read is refused before anything is paid: %s', async (redirect_url) => {
    const response = await service.send('POST /transactions', {
      amount: 1000,
      currency: 'USD',
      payment_method: { ...CARD, redirect_url },
    })

    expect(response.statusCode, response.body).toBe(400)
    expect(response.json().details).toMatchObject([
      { pointer: '/payment_method/redirect_url', type: 'value_error.url' },
    ])
  })

  test.each(['https://[', 'https://:99999', 'https://%zz', 'https://a:b'])(
    'that no browser could go is refused before anything is paid: %s',
    async (redirect_url) => {
      const response = await service.send('POST /transactions', {
        amount: 1000,
        currency: 'USD',
        payment_method: { ...CARD, redirect_url },
      })

      expect(response.statusCode, response.body).toBe(400)
      expect(response.json().details).toMatchObject([{ pointer: '/payment_method/redirect_url' }])
    },
  )
})

describe('the page speaks', () => {
  const german = { 'accept-language': 'de-DE,de;q=0.9' }

  test('the language of the browser, and names the shop', async () => {
    const { path: url } = await challenge()

    const page = await service.app.inject({ method: 'GET', url, headers: german })
    const arabic = await service.app.inject({ method: 'GET', url, headers: { 'accept-language': 'ar' } })

    expect(page.body).toMatch(/^<!doctype html><html lang="de">/)
    expect(page.body).toContain('<h1>Zahlung freigeben</h1>')
    expect(page.body).toContain('<dt>Shop</dt><dd><bdi>Default')
    expect(arabic.body).toMatch(/^<!doctype html><html lang="ar" dir="rtl">/)
  })

  test('it too when an address leads nowhere', async () => {
    const page = await service.app.inject({ method: 'GET', url: '/approvals/default/x/y', headers: german })

    expect(page.statusCode).toBe(404)
    expect(page.body).toContain('Dieser Link funktioniert nicht')
  })
})
