import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { browse, problemsInBothSchemes } from '#testing/browse.ts'
import { hasBrowser, launchBrowser } from '#testing/browser.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { authenticated, issuer } from '#testing/test-three-ds-connector.ts'
import { CARD, openTill } from '#testing/till.ts'

/** The service's own address in tests. */
const HOST = '127.0.0.1:3000'
const ISSUER = 'http://issuer.example.com'
const BACK = 'https://shop.example.com/back'

/** The issuer's pages: the one in the hidden frame tells, the other one has a button that leads back. */
const pages = { told: '', back: '' }
const bank = createServer(({ url }, response) => {
  const device = pages.told && `<script>parent.postMessage(${pages.told}, '*')</script>`
  const challenge = `<form method="post" action="${pages.back}"><button name="answer" value="yes">It is me</button></form>`
  response.setHeader('content-type', 'text/html').end(url === '/device' ? device : challenge)
})

describe.skipIf(!hasBrowser)('the pages of a real 3-D Secure server', () => {
  let service: TestService
  let browser: Browser
  let serviceId = ''
  beforeAll(async () => {
    service = await startTestService()
    const made = await service.send('POST /three-ds-services', {
      display_name: '3-D Secure',
      three_ds_service_definition_id: 'test-three-ds',
      fields: [{ key: 'account', value: 'challenge' }],
    })
    serviceId = made.json().id
    const { host } = new URL(await service.app.listen({ port: 0, host: '127.0.0.1' }))
    await new Promise<void>((resolve) => bank.listen(0, '127.0.0.1', resolve))
    const { port } = bank.address() as AddressInfo
    browser = await launchBrowser({ [HOST]: host, 'issuer.example.com:80': `127.0.0.1:${port}` })
    issuer.url = ISSUER
  })
  afterAll(async () => {
    issuer.url = 'https://issuer.example.com'
    await browser?.close()
    bank.close()
    await service?.close()
  })
  beforeEach(() => {
    authenticated.length = 0
  })

  const answering = (value: string) =>
    service.send(`PUT /three-ds-services/${serviceId}`, { fields: [{ key: 'account', value }] })

  async function ask() {
    const payment = await openTill(service).pay({ payment_method: { ...CARD, redirect_url: BACK } })
    return { id: payment.id as string, url: payment.payment_method.approval_url as string }
  }

  const leaving = (page: Page) => page.waitForRequest((request) => request.url().startsWith(BACK))

  test('lead through device and challenge back to the shop', async () => {
    const { id, url } = await ask()

    await browse(browser, {}, async (page) => {
      Object.assign(pages, { told: "JSON.stringify({ SessionId: '0_7' })", back: `${url}/return` })
      await page.goto(url)
      const left = leaving(page)
      await page.frameLocator('iframe[name=issuer]').getByText('It is me').click()
      expect((await left).url()).toContain('transaction_status=authorization_succeeded')
    })

    expect(authenticated).toMatchObject([
      {
        transactionId: id,
        prepared: { told: '{"SessionId":"0_7"}' },
        browser: { javascriptEnabled: true, screenWidth: expect.any(Number), language: expect.any(String) },
      },
    ])
  })

  test('take objects, too, and go to the shop at once if the issuer asks for nothing', async () => {
    await answering('frictionless')
    const { url } = await ask()

    await browse(browser, {}, async (page) => {
      pages.told = '{ done: true }'
      const left = leaving(page)
      await page.goto(url, { waitUntil: 'commit' })
      await left
    })

    expect(authenticated[0]?.prepared?.told).toBe('{"done":true}')
  })

  test('wait no longer than ten seconds for the device', async () => {
    await answering('frictionless')
    const { url } = await ask()

    await browse(browser, {}, async (page) => {
      pages.told = ''
      await page.clock.install()
      await page.goto(url)
      await page.clock.runFor(9_000)
      expect(authenticated).toEqual([])
      const left = leaving(page)
      await page.clock.runFor(1_500)
      await left
    })

    expect(authenticated[0]?.prepared?.told).toBeNull()
  })

  test('can be used by everyone, also without scripts', async () => {
    const { url } = await ask()

    for (const locale of ['en', 'ar']) {
      await browse(browser, { locale, viewport: { width: 320, height: 700 } }, async (page) => {
        await page.goto(url)
        expect(await problemsInBothSchemes(page), locale).toEqual([])
      })
    }
    await browse(browser, { javaScriptEnabled: false }, async (page) => {
      await page.goto(url)
      expect(await page.getByRole('button').textContent()).toBe('Continue')
    })
  })
})
