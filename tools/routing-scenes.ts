import type { Page } from 'playwright-core'
import { signIn } from './dashboard-scenes.ts'
import type { Scene, Shop } from './scene.ts'

const RULES = '/flows/card-transaction/actions'
const EUROS = { name: 'currency', operator: 'is_one_of', value: ['EUR'] }

type Filled = { readonly payment: string; readonly rule: string; readonly backTest: string }
let filled: Filled | undefined

/** Pages about rules, for a shop with three acquirers. They change the rules of the shop, so they come after the others. */
export const ROUTING_SCENES: Readonly<Record<string, Scene>> = {
  routing: async (page, shop) => {
    await open(page, shop, () => '/routing')
    await page.getByText('in the last 7 days').first().waitFor()
  },
  'routing-rule': async (page, shop) => {
    await open(page, shop, ({ rule }) => `/routing/card-transaction/route-transaction/${rule}`)
    await page.getByRole('button', { name: 'Try', exact: true }).click()
    await page.locator('.try-result').waitFor()
  },
  'routing-try': async (page, shop) => {
    await open(page, shop, ({ payment }) => `/routing/try?transaction=${payment}`)
    await page.locator('.try-result').waitFor()
  },
  'routing-decision': async (page, shop) => {
    await open(page, shop, ({ payment }) => `/transactions/${payment}?tab=decision`)
    await page.locator('.decision').waitFor()
  },
  'routing-back-tests': (page, shop) => open(page, shop, () => '/routing/back-tests'),
  'routing-back-test': async (page, shop) => {
    await open(page, shop, ({ backTest }) => `/routing/back-tests/${backTest}`)
    await page.getByText('Expected result').waitFor()
  },
  'routing-health': async (page, shop) => {
    await open(page, shop, () => '/routing/health')
    await page.getByText('by payment type').first().waitFor()
  },
  'routing-history': (page, shop) => open(page, shop, () => '/routing/history'),
  'routing-version': async (page, shop) => {
    await open(page, shop, () => '/routing/history')
    await page.locator('a[href*="/routing/history/"]').first().click()
    await page.getByRole('heading', { level: 1, name: 'Version' }).waitFor()
    await page.locator('.waiting, .skeleton').first().waitFor({ state: 'detached' })
  },
  'routing-new-rule': (page, shop) =>
    open(page, shop, () => '/routing/card-transaction/route-transaction/new'),
}

async function open(page: Page, shop: Shop, path: (filled: Filled) => string): Promise<void> {
  const origin = await signIn(page, shop)
  filled ??= await fill(shop)
  await page.goto(`${origin}/dashboard${path(filled)}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  // The page lets no text run as a script, so it cannot be asked with one.
  await page.locator('.waiting, .skeleton').first().waitFor({ state: 'detached' })
}

async function fill({ send }: Shop): Promise<Filled> {
  const [north, harbour, old] = [
    await addService(send, 'Northern Acquiring'),
    await addService(send, 'Harbour Bank'),
    await addService(send, 'Old Mill Payments'),
  ]
  const entry = (id: string, more: object = {}) => ({ payment_service_id: id, instrument: 'pan', ...more })
  await send(`POST ${RULES}/decline-early/rules`, {
    description: 'No large gift orders by prepaid card',
    conditions: [
      { name: 'card_type', operator: 'is_one_of', value: ['prepaid'] },
      { name: 'amount', operator: 'greater_than', value: { currency: 'EUR', value: 50_000 } },
    ],
    outcome: { type: 'boolean', result: true },
    error_code: 'flow_prepaid_large',
  })
  await send(`POST ${RULES}/skip-3ds/rules`, {
    description: 'Authenticate large orders',
    conditions: [{ name: 'amount', operator: 'greater_than', value: { currency: 'EUR', value: 25_000 } }],
    outcome: { type: 'three-d-secure', result: 'force' },
  })
  const { id: rule } = await send(`POST ${RULES}/route-transaction/rules`, {
    description: 'Euros: the one that approves',
    conditions: [EUROS, { name: 'card_scheme', operator: 'is_one_of', value: ['visa', 'mastercard'] }],
    outcome: {
      type: 'card-routing',
      version: 2,
      strategy: 'success_rate',
      result: [
        entry(north, { retry: { on: ['insufficient_funds'], not_on: ['issuer_decline'] }, max_attempts: 2 }),
        entry(harbour),
      ],
    },
  })
  await send(`POST ${RULES}/route-transaction/rules`, {
    description: 'Dollars: the cheapest',
    conditions: [{ name: 'currency', operator: 'is_one_of', value: ['USD'] }],
    outcome: {
      type: 'card-routing',
      version: 2,
      strategy: 'least_cost',
      result: [
        entry(harbour, { cost: { basis_points: 190, fixed: 10 } }),
        entry(old, { cost: { basis_points: 240 } }),
      ],
    },
  })
  for (let number = 0; number < 30; number += 1) await pay(send, number)
  const { id: payment } = await pay(send, 3)
  const { id: backTest } = await send('POST /flows/back-tests', {
    created_at_gte: new Date(Date.now() - 24 * 3_600_000).toISOString(),
  })
  for (let status = ''; status !== 'succeeded'; )
    ({ status } = await send(`GET /flows/back-tests/${backTest}`))
  return { payment, rule, backTest }
}

async function addService(send: Shop['send'], display_name: string): Promise<string> {
  const { id } = await send('POST /payment-services', {
    display_name,
    payment_service_definition_id: 'mock-card',
    fields: [{ key: 'merchant_id', value: display_name }],
    accepted_currencies: ['EUR', 'USD'],
    accepted_countries: ['DE', 'US'],
  })
  return id
}

function pay(send: Shop['send'], number: number) {
  const isEuro = number % 3 < 2
  return send('POST /transactions', {
    amount: number % 10 === 9 ? 200_012 : 1_490 + 731 * (number % 11),
    currency: isEuro ? 'EUR' : 'USD',
    country: isEuro ? 'DE' : 'US',
    payment_method: {
      method: 'card',
      number: number % 2 === 0 ? '4111111111111111' : '5555555555554444',
      expiration_date: '12/40',
      security_code: '737',
    },
  })
}
