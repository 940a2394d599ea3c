import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessibilityProblems, browse } from '#testing/browse.ts'
import { hasBrowser, launchBrowser } from '#testing/browser.ts'
import { signToken, startTestService, type TestService } from '#testing/harness.ts'
import { CARD } from '#testing/till.ts'

const MINUTE = 60_000
const HOSTILE = 'Fjord </script><script>alert(1)</script> & Pine'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
  await service.send('POST /merchant-accounts', { id: 'other-shop', display_name: 'Other shop' })
  await service.send('PUT /merchant-accounts/other-shop/theme', { accent_color: '#4338ca' })
})
afterAll(() => service.close())

const ask = (query = '', account = 'other-shop') =>
  service.send(`GET /merchant-accounts/${account}/theme/preview${query}`)
const pathOf = (response: { json: () => { url: string } }) => new URL(response.json().url).pathname
const open = (url: string) => service.app.inject({ method: 'GET', url })
const factsIn = (body: string) =>
  JSON.parse(/<script type="application\/json" id="data">([^<]*)<\/script>/.exec(body)?.[1] ?? 'null')

test('the address shows an example order in the look of the account', async () => {
  const preview = await ask()

  const page = await open(pathOf(preview))

  expect(preview.statusCode, preview.body).toBe(200)
  expect(preview.json()).toMatchObject({
    type: 'merchant-account.theme-preview',
    merchant_account_id: 'other-shop',
  })
  expect(page.statusCode).toBe(200)
  expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'")
  expect(page.headers['cache-control']).toBe('no-store')
  const { look, order } = factsIn(page.body)
  expect(look.accent).toBe('#4338ca')
  expect(order).toMatchObject({ is_preview: true, merchant: { name: 'Other shop' }, saved_cards: [] })
  const lines = order.cart.map(({ total }: { total: string }) => Number(total))
  expect(lines.reduce((sum: number, total: number) => sum + total, 0)).toBe(order.amount)
})

test('it is light or dark if the caller says so', async () => {
  const [auto, dark] = [await ask(), await ask('?color_scheme=dark')]

  expect((await open(pathOf(auto))).body).not.toContain('data-theme')
  expect((await open(pathOf(dark))).body).toContain('<html lang="en" data-theme="dark">')
  const refused = await ask('?color_scheme=sepia')
  expect(refused.statusCode).toBe(400)
  expect(refused.json().details[0].pointer).toBe('/color_scheme')
})

test('it ends after 15 minutes', async () => {
  const preview = await ask()
  const path = pathOf(preview)
  expect(Date.parse(preview.json().expires_at)).toBe(Number(path.split('/')[5]))

  service.moveClock(14 * MINUTE)
  expect((await open(path)).statusCode).toBe(200)
  service.moveClock(2 * MINUTE)

  const page = await open(path)
  expect(page.statusCode).toBe(404)
  expect(factsIn(page.body)).toMatchObject({ order: null, trouble: 'unknown' })
})

test.each([
  ['another account', (path: string) => path.replace('/other-shop/', '/default/')],
  ['another scheme', (path: string) => path.replace('/auto/', '/dark/')],
  ['a later end', (path: string) => path.replace(/\/(\d+)\//, (_all, end) => `/${Number(end) + 1}/`)],
  ['no end', (path: string) => path.replace(/\/\d+\//, '/never/')],
  ['an end that is no time', (path: string) => path.replace(/\/\d+\//, '/999999999999999/')],
  ['a changed key', (path: string) => `${path.slice(0, -2)}${path.at(-2) === 'A' ? 'B' : 'A'}${path.at(-1)}`],
])('an address with %s leads nowhere', async (_what, change) => {
  const path = pathOf(await ask())

  const page = await open(change(path))

  expect(page.statusCode).toBe(404)
  expect(factsIn(page.body).order).toBeNull()
})

test('nothing can be paid at the address, and nothing is told', async () => {
  const path = pathOf(await ask())
  const form = { tries: 0, attempt: 'a-secret-of-this-browser', payment_method: CARD }

  const answers = await Promise.all([
    service.app.inject({ method: 'POST', url: `${path}/payments`, payload: form }),
    service.app.inject({ method: 'POST', url: '/pay/example/payments', payload: form }),
    service.app.inject({ method: 'POST', url: `${path}/gift-cards`, payload: { number: '1', pin: '1' } }),
  ])

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404])
  expect((await service.send('GET /transactions', undefined, { account: '*' })).json().items).toEqual([])
})

test('accounts that the key may not use have no preview', async () => {
  const token = await signToken(await service.addKey({ merchantAccountIds: ['default'] }))

  const refused = await service.send('GET /merchant-accounts/other-shop/theme/preview', undefined, { token })

  expect(refused.statusCode).toBe(404)
})

describe.skipIf(!hasBrowser)('in a browser', () => {
  let browser: Browser
  let origin: string
  beforeAll(async () => {
    await service.send('PUT /merchant-accounts/other-shop', { display_name: HOSTILE })
    origin = await service.app.listen({ port: 0, host: '127.0.0.1' })
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  test.each(['light', 'dark'])(
    'the %s page says that nothing can be paid, and sends no card',
    async (scheme) => {
      const path = pathOf(await ask(`?color_scheme=${scheme}`))
      const colorScheme = scheme === 'dark' ? 'light' : 'dark'

      await browse(browser, { colorScheme }, async (page) => {
        await page.goto(`${origin}${path}`)
        const sent: string[] = []
        page.on('request', (request) => sent.push(`${request.method()} ${request.url()}`))
        await page.getByText('Preview: nothing can be paid here.').waitFor()
        expect(await page.locator('.merchant').textContent()).toContain(HOSTILE)
        expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe(scheme)
        expect(await accessibilityProblems(page)).toEqual([])
        await page.getByLabel('Card number', { exact: true }).pressSequentially(CARD.number)
        await page.getByLabel('Expiry date').pressSequentially('1240')
        await page.getByLabel('Security code').pressSequentially('737')
        await page.locator('button.pay').click()

        await page.getByText('Preview: nothing can be paid here.').waitFor()
        expect(sent.filter((request) => request.startsWith('POST'))).toEqual([])
      })
    },
  )
})
