import type { ActivityAnswer, ActivityOrder, Link, ListedOperation } from '#connectors/contract/connector.ts'
import { markOf, readAction } from './follow-ups.ts'
import { readPayment } from './read-payment.ts'
import { isId, isObject, type Json, type Reply, send } from './wire.ts'

const DAY_MS = 24 * 3_600_000
/** Captures and refunds are found through their payments, which may be older than the window. */
const BEFORE_MS = 7 * DAY_MS
/** Checkout.com finds so many payments at once. A part of time that has more is halved. */
const FOUND_MAX = 1_000
/** Each payment is asked for its actions, so a page is short. */
const PAGE_SIZE = 20

/** A part of time, and how many of its payments are done. */
type Part = { readonly start: number; readonly length: number; readonly done: number }

/**
 * What was done at Checkout.com in a window: the payments that were requested in it or some days before, and their actions in it.
 * https://www.checkout.com/docs/payments/manage-payments/search-and-filter-payments
 */
export async function activity({ from, until, after }: ActivityOrder, link: Link): Promise<ActivityAnswer> {
  const first = { start: from.getTime() - BEFORE_MS, length: DAY_MS, done: 0 }
  const part = after === null ? first : partIn(after)
  const end = Math.min(part.start + part.length, until.getTime())
  const found = await search(part.start, end, link)
  if ('outcome' in found) return found
  const { payments, isMore } = found
  if (isMore) {
    const length = Math.floor((end - part.start) / 2)
    if (length < 1) return unreachable('Checkout.com lists more payments of a moment than it shows')
    return { outcome: 'listed', operations: [], next: nameOf({ ...part, length, done: 0 }) }
  }
  const operations: ListedOperation[] = []
  for (const payment of payments.slice(part.done, part.done + PAGE_SIZE)) {
    const listed = await operationsOf(payment, link)
    if ('outcome' in listed) return listed
    operations.push(...listed.filter(({ at }) => at >= from && at <= until))
  }
  const done = part.done + PAGE_SIZE
  const isLast = done >= payments.length
  const rest = isLast ? { start: end, length: DAY_MS, done: 0 } : { ...part, done }
  return { outcome: 'listed', operations, next: isLast && end >= until.getTime() ? null : nameOf(rest) }
}

function nameOf({ start, length, done }: Part): string {
  return `${start} ${length} ${done}`
}

function partIn(name: string): Part {
  const [start = 0, length = DAY_MS, done = 0] = name.split(' ').map(Number)
  return { start, length, done }
}

type Found = { readonly payments: readonly Json[]; readonly isMore: boolean }

/** The payments of a part of time, in an order that does not change. Payouts are no payments. */
async function search(start: number, end: number, link: Link): Promise<Found | ActivityAnswer> {
  const body = {
    limit: FOUND_MAX,
    from: new Date(start).toISOString(),
    to: new Date(end).toISOString(),
  }
  const reply = await send(link, { path: 'payments/search', body })
  if (reply.kind !== 'answer') return problemOf(reply)
  const { data, total_count: total } = reply.body
  if (!Array.isArray(data) || !Number.isSafeInteger(total)) {
    return unreachable('Checkout.com answered with something else than a list')
  }
  const payments = data
    .filter(isObject)
    .filter(({ id, destination }) => isId('pay', id) && !isObject(destination))
  const sorted = payments.toSorted((one, other) => (String(one['id']) < String(other['id']) ? -1 : 1))
  return { payments: sorted, isMore: data.length >= FOUND_MAX || Number(total) > data.length }
}

async function operationsOf(payment: Json, link: Link): Promise<readonly ListedOperation[] | ActivityAnswer> {
  const reply = await send(link, { method: 'GET', path: `payments/${payment['id']}/actions` })
  if (reply.kind !== 'answer') return problemOf(reply)
  const { items } = reply.body
  if (!Array.isArray(items)) return unreachable('Checkout.com answered with something else than a list')
  const actions = items.filter(isObject).toReversed()
  return [
    ...authorizationIn(payment, actions),
    ...actions.flatMap((one) => actionIn(one, { payment, actions })),
  ]
}

/** A part was approved: what was asked for is not shown. */
const APPROVED_IN_PART = '10010'

function authorizationIn(payment: Json, actions: readonly Json[]): readonly ListedOperation[] {
  const marks = marksOf(payment)
  const amount = wholeIn(payment)
  const at = timeOf(payment['requested_on'])
  // An amount of zero verifies a card, and holds no money.
  if (amount === null || amount === 0 || at === null) return []
  const asked = { attemptId: marks['attempt'] ?? '', amount, currency: currencyOf(payment) }
  const answer = readPayment(payment, asked)
  if (answer.outcome === 'unknown') return []
  const isPart = answer.facts.rawCode === APPROVED_IN_PART
  return [
    {
      ...commonOf(payment),
      operation: 'authorize',
      attemptId: marks['attempt'] ?? null,
      amount: isPart ? null : amount,
      isFinal: marks['intent'] === 'capture',
      at: timeOf(actions[0]?.['processed_on']) ?? at,
      answer:
        answer.outcome === 'approval_required'
          ? { outcome: 'pending', reference: answer.reference, facts: answer.facts }
          : answer,
    },
  ]
}

const ACTS = { Capture: 'capture', Void: 'void', Refund: 'refund' } as const

type Listed = { readonly payment: Json; readonly actions: readonly Json[] }

/** An increment is an authorization with a mark of its own. The capture of a payment in one step is part of it. */
function actionIn(action: Json, { payment, actions }: Listed): readonly ListedOperation[] {
  const marks = marksOf(action)
  const isIncrement = action['type'] === 'Authorization' && markOf('increment') in marks
  const operation = isIncrement ? 'increment' : ACTS[action['type'] as keyof typeof ACTS]
  const at = timeOf(action['processed_on'])
  const amount = wholeIn(action)
  if (!operation || at === null || amount === null) return []
  if (operation === 'capture' && marksOf(payment)['intent'] === 'capture') return []
  const captures = actions.filter(({ type }) => type === 'Capture')
  const isRest = (one: Json) => one['type'] === 'Void' && !(markOf('void') in marksOf(one))
  // Checkout.com releases the rest after a final capture by itself.
  if (isRest(action) && captures.length > 0) return []
  const answer = readAction(action['id'], action)
  if (answer.outcome === 'unknown') return []
  const total = wholeIn(payment)
  return [
    {
      ...commonOf(payment),
      operation,
      attemptId: marks[markOf(operation)] ?? null,
      // Pages do not say whether an increment states what was added, or the sum.
      amount: isIncrement ? null : amount,
      ...(isIncrement && total !== null && { total }),
      isFinal: action === captures.at(-1) && actions.some(isRest),
      at,
      answer,
    },
  ]
}

function commonOf(payment: Json) {
  const source = isObject(payment['source']) ? payment['source'] : {}
  const { scheme, last4 } = source
  const name = typeof scheme === 'string' ? scheme.toLowerCase() : ''
  return {
    transactionId: marksOf(payment)['transaction'] ?? null,
    authorization: String(payment['id']),
    currency: currencyOf(payment),
    card: {
      scheme: SCHEMES[name] ?? (/^[a-z]{2,20}$/.test(name) ? name : null),
      last4: typeof last4 === 'string' && /^\d{4}$/.test(last4) ? last4 : null,
    },
  }
}

const SCHEMES: Readonly<Record<string, string>> = {
  'american express': 'amex',
  'diners club international': 'diners-club',
  'diners club': 'diners-club',
  'cartes bancaires': 'carte-bancaire',
}

function marksOf({ metadata }: Json): Readonly<Record<string, string>> {
  const marks = isObject(metadata) ? Object.entries(metadata) : []
  return Object.fromEntries(marks.flatMap(([name, id]) => (typeof id === 'string' ? [[name, id]] : [])))
}

function wholeIn({ amount }: Json): number | null {
  return Number.isSafeInteger(amount) ? Number(amount) : null
}

function currencyOf({ currency }: Json): string {
  return typeof currency === 'string' ? currency : ''
}

function timeOf(value: unknown): Date | null {
  const at = new Date(typeof value === 'string' ? value : Number.NaN)
  return Number.isNaN(at.getTime()) ? null : at
}

function problemOf(reply: Exclude<Reply, { kind: 'answer' }>): ActivityAnswer {
  if (reply.kind === 'lost') return unreachable(reply.reason)
  if (reply.status === 401) return unreachable('Checkout.com does not accept secret_key')
  if (reply.status === 403)
    return unreachable('secret_key may not search payments: give it the scope payments:search')
  return unreachable(`Checkout.com does not list its payments (${reply.status})`)
}

function unreachable(message: string): ActivityAnswer {
  return { outcome: 'unreachable', message }
}
