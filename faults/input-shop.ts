import type { OpenApiDocument } from '#platform/reference/openapi.ts'
import { CARD } from '../lab/card.ts'
import { type Json, mustDo, type Place } from '../lab/product.ts'
import { openUserSession, type UserSession } from '../lab/user-session.ts'
import { type Described, isForUsers } from './document.ts'
import type { Known } from './generated-requests.ts'
import type { Form } from './program.ts'
import type { Header } from './raw-request.ts'

const OTHER_ACCOUNT = 'other-shop'
const ORDER = { amount: 1299, currency: 'USD', country: 'US', payment_method: CARD }

/** The other account issues gift cards. And a generated scenario or rule may fit every payment. */
const ELSEWHERE = /^(issue|activate)_gift_card$|_three_ds_scenario$|_flow_(rule|version|back_test)$/
/** How many things of each kind are made for paths. Some operations use them up. */
const EACH = { full: 10, short: 1 }
export type InputShop = {
  /** Makes what an operation can act on, and returns it. */
  readonly prepare: (operation: Described) => Promise<Known>
  /** The headers that let a request in: of a token or, for the operation that was prepared last, of a user. */
  readonly credentials: (operation: Described) => Header[]
}

/** A merchant account with a little of everything, so that random requests find something to act on. */
export async function openInputShop(place: Place, document: OpenApiDocument, form: Form): Promise<InputShop> {
  const ask = askerOf(place)
  await furnish(ask)
  let user = await openUserSession(place)
  const makers = { ...makersOf(ask, document), ...userMakers(() => user, document) }
  const real = await references(ask, makers)
  return {
    credentials: (operation) =>
      isForUsers(operation) ? user.headers : [['authorization', `Bearer ${place.token}`]],
    prepare: async (operation) => {
      // Some end the session, or all others of the user. A proof is fresh for ten minutes.
      if (isForUsers(operation)) user = await openUserSession(place)
      const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
      const count = names.length > 0 ? EACH[form] : 0
      const paths: string[] = []
      for (let index = 0; index < count; index += 1) {
        const made = await makeAll(makers, names, operation)
        paths.push(operation.path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => made[name] ?? ''))
      }
      const { operationId } = operation.described
      const own = await ownValues(ask, operationId)
      const isElsewhere = ELSEWHERE.test(operationId)
      return {
        paths,
        real: { ...real, cursor: await cursorsOf(ask, operation), ...own },
        ...(isElsewhere
          ? { accounts: [], account: OTHER_ACCOUNT }
          : { accounts: ['default', OTHER_ACCOUNT] }),
      }
    },
  }
}

async function furnish(ask: Ask): Promise<void> {
  await ask('POST /merchant-accounts', { id: OTHER_ACCOUNT, display_name: 'Other shop' })
  await ask('PUT /merchant-accounts/default', {
    account_updater_enabled: true,
    visa_network_tokens_requestor_id: 'walk',
    visa_network_tokens_app_id: 'walk',
  })
  // The simulator cancels, syncs and increments only with `extended`.
  const [simulator] = (await ask('GET /payment-services')).items
  await ask(`PUT /payment-services/${simulator.id}`, {
    fields: [{ key: 'extended', value: 'true' }],
    payment_method_tokenization_enabled: true,
  })
  await ask('POST /payment-services', {
    display_name: 'Wallet',
    payment_service_definition_id: 'mock-paypal',
    fields: [{ key: 'merchant_id', value: 'walk' }],
    accepted_currencies: ['USD'],
    accepted_countries: ['US'],
  })
  // The simulator makes no gift cards; our own issuer does.
  await ask(
    'POST /gift-card-services',
    {
      display_name: 'Issuer',
      gift_card_service_definition_id: 'switchyard-gift-card',
      fields: [
        { key: 'program', value: 'walk' },
        { key: 'program_key', value: 'a-key-of-the-walk' },
      ],
    },
    OTHER_ACCOUNT,
  )
}

/** The list of metrics needs one. */
const INTERVAL = 'samples_timestamp_interval'

async function cursorsOf(ask: Ask, { method, path, parameters, described }: Described): Promise<string[]> {
  if (method !== 'GET' || path.includes('{') || !parameters.some(({ name }) => name === 'cursor')) return []
  // Some lists are those of a user who is signed in.
  if (!described.security.some((scheme) => 'bearerAuth' in scheme)) return []
  const needed = parameters.some(({ name }) => name === INTERVAL) ? `&${INTERVAL}=PT1H/now` : ''
  const { next_cursor } = await ask(`GET ${path}?limit=1${needed}`)
  return next_cursor === null ? [] : [next_cursor]
}

type Made = Readonly<Record<string, string>>
type Makers = Readonly<Record<string, (made: Made, operationId: string) => Promise<string>>>

async function makeAll(makers: Makers, names: readonly string[], operation: Described): Promise<Made> {
  const made: Record<string, string> = {}
  for (const name of names) {
    // Fails for a new parameter that has no maker yet.
    const make = makers[name]
    if (!make) throw new Error(`${operation.path}: say how to make a ${name}`)
    made[name] = await make(made, operation.described.operationId)
  }
  return made
}

const BY_THE_BUYER = { merchant_initiated: false, is_subsequent_payment: false }

/** Reports that have an execution at once. */
function reportMakers(ask: Ask, example: object): Makers {
  const once = { ...example, schedule: 'once', schedule_enabled: false }
  return {
    report_id: async () => (await ask('POST /reports', once)).id,
    report_execution_id: async () => (await ask('GET /report-executions?limit=1')).items[0].id,
  }
}

/** Generated requests may have made another one, and an account has one that is active. */
async function makeWatchful(ask: Ask): Promise<void> {
  const list = async () => (await ask('GET /anti-fraud-services?limit=100')).items
  for (let found = await list(); found.length > 0; found = await list())
    for (const { id } of found) await ask(`DELETE /anti-fraud-services/${id}`)
  await ask('POST /anti-fraud-services', WATCHFUL)
}

/** A payment that an anti-fraud service with reviews holds back. */
const SUSPECT = { buyer: { billing_details: { email_address: 'review@shop.example' } } }
const WATCHFUL = {
  display_name: 'Watchful',
  anti_fraud_service_definition_id: 'mock-anti-fraud',
  reviews_enabled: true,
  fields: [],
}

/** A payment that waits for the buyer at a provider with sessions. */
const WALLET_ORDER = {
  ...ORDER,
  payment_method: {
    method: 'paypal',
    country: 'US',
    currency: 'USD',
    redirect_url: 'https://shop.example.com/back',
  },
}

function explorerMakers(makePreset: (route: string) => Promise<string>): Makers {
  return {
    source: async () => 'authorization',
    metric: async () => 'transactions',
    module: async () => 'country',
    preset_id: ({ source }) => makePreset(`POST /metrics-explorer/${source}/presets`),
  }
}

/** What is always there, and what requests cannot make: time makes incidents, reports make settlements. */
const NOT_MADE: Makers = {
  payment_service_definition_id: async () => 'mock-card',
  account_updater_service_definition_id: async () => 'mock-account-updater',
  anti_fraud_service_definition_id: async () => 'mock-anti-fraud',
  gift_card_service_definition_id: async () => 'mock-gift-card',
  network_token_service_definition_id: async () => 'mock-network-token',
  three_ds_service_definition_id: async () => 'mock-three-ds',
  settlement_id: async () => crypto.randomUUID(),
  payment_service_report_id: async () => crypto.randomUUID(),
  incident_id: async () => crypto.randomUUID(),
}

/** One amount stays pending at the simulator and can be cancelled. What is captured can be refunded. */
function orderFor(operationId: string): object {
  return {
    ...(operationId === 'cancel_transaction' && { amount: 600_002 }),
    ...(operationId === 'review_transaction' && SUSPECT),
    intent: /refund|get_transaction_capture/.test(operationId) ? 'capture' : 'authorize',
  }
}

function forwardMakers(ask: Ask, authentication: object): Makers {
  const make = async (path: string, body: object) => (await ask(`POST /vault-forward/${path}`, body)).id
  return {
    vault_forward_endpoint_id: () => make('endpoints', { host: `host-${crypto.randomUUID()}.example.com` }),
    vault_forward_authentication_id: () => make('authentications', authentication),
  }
}

function makersOf(ask: Ask, { components }: OpenApiDocument): Makers {
  let count = 0
  const example = (title: string) => components.schemas[title]?.examples?.[0] as object
  const id = async (route: string, body: object = {}): Promise<string> => (await ask(route, body)).id
  const pay = (body: object) => id('POST /transactions', { ...ORDER, ...body })
  const simulator = () => simulatorOf(ask)
  return {
    ...NOT_MADE,
    ...installationMakers(ask, example),
    merchant_account_id: () => {
      count += 1
      return id('POST /merchant-accounts', { id: `walk-${count}`, display_name: 'Walk' })
    },
    three_ds_configuration_id: ({ merchant_account_id }) =>
      id(
        `POST /merchant-accounts/${merchant_account_id}/three-ds-configurations`,
        example('CreateThreeDSConfiguration'),
      ),
    payment_method_id: () => id('POST /payment-methods', ORDER.payment_method),
    payment_service_id: async (_made, operationId) =>
      SIMULATED.has(operationId)
        ? (await payAndCapture(ask)).payment_service.id
        : id('POST /payment-services', example('CreatePaymentService')),
    chargeback_id: (_made, operationId) => disputeOne(ask, operationId),
    dispute_id: async () => {
      const { transaction_id } = await ask(`GET /chargebacks/${await disputeOne(ask)}`)
      return (await ask(`GET /disputes?transaction_id=${transaction_id}`)).items[0].id
    },
    transaction_id: async (_made, operationId) => {
      if (operationId === 'update_transaction_session') return id('POST /transactions', WALLET_ORDER)
      if (operationId === 'review_transaction') await makeWatchful(ask)
      return pay(orderFor(operationId))
    },
    capture_id: async ({ transaction_id }) =>
      (await ask(`GET /transactions/${transaction_id}/captures`)).items[0].id,
    refund_id: async ({ transaction_id }) =>
      id(`POST /transactions/${transaction_id ?? (await pay({ intent: 'capture' }))}/refunds`, { amount: 1 }),
    event_id: async () => (await ask('GET /events?limit=1')).items[0].id,
    // For all accounts: generated requests may have used up the limit of this one.
    subscription_id: async () =>
      (await ask('POST /webhook-subscriptions', { url: 'https://a.invalid/webhooks' }, '*')).id,
    delivery_id: async ({ subscription_id }) => {
      await pay({})
      return (await ask(`GET /webhook-subscriptions/${subscription_id}/deliveries?limit=1`)).items[0].id
    },
    payout_id: async () =>
      id('POST /payouts', { ...example('PayoutCreate'), payment_service_id: await simulator() }),
    payment_link_id: () => id('POST /payment-links', example('PaymentLinkCreate')),
    payment_service_token_id: async ({ payment_method_id }) =>
      id(`POST /payment-methods/${payment_method_id}/payment-service-tokens`, {
        ...example('CreatePaymentServiceToken'),
        payment_service_id: await simulator(),
      }),
    network_token_id: ({ payment_method_id }) =>
      id(`POST /payment-methods/${payment_method_id}/network-tokens`, BY_THE_BUYER),
    ...walletMakers(ask, example),
    // In the other account, where payments may be declined.
    three_ds_scenario_id: async () =>
      (await ask('POST /three-ds-scenarios', example('CreateThreeDSScenario'), OTHER_ACCOUNT)).id,
    ...forwardMakers(ask, example('CreateVaultForwardAuthentication')),
    ...flowMakers(elsewhere(ask)),
    metric_id: () => makeMetric(ask, example('MonitoringMetricCreate')),
    ...reportMakers(ask, example('ReportCreate')),
    session_id: async () => {
      const session = await id('POST /checkout/sessions', { amount: 1299, currency: 'USD' })
      await ask(`PUT /checkout/sessions/${session}/page`, {})
      return session
    },
    ...serviceMakers(id, example),
    gift_card_id: () => {
      count += 1
      return id('POST /gift-cards', { number: `606060${String(count).padStart(10, '0')}`, pin: '01000' })
    },
    ...explorerMakers((route) => id(route, example('MetricsExplorerPresetCreate'))),
    buyer_id: async (_made, operationId) => {
      const buyer = await id('POST /buyers')
      if (operationId === 'get_buyer_erasure') await ask(`POST /buyers/${buyer}/erasure`)
      return buyer
    },
    shipping_details_id: ({ buyer_id }) => id(`POST /buyers/${buyer_id}/shipping-details`),
  }
}

/** Operations that the simulator carries out on a payment of its own. */
const SIMULATED = new Set(['create_sandbox_chargeback', 'create_sandbox_notification'])

type MakeId = (route: string, body: object) => Promise<string>

function serviceMakers(id: MakeId, example: (title: string) => object): Makers {
  return {
    // An account has one that is active.
    account_updater_service_id: () =>
      id('POST /account-updater-services', { ...example('CreateAccountUpdaterService'), active: false }),
    anti_fraud_service_id: () =>
      id('POST /anti-fraud-services', { ...example('CreateAntiFraudService'), active: false }),
    network_token_service_id: () =>
      id('POST /network-token-services', { ...example('CreateNetworkTokenService'), active: false }),
    three_ds_service_id: () =>
      id('POST /three-ds-services', { ...example('CreateThreeDSService'), active: false }),
    gift_card_service_id: () => id('POST /gift-card-services', example('CreateGiftCardService')),
  }
}

/** An account has one wallet of each provider, so all paths of an operation lead to the same. */
function walletMakers(ask: Ask, example: (title: string) => object): Makers {
  let wallet = { id: '', operationId: '' }
  return {
    digital_wallet_id: async (_made, operationId) => {
      if (wallet.operationId === operationId) return wallet.id
      for (const { id } of (await ask('GET /digital-wallets')).items)
        await ask(`DELETE /digital-wallets/${id}`)
      const { id } = await ask('POST /digital-wallets', example('CreateDigitalWallet'))
      wallet = { id, operationId }
      return id
    },
    digital_wallet_key_id: async ({ digital_wallet_id }) =>
      (await ask(`POST /digital-wallets/${digital_wallet_id}/keys`, example('CreateDigitalWalletKey'))).id,
  }
}

function installationMakers(ask: Ask, example: (title: string) => object): Makers {
  return {
    api_key_pair_id: async () => (await ask('POST /api-key-pairs', example('CreateAPIKeyPair'))).id,
    // No two roles share a name.
    role_id: async () =>
      (await ask('POST /roles', { ...example('RoleCreate'), name: crypto.randomUUID() })).id,
    user_id: () => inviteUser(ask),
    api_log_id: async () => (await ask('GET /api-logs?limit=1')).items[0].id,
  }
}

async function inviteUser(ask: Ask): Promise<string> {
  const email_address = `${crypto.randomUUID()}@example.com`
  return (await ask('POST /users', { email_address, name: 'Walk', role_ids: ['analyst'] })).id
}

/** An account has at most ten metrics, none twice. Generated requests make some, too. */
async function makeMetric(ask: Ask, example: object): Promise<string> {
  const { items } = await ask(`GET /monitoring/metrics?limit=10&${INTERVAL}=PT1H/now`)
  if (items.length === 10) for (const { id } of items) await ask(`DELETE /monitoring/metrics/${id}`)
  const bin = String(crypto.getRandomValues(new Uint32Array(1))[0])
    .padStart(6, '0')
    .slice(-6)
  const params = { filters: { datetime_range: 'PT5M/now', payment_method_bin: [bin] } }
  return (await ask('POST /monitoring/metrics', { ...example, spec: { params } })).id
}

/** Values that mean something, by field name. */
const FAMILIAR: Known['real'] = {
  currency: ['USD', 'EUR'],
  country: ['US', 'NL'],
  number: ['4111111111111111', '5555555555554444', '4111111100011116'],
  expiration_date: ['12/40', '01/30'],
  security_code: ['123', '1234'],
  pin: ['0500', '01000'],
  payment_service_definition_id: ['mock-card'],
  account_updater_service_definition_id: ['mock-account-updater'],
  anti_fraud_service_definition_id: ['mock-anti-fraud'],
  gift_card_service_definition_id: ['switchyard-gift-card', 'mock-gift-card'],
  network_token_service_definition_id: ['mock-network-token'],
  three_ds_service_definition_id: ['mock-three-ds'],
  bin: ['411111', '555555'],
  host: ['api.example.com', 'bücher.example:8443'],
  domain_name: ['pay.example.com', 'bücher.example'],
  [INTERVAL]: ['PT1H/now', 'PT3H/hour_start'],
  timestamp_interval: ['P1D/now'],
  datetime_range: ['PT30M/now', 'PT60M/hour_start'],
  key: ['merchant_id', 'extended', 'program', 'program_key'],
}

/** Ids for bodies and queries to refer to. Chance combines those that belong together. */
async function references(ask: Ask, makers: Makers): Promise<Known['real']> {
  const make = async (name: string, made: Made = {}) => (await makers[name]?.(made, '')) ?? ''
  const buyer = (await ask('POST /buyers', { external_identifier: 'walk', display_name: 'Walk' })).id
  const method = await make('payment_method_id')
  const session = await make('session_id')
  return {
    ...FAMILIAR,
    buyer_id: [buyer],
    buyer_external_identifier: ['walk'],
    shipping_details_id: [await make('shipping_details_id', { buyer_id: buyer })],
    payment_method_id: [method],
    payment_service_id: [await make('payment_service_id')],
    checkout_session_id: [session],
    id: [method, session],
    role_ids: (await ask('GET /roles')).items.map(({ id }: Json) => id),
  }
}

type Ask = (route: string, body?: object, account?: string) => Promise<Json>

function askerOf(place: Place): Ask {
  return (route, body, account = 'default') => mustDo({ ...place, account }, route, body)
}

/** In the other account. */
function elsewhere(ask: Ask): Ask {
  return (route, body) => ask(route, body, OTHER_ACCOUNT)
}

/** The service that is there from the start, with everything that the simulator can do. */
async function simulatorOf(ask: Ask): Promise<string> {
  return (await ask('GET /payment-services?limit=100')).items.findLast(
    ({ payment_service_definition_id: definition }: Json) => definition === 'mock-card',
  ).id
}

function payAndCapture(ask: Ask): Promise<Json> {
  return ask('POST /transactions', { ...ORDER, intent: 'capture' })
}

/** Disputes a payment, as the bank of a buyer would. */
async function disputeOne(ask: Ask, operationId?: string): Promise<string> {
  const { id, payment_service } = await payAndCapture(ask)
  const sandbox = `POST /sandbox/payment-services/${payment_service.id}`
  await ask(`${sandbox}/chargebacks`, { transaction_id: id })
  await ask(`${sandbox}/notifications`, { transaction_id: id })
  const [chargeback] = (await ask(`GET /transactions/${id}/chargebacks`)).items
  if (operationId === 'delete_chargeback_answer')
    await ask(`PUT /chargebacks/${chargeback.id}/answer`, { note: 'walk' })
  return chargeback.id
}

const DECLINING = { conditions: [], outcome: { type: 'boolean', result: true } }

async function makeRule(ask: Ask): Promise<string> {
  return (await ask('POST /flows/card-transaction/actions/decline-early/rules', DECLINING)).id
}

/** Rules of an account, what was tried with them, and their versions. */
function flowMakers(ask: Ask): Makers {
  return {
    flow: async () => 'card-transaction',
    action: async () => 'decline-early',
    rule_id: () => makeRule(ask),
    flow_version_id: async () => {
      await makeRule(ask)
      return (await ask('GET /flows/versions')).items[0].id
    },
    flow_back_test_id: async () => {
      // Three can be under way at a time, and no worker finishes them.
      const [known] = (await ask('GET /flows/back-tests')).items
      if (known) return known.id
      const body = { created_at_gte: new Date().toISOString(), rules: [] }
      return (await ask('POST /flows/back-tests', body)).id
    },
  }
}

/** What belongs to the user who is signed in. */
function userMakers(user: () => UserSession, { components }: OpenApiDocument): Makers {
  return {
    saved_view_id: async () => {
      const example = components.schemas['SavedViewCreate']?.examples?.[0] as object
      return (await user().ask('POST /saved-views', { ...example, name: crypto.randomUUID() }))['id'] ?? ''
    },
    user_session_id: async () => {
      await user().signInElsewhere()
      const { items } = (await user().ask('GET /auth/sessions')) as Json
      return items.find(({ is_current }: Json) => !is_current).id
    },
    passkey_id: async () => {
      const { challenge_id, passkey } = (await user().ask('POST /auth/passkeys/options')) as Json
      const body = { challenge_id, passkey: user().device(passkey) }
      return (await user().ask('POST /auth/passkeys', body))['id'] ?? ''
    },
  }
}

const BLANKS = 3

/** What a request of one operation must name to succeed, beside what exists for all. */
async function ownValues(ask: Ask, operationId: string): Promise<Known['real']> {
  switch (operationId) {
    case 'issue_gift_card':
    case 'activate_gift_card':
      return { number: await blankCards(ask) }
    case 'update_transaction_session':
      return { token: await sessionTokens(ask) }
    case 'create_invitation_options':
      return { token: [await invitationToken(ask)] }
    case 'create_payment_method_payment_service_token':
      return { payment_service_id: [await simulatorOf(ask)] }
    case 'create_sandbox_chargeback':
    case 'create_sandbox_notification':
      return { transaction_id: [(await payAndCapture(ask)).id, (await payAndCapture(ask)).id] }
    case 'create_flow_version':
      await makeRule(elsewhere(ask))
      return { restore: [1] }
    case 'create_flow_back_test':
      return { version: [1] }
    default:
      return {}
  }
}

/** The numbers of gift cards that wait on a shelf to be activated. */
async function blankCards(ask: Ask): Promise<string[]> {
  const blank = { theme: 'walk', amount: 0, currency: 'USD' }
  const numbers: string[] = []
  while (numbers.length < BLANKS) {
    const { url } = await ask('POST /gift-cards/issuances', blank, OTHER_ACCOUNT)
    const page = await (await fetch(url, { method: 'POST' })).text()
    numbers.push(/<dd[^>]*>\s*([\d\s]{16,})<\/dd>/.exec(page)?.[1]?.replaceAll(/\s/g, '') ?? '')
  }
  return numbers
}

async function sessionTokens(ask: Ask): Promise<string[]> {
  const { items } = await ask('GET /transactions?limit=20&status=buyer_approval_pending')
  const shown = await Promise.all(items.map(({ id }: { id: string }) => ask(`GET /transactions/${id}`)))
  return shown.flatMap(({ session_token }) => session_token ?? [])
}

async function invitationToken(ask: Ask): Promise<string> {
  const email_address = `${crypto.randomUUID()}@example.com`
  const body = { email_address, name: 'Walk', role_ids: ['analyst'] }
  return String((await ask('POST /users', body)).invitation_url).split('#')[1] ?? ''
}
