import { type Authorization, type Capture, inventId, type Refund } from './books.ts'
import type { Asked, Desk } from './desk.ts'
import type { Answer } from './idempotency.ts'
import { type Money, readMoney } from './money.ts'
import { capture } from './pay.ts'
import { Problem } from './problem.ts'
import { AUTHORIZATION_LIFE, HONOR_PERIOD, viewAuthorization, viewCapture, viewRefund } from './views.ts'

type Made = { readonly first: Answer; readonly later: () => Answer }

export function getAuthorization(desk: Desk, clientId: string, id: string): Answer {
  const found = findAuthorization(desk, clientId, id)
  return { status: 200, body: viewAuthorization(desk.books, desk.url(), found) }
}

export function getCapture(desk: Desk, clientId: string, id: string): Answer {
  const found = findCapture(desk, clientId, id)
  return { status: 200, body: viewCapture(desk.books, desk.url(), found) }
}

export function getRefund({ books, url }: Desk, clientId: string, id: string): Answer {
  const refund = books.refunds.get(id)
  if (refund?.clientId !== clientId) throw new Problem(404, 'INVALID_RESOURCE_ID')
  return { status: 200, body: viewRefund(books, url(), refund) }
}

export function captureAuthorization(desk: Desk, { clientId, key, body }: Asked, id: string): Made {
  const { books, url } = desk
  const authorization = findAuthorization(desk, clientId, id)
  const order = books.orders.get(authorization.orderId)
  if (!order) throw new Problem(404, 'INVALID_RESOURCE_ID')
  checkOpen(authorization, books.now())
  const rest = authorization.amount.hundredths - capturedOf(desk, authorization)
  const amount = body['amount']
    ? readMoney(body['amount'], '/amount', 'payments')
    : { ...authorization.amount, hundredths: rest }
  if (amount.currency !== authorization.amount.currency) {
    throw new Problem(422, 'AUTH_CAPTURE_CURRENCY_MISMATCH')
  }
  const captured = capturedOf(desk, authorization) + amount.hundredths
  if (captured > limitOf(authorization.amount)) throw new Problem(422, 'MAX_CAPTURE_AMOUNT_EXCEEDED')
  if (authorization.captures.length >= CAPTURES_MAX) throw new Problem(422, 'MAX_CAPTURE_COUNT_EXCEEDED')
  const isFinal = body['final_capture'] === true
  const made = capture(desk, order, {
    authorization,
    amount,
    isFinal,
    invoiceId: typeof body['invoice_id'] === 'string' ? body['invoice_id'] : null,
    isApproved: true,
    response: null,
  })
  const isAll = isFinal || captured >= authorization.amount.hundredths
  authorization.status = isAll ? 'CAPTURED' : 'PARTIALLY_CAPTURED'
  authorization.updatedAt = books.now()
  books.note(key)
  return views(() => viewCapture(books, url(), made))
}

/** "You can capture up to 115% of or $75 USD more than the original authorized amount", whichever is less. */
function limitOf({ hundredths }: Money): number {
  return Math.min(Math.floor(hundredths * 1.15), hundredths + 7_500)
}

const CAPTURES_MAX = 10

function capturedOf({ books }: Desk, { captures }: Authorization): number {
  return captures.reduce((sum, id) => {
    const { status, amount } = books.captures.get(id) ?? { status: 'FAILED', amount: { hundredths: 0 } }
    return status === 'DECLINED' || status === 'FAILED' ? sum : sum + amount.hundredths
  }, 0)
}

function checkOpen({ status, createdAt }: Authorization, now: Date): void {
  if (status === 'VOIDED') throw new Problem(422, 'AUTHORIZATION_VOIDED')
  if (status === 'CAPTURED') throw new Problem(422, 'AUTHORIZATION_ALREADY_CAPTURED')
  if (status === 'DENIED' || status === 'PENDING') throw new Problem(422, 'AUTHORIZATION_DENIED')
  if (now.getTime() - createdAt.getTime() > AUTHORIZATION_LIFE) {
    throw new Problem(422, 'AUTHORIZATION_EXPIRED')
  }
}

export function voidAuthorization(desk: Desk, { clientId, key }: Asked, id: string): Made {
  const { books, url, events } = desk
  const authorization = findAuthorization(desk, clientId, id)
  if (authorization.parentId) throw new Problem(422, 'CANNOT_BE_VOIDED')
  if (authorization.status === 'CAPTURED') throw new Problem(422, 'PREVIOUSLY_CAPTURED')
  if (authorization.status === 'VOIDED') throw new Problem(422, 'PREVIOUSLY_VOIDED')
  if (authorization.status === 'DENIED') throw new Problem(422, 'CANNOT_BE_VOIDED')
  // "You must void the original authorized payment": its reauthorization ends with it.
  const held = [...books.authorizations.values()].filter(({ parentId }) => parentId === id)
  for (const one of [authorization, ...held]) Object.assign(one, { status: 'VOIDED', updatedAt: books.now() })
  books.note(key)
  const view = () => viewAuthorization(books, url(), authorization)
  events.tell(clientId, 'PAYMENT.AUTHORIZATION.VOIDED', { type: 'authorization', body: view() })
  return { first: { status: 200, body: view() }, later: () => ({ status: 200, body: view() }) }
}

/** From the fourth day on, once per honor period, for the buyer's PayPal account only. */
export function reauthorize(desk: Desk, { clientId, key, body }: Asked, id: string): Made {
  const { books, url, events } = desk
  const authorization = findAuthorization(desk, clientId, id)
  const now = books.now()
  checkOpen(authorization, now)
  const order = books.orders.get(authorization.orderId)
  const isHonored = now.getTime() - authorization.createdAt.getTime() < HONOR_PERIOD
  if (isHonored || authorization.parentId || order?.source?.kind !== 'paypal') {
    throw new Problem(422, 'REAUTHORIZATION_NOT_SUPPORTED')
  }
  const amount = body['amount'] ? readMoney(body['amount'], '/amount', 'payments') : authorization.amount
  if (amount.currency !== authorization.amount.currency) throw new Problem(422, 'AUTH_CURRENCY_MISMATCH')
  const made: Authorization = {
    ...authorization,
    id: inventId(),
    parentId: authorization.id,
    amount,
    updatedAt: now,
    captures: [],
  }
  books.authorizations.set(made.id, made)
  order.authorizations.push(made.id)
  books.note(key)
  const view = () => viewAuthorization(books, url(), made)
  events.tell(clientId, 'PAYMENT.AUTHORIZATION.CREATED', { type: 'authorization', body: view() })
  return views(view)
}

/** "within 180 days": https://developer.paypal.com/docs/api/payments/v2/#captures_refund */
const REFUND_PERIOD = 180 * 24 * 3_600_000

export function refundCapture(desk: Desk, { clientId, key, body }: Asked, id: string): Made {
  const { books, url } = desk
  const captured = findCapture(desk, clientId, id)
  const left = leftOf(desk, captured)
  const amount = body['amount']
    ? readMoney(body['amount'], '/amount', 'payments')
    : { ...captured.amount, hundredths: left }
  checkRefund(desk, captured, amount)
  const made: Refund = {
    id: inventId(),
    clientId,
    captureId: id,
    amount,
    customId: textOrNull(body['custom_id']),
    invoiceId: textOrNull(body['invoice_id']),
    note: textOrNull(body['note_to_payer']),
    createdAt: books.now(),
    updatedAt: books.now(),
    status: books.behaviour.refunds === 'pending' ? 'PENDING' : 'COMPLETED',
  }
  books.refunds.set(made.id, made)
  captured.refunds.push(made.id)
  captured.status = amount.hundredths === left ? 'REFUNDED' : 'PARTIALLY_REFUNDED'
  if (made.status === 'COMPLETED') bookRefund(desk, made)
  books.note(key)
  return views(() => viewRefund(books, url(), made))
}

function checkRefund(desk: Desk, captured: Capture, { currency, hundredths }: Money): void {
  const { books } = desk
  const isDisputed = [...books.disputes.values()].some(
    ({ captureId, status }) => captureId === captured.id && status !== 'RESOLVED',
  )
  if (captured.status === 'PENDING') throw new Problem(422, 'PENDING_CAPTURE')
  if (captured.status === 'REFUNDED') throw new Problem(422, 'CAPTURE_FULLY_REFUNDED')
  if (captured.status === 'DECLINED' || captured.status === 'FAILED')
    throw new Problem(422, 'REFUND_NOT_ALLOWED')
  if (isDisputed) throw new Problem(422, 'TRANSACTION_DISPUTED')
  if (books.now().getTime() - captured.createdAt.getTime() > REFUND_PERIOD) {
    throw new Problem(422, 'REFUND_TIME_LIMIT_EXCEEDED')
  }
  if (currency !== captured.amount.currency) throw new Problem(422, 'REFUND_CAPTURE_CURRENCY_MISMATCH')
  if (hundredths > leftOf(desk, captured)) throw new Problem(422, 'REFUND_AMOUNT_EXCEEDED')
}

function leftOf({ books }: Desk, { amount, refunds }: Capture): number {
  return refunds.reduce((left, id) => {
    const refund = books.refunds.get(id)
    const isOver = refund?.status === 'FAILED' || refund?.status === 'CANCELLED'
    return refund && !isOver ? left - refund.amount.hundredths : left
  }, amount.hundredths)
}

/** T1107 is a refund by the merchant. PayPal keeps the fee of the payment. The event carries the refund. */
export function bookRefund({ books, events, url }: Desk, refund: Refund): void {
  const order = books.orders.get(books.captures.get(refund.captureId)?.orderId ?? '')
  books.movements.push({
    id: refund.id,
    clientId: refund.clientId,
    code: 'T1107',
    referenceId: refund.captureId,
    referenceType: 'TXN',
    amount: refund.amount,
    gross: -refund.amount.hundredths,
    fee: 0,
    invoiceId: refund.invoiceId ?? order?.unit.invoice_id ?? null,
    customId: refund.customId ?? order?.unit.custom_id ?? null,
    at: books.now(),
  })
  events.tell(refund.clientId, 'PAYMENT.CAPTURE.REFUNDED', {
    type: 'refund',
    body: viewRefund(books, url(), refund),
  })
}

/** Payments answer a repetition as they answered the first time. */
function views(view: () => Record<string, unknown>): Made {
  return { first: { status: 201, body: view() }, later: () => ({ status: 201, body: view() }) }
}

function findAuthorization({ books }: Desk, clientId: string, id: string): Authorization {
  const found = books.authorizations.get(id)
  if (found?.clientId !== clientId) throw new Problem(404, 'INVALID_RESOURCE_ID')
  return found
}

function findCapture({ books }: Desk, clientId: string, id: string): Capture {
  const found = books.captures.get(id)
  if (found?.clientId !== clientId) throw new Problem(404, 'INVALID_RESOURCE_ID')
  return found
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
