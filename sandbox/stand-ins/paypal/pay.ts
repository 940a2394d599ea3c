import { type Authorization, type Capture, inventId, type Order } from './books.ts'
import { processorResponse } from './cards.ts'
import type { Desk } from './desk.ts'
import { feeOf, type Money } from './money.ts'
import { Problem } from './problem.ts'
import { vaultOnSuccess } from './store-source.ts'
import { viewAuthorization, viewCapture } from './views.ts'

/** Carries out an order whose buyer has agreed: reserves or takes the money, once. */
export function payOrder(desk: Desk, order: Order, key: string | null): void {
  const { source } = order
  if (!source) throw new Problem(422, 'ORDER_NOT_APPROVED')
  if (source.kind === 'paypal' && source.payer?.email.startsWith('declined')) {
    throw new Problem(422, order.intent === 'CAPTURE' ? 'INSTRUMENT_DECLINED' : 'PAYER_CANNOT_PAY')
  }
  refuseRepeatedInvoice(desk, order)
  const card = source.kind === 'card' ? processorResponse(source) : null
  const isApproved = card?.isApproved ?? true
  if (order.intent === 'AUTHORIZE') authorize(desk, order, { isApproved, response: card?.body ?? null })
  else {
    capture(desk, order, {
      authorization: null,
      amount: order.amount,
      isFinal: true,
      invoiceId: null,
      isApproved,
      response: card?.body ?? null,
    })
  }
  order.status = 'COMPLETED'
  if (isApproved) {
    vaultOnSuccess(desk, order)
    desk.books.note(key)
  }
}

function refuseRepeatedInvoice({ books, blocksRepeatedInvoices }: Desk, order: Order): void {
  const invoice = order.unit.invoice_id
  if (!blocksRepeatedInvoices || !invoice) return
  for (const other of books.orders.values()) {
    if (other === order || other.clientId !== order.clientId || other.unit.invoice_id !== invoice) continue
    const isPaid =
      other.authorizations.some((id) => books.authorizations.get(id)?.status !== 'DENIED') ||
      other.captures.some((id) => books.captures.get(id)?.status !== 'DECLINED')
    if (isPaid) throw new Problem(422, 'DUPLICATE_INVOICE_ID')
  }
}

type Decision = { readonly isApproved: boolean; readonly response: Record<string, unknown> | null }

function authorize(desk: Desk, order: Order, { isApproved, response }: Decision): void {
  const { books, events, url } = desk
  const now = books.now()
  const status = books.behaviour.authorizations === 'pending' ? 'PENDING' : 'CREATED'
  const authorization: Authorization = {
    id: inventId(),
    clientId: order.clientId,
    orderId: order.id,
    parentId: null,
    amount: order.amount,
    createdAt: now,
    updatedAt: now,
    status: isApproved ? status : 'DENIED',
    response,
    captures: [],
  }
  books.authorizations.set(authorization.id, authorization)
  order.authorizations.push(authorization.id)
  // Of a refusal, PayPal tells nothing but its answer.
  if (!isApproved) return
  events.tell(order.clientId, 'PAYMENT.AUTHORIZATION.CREATED', {
    type: 'authorization',
    body: viewAuthorization(books, url(), authorization),
  })
}

export type CaptureOf = Decision & {
  readonly authorization: Authorization | null
  readonly amount: Money
  readonly isFinal: boolean
  readonly invoiceId: string | null
}

export function capture(desk: Desk, order: Order, of: CaptureOf): Capture {
  const { books, events, url } = desk
  const now = books.now()
  const isECheck = order.source?.kind === 'paypal' && order.source.isECheck
  const isLater = isECheck || books.behaviour.captures === 'pending'
  const status = of.isApproved ? (isLater ? 'PENDING' : 'COMPLETED') : 'DECLINED'
  const made: Capture = {
    id: inventId(),
    clientId: order.clientId,
    orderId: order.id,
    authorizationId: of.authorization?.id ?? null,
    amount: of.amount,
    isFinal: of.isFinal,
    invoiceId: of.invoiceId,
    createdAt: now,
    updatedAt: now,
    status,
    reason: status === 'PENDING' ? (isECheck ? 'ECHECK' : 'PENDING_REVIEW') : null,
    response: of.response,
    refunds: [],
  }
  books.captures.set(made.id, made)
  order.captures.push(made.id)
  of.authorization?.captures.push(made.id)
  if (status === 'COMPLETED') book(desk, made)
  events.tell(order.clientId, `PAYMENT.CAPTURE.${status}`, {
    type: 'capture',
    body: viewCapture(books, url(), made),
  })
  return made
}

/** Writes a completed capture into the balance: T0006 is a payment through the checkout APIs. */
export function book({ books }: Desk, { id, orderId, clientId, amount, authorizationId }: Capture): void {
  const order = books.orders.get(orderId)
  const reference = authorizationId ?? orderId
  books.movements.push({
    id,
    clientId,
    code: 'T0006',
    referenceId: reference,
    referenceType: authorizationId ? 'TXN' : 'ODR',
    amount,
    gross: amount.hundredths,
    fee: -feeOf(amount).hundredths,
    invoiceId: order?.unit.invoice_id ?? null,
    customId: order?.unit.custom_id ?? null,
    at: books.now(),
  })
}
