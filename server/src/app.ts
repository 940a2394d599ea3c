import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { expireCards } from '#issuer/expire.ts'
import { iconsIn, serveIcons } from '#platform/assets.ts'
import { Authenticator } from '#platform/auth.ts'
import type { Clock } from '#platform/clock.ts'
import type { Context, Db } from '#platform/db.ts'
import { serveHealth } from '#platform/health.ts'
import { buildServer } from '#platform/http.ts'
import { hideSecrets, purgeOldKeys } from '#platform/idempotency.ts'
import { instanceNameOf } from '#platform/instance.ts'
import type { Job } from '#platform/jobs.ts'
import type { Logger } from '#platform/log.ts'
import type { Metrics } from '#platform/metrics.ts'
import type { Operation } from '#platform/operation.ts'
import type { Outgoing } from '#platform/outgoing.ts'
import { browserLimit, purgeOldCounts } from '#platform/rate-limit.ts'
import { serveReference } from '#platform/reference/page.ts'
import type { Secrets } from '#platform/secrets.ts'
import type { AccountUpdater } from '#processing/account-updater.ts'
import type { Engine } from '#processing/engine.ts'
import type { Providers } from '#processing/provider.ts'
import { forgetSecretsJob } from '#processing/service-accounts/forget-deleted.ts'
import type { ThreeDSecureServer } from '#processing/three-d-secure.ts'
import { accountUpdaterRoutes } from '#resources/account-updater/routes.ts'
import { antiFraudServiceDefinitionRoutes } from '#resources/anti-fraud-service-definitions/routes.ts'
import { serveAntiFraudNotifications } from '#resources/anti-fraud-services/notifications/take.ts'
import { antiFraudServiceRoutes } from '#resources/anti-fraud-services/routes.ts'
import * as antiFraudServices from '#resources/anti-fraud-services/store.ts'
import { apiKeyPairRoutes } from '#resources/api-key-pairs/routes.ts'
import * as apiKeyPairs from '#resources/api-key-pairs/store.ts'
import { auditLogJobs } from '#resources/audit-logs/jobs.ts'
import { auditLogRoutes } from '#resources/audit-logs/routes.ts'
import type { Sealer } from '#resources/audit-logs/seal.ts'
import { buyerGiftCardRoutes } from '#resources/buyers/gift-cards/routes.ts'
import { buyerPaymentMethodRoutes } from '#resources/buyers/payment-methods/routes.ts'
import { buyerRoutes } from '#resources/buyers/routes.ts'
import { shippingDetailsRoutes } from '#resources/buyers/shipping-details/routes.ts'
import { cardDetailRoutes } from '#resources/card-details/routes.ts'
import { cardSchemeDefinitionRoutes } from '#resources/card-scheme-definitions/routes.ts'
import { PINS } from '#resources/checkout/pins.ts'
import { checkoutSessionJobs } from '#resources/checkout/sessions/jobs.ts'
import { checkoutSessionRoutes } from '#resources/checkout/sessions/routes.ts'
import { eventJobs } from '#resources/events/jobs.ts'
import { eventRoutes } from '#resources/events/routes.ts'
import { Event } from '#resources/events/schemas.ts'
import { giftCardServiceDefinitionRoutes } from '#resources/gift-card-service-definitions/routes.ts'
import { giftCardServiceJobs } from '#resources/gift-card-services/jobs.ts'
import { giftCardServiceRoutes } from '#resources/gift-card-services/routes.ts'
import { giftCardActivationRoutes } from '#resources/gift-cards/activations/routes.ts'
import { giftCardBalanceRoutes } from '#resources/gift-cards/balances/routes.ts'
import { giftCardIssuanceRoutes } from '#resources/gift-cards/issuances/routes.ts'
import { serveIssuedCards } from '#resources/gift-cards/issued-page.ts'
import { giftCardJobs } from '#resources/gift-cards/jobs.ts'
import { giftCardRoutes } from '#resources/gift-cards/routes.ts'
import { merchantAccountRoutes } from '#resources/merchant-accounts/routes.ts'
import * as merchantAccounts from '#resources/merchant-accounts/store.ts'
import { threeDSConfigurationRoutes } from '#resources/merchant-accounts/three-ds-configurations/routes.ts'
import {
  paymentMethodDefinitionRoutes,
  servePaymentMethodIcons,
} from '#resources/payment-method-definitions/routes.ts'
import { cardOfPaymentMethod } from '#resources/payment-methods/card-of.ts'
import { paymentMethodJobs } from '#resources/payment-methods/jobs.ts'
import { paymentMethodRoutes } from '#resources/payment-methods/routes.ts'
import { paymentOptionRoutes } from '#resources/payment-options/routes.ts'
import { paymentServiceDefinitionRoutes } from '#resources/payment-service-definitions/routes.ts'
import { paymentServiceJobs } from '#resources/payment-services/jobs.ts'
import { serveNotifications } from '#resources/payment-services/notifications/take.ts'
import { paymentServiceRoutes } from '#resources/payment-services/routes.ts'
import { refundByIdRoutes } from '#resources/refunds/routes.ts'
import { roleRoutes } from '#resources/roles/routes.ts'
import { actionRoutes } from '#resources/transactions/actions/routes.ts'
import { takeReview } from '#resources/transactions/anti-fraud/take-review.ts'
import { serveApprovals } from '#resources/transactions/approval/approval-page.ts'
import { takeNotification } from '#resources/transactions/attempts/take-notification.ts'
import { captureRoutes } from '#resources/transactions/captures/routes.ts'
import { transactionEventRoutes } from '#resources/transactions/events/routes.ts'
import { transactionJobs } from '#resources/transactions/jobs.ts'
import { refundRoutes } from '#resources/transactions/refunds/routes.ts'
import { reportedRoutes } from '#resources/transactions/reported/routes.ts'
import { transactionRoutes } from '#resources/transactions/routes.ts'
import { webhookDeliveryRoutes } from '#resources/webhook-subscriptions/deliveries/routes.ts'
import { webhookJobs } from '#resources/webhook-subscriptions/jobs.ts'
import { webhookSubscriptionRoutes } from '#resources/webhook-subscriptions/routes.ts'
import type { Vault } from '#vault'
import manifest from '../../package.json' with { type: 'json' }
import { attemptJobs } from './attempt-kinds.ts'
import { DATABASE_QUEUE_MAX_DEFAULT, type Role } from './config.ts'

const SERVER_FOLDER = dirname(dirname(fileURLToPath(import.meta.url)))
const CARD_SCHEME_ICONS = join(SERVER_FOLDER, 'assets/card-schemes')

/** The migrations that this program expects the database to have. */
export const MIGRATIONS: readonly string[] = [
  join(SERVER_FOLDER, 'migrations'),
  join(SERVER_FOLDER, '../vault/migrations'),
  join(SERVER_FOLDER, '../simulator/migrations'),
  join(SERVER_FOLDER, '../issuer/migrations'),
]

export type AppOptions = {
  readonly db: Db
  readonly pool: pg.Pool
  readonly clock: Clock
  readonly secrets: Secrets
  readonly vault: Vault
  readonly providers: Providers
  readonly threeDSecure: ThreeDSecureServer | null
  readonly accountUpdater: AccountUpdater | null
  readonly outgoing: Outgoing
  readonly environment: string
  readonly instanceId: string
  readonly logger: Logger
  readonly metrics: Metrics
  readonly publicUrl: string
  readonly role: Role
  readonly trustProxy: boolean | string[]
  readonly metricsToken: string | null
  readonly isStopping: () => boolean
  readonly warnings?: () => readonly string[]
  /** How many may wait for a database connection before requests are turned away. */
  readonly databaseQueueMax?: number
  readonly onAnswer?: (operation: Operation, body: unknown) => void
}

type Needs = {
  readonly secrets: Secrets
  readonly vault: Vault
  readonly authenticator: Authenticator
  readonly publicUrl: string
  readonly providers: Providers
  readonly engine: Engine
  readonly accountUpdater: AccountUpdater | null
  readonly outgoing: Outgoing
  readonly environment: string
  readonly instanceId: string
  readonly giftCardBalancesMax?: number
}

/** The table of contents: everything the API can do. */
export function listOperations(needs: Needs): Operation[] {
  return [
    ...apiKeyPairRoutes(needs),
    ...merchantAccountRoutes(needs),
    ...threeDSConfigurationRoutes(),
    ...roleRoutes(needs),
    ...buyerRoutes(needs),
    ...shippingDetailsRoutes(),
    ...buyerPaymentMethodRoutes(),
    ...buyerGiftCardRoutes(needs),
    ...paymentMethodRoutes(needs),
    ...accountUpdaterRoutes(needs),
    ...checkoutSessionRoutes(needs),
    ...paymentOptionRoutes(needs),
    ...cardSchemeDefinitionRoutes(needs),
    ...cardDetailRoutes({ ...needs, cardOfPaymentMethod }),
    ...paymentMethodDefinitionRoutes(needs),
    ...paymentServiceDefinitionRoutes(needs),
    ...paymentServiceRoutes(needs),
    ...antiFraudServiceDefinitionRoutes(needs),
    ...antiFraudServiceRoutes(needs),
    ...giftCardServiceDefinitionRoutes(needs),
    ...giftCardServiceRoutes(needs),
    ...giftCardRoutes(needs),
    ...giftCardBalanceRoutes(needs),
    ...giftCardActivationRoutes(needs.engine),
    ...giftCardIssuanceRoutes(needs.engine),
    ...transactionRoutes(needs),
    ...captureRoutes(),
    ...refundRoutes(needs),
    ...refundByIdRoutes(),
    ...transactionEventRoutes(needs),
    ...actionRoutes(),
    ...reportedRoutes(),
    ...eventRoutes(needs),
    ...webhookSubscriptionRoutes(needs),
    ...webhookDeliveryRoutes(needs),
    ...auditLogRoutes(needs),
  ]
}

export type JobNeeds = {
  readonly context: Context
  readonly pool: pg.Pool
  readonly secrets: Secrets
  readonly sealer: Sealer
  readonly vault: Vault
  readonly engine: Engine
  /** Null where none is configured. */
  readonly accountUpdater: AccountUpdater | null
  readonly outgoing: Outgoing
  readonly logger: Logger
  readonly metrics: Metrics
  readonly environment: string
  readonly instanceId: string
  readonly eventRetentionDays: number
}

/** Everything that is done without being asked. */
export const JOBS: readonly Job<JobNeeds>[] = [
  ...auditLogJobs,
  ...paymentMethodJobs,
  ...paymentServiceJobs,
  ...attemptJobs,
  ...checkoutSessionJobs,
  ...transactionJobs,
  ...giftCardJobs,
  ...giftCardServiceJobs,
  forgetSecretsJob(antiFraudServices.KIND),
  ...eventJobs,
  ...webhookJobs,
  {
    name: 'expire-gift-cards',
    everyMs: 60_000,
    run: async ({ pool, context }) => void (await expireCards(pool, context.clock)),
  },
  {
    name: 'hide-secrets-in-answers',
    everyMs: 60_000,
    run: ({ context, secrets }) => hideSecrets({ ...context, secrets }),
  },
  {
    name: 'purge-idempotency-keys',
    everyMs: 10 * 60_000,
    run: ({ context, secrets }) => purgeOldKeys({ ...context, secrets }),
  },
  { name: 'purge-rate-limits', everyMs: 10 * 60_000, run: ({ context }) => purgeOldCounts(context) },
]

export function buildApp(options: AppOptions): FastifyInstance {
  const { db, pool, clock, databaseQueueMax = DATABASE_QUEUE_MAX_DEFAULT } = options
  const authenticator = new Authenticator({
    clock,
    findKey: (thumbprint) => apiKeyPairs.findVerifyingKey({ db }, thumbprint),
    markUsed: (id) => apiKeyPairs.markUsed({ db, clock }, id),
    pins: PINS,
  })
  // A worker answers to whoever watches it, and to nobody else.
  const engine: Engine = options
  const operations = options.role === 'worker' ? [] : listOperations({ ...options, engine, authenticator })
  const app = buildServer(
    {
      ...options,
      authenticator,
      pins: PINS,
      browserLimit: browserLimit({ db, clock }),
      // Whoever waits for a provider holds no connection: a slow provider does not make us busy.
      isBusy: () => pool.waitingCount >= databaseQueueMax,
      merchantAccountExists: onceTrue((id) => merchantAccounts.exists({ db }, id)),
    },
    operations,
  )
  if (options.role !== 'worker') {
    const context = { db, clock, actor: { id: null, name: 'Buyer' }, requestId: null }
    serveApprovals(app, { engine, context })
    serveIssuedCards(app, options.providers)
    const fromProvider = { ...context, actor: { id: null, name: 'Payment service' } }
    serveNotifications(app, { engine, context: fromProvider, take: takeNotification })
    const fromReviewer = { ...context, actor: { id: null, name: 'Anti-fraud service' } }
    serveAntiFraudNotifications(app, { engine, context: fromReviewer, take: takeReview })
  }
  serveIcons(app, '/assets/card-schemes', iconsIn(CARD_SCHEME_ICONS))
  servePaymentMethodIcons(app)
  const facts = { publicUrl: options.publicUrl, version: manifest.version, event: Event }
  serveReference(app, operations, facts)
  serveHealth(app, { ...options, instance: instanceNameOf(options.secrets) })
  return app
}

/** Merchant accounts are never deleted, so a yes can be remembered. */
function onceTrue(ask: (id: string) => Promise<boolean>): (id: string) => Promise<boolean> {
  const known = new Set<string>()
  return async (id) => {
    if (known.has(id)) return true
    const answer = await ask(id)
    if (answer) known.add(id)
    return answer
  }
}
