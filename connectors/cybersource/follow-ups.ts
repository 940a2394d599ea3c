import type { Answer, Link } from '#connectors/contract/connector.ts'
import type { CaptureOrder, RefundOrder, VoidOrder } from '#connectors/contract/orders.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { lost, safe } from '#connectors/contract/requests.ts'
import { type FollowUp, findFollowUp, NOT_SHOWN } from './find.ts'
import { codeOfReason } from './mapping.ts'
import { isId, referenceOf } from './reference.ts'
import { amountOf } from './reverse.ts'
import { partOf, type Reply, send, textOf, toRefusal, type Wire } from './wire.ts'

/** CyberSource takes captures and refunds, and passes them on with the day’s others. */
export function capture(order: CaptureOrder, link: Link): Promise<Answer> {
  return act(order, link, {
    act: 'capture',
    path: `/pts/v2/payments/${order.reference}/captures`,
    body: orderOf(order),
    done: ['PENDING', 'TRANSMITTED'],
  })
}

/** Releases all that is held. */
export function release(order: VoidOrder, link: Link): Promise<Answer> {
  return act(order, link, {
    act: 'void',
    path: `/pts/v2/payments/${order.reference}/reversals`,
    body: { reversalInformation: { amountDetails: amountOf(order), reason: 'void' } },
    done: ['REVERSED'],
  })
}

/** Of a capture. A payment that was captured in one step is refunded by its own id. */
export async function refund(order: RefundOrder, link: Link): Promise<Answer> {
  const { captureReference: captured, reference } = order
  if (captured === null) {
    return refused('invalid_amount', { rawDescription: 'no single capture has as much left to refund' })
  }
  const resource = captured === reference ? 'payments' : 'captures'
  return act(order, link, {
    act: 'refund',
    path: `/pts/v2/${resource}/${captured}/refunds`,
    body: orderOf(order),
    done: ['PENDING', 'TRANSMITTED'],
  })
}

type Acting = {
  readonly act: FollowUp
  readonly path: string
  readonly body: Wire
  /** The `status` of what is done. */
  readonly done: readonly string[]
}

async function act(order: VoidOrder, link: Link, { act: name, path, body, done }: Acting): Promise<Answer> {
  const { attemptId, reconciliationId } = order
  // Ids become parts of addresses.
  if (!path.split('/').slice(1).every(isId)) return refused('unknown_service_resource')
  const own = {
    clientReferenceInformation: referenceOf(attemptId),
    processingInformation: { reconciliationId },
  }
  const reply = await send(link, path, { ...own, ...body })
  if (isRepetition(reply) || isReversed(reply, name)) {
    return (await findFollowUp({ act: name, attemptId }, link)) ?? lost(NOT_SHOWN)
  }
  if (reply.kind !== 'answer') return toRefusal(reply)
  const [id, status] = [textOf(reply.body, 'id'), textOf(reply.body, 'status') ?? '']
  if (!isId(id)) return lost('CyberSource answered without an id')
  if (done.includes(status)) return { outcome: 'approved', reference: id, facts: { rawCode: status } }
  const { reason, message } = partOf(reply.body, 'errorInformation')
  if (status !== 'DECLINED' && status !== 'INVALID_REQUEST')
    return lost('CyberSource answered a status that is new')
  const facts = { rawCode: safe(reason) ?? status, rawDescription: safe(message) }
  return refused(codeOfReason(typeof reason === 'string' ? reason : null), facts, id)
}

/**
 * A request was refused that may be a repetition: CyberSource takes a `transactionId` once in 180 days, and the `code` of an authorization
 * once in 15 minutes. It does not document what it answers to the first, so data that is wrong without a place may mean it.
 */
export function isRepetition(reply: Reply): reply is Extract<Reply, { kind: 'error' }> {
  if (reply.kind !== 'error' || reply.status !== 400) return false
  const { reason, places } = reply
  const isOfReference = places.every((place) => place.startsWith('clientReferenceInformation'))
  return reason === 'DUPLICATE_REQUEST' || (reason === 'INVALID_DATA' && isOfReference)
}

/** A payment is released once: the request that did so may have been this one. */
function isReversed(reply: Reply, name: FollowUp): boolean {
  return (
    name === 'void' &&
    reply.kind === 'error' &&
    (reply.reason === 'AUTH_ALREADY_REVERSED' || reply.reason === 'TRANSACTION_ALREADY_REVERSED_OR_SETTLED')
  )
}

function orderOf(order: VoidOrder): Wire {
  return { orderInformation: { amountDetails: amountOf(order) } }
}
