import type { Answer, Link } from '#connectors/contract/connector.ts'
import type {
  CancelOrder,
  CaptureOrder,
  IncrementOrder,
  RefundOrder,
  VoidOrder,
} from '#connectors/contract/orders.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { lost } from '#connectors/contract/requests.ts'
import { toLine } from './buyer.ts'
import { toAdyen } from './currency.ts'
import { readOptions } from './options.ts'
import { isObject, isReference, type Json, send, toRefusal } from './wire.ts'

/** Adyen only says that it has the request. The outcome comes with a webhook, always. */

export function capture(order: CaptureOrder, link: Link, lines: Json = {}): Promise<Answer> {
  const body = { ...splitsOf(link, 'capture'), ...lines }
  return modify(order, link, { what: 'captures', amount: order.amount, body })
}

export function release(order: VoidOrder, link: Link): Promise<Answer> {
  return modify(order, link, { what: 'cancels', amount: null })
}

/** A payment that its bank has not decided yet is cancelled like one that it has authorised. */
export function cancel(order: CancelOrder, link: Link): Promise<Answer> {
  return modify(order, link, { what: 'cancels', amount: null })
}

/**
 * Adyen captures a card that was charged in one step a little later, and does not tell of it. A refund before that fails.
 * A reversal gives the money back in both cases, but is always whole, and has no reason and no splits.
 */
export function refundCard(order: RefundOrder, link: Link): Promise<Answer> {
  const { amount, authorizedAmount, captureReference, reference, reason } = order
  const isWhole = captureReference === reference && amount === authorizedAmount
  if (!isWhole || reason || 'splits' in splitsOf(link, 'refund')) return refund(order, link)
  return modify(order, link, { what: 'reversals', amount: null })
}

export function refund(order: RefundOrder, link: Link, lines: Json = {}): Promise<Answer> {
  const { captureReference, reference, reason } = order
  return modify(order, link, {
    what: 'refunds',
    amount: order.amount,
    body: {
      ...splitsOf(link, 'refund'),
      ...lines,
      // Of a payment that was captured in one step, Adyen's reference of the capture is not known to us.
      ...(captureReference !== null &&
        captureReference !== reference && { capturePspReference: captureReference }),
      ...(reason && { merchantRefundReason: reasonOf(reason) }),
    },
  })
}

/**
 * The same act, with the line that Adyen requires of methods whose buyers see what they bought. A merchant captures an amount and
 * does not name its items, so one line has the whole amount.
 */
export function withLine<Order extends CaptureOrder | RefundOrder>(
  act: (order: Order, link: Link, lines: Json) => Promise<Answer>,
): (order: Order, link: Link) => Promise<Answer> {
  return (order, link) => act(order, link, { lineItems: [toLine(order)] })
}

/** Adyen takes the new total. */
export function increment(order: IncrementOrder, link: Link): Promise<Answer> {
  return modify(order, link, { what: 'amountUpdates', amount: order.authorizedAmount + order.amount })
}

type Modification = { readonly what: string; readonly amount: number | null; readonly body?: Json }

async function modify(order: CancelOrder, link: Link, { what, amount, body }: Modification): Promise<Answer> {
  const { attemptId, reference, currency } = order
  if (!isReference(reference)) return refused('unknown_service_resource', {})
  const value = amount === null ? null : toAdyen(amount, currency)
  if (amount !== null && value === null) {
    return refused('invalid_amount', { rawDescription: 'Adyen has no decimals for this currency' })
  }
  const reply = await send(link, {
    path: `payments/${encodeURIComponent(reference)}/${what}`,
    key: attemptId,
    body: {
      merchantAccount: link.fields['merchant_account'] ?? '',
      reference: attemptId,
      ...(value !== null && { amount: { value, currency } }),
      ...body,
    },
  })
  if (reply.kind !== 'answer') return toRefusal(reply)
  return readReceipt(reply.body, { reference, attemptId, value, currency })
}

type Expected = {
  readonly reference: string
  readonly attemptId: string
  readonly value: number | null
  readonly currency: string
}

function readReceipt(body: Json, { reference, attemptId, value, currency }: Expected): Answer {
  const { status, pspReference, paymentPspReference, reference: own, amount } = body
  const isOurs = paymentPspReference === reference && (own === undefined || own === attemptId)
  if (status !== 'received' || !isReference(pspReference) || !isOurs) {
    return lost('Adyen answered with something else than a receipt')
  }
  const stated = isObject(amount) ? amount : null
  if (value !== null && (stated?.['value'] !== value || stated['currency'] !== currency)) {
    return lost('Adyen received another amount')
  }
  return { outcome: 'pending', reference: pspReference, facts: { rawCode: 'received' } }
}

const REASONS = ['FRAUD', 'CUSTOMER REQUEST', 'RETURN', 'DUPLICATE', 'OTHER']

/** Merchants write what they like. Adyen knows five reasons. */
function reasonOf(reason: string): string {
  const words = reason.trim().toUpperCase().replaceAll('_', ' ')
  return REASONS.includes(words) ? words : 'OTHER'
}

function splitsOf({ options }: Link, what: 'capture' | 'refund'): Json {
  const read = readOptions(options)
  return 'wrong' in read || read.splits[what] === undefined ? {} : { splits: read.splits[what] }
}
