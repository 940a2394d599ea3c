import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browse, problemsInBothSchemes } from '#testing/browse.ts'
import { hasBrowser } from '#testing/browser.ts'
import { openHostedPage } from '#testing/hosted-page.ts'
import { CARD } from '#testing/till.ts'
import { LOCALES } from '../../server/src/domain/locale.ts'
import { WORDS } from '../../server/src/words/words.ts'
import { type Cashier, openCashier } from '../testing/cashier.ts'
import { formIn, openFor, payIn, SHOP, show, until } from '../testing/drop-in.ts'
import { visitShop } from '../testing/shop.ts'

const ALL = ['email_address', 'name', 'phone_number', 'billing_address', 'shipping_address']

let cashier: Cashier

describe.skipIf(!hasBrowser)('what the page asks of a buyer beside how to pay', () => {
  beforeAll(async () => {
    cashier = await openCashier()
  })
  afterAll(() => cashier.close())

  type Visit = { readonly order?: object; readonly settings?: object; readonly errors?: readonly RegExp[] }
  async function visit(
    { order = {}, settings = {}, ...options }: Visit,
    work: (page: Page, sessionId: string) => Promise<void>,
  ): Promise<void> {
    const { sessionId, path } = await openHostedPage(cashier.service, order, {
      required_fields: ALL,
      ...settings,
    })
    await browse(cashier.browser, options, async (page) => {
      await page.goto(`${cashier.origin}${path}`)
      await page.locator('button.pay').waitFor()
      await work(page, sessionId)
    })
  }
  const latestOf = async (sessionId: string) => {
    const { send } = cashier.service
    const [{ id }] = (await send(`GET /transactions?checkout_session_id=${sessionId}`)).json().items
    return (await send(`GET /transactions/${id}`)).json()
  }
  const field = (page: Page, name: string) => page.locator(`[name="${name}"]`)
  const wrongAt = async (page: Page, name: string) => {
    const id = (await field(page, name).getAttribute('aria-describedby')) ?? ''
    return page.locator(`[id="${id}"]`).textContent()
  }
  const namesIn = (page: Page, kind: string) =>
    page
      .locator(`[name^="${kind}_address/"]`)
      .evaluateAll((all) => all.map((one) => one.getAttribute('name')?.split('/')[1]))

  async function typeCard(page: Page): Promise<void> {
    await field(page, 'number').fill(CARD.number)
    await field(page, 'expiry').fill('12/40')
    await field(page, 'code').fill('737')
  }

  test('is filled in and reaches the payment, with the keyboard alone', async () => {
    await visit({ settings: { locale: 'en' } }, async (page, sessionId) => {
      await field(page, 'email_address').focus()
      const typed = [
        ...['ada@example.com', 'Ada', 'Lovelace', '(415) 555-0123'],
        // The country is that of the order.
        ...['', '29th Street 10', 'Stafford Apartments', 'San Jose', 'Cali', '95113', ''],
        ...[CARD.number, '1240', '737'],
      ]
      for (const text of typed) {
        if (text) await page.keyboard.type(text)
        await page.keyboard.press('Tab')
      }
      expect(await field(page, 'phone_number').inputValue()).toBe('+14155550123')
      await page.keyboard.press('Shift+Tab')
      await page.keyboard.press('Enter')
      await page.locator('.notice h1').filter({ hasText: 'Paid' }).waitFor()

      const address = {
        country: 'US',
        line1: '29th Street 10',
        line2: 'Stafford Apartments',
        city: 'San Jose',
        state: 'California',
        state_code: 'US-CA',
        postal_code: '95113',
      }
      expect(await latestOf(sessionId)).toMatchObject({
        buyer: {
          billing_details: {
            email_address: 'ada@example.com',
            first_name: 'Ada',
            last_name: 'Lovelace',
            phone_number: '+14155550123',
            address,
          },
        },
        shipping_details: { first_name: 'Ada', address },
      })
    })
  })

  test('can be a billing address elsewhere, in the order and with the rules of its country', async () => {
    await visit({ order: { country: 'NL' } }, async (page, sessionId) => {
      expect(await namesIn(page, 'shipping')).toEqual(['country', 'line1', 'line2', 'postal_code', 'city'])
      for (const [name, text] of [
        ['email_address', 'ada@example.com'],
        ['first_name', 'Ada'],
        ['last_name', 'Lovelace'],
        ['phone_number', '020 123 4567'],
        ['shipping_address/line1', 'Keizersgracht 126'],
        ['shipping_address/postal_code', '1015cw'],
        ['shipping_address/city', 'Amsterdam'],
      ] as const)
        await field(page, name).fill(text)
      await page.getByLabel('The billing address is the same').uncheck()
      await field(page, 'billing_address/country').selectOption('JP')
      expect(await namesIn(page, 'billing')).toEqual([
        'country',
        'postal_code',
        'state',
        'city',
        'line1',
        'line2',
      ])
      expect(await page.getByLabel('Prefecture').getAttribute('autocomplete')).toBe('billing address-level1')
      for (const [name, text] of [
        ['postal_code', '１００ー０００１'],
        ['state', '東京都'],
        ['city', '千代田区'],
        ['line1', '千代田1-1'],
      ] as const)
        await field(page, `billing_address/${name}`).fill(text)
      await typeCard(page)
      await page.locator('button.pay').click()
      await page.locator('.notice h1').filter({ hasText: 'Paid' }).waitFor()

      expect(await latestOf(sessionId)).toMatchObject({
        buyer: {
          billing_details: {
            phone_number: '+31201234567',
            address: { country: 'JP', postal_code: '100-0001', state: '東京都', state_code: null },
          },
        },
        shipping_details: { address: { country: 'NL', postal_code: '1015 CW' } },
      })
    })
  })

  test('is checked when the buyer leaves a field, and that is said aloud', async () => {
    await visit({}, async (page) => {
      await field(page, 'email_address').fill('ada')
      await page.keyboard.press('Tab')
      expect(await wrongAt(page, 'email_address')).toBe('Check the e-mail address.')
      const status = page.getByRole('status')
      expect(await status.textContent()).toBe('E-mail address: Check the e-mail address.')
      await field(page, 'email_address').fill('ada@example.com')
      await page.keyboard.press('Tab')
      expect(await field(page, 'email_address').getAttribute('aria-invalid')).toBeNull()
      expect(await status.textContent()).toBe('')
      // One that is left empty may still be filled in.
      await page.keyboard.press('Tab')
      expect(await page.locator('[aria-invalid]').count()).toBe(0)

      await field(page, 'shipping_address/postal_code').fill('9511')
      await page.keyboard.press('Tab')
      expect(await status.textContent()).toContain('ZIP code: Check this code. It is written like 12345')
      await field(page, 'phone_number').fill('12')
      await field(page, 'shipping_address/line1').focus()
      expect(await wrongAt(page, 'phone_number')).toContain('such as +1.')
    })
  })

  test('is checked before anything is sent, and the first that is wrong has the focus', async () => {
    await visit({}, async (page, sessionId) => {
      await typeCard(page)
      await page.locator('button.pay').click()

      expect(await page.evaluate('document.activeElement.name')).toBe('email_address')
      expect(await page.locator('[aria-invalid]').count()).toBe(8)
      expect(await wrongAt(page, 'shipping_address/state')).toBe('Fill in this field.')
      expect(await problemsInBothSchemes(page)).toEqual([])
      const list = await cashier.service.send(`GET /transactions?checkout_session_id=${sessionId}`)
      expect(list.json().items).toEqual([])
    })
  })

  test('stays after a refusal', async () => {
    const settings = { required_fields: ['email_address', 'billing_address'] }
    await visit({ order: { amount: 200_011, country: 'DE' }, settings }, async (page) => {
      for (const [name, text] of [
        ['email_address', 'ada@example.com'],
        ['billing_address/line1', 'Hauptstraße 1'],
        ['billing_address/postal_code', '10115'],
        ['billing_address/city', 'Berlin'],
      ] as const)
        await field(page, name).fill(text)
      await typeCard(page)
      await page.locator('button.pay').click()
      await page.getByRole('alert').getByText('There is not enough money on this card.').waitFor()

      expect(await field(page, 'billing_address/city').inputValue()).toBe('Berlin')
      expect(await field(page, 'email_address').inputValue()).toBe('ada@example.com')
    })
  })

  test('costs a page that asks for nothing no byte', async () => {
    const asked: string[] = []
    const { path } = await openHostedPage(cashier.service)
    await browse(cashier.browser, {}, async (page) => {
      page.on('request', (request) => asked.push(request.url()))
      await page.goto(`${cashier.origin}${path}`)
      await page.locator('button.pay').waitFor()

      expect(asked.filter((url) => /contact|wallet-buttons/.test(url))).toEqual([])
      expect(await page.content()).not.toContain(WORDS.en.contact.prefecture)
    })
  })

  test.each(LOCALES)('is asked in %s, from the side where that language begins', async (locale) => {
    await visit({ settings: { locale } }, async (page) => {
      const words = WORDS[locale].contact
      expect(await page.locator('.contact legend').allTextContents()).toEqual([
        words.contact,
        words.shipping,
        WORDS[locale].pay.card,
      ])
      const countries = await field(page, 'shipping_address/country').locator('option').allTextContents()
      expect(countries).toHaveLength(251)
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      if (locale === 'ar') expect(await problemsInBothSchemes(page)).toEqual([])
    })
  })

  test('is asked by the form in the page of a shop, too', async () => {
    await visitShop(cashier.browser, { html: SHOP }, async (page) => {
      const { url } = await openFor(cashier, page, { settings: { required_fields: ['email_address'] } })
      await show(page, url)
      await formIn(page).locator('[name=email_address]').fill('ada@example.com')
      await payIn(page, CARD.number)
      await until(page, 'paid')
    })
  })
})
