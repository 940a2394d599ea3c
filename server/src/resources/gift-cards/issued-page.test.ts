import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'

const ACCOUNT = 'own-cards'
const PUBLIC_URL = 'http://127.0.0.1:3000'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
  await service.send('POST /merchant-accounts', { id: ACCOUNT, display_name: ACCOUNT })
  await send('POST /gift-card-services', {
    display_name: 'Our own cards',
    gift_card_service_definition_id: 'switchyard-gift-card',
    fields: [
      { key: 'program', value: 'Shop' },
      { key: 'program_key', value: 'a-key-of-the-merchant' },
    ],
  })
})
afterAll(() => service.close())

const send = (route: string, body?: object) => service.send(route, body, { account: ACCOUNT })

async function issue(money = { amount: 5000, currency: 'EUR' }): Promise<string> {
  const issued = await send('POST /gift-cards/issuances', { theme: 'birthday', ...money })
  expect(issued.statusCode, issued.body).toBe(201)
  expect(issued.json().url).toMatch(new RegExp(`^${PUBLIC_URL}/gift-cards/issued/`))
  return issued.json().url.replace(PUBLIC_URL, '')
}

const look = (method: 'GET' | 'POST', url: string) =>
  service.app.inject({
    method,
    url,
    ...(method === 'POST' && {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: '',
    }),
  })

test('an issued card is shown at its URL, and can be used', async () => {
  const path = await issue()

  const closed = await look('GET', path)
  const opened = await look('POST', path)

  expect(closed.statusCode).toBe(200)
  expect(closed.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
  })
  expect(closed.body).not.toMatch(/\b9000\b/)
  const number = /<dd>(9000[\d ]+)</.exec(opened.body)?.[1]?.replaceAll(' ', '')
  const pin = /<dd>(\d{6})</.exec(opened.body)?.[1]
  const balances = await send('POST /gift-cards/balances', { items: [{ number, pin }] })
  expect(balances.json().items).toMatchObject([{ balance: 5000, currency: 'EUR', bin: number?.slice(0, 6) }])
})

test('another URL shows nothing', async () => {
  const path = await issue()

  const answers = await Promise.all([
    look('POST', `${path}x`),
    look('GET', '/gift-cards/issued/..%2f..%2fattempts/x'),
    look('POST', '/gift-cards/issued/a%2fb/%3fx'),
  ])

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404])
})

test.each([
  ['JPY', 1299, '¥1,299<'],
  ['EUR', 129_900, '€1,299.00<'],
  ...'AFN ALL COP HUF IDR IRR KPW LAK LBP MGA MMK PKR SOS SYP YER'
    .split(' ')
    .map((currency): [string, number, string] => [currency, 129_900, '1,299.00<']),
  ['IQD', 1_299_000, '1,299.000<'],
])('the page shows amounts with the minor units of %s', async (currency, amount, text) => {
  const page = await look('GET', await issue({ currency, amount }))

  expect(page.body).toContain(text)
})
