import type { Answer, Link } from '#connectors/contract/connector.ts'
import { cut } from '#connectors/contract/latin-letters.ts'
import type { CaptureOrder, RefundOrder, VoidOrder } from '#connectors/contract/orders.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { cannotExpress, refusalIn, toLaterRefusal, unknown, wrong } from './answers.ts'
import { fromWire, toWire, type WireMoney } from './currency.ts'
import { readAuthorization, readCapture, readRefund } from './read-order.ts'
import { type Json, objectIn, part, type Reply, send, textIn } from './wire.ts'

/** The same request under the same key shows what became of the first, for 45 days. So `sync` calls these again. */

/** PayPal holds the money of a buyer's account so long. Later captures may fail, though the authorization lives 29 days. */
const HONOR_PERIOD_MS = 3 * 24 * 3_600_000

/**
 * Captures money of a buyer's PayPal account. After three days PayPal may no longer hold it, so we reauthorize first. PayPal
 * reauthorizes an authorization once. The key of that request names the authorization and not the capture, so each later
 * capture gets the same answer. A payment that is captured in parts is not reauthorized: its parts belong to the first
 * authorization.
 */
export async function captureFromAccount(order: CaptureOrder, link: Link): Promise<Answer> {
  const { authorizationAgeMs, isFinal, capturedAmount } = order
  if (authorizationAgeMs < HONOR_PERIOD_MS || !isFinal || capturedAmount > 0) return capture(order, link)
  const held = await reauthorize(order, link)
  return typeof held === 'string' ? capture({ ...order, reference: held }, link) : held
}

/** Returns PayPal's id of what can be captured, or why nothing can: then nothing was captured. */
async function reauthorize(order: CaptureOrder, link: Link): Promise<string | Answer> {
  const { reference, authorizedAmount, currency } = order
  const money = toWire(authorizedAmount, currency)
  if (!money) return cannotExpress(order)
  const reply = await send(link, {
    method: 'POST',
    path: `/v2/payments/authorizations/${part(reference)}/reauthorize`,
    key: `reauthorize-${reference}`,
    body: reauthorizeBody(money),
  })
  if (reply.kind !== 'answer' || (reply.status !== 200 && reply.status !== 201)) {
    const issue = reply.kind === 'answer' && refusalIn(reply)?.issue
    return issue && FIRST_HOLD_STAYS.has(issue) ? reference : toLaterRefusal(reply)
  }
  const answer = readAuthorization(reply.body)
  if (answer.outcome === 'approved') return answer.reference
  if (answer.outcome === 'unknown') return answer
  // Also of a hold that PayPal reviews: the merchant can try again later, and finds it.
  return refused('service_decline', answer.facts)
}

/** PayPal will not renew this authorization, now or later. Whether it can be captured, the capture tells. */
const FIRST_HOLD_STAYS: ReadonlySet<string> = new Set([
  'REAUTHORIZATION_NOT_SUPPORTED',
  'AUTHORIZATION_ALREADY_CAPTURED',
])

export function reauthorizeBody(amount: WireMoney) {
  return { amount }
}

export async function capture(order: CaptureOrder, link: Link): Promise<Answer> {
  const { attemptId, reference, amount, currency } = order
  const money = toWire(amount, currency)
  if (!money) return cannotExpress(order)
  const reply = await send(link, {
    method: 'POST',
    path: `/v2/payments/authorizations/${part(reference)}/capture`,
    key: attemptId,
    body: captureBody(order, money),
  })
  return readMoved(reply, order, (body) => (isCaptureOf(body, order) ? readCapture(body) : OTHER))
}

/** Refunds are of a capture, not of the payment. */
export async function refund(order: RefundOrder, link: Link): Promise<Answer> {
  const { attemptId, captureReference, amount, currency } = order
  const money = toWire(amount, currency)
  if (!money) return cannotExpress(order)
  if (captureReference === null) {
    return wrong('invalid_amount', 'no single capture has this much left: refund each capture on its own')
  }
  const reply = await send(link, {
    method: 'POST',
    path: `/v2/payments/captures/${part(captureReference)}/refund`,
    key: attemptId,
    body: refundBody(order, money),
  })
  return readMoved(reply, order, (body) =>
    [null, attemptId].includes(textIn(body, 'custom_id')) ? readRefund(body) : OTHER,
  )
}

const OTHER = unknown('PayPal answered about another payment')

/** PayPal repeats our id of the payment, and its own of the authorization. What it leaves out is no contradiction. */
function isCaptureOf(body: Json, { reference, reconciliationId }: CaptureOrder): boolean {
  const related = objectIn(objectIn(body, 'supplementary_data'), 'related_ids')
  return (
    [null, reference].includes(textIn(related, 'authorization_id')) &&
    [null, reconciliationId].includes(textIn(body, 'invoice_id'))
  )
}

export function captureBody({ isFinal }: CaptureOrder, amount: WireMoney) {
  return { amount, final_capture: isFinal }
}

/** PayPal repeats `custom_id` in its events. */
export function refundBody({ attemptId, reason }: RefundOrder, amount: WireMoney) {
  return { amount, custom_id: attemptId, ...(reason && { note_to_payer: cut(reason, 255) }) }
}

function readMoved(
  reply: Reply,
  { amount, currency }: { readonly amount: number; readonly currency: string },
  read: (body: Json) => Answer,
): Answer {
  if (reply.kind !== 'answer' || (reply.status !== 200 && reply.status !== 201)) return toLaterRefusal(reply)
  const money = fromWire(reply.body['amount'])
  const isOther = money?.amount !== amount || money.currency !== currency
  return isOther ? unknown('PayPal answered about another amount') : read(reply.body)
}

/** Releases what is left, also after captures. Our name for a word that JavaScript keeps for itself. */
export async function voidAuthorization(
  { attemptId, reference }: Pick<VoidOrder, 'attemptId' | 'reference'>,
  link: Link,
): Promise<Answer> {
  const reply = await send(link, {
    method: 'POST',
    path: `/v2/payments/authorizations/${part(reference)}/void`,
    key: attemptId,
  })
  if (reply.kind !== 'answer') return toLaterRefusal(reply)
  // What is released cannot be released again. PayPal may say so to a request that it has carried out before.
  const isReleased = refusalIn(reply)?.issue === 'PREVIOUSLY_VOIDED'
  // PayPal also documents 204, without a body.
  const isDone = reply.status === 204 || (reply.status === 200 && isVoided(reply.body, reference))
  if (isReleased || isDone) {
    return { outcome: 'approved', reference, facts: { rawCode: isReleased ? 'PREVIOUSLY_VOIDED' : 'VOIDED' } }
  }
  return toLaterRefusal(reply)
}

export function isVoided(body: Json, reference: string): boolean {
  return textIn(body, 'id') === reference && textIn(body, 'status') === 'VOIDED'
}
