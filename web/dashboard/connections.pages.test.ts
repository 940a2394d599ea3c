import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '#testing/browser.ts'
import { signIn } from '#testing/sign-in.ts'
import { type Desk, looksRight, openDesk } from '../testing/dashboard.ts'

const HOSTILE = '<img src=x onerror=alert(1)> "Cards" & Söhne'
const SECRET = 'whsec-that-no-page-shows'

let desk: Desk

/** What runs in the page is typed here: this file runs in Node. */
declare const localStorage: object
declare const sessionStorage: object

const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const follow = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click()
const fill = (page: Page, label: string, text: string) =>
  page.getByRole('main').getByLabel(label, { exact: true }).fill(text)
const dialog = (page: Page) => page.getByRole('dialog')
const inDialog = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click()

async function read(route: string) {
  return (await desk.service.send(route)).json()
}

type Service = { readonly id: string; readonly display_name: string; readonly position: number }

/** The names of the payment services, in the order in which payments try them. */
async function order(): Promise<string[]> {
  const { items } = await read('GET /payment-services?limit=100')
  const services: Service[] = items
  return services.toSorted((a, b) => a.position - b.position).map(({ display_name }) => display_name)
}

async function serviceNamed(name: string): Promise<Service & Record<string, unknown>> {
  const { items } = await read('GET /payment-services?limit=100')
  return items.find((one: Service) => one.display_name === name)
}

/** Everything that the browser has of a page: what it shows, keeps, and was told. */
async function everythingOf(page: Page, told: readonly string[]): Promise<string> {
  const values = await page.evaluate(() => [JSON.stringify(localStorage), JSON.stringify(sessionStorage)])
  const inputs = await page
    .locator('input, textarea')
    .evaluateAll((all) => all.map((one) => (one as unknown as { value: string }).value))
  return [await page.content(), page.url(), ...values, ...inputs, ...told].join('\n')
}

describe.skipIf(!hasBrowser)('the connections of the dashboard', () => {
  beforeAll(async () => {
    desk = await openDesk()
    await desk.service.send('POST /merchant-accounts', { id: 'harbour', display_name: 'Harbour Goods' })
  })
  afterAll(() => desk.close())

  test('make a payment service from a definition, and check its credentials before', async () => {
    const told: string[] = []
    const checked = await desk.visit(
      '/payment-services',
      async (page) => {
        page.on('response', (response) => {
          if (!response.url().includes('/dashboard')) void response.text().then((text) => told.push(text))
        })
        await follow(page, 'New service')
        await heading(page, 'Ways to pay')
        await page.getByRole('searchbox').fill('mock card')
        await page.getByRole('link', { name: 'Card Mock card' }).click()
        await heading(page, 'New service: Mock card')
        await fill(page, 'Name', HOSTILE)
        await fill(page, 'Webhook secret', SECRET)

        await fill(page, 'Merchant id', 'invalid')
        await press(page, 'Check credentials')
        const refused = page.getByRole('alert').filter({ hasText: 'Mock card refused these credentials' })
        await refused.getByText('the processor knows no such Merchant id').waitFor()
        const field = page.locator('.field').filter({ hasText: 'Merchant id' })
        await field.getByText('Mock card refused this Merchant id.').waitFor()
        await fill(page, 'Merchant id', 'unreachable')
        await refused.waitFor({ state: 'detached' })
        await field.getByText('Mock card refused this').waitFor({ state: 'detached' })
        await press(page, 'Check credentials')
        await page.getByText('neither accepted nor refused').waitFor()
        await fill(page, 'Merchant id', 'harbour-cards')
        await press(page, 'Check credentials')
        await page.getByText('Mock card accepts these credentials').waitFor()

        const currencies = page.getByRole('group', { name: 'Currencies' })
        await currencies.getByRole('button', { name: 'None' }).click()
        await currencies.getByRole('searchbox').fill('nok')
        await currencies.getByLabel('NOK').check()
        await press(page, 'Create service')
        await heading(page, HOSTILE)
        await page.getByText('harbour-cards', { exact: true }).waitFor()
        return everythingOf(page, told)
      },
      { errors: [/400/, /504/] },
    )

    expect(told.length).toBeGreaterThan(3)
    expect(checked).not.toContain(SECRET)
    expect(await serviceNamed(HOSTILE)).toMatchObject({
      payment_service_definition_id: 'mock-card',
      accepted_currencies: ['NOK'],
      fields: [{ key: 'merchant_id', value: 'harbour-cards' }],
      active: true,
    })
    const paid = await desk.till.pay({ currency: 'NOK' })
    expect(paid.payment_service.display_name).toBe('Simulator')
  })

  test('find ways to pay by country, currency, provider and what works, and tell which are connected', async () => {
    await desk.visit('/payment-service-definitions?country=PT&currency=EUR', async (page) => {
      const rows = page.getByRole('row')
      const names = async () => (await rows.locator('small').allTextContents()).toSorted()
      const choose = async (filter: string, option: string) => {
        await page.getByRole('button', { name: filter, exact: true }).click()
        await page.getByLabel(option, { exact: true }).click()
        await page.keyboard.press('Escape')
      }
      await page.getByText('Multibanco', { exact: true }).first().waitFor()
      const inPortugal = await names()
      await choose('Provider', 'Mollie')
      await expect.poll(names).toContain('Mollie MB WAY')
      const throughMollie = await names()

      expect(inPortugal).toEqual(
        expect.arrayContaining(['Adyen Multibanco', 'Mock card', 'Stripe Multibanco']),
      )
      expect(inPortugal).not.toContain('Adyen Pix')
      expect(throughMollie.every((name) => name.startsWith('Mollie '))).toBe(true)
      await choose('What works', 'Several captures')
      await expect.poll(names).toEqual(['Mollie Klarna'])
      await page
        .getByRole('status')
        .getByText(/^1 of \d+$/)
        .waitFor()
      await page.reload()
      await expect.poll(names).toEqual(['Mollie Klarna'])

      await page.getByRole('link', { name: 'Klarna Mollie Klarna' }).click()
      await heading(page, 'New service: Mollie Klarna')
      await page.getByText('Approves on a page').waitFor()
      await page.getByText('2 days').waitFor()
      await page.getByText(/billing_details.email_address/).waitFor()
      // The way back leads to what was found.
      await page.getByRole('main').getByRole('link', { name: 'Ways to pay' }).click()
      await expect.poll(names).toEqual(['Mollie Klarna'])
      await press(page, 'Clear')
      await choose('Connected', 'Yes')
      await expect.poll(names).toEqual(['Mock card'])
      await follow(page, 'Simulator')
      await heading(page, 'Simulator')
    })
    const analyst = await signIn(desk.service, { roles: ['analyst'] })
    await desk.visit(
      '/payment-service-definitions?search=nothing+has+this+name',
      async (page) => {
        await page.getByText('No way to pay fits these filters').waitFor()
        await press(page, 'Clear filters')
        await page.getByText('Mock card', { exact: true }).waitFor()
        // Who may not connect a service gets no link to do it.
        expect(await page.getByRole('link', { name: 'Card Mock card' }).count()).toBe(0)
      },
      { user: analyst },
    )
  })

  test('move a service up by keyboard, and payments try it first', async () => {
    expect(await order()).toEqual(['Simulator', HOSTILE])
    await desk.visit('/payment-services', async (page) => {
      const up = page.getByRole('button', { name: `Move ${HOSTILE} up` })
      await up.focus()
      await page.keyboard.press('Enter')
      await page.getByText(`${HOSTILE} is now 1 of 2`).waitFor()
      await expect.poll(() => page.locator('tbody tr').first().textContent()).toContain(HOSTILE)
      // The row has moved, and the other button of the row has the focus: it cannot move up further.
      const down = page.getByRole('button', { name: `Move ${HOSTILE} down` })
      await expect.poll(() => down.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true)
    })

    expect(await order()).toEqual([HOSTILE, 'Simulator'])
    const paid = await desk.till.pay({ currency: 'NOK', intent: 'authorize' })
    expect(paid.payment_service.display_name).toBe(HOSTILE)
  })

  test('change a service: its secrets stay, and a complaint stands beside its field', async () => {
    const fields = [
      { key: 'merchant_id', value: 'shop' },
      { key: 'api_key', value: 'right-key' },
    ]
    const made = await desk.service.send('POST /payment-services', {
      display_name: 'Northern cards',
      payment_service_definition_id: 'test-card',
      fields,
      accepted_currencies: ['EUR'],
      accepted_countries: ['DE'],
    })
    await desk.visit(
      `/payment-services/${made.json().id}/edit`,
      async (page) => {
        expect(await page.getByLabel('api_key', { exact: true }).inputValue()).toBe('')
        const field = (name: string) =>
          page.locator('.field').filter({ has: page.getByLabel(name, { exact: true }) })
        await field('api_key').getByText('Set. Leave empty to keep it').waitFor()
        await field('certificate').getByText('Not set.').waitFor()
        await fill(page, 'terminal', 'twelve')
        await page.getByLabel('live', { exact: true }).check()
        await page.getByLabel('zone').selectOption('Europe/Oslo')
        await press(page, 'Save')
        await page.locator('.field').filter({ hasText: 'terminal' }).getByText('must be a number').waitFor()
        await fill(page, 'terminal', '12')
        await press(page, 'Save')
        await heading(page, 'Northern cards')
        // What is kept is asked about, without being typed again.
        await press(page, 'Check credentials')
        await page.getByText('Test card accepts these credentials').waitFor()
      },
      { errors: [/400/] },
    )
    expect((await serviceNamed('Northern cards'))['fields']).toEqual([
      { key: 'live', value: 'true' },
      { key: 'merchant_id', value: 'shop' },
      { key: 'terminal', value: '12' },
      { key: 'zone', value: 'Europe/Oslo' },
    ])
  })

  test('deactivate and delete a service, and say what depends on it', async () => {
    const { id } = await serviceNamed(HOSTILE)
    await desk.visit(`/payment-services/${id}`, async (page) => {
      await press(page, 'Deactivate')
      await inDialog(page, 'Deactivate')
      await page.getByText(`${HOSTILE} is inactive`).waitFor()
      expect((await serviceNamed(HOSTILE))['active']).toBe(false)

      await press(page, 'Delete')
      await dialog(page).getByText('1 payment is authorized and not captured').waitFor()
      await inDialog(page, 'Delete')
      await heading(page, 'Payment services')
      await page.getByRole('heading', { name: 'Deleted' }).waitFor()
    })
    expect(await order()).not.toContain(HOSTILE)
  })

  test('enable a host for card forwarding, and delete it', async () => {
    await desk.visit(
      '/vault-forward',
      async (page) => {
        await page.getByRole('button', { name: 'Enable a host', exact: true }).first().click()
        await dialog(page).getByLabel('Host').fill('localhost')
        await inDialog(page, 'Enable')
        await dialog(page).getByText('must be the name of a public host').waitFor()
        await dialog(page).getByLabel('Host').fill('api.example.com')
        await dialog(page).getByLabel('Paths').fill('/bookings\n/refunds')
        await inDialog(page, 'Enable')
        await page.getByText('/bookings, /refunds').waitFor()
        expect((await read('GET /vault-forward/endpoints')).items).toMatchObject([
          { host: 'api.example.com', paths: ['/bookings', '/refunds'], methods: ['POST'] },
        ])
        await press(page, 'Delete')
        await inDialog(page, 'Delete')
        await page.getByText('No hosts yet').waitFor()
      },
      { errors: [/400/] },
    )
  })

  test('make a 3DS scenario that the bank follows, and change it without its card number', async () => {
    await desk.visit('/three-ds-scenarios', async (page) => {
      // An empty list offers it, too.
      await page.getByRole('button', { name: 'New scenario', exact: true }).first().click()
      await dialog(page).getByLabel('Card number').fill('4111111111111111')
      await dialog(page).getByLabel('E-mail address').fill('challenge@example.com')
      await dialog(page).getByLabel('Amount').fill('10.00')
      await dialog(page).getByLabel('Bank response').selectOption('Challenge')
      await dialog(page).getByLabel('After the challenge').selectOption('Buyer authenticates')
      await inDialog(page, 'Save')
      await page.getByText('41111111****1111').waitFor()
      await page.getByText('10.00', { exact: true }).waitFor()
      await press(page, 'Scenario actions')
      await press(page, 'Edit')
      await dialog(page).getByLabel('Bank response').selectOption('Refused')
      await inDialog(page, 'Save')
      await page.getByText('Refused', { exact: true }).waitFor()
    })
    expect((await read('GET /three-ds-scenarios')).items).toMatchObject([
      {
        conditions: { card_number: '41111111****1111', amount: 1000, email_address: 'challenge@example.com' },
        outcome: { authentication: { transaction_status: 'N' }, result: null },
      },
    ])
    const paid = await desk.till.pay({
      buyer: { billing_details: { email_address: 'challenge@example.com' } },
      payment_method: {
        method: 'card',
        number: '4111111111111111',
        expiration_date: '12/40',
        redirect_url: 'https://shop.example.com/done',
      },
    })
    expect(paid.three_d_secure).toMatchObject({ status: 'declined' })
  })

  test('register Apple Pay with a domain and a key', async () => {
    await desk.visit(
      '/digital-wallets',
      async (page) => {
        await page.getByRole('button', { name: 'Register a wallet' }).first().click()
        await dialog(page).getByLabel('Wallet', { exact: true }).selectOption('Apple Pay')
        await dialog(page).getByLabel('Merchant name').fill(HOSTILE)
        await dialog(page).getByLabel('I accept the provider').check()
        await inDialog(page, 'Register')
        await heading(page, 'Apple Pay')
        await press(page, 'Add a domain')
        await dialog(page).getByLabel('Domain').fill('https://shop.example.com/pay')
        await inDialog(page, 'Add')
        await dialog(page).getByText('is not the name of a public host').waitFor()
        await dialog(page).getByLabel('Domain').fill('shop.example.com')
        await inDialog(page, 'Add')
        await page.getByText('shop.example.com', { exact: true }).waitFor()
        await press(page, 'New key')
        await dialog(page).getByLabel('For', { exact: true }).selectOption('apple-payment-processing')
        await inDialog(page, 'Create key')
        await page.getByRole('button', { name: 'Copy signing request' }).waitFor()
      },
      { errors: [/400/] },
    )
    const [wallet] = (await read('GET /digital-wallets')).items
    expect(wallet).toMatchObject({
      provider: 'apple',
      merchant_name: HOSTILE,
      domain_names: ['shop.example.com'],
      pending_certificate_count: 1,
    })
    await desk.visit(`/digital-wallets/${wallet.id}`, async (page) => {
      await press(page, 'Remove')
      await inDialog(page, 'Remove')
      await page.getByText('None yet. The button works only on pages of these domains.').waitFor()
    })
    expect((await read('GET /digital-wallets')).items[0].domain_names).toEqual([])
  })

  test('connect an anti-fraud service, whose secret is kept', async () => {
    await desk.visit('/anti-fraud-services', async (page) => {
      await page.getByRole('link', { name: 'New service' }).first().click()
      await page.getByRole('link', { name: /^Test anti-fraud/ }).click()
      await fill(page, 'account', 'harbour')
      await fill(page, 'api_key', SECRET)
      await page.getByLabel('Hold payments for review').check()
      await press(page, 'Create service')
      await heading(page, 'Test anti-fraud')
      expect(await everythingOf(page, [])).not.toContain(SECRET)
      await press(page, 'Deactivate')
      await inDialog(page, 'Deactivate')
      await page.getByText('Test anti-fraud is inactive').waitFor()
    })
    expect((await read('GET /anti-fraud-services')).items).toMatchObject([
      { active: false, reviews_enabled: true, fields: [{ key: 'account', value: 'harbour' }] },
    ])
  })

  test('connect a 3-D Secure service, whose secret is kept', async () => {
    await desk.visit('/three-ds-services', async (page) => {
      await page.getByRole('link', { name: 'New service' }).first().click()
      await page.getByRole('link', { name: /^Test 3-D Secure/ }).click()
      await fill(page, 'account', 'harbour')
      await fill(page, 'api_key', SECRET)
      await press(page, 'Create service')
      await heading(page, 'Test 3-D Secure')
      expect(await everythingOf(page, [])).not.toContain(SECRET)
      await press(page, 'Deactivate')
      await inDialog(page, 'Deactivate')
      await page.getByText('Test 3-D Secure is inactive').waitFor()
    })
    expect((await read('GET /three-ds-services')).items).toMatchObject([
      { active: false, fields: [{ key: 'account', value: 'harbour' }], secret_fields: ['api_key'] },
    ])
  })

  test('keep a view of the transactions, open it after a reload, share it and delete it', async () => {
    const search = 'status=authorization_succeeded&created_at=7d&currency=NOK&amount=10..20'
    await desk.visit(`/transactions?${search}`, async (page) => {
      await press(page, 'Columns')
      await page.getByRole('checkbox', { name: 'Country', exact: true }).check()
      await page.keyboard.press('Escape')
      await press(page, 'Save view')
      await dialog(page).getByLabel('Name', { exact: true }).fill(HOSTILE)
      await inDialog(page, 'Save')
      await page.getByRole('link', { name: HOSTILE }).waitFor()

      await follow(page, 'All')
      await press(page, 'Columns')
      await page.getByRole('checkbox', { name: 'Country', exact: true }).uncheck()
      await page.goto(`${desk.origin}/dashboard/transactions`)
      await follow(page, HOSTILE)
      await page.getByRole('columnheader', { name: 'Country' }).waitFor()
      const opened = new URL(page.url()).searchParams
      expect(Object.fromEntries([...opened].filter(([name]) => name !== 'view'))).toEqual({
        status: 'authorization_succeeded',
        created_at: '7d',
        currency: 'NOK',
        amount: '10.00..20.00',
      })
      await page.getByText('Last 7 days').waitFor()
      await press(page, `View: ${HOSTILE}`)
      await press(page, 'Rename or share')
      await dialog(page).getByLabel('Name', { exact: true }).fill('Norwegian holds')
      await dialog(page).getByLabel('Share').check()
      await inDialog(page, 'Save')
      await page.getByRole('link', { name: 'Norwegian holds' }).waitFor()
    })
    const noor = await signIn(desk.service, { name: 'Noor Haddad', roles: ['analyst'] })
    await desk.visit(
      '/transactions',
      async (page) => {
        await follow(page, 'Norwegian holds')
        await press(page, 'View: Norwegian holds')
        await page.getByRole('button', { name: 'Save as a new view' }).waitFor()
        expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0)
      },
      { user: noor },
    )
    await desk.visit('/transactions', async (page) => {
      await follow(page, 'Norwegian holds')
      await press(page, 'View: Norwegian holds')
      await press(page, 'Delete')
      await inDialog(page, 'Delete')
      await page.getByRole('button', { name: 'Save view' }).waitFor()
      await page.getByRole('link', { name: 'Norwegian holds' }).waitFor({ state: 'detached' })
    })
  })

  test('hide what a user may not do, and things that are not theirs', async () => {
    const { id } = await serviceNamed('Northern cards')
    const analyst = await signIn(desk.service, { roles: ['analyst'] })
    await desk.visit(
      `/payment-services/${id}`,
      async (page) => {
        await heading(page, 'Northern cards')
        const names = await page.getByRole('navigation').getByRole('link').allTextContents()
        expect(names).toContain('Payment services')
        expect(names).not.toContain('Digital wallets')
        expect(names).not.toContain('Anti-fraud services')
        for (const name of ['Edit', 'Delete', 'Deactivate', 'Check credentials'])
          expect(await page.getByText(name, { exact: true }).count()).toBe(0)
      },
      { user: analyst },
    )
    const stranger = await signIn(desk.service, { merchantAccountIds: ['harbour'] })
    const [fraud] = (await read('GET /anti-fraud-services')).items
    const [wallet] = (await read('GET /digital-wallets')).items
    const paths = [
      `/payment-services/${id}`,
      `/payment-services/${id}/edit`,
      `/anti-fraud-services/${fraud.id}`,
      `/digital-wallets/${wallet.id}`,
    ]
    for (const path of paths)
      await desk.visit(path, (page) => page.getByRole('heading', { name: 'Not found' }).waitFor(), {
        user: stranger,
        errors: [/404/],
      })
  })

  test('are right for everybody', { timeout: 180_000 }, async () => {
    const { id } = await serviceNamed('Northern cards')
    const [fraud] = (await read('GET /anti-fraud-services')).items
    const [gift] = (await read('GET /gift-card-services')).items
    const [wallet] = (await read('GET /digital-wallets')).items
    const routes: readonly (readonly [string, string])[] = [
      ['/payment-services', 'Payment services'],
      ['/payment-service-definitions', 'Ways to pay'],
      ['/payment-service-definitions?country=PT&works=payouts&currency=BRL', 'Ways to pay'],
      ['/payment-services/new/test-card', 'New service: Test card'],
      [`/payment-services/${id}`, 'Northern cards'],
      [`/payment-services/${id}/edit`, 'Edit Northern cards'],
      ['/gift-card-services', 'Gift card services'],
      [`/gift-card-services/${gift.id}`, gift.display_name],
      ['/anti-fraud-services', 'Anti-fraud services'],
      ['/anti-fraud-services/new', 'New anti-fraud service'],
      [`/anti-fraud-services/${fraud.id}`, 'Test anti-fraud'],
      [`/anti-fraud-services/${fraud.id}/edit`, 'Edit Test anti-fraud'],
      ['/three-ds-services', '3-D Secure services'],
      ['/three-ds-services/new', 'New 3-D Secure service'],
      ['/account-updater-services', 'Account updater services'],
      ['/account-updater-services/new', 'New account updater service'],
      ['/network-token-services', 'Network token services'],
      ['/network-token-services/new', 'New network token service'],
      ['/digital-wallets', 'Digital wallets'],
      [`/digital-wallets/${wallet.id}`, 'Apple Pay'],
      ['/vault-forward', 'Card forwarding'],
      ['/three-ds-scenarios', '3DS scenarios'],
    ]
    for (const [path, title] of routes)
      await looksRight(desk, path, async (page) => {
        await heading(page, title)
        await expect.poll(() => page.locator('.skeleton').count()).toBe(0)
      })
  })
})
