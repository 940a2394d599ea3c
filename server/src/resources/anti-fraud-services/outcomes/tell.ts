import type { AntiFraudConnector, OutcomeOrder } from '#connectors/contract/anti-fraud.ts'
import { minorUnitsOf } from '#domain/currency.ts'
import * as payments from '#payments/store/payments.ts'
import type { Context, Scope } from '#platform/database/db.ts'
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
const BUSY_MS = 5 * 60_000
const BATCH = 50
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

type Needs = { readonly context: Context; readonly engine: Engine }

/** Tells anti-fraud services what became of payments that they have judged. Payments themselves write nothing for it. */
export const tellOutcomesJob: Job<Needs> = {
  name: 'tell-anti-fraud-services',
  everyMs: 60_000,
  run: async ({ context, engine }, stopping) => {
    const tellable = engine.providers.antiFraud.list.filter(({ tell }) => tell)
    const definitions = tellable.map(({ manifest }) => manifest.id)
    for (const service of await progress.listServices(context, definitions)) {
      if (stopping.aborted) return
      const connector = engine.providers.antiFraud.find(service.anti_fraud_service_definition_id)
      if (connector?.tell) await tellService(context, engine, { service, tell: connector.tell, stopping })
    }
  },
}

type Told = {
  readonly service: StoredService
  readonly tell: NonNullable<AntiFraudConnector['tell']>
  readonly stopping: AbortSignal
}

async function tellService(context: Context, engine: Engine, told: Told): Promise<void> {
  const { service, stopping } = told
  const now = context.clock()
  const at = (ms: number) => new Date(now.getTime() + ms)
  const horizon = at(-LAG_MS)
  const window = { now, from: at(-FIRST_LOOK_MS), until: at(BUSY_MS) }
  let reached = await progress.claim(context, service.id, window)
  if (!reached) return
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
      const order = await orderFor(scope, service, event)
      if (order && !(await isTold(scope, engine, told, { order, fields }))) {
        // Asked again at the next turn, from here on.
        await progress.advance(context, service.id, { ...reached, busy_until: now })
        return
      }
      reached = { told_at: event.created_at, told_id: event.id }
      if (order) await progress.advance(context, service.id, reached)
    }
    isMore = found.length === BATCH
    if (!isMore && horizon > reached.told_at) reached = { told_at: horizon, told_id: LAST_ID }
  }
  await progress.advance(context, service.id, { ...reached, busy_until: now })
}

/** Null: the event is about nothing that this service has judged. */
async function orderFor(
  scope: Scope,
  service: StoredService,
  event: events.StoredEvent,
): Promise<OutcomeOrder | null> {
  const { transaction_id: paymentId = event.target_id } = event.target
  const payment = typeof paymentId === 'string' ? await payments.find(scope, paymentId) : undefined
  const judged = payment?.outcome.anti_fraud
  if (!payment || judged?.service_id !== service.id) return null
  const outcome = outcomeOf(event, { isSale: payment.intent === 'capture', decision: judged.decision })
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
  const line = lineFor(providers, { connector: service.anti_fraud_service_definition_id, act: 'tell' })
  const memory = memoryOf(scope, secrets, service, fields)
  const { outcome } = await askProvider(line, tell, order, { fields, options: {}, memory })
  return outcome === 'told' || outcome === 'refused'
}
