import type { Connector } from '#connectors/contract/connector.ts'
import type { AuthorizeOrder, Instrument } from '#connectors/contract/orders.ts'
import type { AuthenticateOrder } from '#connectors/contract/three-d-secure.ts'
import type { Scope } from '#platform/database/db.ts'
import type { Engine } from '#processing/engine.ts'
import type { AccountForPayment, StoredService } from '#resources/payment-services/store.ts'
import * as scenarios from '#resources/three-ds-scenarios/store.ts'
import * as threeDSServices from '#resources/three-ds-services/store.ts'
import type { Prepared, PreparedWithMethod } from '../prepare/prepare.ts'
import type { ChosenService } from '../routing/candidates.ts'
import { keptOf } from '../routing/decide.ts'
import type { StoredTransaction } from '../store/payments.ts'
import { type OpenableSource, withInstrument } from './instruments.ts'
import type { Judgement } from './judge.ts'
import { amountIn, browserIn, orderFor, type Paid, type Profiles } from './three-ds-order.ts'
import { askServer, type Server, sealState } from './three-ds-server.ts'
import { type Authenticated, after, nothingSaid, resultOf, summaryOf, WITHOUT } from './three-ds-verdict.ts'

type Wanted = Pick<Judgement, 'decided'> & {
  readonly chosen: ChosenService
  readonly account: Pick<AccountForPayment, 'threeDSServiceId' | 'hasScenarios'>
}

/** Authenticates with 3-D Secure if the service wants it and the buyer is present. No money moves. */
export async function authenticate(
  scope: Scope,
  engine: Engine,
  prepared: PreparedWithMethod,
  { chosen, decided, account }: Wanted,
): Promise<Authenticated> {
  const { three_d_secure_enabled, merchant_profile } = chosen.service
  const { row, document } = prepared
  const { three_d_secure_data: brought } = document
  if (brought)
    return { next: 'authorize', summary: summaryOf(brought, amountIn(prepared)), result: resultOf(brought) }
  const wish = decided?.threeDSecure
  if (wish === 'skip') return WITHOUT
  const isWanted = wish === 'force' || three_d_secure_enabled || merchant_profile !== null
  if (!isWanted || !isBuyerThere(row)) return WITHOUT
  // The payment is not on record yet, so its document lacks what the rules decided.
  const ruled = decided ? { ...document, flow: keptOf(decided) } : document
  const isOurs = account.threeDSServiceId !== null && takesProof(chosen)
  const isTheirs = !isOurs && isDoneByProvider({ ...row, document: ruled }, chosen)
  if (document.instrument_type !== 'pan' || isTheirs) return WITHOUT

  const { payer, once } = prepared
  return authenticateCard(scope, engine, {
    row,
    document,
    source: payer.source,
    profiles: merchant_profile,
    account,
    beforeAsking: once.claim,
  })
}

type Cardholder = Paid &
  Pick<Prepared, 'document'> & {
    readonly source: OpenableSource
    /** Of the payment service that is to charge the card. */
    readonly profiles: Profiles
    /** What is known of the account already. */
    readonly account?: Wanted['account']
    readonly beforeAsking?: () => Promise<void>
  }

/** Asks the account's own 3-D Secure server about the cardholder, or has the buyer's browser tell about itself first. */
export async function authenticateCard(
  scope: Scope,
  engine: Engine,
  { row, document, source, profiles, account, beforeAsking }: Cardholder,
): Promise<Authenticated> {
  const serviceId = account?.threeDSServiceId
  // Without a service there is nothing to look up.
  const server = serviceId === null ? findSimulator(engine) : await findServer(scope, engine, serviceId)
  if (!server) return WITHOUT
  const follows = account?.hasScenarios !== false && server.connector?.manifest.isSimulator === true
  const scenario = follows ? await scenarios.findFor(scope, paymentOf({ row, document })) : null
  return withInstrument(scope, engine.vault, source, async (instrument) => {
    if (instrument.kind !== 'card') return WITHOUT
    const takesPart = scenario !== null || (server.connector?.takesPart?.(instrument.number) ?? true)
    if (document.redirect_url === null) {
      return takesPart ? { next: 'refuse', summary: null, code: 'missing_redirect_url' } : WITHOUT
    }
    await beforeAsking?.()
    const browser = browserIn({ row, document })
    const asked = { row, document, card: instrument, scenario, browser, prepared: null, profiles }
    const order = await orderFor(scope, engine, server, asked)
    if (!server.connector?.prepare) return authenticateNow(scope, engine, server, order)
    return prepareFirst(scope, engine, server, order)
  })
}

/** Only sandboxes have it. */
const SIMULATOR = 'mock-three-ds'

/** In a sandbox, an account without a service asks it. Null in production: nobody can be asked. */
export function findSimulator({ providers }: Pick<Engine, 'providers'>): Server | null {
  const connector = providers.threeDSecure.find(SIMULATOR)
  return connector ? { service: null, connector } : null
}

/**
 * The server of the account's active service, or that of the service which has begun with a payment, also if another one is active
 * by now.
 */
export async function findServer(
  scope: Scope,
  engine: Pick<Engine, 'providers'>,
  serviceId?: string,
): Promise<Server | null> {
  const service = serviceId
    ? (await threeDSServices.findMany(scope, [serviceId])).get(serviceId)
    : await threeDSServices.KIND.findActive(scope)
  if (!service) return serviceId ? null : findSimulator(engine)
  const { threeDSecure } = engine.providers
  return { service, connector: threeDSecure.find(service.three_ds_service_definition_id) }
}

/** The issuer is asked once the browser has told about itself. A card that needs no such thing is authenticated at once. */
async function prepareFirst(
  scope: Scope,
  engine: Engine,
  server: Server,
  order: AuthenticateOrder,
): Promise<Authenticated> {
  const answer = await askServer(scope, engine, server, { act: 'prepare', order })
  const { transactionId, amount } = order
  switch (answer.outcome) {
    case 'collect': {
      const { state, form } = answer
      const sealed = sealState(engine, transactionId, { state, form })
      const challenge = { stage: 'device', version: null, directory_transaction_id: null, sealed } as const
      return {
        next: 'challenge',
        summary: nothingSaid(amount),
        challenge: { ...challenge, ...namedIn(server) },
      }
    }
    case 'ready':
      return authenticateNow(scope, engine, server, {
        ...order,
        prepared: { state: answer.state, told: null },
      })
    default:
      return after(answer, { amount, method: 'frictionless' })
  }
}

/** Asks the issuer. */
export async function authenticateNow(
  scope: Scope,
  engine: Engine,
  server: Server,
  order: AuthenticateOrder,
): Promise<Authenticated> {
  const verdict = await askServer(scope, engine, server, { act: 'authenticate', order })
  const { transactionId, amount } = order
  if (verdict.outcome !== 'challenge') return after(verdict, { amount, method: 'frictionless' })
  const { version, directoryTransactionId: directory_transaction_id, state, form } = verdict
  const sealed = sealState(engine, transactionId, { state, form })
  return {
    next: 'challenge',
    summary: { ...nothingSaid(amount), version, method: 'challenge' },
    challenge: { version, directory_transaction_id, sealed, ...namedIn(server) },
  }
}

function namedIn({ service }: Server) {
  return service && { three_ds_service_id: service.id }
}

/** What the conditions of scenarios are compared with. */
function paymentOf({ row, document }: Paid): scenarios.Payment {
  return {
    first_name: document.buyer?.billing_details?.first_name ?? null,
    last_name: document.buyer?.billing_details?.last_name ?? null,
    email_address: row.buyer_email_address,
    amount: amountIn({ row, document }),
    external_identifier: row.buyer_external_identifier,
    card_fingerprint: row.payment_method_fingerprint,
  }
}

type Chosen = {
  readonly service: Pick<StoredService, 'three_d_secure_enabled'>
  readonly connector: Pick<Connector, 'manifest'>
}
type Payment = Pick<StoredTransaction, 'merchant_initiated' | 'payment_source' | 'document'>

export function isBuyerThere({
  merchant_initiated,
  payment_source,
}: Pick<Payment, 'merchant_initiated' | 'payment_source'>): boolean {
  return !merchant_initiated && payment_source !== 'moto'
}

/** A merchant who has connected a 3-D Secure server wants its proof, which also fits the services that are asked next. */
function takesProof({ connector }: Chosen): boolean {
  return connector.manifest.capabilities.threeDSecurePassThrough
}

/**
 * Whether the provider authenticates the buyer: the merchant or a rule wants it, and the buyer is there and can be sent to the
 * provider and back. It does so if there is no other proof: the account has no 3-D Secure service, or its server could not be asked.
 */
export function isDoneByProvider(payment: Payment, { service, connector }: Chosen): boolean {
  const wish = payment.document.flow?.three_d_secure
  const isWanted = wish === 'force' || (service.three_d_secure_enabled && wish !== 'skip')
  const canDoIt = isWanted && connector.manifest.capabilities.threeDSecureByProvider
  return canDoIt && isBuyerThere(payment) && payment.document.redirect_url !== null
}

type Asked = {
  readonly transaction: Payment
  readonly instrument: Instrument
  readonly threeDSecure: AuthorizeOrder['threeDSecure']
}

/** What the order says about 3-D Secure. A token with a cryptogram needs no other proof. */
export function wishOf(
  { transaction, instrument, threeDSecure }: Asked,
  chosen: Chosen,
): AuthorizeOrder['threeDSecure'] {
  const isCard = instrument.kind === 'card' || instrument.kind === 'provider-token'
  return threeDSecure ?? (isCard && isDoneByProvider(transaction, chosen) ? 'provider' : null)
}
