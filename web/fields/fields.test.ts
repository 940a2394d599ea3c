import type { Browser, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessibilityProblems, UNANSWERED } from '#testing/browse.ts'
import { hasBrowser, isFirefox, launchBrowser } from '#testing/browser.ts'
import { PAGE, showForm, submitIn, toldIn, typeCard } from '../testing/card-form.ts'
import { loseAnswers } from '../testing/cashier.ts'
import { type Counter, fieldIn, openCounter, visitShop } from '../testing/shop.ts'

let browser: Browser
let counter: Counter

beforeAll(async () => {
  if (!hasBrowser) return
  counter = await openCounter()
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await counter?.service.close()
})

const isCardRequest = (request: Request) => request.method() === 'PUT' && request.url().endsWith('/fields')

describe.runIf(hasBrowser)('a card form', () => {
  test('enters a card, and shows it as the buyer types', async () => {
    const session = await counter.newSession()

    await visitShop(browser, { html: PAGE }, async (page) => {
      await showForm(page, { origin: counter.origin, session })
      await typeCard(page, '5454545454545454')
      await fieldIn(page, '#postalCode').pressSequentially('95113')

      expect(await fieldIn(page, '#number').inputValue()).toBe('5454 5454 5454 5454')
      expect(await fieldIn(page, '#expiryDate').inputValue()).toBe('12 / 40')
      const mark = page.frameLocator('#number iframe').locator('#schemes img')
      expect(await mark.getAttribute('alt')).toBe('Mastercard')
      expect(await mark.evaluate((image: { naturalWidth: number }) => image.naturalWidth)).toBeGreaterThan(0)
      await expect.poll(async () => (await toldIn(page)).at(-1)?.detail['complete']).toBe(true)
      expect(await submitIn(page)).toBeUndefined()
    })

    expect(await counter.enteredCard(session)).toMatchObject({ scheme: 'mastercard', label: '5454' })
  })

  test('lets the buyer choose a scheme of a card that carries two', async () => {
    const session = await counter.newSession()

    await visitShop(browser, { html: PAGE }, async (page) => {
      await showForm(page, { origin: counter.origin, session })
      await typeCard(page, '4035501000000008')
      const schemes = page.frameLocator('#number iframe').getByRole('group', { name: 'Pay with' })
      expect(await schemes.getByRole('button', { pressed: true }).getByRole('img').getAttribute('alt')).toBe(
        'Visa',
      )
      await schemes.getByRole('button', { name: 'Carte Bancaire' }).click()

      await expect
        .poll(async () => (await toldIn(page)).findLast(({ name }) => name === 'input')?.detail)
        .toMatchObject({
          schema: 'carte-bancaire',
          additionalSchemes: ['visa'],
        })
      expect(await submitIn(page)).toBeUndefined()
    })

    expect(await counter.enteredCard(session)).toMatchObject({ scheme: 'carte-bancaire' })
  })

  test('pays with a stored card and its security code alone', async () => {
    const buyer = { external_identifier: `buyer-${Date.now()}` }
    const { service } = counter
    const buyerId = (await service.send('POST /buyers', buyer)).json().id
    const stored = await service.send('POST /payment-methods', {
      method: 'card',
      number: '378282246310005',
      expiration_date: '12/40',
      buyer_id: buyerId,
    })
    const { id } = stored.json()
    const session = await counter.newSession({ amount: 1299, currency: 'USD', country: 'US', buyer })

    await visitShop(browser, { html: PAGE }, async (page) => {
      const storedCard = { id, scheme: 'amex' }
      await showForm(page, { origin: counter.origin, session, storedCard, fields: ['securityCode'] })
      await fieldIn(page, '#securityCode').pressSequentially('123')
      await expect.poll(async () => (await toldIn(page)).at(-1)?.detail['complete']).toBe(false)
      await fieldIn(page, '#securityCode').press('4')
      await expect.poll(async () => (await toldIn(page)).at(-1)?.detail['complete']).toBe(true)
      expect(await submitIn(page)).toBeUndefined()
    })

    expect(await counter.enteredCard(session)).toMatchObject({ id, scheme: 'amex' })
  })

  test('takes as many digits of a code as the recognised card has, and leaves room beside the text', async () => {
    const session = await counter.newSession()
    await visitShop(browser, { html: PAGE }, async (page) => {
      await showForm(page, { origin: counter.origin, session })
      await fieldIn(page, '#number').pressSequentially('4111111111111111')
      await fieldIn(page, '#securityCode').pressSequentially('1234')

      expect(await fieldIn(page, '#securityCode').inputValue()).toBe('123')
      const room = await fieldIn(page, '#number').evaluate((field) => {
        type Read = (of: unknown) => { readonly paddingInlineStart: string }
        return (globalThis as unknown as { getComputedStyle: Read }).getComputedStyle(field)
          .paddingInlineStart
      })
      expect(room).toBe('10px')
    })
  })

  test.each(['light', 'dark'] as const)('has no barrier in a %s page', async (colorScheme) => {
    const session = await counter.newSession()
    await visitShop(browser, { html: PAGE, colorScheme }, async (page) => {
      // The ground of the shop's page: axe does not see through frames.
      const backgroundColor = colorScheme === 'dark' ? '#0b100f' : '#ffffff'
      const styles = { colorScheme, backgroundColor }
      const options = { styles, label: 'Card', placeholder: 'Type here' }
      await page.evaluate(`document.body.className = ${JSON.stringify(colorScheme)}`)
      await showForm(page, { origin: counter.origin, session, options })
      await fieldIn(page, '#number').pressSequentially('4035501000000008')
      await fieldIn(page, '#expiryDate').pressSequentially('1220')
      await fieldIn(page, '#securityCode').focus()
      await expect.poll(() => fieldIn(page, '#expiryDate').getAttribute('aria-invalid')).toBe('true')

      for (const frame of page.frames().filter((each) => each.parentFrame() !== null)) {
        expect(await accessibilityProblems(frame), frame.url()).toEqual([])
      }
      // In Firefox, Playwright adds a style for that, which our policy refuses.
      if (!isFirefox) await page.screenshot({ path: `.vitest/fields-${colorScheme}.png` })
    })
  })

  test('follows the buyer who corrects a digit in the middle', async () => {
    const session = await counter.newSession()
    await visitShop(browser, { html: PAGE }, async (page) => {
      await showForm(page, { origin: counter.origin, session })
      const number = fieldIn(page, '#number')
      await number.pressSequentially('411211')
      for (let step = 0; step < 3; step += 1) await number.press('ArrowLeft')
      await number.press('Backspace')
      await number.press('1')

      expect(await number.inputValue()).toBe('4111 11')
      expect(await number.evaluate((input: { selectionStart: number }) => input.selectionStart)).toBe(4)
    })
  })
})

describe.runIf(hasBrowser)('a card form that is submitted', () => {
  test('while the buyer types is refused with the fields that are not whole, and then works', async () => {
    const session = await counter.newSession()

    await visitShop(browser, { html: PAGE, errors: [/400/] }, async (page) => {
      await showForm(page, { origin: counter.origin, session })
      await fieldIn(page, '#number').pressSequentially('41111111')

      const failure = await submitIn(page)
      expect(failure).toMatchObject({ code: 'bad_request', status: 400 })
      const pointers = failure?.details.map((detail) => (detail as { pointer: string }).pointer)
      expect(pointers).toEqual(
        expect.arrayContaining(['/payment_method/number', '/payment_method/expiration_date']),
      )
      await typeCard(page, '11111111')
      expect(await submitIn(page)).toBeUndefined()
    })

    expect(await counter.enteredCard(session)).toMatchObject({ label: '1111' })
  })

  test('twice at once sends the card once', async () => {
    const session = await counter.newSession()

    await visitShop(browser, { html: PAGE }, async (page) => {
      await showForm(page, { origin: counter.origin, session })
      await typeCard(page)
      const sent: string[] = []
      page.on('request', (request) => isCardRequest(request) && sent.push(request.url()))

      expect(await Promise.all([submitIn(page), submitIn(page)])).toEqual([undefined, undefined])
      expect(sent).toHaveLength(1)
    })
  })

  test('can be submitted again if the answer was lost', async () => {
    const session = await counter.newSession()

    // Firefox does not report this request: it is repeated, and in a frame.
    const errors = isFirefox ? [] : [UNANSWERED]
    await visitShop(browser, { html: PAGE, errors }, async (page) => {
      await showForm(page, { origin: counter.origin, session })
      await typeCard(page)
      const answerAgain = loseAnswers(counter.service, '/fields')

      expect(await submitIn(page)).toMatchObject({ code: 'network_error', status: 0 })
      answerAgain()
      expect(await counter.enteredCard(session)).toMatchObject({ label: '1111' })
      expect(await submitIn(page)).toBeUndefined()
    })

    const { items } = (await counter.service.send('GET /transactions')).json()
    expect(items).toEqual([])
  })

  test('to a session that does not exist says so', async () => {
    await visitShop(browser, { html: PAGE, errors: [/404/] }, async (page) => {
      await showForm(page, { origin: counter.origin, session: '0199f3a0-5d3b-7c00-8a11-000000000000' })
      await typeCard(page)

      expect(await submitIn(page)).toMatchObject({ code: 'not_found', status: 404 })
    })
  })

  test('to a session of another merchant account gives that account the card, and no other', async () => {
    const { service } = counter
    await service.send('POST /merchant-accounts', { id: 'other-shop', display_name: 'Other shop' })
    const order = { amount: 1299, currency: 'USD', country: 'US' }
    const created = await service.send('POST /checkout/sessions', order, { account: 'other-shop' })
    expect(created.statusCode, created.body).toBe(201)
    const session = created.json().id

    await visitShop(browser, { html: PAGE }, async (page) => {
      await showForm(page, { origin: counter.origin, session })
      await typeCard(page)
      expect(await submitIn(page)).toBeUndefined()
    })

    const payment = { ...order, payment_method: { method: 'checkout-session', id: session } }
    const refused = await service.send('POST /transactions', payment)
    expect(refused.statusCode).toBe(400)
    expect((await service.send(`GET /checkout/sessions/${session}`)).statusCode).toBe(404)
    const own = await service.send(`GET /checkout/sessions/${session}`, undefined, { account: 'other-shop' })
    expect(own.json().payment_method).toMatchObject({ label: '1111' })
  })

  // Last: the token of the tests expires, too.
  test('to a session that has expired says so', async () => {
    const session = await counter.newSession({ expires_in: 3600 })

    await visitShop(browser, { html: PAGE, errors: [/404/] }, async (page) => {
      await showForm(page, { origin: counter.origin, session })
      await typeCard(page)
      counter.service.moveClock(3_601_000)

      expect(await submitIn(page)).toMatchObject({ code: 'not_found', status: 404 })
    })
  })
})
