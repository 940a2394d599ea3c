import type { Link, Message, Notification, Outcome, Reading } from '#connectors/contract/connector.ts'
import { ACTS, type Act, readAct, withoutRest } from './follow-ups.ts'
import { PAYMENT_STATUSES } from './mapping.ts'
import { fromMollie } from './money.ts'
import { askFor, factsOf, isAutomatic, momentIn, type Payment, paymentIn, refusalOf } from './read-payment.ts'
import { attemptOf, isId, isObject, type Json, send } from './wire.ts'

/**
 * A message names a payment and says nothing of it: `id=tr_…`, without a signature. So it proves nothing, and the payment is asked
 * for. A made-up message makes the connector look at a payment of this account, and does no more.
 */
export async function readNotification({ body }: Message, link: Link): Promise<Reading> {
  const [, id = ''] = /^id=(tr_\w{1,60})$/.exec(body.toString()) ?? []
  if (!isId('tr', id)) return rejected('the body names no payment of Mollie')
  const reply = await askFor(link, id)
  if (reply.kind === 'error' && [401, 403].includes(reply.status)) {
    return rejected('Mollie does not accept the API key with which the payment is asked for')
  }
  if (reply.kind === 'error' && [404, 410].includes(reply.status)) {
    return rejected('the payment is not one of this account')
  }
  const payment = reply.kind === 'answer' ? paymentIn(reply.body) : null
  // The server answers so that Mollie sends the message again.
  if (payment?.id !== id) throw new Error('Mollie did not show the payment')
  // Payments of other systems are none of ours.
  if (attemptOf(payment.body) === null) return { outcome: 'read', notifications: [] }
  return { outcome: 'read', notifications: await tell(payment, link) }
}

async function tell(payment: Payment, link: Link): Promise<readonly Notification[]> {
  return [
    ...toAuthorization(payment),
    ...(await actsOf('capture', payment, link)),
    ...(await actsOf('refund', payment, link)),
    ...(await chargebacksOf(payment, link)),
  ]
}

function toAuthorization(payment: Payment): readonly Outcome[] {
  const { id: reference, status, body } = payment
  const attemptId = attemptOf(body)
  const approved = { outcome: 'approved', reference, facts: factsOf(payment) } as const
  const isHeld = typeof body['authorizedAt'] === 'string'
  switch (PAYMENT_STATUSES[status]) {
    case 'approved':
      return [{ about: 'authorization', reference, attemptId, answer: approved }]
    case 'authorized':
      return isAutomatic(body) ? [] : [{ about: 'authorization', reference, attemptId, answer: approved }]
    case 'approval_required':
    case 'pending':
      return []
    default:
      // What was authorized and is canceled was released.
      return isHeld
        ? status === 'canceled'
          ? [{ about: 'void', reference, answer: approved }]
          : []
        : [{ about: 'authorization', reference, attemptId, answer: refusalOf(payment) }]
  }
}

/** Those with our mark. Others are made by people or by other systems. */
async function actsOf(name: Act, payment: Payment, link: Link): Promise<readonly Outcome[]> {
  const { list } = ACTS[name]
  const items = await listOf(list, payment, link)
  // Once it is paid, nothing is held any more.
  const isHeld = payment.status === 'authorized'
  const read = (shown: Json) =>
    isHeld ? withoutRest(name, { shown, payment: payment.id }, link) : readAct(name, shown)
  const outcomes: Outcome[] = []
  for (const item of items) {
    const attemptId = attemptOf(item)
    const answer = await read(item)
    if (attemptId === null || answer.outcome === 'unknown' || answer.outcome === 'pending') continue
    outcomes.push({ about: name, reference: String(item['id']), attemptId, answer })
  }
  return outcomes
}

async function chargebacksOf(payment: Payment, link: Link): Promise<readonly Notification[]> {
  const items = await listOf('chargebacks', payment, link)
  return items.flatMap((item): Notification[] => {
    const { id, reason, createdAt, reversedAt } = item
    const money = fromMollie(item['amount'])
    const postedAt = momentIn(createdAt)
    if (!isId('chb', id) || !money || !postedAt)
      throw new Error('Mollie shows a chargeback that we cannot read')
    const { code, description } = isObject(reason) ? reason : {}
    const told = {
      reference: payment.id,
      attemptId: attemptOf(payment.body),
      dispute: id,
      amount: Math.abs(money.amount),
      currency: money.currency,
      code: typeof code === 'string' ? code : null,
      reason: typeof description === 'string' ? description : null,
    }
    const back = momentIn(reversedAt)
    return [
      { about: 'chargeback', id, ...told, postedAt },
      ...(back
        ? [{ about: 'chargeback_reversal' as const, id: `${id}-reversed`, ...told, postedAt: back }]
        : []),
    ]
  })
}

/** The links of a payment say which lists it has. */
async function listOf(
  list: 'captures' | 'refunds' | 'chargebacks',
  { id, body }: Payment,
  link: Link,
): Promise<readonly Json[]> {
  const { _links: links } = body
  if (!isObject(links) || !isObject(links[list])) return []
  const reply = await send(link, { path: `payments/${id}/${list}?limit=250` })
  const embedded = reply.kind === 'answer' ? reply.body['_embedded'] : null
  const items = isObject(embedded) ? embedded[list] : null
  if (!Array.isArray(items)) throw new Error(`Mollie did not show the ${list}`)
  return items.filter(isObject)
}

function rejected(message: string): Reading {
  return { outcome: 'rejected', message }
}
