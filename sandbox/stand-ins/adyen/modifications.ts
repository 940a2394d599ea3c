import { checkAmount, textOf } from './check-request.ts'
import type { Asked, Desk } from './desk.ts'
import { type Reply, ServiceError } from './errors.ts'
import { type Modification, newPspReference } from './state.ts'

const KINDS: Readonly<Record<string, Modification['kind']>> = {
  captures: 'CAPTURE',
  cancels: 'CANCELLATION',
  refunds: 'REFUND',
  reversals: 'CANCEL_OR_REFUND',
  amountUpdates: 'AUTHORISATION_ADJUSTMENT',
}

const REFUND_REASONS = ['FRAUD', 'CUSTOMER REQUEST', 'RETURN', 'DUPLICATE', 'OTHER']

/** POST /payments/{pspReference}/captures and the like. Adyen answers that it has the request, never more. */
export function modify(desk: Desk, path: string, asked: Asked): Reply {
  const [, paymentPspReference = '', what = ''] = /^payments\/([^/]+)\/(\w+)$/.exec(path) ?? []
  const kind = KINDS[what]
  if (!kind) throw new ServiceError(404, '000', 'Not Found')
  const payment = desk.state.payments.get(decodeURIComponent(paymentPspReference))
  if (!payment) throw new ServiceError(422, '167', 'Original pspReference required for this operation')
  const { body, key } = asked
  const hasAmount = kind !== 'CANCELLATION' && kind !== 'CANCEL_OR_REFUND'
  const amount = hasAmount ? checkAmount(body['amount'], { mayBeZero: false }) : payment.amount
  const reason = body['merchantRefundReason']
  if (reason !== undefined && !REFUND_REASONS.includes(textOf(reason))) {
    throw new ServiceError(422, '702', 'The field merchantRefundReason has an unknown value')
  }
  const reference = textOf(body['reference']) || payment.reference
  const pspReference = newPspReference()
  payment.modifications.push({ pspReference, kind, reference, key, amount, status: 'received' })
  return {
    status: 201,
    body: {
      merchantAccount: desk.account.merchantAccount,
      paymentPspReference: payment.pspReference,
      pspReference,
      reference,
      status: 'received',
      ...(hasAmount && { amount }),
      ...(reason !== undefined && { merchantRefundReason: reason }),
      ...(body['capturePspReference'] !== undefined && { capturePspReference: body['capturePspReference'] }),
    },
  }
}
