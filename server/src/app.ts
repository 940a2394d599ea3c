import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { expireCards, nextExpiryAt } from '#issuer/expire.ts'
import { ownBuiltPages } from '#pages/built-pages.ts'
import { serveDashboard } from '#pages/dashboard.ts'
import { serveFields } from '#pages/fields.ts'
import { serveGooglePay } from '#pages/google-pay.ts'
import { serveInventory } from '#pages/inventory.ts'
import { separateHosts } from '#pages/separate-hosts.ts'
import { serveFiles } from '#pages/serve-files.ts'
import { Authenticator } from '#platform/access/auth.ts'
import { cookieRules } from '#platform/access/identify.ts'
import { browserLimit, purgeOldCounts } from '#platform/access/rate-limit.ts'
import { SessionReader } from '#platform/access/session-reader.ts'
import type { Db } from '#platform/database/db.ts'
import type { Disk } from '#platform/database/open-database.ts'
import type { Replica } from '#platform/database/replica.ts'
import type { FileStorage } from '#platform/file-storage/storage.ts'
import { iconsIn, serveIcons } from '#platform/http/assets.ts'
import { buildServer } from '#platform/http/http.ts'
import type { Operation } from '#platform/http/operation.ts'
import { hideSecrets, purgeOldKeys } from '#platform/idempotency/idempotency.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import { mailJob } from '#platform/mail/outbox.ts'
import { serveHealth } from '#platform/observability/health.ts'
import type { Logger } from '#platform/observability/log.ts'
import { createMetrics, type Metrics } from '#platform/observability/metrics.ts'
import type { Reading } from '#platform/observability/readings.ts'
import type { Outgoing } from '#platform/outgoing/outgoing.ts'
import type { Clock } from '#platform/process/clock.ts'
import { instanceNameOf } from '#platform/process/instance.ts'
import type { Job } from '#platform/process/jobs.ts'
import type { Siblings } from '#platform/process/siblings.ts'
import { serveReference } from '#platform/reference/serve.ts'
import { countOpenAt } from '#processing/attempts/backlog.ts'
import { forgetFadedCosts } from '#processing/costs/store.ts'
import { buyerUrl, type Engine } from '#processing/engine.ts'
import { forgetFadedScores } from '#processing/scores/store.ts'
import { forgetSecretsJob } from '#processing/service-accounts/save.ts'
import { accountUpdaterRoutes } from '#resources/account-updater/routes.ts'
import { accountUpdaterServiceDefinitionRoutes } from '#resources/account-updater-service-definitions/routes.ts'
import { accountUpdaterServiceRoutes } from '#resources/account-updater-services/routes.ts'
import * as accountUpdaterServices from '#resources/account-updater-services/store.ts'
import { antiFraudServiceDefinitionRoutes } from '#resources/anti-fraud-service-definitions/routes.ts'
import { serveDeviceScript } from '#resources/anti-fraud-services/device/serve.ts'
import { tellOutcomesJob } from '#resources/anti-fraud-services/outcomes/tell.ts'
import { antiFraudServiceRoutes } from '#resources/anti-fraud-services/routes.ts'
import * as antiFraudServices from '#resources/anti-fraud-services/store.ts'
import { apiKeyPairRoutes } from '#resources/api-key-pairs/routes.ts'
import * as apiKeyPairs from '#resources/api-key-pairs/store.ts'
import { type ApiLogWriter, requestRecorder } from '#resources/api-logs/log.ts'
import { apiLogResource } from '#resources/api-logs/routes.ts'
import { approvalResource } from '#resources/approvals/resource.ts'
import { attentionRoutes } from '#resources/attention/routes.ts'
import { auditLogResource } from '#resources/audit-logs/routes.ts'
import type { OidcSettings } from '#resources/auth/oidc/settings.ts'
import { authResource } from '#resources/auth/routes.ts'
import * as userSessions from '#resources/auth/sessions/store.ts'
import { buyerResource } from '#resources/buyers/routes.ts'
import { cardDetailResource } from '#resources/card-details/routes.ts'
import { cardSchemeDefinitionRoutes } from '#resources/card-scheme-definitions/routes.ts'
import { chargebackRoutes } from '#resources/chargebacks/routes.ts'
import { payPageResource } from '#resources/checkout/pay-page/open-page.ts'
import { PINS } from '#resources/checkout/pins.ts'
import { checkoutSessionResource } from '#resources/checkout/sessions/routes.ts'
import { digitalWalletResource } from '#resources/digital-wallets/routes.ts'
import { remindOfDisputesJob } from '#resources/disputes/remind.ts'
import { disputeRoutes } from '#resources/disputes/routes.ts'
import { eventResource } from '#resources/events/routes.ts'
import { Event } from '#resources/events/schemas.ts'
import { backTestJob } from '#resources/flows/back-tests/routes.ts'
import { healthReading } from '#resources/flows/health/routes.ts'
import { flowRoutes } from '#resources/flows/routes.ts'
import { giftCardServiceDefinitionRoutes } from '#resources/gift-card-service-definitions/routes.ts'
import { giftCardServiceResource } from '#resources/gift-card-services/routes.ts'
import { giftCardResource } from '#resources/gift-cards/resource.ts'
import { merchantAccountResource } from '#resources/merchant-accounts/routes.ts'
import * as merchantAccounts from '#resources/merchant-accounts/store.ts'
import { metricsExplorerResource } from '#resources/metrics-explorer/routes.ts'
import { monitoringResource } from '#resources/monitoring/resource.ts'
import { networkTokenServiceDefinitionRoutes } from '#resources/network-token-service-definitions/routes.ts'
import { networkTokenServiceRoutes } from '#resources/network-token-services/routes.ts'
import * as networkTokenServices from '#resources/network-token-services/store.ts'
import { pageCheckResource } from '#resources/page-checks/resource.ts'
import { paymentLinkResource } from '#resources/payment-links/routes.ts'
import {
  paymentMethodDefinitionRoutes,
  servePaymentMethodIcons,
} from '#resources/payment-method-definitions/routes.ts'
import * as networkTokens from '#resources/payment-methods/network-tokens/store.ts'
import { paymentMethodResource } from '#resources/payment-methods/resource.ts'
import { paymentOptionRoutes } from '#resources/payment-options/routes.ts'
import { paymentServiceDefinitionRoutes } from '#resources/payment-service-definitions/routes.ts'
import { paymentServiceReportResource } from '#resources/payment-service-reports/resource.ts'
import { paymentServiceResource } from '#resources/payment-services/resource.ts'
import { payoutRoutes } from '#resources/payouts/routes.ts'
import { refundByIdRoutes } from '#resources/refunds/routes.ts'
import { reportExecutionRoutes } from '#resources/report-executions/routes.ts'
import { reportResource } from '#resources/reports/resource.ts'
import type { Analytics, JobNeeds, OperationNeeds, Resource } from '#resources/resource.ts'
import { roleRoutes } from '#resources/roles/routes.ts'
import { savedViewRoutes } from '#resources/saved-views/routes.ts'
import { threeDSScenarioRoutes } from '#resources/three-ds-scenarios/routes.ts'
import { threeDSServiceDefinitionRoutes } from '#resources/three-ds-service-definitions/routes.ts'
import { threeDSServiceRoutes } from '#resources/three-ds-services/routes.ts'
import * as threeDSServices from '#resources/three-ds-services/store.ts'
import { transactionResource } from '#resources/transactions/resource.ts'
import { OPTIONS_SENT_NOWHERE } from '#resources/transactions/wire/connection-options/schemas.ts'
import { userRoutes } from '#resources/users/routes.ts'
import { vaultForwardRoutes } from '#resources/vault-forward/routes.ts'
import { vaultImportResource } from '#resources/vault-imports/resource.ts'
import { webhookSubscriptionResource } from '#resources/webhook-subscriptions/resource.ts'
import manifest from '../../package.json' with { type: 'json' }
import { attemptJobs } from './attempt-kinds.ts'
import { DATABASE_QUEUE_MAX_DEFAULT, type Role, SESSION_IDLE_MINUTES_DEFAULT } from './config.ts'
import type { Sandbox } from './open-sandbox.ts'
import { readingsOf } from './readings.ts'
import { FIRST_GUIDES, TAG_GROUPS } from './tags.ts'

const OPTIONS_ASIDE = {
  fields: OPTIONS_SENT_NOWHERE,
  note: `${OPTIONS_SENT_NOWHERE.length} blocks for providers without a connector: they are checked and stored, and sent nowhere.`,
}

const SERVER_FOLDER = dirname(dirname(fileURLToPath(import.meta.url)))
const CARD_SCHEME_ICONS = join(SERVER_FOLDER, 'assets/card-schemes')

/** The migrations that this program expects the database to have. */
export const MIGRATIONS: readonly string[] = [
  join(SERVER_FOLDER, 'migrations'),
  join(SERVER_FOLDER, '../vault/migrations'),
  join(SERVER_FOLDER, '../sandbox/simulator/migrations'),
  join(SERVER_FOLDER, '../issuer/migrations'),
]

export type AppOptions = Engine & {
  readonly db: Db
  readonly disk?: Disk | undefined
  readonly pool: pg.Pool
  readonly clock: Clock
  readonly outgoing: Outgoing
  readonly reportFiles: FileStorage
  readonly apiLog: ApiLogWriter
  readonly environment: string
  readonly instanceId: string
  readonly logger: Logger
  readonly metrics: Metrics
  readonly role: Role
  /** Null in production. */
  readonly sandbox: Sandbox | null
  readonly trustProxy: boolean | string[]
  readonly metricsToken: string | null
  /** How long a session of a user may be unused. */
  readonly sessionIdleMinutes?: number
  /** The identity provider at which users can sign in. */
  readonly oidc?: OidcSettings | null
  /** Null: the operator has named no SMTP server. */
  readonly mailer?: Mailer | null
  readonly analytics?: Analytics
  /** Where lists are read. Undefined: in `db`. */
  readonly replica?: Replica | undefined
  readonly isStopping: () => boolean
  readonly warnings?: () => readonly string[] | Promise<readonly string[]>
  /** The other processes of the service, which have caches of their own. */
  readonly siblings?: Siblings | undefined
  /** How many requests may wait for a database connection before others are turned away. */
  readonly databaseQueueMax?: number
  readonly onAnswer?: (operation: Operation, body: unknown) => void
}

/** The table of contents: everything that the service consists of. */
const RESOURCES: readonly Resource[] = [
  { operations: apiKeyPairRoutes },
  merchantAccountResource,
  { operations: roleRoutes },
  { operations: userRoutes },
  authResource,
  buyerResource,
  paymentMethodResource,
  { operations: accountUpdaterRoutes },
  { operations: vaultForwardRoutes },
  vaultImportResource,
  checkoutSessionResource,
  { operations: paymentOptionRoutes },
  digitalWalletResource,
  { operations: cardSchemeDefinitionRoutes },
  cardDetailResource,
  { operations: paymentMethodDefinitionRoutes },
  { operations: paymentServiceDefinitionRoutes },
  paymentServiceResource,
  { operations: antiFraudServiceDefinitionRoutes },
  {
    operations: antiFraudServiceRoutes,
    jobs: [forgetSecretsJob(antiFraudServices.KIND), tellOutcomesJob],
    servePages: (app, { engine, contextOf }) =>
      serveDeviceScript(app, { engine, context: contextOf('Buyer') }),
  },
  { operations: accountUpdaterServiceDefinitionRoutes },
  {
    operations: accountUpdaterServiceRoutes,
    // Open questions do not keep the fields from being changed: they are asked with the new ones.
    jobs: [forgetSecretsJob(accountUpdaterServices.KIND, countOpenAt)],
  },
  { operations: networkTokenServiceDefinitionRoutes },
  {
    operations: networkTokenServiceRoutes,
    // Its tokens are used until they are deleted, also at the provider.
    jobs: [
      forgetSecretsJob(
        networkTokenServices.KIND,
        async (scope, id) => (await countOpenAt(scope, id)) + (await networkTokens.countMadeBy(scope, id)),
      ),
    ],
  },
  { operations: threeDSServiceDefinitionRoutes },
  { operations: threeDSServiceRoutes, jobs: [forgetSecretsJob(threeDSServices.KIND)] },
  { operations: giftCardServiceDefinitionRoutes },
  giftCardServiceResource,
  giftCardResource,
  {
    operations: flowRoutes,
    jobs: [forgetFadedScores, forgetFadedCosts, backTestJob],
    readings: [healthReading],
  },
  transactionResource,
  approvalResource,
  { operations: () => refundByIdRoutes },
  { operations: () => chargebackRoutes },
  { operations: disputeRoutes, jobs: [remindOfDisputesJob] },
  paymentServiceReportResource,
  { operations: payoutRoutes },
  paymentLinkResource,
  payPageResource,
  { operations: threeDSScenarioRoutes },
  monitoringResource,
  reportResource,
  { operations: () => reportExecutionRoutes },
  { operations: attentionRoutes },
  eventResource,
  webhookSubscriptionResource,
  metricsExplorerResource,
  { operations: savedViewRoutes },
  auditLogResource,
  apiLogResource,
  pageCheckResource,
]

function resourcesWith(sandbox: Sandbox | null): readonly Resource[] {
  return sandbox ? [...RESOURCES, sandbox.resource] : RESOURCES
}

/** All operations of the API. */
export function listOperations(needs: OperationNeeds, sandbox: Sandbox | null): Operation[] {
  return resourcesWith(sandbox).flatMap(({ operations }) => operations(needs))
}

/** Background work that every environment has. */
export const JOBS: readonly Job<JobNeeds>[] = [
  ...RESOURCES.flatMap(({ jobs = [] }) => jobs),
  ...attemptJobs,
  mailJob,
  {
    name: 'expire-gift-cards',
    everyMs: 60_000,
    run: async ({ pool, context }) => void (await expireCards(pool, context.clock)),
    nextDueAt: ({ pool }) => nextExpiryAt(pool),
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

/** All background work. */
export function listJobs(sandbox: Sandbox | null): readonly Job<JobNeeds>[] {
  if (!sandbox) return JOBS
  const jobs = [...JOBS, ...(sandbox.resource.jobs ?? [])]
  const openApi = ({ engine, context: { db, clock }, ...needs }: JobNeeds, stopping: AbortSignal) =>
    buildApp({
      ...engine,
      ...needs,
      db,
      clock,
      sandbox,
      metrics: createMetrics(),
      role: 'all',
      trustProxy: false,
      metricsToken: null,
      isStopping: () => stopping.aborted,
      // The shop that fills a sandbox reads what it has just written.
      replica: undefined,
    })
  return [...jobs, ...sandbox.jobsAround({ jobs, openApi })]
}

/** What `/metrics` shows of the database. */
export function listReadings(sandbox: Sandbox | null): Reading<JobNeeds>[] {
  return readingsOf(resourcesWith(sandbox), [...JOBS, ...(sandbox?.resource.jobs ?? [])])
}

export function buildApp(options: AppOptions): FastifyInstance {
  const { db, pool, clock, databaseQueueMax = DATABASE_QUEUE_MAX_DEFAULT } = options
  const authenticator = new Authenticator({
    clock,
    findKey: (thumbprint) => apiKeyPairs.findVerifyingKey({ db }, thumbprint),
    markUsed: (id) => apiKeyPairs.markUsed({ db, clock }, id),
    pins: PINS,
    onChange: () => options.siblings?.tellChange(),
  })
  const sessions = new SessionReader({
    clock,
    secrets: options.secrets,
    find: (tokenMac) => userSessions.findSignedIn({ db }, tokenMac),
    touch: (id, now) => userSessions.touch({ db }, id, now),
    idleMs: (options.sessionIdleMinutes ?? SESSION_IDLE_MINUTES_DEFAULT) * 60_000,
    onChange: () => options.siblings?.tellChange(),
  })
  options.siblings?.onChange(() => {
    authenticator.forgetCached()
    sessions.forgetCached()
  })
  const engine: Engine = options
  const findList = (name: string) =>
    operations.find(({ route, isList }) => isList && route === `GET /${name}`)
  // A worker serves only health checks and metrics.
  const operations: Operation[] =
    options.role === 'worker'
      ? []
      : listOperations({ ...options, engine, authenticator, sessions, findList }, options.sandbox)
  const limit = browserLimit({ db, clock })
  const app = buildServer(
    {
      ...options,
      authenticator,
      sessions,
      cookie: cookieRules(options),
      isHttpsOnly: options.environment === 'production' && options.publicUrl.startsWith('https:'),
      pins: PINS,
      browserLimit: limit,
      onAnswered: requestRecorder(options.apiLog, clock),
      // A request that waits for a provider holds no connection, so a slow provider does not make us busy.
      isBusy: () => pool.waitingCount >= databaseQueueMax,
      merchantAccountExists: onceTrue((id) => merchantAccounts.exists({ db }, id)),
    },
    operations,
  )
  if (options.role !== 'worker') {
    const { mac } = options.secrets
    const contextOf = (name: string) => ({ db, clock, actor: { id: null, name }, requestId: null, mac })
    const builtPages = ownBuiltPages()
    serveFiles(app, builtPages)
    serveInventory(app, builtPages)
    serveFields(app, builtPages, buyerUrl(options))
    serveDashboard(app, builtPages)
    if (options.checkoutUrl) separateHosts(app, options.checkoutUrl, operations)
    serveGooglePay(app, builtPages, { ...options, buyerUrl: buyerUrl(options) })
    const needs = {
      engine,
      builtPages,
      contextOf,
      browserLimit: limit,
      reportFiles: options.reportFiles,
      logger: options.logger,
      mailer: options.mailer ?? null,
    }
    for (const { servePages } of resourcesWith(options.sandbox)) servePages?.(app, needs)
  }
  serveIcons(app, '/assets/card-schemes', iconsIn(CARD_SCHEME_ICONS))
  servePaymentMethodIcons(app)
  const facts = {
    publicUrl: options.publicUrl,
    version: manifest.version,
    event: Event,
    tagGroups: TAG_GROUPS,
    root: dirname(SERVER_FOLDER),
    firstGuides: FIRST_GUIDES,
    asides: new Map([['TransactionConnectionOptions', OPTIONS_ASIDE]]),
  }
  serveReference(app, operations, facts)
  serveHealth(app, { ...options, instance: instanceNameOf(options.secrets) })
  return app
}

/** Merchant accounts are never deleted, so a yes can be cached. */
function onceTrue(ask: (id: string) => Promise<boolean>): (id: string) => Promise<boolean> {
  const known = new Set<string>()
  return async (id) => {
    if (known.has(id)) return true
    const answer = await ask(id)
    if (answer) known.add(id)
    return answer
  }
}
