import type { ErrorCode } from '#connectors/contract/codes.ts'
import type { Answer, Link } from '#connectors/contract/connector.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { lost } from '#connectors/contract/requests.ts'
import { isObject } from '#connectors/contract/shapes.ts'
import { CAUSES, PAYMENT_STATUSES, REFUND_STATUSES } from './mapping.ts'
import { isId, type Json, list, markOf, type Reply, show, toRefusal } from './wire.ts'

type Asked = { readonly attemptId: string; readonly amount?: number }

/** Strict: an answer that is only nearly right is unknown. */
export async function readPayment(reply: Reply, link: Link, { attemptId, amount }: Asked): Promise<Answer> {
  if (reply.kind !== 'answer') return toRefusal(reply)
  const { body } = reply
  const isAsked = markOf(body, 'attempt') === attemptId && (amount === undefined || body['amount'] === amount)
  if (!isAsked) return lost('GoCardless answered about another payment')
  if (body['status'] !== 'failed') return statusOf('payment', body)
  // Only its event says why.
  const page = await list(link, 'events', { payment: String(body['id']), action: 'failed' })
  const details = page?.items.at(-1)?.['details']
  return statusOf('payment', body, isObject(details) ? CAUSES[String(details['cause'])] : undefined)
}

const KINDS = {
  payment: { prefix: 'PM', statuses: PAYMENT_STATUSES },
  refund: { prefix: 'RF', statuses: REFUND_STATUSES },
} as const

/** The same of a payment that was made before. A refused question says nothing about it. */
export async function lookUpPayment(id: string, link: Link, attemptId: string): Promise<Answer> {
  const reply = await show(link, 'payments', id)
  return reply.kind === 'error'
    ? lost('GoCardless did not show the payment')
    : readPayment(reply, link, { attemptId })
}

/** A payment or a refund as GoCardless shows it. `cause`: why it failed, which only its event says. */
export function statusOf(kind: keyof typeof KINDS, body: Json, cause?: ErrorCode): Answer {
  const { prefix, statuses } = KINDS[kind]
  const { id, status } = body
  if (!isId(prefix, id) || typeof status !== 'string')
    return lost(`GoCardless answered with something else than a ${kind}`)
  const meaning = Object.hasOwn(statuses, status) ? statuses[status] : undefined
  const facts = { rawCode: status }
  switch (meaning) {
    case 'done':
      return { outcome: 'approved', reference: id, facts }
    case 'waiting':
      return { outcome: 'pending', reference: id, ...(kind === 'payment' && { isPermitted: true }), facts }
    case undefined:
      return lost('GoCardless answered with a status that we do not know')
    default:
      return refused(cause ?? meaning, facts, id)
  }
}

/** The payment of the mandate with our mark. A mandate is made for one payment, so a page shows all. Null: there is none. */
export async function findPayment(
  link: Link,
  { mandate, attemptId }: { readonly mandate: string; readonly attemptId: string },
): Promise<Answer | null> {
  const page = await list(link, 'payments', { mandate })
  if (!page) return lost('GoCardless did not list the payments of the mandate')
  const found = page.items.find((one) => markOf(one, 'attempt') === attemptId)
  return found ? readPayment({ kind: 'answer', body: found }, link, { attemptId }) : null
}
