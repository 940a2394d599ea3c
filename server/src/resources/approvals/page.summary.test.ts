import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Approval } from '#connectors/contract/connector.ts'
import { LOCALES } from '#domain/locale.ts'
import { registryOf } from '#processing/service-accounts/registry.ts'
import { browse, problemsInBothSchemes } from '#testing/browse.ts'
import { hasBrowser, launchBrowser } from '#testing/browser.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTestBank } from '#testing/test-bank.ts'
import { CARD, openTill } from '#testing/till.ts'

/** The service's own address in tests. */
const HOST = '127.0.0.1:3000'
const BANK = 'https://bank.example.com'
const BACK = 'https://shop.example.com/back'
const CHALLENGED = '4111111111102011'
const METHOD = { method: 'bancontact', country: 'BE', currency: 'EUR', redirect_url: BACK }
const APPROVALS: readonly Approval[] = [
  { kind: 'form', url: `${BANK}/start`, fields: { MD: 'session-7', submit: 'yes' } },
  { kind: 'qr', text: 'bank://pay/4711', url: 'bankapp://pay/4711' },
  { kind: 'voucher', number: '0034 1234 5678', url: `${BANK}/voucher/1` },
]
/** The words go on from right to left after this mark unless the text is isolated. */
const HOSTILE = 'Fjord <img src=x onerror=alert(1)> & "Pine" \u202Egnp.exe'

describe.skipIf(!hasBrowser)('the pages on which a buyer approves', () => {
  const bank = openTestBank()
  let service: TestService
  let browser: Browser
  beforeAll(async () => {
    service = await startTestService()
    const { connectors } = service.providers
    Object.assign(service.providers, { connectors: registryOf([...connectors.list, bank.connector]) })
    await service.send('POST /payment-services', {
      display_name: 'Bank',
      payment_service_definition_id: 'test-bancontact',
      fields: [],
      accepted_currencies: ['EUR'],
      accepted_countries: ['BE'],
    })
    await service.send('PUT /merchant-accounts/default', { display_name: HOSTILE })
    await service.send('PUT /merchant-accounts/default/theme', { accent_color: '#4338ca', font: 'serif' })
    const { host } = new URL(await service.app.listen({ port: 0, host: '127.0.0.1' }))
    browser = await launchBrowser({ [HOST]: host })
  })
  afterAll(async () => {
    await browser?.close()
    await service?.close()
  })

  async function ask(approval?: Approval): Promise<string> {
    if (approval) bank.approval = () => approval
    bank.expiresAt = new Date('2040-03-01T12:00:00Z')
    const order = approval
      ? { currency: 'EUR', country: 'BE', payment_method: METHOD }
      : { payment_method: { ...CARD, number: CHALLENGED, redirect_url: BACK } }
    const payment = await openTill(service).pay(order)
    return payment.payment_method.approval_url
  }

  /** The form of the first page sends itself. The bank answers nothing, so the page stays. */
  const show = <Result>(url: string, options: object, work: (page: Page) => Promise<Result>) =>
    browse(browser, options, async (page) => {
      await page.route(`${BANK}/**`, (route) => route.fulfill({ status: 204 }))
      await page.goto(url, { waitUntil: 'commit' })
      await page.locator('main').waitFor()
      return work(page)
    })

  test.each([
    ['of a card', undefined],
    ...APPROVALS.map((approval): [string, Approval] => [`of a ${approval.kind}`, approval]),
  ])('%s can be used by everyone, in both themes and directions', async (_what, approval) => {
    const url = await ask(approval)

    for (const locale of ['en', 'ar']) {
      const viewport = { width: locale === 'en' ? 1280 : 320, height: 800 }
      await show(url, { locale, viewport }, async (page) => {
        expect(await problemsInBothSchemes(page), locale).toEqual([])
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width)
      })
    }
  })

  test.each(APPROVALS)('of a $kind show the name of the shop as text', async (approval) => {
    const url = await ask(approval)

    await show(url, {}, async (page) => {
      const name = page.locator('dd bdi').first()
      expect(await name.textContent()).toBe(HOSTILE)
      expect(await page.locator('main img').count()).toBe(0)
      // What follows the name is read as usual.
      expect(await page.locator('dd bdi').nth(1).textContent()).toBe('€10.00')
    })
  })

  test.each(APPROVALS)('of a $kind speak every language', async (approval) => {
    const url = await ask(approval)
    const titles = new Map<string, string>()

    for (const locale of LOCALES) {
      const headers = { 'accept-language': locale }
      const { body } = await service.app.inject({ method: 'GET', url: new URL(url).pathname, headers })
      expect(body).toMatch(new RegExp(`^<!doctype html><html lang="${locale}"`))
      titles.set(locale, /<h1>(.*?)<\/h1>/.exec(body)?.[1] ?? '')
    }

    // English, Spanish and Portuguese share some titles with a variety of theirs.
    expect(new Set(titles.values()).size).toBeGreaterThanOrEqual(LOCALES.length - 3)
  })

  test('wear the colour and the font of the shop', async () => {
    const url = await ask(APPROVALS[2])

    await show(url, { colorScheme: 'light' }, async (page) => {
      const style = await page.evaluate(`(() => {
        const { backgroundColor, fontFamily } = getComputedStyle(document.getElementById('copy'))
        return [backgroundColor, fontFamily]
      })()`)
      expect(style).toEqual(['rgb(67, 56, 202)', expect.stringContaining('Georgia')])
    })
  })

  test('copy the number of a voucher', async () => {
    const url = await ask(APPROVALS[2])

    await show(url, { permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
      await page.getByText('Copy the number').click()
      await page.getByText('Copied').waitFor()
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe('0034 1234 5678')
    })
  })

  test('leave the QR code for the shop once the buyer has paid', async () => {
    const url = await ask(APPROVALS[1])

    await browse(browser, {}, async (page) => {
      await page.clock.install()
      await page.goto(url)
      await page.clock.runFor(30_000)
      expect(await page.locator('main svg').count()).toBe(1)
      const attemptId = bank.authorized.at(-1)?.attemptId ?? ''
      const { result } = bank.decide(`bank-${attemptId}`, 'approve')
      await service.app.inject({ method: 'GET', url: `${new URL(url).pathname}/return?result=${result}` })

      const leaving = page.waitForRequest((request) => request.url().startsWith(BACK))
      await page.clock.runFor(10_000)

      await leaving
    })
  })
})
