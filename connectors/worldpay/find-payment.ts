import type { Answer, Facts, Link, Unknown } from '#connectors/contract/connector.ts'
import type { AuthorizeOrder } from '#connectors/contract/orders.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { lost, safe } from '#connectors/contract/requests.ts'
import { type Reply, schemeReferenceIn, send } from './card-wire.ts'
import { codeOf, DUPLICATES, ERRORS, EVENTS, type Stage } from './mapping.ts'
import { isPaymentId, referenceIn } from './reference.ts'
import { isRecord, textOf, type Wire } from './wire.ts'

/** What became of the authorization with this reference. Null: Worldpay shows none, or none yet. */
export async function findAuthorization(order: AuthorizeOrder, link: Link): Promise<Answer | null> {
  const { attemptId } = order
  const query = new URLSearchParams({ transactionReference: attemptId })
  const reply = await send(link, `paymentQueries/payments?${query}`)
  if (reply.kind !== 'answer') return shutOut(reply)
  const { _embedded: embedded } = reply.body
  const listed = isRecord(embedded) ? embedded['payments'] : null
  if (!Array.isArray(listed)) return lost('Worldpay answered with something else than a list')
  const ids = listed
    .filter(isRecord)
    .filter((one) => one['transactionReference'] === attemptId)
    .map((one) => textOf(one, 'paymentId'))
    .filter(isPaymentId)
  for (const id of ids.slice(0, SHOWN_MAX)) {
    const answer = await showAuthorization(id, order, link)
    // A repetition that was refused as one is listed, too.
    if (answer) return answer
  }
  return null
}

/** One payment, and some repetitions of its request. */
const SHOWN_MAX = 5

/** Null: it is the refusal of a repetition. */
async function showAuthorization(id: string, order: AuthorizeOrder, link: Link): Promise<Answer | null> {
  const payment = await show(id, link)
  if ('outcome' in payment) return payment
  const events = eventsOf(payment.body)
  const last = events.findLast(({ name }) => /^(authorization|sale)/.test(name))
  switch (last?.stage) {
    case 'done': {
      const reference = referenceIn(payment.body)
      const kind = order.intent === 'capture' ? 'saleSucceeded' : 'authorizationSucceeded'
      return reference !== null && last.name === kind && isOf(payment.body, order)
        ? { outcome: 'approved', reference, facts: factsOf(payment.body) }
        : lost('Worldpay shows something else than was asked for')
    }
    case 'refused': {
      const { code, description } = last.event
      return refused(codeOf(safe(code)), { rawCode: safe(code), rawDescription: safe(description) }, id)
    }
    case 'failed': {
      const name = isRecord(last.event['error']) ? textOf(last.event['error'], 'name') : null
      if (DUPLICATES.includes(name ?? '')) return null
      return refused(ERRORS[name ?? ''] ?? 'service_error', { rawCode: safe(name) }, id)
    }
    default:
      return lost('Worldpay does not know the outcome of the payment yet')
  }
}

function isOf({ value }: Wire, { amount, currency }: AuthorizeOrder): boolean {
  return isRecord(value) && value['amount'] === amount && value['currency'] === currency
}

export type Act = 'settlement' | 'refund' | 'cancellation'

/**
 * What became of a capture, a refund or a cancellation. Captures and refunds are known by our reference; of a cancellation there is
 * one. Null: Worldpay shows none, or none yet.
 */
export async function findAct(
  paymentId: string,
  { act, reference }: { readonly act: Act; readonly reference: string },
  link: Link,
): Promise<Answer | null> {
  const payment = await show(paymentId, link)
  if ('outcome' in payment) return payment
  const events = eventsOf(payment.body)
  const asked = events.findLast(
    ({ name, event }) =>
      name === `${act}Requested` && (act === 'cancellation' || event[`${act}Reference`] === reference),
  )
  if (!asked) return null
  const last = events.findLast(
    ({ name, event }) => name.startsWith(act) && event['commandId'] === asked.event['commandId'],
  )
  switch (last?.stage) {
    case 'requested':
      return { outcome: 'pending', reference, facts: {} }
    case 'done':
      return { outcome: 'approved', reference, facts: {} }
    case 'failed':
      return refused('service_error', { rawCode: last.name }, reference)
    default:
      return lost('Worldpay does not know the outcome yet')
  }
}

type Event = { readonly name: string; readonly stage: Stage | undefined; readonly event: Wire }

/** Oldest first, by their times. */
function eventsOf({ events }: Wire): readonly Event[] {
  return (Array.isArray(events) ? events.filter(isRecord) : [])
    .map((event) => ({ name: String(event['eventName']), stage: EVENTS[String(event['eventName'])], event }))
    .toSorted((one, other) => timeOf(one) - timeOf(other))
}

function timeOf({ event }: Event): number {
  return Date.parse(String(event['timestamp'])) || 0
}

async function show(id: string, link: Link): Promise<{ readonly body: Wire } | Unknown> {
  const reply = await send(link, `paymentQueries/payments/${encodeURIComponent(id)}`)
  if (reply.kind !== 'answer') return shutOut(reply)
  return reply.body['paymentId'] === id
    ? reply
    : lost('Worldpay answered with something else than the payment')
}

/** Worldpay did not look: that says nothing about what was sent before. */
function shutOut(reply: Exclude<Reply, { kind: 'answer' }>): Unknown {
  return lost(reply.kind === 'lost' ? reply.reason : `Worldpay did not show the payment (${reply.status})`)
}

function factsOf(body: Wire): Facts {
  const { issuer, paymentInstrument } = body
  const card = isRecord(paymentInstrument) ? paymentInstrument['card'] : null
  return {
    authResponseCode: isRecord(issuer) ? safe(issuer['authorizationCode']) : null,
    schemeTransactionId: schemeReferenceIn(body),
    paymentAccountReference: isRecord(card) ? safe(card['paymentAccountReference']) : null,
  }
}
