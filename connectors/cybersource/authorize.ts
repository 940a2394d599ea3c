import type { AuthorizeAnswer, Facts, Link, Pending, Refused } from '#connectors/contract/connector.ts'
import type { AuthorizeOrder } from '#connectors/contract/orders.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { lost } from '#connectors/contract/requests.ts'
import { toMinor } from './currency.ts'
import { factsOf, findPayment, NOT_SHOWN } from './find.ts'
import { isRepetition } from './follow-ups.ts'
import { codeOfReason, STATUSES, UNDER_REVIEW } from './mapping.ts'
import { toPaymentRequest } from './payment-request.ts'
import { isId } from './reference.ts'
import { reverse } from './reverse.ts'
import { partOf, send, textOf, toRefusal, type Wire } from './wire.ts'

export async function authorize(order: AuthorizeOrder, link: Link): Promise<AuthorizeAnswer> {
  const body = toPaymentRequest(order, link)
  if ('outcome' in body) return body as Refused
  const reply = await send(link, '/pts/v2/payments', body)
  if (reply.kind === 'answer') return readPayment(reply.body, order, link)
  // It was sent before.
  if (isRepetition(reply))
    return (await findPayment({ attemptId: order.attemptId, order }, link)) ?? lost(NOT_SHOWN)
  return toRefusal(reply)
}

/** Strict: an answer that is only nearly right is unknown. */
async function readPayment(body: Wire, order: AuthorizeOrder, link: Link): Promise<AuthorizeAnswer> {
  const { id, meaning, reason } = readHead(body)
  const facts = factsOf(body)
  if (!isId(id) || meaning === undefined)
    return lost('CyberSource answered with something else than a payment')
  if (meaning === 'refused') return refused(codeOfReason(reason), facts, id)
  if (meaning === 'review' && (reason === UNDER_REVIEW || reason === null)) {
    return inReview(id, order, { facts, isHeld: body['status'] === 'AUTHORIZED_PENDING_REVIEW' })
  }
  const { amount, currency } = order
  const { authorizedAmount } = partOf(partOf(body, 'orderInformation'), 'amountDetails')
  const approved = authorizedAmount === undefined ? amount : toMinor(String(authorizedAmount), currency)
  if (meaning === 'approved' && approved === amount) return { outcome: 'approved', reference: id, facts }
  const isPart = approved !== null && approved > 0 && approved < amount
  if (meaning === 'partial' && isPart && order.isPartialAllowed) {
    return { outcome: 'approved', reference: id, amount: approved, facts }
  }
  if (meaning === 'approved') return lost('CyberSource approved another amount than asked for')
  // The issuer may hold the money for a payment that is over.
  await reverse({ attemptId: order.attemptId, id, amount: approved ?? amount, currency }, link)
  return refused(meaning === 'partial' ? 'insufficient_funds' : codeOfReason(reason), facts, id)
}

function readHead(body: Wire) {
  const status = textOf(body, 'status') ?? ''
  return {
    id: textOf(body, 'id'),
    meaning: Object.hasOwn(STATUSES, status) ? STATUSES[status as keyof typeof STATUSES] : undefined,
    reason: textOf(partOf(body, 'errorInformation'), 'reason'),
  }
}

/** A person decides about it. An authorization stands meanwhile, and can be captured; a capture in the same step is not done. */
function inReview(
  reference: string,
  { intent }: AuthorizeOrder,
  { facts, isHeld }: { readonly facts: Facts; readonly isHeld: boolean },
): AuthorizeAnswer | Pending {
  return { outcome: isHeld && intent === 'authorize' ? 'approved' : 'pending', reference, facts }
}
