import type { Link, SyncAnswer } from '#connectors/contract/connector.ts'
import type { Inquiry, InquiryAbout } from '#connectors/contract/orders.ts'
import { LOST, ofRepetition, toLaterRefusal, unknown } from './answers.ts'
import { createOrder, expectedOf } from './authorize.ts'
import { charge, getOrder, gone, isGone, readFound } from './complete.ts'
import { fromWire } from './currency.ts'
import { capture, captureFromAccount, isVoided, refund, voidAuthorization } from './follow-ups.ts'
import { orderBody } from './order-body.ts'
import { type Expected, readAuthorization, readCapture, readOrder, toAnswer } from './read-order.ts'
import { finishSetup, forgetToken, getSetupToken, tokenize } from './tokens.ts'
import { listIn, part, type Reply, send } from './wire.ts'

const HOUR = 3_600_000

/** How long PayPal keeps its request ids. A margin is for our clocks. */
export const KEYS_LIVE_MS = { orders: 6 * HOUR, payments: 45 * 24 * HOUR, vault: 3 * HOUR } as const
const MARGIN_MS = 10 * 60_000

const TOO_LATE = unknown('PayPal no longer knows the request id, so the request cannot be repeated')
const NO_ORDER = unknown('the order is no longer there, so it cannot be repeated')

/**
 * PayPal cannot be asked by our attempt id. The same request under the same id shows what became of the first one. If the
 * first one never arrived, then PayPal does it now.
 */
export async function sync(inquiry: Inquiry, link: Link): Promise<SyncAnswer> {
  return ofRepetition(await inquire(inquiry, link, capture))
}

/** For payments of buyers' accounts at PayPal. */
export async function syncAccount(inquiry: Inquiry, link: Link): Promise<SyncAnswer> {
  return ofRepetition(await inquire(inquiry, link, captureFromAccount))
}

async function inquire(inquiry: Inquiry, link: Link, captureAgain: typeof capture): Promise<SyncAnswer> {
  switch (inquiry.operation) {
    case 'authorize':
      return inquiry.reference === null
        ? replayOrder(inquiry, link)
        : lookUp(inquiry.reference, inquiry, link)
    case 'capture':
      return inquiry.order && isKept(inquiry, 'payments', link)
        ? captureAgain(inquiry.order, link)
        : outOf(inquiry)
    case 'refund':
      return inquiry.order && isKept(inquiry, 'payments', link) ? refund(inquiry.order, link) : outOf(inquiry)
    case 'void':
      return syncVoid(inquiry, link)
    case 'tokenize':
      return syncToken(inquiry, link)
    case 'forgetToken':
      // Deleting twice is deleting once.
      return inquiry.order ? forgetToken(inquiry.order, link) : NO_ORDER
    default:
      return unknown('PayPal has no such operation')
  }
}

function isKept({ sentAt }: Inquiry, api: keyof typeof KEYS_LIVE_MS, { now }: Link): boolean {
  return now().getTime() - sentAt.getTime() < KEYS_LIVE_MS[api] - MARGIN_MS
}

function outOf({ order }: Inquiry): typeof TOO_LATE {
  return order ? TOO_LATE : NO_ORDER
}

async function replayOrder(inquiry: InquiryAbout<'authorize'>, link: Link): Promise<SyncAnswer> {
  const { order, attemptId } = inquiry
  if (!order || !isKept(inquiry, 'orders', link)) return outOf(inquiry)
  const body = orderBody(order, link)
  // The first request cannot have been sent, if this one cannot be written.
  if ('outcome' in body) return body
  const reply = await createOrder(attemptId, body, link)
  if (reply.kind !== 'answer' || (reply.status !== 200 && reply.status !== 201)) return toLaterRefusal(reply)
  return follow(reply, { ...expectedOf(order), attemptId }, link)
}

/** An order that the buyer has approved is charged now: the buyer may never come back. */
async function follow(
  reply: Reply & { kind: 'answer' },
  expected: Expected & { readonly attemptId: string },
  link: Link,
): Promise<SyncAnswer> {
  const read = readOrder(reply.body, expected)
  if ('outcome' in read) return read
  const answer = toAnswer(read, expected)
  return answer === 'approved_by_buyer' ? charge(read, expected, link) : answer
}

/** The reference is of the order while the buyer is asked, and of the authorization or capture after that. */
async function lookUp(
  reference: string,
  { order, attemptId }: InquiryAbout<'authorize'>,
  link: Link,
): Promise<SyncAnswer> {
  const reply = await getOrder(reference, link)
  if (!isGone(reply)) {
    const expected = order ? expectedOf(order) : expectedIn(reply)
    if (!expected) return LOST
    const read = readFound(reply, { ...expected, orderId: reference })
    if ('outcome' in read) return read
    return follow(reply as Reply & { kind: 'answer' }, { ...expected, orderId: reference, attemptId }, link)
  }
  for (const [path, read] of [
    ['authorizations', readAuthorization],
    ['captures', readCapture],
  ] as const) {
    const found = await send(link, { method: 'GET', path: `/v2/payments/${path}/${part(reference)}` })
    if (isGone(found)) continue
    return found.kind === 'answer' && found.status === 200 ? read(found.body) : LOST
  }
  return gone(reference)
}

/** What the order itself says that was ordered, when the server no longer has it. */
function expectedIn(reply: Reply): Expected | null {
  if (reply.kind !== 'answer' || reply.status !== 200) return null
  const { body } = reply
  const [unit] = listIn(body, 'purchase_units')
  const intent =
    body['intent'] === 'AUTHORIZE' ? 'authorize' : body['intent'] === 'CAPTURE' ? 'capture' : null
  const money = fromWire(unit?.['amount'])
  return intent && money ? { intent, ...money } : null
}

async function syncVoid(inquiry: InquiryAbout<'void'>, link: Link): Promise<SyncAnswer> {
  const reference = inquiry.reference ?? inquiry.order?.reference
  if (!reference) return NO_ORDER
  const path = `/v2/payments/authorizations/${part(reference)}`
  const reply = await send(link, { method: 'GET', path })
  if (reply.kind !== 'answer' || reply.status !== 200) return LOST
  if (isVoided(reply.body, reference)) {
    return { outcome: 'approved', reference, facts: { rawCode: 'VOIDED' } }
  }
  return voidAuthorization({ attemptId: inquiry.attemptId, reference }, link)
}

async function syncToken(inquiry: InquiryAbout<'tokenize'>, link: Link): Promise<SyncAnswer> {
  const { reference, order, attemptId } = inquiry
  if (reference !== null) return finishSetup(await getSetupToken(reference, link), attemptId, link)
  if (!order || !isKept(inquiry, 'vault', link)) return outOf(inquiry)
  return tokenize(order, link)
}
