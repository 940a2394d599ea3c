import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { accessibilityProblems, browse, problemsInBothSchemes, UNANSWERED } from '#testing/browse.ts'
import { hasBrowser, isFirefox } from '#testing/browser.ts'
import { giftCardWith } from '#testing/gift-cards.ts'
import { openHostedPage, payOnPage } from '#testing/hosted-page.ts'
import { CARD } from '#testing/till.ts'
import { LOCALES } from '../../server/src/domain/locale.ts'
import { WORDS } from '../../server/src/words/words.ts'
import { type Cashier, loseAnswers, openCashier } from '../testing/cashier.ts'

/** The words are the same in all browsers. Signs, directions and widths are not. */
const SOME_LOCALES = ['de', 'ar', 'he', 'ja'] as const

let cashier: Cashier
let buyers = 0

describe.skipIf(!hasBrowser)('the page on which a buyer pays', () => {
  beforeAll(async () => {
    cashier = await openCashier()
    await cashier.service.send('PUT /merchant-accounts/default', { display_name: 'Fjord & Pine' })
  })
  afterEach(() => vi.restoreAllMocks())
  afterAll(() => cashier.close())

  const open = (order: object = {}, settings: object = {}) => openHostedPage(cashier.service, order, settings)
  const at = <Result>(path: string, work: (page: Page) => Promise<Result>, options: object = {}) =>
    browse(cashier.browser, options, async (page) => {
      await page.goto(`${cashier.origin}${path}`)
      return work(page)
    })
  const paymentsOf = async (id: string) =>
    (await cashier.service.send(`GET /transactions?checkout_session_id=${id}`)).json().items
  const heading = (page: Page) => page.locator('.notice h1')

  async function type(page: Page, number = CARD.number): Promise<void> {
    await page.getByLabel('Card number', { exact: true }).pressSequentially(number)
    await page.getByLabel('Expiry date').pressSequentially('1240')
    await page.getByLabel('Security code').pressSequentially('737')
  }
  const press = (page: Page) => page.locator('button.pay').click()

  async function newBuyer(): Promise<{ id: string; session: object }> {
    buyers += 1
    const external_identifier = `page-buyer-${buyers}`
    const { id } = (await cashier.service.send('POST /buyers', { external_identifier })).json()
    return { id, session: { buyer: { external_identifier } } }
  }

  describe('takes', () => {
    test('a card that is typed, and shows a receipt', async () => {
      const { sessionId, path } = await open({
        cart_items: [{ name: 'Canvas bag', quantity: 2, unit_amount: 1299 }],
      })

      await at(path, async (page) => {
        expect(await page.title()).toBe('Pay $25.98 – Fjord & Pine')
        await type(page)
        expect(await page.getByLabel('Card number', { exact: true }).inputValue()).toBe('4111 1111 1111 1111')
        expect(await page.locator('.with-mark img').getAttribute('src')).toContain('visa')
        await press(page)
        await heading(page).filter({ hasText: 'Paid' }).waitFor()
        expect(await page.locator('.receipt').textContent()).toContain('Visa •••• 1111')
        // Loading it again shows the same.
        await page.reload()
        expect(await page.locator('.receipt').textContent()).toContain('Visa •••• 1111')
      })

      expect(await paymentsOf(sessionId)).toHaveLength(1)
    })

    test('a stored card with its code, and lets the buyer remove it', async () => {
      const { id, session } = await newBuyer()
      const { number, expiration_date } = CARD
      for (const one of [number, '5555555555554444'])
        await cashier.service.send('POST /payment-methods', {
          method: 'card',
          number: one,
          expiration_date,
          buyer_id: id,
        })
      const { path } = await open(session)

      await at(path, async (page) => {
        await page.getByRole('button', { name: /Remove: Mastercard/ }).click()
        await page.getByRole('button', { name: 'Yes, remove it' }).click()
        await page.getByText('Mastercard').waitFor({ state: 'detached' })
        await press(page)
        expect(await page.locator('.wrong').textContent()).toBe('Check the security code.')
        await page.getByLabel('Security code').fill('737')
        await press(page)
        await heading(page).filter({ hasText: 'Paid' }).waitFor()
      })

      const left = await cashier.service.send(`GET /buyers/payment-methods?buyer_id=${id}`)
      expect(left.json().items).toHaveLength(1)
    })

    test('gift cards, those that are stored too, and a card for the rest', async () => {
      const { id, session } = await newBuyer()
      const [stored, typed] = [giftCardWith(1000), giftCardWith(500)]
      await cashier.service.send('POST /gift-cards', { ...stored, buyer_id: id })
      const { path } = await open({ ...session, amount: 3000 }, { store: 'ask' })

      await at(path, async (page) => {
        await page.getByText('Use a gift card').click()
        await page.getByRole('button', { name: /\$10.00 left on it/ }).click()
        await page.getByLabel('Gift card number').fill(typed.number)
        await page.getByLabel('PIN').fill('nonsense')
        await page.getByRole('button', { name: 'Apply' }).click()
        await page.getByText('This gift card cannot be used').waitFor()
        await page.getByLabel('PIN').fill(typed.pin)
        await page.getByLabel('PIN').press('Enter')
        await page.getByText('pays $5.00').waitFor()
        await type(page)
        await page.getByLabel('Save this card').check()
        expect(await page.locator('button.pay').textContent()).toBe('Pay $15.00')
        await press(page)
        await heading(page).filter({ hasText: 'Paid' }).waitFor()
        expect(await page.locator('.receipt').textContent()).toContain('$15.00')
      })

      const kept = await cashier.service.send(`GET /buyers/payment-methods?buyer_id=${id}`)
      expect(kept.json().items).toHaveLength(1)
    })

    test('a gift card and a card, and prints who paid what, when and how on white', async () => {
      const card = giftCardWith(1000)
      const settings = {
        locale: 'en',
        external_identifier: 'order-77',
        return_url: 'https://shop.example.com/thanks',
      }
      const { sessionId, path } = await open({ amount: 3000 }, settings)

      await at(
        path,
        async (page) => {
          await page.getByText('Use a gift card').click()
          await page.getByLabel('Gift card number').fill(card.number)
          await page.getByLabel('PIN').fill(card.pin)
          await page.getByLabel('PIN').press('Enter')
          await page.getByText('pays $10.00').waitFor()
          await type(page)
          await press(page)
          await heading(page).filter({ hasText: 'Paid' }).waitFor()
          const [payment] = await paymentsOf(sessionId)
          const texts = (part: string) => page.locator(`.receipt ${part}`).allTextContents()
          const [names, values] = [await texts('dt'), await texts('dd')]
          const date = values[3] ?? ''
          expect(new Date(date)).toEqual(new Date(new Date(payment.created_at).setSeconds(0, 0)))
          expect(names.map((name, index) => [name, values[index]])).toEqual([
            ['Fjord & Pine', '$30.00'],
            ['Gift cards', '$10.00'],
            ['Visa •••• 1111', '$20.00'],
            ['Date', date],
            ['Order number', 'order-77'],
            ['Reference', payment.id],
          ])

          await page.evaluate('window.print = () => dispatchEvent(new Event("beforeprint"))')
          await page.getByRole('button', { name: 'Print this page' }).click()
          // Who prints is not led back to the shop meanwhile.
          await page.getByText('You will be taken back').waitFor({ state: 'detached' })
          // WebDriver BiDi has no print yet.
          if (isFirefox) return
          await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
          expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(
            'rgb(255, 255, 255)',
          )
          expect(await page.getByRole('button').count()).toBe(0)
          expect(await page.getByRole('link').count()).toBe(0)
          expect(await page.locator('.receipt').isVisible()).toBe(true)
        },
        { colorScheme: 'dark' },
      )
    })

    test('a method of the account that leads elsewhere', async () => {
      await cashier.service.send('POST /payment-services', {
        display_name: 'Wallet',
        payment_service_definition_id: 'mock-paypal',
        fields: [{ key: 'merchant_id', value: 'shop' }],
        accepted_currencies: ['EUR'],
        accepted_countries: ['DE'],
      })
      const { path } = await open({ currency: 'EUR', country: 'DE' })

      await at(path, async (page) => {
        await page.getByLabel('PayPal').check()
        const [request] = await Promise.all([
          page.waitForRequest((one) => one.isNavigationRequest() && !one.url().includes('/pay/')),
          page.getByRole('button', { name: 'Continue to PayPal' }).click(),
        ])
        expect(request.url()).toMatch(/^http/)
      })
    })

    test('a method that asks for a code of the banking app', async () => {
      await cashier.service.send('POST /payment-services', {
        display_name: 'BLIK',
        payment_service_definition_id: 'mock-blik',
        fields: [{ key: 'merchant_id', value: 'shop' }],
        accepted_currencies: ['PLN'],
        accepted_countries: ['PL'],
      })
      const { path } = await open({ currency: 'PLN', country: 'PL' })

      await at(path, async (page) => {
        await page.getByLabel('BLIK', { exact: true }).check()
        await page.getByLabel('BLIK code').fill('7771')
        await page.getByRole('button', { name: 'Continue to BLIK' }).click()
        expect(await page.getByText('Check this field for a typing mistake.').isVisible()).toBe(true)
        expect(await accessibilityProblems(page)).toEqual([])
        await page.getByLabel('BLIK code').fill('777123')
        await page.getByRole('button', { name: 'Continue to BLIK' }).click()
        await page.getByRole('heading', { name: 'Approve in your app' }).waitFor()
      })
    })

    test('a debit, whose mandate the buyer permits', async () => {
      await cashier.service.send('POST /payment-services', {
        display_name: 'SEPA',
        payment_service_definition_id: 'mock-sepa',
        fields: [{ key: 'merchant_id', value: 'shop' }],
        accepted_currencies: ['EUR'],
        accepted_countries: ['AT'],
      })
      const { path } = await open({ currency: 'EUR', country: 'AT' })

      await at(path, async (page) => {
        await page.getByLabel('SEPA').check()
        await page.getByRole('button', { name: 'Continue to SEPA' }).click()
        await page.getByText('you permit the shop to debit your account').waitFor()
      })
    })

    test('a card whose bank asks for approval', async () => {
      const { path } = await open({}, { return_url: 'http://127.0.0.1:3000/docs' })

      await at(path, async (page) => {
        await type(page, '4111111111102011')
        await press(page)
        await page.frameLocator('.challenge iframe').getByRole('button', { name: 'Approve' }).click()
        await heading(page).filter({ hasText: 'Paid' }).waitFor()
        expect(new URL(page.url()).pathname).toBe(path)
        const back = page.getByRole('link', { name: 'Back to Fjord & Pine' })
        expect(await back.getAttribute('href')).toContain('transaction_status=authorization_succeeded')
      })
    })

    test.each([
      ['the scheme that the buyer chooses', 'Carte Bancaire', 'carte-bancaire', ['visa']],
      ['the first scheme without a choice', undefined, 'visa', ['carte-bancaire']],
    ])('a card of two schemes, with %s', async (_what, name, scheme, others) => {
      const { id, session } = await newBuyer()
      const { sessionId, path } = await open(session, { store: 'always' })

      await at(path, async (page) => {
        await type(page, '4035501000000008')
        expect(await page.getByRole('group', { name: 'Pay with' }).getByRole('radio').count()).toBe(2)
        expect(await page.getByLabel('Visa').isChecked()).toBe(true)
        expect(await accessibilityProblems(page)).toEqual([])
        if (name) await page.getByLabel(name).check()
        await press(page)
        await heading(page).filter({ hasText: 'Paid' }).waitFor()
      })

      const [payment] = await paymentsOf(sessionId)
      expect(payment.payment_method.scheme).toBe(scheme)
      const stored = await cashier.service.send(`GET /buyers/payment-methods?buyer_id=${id}`)
      const method = await cashier.service.send(`GET /payment-methods/${stored.json().items[0].id}`)
      expect(method.json()).toMatchObject({ scheme, additional_schemes: others })
    })

    test('a second try after a refusal', async () => {
      const { sessionId, path } = await open({ amount: 200_011 })

      await at(path, async (page) => {
        await type(page)
        await press(page)
        await page.getByRole('alert').getByText('There is not enough money on this card.').waitFor()
        expect(await page.getByLabel('Security code').inputValue()).toBe('')
        await page.getByLabel('Security code').fill('737')
        await press(page)
        await expect.poll(async () => (await paymentsOf(sessionId)).length).toBe(2)
      })
    })
  })

  test('never charges an amount that it did not show: the buyer sees the new order, and decides again', async () => {
    const cart_items = [{ name: 'Canvas bag', quantity: 2, unit_amount: 1299 }]
    const { sessionId, path } = await open({ cart_items })

    await at(
      path,
      async (page) => {
        await type(page)
        await cashier.service.send(`PUT /checkout/sessions/${sessionId}`, {
          amount: 999_900,
          cart_items: [{ name: 'Sofa', quantity: 1, unit_amount: 999_900 }],
        })
        await press(page)
        await page.getByRole('alert').getByText('The shop has changed your order.').waitFor()
        expect(await paymentsOf(sessionId)).toEqual([])
        expect(await page.locator('button.pay').textContent()).toBe('Pay $9,999.00')
        expect(await page.locator('.order').textContent()).toContain('Sofa')
        expect(await page.title()).toContain('Pay $9,999.00')
        await press(page)
        await heading(page).filter({ hasText: 'Paid' }).waitFor()
        expect(await page.locator('.receipt').textContent()).toContain('$9,999.00')
      },
      { errors: [/409/] },
    )

    expect(await paymentsOf(sessionId)).toMatchObject([{ amount: 999_900 }])
  })

  describe('keeps a payment from being made twice', () => {
    test('by a double click', async () => {
      const { sessionId, path } = await open()

      await at(path, async (page) => {
        await type(page)
        await page.locator('button.pay').dblclick()
        await heading(page).filter({ hasText: 'Paid' }).waitFor()
      })

      expect(await paymentsOf(sessionId)).toHaveLength(1)
    })

    test('when it is paid in another tab', async () => {
      const { sessionId, path } = await open()

      await at(
        path,
        async (page) => {
          await type(page)
          await payOnPage(cashier.service, path)
          await press(page)
          await page.getByText('This order has been paid.').waitFor()
        },
        { errors: [/409/] },
      )

      expect(await paymentsOf(sessionId)).toHaveLength(1)
    })

    test('when another tab has tried and failed: the buyer is told, and decides again', async () => {
      const { sessionId, path } = await open({ amount: 200_011 })

      await at(
        path,
        async (page) => {
          await type(page)
          await payOnPage(cashier.service, path)
          await press(page)
          await page.getByText('There was another attempt to pay in the meantime').waitFor()
        },
        { errors: [/409/] },
      )

      expect(await paymentsOf(sessionId)).toHaveLength(1)
    })

    test('when the answer is lost: the page finds out, and does not ask for money again', async () => {
      const { sessionId, path } = await open()
      const answerAgain = loseAnswers(cashier.service, '/payments')

      await at(
        path,
        async (page) => {
          await type(page)
          await press(page)
          await heading(page).filter({ hasText: 'Finding out about your payment' }).waitFor()
          await heading(page).filter({ hasText: 'Paid' }).waitFor()
          expect(await page.locator('.receipt').textContent()).toContain('1111')
        },
        { errors: [UNANSWERED] },
      )
      answerAgain()

      expect(await paymentsOf(sessionId)).toHaveLength(1)
    })

    test('when the form never arrived: after half a minute the buyer may send it again', async () => {
      const { sessionId, path } = await open()

      await at(
        path,
        async (page) => {
          await page.clock.install()
          await page.reload()
          await page.route('**/payments', (route) => route.abort('connectionreset'), { times: 1 })
          await type(page)
          await press(page)
          await heading(page).filter({ hasText: 'Finding out about your payment' }).waitFor()
          await expect
            .poll(async () => {
              await page.clock.runFor(5_000)
              return page.getByText('Nothing was charged. Please try again.').isVisible()
            })
            .toBe(true)
          expect(await paymentsOf(sessionId)).toEqual([])
          // What was typed is still there.
          await press(page)
          await expect
            .poll(async () => {
              await page.clock.runFor(100)
              return heading(page).filter({ hasText: 'Paid' }).isVisible()
            })
            .toBe(true)
        },
        { errors: [UNANSWERED] },
      )

      expect(await paymentsOf(sessionId)).toHaveLength(1)
    })

    test('while its outcome is unknown: the page waits, and does not call it failed', async () => {
      const { path } = await open({ amount: 600_002 })

      await at(path, async (page) => {
        await type(page)
        await press(page)
        await heading(page).filter({ hasText: 'Payment in progress' }).waitFor()
        await page.reload()
        await heading(page).filter({ hasText: 'Payment in progress' }).waitFor()
      })
    })
  })

  describe('says so', () => {
    test('when the session has expired, also while the buyer types', async () => {
      const { sessionId, path } = await open()

      await at(
        path,
        async (page) => {
          await type(page)
          await cashier.service.context.db
            .updateTable('checkout_sessions')
            .set({ expires_at: cashier.service.context.clock() })
            .where('id', '=', sessionId)
            .execute()
          await press(page)
          await heading(page).filter({ hasText: 'The time to pay is over' }).waitFor()
          await page.reload()
          await heading(page).filter({ hasText: 'The time to pay is over' }).waitFor()
        },
        { errors: [/409/] },
      )

      expect(await paymentsOf(sessionId)).toEqual([])
    })

    test.each([
      ['of another account', (path: string) => path.replace('/default/', '/other-shop/')],
      ['that was cut short', (path: string) => path.slice(0, path.lastIndexOf('/'))],
      [
        'with a token in place of its key',
        (path: string) => path.replace(/[^/]+$/, 'eyJhbGciOiJFUzUxMiJ9.e30.AA'),
      ],
    ])('when the address is one %s', async (_what, change) => {
      const { path } = await open()

      await at(
        change(path),
        async (page) => {
          await heading(page).filter({ hasText: 'This link does not work' }).waitFor()
          expect(await accessibilityProblems(page)).toEqual([])
        },
        { errors: [/404/] },
      )
    })

    test('in which fields something is wrong, and leads there', async () => {
      const { sessionId, path } = await open()

      await at(path, async (page) => {
        await page.getByLabel('Card number', { exact: true }).fill('4111 1111 1111 1112')
        await page.getByLabel('Expiry date').fill('01/20')
        await press(page)
        expect(await page.locator('.wrong').allTextContents()).toEqual([
          'Check the card number for a typing mistake.',
          'This card has expired. Use another one.',
          'Check the security code.',
        ])
        expect(await page.evaluate<string>('document.activeElement.name')).toBe('number')
        expect(await accessibilityProblems(page)).toEqual([])
      })

      expect(await paymentsOf(sessionId)).toEqual([])
    })
  })

  test('takes what was pasted into the address out of it', async () => {
    const { path } = await open()

    await at(`${path}?token=eyJhbGciOiJFUzUxMiJ9.secret&x=1#eyJhbGciOiJFUzUxMiJ9`, async (page) => {
      await page.locator('form').waitFor()
      await expect.poll(() => page.evaluate('location.href')).toBe(`${cashier.origin}${path}`)
    })
  })

  test('works where storage and cookies are blocked', async () => {
    const { sessionId, path } = await open()

    await browse(cashier.browser, {}, async (page) => {
      await page.addInitScript(`
        for (const name of ['sessionStorage', 'localStorage', 'cookieStore'])
          Object.defineProperty(window, name, { get() { throw new DOMException('blocked', 'SecurityError') } })
        Object.defineProperty(document, 'cookie', { get() { throw new DOMException('blocked', 'SecurityError') } })`)
      await page.goto(`${cashier.origin}${path}`)
      await type(page)
      await press(page)
      await heading(page).filter({ hasText: 'Paid' }).waitFor()
    })

    expect(await paymentsOf(sessionId)).toHaveLength(1)
  })

  test('shows scripts, HTML and turned-around text of merchants as text', async () => {
    const evil = '</script><script>window.hacked=1</script><img src=x onerror=hacked=1>\u202Egnp.exe'
    await cashier.service.send('POST /merchant-accounts', { id: 'evil', display_name: evil })
    await cashier.service.send(
      'POST /payment-services',
      {
        display_name: evil,
        payment_service_definition_id: 'mock-card',
        accepted_currencies: ['USD'],
        accepted_countries: ['US'],
        fields: [{ key: 'merchant_id', value: 'shop' }],
      },
      { account: 'evil' },
    )
    const link = await cashier.service.send(
      'POST /payment-links',
      {
        amount: 1,
        currency: 'USD',
        country: 'US',
        merchant_name: evil.slice(0, 100),
        merchant_message: evil,
        cart_items: [{ name: evil, quantity: 1, unit_amount: 1 }],
      },
      { account: 'evil' },
    )
    expect(link.statusCode, link.body).toBe(201)

    await at(new URL(link.json().url).pathname, async (page) => {
      await page.locator('.message').waitFor()
      expect(await page.evaluate('window.hacked')).toBeUndefined()
      expect(await page.locator('img[src=x], .order script').count()).toBe(0)
      expect(await page.locator('.message').textContent()).toBe(evil)
      // Each is alone in a bdi, so it turns nothing else around.
      expect(await page.locator('.message > bdi, .merchant > bdi, li bdi').count()).toBe(3)
    })
  })

  test('is for everyone: in both colour schemes, from right to left, and in every state', async () => {
    const { session } = await newBuyer()
    const cart_items = [{ name: 'Bag', quantity: 1, unit_amount: 2598 }]
    for (const locale of ['en', 'ar'] as const) {
      const { path } = await open({ ...session, cart_items }, { locale, store: 'ask' })
      await at(path, async (page) => {
        await page.locator('.gifts summary').click()
        expect(await problemsInBothSchemes(page), locale).toEqual([])
        await page.locator('[name=number]').fill(CARD.number)
        await page.locator('[name=expiry]').fill('12/40')
        await page.locator('[name=code]').fill('737')
        await press(page)
        await page.locator('.notice.good').waitFor()
        expect(await problemsInBothSchemes(page), `${locale} paid`).toEqual([])
      })
    }
  })

  test('can be used with the keyboard alone, in the order in which it is read', async () => {
    const { path } = await open({}, { locale: 'en' })

    await at(path, async (page) => {
      await page.locator('form').waitFor()
      const passed: string[] = []
      for (let step = 0; step < 5; step += 1) {
        await page.keyboard.press('Tab')
        passed.push(
          await page.evaluate<string>('document.activeElement.name || document.activeElement.tagName'),
        )
        if (passed.at(-1) === 'number') await page.keyboard.type('4111111111111111')
        if (passed.at(-1) === 'expiry') await page.keyboard.type('1240')
        if (passed.at(-1) === 'code') await page.keyboard.type('737')
      }
      expect(passed).toEqual(['number', 'expiry', 'code', 'SUMMARY', 'BUTTON'])
      await page.keyboard.press('Enter')
      await heading(page).filter({ hasText: 'Paid' }).waitFor()
      expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Paid')
    })
  })

  test.each([320, 390, 768, 1280, 1920])('fits into %i pixels', async (width) => {
    const cart_items = [{ name: 'A'.repeat(120), quantity: 1, unit_amount: 2598 }]
    const { path } = await open({ cart_items })

    await at(
      path,
      async (page) => {
        await page.locator('form').waitFor()
        const [inner, whole] = await page.evaluate<[number, number]>(
          '[innerWidth, document.documentElement.scrollWidth]',
        )
        expect(whole).toBeLessThanOrEqual(inner)
      },
      { viewport: { width, height: 800 } },
    )
  })

  test.each(isFirefox ? SOME_LOCALES : LOCALES)('speaks %s, in 320 pixels', async (locale) => {
    const { path } = await open({ currency: 'JPY', country: 'JP', amount: 1299 }, { locale })

    const look = async (page: Page) => {
      await page.locator('form').waitFor()
      expect(await page.locator('html').getAttribute('lang')).toBe(locale)
      expect(await page.locator('html').getAttribute('dir')).toBe(
        ['ar', 'he'].includes(locale) ? 'rtl' : 'ltr',
      )
      const text = (await page.locator('.order .sum').textContent()) ?? ''
      expect(text.replaceAll(/\D/g, '')).toBe('1299')
      const labels = await page.locator('label').allTextContents()
      if (!locale.startsWith('en')) expect(labels).not.toContain('Card number')
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
    }
    await at(path, look, { viewport: { width: 320, height: 800 } })

    const { body } = await cashier.service.app.inject({ method: 'GET', url: path })
    expect(/<noscript><p[^>]*>([^<]+)</.exec(body)?.[1]).toBe(WORDS[locale].noScript)
  })

  test('wears the theme of its merchant account', async () => {
    await cashier.service.send('PUT /merchant-accounts/default/theme', {
      accent_color: '#4338ca',
      radius: 'none',
      font: 'serif',
      logo: {
        media_type: 'image/png',
        data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
      },
    })
    const { path } = await open()

    await at(path, async (page) => {
      const style = (property: string) =>
        page.locator('button.pay').evaluate((button, name) => {
          const { getComputedStyle } = globalThis as unknown as { getComputedStyle: (of: unknown) => never }
          return (
            getComputedStyle(button) as { getPropertyValue: (name: string) => string }
          ).getPropertyValue(name)
        }, property)
      expect(await style('background-color')).toBe('rgb(67, 56, 202)')
      expect(await style('border-top-left-radius')).toBe('0px')
      expect(await style('font-family')).toContain('Georgia')
      const width = await page
        .locator('.merchant img')
        .evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth)
      expect(width).toBe(1)
    })
    const reset = { accent_color: null, radius: null, font: null, logo: null }
    await cashier.service.send('PUT /merchant-accounts/default/theme', reset)
  })

  test('can be framed by the origins that the merchant allows, and by no other', async () => {
    const { path } = await open({}, { allowed_origins: ['https://shop.example.com'] })
    const closed = await open()
    const policyOf = async (url: string) =>
      String((await cashier.service.app.inject({ method: 'GET', url })).headers['content-security-policy'])

    expect(await policyOf(path)).toContain('frame-ancestors https://shop.example.com')
    expect(await policyOf(closed.path)).toContain("frame-ancestors 'none'")
  })
})
