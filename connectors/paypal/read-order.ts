import type {
  Approved,
  AuthorizeAnswer,
  Facts,
  Pending,
  Refused,
  Unknown,
} from '#connectors/contract/connector.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { unknown } from './answers.ts'
import { fromWire } from './currency.ts'
import { MAPPING } from './mapping.ts'
import { isObject, type Json, listIn, objectIn, textIn } from './wire.ts'

/** What was ordered, to compare PayPal's answer with. */
export type Expected = {
  readonly intent: 'authorize' | 'capture'
  readonly amount: number
  readonly currency: string
  /** Of the order, if we know it. */
  readonly orderId?: string
  /** Repeated by PayPal as `custom_id`. */
  readonly attemptId?: string
}

export type ReadOrder = {
  readonly id: string
  readonly status: string
  readonly body: Json
  readonly unit: Json
}

const OTHER = unknown('PayPal answered about another payment')
const UNREADABLE = unknown('PayPal answered with an order that we cannot read')

/** Strict: an answer that is only nearly right may be meant for another request. */
export function readOrder(body: Json, expected: Expected): ReadOrder | Unknown {
  const id = textIn(body, 'id')
  const status = textIn(body, 'status')
  const units = listIn(body, 'purchase_units')
  const [unit] = units
  if (id === null || status === null || units.length !== 1 || !unit) return UNREADABLE
  const money = fromWire(unit['amount'])
  const isOther =
    (expected.orderId !== undefined && id !== expected.orderId) ||
    (expected.attemptId !== undefined && unit['custom_id'] !== expected.attemptId) ||
    textIn(body, 'intent') !== expected.intent.toUpperCase() ||
    money?.amount !== expected.amount ||
    money.currency !== expected.currency
  return isOther ? OTHER : { id, status, body, unit }
}

/** What became of an order. `APPROVED` is not decided yet: our `complete` or `sync` has to charge it. */
export function toAnswer(order: ReadOrder, expected: Expected): AuthorizeAnswer | 'approved_by_buyer' {
  switch (order.status) {
    case 'COMPLETED':
      return toPayment(order, expected)
    case 'PAYER_ACTION_REQUIRED':
      return toApproval(order)
    case 'APPROVED':
      return 'approved_by_buyer'
    case 'VOIDED':
      return refused('cancelled_buyer_approval', { rawCode: 'VOIDED', ...identifiersOf(order) }, order.id)
    default:
      return unknown('PayPal answered with a status that decides nothing')
  }
}

function toApproval({ id, body, ...order }: ReadOrder): AuthorizeAnswer {
  const link = listIn(body, 'links').find(({ rel }) => rel === 'payer-action' || rel === 'approve')
  const url = textIn(link, 'href')
  if (url === null || !/^https?:\/\//.test(url)) return UNREADABLE
  const facts = { rawCode: 'PAYER_ACTION_REQUIRED', ...identifiersOf({ id, body, ...order }) }
  return { outcome: 'approval_required', reference: id, approval: { kind: 'redirect', url }, facts }
}

/** The authorization or the capture of an order that was carried out. */
function toPayment(order: ReadOrder, { intent, amount, currency }: Expected): AuthorizeAnswer {
  const payments = objectIn(order.unit, 'payments')
  // A reauthorization comes after the first one, which is ours.
  const [payment] = listIn(payments, intent === 'authorize' ? 'authorizations' : 'captures')
  const money = fromWire(payment?.['amount'])
  if (!payment || money?.amount !== amount || money.currency !== currency) return UNREADABLE
  const answer = intent === 'authorize' ? readAuthorization(payment) : readCapture(payment)
  if (answer.outcome === 'unknown') return answer
  return { ...answer, facts: { ...answer.facts, ...identifiersOf(order) } }
}

type PaymentAnswer = Approved | Refused | Pending | Unknown

/** An authorization that was captured or voided later had been approved. */
export function readAuthorization(payment: Json): PaymentAnswer {
  return readPayment(payment, {
    approved: ['CREATED', 'CAPTURED', 'PARTIALLY_CAPTURED', 'VOIDED'],
    declined: ['DENIED'],
  })
}

/** A capture that was refunded later had been completed. */
export function readCapture(payment: Json): PaymentAnswer {
  return readPayment(payment, {
    approved: ['COMPLETED', 'REFUNDED', 'PARTIALLY_REFUNDED'],
    declined: ['DECLINED', 'FAILED'],
  })
}

export function readRefund(refund: Json): PaymentAnswer {
  return readPayment(refund, { approved: ['COMPLETED'], declined: ['FAILED', 'CANCELLED'] })
}

function readPayment(
  payment: Json,
  { approved, declined }: { readonly approved: readonly string[]; readonly declined: readonly string[] },
): PaymentAnswer {
  const reference = textIn(payment, 'id')
  const status = textIn(payment, 'status')
  if (reference === null || status === null) return UNREADABLE
  const facts = factsOf(payment, status)
  if (approved.includes(status)) return { outcome: 'approved', reference, facts }
  if (status === 'PENDING') return { outcome: 'pending', reference, facts }
  if (!declined.includes(status)) return unknown('PayPal answered with a status that we do not know')
  const response = objectIn(payment, 'processor_response')
  const code = MAPPING.processorCodes[textIn(response, 'response_code') ?? '']
  const answer = refused(code && code !== 'approved' ? code : 'service_decline', facts, reference)
  const isFinal = MAPPING.finalAdviceCodes.includes(facts.merchantAdviceCode ?? '')
  return isFinal ? { ...answer, isRetriable: false } : answer
}

function factsOf(payment: Json, status: string): Facts {
  const response = objectIn(payment, 'processor_response')
  const code = textIn(response, 'response_code')
  const avs = MAPPING.avs[textIn(response, 'avs_code') ?? '']
  const cvv = MAPPING.cvv[textIn(response, 'cvv_code') ?? '']
  const advice = textIn(response, 'payment_advice_code')
  const network = textIn(objectIn(payment, 'network_transaction_reference'), 'id')
  const reason = textIn(objectIn(payment, 'status_details'), 'reason')
  return {
    rawCode: code ?? status,
    rawDescription: reason ?? (code === null ? null : status),
    ...(avs && { avsResponseCode: avs }),
    ...(cvv && { cvvResponseCode: cvv }),
    ...(advice && { merchantAdviceCode: advice }),
    ...(network && { schemeTransactionId: network }),
  }
}

/** For merchants who look for the payment at PayPal. */
function identifiersOf({ id, body }: ReadOrder): Pick<Facts, 'additionalIdentifiers'> {
  const payer = isObject(body['payer']) ? textIn(body['payer'], 'payer_id') : null
  return { additionalIdentifiers: { paypal_order_id: id, ...(payer && { paypal_payer_id: payer }) } }
}
