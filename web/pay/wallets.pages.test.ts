import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessibilityProblems, browse, UNANSWERED } from '#testing/browse.ts'
import { hasBrowser } from '#testing/browser.ts'
import { giftCardWith } from '#testing/gift-cards.ts'
import { openHostedPage } from '#testing/hosted-page.ts'
import { CARD } from '#testing/till.ts'
import { openWalletPhone, type WalletPhone } from '#testing/wallet-phone.ts'
import { appleCertificate } from '#testing/wallet-shop.ts'
import { type Cashier, loseAnswers, openCashier } from '../testing/cashier.ts'
import { giveWallets, type Sheet, type WalletSheets } from '../testing/wallet-sheets.ts'

/** Apple knows pages by the name of their host, so this one is not an address of this machine. */
const HOST = 'pay.example.com'

let cashier: Cashier
let phone: WalletPhone

describe.skipIf(!hasBrowser)('the buttons of wallets', () => {
  beforeAll(async () => {
    cashier = await openCashier({ checkoutUrl: `http://${HOST}:3000` })
    const { send } = cashier.service
    phone = await openWalletPhone(cashier.service)
    const wallet = `/digital-wallets/${phone.appleKey.walletId}`
    await registerDomain(HOST)
    const identity = { purpose: 'apple-merchant-identity', ...appleCertificate() }
    expect((await send(`POST ${wallet}/keys`, identity)).statusCode).toBe(201)
  })
  afterAll(() => cashier.close())

  async function registerDomain(name: string): Promise<void> {
    const route = `PUT /digital-wallets/${phone.appleKey.walletId}`
    const changed = await cashier.service.send(route, { domain_names: [name] })
    expect(changed.statusCode, changed.body).toBe(200)
  }
  const paymentsOf = async (id: string) =>
    (await cashier.service.send(`GET /transactions?checkout_session_id=${id}`)).json().items
  const heading = (page: Page, text: string) => page.locator('.notice h1').filter({ hasText: text })
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

  /** Approves the amount that the sheet shows. */
  function approve({ wallet, request }: Sheet): object {
    if (wallet === 'googlepay') return phone.googlePay()
    const { amount } = request['total'] as { amount: string }
    return phone.applePay({ amount: Number(amount.replace('.', '')) })
  }

  type Visit = {
    readonly order?: object
    readonly settings?: object
    readonly buyer?: (sheet: Sheet) => object | null
    readonly errors?: readonly RegExp[]
  }

  async function visit(
    { order = {}, settings = {}, buyer = approve, errors = [] }: Visit,
    work: (page: Page, sheets: WalletSheets, sessionId: string) => Promise<void>,
  ): Promise<void> {
    const { sessionId, path } = await openHostedPage(cashier.service, order, settings)
    await browse(cashier.browser, { errors }, async (page) => {
      const sheets = await giveWallets(page, buyer)
      await page.goto(`${cashier.origin}${path}`)
      await work(page, sheets, sessionId)
    })
  }

  test.each([
    ['Apple Pay', 'applepay'],
    ['Google Pay', 'googlepay'],
  ])('take the whole amount with %s, and show a receipt', async (name, method) => {
    await visit({}, async (page, { opened, said }, sessionId) => {
      await button(page, name).click()
      await heading(page, 'Paid').waitFor()

      await expect.poll(() => said).toEqual(['success'])
      expect(await page.locator('.receipt').textContent()).toContain('1111')
      expect(opened.map(({ wallet }) => wallet)).toEqual([method])
      const [payment] = await paymentsOf(sessionId)
      expect(payment).toMatchObject({ method, amount: 2598, status: 'authorization_succeeded' })
    })
  })

  test('ask Apple for what the page asks of the buyer, who types nothing', async () => {
    const settings = {
      required_fields: ['email_address', 'name', 'phone_number', 'billing_address', 'shipping_address'],
    }
    await visit({ settings }, async (page, { opened }, sessionId) => {
      await button(page, 'Apple Pay').click()
      await heading(page, 'Paid').waitFor()

      expect(opened[0]?.request).toMatchObject({
        requiredBillingContactFields: ['name', 'postalAddress'],
        requiredShippingContactFields: ['email', 'phone', 'postalAddress', 'name'],
      })
      const [{ id }] = await paymentsOf(sessionId)
      const address = {
        country: 'US',
        line2: 'Stafford Apartments',
        state: 'California',
        state_code: 'US-CA',
      }
      expect((await cashier.service.send(`GET /transactions/${id}`)).json()).toMatchObject({
        buyer: {
          billing_details: { email_address: 'ada@example.com', phone_number: '+14155550123', address },
        },
        shipping_details: { last_name: 'Lovelace', address },
      })
    })
  })

  test('say to the wallets what is paid, where, and with which cards', async () => {
    const closeIt = () => null
    await visit({ order: { amount: 100_05 }, buyer: closeIt }, async (page, { opened }) => {
      for (const name of ['Apple Pay', 'Google Pay']) await button(page, name).click()
      await expect.poll(() => opened.length).toBe(2)

      const of = (wallet: string) => opened.find((sheet) => sheet.wallet === wallet)?.request
      expect(of('applepay')).toMatchObject({
        countryCode: 'US',
        currencyCode: 'USD',
        supportedNetworks: expect.arrayContaining(['visa', 'masterCard']),
        total: { label: 'Fashion store', amount: '100.05' },
      })
      expect(of('googlepay')).toMatchObject({
        transactionInfo: { totalPrice: '100.05', totalPriceStatus: 'FINAL', currencyCode: 'USD' },
        total: { amount: { value: '100.05', currency: 'USD' } },
        allowedPaymentMethods: [
          {
            tokenizationSpecification: {
              parameters: { gateway: 'switchyard', gatewayMerchantId: 'default' },
            },
          },
        ],
      })
    })
  })

  test.each(['Apple Pay', 'Google Pay'])(
    'leave everything as it is when the buyer closes %s, which opens again',
    async (name) => {
      let isClosing = true
      const buyer = (sheet: Sheet) => (isClosing ? null : approve(sheet))
      await visit({ buyer }, async (page, { opened, said }, sessionId) => {
        await page.getByLabel('Card number', { exact: true }).fill(CARD.number)
        await button(page, name).click()
        await expect.poll(() => opened.length).toBe(1)
        expect(await page.getByRole('alert').textContent()).toBe('')
        expect(await page.getByLabel('Card number', { exact: true }).inputValue()).toBe('4111 1111 1111 1111')
        expect(await paymentsOf(sessionId)).toEqual([])

        isClosing = false
        await button(page, name).click()
        await heading(page, 'Paid').waitFor()
        await expect.poll(() => said).toEqual(['success'])
        expect(await paymentsOf(sessionId)).toHaveLength(1)
      })
    },
  )

  test('close Apple’s sheet and say so when the shop is not let in, and other ways go on', async () => {
    await registerDomain('other.example.com')
    try {
      await visit({ errors: [/400/] }, async (page, { opened, said }, sessionId) => {
        await button(page, 'Apple Pay').click()
        await page.getByRole('alert').getByText('The payment did not work.').waitFor()

        await expect.poll(() => said).toEqual(['aborted'])
        expect(opened).toEqual([])
        await button(page, 'Google Pay').click()
        await heading(page, 'Paid').waitFor()
        expect(await paymentsOf(sessionId)).toHaveLength(1)
      })
    } finally {
      await registerDomain(HOST)
    }
  })

  test.each(['Apple Pay', 'Google Pay'])(
    'tell %s of a refusal, and the buyer pays in another way',
    async (name) => {
      const order = { amount: 200_011 }
      await visit({ order }, async (page, { said }, sessionId) => {
        await button(page, name).click()
        await page.getByRole('alert').getByText('There is not enough money on this card.').waitFor()
        await expect.poll(() => said).toEqual(['fail'])
        expect(await accessibilityProblems(page)).toEqual([])

        const gift = giftCardWith(1000)
        await page.getByText('Use a gift card').click()
        await page.getByLabel('Gift card number').fill(gift.number)
        await page.getByLabel('PIN').fill(gift.pin)
        await page.getByRole('button', { name: 'Apply' }).click()
        await page.getByText('pays $10.00').waitFor()
        // A wallet pays the whole amount.
        expect(await button(page, name).count()).toBe(0)
        await page.getByLabel('Card number', { exact: true }).fill(CARD.number)
        await page.getByLabel('Expiry date').fill('12/40')
        await page.getByLabel('Security code').fill('737')
        await page.locator('button.pay').click()
        await heading(page, 'Paid').waitFor()
        expect(await paymentsOf(sessionId)).toHaveLength(2)
      })
    },
  )

  test('tell the wallet when its token is refused, and no payment is made', async () => {
    const buyer = () => phone.applePay({ amount: 1 })
    await visit({ buyer, errors: [/400/] }, async (page, { said }, sessionId) => {
      await button(page, 'Apple Pay').click()
      await page.getByRole('alert').getByText('The payment did not work.').waitFor()

      await expect.poll(() => said).toEqual(['fail'])
      expect(await paymentsOf(sessionId)).toEqual([])
    })
  })

  test.each([
    ['Apple Pay', 'aborted'],
    ['Google Pay', 'unknown'],
  ])('say nothing certain to %s when the answer is lost: the page finds out', async (name, end) => {
    const answerAgain = loseAnswers(cashier.service, '/payments')
    const errors = [UNANSWERED]
    await visit({ errors }, async (page, { said }, sessionId) => {
      await button(page, name).click()
      await heading(page, 'Paid').waitFor()

      await expect.poll(() => said).toEqual([end])
      expect(await paymentsOf(sessionId)).toHaveLength(1)
    })
    answerAgain()
  })

  test('are not there in a browser that has no wallet', async () => {
    const { path } = await openHostedPage(cashier.service)
    await browse(cashier.browser, {}, async (page) => {
      await page.addInitScript('delete window.PaymentRequest')
      await page.goto(`${cashier.origin}${path}`)
      await page.locator('button.pay').waitFor()

      expect(await page.locator('.wallets').count()).toBe(0)
    })
  })
})
