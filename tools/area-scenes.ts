import type { Page } from 'playwright-core'
import { fillOnce, signIn } from './dashboard-scenes.ts'
import type { Json, Scene, Shop } from './scene.ts'

type Cookies = Parameters<ReturnType<Page['context']>['addCookies']>[0]
type Entrance = { readonly origin: string; readonly cookies: Cookies }

type Area = { readonly path: string; readonly pages: readonly string[] }

/** By its name at run time alone: pages are checked as programs of a browser, and this is one of Node. */
const { AREAS } = (await import(new URL('../web/dashboard/areas.ts', import.meta.url).href)) as {
  readonly AREAS: readonly Area[]
}

/** The list that has the thing of a page, by the address of the page: its first row is shown. */
const LISTS: Readonly<Record<string, string>> = {
  '/transactions/$id': '/transactions',
  '/refunds/$id': '/refunds',
  '/chargebacks/$id': '/transactions?disputed=true',
  '/disputes/$id': '/disputes',
  '/payment-service-reports/$id': '/payment-service-reports',
  '/payment-links/$id': '/payment-links',
  '/payouts/$id': '/payouts',
  '/payouts/new/$card': '/payment-methods',
  '/buyers/$id': '/buyers',
  '/payment-methods/$id': '/payment-methods',
  '/gift-cards/$id': '/gift-cards',
  '/reports/$id': '/reports',
  '/monitoring/incidents/$id': '/monitoring/incidents',
  '/monitoring/$id': '/monitoring/metrics?samples_timestamp_interval=PT30M/now',
  '/payment-services/$id': '/payment-services',
  '/payment-services/$id/edit': '/payment-services',
  '/payment-services/new/$definition': '/payment-service-definitions',
  '/gift-card-services/$id': '/gift-card-services',
  '/gift-card-services/$id/edit': '/gift-card-services',
  '/gift-card-services/new/$definition': '/gift-card-service-definitions',
  '/anti-fraud-services/$id': '/anti-fraud-services',
  '/anti-fraud-services/$id/edit': '/anti-fraud-services',
  '/anti-fraud-services/new/$definition': '/anti-fraud-service-definitions',
  '/account-updater-services/$id': '/account-updater-services',
  '/account-updater-services/$id/edit': '/account-updater-services',
  '/account-updater-services/new/$definition': '/account-updater-service-definitions',
  '/network-token-services/$id': '/network-token-services',
  '/network-token-services/$id/edit': '/network-token-services',
  '/network-token-services/new/$definition': '/network-token-service-definitions',
  '/three-ds-services/$id': '/three-ds-services',
  '/three-ds-services/$id/edit': '/three-ds-services',
  '/three-ds-services/new/$definition': '/three-ds-service-definitions',
  '/digital-wallets/$id': '/digital-wallets',
  '/developers/webhooks/$id': '/webhook-subscriptions',
  '/developers/events/$id': '/events',
  '/developers/keys/$id': '/api-key-pairs',
  '/developers/requests/$id': '/api-logs',
  '/settings/accounts/$id': '/merchant-accounts',
  '/settings/users/$id': '/users',
  '/settings/roles/$id': '/roles',
  '/settings/roles/$id/edit': '/roles',
}

let entrance: Promise<Entrance> | undefined

/** Every page of every area, for the shop of the other pictures. */
export const AREA_SCENES: Readonly<Record<string, Scene>> = Object.fromEntries(
  AREAS.flatMap(({ path, pages }) => pages.map((page) => (page === '/' ? path : `${path}${page}`)))
    .filter((path) => !path.startsWith('/routing') && (!path.includes('$') || path in LISTS))
    .map((path) => [`page${path.replaceAll(/[/]/g, '-').replaceAll('$', '')}`, sceneOf(path)]),
)

function sceneOf(path: string): Scene {
  return (page, shop) => visit(page, shop, () => named(shop, path))
}

/** Signs in, and opens the address that `findPath` finds in the furnished shop. */
export async function visit(page: Page, shop: Shop, findPath: () => Promise<string>): Promise<void> {
  entrance ??= enter(page, shop)
  const { origin, cookies } = await entrance
  await page.context().addCookies(cookies)
  await page.goto(`${origin}/dashboard${await findPath()}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  // The page lets no text run as a script, so it cannot be asked with one.
  await page.locator('.waiting, .skeleton').first().waitFor({ state: 'detached' })
}

async function enter(page: Page, shop: Shop): Promise<Entrance> {
  await fillOnce(shop)
  await furnish(shop)
  const origin = await signIn(page, shop)
  return { origin, cookies: await page.context().cookies() }
}

async function named(shop: Shop, path: string): Promise<string> {
  const list = LISTS[path]
  if (list === undefined) return path
  const { items } = await shop.send(`GET ${list}`)
  const [first] = items as Json[]
  if (!first) throw new Error(`${list} is empty, and ${path} shows one of it`)
  return path.replace(/[$]\w+/, first.id)
}

/** What a shop with a history of payments alone does not have. */
async function furnish({ send }: Shop): Promise<void> {
  const { items: services } = await send('GET /payment-services')
  const service = services.find(({ active }: Json) => active)
  const card = { method: 'card', number: '4111111111111111', expiration_date: '12/40' }
  await send('POST /payouts', {
    amount: 2_500,
    currency: 'USD',
    payment_service_id: service.id,
    payment_method: card,
    external_identifier: 'winnings-4711',
  })
  await send('POST /payment-links', {
    amount: 8_130,
    currency: 'EUR',
    country: 'DE',
    external_identifier: 'order-2210',
    cart_items: [{ name: 'Canvas bag', quantity: 1, unit_amount: 8_130 }],
  })
  await send('POST /gift-cards', { number: '4123455541234561234', pin: '01000' })
  await send('POST /webhook-subscriptions', {
    url: 'https://shop.example/webhooks',
    events: ['transaction.*', 'refund.failed'],
  })
  await send('POST /reports', {
    name: 'Captured yesterday',
    schedule: 'daily',
    schedule_enabled: true,
    schedule_timezone: 'Europe/Berlin',
    spec: {
      model: 'transactions',
      params: {
        fields: ['id', 'created_at', 'status', 'amount', 'currency'],
        filters: { status: ['capture_succeeded'], created_at: { start: 'day_start', end: 'day_end' } },
        sort: [{ field: 'created_at', order: 'asc' }],
      },
    },
  })
  await send('POST /anti-fraud-services', {
    display_name: 'Watchful',
    anti_fraud_service_definition_id: 'mock-anti-fraud',
    fields: [],
    active: false,
  })
  await send('POST /account-updater-services', {
    display_name: 'Card updates',
    account_updater_service_definition_id: 'mock-account-updater',
    fields: [],
    active: false,
  })
  await send('POST /network-token-services', {
    display_name: 'Tokens of the schemes',
    network_token_service_definition_id: 'mock-network-token',
    fields: [],
    active: false,
  })
  await send('POST /three-ds-services', {
    display_name: '3-D Secure in Europe',
    three_ds_service_definition_id: 'mock-three-ds',
    fields: [],
    active: false,
  })
  await send('POST /digital-wallets', {
    provider: 'google',
    merchant_name: 'Fjord & Pine',
    domain_names: ['shop.example.com'],
    accept_terms_and_conditions: true,
  })
  await send('POST /three-ds-scenarios', {
    conditions: { email_address: 'challenge@example.com', amount: 1_299 },
    outcome: { authentication: { transaction_status: 'C' }, result: { transaction_status: 'Y' } },
  })
}
