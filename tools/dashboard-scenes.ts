import type { Page } from 'playwright-core'
import type { Scene, Shop } from './scene.ts'

const CARDS = ['4111111111111111', '5555555555554444', '378282246310005']
/** The simulator declines this amount, and leaves the other undecided. */
const DECLINED = 200_011
const UNDECIDED = 600_002
/** Approved payments in each hour of the day so far. */
const HOURS = [1, 0, 1, 1, 2, 3, 5, 6, 8, 7, 9, 8]

let filling: Promise<void> | undefined

/** Pages of the dashboard, for a shop with a history of two weeks, in the middle of a day. */
export const DASHBOARD_SCENES: Readonly<Record<string, Scene>> = {
  home: async (page, shop) => {
    await open(page, shop, '/home')
    await page.locator('.tile', { hasText: 'Volume' }).first().waitFor()
    await page.getByRole('slider').waitFor()
  },
  dashboard: async (page, shop) => {
    await open(page, shop, '/transactions')
    await page.locator('.row-link').nth(5).waitFor()
  },
  'dashboard-payment': async (page, shop) => {
    await fillOnce(shop)
    const [refund] = (await shop.send('GET /refunds?status=succeeded')).items
    await open(page, shop, `/transactions/${refund.transaction_id}`)
    await page.getByText('Refund approved by').waitFor()
  },
  insights: async (page, shop) => {
    await open(page, shop, '/insights?metric=approval&period=7d&by=payment_method_scheme')
    await page.getByRole('slider').waitFor()
    await page.getByText('Mastercard').waitFor()
  },
}

async function open(page: Page, shop: Shop, path: string): Promise<void> {
  const origin = await signIn(page, shop)
  await fillOnce(shop)
  await page.goto(`${origin}/dashboard${path}`)
}

export function fillOnce(shop: Shop): Promise<void> {
  filling ??= fill(shop)
  return filling
}

async function fill(shop: Shop): Promise<void> {
  await shop.run('sandbox', 'fill', '--days', '14', '--payments', '560', '--seed', '7')
  await shop.send('POST /monitoring/metrics', {
    display_name: 'Cards, all services',
    spec: { model: 'auth_rate', params: { filters: { datetime_range: 'PT30M/now', method: ['card'] } } },
    alerting_policy: { params: { alert_lt: 0.9 } },
    incident_policy: { params: { create_after_n: 1, close_after_n: 10 } },
  })
  await shop.send('POST /payment-services', {
    display_name: 'Winter sale',
    payment_service_definition_id: 'mock-card',
    fields: [{ key: 'merchant_id', value: 'winter' }],
    accepted_currencies: ['USD'],
    accepted_countries: ['US'],
    active: false,
  })
  for (const [hour, count] of HOURS.entries()) {
    await shop.run('sandbox', 'advance', 'PT1H')
    for (let number = 0; number < count; number += 1)
      await pay(shop, 1_490 + 731 * ((hour + 3 * number) % 11))
    if (hour % 3 === 0) await pay(shop, DECLINED)
  }
  for (let number = 0; number < 5; number += 1) await pay(shop, DECLINED)
  await pay(shop, UNDECIDED)
  await shop.run('sandbox', 'advance', 'PT7M')
}

let paid = 0

async function pay({ send }: Shop, amount: number): Promise<void> {
  paid += 1
  const isEuro = paid % 3 === 0
  await send('POST /transactions', {
    amount,
    currency: isEuro ? 'EUR' : 'USD',
    country: isEuro ? 'DE' : 'US',
    payment_method: {
      method: 'card',
      number: CARDS[paid % CARDS.length],
      expiration_date: '12/40',
      security_code: '7373'.slice(0, paid % CARDS.length === 2 ? 4 : 3),
    },
  })
}

let users = 0

/** As a new user, with a passkey of a device that the browser plays. Answers with the origin of the dashboard. */
export async function signIn(page: Page, { send }: Shop): Promise<string> {
  users += 1
  const { invitation_url } = await send('POST /users', {
    name: 'Mara Lind',
    email_address: `mara-${users}@example.com`,
    role_ids: ['administrator'],
  })
  const device = await page.context().newCDPSession(page)
  await device.send('WebAuthn.enable')
  await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await page.goto(invitation_url)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Create a passkey' }).click()
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  return new URL(invitation_url).origin
}
