import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessibilityProblems, NOT_FRAMED } from '#testing/browse.ts'
import { hasBrowser, isFirefox } from '#testing/browser.ts'
import { CARD } from '#testing/till.ts'
import { type Cashier, openCashier } from '../testing/cashier.ts'
import {
  destroyIn,
  formIn,
  frameIn,
  heightsIn,
  mount,
  openFor,
  payIn,
  SHOP,
  show,
  toldIn,
  until,
} from '../testing/drop-in.ts'
import { visitShop } from '../testing/shop.ts'

const CHALLENGED = '4111111111102011'
/** How long the loader waits for the form. */
const PATIENCE_MS = 20_000

let cashier: Cashier

describe.skipIf(!hasBrowser)('the form in a page of a shop', () => {
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
  const open = (page: Page, wishes: object = {}) => openFor(cashier, page, wishes)
  const paymentsOf = async (id: string) =>
    (await cashier.service.send(`GET /transactions?checkout_session_id=${id}`)).json().items
  const style = (page: Page, selector: string, property: string) =>
    formIn(page)
      .locator(selector)
      .evaluate((element, name) => {
        type Read = (of: unknown) => { getPropertyValue: (name: string) => string }
        const { getComputedStyle } = globalThis as unknown as { getComputedStyle: Read }
        return getComputedStyle(element).getPropertyValue(name)
      }, property)

  describe('takes', () => {
    test('a card, tells the shop status and id alone, and leaves the window where it is', async () => {
      await visit(async (page, heard) => {
        const { sessionId, url } = await open(page, {
          settings: { return_url: 'https://shop.example.com/thanks' },
        })
        const address = page.url()
        await show(page, url)
        await payIn(page)
        await until(page, 'paid')
        await formIn(page).getByText('Visa •••• 1111').waitFor()

        const [{ id }] = await paymentsOf(sessionId)
        expect(await toldIn(page)).toEqual([
          { name: 'ready', detail: { status: 'open', transactionId: null } },
          { name: 'paid', detail: { status: 'paid', transactionId: id } },
        ])
        expect(await formIn(page).getByText('You will be taken back').count()).toBe(0)
        expect(page.url()).toBe(address)
        const messages = heard.map((text) => JSON.parse(text))
        expect(messages.map(({ type }) => type)).toContain('paid')
        const fields = new Set(messages.flatMap((message) => Object.keys(message)))
        expect(fields).toEqual(new Set(['channel', 'height', 'status', 'transactionId', 'type']))
        const key = url.slice(url.lastIndexOf('/') + 1)
        for (const secret of [CARD.number, '4111 1111', '12/40', key])
          expect(heard.join('\n')).not.toContain(secret)
      })
    })

    test('a second try after a refusal, of which the shop is told', async () => {
      await visit(async (page) => {
        const { sessionId, url } = await open(page, { order: { amount: 200_011 } })
        await show(page, url)
        await payIn(page)
        await until(page, 'declined')
        await formIn(page).getByLabel('Security code').fill('737')
        await formIn(page).locator('button.pay').click()
        await expect.poll(async () => (await toldIn(page)).length).toBe(3)

        const payments: { id: string }[] = await paymentsOf(sessionId)
        const declined = (await toldIn(page)).slice(1)
        expect(declined.map(({ name }) => name)).toEqual(['declined', 'declined'])
        expect(new Set(declined.map(({ detail }) => detail['transactionId']))).toEqual(
          new Set(payments.map(({ id }) => id)),
        )
        expect(payments).toHaveLength(2)
      })
    })

    test('a payment whose outcome is unknown: the shop is told to wait', async () => {
      await visit(async (page) => {
        const { url } = await open(page, { order: { amount: 600_002 } })
        await show(page, url)
        await payIn(page)
        await until(page, 'waiting')

        expect((await toldIn(page)).at(-1)?.detail['status']).toBe('processing')
      })
    })

    test('a method that leads elsewhere, in the window of the shop', async () => {
      await visit(async (page) => {
        const { url } = await open(page, { order: { currency: 'EUR', country: 'DE' } })
        await show(page, url)
        await formIn(page).getByLabel('PayPal').check()
        const [request] = await Promise.all([
          page.waitForRequest((one) => one.isNavigationRequest()),
          formIn(page).getByRole('button', { name: 'Continue to PayPal' }).click(),
        ])

        expect(request.frame()).toBe(page.mainFrame())
        expect(request.url()).toMatch(/^http/)
      })
    })

    test('another way after coming back: nothing moves the shop’s page without a click', async () => {
      await visit(async (page) => {
        const { sessionId, url } = await open(page, { order: { currency: 'EUR', country: 'DE' } })
        const address = page.url()
        await show(page, url)
        await formIn(page).getByLabel('PayPal').check()
        await formIn(page).getByRole('button', { name: 'Continue to PayPal' }).click()
        await page.waitForURL((now) => now.href !== address)
        await page.goto(address)
        await show(page, url)
        await formIn(page).getByRole('heading', { name: 'You were about to pay with PayPal' }).waitFor()

        expect((await toldIn(page)).map(({ name }) => name)).not.toContain('redirect')
        expect(page.url()).toBe(address)
        await formIn(page).getByRole('button', { name: 'Pay another way' }).click()
        await formIn(page).locator('button.pay').waitFor()
        await payIn(page)
        await until(page, 'paid')
        expect(await paymentsOf(sessionId)).toHaveLength(2)
      })
    })
  })

  describe('leads the window to the bank if the buyer wants that. The bank', () => {
    async function challenge(page: Page, settings: object): Promise<string> {
      const { url } = await open(page, { settings })
      await show(page, url)
      await payIn(page, CHALLENGED)
      await formIn(page).getByRole('link', { name: 'Open in the whole window' }).click()
      await page.waitForURL('**/approvals/**')
      return url
    }

    test.each([
      ['Approve', 'paid', 'Paid'],
      ['Refuse', 'declined', 'The payment was not approved'],
    ] as const)('returns to the shop after “%s”, where the form shows it', async (answer, name, text) => {
      await visit(async (page) => {
        const back = `${page.url()}checkout`
        const url = await challenge(page, { return_url: back })
        await page.getByRole('button', { name: answer }).click()
        await page.waitForURL(`${back}?**`)
        await show(page, url)
        await until(page, name)

        await formIn(page).getByText(text).first().waitFor()
        const id = new URL(page.url()).searchParams.get('transaction_id')
        expect((await toldIn(page)).at(-1)).toMatchObject({ name, detail: { transactionId: id } })
      })
    })

    test('returns to the page itself, if the shop names no address', async () => {
      await visit(async (page) => {
        const url = await challenge(page, {})
        await page.getByRole('button', { name: 'Approve' }).click()
        await page.getByRole('heading', { name: 'Paid' }).waitFor()

        expect(page.url().startsWith(url)).toBe(true)
      })
    })
  })

  test('has the height of what is in it, also where it is not in sight yet', async () => {
    await visit(async (page) => {
      const { url } = await open(page)
      await page.evaluate(`document.querySelector('#place').className = 'low'`)
      await show(page, url)
      const height = () =>
        page.evaluate<number>(`document.querySelector('#place iframe').getBoundingClientRect().height`)
      const content = () =>
        frameIn(page)?.evaluate<number>('Math.ceil(document.documentElement.getBoundingClientRect().height)')
      const before = await height()
      expect(before).not.toBe(320)
      await formIn(page).locator('button.pay').click()

      await expect.poll(height).toBeGreaterThan(before)
      await expect.poll(async () => (await height()) === (await content())).toBe(true)
      expect((await heightsIn(page)).at(-1)).toBe(await height())
    })
  })

  test('says that the time to pay is over', async () => {
    await visit(async (page) => {
      const { sessionId, url } = await open(page)
      await cashier.service.context.db
        .updateTable('checkout_sessions')
        .set({ expires_at: cashier.service.context.clock() })
        .where('id', '=', sessionId)
        .execute()
      await show(page, url)
      await until(page, 'expired')

      await formIn(page).getByText('The time to pay is over').waitFor()
    })
  })

  test('still knows its shop when the frame is loaded again', async () => {
    await visit(async (page) => {
      const { url } = await open(page)
      await show(page, url)
      await frameIn(page)?.evaluate('location.reload()')

      await expect
        .poll(async () => (await toldIn(page)).filter(({ name }) => name === 'ready').length)
        .toBe(2)
    })
  })

  test('is gone when the shop wants it gone', async () => {
    await visit(async (page) => {
      const { url } = await open(page)
      await show(page, url)
      await destroyIn(page)

      expect(await page.locator('iframe').count()).toBe(0)
    })
  })

  describe('is safe:', () => {
    test('a shop that is not allowed does not get it, and is told why', async () => {
      await visit(
        async (page) => {
          await page.clock.install()
          const { url } = await open(page, { settings: { allowed_origins: ['https://shop.example.com'] } })
          await mount(page, url)
          await page.clock.runFor(PATIENCE_MS)
          await until(page, 'error')

          expect((await toldIn(page))[0]?.detail['message']).toContain('allowed_origins')
          expect(await frameIn(page)?.locator('form').count()).toBeFalsy()
        },
        { errors: [NOT_FRAMED] },
      )
    })

    test('the server names only an allowed origin to the page', async () => {
      await visit(async (page) => {
        const { url } = await open(page)
        const factsFor = async (origin: string) => {
          const asked = `${new URL(url).pathname}?embed=${encodeURIComponent(origin)}`
          const { body } = await cashier.service.app.inject({ method: 'GET', url: asked })
          return JSON.parse(/id="data">([^<]+)</.exec(body)?.[1] ?? '{}')
        }
        const { origin } = new URL(page.url())

        expect((await factsFor(origin)).embed).toBe(origin)
        for (const other of ['https://evil.example.com', '*', `${origin}.evil.example.com`, 'null'])
          expect((await factsFor(other)).embed).toBeNull()
      })
    })

    test('the loader shows no page of another server', async () => {
      await visit(async (page) => {
        const { url } = await open(page)
        await show(page, url)
        const told = await page.evaluate(
          `(() => { try { window.checkout({ url: 'https://evil.example.com/pay/a', place: '#place' }) } catch (error) { return error.message } })()`,
        )

        expect(told).toBe(`The url must begin with ${cashier.origin}/.`)
      })
    })

    test('messages of other windows are not heard', async () => {
      await visit(async (page) => {
        const { url } = await open(page)
        await show(page, url)
        const address = page.url()
        const lie = `for (const type of ['paid', 'resize', 'redirect'])
          parent.postMessage({ channel: 'switchyard-checkout', type, status: 'paid', transactionId: 'lie', height: 7,
            url: 'https://evil.example.com/' }, '*')`
        // One frame has another origin, the other one has that of the form: both are not the form.
        const frames = [
          address.replace('shop.', 'other.'),
          `${cashier.origin}/input.html?type=number&parentOrigin=${new URL(address).origin}`,
        ]
        for (const source of frames) {
          await page.evaluate(
            `new Promise((loaded) => {
              const frame = document.createElement('iframe')
              frame.onload = loaded
              frame.src = ${JSON.stringify(source)}
              document.body.append(frame)
            })`,
          )
          const other = page.frames().find((frame) => frame.url() === source)
          if (!other) throw new Error(`there is no frame ${source}`)
          await other.evaluate(lie)
        }
        // From the window itself, as an extension or another script of the shop could.
        await page.evaluate(lie)
        await payIn(page)
        await until(page, 'paid')

        expect(JSON.stringify(await toldIn(page))).not.toContain('lie')
        expect(await heightsIn(page)).not.toContain(7)
        expect(page.url()).toBe(address)
      })
    })
  })

  test.each(['light', 'dark'] as const)('is for everyone on a %s page of a shop', async (scheme) => {
    await visit(async (page) => {
      const { url } = await open(page)
      const ground = scheme === 'dark' ? '#0b100f' : '#ffffff'
      await page.evaluate(`document.body.className = '${scheme}'`)
      await show(page, url)
      expect(await style(page, 'html', 'color-scheme')).toBe(scheme)
      expect(await style(page, 'body', 'background-color')).toBe('rgba(0, 0, 0, 0)')
      expect(await formIn(page).locator('.order').isVisible()).toBe(false)
      expect(await accessibilityProblems(page)).toEqual([])
      // In Firefox, Playwright adds a style for that, which our policy refuses.
      if (!isFirefox) await page.screenshot({ path: `.vitest/embed-${scheme}.png` })

      // The form has no ground of its own. Axe does not see through the frame, so it gets that of the shop.
      await frameIn(page)?.evaluate(`document.body.style.background = '${ground}'`)
      const problems = async () => accessibilityProblems(frameIn(page) ?? page)
      expect(await problems()).toEqual([])
      await payIn(page)
      await until(page, 'paid')
      await formIn(page).getByText('Visa •••• 1111').waitFor()
      expect(await problems()).toEqual([])
    })
  })

  test('wears the theme of its merchant account', async () => {
    await cashier.service.send('PUT /merchant-accounts/default/theme', { accent_color: '#4338ca' })
    await visit(async (page) => {
      const { url } = await open(page)
      await show(page, url)

      expect(await style(page, 'button.pay', 'background-color')).toBe('rgb(67, 56, 202)')
    })
    await cashier.service.send('PUT /merchant-accounts/default/theme', { accent_color: null })
  })
})
