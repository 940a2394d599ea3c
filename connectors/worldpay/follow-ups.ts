import type { Answer, Link } from '#connectors/contract/connector.ts'
import type { CaptureOrder, RefundOrder, VoidOrder } from '#connectors/contract/orders.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { lost } from '#connectors/contract/requests.ts'
import { send, toRefusal } from './card-wire.ts'
import { type Act, findAct } from './find-payment.ts'
import { DUPLICATES } from './mapping.ts'
import { partsOf } from './reference.ts'

/**
 * Worldpay takes each of these with 202, and carries it out later. A capture of everything is a partial one, too: only these have a
 * reference of ours, by which their outcome is found.
 */
export function capture(order: CaptureOrder, link: Link): Promise<Answer> {
  return act(order, link, { act: 'settlement', path: 'payments/settlements/partials', hasValue: true })
}

export function refund(order: RefundOrder, link: Link): Promise<Answer> {
  return act(order, link, { act: 'refund', path: 'payments/settlements/refunds/partials', hasValue: true })
}

/** Also of the rest that captures left. */
export function release(order: VoidOrder, link: Link): Promise<Answer> {
  return act(order, link, {
    act: 'cancellation',
    path: 'payments/authorizations/cancellations',
    hasValue: false,
  })
}

type Acting = { readonly act: Act; readonly path: string; readonly hasValue: boolean }

async function act(order: VoidOrder, link: Link, acting: Acting): Promise<Answer> {
  const { attemptId: reference, amount, currency } = order
  const parts = partsOf(order.reference)
  if (!parts) return refused('unknown_service_resource')
  const body = { reference, ...(acting.hasValue && { value: { amount, currency } }) }
  const reply = await send(link, `${acting.path}/${parts.linkData}`, body)
  if (reply.kind === 'error' && DUPLICATES.includes(reply.name ?? '')) {
    const known = { act: acting.act, reference }
    return (await findAct(parts.paymentId, known, link)) ?? lost('Worldpay does not show the first request')
  }
  if (reply.kind !== 'answer') return toRefusal(reply)
  return reply.status === 202
    ? { outcome: 'pending', reference, facts: {} }
    : lost('Worldpay answered with something else than a receipt')
}
