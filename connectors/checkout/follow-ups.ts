import type { Answer, Link } from '#connectors/contract/connector.ts'
import type {
  CaptureOrder,
  IncrementOrder,
  Operation,
  RefundOrder,
  VoidOrder,
} from '#connectors/contract/orders.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { lost } from '#connectors/contract/requests.ts'
import { isExact } from './currency.ts'
import { NOT_EXACT } from './payment-request.ts'
import { factsOf, refusalOf } from './read-payment.ts'
import { isId, type Json, type Reply, send, toRefusal } from './wire.ts'

/**
 * The mark that an operation leaves on its action and in messages about it. Each has a name of its own: Checkout.com does not
 * say whether a message about a capture repeats the capture's metadata or the payment's.
 */
export function markOf(operation: Operation): string {
  return operation === 'authorize' ? 'attempt' : `${operation}_attempt`
}

/** Checkout.com says that it has the request. The outcome comes with a webhook, or is among the payment's actions. */
export function capture(order: CaptureOrder, link: Link): Promise<Answer> {
  const { amount, isFinal } = order
  return act(order, link, {
    operation: 'capture',
    body: { amount, capture_type: isFinal ? 'Final' : 'NonFinal' },
    read: readReceipt,
  })
}

/** Also releases the rest that captures left. */
export function release(order: VoidOrder, link: Link): Promise<Answer> {
  return act(order, link, { operation: 'void', body: {}, read: readReceipt })
}

export function refund(order: RefundOrder, link: Link): Promise<Answer> {
  return act(order, link, { operation: 'refund', body: { amount: order.amount }, read: readReceipt })
}

/** Checkout.com takes the added amount, and answers at once. */
export function increment(order: IncrementOrder, link: Link): Promise<Answer> {
  return act(order, link, { operation: 'increment', body: { amount: order.amount }, read: readDecision })
}

const PATHS = { capture: 'captures', void: 'voids', refund: 'refunds', increment: 'authorizations' } as const

type Act = {
  readonly operation: keyof typeof PATHS
  readonly body: Json
  readonly read: (reply: Extract<Reply, { kind: 'answer' }>) => Answer
}

async function act(order: VoidOrder, link: Link, { operation, body, read }: Act): Promise<Answer> {
  const { attemptId, reference, reconciliationId, amount, currency } = order
  if (!isId('pay', reference)) return refused('unknown_service_resource')
  if (!isExact(amount, currency)) return NOT_EXACT
  const reply = await send(link, {
    path: `payments/${reference}/${PATHS[operation]}`,
    key: attemptId,
    body: { ...body, reference: reconciliationId, metadata: { [markOf(operation)]: attemptId } },
  })
  // Captured, voided or refunded already, or never captured.
  return reply.kind === 'answer' ? read(reply) : toRefusal(reply, 'unexpected_state')
}

function readReceipt({ status, body }: Extract<Reply, { kind: 'answer' }>): Answer {
  const { action_id } = body
  if (status !== 202 || !isId('act', action_id))
    return lost('Checkout.com answered with something else than a receipt')
  return { outcome: 'pending', reference: action_id, facts: {} }
}

function readDecision({ body }: Extract<Reply, { kind: 'answer' }>): Answer {
  return readAction(body['action_id'], body)
}

/** An action that Checkout.com has decided, or works on. */
export function readAction(id: unknown, action: Json): Answer {
  if (!isId('act', id)) return lost('Checkout.com answered with something else than an action')
  switch (action['approved']) {
    case true:
      return { outcome: 'approved', reference: id, facts: factsOf(action) }
    case false:
      return refusalOf(action, id)
    default:
      return lost('Checkout.com does not say what became of the action')
  }
}
