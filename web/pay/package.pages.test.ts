import type { FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessibilityProblems } from '#testing/browse.ts'
import { hasBrowser } from '#testing/browser.ts'
import { CARD } from '#testing/till.ts'
import { type Cashier, openCashier } from '../testing/cashier.ts'
import { ORDER, SHOP, setUp, toldIn, until } from '../testing/public-package.ts'
import { visitShop } from '../testing/shop.ts'

let cashier: Cashier

describe.skipIf(!hasBrowser)('the public drop-in package', () => {
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

  type Work = (page: Page, heard: string[]) => Promise<void>
  const visit = (work: Work, options: object = {}) =>
    visitShop(cashier.browser, { html: SHOP, ...options }, work)
  const type = async (form: FrameLocator, number = CARD.number) => {
    await form.getByLabel('Card number', { exact: true }).pressSequentially(number)
    await form.getByLabel('Expiry date').pressSequentially('1240')
    await form.getByLabel('Security code').pressSequentially('737')
  }
  const buy = (page: Page) => page.getByRole('button', { name: 'Buy' }).click()

  test('pays with a card by the button of the shop, which hears all but the card', async () => {
    await visit(async (page, heard) => {
      const form = await setUp(cashier, page, {
        options: { externalIdentifier: 'order-1', intent: 'capture' },
      })
      expect(await toldIn(page, 'optionsLoaded')).toEqual([
        [
          { method: 'card', mode: 'card' },
          { method: 'paypal', mode: 'redirect' },
        ],
      ])
      await type(form)
      expect(await until(page, 'cardDetailsChanged')).toEqual({
        bin: '41111111',
        scheme: 'visa',
        cardType: 'credit',
      })
      expect(await toldIn(page, 'formUpdate')).toEqual([{ valid: false }, { valid: true }])
      expect(await form.getByRole('button', { name: /Pay/ }).count()).toBe(0)
      expect(await accessibilityProblems(page)).toEqual([])
      await buy(page)

      expect(await until(page, 'transactionCreated')).toMatchObject({
        ...ORDER,
        type: 'transaction',
        status: 'capture_succeeded',
        externalIdentifier: 'order-1',
        paymentMethod: { method: 'card', scheme: 'visa', approvalUrl: null },
      })
      for (const secret of [CARD.number, '4111 1111', '737"']) expect(heard.join('\n')).not.toContain(secret)
    })
  })

  test('marks what is missing, and tells the shop', async () => {
    await visit(async (page) => {
      const form = await setUp(cashier, page)
      await buy(page)
      await until(page, 'formValidationFailed')
      await form.locator('[name=number][aria-invalid]').waitFor()
      // The key Enter is no button of the shop.
      await form.getByLabel('Security code').press('Enter')

      expect(await toldIn(page, 'transactionCreated')).toEqual([])
    })
  })

  test('tells of a refusal, and takes a second try', async () => {
    await visit(async (page) => {
      const order = { amount: 200_011 }
      const form = await setUp(cashier, page, { options: order, pinned: order })
      await type(form)
      await buy(page)
      const first = await until(page, 'transactionCreated')
      await form.getByLabel('Security code').fill('737')
      await buy(page)
      await expect.poll(async () => (await toldIn(page, 'transactionCreated')).length).toBe(2)

      const [, second] = await toldIn(page, 'transactionCreated')
      expect([first['status'], second?.['status']]).toEqual([
        'authorization_declined',
        'authorization_declined',
      ])
      expect(second?.['id']).not.toBe(first['id'])
    })
  })

  test('pays in a window that the package opens, though our page there cuts it off', async () => {
    await visit(async (page) => {
      const form = await setUp(cashier, page)
      await form.getByLabel('PayPal').check()
      expect(await until(page, 'paymentMethodSelected')).toEqual({ method: 'paypal', mode: 'redirect' })
      await expect.poll(async () => (await toldIn(page, 'modeUpdated')).at(-1)).toHaveProperty('popup.title')
      const [popup] = await Promise.all([page.waitForEvent('popup'), buy(page)])
      await popup.getByRole('button').first().click()

      expect(await until(page, 'transactionCreated')).toMatchObject({ status: 'authorization_succeeded' })
      expect(new Set(await toldIn(page, 'approvalUrl')).size).toBe(1)
    })
  })

  test('lets the buyer who closed the window pay another way', async () => {
    await visit(async (page) => {
      const form = await setUp(cashier, page)
      await form.getByLabel('PayPal').check()
      await expect.poll(async () => (await toldIn(page, 'modeUpdated')).at(-1)).toHaveProperty('popup.title')
      const [popup] = await Promise.all([page.waitForEvent('popup'), buy(page)])
      await until(page, 'approvalUrl')
      await popup.close()
      await form.getByRole('button', { name: 'Pay another way' }).click()
      await until(page, 'transactionCancelled')
      await form.getByLabel('Card', { exact: true }).check()
      await type(form)
      await buy(page)

      expect(await until(page, 'transactionCreated')).toMatchObject({ method: 'card' })
    })
  })

  test('asks the shop before it pays, and pays as the shop says then', async () => {
    await visit(async (page) => {
      const before = { externalIdentifier: 'late', metadata: { order: '2' } }
      const form = await setUp(cashier, page, { options: { metadata: { order: '1' } }, before })
      await type(form)
      await buy(page)

      expect(await until(page, 'transactionCreated')).toMatchObject(before)
    })
  })

  test('shows the ways that the options leave, with their names', async () => {
    await visit(async (page) => {
      const form = await setUp(cashier, page, {
        options: {
          excludedMethods: ['gift-card'],
          optionLabels: { card: 'Plastic', paypal: 'Pal' },
          customOptions: [{ method: 'invoice', label: 'By invoice' }],
          autoSelectOption: 'first',
          locale: 'de-at',
          billingAddressFields: { emailAddress: true },
        },
      })
      await form.getByLabel('Plastic', { exact: true }).waitFor()
      await form.getByLabel('Pal', { exact: true }).waitFor()
      await form.getByLabel('E-Mail-Adresse').waitFor()
      expect(await form.getByText('Geschenkkarte').count()).toBe(0)
      await form.getByLabel('By invoice').check()
      await buy(page)

      expect(await until(page, 'paymentMethodSelected')).toEqual({ method: 'invoice', mode: 'custom' })
      expect(await toldIn(page, 'transactionFailed')).toEqual([])
    })
  })

  test('says in the frame and to the shop why there is no form', async () => {
    await visit(
      async (page) => {
        const form = await setUp(cashier, page, { options: { amount: 1 } })

        expect(await until(page, 'apiError')).toMatchObject({
          type: 'error',
          code: 'bad_request',
          status: 400,
        })
        await form.getByText('/amount leave it out, or send the value that the token pins').waitFor()
      },
      { errors: [/./] },
    )
  })
})
