import type { OpenApiDocument } from '#platform/reference/openapi.ts'
import { CARD } from '../../lab/card.ts'
import type { Place } from '../../lab/product.ts'
import { openUserSession } from '../../lab/user-session.ts'
import { advance, type Clock, mockCard, orderOf, type Shop } from './fill.ts'

// biome-ignore lint/suspicious/noExplicitAny: only ids are read from answers
type Json = any

/** An account of its own, so that payments of the others find only the services that they are meant for. */
const ACCOUNT = 'furnished'

type Furnishing = {
  readonly make: (route: string, body?: object) => Promise<Json>
  readonly change: (route: string, body: object) => Promise<void>
  /** The body that the API reference shows. */
  readonly example: (title: string) => Json
  readonly service: Json
}

/** A little of everything else that an account can have. */
export async function furnish(shop: Shop, place: Place): Promise<void> {
  const { components } = (await (await fetch(`${place.url}/openapi.json`)).json()) as OpenApiDocument
  await shop.make('/merchant-accounts', {
    id: ACCOUNT,
    display_name: 'A little of everything',
    visa_network_tokens_requestor_id: 'visa-furnished',
    visa_network_tokens_app_id: 'app-furnished',
  })
  const make = (route: string, body?: object) => shop.make(route, body, ACCOUNT)
  const service = await make('/payment-services', {
    ...mockCard('everything'),
    // Services with the same name at the simulator share what it is told to do next.
    fields: [
      { key: 'merchant_id', value: ACCOUNT },
      { key: 'extended', value: 'true' },
    ],
    payment_method_tokenization_enabled: true,
    settlement_reporting_enabled: true,
  })
  const furnishing: Furnishing = {
    make,
    change: (route, body) => shop.change(route, body, ACCOUNT),
    example: (title) => components.schemas[title]?.examples?.[0],
    service,
  }
  await furnishCards(furnishing)
  await furnishPages(furnishing)
  await furnishPeople(furnishing, place)
  await earn(furnishing, place)
  const { now } = await watch(furnishing, place)
  await furnishRules(furnishing, now)
  const moved = await make('/buyers', { external_identifier: 'moved', display_name: 'Moved' })
  const address = await make(`/buyers/${moved.id}/shipping-details`, { first_name: 'Mo', last_name: 'Ved' })
  await shop.change(`/buyers/${moved.id}/shipping-details/${address.id}`, null, ACCOUNT)
  const erased = await make('/buyers', { external_identifier: 'forgotten', display_name: 'Forgotten' })
  await make(`/buyers/${erased.id}/erasure`)
}

async function furnishCards({ make, example, service }: Furnishing): Promise<void> {
  const buyer = await make('/buyers', { external_identifier: 'bruno', display_name: 'Bruno' })
  const card = await make('/payment-methods', { ...CARD, buyer_id: buyer.id })
  await make(`/payment-methods/${card.id}/network-tokens`, {
    merchant_initiated: false,
    is_subsequent_payment: false,
  })
  await make(`/payment-methods/${card.id}/payment-service-tokens`, {
    ...example('CreatePaymentServiceToken'),
    payment_service_id: service.id,
  })
  await make('/payouts', {
    amount: 500,
    currency: 'USD',
    payment_service_id: service.id,
    payment_method: { method: 'id', id: card.id },
  })
  const declined = { amount: 200_005, payment_method: { method: 'id', id: card.id } }
  await make('/transactions', { ...orderOf('declined'), ...declined })
}

async function furnishPages({ make, change, example }: Furnishing): Promise<void> {
  await make('/payment-links', example('PaymentLinkCreate'))
  await change(`/merchant-accounts/${ACCOUNT}/theme`, example('UpdateTheme'))
  const session = await make('/checkout/sessions', { amount: 1_299, currency: 'USD' })
  await change(`/checkout/sessions/${session.id}/page`, {})
  const wallet = await make('/digital-wallets', example('CreateDigitalWallet'))
  await make(`/digital-wallets/${wallet.id}/keys`, example('CreateDigitalWalletKey'))
  await make(`/digital-wallets/${wallet.id}/domains`, example('RegisterDigitalWalletDomain'))
}

async function furnishRules({ make, change, example }: Furnishing, now: string): Promise<void> {
  await make('/three-ds-scenarios', example('CreateThreeDSScenario'))
  await make('/flows/card-transaction/actions/decline-early/rules', {
    conditions: [],
    outcome: { type: 'boolean', result: true },
  })
  await make('/flows/back-tests', { created_at_gte: now, rules: [] })
  await change('/flows/retry-policy', example('RetryPolicyUpdate'))
  await make('/reports', { ...example('ReportCreate'), schedule: 'once', schedule_enabled: false })
  await make('/metrics-explorer/authorization/presets', example('MetricsExplorerPresetCreate'))
}

/** Who is invited, and who is signed in with a passkey. */
async function furnishPeople({ make, example }: Furnishing, place: Place): Promise<void> {
  await make('/roles', example('RoleCreate'))
  await make('/users', {
    email_address: 'invited@example.com',
    name: 'Invited',
    role_ids: ['analyst'],
    merchant_account_ids: [ACCOUNT],
  })
  const user = await openUserSession(place)
  await user.ask('POST /saved-views', example('SavedViewCreate'))
  await user.ask('POST /auth/passkeys/options')
}

/** Money that arrives four days later, and a dispute. */
async function earn({ make, example, service }: Furnishing, place: Place): Promise<void> {
  const pay = (order: string) =>
    make('/transactions', { ...orderOf(order), intent: 'capture', payment_method: CARD })
  const disputed = await pay('disputed')
  await pay('settled')
  await make(`/sandbox/payment-services/${service.id}/chargebacks`, {
    transaction_id: disputed.id,
    amount: 1,
  })
  await make(`/sandbox/payment-services/${service.id}/next-outcomes`, example('CreateSandboxNextOutcome'))
  await advance(place, 'P4D')
}

/** Samples of some minutes, and an incident. */
async function watch({ make, example }: Furnishing, place: Place): Promise<Clock> {
  await make('/monitoring/metrics', {
    ...example('MonitoringMetricCreate'),
    alerting_policy: { params: { alert_lt: 1 } },
    incident_policy: { params: { create_after_n: 1, close_after_n: 1 } },
  })
  await make('/transactions', { ...orderOf('watched', 200_002), payment_method: CARD })
  return advance(place, 'PT3M')
}
