import type { Answer, Link, SyncAnswer, Unknown } from '#connectors/contract/connector.ts'
import type { Inquiry, InquiryAbout } from '#connectors/contract/orders.ts'
import { again, lost } from '#connectors/contract/requests.ts'
import { authorize } from './authorize.ts'
import { findPayment } from './find-payment.ts'
import { ACTS, type Act, cancel, capture, readEnd, refund, release, withoutRest } from './follow-ups.ts'
import type { MethodRow } from './methods.ts'
import { askFor, lookUp, paymentIn } from './read-payment.ts'
import { attemptOf, isId, isObject, send } from './wire.ts'

/** https://docs.mollie.com/reference/api-idempotency */
export const KEYS_LIVE_MS = 3_600_000

/**
 * What Mollie shows decides. What it does not show may be on its way, and is sent again under the same key as long as Mollie knows
 * it. After that, it is only looked for.
 */
export async function sync(inquiry: Inquiry, link: Link, row: MethodRow): Promise<SyncAnswer> {
  switch (inquiry.operation) {
    case 'authorize':
      return syncAuthorization(inquiry, link, row)
    case 'capture':
      return (await findAct('capture', inquiry, link)) ?? replay(inquiry, link, capture)
    case 'refund':
      return (await findAct('refund', inquiry, link)) ?? replay(inquiry, link, refund)
    case 'void':
      return syncRelease(inquiry, link)
    case 'cancel':
      return syncCancel(inquiry, link)
    default:
      return lost('Mollie is not asked for such operations')
  }
}

async function syncAuthorization(
  inquiry: InquiryAbout<'authorize'>,
  link: Link,
  row: MethodRow,
): Promise<SyncAnswer> {
  const { attemptId, order, reference, sentAt } = inquiry
  if (reference !== null) return lookUp(link, reference, { attemptId, order })
  if (order === null) {
    const found = await findPayment(link, { mark: 'attempt', id: attemptId, since: sentAt })
    if (typeof found === 'string') return lookUp(link, found, { attemptId, order })
    return found ?? lost(NOT_SHOWN)
  }
  const answer = await replay(inquiry, link, (one, line) => authorize(one, line, row))
  // Mollie repeats how the payment was in the beginning.
  return answer.outcome === 'approval_required'
    ? lookUp(link, answer.reference, { attemptId, order })
    : answer
}

type Found = {
  readonly transactionId: string
  readonly reference: string | null
}

async function paymentOf({ reference, transactionId }: Found, link: Link): Promise<string | Unknown> {
  if (isId('tr', reference)) return reference
  const found = await findPayment(link, { mark: 'transaction', id: transactionId, since: null })
  return found ?? lost(NOT_SHOWN)
}

const NOT_SHOWN = 'Mollie does not show this attempt'

/** Null: Mollie shows none with our mark, or none yet. */
async function findAct(
  name: Act,
  inquiry: Found & { readonly attemptId: string },
  link: Link,
): Promise<Answer | null> {
  const payment = await paymentOf(inquiry, link)
  if (typeof payment !== 'string') return payment
  const { list } = ACTS[name]
  const reply = await send(link, { path: `payments/${payment}/${list}?limit=250` })
  if (reply.kind !== 'answer') return lost(`Mollie did not show the ${list}`)
  const { _embedded: embedded } = reply.body
  const items = isObject(embedded) ? embedded[list] : null
  if (!Array.isArray(items)) return lost('Mollie answered with something else than a list')
  const made = items.filter(isObject).find((one) => attemptOf(one) === inquiry.attemptId)
  return made ? withoutRest(name, { shown: made, payment }, link) : null
}

/**
 * A released payment is canceled, or paid if a part was captured. It may be paid without a release, too: then Mollie says that there is
 * nothing to release.
 */
async function syncRelease(inquiry: InquiryAbout<'void'>, link: Link): Promise<SyncAnswer> {
  const id = await paymentOf(inquiry, link)
  if (typeof id !== 'string') return id
  const reply = await askFor(link, id)
  const payment = reply.kind === 'answer' ? paymentIn(reply.body) : null
  if (!payment) return lost('Mollie answered with something else than a payment')
  const released = { outcome: 'approved', reference: id, facts: { rawCode: payment.status } } as const
  if (payment.status === 'canceled' || payment.status === 'expired') return released
  const answer = await replay(inquiry, link, release)
  const isOver = answer.outcome === 'pending' || ('code' in answer && answer.code === 'unexpected_state')
  return payment.status === 'paid' && isOver ? released : answer
}

async function syncCancel(inquiry: InquiryAbout<'cancel'>, link: Link): Promise<SyncAnswer> {
  const id = await paymentOf(inquiry, link)
  if (typeof id !== 'string') return id
  const shown = readEnd(await askFor(link, id))
  return shown.outcome === 'approved' ? shown : replay(inquiry, link, cancel)
}

async function replay<Order, Result>(
  { order, sentAt }: { readonly order: Order | null; readonly sentAt: Date },
  link: Link,
  ask: (order: Order, link: Link) => Promise<Result>,
): Promise<Result | Answer> {
  if (order === null) return lost(NOT_SHOWN)
  // After that, the order would be carried out a second time.
  if (link.now().getTime() - sentAt.getTime() >= KEYS_LIVE_MS) {
    return lost('Mollie may have forgotten the key of this attempt')
  }
  return ask(order, again(link))
}
