import type { Answer, Link } from '#connectors/contract/connector.ts'
import type { CancelOrder, ForgetTokenOrder, RefundOrder } from '#connectors/contract/orders.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { lost } from '#connectors/contract/requests.ts'
import { statusOf } from './payment.ts'
import { cancelled, isId, make, markOf, type Reply, show, toRefusal } from './wire.ts'

/** Ends what the buyer has not permitted yet, or a debit that the banks do not have yet. */
export async function cancel({ attemptId, reference }: CancelOrder, link: Link): Promise<Answer> {
  const resource = isId('PM', reference) ? 'payments' : 'billing_requests'
  if (resource === 'billing_requests' && !isId('BRQ', reference)) return refused('unknown_service_resource')
  const reply = await cancelled(link, resource, String(reference), attemptId)
  if (reply.kind === 'answer') return readEnd(reply)
  // One that has ended by itself is as good.
  if (reply.kind === 'error' && [409, 422].includes(reply.status)) {
    const shown = readEnd(await show(link, resource, String(reference)))
    return shown.outcome === 'approved' ? shown : refused('unexpected_state', { rawCode: reply.reason })
  }
  return toRefusal(reply)
}

/** What a billing request or a payment shows of its end. */
export function readEnd(reply: Reply): Answer {
  const { id, status } = reply.kind === 'answer' ? reply.body : {}
  if (!isId('BRQ', id) && !isId('PM', id)) return lost('GoCardless did not show what was to be cancelled')
  return status === 'cancelled' || status === 'failed' || status === 'customer_approval_denied'
    ? { outcome: 'approved', reference: id, facts: { rawCode: status } }
    : lost('GoCardless has not cancelled it')
}

/** Ends a stored mandate: no debit follows. One that has ended by itself is as good. */
export async function forgetToken({ attemptId, token }: ForgetTokenOrder, link: Link): Promise<Answer> {
  const mandate = token.use(String)
  if (!isId('MD', mandate))
    return refused('unknown_service_resource', { rawCode: 'no mandate of GoCardless' })
  const reply = await cancelled(link, 'mandates', mandate, attemptId)
  const shown =
    reply.kind === 'error' && [409, 422].includes(reply.status)
      ? await show(link, 'mandates', mandate)
      : reply
  if (shown.kind !== 'answer') return toRefusal(shown)
  const { id, status } = shown.body
  return id === mandate && ENDED.includes(String(status))
    ? { outcome: 'approved', reference: attemptId, facts: { rawCode: String(status) } }
    : lost('GoCardless has not cancelled the mandate')
}

const ENDED = ['blocked', 'cancelled', 'consumed', 'expired', 'failed']

export async function refund(order: RefundOrder, link: Link): Promise<Answer> {
  const { attemptId, transactionId, reference, amount } = order
  if (!isId('PM', reference)) return refused('unknown_service_resource')
  // GoCardless wants the total of all refunds with each, and refuses a refund that was sent twice by mistake.
  const payment = await show(link, 'payments', reference)
  const before = payment.kind === 'answer' ? payment.body['amount_refunded'] : null
  if (payment.kind === 'error') return toRefusal(payment)
  if (typeof before !== 'number') return lost('GoCardless did not show what is refunded already')
  const body = {
    amount,
    total_amount_confirmation: before + amount,
    metadata: { attempt: attemptId, transaction: transactionId },
    links: { payment: reference },
  }
  const reply = await make(link, 'refunds', body, attemptId)
  // Another refund came in between. It is asked for again, with the new total.
  if (reply.kind === 'error' && reply.reason === 'total_amount_confirmation_invalid')
    return lost('GoCardless has made another refund meanwhile')
  if (reply.kind !== 'answer') return toRefusal(reply)
  return markOf(reply.body, 'attempt') === attemptId
    ? statusOf('refund', reply.body)
    : lost('GoCardless answered about another refund')
}
