import type { ActivityAnswer, ActivityOrder, Link, ListedOperation } from '#connectors/contract/connector.ts'
import { fromStripeAmount } from './currency.ts'
import { retrieve } from './find-intent.ts'
import { toCaptureAnswer } from './follow-ups.ts'
import { type Intent, readIntent, toAuthorizeAnswer } from './intent.ts'
import { readRefund, toRefundAnswer } from './refund.ts'
import { type Body, isObject, send, text } from './wire.ts'

/**
 * What was done at Stripe in a window: intents and refunds that were made in it, and older intents of which its events tell a
 * capture, an increment or a release. Stripe keeps events for 30 days. Source: https://docs.stripe.com/api/events
 * A SetupIntent holds no money, and is not listed. `type` is Stripe's name of the method: intents of others are another service's.
 */
export function activityOf(type: string) {
  return async (order: ActivityOrder, link: Link): Promise<ActivityAnswer> => {
    if (link.now().getTime() - order.from.getTime() > EVENTS_LIVE_MS) return TOO_OLD
    const [list = 'payment_intents', after] = order.after?.split(' ') ?? []
    const step = STEPS.findIndex(({ name }) => name === list)
    const { limit, read, ...asked } = STEPS[step] ?? STEPS[0]
    const created = { gte: secondsOf(order.from), lte: secondsOf(order.until) }
    const form = { created, limit, starting_after: after, ...asked.form }
    const reply = await send(link, { method: 'GET', path: `/v1/${list}`, form })
    if (reply.kind !== 'object') return unreachable(reply.kind === 'refusal' ? reply.status : null, list)
    const { data, has_more: hasMore } = reply.body
    if (!Array.isArray(data)) return unreachable(null, list)
    const found = await Promise.all(data.filter(isObject).map((item) => read(item, { link, type, created })))
    if (found.some((operations) => operations === null)) return unreachable(null, list)
    const last = text(data.at(-1)?.id)
    const next = hasMore === true && last !== null ? `${list} ${last}` : (STEPS[step + 1]?.name ?? null)
    return { outcome: 'listed', operations: found.flatMap((operations) => operations ?? []), next }
  }
}

const EVENTS_LIVE_MS = 30 * 24 * 3_600_000
const TOO_OLD: ActivityAnswer = {
  outcome: 'unreachable',
  message: 'Stripe tells captures and voids of the last 30 days alone. Begin later',
}

type Reading = {
  readonly link: Link
  readonly type: string
  readonly created: { readonly gte: number }
}
/** Null: Stripe did not answer a question about it. */
type Read = (item: Body, reading: Reading) => Promise<readonly ListedOperation[] | null>

/** Of each event about an older intent, the intent is asked for: so its pages are short. */
const STEPS: readonly [Step, ...Step[]] = [
  { name: 'payment_intents', limit: 100, form: { expand: ['data.latest_charge'] }, read: readMade },
  { name: 'refunds', limit: 100, form: {}, read: async (item) => refundIn(item) },
  {
    name: 'events',
    limit: 20,
    form: {
      types: [
        'payment_intent.succeeded',
        'payment_intent.amount_capturable_updated',
        'payment_intent.canceled',
      ],
    },
    read: readEvent,
  },
]
type Step = { readonly name: string; readonly limit: number; readonly form: object; readonly read: Read }

async function readMade(item: Body, { link, type }: Reading): Promise<readonly ListedOperation[] | null> {
  return [item['payment_method_types']].flat().includes(type) ? operationsOf(item, link) : []
}

async function readEvent(
  event: Body,
  { link, type, created }: Reading,
): Promise<readonly ListedOperation[] | null> {
  const object = isObject(event['data']) ? event['data']['object'] : null
  const intent = readIntent(object, {})
  if (!intent || !isObject(object) || ![object['payment_method_types']].flat().includes(type)) return []
  if (event['type'] === 'payment_intent.canceled') return releaseIn(event, object, intent)
  if (Number(object['created']) >= created.gte) return []
  const found = await retrieve(link, intent.id)
  if ('outcome' in found) return null
  return capturesOf(object, found, link)
}

/** What our metadata and the states of an intent tell. A release is told by its event, which knows its key. */
async function operationsOf(body: Body, link: Link): Promise<readonly ListedOperation[] | null> {
  const intent = readIntent(body, {})
  if (!intent) return []
  const told = intent.status === 'canceled' && intent.chargeId !== null ? heldOnce(intent) : null
  const answer = told ?? toAuthorizeAnswer(intent, link.now())
  if (answer.outcome === 'unknown') return []
  const isSale = body['capture_method'] !== 'manual'
  const authorization: ListedOperation = {
    ...commonOf(body, intent),
    operation: 'authorize',
    attemptId: text(intent.metadata['attempt']),
    amount: amountIn(body, intent.amount),
    isFinal: isSale,
    at: timeOf(body),
    answer:
      answer.outcome === 'approval_required'
        ? { outcome: 'pending', reference: intent.id, facts: {} }
        : answer,
  }
  const captures = isSale ? [] : await capturesOf(body, intent, link)
  return captures && [authorization, ...captures]
}

/** Released by us, or given up by Stripe: it was held before. */
function heldOnce({ id }: Intent) {
  return { outcome: 'approved', reference: id, facts: { rawCode: 'canceled' } } as const
}

/** Our marks in the order of their attempts, whose ids begin with the time. */
async function capturesOf(
  body: Body,
  intent: Intent,
  link: Link,
): Promise<readonly ListedOperation[] | null> {
  const marks = Object.entries(intent.metadata).toSorted(([one], [other]) => (one < other ? -1 : 1))
  const captures = marks.filter(([, act]) => act === 'capture').map(([attemptId]) => attemptId)
  const amounts = await amountsOf(intent, captures.length, link)
  if (!amounts) return null
  const common = { ...commonOf(body, intent), at: timeOf(body) }
  const made = captures.map((attemptId, index): ListedOperation => {
    const amount = amountIn(body, amounts[index] ?? null)
    const isFinal = intent.status === 'succeeded' && index === captures.length - 1
    const answer = toCaptureAnswer(intent) as ListedOperation['answer']
    return { ...common, operation: 'capture', attemptId, amount, isFinal, answer }
  })
  const added = marks.flatMap(([attemptId, act]): ListedOperation[] => {
    if (act !== 'increment') return []
    const answer = { outcome: 'approved', reference: intent.id, facts: { rawCode: intent.status } } as const
    const total = amountIn(body, intent.amount) ?? 0
    return [{ ...common, operation: 'increment', attemptId, amount: null, total, isFinal: false, answer }]
  })
  return [...added, ...made]
}

/** One capture took what was received. Of several, each is a balance transaction of the charge. */
async function amountsOf(
  { amountReceived, chargeId }: Intent,
  count: number,
  link: Link,
): Promise<readonly (number | null)[] | null> {
  if (count < 2) return [amountReceived]
  const form = { source: chargeId, limit: 100 }
  const reply = await send(link, { method: 'GET', path: '/v1/balance_transactions', form })
  const data = reply.kind === 'object' ? reply.body['data'] : null
  if (!Array.isArray(data)) return null
  const amounts = data
    .filter((one) => isObject(one) && one['reporting_category'] === 'charge')
    .toReversed()
    .map((one) => (typeof one.amount === 'number' ? one.amount : null))
  const sum = amounts.reduce((total, amount) => total + (amount ?? 0), 0)
  // In another currency, or not all there yet: then Stripe does not say it.
  return amounts.length === count && sum === amountReceived ? amounts : amounts.map(() => null)
}

/** The key of the request that canceled is the id of our attempt. Null if Stripe gave the hold up by itself. */
function releaseIn(event: Body, body: Body, intent: Intent): readonly ListedOperation[] {
  if (intent.chargeId === null) return []
  const request = isObject(event['request']) ? event['request'] : {}
  return [
    {
      ...commonOf(body, intent),
      operation: 'void',
      attemptId: text(request['idempotency_key']),
      amount: amountIn(body, intent.amount - intent.amountReceived),
      isFinal: false,
      at: timeOf(event),
      answer: { outcome: 'approved', reference: intent.id, facts: { rawCode: intent.status } },
    },
  ]
}

function refundIn(body: Body): readonly ListedOperation[] {
  const refund = readRefund(body, {})
  const authorization = text(body['payment_intent'])
  const answer = toRefundAnswer(refund)
  if (!refund || authorization === null || answer.outcome === 'unknown') return []
  return [
    {
      operation: 'refund',
      attemptId: text(refund.metadata['attempt']),
      transactionId: text(refund.metadata['transaction']),
      authorization,
      amount: amountIn(body, typeof body['amount'] === 'number' ? body['amount'] : null),
      currency: currencyOf(body),
      isFinal: false,
      at: timeOf(body),
      answer,
      card: null,
    },
  ]
}

function commonOf(body: Body, { id, metadata, charge }: Intent) {
  const details = isObject(charge?.['payment_method_details']) ? charge['payment_method_details'] : {}
  const card = isObject(details['card']) ? details['card'] : null
  return {
    transactionId: text(metadata['transaction']),
    authorization: id,
    currency: currencyOf(body),
    card: card && { scheme: schemeOf(text(card['brand'])), last4: text(card['last4']) },
  }
}

/** Stripe has its own name for one of them. */
function schemeOf(brand: string | null): string | null {
  return brand === 'diners' ? 'diners-club' : brand
}

function currencyOf({ currency }: Body): string {
  return (text(currency) ?? '').toUpperCase()
}

function amountIn(body: Body, amount: number | null): number | null {
  return amount === null ? null : fromStripeAmount(amount, currencyOf(body))
}

function timeOf({ created }: Body): Date {
  return new Date(Number(created) * 1_000)
}

function secondsOf(time: Date): number {
  return Math.floor(time.getTime() / 1_000)
}

function unreachable(status: number | null, list: string): ActivityAnswer {
  if (status === 401) return { outcome: 'unreachable', message: 'Stripe does not accept the secret key' }
  if (status === 403) return { outcome: 'unreachable', message: `the secret key may not read /v1/${list}` }
  return { outcome: 'unreachable', message: 'Stripe gave no readable answer' }
}
