import { afterAll, beforeAll, expect, test } from 'vitest'
import { LOCALES } from '#domain/locale.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { WORDS } from '#words/words.ts'

/** An app without an address to return to. */
const NOWHERE = 'data:application/json;base64,e30='

let service: TestService
let buyer: string
beforeAll(async () => {
  service = await startTestService()
  await service.send('POST /payment-services', {
    display_name: 'Wallet',
    payment_service_definition_id: 'mock-paypal',
    fields: [{ key: 'merchant_id', value: '<b>shop' }],
    accepted_currencies: ['EUR'],
    accepted_countries: ['DE'],
    payment_method_tokenization_enabled: true,
  })
  buyer = (await service.send('POST /buyers', {})).json().id
})
afterAll(() => service.close())

const METHOD = { method: 'paypal', country: 'DE', currency: 'EUR' }

async function payment(): Promise<string> {
  const redirect_url = 'https://shop.example.com/back'
  const body = {
    amount: 129_900,
    currency: 'EUR',
    country: 'DE',
    payment_method: { ...METHOD, redirect_url },
  }
  const paid = await service.send('POST /transactions', body)
  expect(paid.statusCode, paid.body).toBe(201)
  return new URL(paid.json().payment_method.approval_url).pathname
}

async function storing(): Promise<string> {
  const body = { ...METHOD, buyer_id: buyer, redirect_url: NOWHERE }
  const stored = await service.send('POST /payment-methods', body)
  expect(stored.statusCode, stored.body).toBe(201)
  return new URL(stored.json().approval_url).pathname
}

const look = (url: string, language = 'en') =>
  service.app.inject({ method: 'GET', url, headers: { 'accept-language': language } })
const decide = (url: string, decision: string) =>
  service.app.inject({
    method: 'POST',
    url,
    payload: `decision=${decision}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

test.each(LOCALES)('the page of the wallet, and the one after it, speak %s', async (locale) => {
  const path = await storing()

  const paying = await look(await payment(), locale)
  const asked = await look(path, locale)
  const returned = await decide(path, 'approve')
  const { pathname } = new URL(String(returned.headers['location']))
  const done = await look(pathname, locale)

  expect(paying.body).toContain(`<html lang="${locale}"`)
  expect(paying.body).toContain(WORDS[locale].approval.yes)
  expect(paying.body).toContain(WORDS[locale].simulatedWallet.simulated)
  expect(asked.body).toContain(`<h1>${WORDS[locale].simulatedWallet.store}</h1>`)
  expect(done.body).toContain(`<h1>${WORDS[locale].stored.stored}</h1>`)
})

test('a method that the buyer refuses is not stored', async () => {
  const returned = await decide(await storing(), 'refuse')

  const done = await look(new URL(String(returned.headers['location'])).pathname)

  expect(done.body).toContain('<h1>Not stored</h1>')
})

test('the page shows the merchant as text, runs no script and loads nothing', async () => {
  const { body, headers } = await look(await payment())

  expect(body).toContain('<bdi>&lt;b&gt;shop</bdi>')
  expect(body).toContain('€1,299.00')
  expect(body).not.toMatch(/<script|onclick|style=|src=|href=/i)
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/)
})

test.each(['/simulator/approvals/x/y', '/payment-method-approvals/default/x/y'])(
  'a link that does not work gets a page in the language of the browser: %s',
  async (path) => {
    const page = await look(path, 'de-AT')

    expect(page.statusCode).toBe(404)
    expect(page.body).toContain(`<h1>${WORDS.de.approval.unknown}</h1>`)
  },
)

test('a decision that is none is asked for again', async () => {
  const again = await decide(await payment(), 'perhaps')

  expect(again.statusCode).toBe(400)
  expect(again.body).toContain('<button name="decision" value="approve">')
})
