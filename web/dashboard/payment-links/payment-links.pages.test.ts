import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '#testing/browser.ts'
import { signIn } from '#testing/sign-in.ts'
import { PAYOUT_CARD } from '#testing/till.ts'
import { type Desk, looksRight, openDesk } from '../../testing/dashboard.ts'

/** What a page must show as text, and never as anything else. */
const HOSTILE = '<b onclick="alert(1)">"\'{{7*7}}'

/** The simulator takes any number; the PIN says what is on the card. */
const GIFT_CARD = { number: '4123455541234561234', pin: '01000' }

let desk: Desk

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
const read = async (path: string) => (await desk.service.send(`GET ${path}`)).json()
const idIn = (page: Page) => new URL(page.url()).pathname.split('/').at(-1) ?? ''

async function make(path: string, body: object, account = 'default') {
  const made = await desk.service.send(`POST ${path}`, body, { account })
  expect(made.statusCode, made.body).toBe(201)
  return made.json()
}

/** The request reaches the server; the test decides what becomes of the answer. */
async function arrive(request: Request) {
  await desk.service.app.inject({
    method: 'POST',
    url: new URL(request.url()).pathname,
    headers: { ...(await request.allHeaders()), 'sec-fetch-site': 'same-origin' },
    payload: request.postData() ?? '',
  })
}

async function storedCard() {
  const buyer = await make('/buyers', { display_name: 'Ada Park' })
  return make('/payment-methods', { ...PAYOUT_CARD, buyer_id: buyer.id })
}

describe.skipIf(!hasBrowser)('payment links, payouts and gift cards', () => {
  beforeAll(async () => {
    desk = await openDesk()
    await desk.service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })
    // The simulator makes no cards. This service does.
    const fields = { program: 'cards', program_key: 'a-long-secret-of-a-test' }
    const service = {
      display_name: 'Our own cards',
      gift_card_service_definition_id: 'switchyard-gift-card',
      fields: Object.entries(fields).map(([key, value]) => ({ key, value })),
    }
    await make('/gift-card-services', service, 'other')
  })
  afterAll(() => desk.close())

  test('a person makes a payment link with a cart, and expires it', async () => {
    const details = { email_address: 'hana@example.com' }
    const hana = await make('/buyers', { display_name: 'Hana Mori', billing_details: details })
    await make('/buyers', { display_name: 'Hana Kim', external_identifier: 'hana-of-kim' })
    await desk.visit('/payment-links', async (page) => {
      await page.getByRole('link', { name: 'New payment link' }).first().click()
      await page.getByLabel('Currency').selectOption('JPY')
      for (const [line, [name, quantity, price]] of [
        [HOSTILE, '2', '1800'],
        ['Gift wrap', '1', '6.5'],
      ].entries()) {
        await page.getByRole('button', { name: 'Add item' }).click()
        await page.getByLabel(`Name, line ${line + 1}`).fill(name ?? '')
        await page.getByLabel(`Quantity, line ${line + 1}`).fill(quantity ?? '')
        await page.getByLabel(`Price, line ${line + 1}`).fill(price ?? '')
      }
      const buyer = page.getByRole('combobox', { name: 'Buyer', exact: true })
      await buyer.fill('hana@ex')
      await page.getByRole('option', { name: 'Hana Mori hana@example.com' }).waitFor()
      await buyer.fill('no such person')
      await page.getByText('No matches.').waitFor()
      await page.getByRole('button', { name: 'Create link' }).click()
      await page.getByText('Line 2, Price: Type an amount in JPY').waitFor()
      await page.getByLabel('Price, line 2').fill('600')
      await page.getByText('Total: ¥4,200').waitFor()
      await page.getByText('Choose one of the results, or clear this field.').waitFor()
      await buyer.fill('hana')
      const mori = page.getByRole('option', { name: /^Hana Mori/ })
      await mori.waitFor()
      await page.getByRole('option', { name: 'Hana Kim hana-of-kim' }).waitFor()
      if ((await mori.getAttribute('aria-selected')) === 'false') await buyer.press('ArrowDown')
      await buyer.press('Enter')
      expect(await buyer.inputValue()).toBe('Hana Mori')
      await page.getByLabel('Delivery address').check()
      await page.getByLabel('E-mail address').check()
      await page.getByRole('button', { name: 'Create link' }).click()
      await heading(page, /¥4,200/)
      await page.getByText('E-mail address, Delivery address').waitFor()

      const link = await read(`/payment-links/${idIn(page)}`)
      expect(link).toMatchObject({ amount: 4200, currency: 'JPY', intent: 'capture', status: 'active' })
      expect(new Set(link.required_fields)).toEqual(new Set(['email_address', 'shipping_address']))
      expect(link.buyer).toMatchObject({ id: hana.id })
      expect(link.cart_items).toMatchObject([{ name: HOSTILE, quantity: 2 }, { name: 'Gift wrap' }])
      await page.getByText(link.url, { exact: true }).waitFor()
      await page.getByRole('img', { name: 'QR code of the payment link for ¥4,200' }).waitFor()

      await page.getByRole('button', { name: 'Expire now' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Expire now' }).click()
      await page.getByText('No payments yet.').waitFor()
      expect((await read(`/payment-links/${link.id}`)).status).toBe('expired')
    })
  })

  test('a link that was paid meanwhile is not expired', async () => {
    const link = await make('/payment-links', { amount: 990, currency: 'USD', country: 'US' })
    await desk.visit(`/payment-links/${link.id}`, async (page) => {
      await page.getByRole('button', { name: 'Expire now' }).click()
      await desk.service.send(`POST /payment-links/${link.id}/expire`)
      await page.getByRole('dialog').getByRole('button', { name: 'Expire now' }).click()

      await page.getByText('This has changed since you opened it').waitFor()
    })
  })

  test('a payout whose answer is lost waits, and is sent once', async () => {
    const card = await storedCard()
    await desk.visit(
      '/payouts/new',
      async (page) => {
        await page.route('**/payouts', async (route) => {
          if (route.request().method() !== 'POST') return route.fallback()
          await arrive(route.request())
          await route.abort()
        })
        await page.getByRole('link', { name: '1111' }).first().click()
        const dialog = page.getByRole('dialog', { name: 'Pay out to Ada Park, Visa •••• 1111' })
        await dialog.getByLabel('Amount').fill('25.50')
        await dialog.getByText('$25.50').waitFor()
        await dialog.getByRole('button', { name: 'Pay out' }).dblclick()
        await dialog.getByText('Waiting: we do not know yet').waitFor()

        await page.unrouteAll()
        await dialog.getByRole('button', { name: 'Ask again' }).click()
        await heading(page, /\$25[.]50/)
        const { items } = await read('/payouts')
        expect(items).toHaveLength(1)
        expect(items[0]).toMatchObject({
          id: idIn(page),
          amount: 2550,
          status: 'succeeded',
          payment_method: { id: card.id },
          buyer: { display_name: 'Ada Park' },
        })
      },
      { errors: [/ERR_FAILED/] },
    )
  })

  test('a person issues a gift card, and its address is shown once', async () => {
    await desk.visit('/gift-cards?account=other', async (page) => {
      await page.getByRole('button', { name: 'Issue a card' }).click()
      await page.getByLabel('Amount').fill('25')
      await page.getByLabel('Design').fill('birthday')
      await page.getByRole('button', { name: 'Issue', exact: true }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('A card with $25.00 was issued').waitFor()
      const address = (await dialog.locator('.issued-address').textContent()) ?? ''
      expect(address).toMatch(/^https?:/)

      await dialog.getByRole('button', { name: 'Close' }).last().click()
      await dialog.waitFor({ state: 'detached' })
      expect(await page.content()).not.toContain(address)
    })
  })

  test('a person stores a gift card, sees its balance, and deletes it', async () => {
    await make('/buyers', { display_name: 'Omar Haddad', external_identifier: 'omar' })
    await desk.visit('/gift-cards', async (page) => {
      await page.getByRole('button', { name: 'Store', exact: true }).click()
      await page.getByLabel('Number').fill(GIFT_CARD.number)
      await page.getByLabel('PIN').fill(GIFT_CARD.pin)
      await page.getByLabel('Buyer', { exact: true }).fill('omar')
      await page.getByRole('option', { name: 'Omar Haddad omar' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Store' }).click()
      await heading(page, 'Gift card •••• 1234')
      await page.getByText('$10.00').waitFor()
      const id = idIn(page)
      expect(await read(`/gift-cards/${id}`)).toMatchObject({ buyer: { display_name: 'Omar Haddad' } })
      expect(await page.content()).not.toContain(GIFT_CARD.number)

      await page.getByRole('button', { name: 'Delete' }).click()
      const dialog = page.getByRole('dialog', { name: 'Delete gift card •••• 1234 of Omar Haddad' })
      await dialog.getByRole('button', { name: 'Delete' }).click()
      await heading(page, 'Gift cards')
      expect((await desk.service.send(`GET /gift-cards/${id}`)).statusCode).toBe(404)
    })
  })

  test('a person who may only look finds nothing to press', async () => {
    const user = await signIn(desk.service, { roles: ['analyst'] })
    const link = await make('/payment-links', { amount: 990, currency: 'USD', country: 'US' })
    for (const [path, name] of [
      ['/payment-links', 'Payment links'],
      [`/payment-links/${link.id}`, /\$9[.]90/],
      ['/payouts', 'Payouts'],
      ['/gift-cards', 'Gift cards'],
    ] as const)
      await desk.visit(
        path,
        async (page) => {
          await heading(page, name)
          const acts = /^(New|Expire|Issue|Activate|Store|Delete)/
          expect(await page.getByRole('button', { name: acts }).count()).toBe(0)
          expect(await page.getByRole('link', { name: /^New/ }).count()).toBe(0)
        },
        { user },
      )
  })

  test('things of another merchant account are not found', async () => {
    const link = await make('/payment-links', { amount: 990, currency: 'USD', country: 'US' }, 'other')
    const unknown = crypto.randomUUID()
    for (const path of [`/payment-links/${link.id}`, `/payouts/${unknown}`, `/gift-cards/${unknown}`])
      await desk.visit(
        `${path}?account=default`,
        (page) => page.getByRole('heading', { name: 'Not found' }).waitFor(),
        { errors: [/404/] },
      )
  })

  const shows = (text: string) => (page: Page) => page.getByText(text).first().waitFor()

  test('payment links are right for everybody', async () => {
    const cart_items = [{ name: HOSTILE.repeat(4), quantity: 1, unit_amount: 990 }]
    const link = await make('/payment-links', { amount: 990, currency: 'USD', country: 'US', cart_items })
    await looksRight(desk, '/payment-links', shows('$9.90'))
    await looksRight(desk, '/payment-links/new', shows('Create link'))
    await looksRight(desk, `/payment-links/${link.id}`, shows('Not paid yet'))
  })

  test('payouts are right for everybody', async () => {
    const card = await storedCard()
    const payout = await desk.till.payOut({ payment_method: { method: 'id', id: card.id } })
    await looksRight(desk, '/payouts', shows('Sent'))
    await looksRight(desk, `/payouts/new/${card.id}`, shows('It cannot be taken back'))
    await looksRight(desk, `/payouts/${payout.id}`, shows('Sent'))
  })

  test('gift cards are right for everybody', async () => {
    const gift = await make('/gift-cards', GIFT_CARD)
    await looksRight(desk, '/gift-cards', shows('1234'))
    await looksRight(desk, `/gift-cards/${gift.id}`, shows('$10.00'))
  })
})
