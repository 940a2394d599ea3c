import { afterAll, beforeAll, expect, test } from 'vitest'
import { LOCALES } from '#domain/locale.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { WORDS } from '#words/words.ts'

const DAY_MS = 24 * 60 * 60_000
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

const look = (method: 'GET' | 'POST', url: string, language = 'en') =>
  service.app.inject({
    method,
    url,
    headers: {
      'accept-language': language,
      ...(method === 'POST' && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(method === 'POST' && { payload: '' }),
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
  const number = /<bdi dir="ltr">(9000[\d ]+)</.exec(opened.body)?.[1]?.replaceAll(' ', '')
  const pin = /<bdi dir="ltr">(\d{6})</.exec(opened.body)?.[1]
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
  for (const { body } of answers) expect(body).toContain('This link does not work')
})

test('the page runs no script, can be framed by no other site, and is not indexed', async () => {
  const { headers, body } = await look('GET', await issue())

  expect(body).not.toContain('<script')
  expect(headers['content-security-policy']).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'/,
  )
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'SAMEORIGIN',
    'x-robots-tag': 'noindex',
  })
})

test('the page shows the name of the program as text', async () => {
  await service.send('POST /merchant-accounts', { id: 'evil-cards', display_name: 'Evil' })
  const options = { account: 'evil-cards' }
  const fields = [
    { key: 'program', value: '<i>"Shop" & Co' },
    { key: 'program_key', value: 'a-key-of-another-merchant' },
  ]
  const own = { display_name: 'Cards', gift_card_service_definition_id: 'switchyard-gift-card', fields }
  await service.send('POST /gift-card-services', own, options)
  const order = { theme: 'birthday', amount: 5000, currency: 'EUR' }
  const issued = await service.send('POST /gift-cards/issuances', order, options)

  const page = await look('GET', issued.json().url.replace(PUBLIC_URL, ''))

  expect(page.body).toContain('<bdi>&lt;i&gt;')
})

test.each(LOCALES)('the page speaks %s, also when it is no longer shown', async (locale) => {
  const path = await issue()
  const text = WORDS[locale].giftCard

  const closed = await look('GET', path, locale)
  const opened = await look('POST', path, locale)
  service.moveClock(2 * DAY_MS)
  const gone = await look('GET', path, locale)
  service.moveClock(-2 * DAY_MS)

  expect(closed.body).toContain(`<html lang="${locale}"`)
  expect(closed.body).toContain(text.show)
  expect(opened.body).toContain(text.keep)
  expect(gone.statusCode).toBe(410)
  expect(gone.body).toContain(text.goneText)
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
