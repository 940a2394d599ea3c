import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessibilityProblems, browse } from '#testing/browse.ts'
import { hasBrowser } from '#testing/browser.ts'
import { giftCardWith } from '#testing/gift-cards.ts'
import { openHostedPage } from '#testing/hosted-page.ts'
import { CARD } from '#testing/till.ts'
import { type Cashier, openCashier } from '../testing/cashier.ts'

let cashier: Cashier

describe.skipIf(!hasBrowser)('what goes wrong on the page on which a buyer pays', () => {
  beforeAll(async () => {
    cashier = await openCashier()
    await cashier.service.send('POST /payment-services', {
      display_name: 'Wallet',
      payment_service_definition_id: 'mock-paypal',
      fields: [{ key: 'merchant_id', value: 'shop' }],
      accepted_currencies: ['EUR'],
      accepted_countries: ['DE'],
    })
  })
  afterAll(() => cashier.close())

  type Visit = { readonly order?: object; readonly settings?: object; readonly options?: object }
  async function visit(
    { order = {}, settings = {}, options = {} }: Visit,
    work: (page: Page, sessionId: string) => Promise<void>,
  ): Promise<void> {
    const { sessionId, path } = await openHostedPage(cashier.service, order, settings)
    await browse(cashier.browser, options, async (page) => {
      await page.goto(`${cashier.origin}${path}`)
      await work(page, sessionId)
    })
  }
  const paymentsOf = async (id: string) =>
    (await cashier.service.send(`GET /transactions?checkout_session_id=${id}`)).json().items
  const number = (page: Page) => page.getByLabel('Card number', { exact: true })
  const focused = (page: Page) =>
    page.evaluate<string>('document.activeElement.name ?? document.activeElement.tagName')
  const press = (page: Page) => page.locator('button.pay').click()
  const heading = (page: Page, text: string) => page.locator('.notice h1').filter({ hasText: text })

  async function type(page: Page): Promise<void> {
    await number(page).pressSequentially(CARD.number)
    await page.getByLabel('Expiry date').pressSequentially('1240')
    await page.getByLabel('Security code').pressSequentially('737')
  }

  describe('a buyer who was about to pay elsewhere, and comes back', () => {
    const AT_WALLET = { currency: 'EUR', country: 'DE' }

    async function leave(page: Page): Promise<void> {
      const address = page.url()
      await page.getByLabel('PayPal').check()
      await page.getByRole('button', { name: 'Continue to PayPal' }).click()
      await page.waitForURL((now) => !now.href.startsWith(address))
    }

    test.each([
      ['by the button of the browser', (page: Page) => page.goBack()],
      ['by opening the page again', (page: Page, address: string) => page.goto(address)],
    ])('%s, is asked, and is led nowhere', async (_how, back) => {
      await visit({ order: AT_WALLET }, async (page, sessionId) => {
        const address = page.url()
        await leave(page)
        await back(page, address)
        await heading(page, 'You were about to pay with PayPal').waitFor()
        const left: string[] = []
        page.on('request', (request) => request.isNavigationRequest() && left.push(request.url()))

        // Also after the page has asked how the payment stands.
        await page.waitForResponse('**/state?**')
        expect(left).toEqual([])
        expect(await page.locator('.notice').textContent()).toMatch(/€25\.98\. You can approve it until \d/)
        expect(await accessibilityProblems(page)).toEqual([])
        await page.getByRole('button', { name: 'Pay another way' }).click()
        await page.locator('button.pay').waitFor()
        await type(page)
        await press(page)
        await heading(page, 'Paid').waitFor()
        const payments: { status: string }[] = await paymentsOf(sessionId)
        expect(payments).toHaveLength(2)
        expect(payments.filter(({ status }) => status === 'authorization_succeeded')).toHaveLength(1)
      })
    })

    test('can continue', async () => {
      await visit({ order: AT_WALLET }, async (page) => {
        await leave(page)
        const elsewhere = page.url()
        await page.goBack()
        await page.getByRole('link', { name: 'Continue to PayPal' }).click()
        await page.waitForURL(elsewhere)
      })
    })
  })

  test('a declined card leaves the gift cards where they are', async () => {
    await visit({ order: { amount: 201_011 } }, async (page) => {
      const gift = giftCardWith(1000)
      await page.getByText('Use a gift card').click()
      await page.getByLabel('Gift card number').fill(gift.number)
      await page.getByLabel('PIN').fill(gift.pin)
      await page.getByRole('button', { name: 'Apply' }).click()
      await page.getByText('pays $10.00').waitFor()
      await type(page)
      expect(await page.locator('button.pay').textContent()).toBe('Pay $2,000.11')
      await press(page)
      await page.getByRole('alert').getByText('There is not enough money').waitFor()

      expect(await page.getByText('pays $10.00').isVisible()).toBe(true)
      expect(await page.locator('button.pay').textContent()).toBe('Pay $2,000.11')
    })
  })

  test.each([
    [300_014, 'The payment service cannot be reached at the moment.', null],
    [400_017, 'The shop cannot take this card or payment method.', null],
    [200_019, 'The shop cannot take this card or payment method.', null],
    [200_010, 'Your bank does not accept this expiry date.', 'expiry'],
    [200_009, 'Your bank does not accept this security code.', 'code'],
  ])('a refusal of %i has its own words', async (amount, text, field) => {
    await visit({ order: { amount } }, async (page) => {
      await type(page)
      await press(page)
      await page.getByRole('alert').getByText(text).waitFor()

      const marked = await page
        .locator('[aria-invalid]')
        .evaluateAll((all) => all.map((one) => (one as unknown as { name: string }).name))
      expect(marked).toEqual(field ? [field] : [])
      if (field) await expect.poll(() => focused(page)).toBe(field)
    })
  })

  test('an empty number is asked for, and a wrong one is told when the buyer leaves the field', async () => {
    await visit({}, async (page) => {
      await press(page)
      expect(await page.locator('.wrong').first().textContent()).toBe('Enter the card number.')
      await number(page).fill('4111 1111 1111 1112')
      await page.getByLabel('Expiry date').focus()
      expect(await page.locator('.wrong').first().textContent()).toContain('typing mistake')
      expect(await focused(page)).toBe('expiry')
      await number(page).fill(CARD.number)
      await page.getByLabel('Expiry date').focus()
      await page.getByText('typing mistake').waitFor({ state: 'detached' })
    })
  })

  test.each([
    [{}, 'Confirm'],
    [{ store: 'always' }, 'Save card'],
  ])('where nothing is to pay, the button says what it does', async (settings, label) => {
    await visit({ order: { amount: 0 }, settings }, async (page) => {
      expect(await page.locator('button.pay').textContent()).toBe(label)
    })
  })

  test('a device that is offline is told at once, and nothing is sent', async () => {
    await visit({}, async (page, sessionId) => {
      await type(page)
      await page.context().setOffline(true)
      await press(page)
      await page.getByRole('alert').getByText('You are offline. Your payment was not sent.').waitFor()
      expect(await page.locator('.order').textContent()).toContain('$25.98')
      await page.context().setOffline(false)
      await press(page)
      await heading(page, 'Paid').waitFor()

      expect(await paymentsOf(sessionId)).toHaveLength(1)
    })
  })

  test('there is a way back to the shop, also when the time is over', async () => {
    const cancel_url = 'http://127.0.0.1:3000/docs'
    const return_url = 'http://127.0.0.1:3000/thanks'
    await visit({ settings: { return_url, cancel_url } }, async (page, sessionId) => {
      const back = page.getByRole('link', { name: /^Back to / })
      expect(await back.getAttribute('href')).toBe(cancel_url)
      await cashier.service.context.db
        .updateTable('checkout_sessions')
        .set({ expires_at: cashier.service.context.clock() })
        .where('id', '=', sessionId)
        .execute()
      await page.reload()
      await heading(page, 'The time to pay is over').waitFor()

      expect(await back.getAttribute('href')).toBe(cancel_url)
      expect(await page.locator('.due').textContent()).toContain('$25.98')
    })
  })

  test('the focus stays where the buyer is: a stored card that is removed, a gift card that is refused', async () => {
    const { id } = (await cashier.service.send('POST /buyers', { external_identifier: 'careful' })).json()
    for (const number of [CARD.number, '5555555555554444'])
      await cashier.service.send('POST /payment-methods', {
        method: 'card',
        number,
        expiration_date: '12/40',
        buyer_id: id,
      })
    await visit({ order: { buyer: { external_identifier: 'careful' } } }, async (page) => {
      const remove = page.getByRole('button', { name: /Remove: Mastercard/ })
      const label = () => page.evaluate<string>('document.activeElement.ariaLabel ?? ""')
      await remove.click()
      await expect.poll(label).toContain('Remove this card for good? Mastercard')
      await page.getByRole('button', { name: 'Keep it' }).click()
      await expect.poll(label).toContain('Remove: Mastercard')
      await remove.click()
      await page.getByRole('button', { name: 'Yes, remove it' }).click()
      await remove.waitFor({ state: 'detached' })
      await expect.poll(() => focused(page)).toBe('way')
      // The code is asked for within the card it belongs to.
      expect(await page.locator('.way:has([type=radio]:checked) [name=code]').count()).toBe(1)

      await page.getByText('Use a gift card').click()
      await page.getByLabel('Gift card number').fill(giftCardWith(100).number)
      await page.getByRole('button', { name: 'Apply' }).click()
      await expect.poll(() => focused(page)).toBe('gift-pin')
      await page.getByLabel('PIN').fill('nonsense')
      await page.getByRole('button', { name: 'Apply' }).click()
      await expect.poll(() => focused(page)).toBe('gift-number')
      expect(await accessibilityProblems(page)).toEqual([])
    })
  })

  test.each([
    [CARD.number, '3 digits on the back'],
    ['378282246310005', '4 digits on the front'],
    ['9', '3 or 4 digits on the card'],
  ])('the hint for the code of %s', async (typed, hint) => {
    await visit({}, async (page) => {
      await number(page).fill(typed)
      await page.getByText(hint, { exact: true }).waitFor()
    })
  })

  test('a card of Maestro asks for no choice: Cirrus is for cash', async () => {
    await visit({}, async (page) => {
      await number(page).fill('6759649826438453')
      await page.locator('.with-mark img[src*=maestro]').waitFor()
      expect(await page.getByRole('radio').count()).toBe(0)
    })
  })
})
