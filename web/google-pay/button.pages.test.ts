import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessibilityProblems, browse } from '#testing/browse.ts'
import { hasBrowser } from '#testing/browser.ts'
import { openHostedPage } from '#testing/hosted-page.ts'
import { openWalletPhone, type WalletPhone } from '#testing/wallet-phone.ts'
import { type Cashier, openCashier } from '../testing/cashier.ts'
import { formIn, openFor, SHOP, show, until } from '../testing/drop-in.ts'
import { visitShop } from '../testing/shop.ts'
import { giveGoogleScript, giveWallets, type WalletSheets } from '../testing/wallet-sheets.ts'

const CHECKOUT = 'http://pay.example.com:3000'
/** Browsers trust it without TLS. */
const WALLETS = 'http://wallets.localhost:3000'

let cashier: Cashier
let phone: WalletPhone

describe.skipIf(!hasBrowser)('Google’s own button', () => {
  beforeAll(async () => {
    cashier = await openCashier({ checkoutUrl: CHECKOUT, walletUrl: WALLETS })
    phone = await openWalletPhone(cashier.service)
    await allow({ official_button: true, merchant_id: 'BCR2DN4T' })
  })
  afterAll(() => cashier.close())

  async function allow(extra_configuration: object): Promise<void> {
    const route = `PUT /digital-wallets/${phone.googleKey.walletId}`
    const changed = await cashier.service.send(route, { extra_configuration })
    expect(changed.statusCode, changed.body).toBe(200)
  }
  const frameIn = (page: Page) => page.frameLocator('iframe[title="Google Pay"]')
  const google = (page: Page) => frameIn(page).getByRole('button', { name: 'Buy with GPay' })
  const fallback = (page: Page) => page.getByRole('button', { name: 'Google Pay', exact: true })
  const paid = (page: Page) => page.locator('.notice h1').filter({ hasText: 'Paid' }).waitFor()
  const latestOf = async (sessionId: string) => {
    const { send } = cashier.service
    const [{ id }] = (await send(`GET /transactions?checkout_session_id=${sessionId}`)).json().items
    return (await send(`GET /transactions/${id}`)).json()
  }

  type Visit = {
    readonly settings?: object
    readonly isReady?: boolean | undefined
    readonly buyer?: () => object | null
    readonly errors?: readonly RegExp[]
  }
  async function visit(
    { settings = {}, buyer = () => phone.googlePay(), errors = [], ...given }: Visit,
    work: (page: Page, sheets: WalletSheets, sessionId: string) => Promise<void>,
  ): Promise<void> {
    const { sessionId, path } = await openHostedPage(cashier.service, {}, settings)
    await browse(cashier.browser, { errors }, async (page) => {
      const sheets = await giveWallets(page, buyer)
      await giveGoogleScript(page, 'isReady' in given ? given.isReady : true)
      await page.goto(`${CHECKOUT}${path}`)
      await work(page, sheets, sessionId)
    })
  }

  test('takes the payment, and its script never runs in the page with the card fields', async () => {
    await visit({}, async (page, { opened }, sessionId) => {
      const policies: string[] = []
      page.on('response', (response) => {
        if (response.url().includes('/pay/'))
          policies.push(response.headers()['content-security-policy'] ?? '')
      })
      await page.reload()
      await google(page).waitFor()
      expect(await page.evaluate('typeof window.google')).toBe('undefined')
      expect(await fallback(page).count()).toBe(0)
      expect(policies[0]).toContain(`frame-src 'self' ${WALLETS}`)
      expect(/script-src ([^;]*)/.exec(policies[0] ?? '')?.[1]).not.toContain('http')
      expect(await accessibilityProblems(page)).toEqual([])

      await google(page).click()
      await paid(page)

      expect(await latestOf(sessionId)).toMatchObject({ method: 'googlepay', amount: 2598, buyer: null })
      expect(opened.at(-1)?.request).toMatchObject({
        merchantInfo: {
          merchantName: 'Fashion store',
          merchantId: 'BCR2DN4T',
          merchantOrigin: 'wallets.localhost',
          authJwt: expect.stringMatching(/^ey/),
        },
        transactionInfo: { totalPrice: '25.98', currencyCode: 'USD', countryCode: 'US' },
      })
    })
  })

  test('asks Google for what the page asks of the buyer, who types nothing', async () => {
    const settings = {
      required_fields: ['email_address', 'name', 'phone_number', 'billing_address', 'shipping_address'],
    }
    await visit({ settings }, async (page, _sheets, sessionId) => {
      await google(page).click()
      await paid(page)

      const address = { country: 'US', line1: '29th Street 10', state_code: 'US-CA', postal_code: '95113' }
      expect(await latestOf(sessionId)).toMatchObject({
        buyer: {
          billing_details: {
            email_address: 'ada@example.com',
            first_name: 'Ada King',
            last_name: 'Lovelace',
            phone_number: '+14155550123',
            address,
          },
        },
        shipping_details: { address },
      })
    })
  })

  test('leaves the page as it is when the buyer closes the sheet, and opens again', async () => {
    let isClosing = true
    await visit({ buyer: () => (isClosing ? null : phone.googlePay()) }, async (page, { opened }) => {
      await google(page).click()
      await expect.poll(() => opened.length).toBe(1)
      expect(await page.getByRole('alert').textContent()).toBe('')
      isClosing = false
      await google(page).click()
      await paid(page)
    })
  })

  test('is told of a new amount', async () => {
    await visit({ errors: [/409/] }, async (page, { opened }, sessionId) => {
      await google(page).waitFor()
      await cashier.service.send(`PUT /checkout/sessions/${sessionId}`, { amount: 5000 })
      await google(page).click()
      await page.getByRole('alert').getByText('changed your order').waitFor()
      await google(page).click()
      await paid(page)

      const prices = opened.map(
        ({ request }) => (request['transactionInfo'] as { totalPrice: string }).totalPrice,
      )
      expect(prices).toEqual(['25.98', '50.00'])
      expect(await latestOf(sessionId)).toMatchObject({ amount: 5000 })
    })
  })

  test.each([
    ['cannot be reached', undefined, [/ERR_FAILED/]],
    ['says that the buyer cannot pay with it', false, []],
  ])('gives way to the browser’s own when Google %s', async (_why, isReady, errors) => {
    await visit({ isReady, errors }, async (page, { opened }) => {
      await fallback(page).click()
      await paid(page)

      expect(opened).toHaveLength(1)
      expect(await page.locator('iframe').count()).toBe(0)
    })
  })

  test('is not there unless the merchant wants it', async () => {
    await allow({ merchant_id: 'BCR2DN4T' })
    try {
      await visit({}, async (page) => {
        await fallback(page).waitFor()
        expect(await page.locator('iframe').count()).toBe(0)
      })
    } finally {
      await allow({ official_button: true, merchant_id: 'BCR2DN4T' })
    }
  })

  test('is shown by the form in the page of a shop', async () => {
    await visitShop(cashier.browser, { html: SHOP }, async (page) => {
      await giveWallets(page, () => phone.googlePay())
      await giveGoogleScript(page, true)
      const { url } = await openFor(cashier, page)
      await show(page, url)
      await formIn(page)
        .frameLocator('iframe[title="Google Pay"]')
        .getByRole('button', { name: 'Buy with GPay' })
        .click()
      await until(page, 'paid')
    })
  })
})
