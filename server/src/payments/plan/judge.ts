import type { DecideAddress, DecideAnswer, DecideOrder } from '#connectors/contract/anti-fraud.ts'
import { minorUnitsOf } from '#domain/currency.ts'
import type { Scope } from '#platform/database/db.ts'
import type { Engine } from '#processing/engine.ts'
import { askProvider, lineFor } from '#processing/provider.ts'
import { memoryOf, openFields, unlessGone } from '#processing/service-accounts/fields.ts'
import * as antiFraudServices from '#resources/anti-fraud-services/store.ts'
import type { AntiFraudDecision } from '#resources/transactions/wire/transaction.ts'
import type { Prepared } from '../prepare/prepare.ts'
import type { Decided } from '../routing/decide.ts'
import type { AntiFraud } from '../state.ts'
import type { NewEvent } from '../store/events.ts'

/** The method that we tell the service when gift cards pay for everything. */
const GIFT_CARD = 'gift-card'

/** The buyer waits. Without an answer by then, the payment goes on. */
const TIMEOUT_MS = 5_000

/** What an anti-fraud service said before the payment is on record, with an event for its history. */
type Judged = { readonly antiFraud: AntiFraud; readonly event: NewEvent }

/** What the anti-fraud service and the rules have decided about a payment. Null: no service was asked, or there are no rules. */
export type Judgement = { readonly judged: Judged | null; readonly decided: Decided | null }

/** Asks the account's anti-fraud service about a payment, before any provider is asked for money. */
export async function judge(
  scope: Scope,
  engine: Engine,
  prepared: Prepared,
  serviceId: string | null,
): Promise<Judged | null> {
  const service = serviceId === null ? undefined : await antiFraudServices.find(scope, serviceId)
  if (!service) return null
  await prepared.once.claim()
  const { row, document, payer } = prepared
  const cardCountry = payer?.cardCountry ?? null
  const { decision, event } = await askAntiFraud(scope, engine, service, {
    row,
    document,
    method: payer?.method,
    cardCountry,
  })
  const isForReview = decision === 'review' && service.reviews_enabled
  return {
    antiFraud: { service_id: service.id, decision, review: isForReview ? 'awaited' : null },
    event,
  }
}

type Judgeable = {
  readonly row: Pick<
    Prepared['row'],
    | 'id'
    | 'amount'
    | 'currency'
    | 'country'
    | 'intent'
    | 'payment_source'
    | 'merchant_initiated'
    | 'is_subsequent_payment'
    | 'ip_address'
    | 'payment_method_scheme'
    | 'payment_method_bin'
  >
  readonly document: Pick<Prepared['document'], 'buyer' | 'metadata' | 'order'>
  /** Undefined: gift cards pay for everything. */
  readonly method: string | undefined
  readonly cardCountry: string | null
}

/** What a service says of a payment, with an event for the payment's history. */
export async function askAntiFraud(
  scope: Scope,
  engine: Engine,
  service: antiFraudServices.StoredService,
  payment: Judgeable,
): Promise<{ readonly decision: AntiFraudDecision; readonly event: NewEvent }> {
  const answer = await ask(scope, engine, service, orderOf(payment))
  const decision = decisionOf(answer)
  const context = {
    anti_fraud_service_id: service.id,
    anti_fraud_service_display_name: service.display_name,
    anti_fraud_service_definition_id: service.anti_fraud_service_definition_id,
    decision,
    external_id: answer.outcome === 'decided' ? answer.reference : null,
    reason: 'reason' in answer ? answer.reason : null,
    ...(service.silent && { silent: true }),
  }
  return { decision, event: { name: EVENTS[answer.outcome], context } }
}

async function ask(
  scope: Scope,
  { vault, providers, secrets }: Engine,
  service: antiFraudServices.StoredService,
  order: DecideOrder,
): Promise<DecideAnswer> {
  const { anti_fraud_service_definition_id: id } = service
  const connector = providers.antiFraud.find(id)
  // A later version of the program may no longer have the connector.
  if (!connector) return { outcome: 'unavailable', reason: `${id} is no longer supported` }
  const fields = await openFields(scope, vault, service, antiFraudServices.KIND).catch(unlessGone)
  if (!fields) return { outcome: 'unavailable', reason: 'the anti-fraud service was deleted' }
  const line = lineFor(providers, { connector: id, act: 'decide' })
  const patience = { ...line, timeoutMs: Math.min(line.timeoutMs, TIMEOUT_MS) }
  const memory = memoryOf(scope, secrets, service, fields)
  return askProvider(patience, connector.decide, order, { fields, options: {}, memory })
}

function decisionOf(answer: DecideAnswer): AntiFraudDecision {
  switch (answer.outcome) {
    case 'decided':
      return answer.decision
    case 'skipped':
    case 'unavailable':
      return 'skipped'
    case 'error':
      return 'error'
    case 'unknown':
      return 'exception'
  }
}

const EVENTS: Readonly<Record<DecideAnswer['outcome'], NewEvent['name']>> = {
  decided: 'anti-fraud-decision',
  skipped: 'anti-fraud-decision-skipped',
  unavailable: 'anti-fraud-decision-error',
  error: 'anti-fraud-decision-error',
  unknown: 'anti-fraud-decision-error',
}

function orderOf({ row, document, method, cardCountry }: Judgeable): DecideOrder {
  const { buyer, metadata, order } = document
  const billing = buyer?.billing_details
  return {
    transactionId: row.id,
    amount: row.amount,
    currency: row.currency,
    minorUnits: minorUnitsOf(row.currency) ?? 0,
    country: row.country,
    intent: row.intent,
    paymentSource: row.payment_source,
    isMerchantInitiated: row.merchant_initiated,
    isSubsequentPayment: row.is_subsequent_payment,
    ipAddress: row.ip_address,
    fingerprint: order.anti_fraud_fingerprint ?? null,
    method: method ?? GIFT_CARD,
    scheme: row.payment_method_scheme,
    bin: row.payment_method_bin,
    cardCountry,
    buyer: buyer && {
      id: buyer.id,
      externalIdentifier: buyer.external_identifier,
      emailAddress: billing?.email_address ?? null,
      phoneNumber: billing?.phone_number ?? null,
      firstName: billing?.first_name ?? null,
      lastName: billing?.last_name ?? null,
      country: billing?.address?.country ?? null,
      address: addressOf(billing?.address),
    },
    metadata,
  }
}

type Address = NonNullable<
  NonNullable<NonNullable<Prepared['document']['buyer']>['billing_details']>['address']
>

function addressOf(address: Address | null | undefined): DecideAddress | null {
  if (!address) return null
  return {
    line1: address.line1,
    line2: address.line2,
    city: address.city,
    state: address.state,
    postalCode: address.postal_code,
  }
}
