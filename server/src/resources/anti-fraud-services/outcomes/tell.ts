import type { AntiFraudConnector, OutcomeOrder } from '#connectors/contract/anti-fraud.ts'
import { minorUnitsOf } from '#domain/currency.ts'
import { askAntiFraud } from '#payments/plan/judge.ts'
import { isJudgedBy, record } from '#payments/store/events.ts'
import * as payments from '#payments/store/payments.ts'
import { type Context, inTransaction, type Scope } from '#platform/database/db.ts'
import type { Job } from '#platform/process/jobs.ts'
import type { Engine } from '#processing/engine.ts'
import { askProvider, lineFor } from '#processing/provider.ts'
import { memoryOf, openFields, unlessGone } from '#processing/service-accounts/fields.ts'
import * as events from '#resources/events/store.ts'
import { KIND, type StoredService } from '../store.ts'
import { outcomeOf, TOLD_EVENTS } from './outcome.ts'
import * as progress from './store.ts'

/** Longer than a transaction takes that writes an event: then no older one appears behind it. */
const LAG_MS = 60_000
/** Before that, nothing was decided by a service that has just been made. */
const FIRST_LOOK_MS = 10 * 60_000
/** Silent services are asked about payments of this time, if they could not be asked before. */
const SILENT_FOR_MS = 24 * 60 * 60_000
const BUSY_MS = 5 * 60_000
const BATCH = 50
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

type Needs = { readonly context: Context; readonly engine: Engine }

/**
 * Tells anti-fraud services what became of payments that they have judged, and asks silent ones about payments first. Payments themselves
 * write nothing for it.
 */
export const tellOutcomesJob: Job<Needs> = {
  name: 'tell-anti-fraud-services',
  everyMs: 60_000,
  run: async ({ context, engine }, stopping) => {
    const tellable = engine.providers.antiFraud.list.filter(({ tell }) => tell)
    const definitions = tellable.map(({ manifest }) => manifest.id)
    for (const service of await progress.listServices(context, definitions)) {
      if (stopping.aborted) return
      const connector = engine.providers.antiFraud.find(service.anti_fraud_service_definition_id)
      if (connector) await tellService(context, engine, { service, tell: connector.tell, stopping })
    }
  },
}

type Told = {
  readonly service: StoredService
  readonly tell: AntiFraudConnector['tell']
  readonly stopping: AbortSignal
}

async function tellService(context: Context, engine: Engine, told: Told): Promise<void> {
  const { service, stopping } = told
  const now = context.clock()
  const at = (ms: number) => new Date(now.getTime() + ms)
  const horizon = at(-LAG_MS)
  const window = { now, from: at(-FIRST_LOOK_MS), until: at(BUSY_MS) }
  const claimed = await progress.claim(context, service.id, window)
  if (!claimed) return
  // A service that was silent once, and is again, is not asked about all that happened between.
  const isStale = service.silent && claimed.told_at < at(-SILENT_FOR_MS)
  let reached = isStale ? { told_at: window.from, told_id: LAST_ID } : claimed
  const scope = { ...context, merchantAccountId: service.merchant_account_id }
  const fields = await openFields(scope, engine.vault, service, KIND).catch(unlessGone)
  for (let isMore = fields !== undefined; isMore && fields && !stopping.aborted; ) {
    const found = await events.listNamed(scope, {
      names: TOLD_EVENTS,
      beyond: reached,
      until: horizon,
      limit: BATCH,
    })
    for (const event of found) {
      const payment = await paymentOf(scope, event)
      if (payment && service.silent) await askSilently(scope, engine, service, payment)
      const order = payment && (await orderFor(scope, told, event, payment))
      if (order && !(await isTold(scope, engine, told, { order, fields }))) {
        // Asked again at the next turn, from here on.
        await progress.advance(context, service.id, { ...reached, busy_until: now })
        return
      }
      reached = { told_at: event.created_at, told_id: event.id }
      if (order || service.silent) await progress.advance(context, service.id, reached)
    }
    isMore = found.length === BATCH
    if (!isMore && horizon > reached.told_at) reached = { told_at: horizon, told_id: LAST_ID }
  }
  await progress.advance(context, service.id, { ...reached, busy_until: now })
}

type Payment = NonNullable<Awaited<ReturnType<typeof payments.find>>>

async function paymentOf(scope: Scope, { target, target_id }: events.StoredEvent): Promise<Payment | null> {
  const { transaction_id: id = target_id } = target
  return (typeof id === 'string' && (await payments.find(scope, id))) || null
}

/** Once for each payment. What the service says is part of the payment's history, and changes nothing else. */
async function askSilently(
  scope: Scope,
  engine: Engine,
  service: StoredService,
  payment: Payment,
): Promise<void> {
  if (await isJudgedBy(scope, payment.id, service.id)) return
  const { document, payment_method_country: cardCountry } = payment
  const method = document.payment_method?.method
  const { event } = await askAntiFraud(scope, engine, service, {
    row: payment,
    document,
    method,
    cardCountry,
  })
  await inTransaction(scope, (tx) => record(tx, payment.id, [event]))
}

/** Null: the event is about nothing that this service has judged, or learns from. */
async function orderFor(
  scope: Scope,
  { service, tell }: Told,
  event: events.StoredEvent,
  payment: Payment,
): Promise<OutcomeOrder | null> {
  if (!tell) return null
  const decided = payment.outcome.anti_fraud
  const isOwn = decided?.service_id === service.id
  if (!isOwn && !(service.silent && (await isJudgedBy(scope, payment.id, service.id)))) return null
  const decision = isOwn ? decided.decision : null
  const outcome = outcomeOf(event, { isSale: payment.intent === 'capture', decision })
  if (outcome === null) return null
  const { buyer, order } = payment.document
  return {
    eventId: event.id,
    transactionId: payment.id,
    currency: payment.currency,
    minorUnits: minorUnitsOf(payment.currency) ?? 0,
    buyer: buyer && {
      id: buyer.id,
      externalIdentifier: buyer.external_identifier,
      emailAddress: buyer.billing_details?.email_address ?? null,
    },
    fingerprint: order.anti_fraud_fingerprint ?? null,
    method: payment.document.payment_method?.method ?? 'gift-card',
    bin: payment.payment_method_bin,
    outcome,
  }
}

type Order = { readonly order: OutcomeOrder; readonly fields: Readonly<Record<string, string>> }

/** A refusal does not get better: the next event is told. */
async function isTold(
  scope: Scope,
  { providers, secrets }: Engine,
  { service, tell }: Told,
  { order, fields }: Order,
): Promise<boolean> {
  if (!tell) return true
  const line = lineFor(providers, { connector: service.anti_fraud_service_definition_id, act: 'tell' })
  const memory = memoryOf(scope, secrets, service, fields)
  const { outcome } = await askProvider(line, tell, order, { fields, options: {}, memory })
  return outcome === 'told' || outcome === 'refused'
}
