import {
  attemptIn,
  type BillingRequest,
  type Body,
  type Books,
  type Decision,
  found,
  isObject,
  type Mandate,
  newId,
  type Payment,
  type Refund,
  Refusal,
} from './books.ts'

/** The currency of each scheme of debits. */
export const DEBITS: Readonly<Record<string, string>> = {
  ach: 'USD',
  autogiro: 'SEK',
  bacs: 'GBP',
  becs: 'AUD',
  becs_nz: 'NZD',
  betalingsservice: 'DKK',
  pad: 'CAD',
  sepa_core: 'EUR',
}
/** The currencies of payments that the buyer makes at once, the first scheme of a currency where none is asked for. */
const INSTANT: Readonly<Record<string, string>> = {
  faster_payments: 'GBP',
  sepa_credit_transfer: 'EUR',
  sepa_instant_credit_transfer: 'EUR',
  pay_to: 'AUD',
}
const METADATA_MAX = 3

function checkMetadata({ metadata }: Body): void {
  if (metadata === undefined) return
  const entries = isObject(metadata) ? Object.entries(metadata) : []
  const isRight = entries.every(
    ([name, value]) => name.length <= 50 && typeof value === 'string' && value.length <= 500,
  )
  if (!isObject(metadata) || entries.length > METADATA_MAX || !isRight)
    throw new Refusal(422, 'invalid', 'metadata')
}

export function schemeOf({ scheme, currency }: Body, schemes: Readonly<Record<string, string>>): string {
  const known = Object.entries(schemes)
    .filter(([, money]) => money === currency)
    .map(([name]) => name)
  if (known.length === 0) throw new Refusal(422, 'invalid', 'currency')
  const chosen = scheme === undefined ? known[0] : known.find((one) => one === scheme)
  if (chosen === undefined) throw new Refusal(422, 'invalid', 'scheme')
  return chosen
}

function amountIn({ amount }: Body): number {
  if (!Number.isInteger(amount) || Number(amount) < 1) throw new Refusal(422, 'invalid', 'amount')
  return Number(amount)
}

/** `POST /billing_requests` */
export function request(books: Books, asked: Body): BillingRequest {
  const { mandate_request: mandate, payment_request: payment, purpose_code: purpose } = asked
  checkMetadata(asked)
  if (!isObject(mandate) && !isObject(payment)) throw new Refusal(422, 'required', 'mandate_request')
  if (isObject(mandate)) {
    checkMetadata(mandate)
    schemeOf(mandate, DEBITS)
  }
  if (isObject(payment)) {
    checkMetadata(payment)
    amountIn(payment)
    const isPayTo = schemeOf(payment, INSTANT) === 'pay_to'
    if (isPayTo && purpose === undefined) throw new Refusal(422, 'required', 'purpose_code')
    if (isPayTo && !payment['description']) throw new Refusal(422, 'required', 'description')
  }
  const made: BillingRequest = {
    id: newId('BRQ'),
    asked,
    createdAt: books.now(),
    status: 'pending',
    decision: null,
    mandate: null,
    payment: null,
  }
  books.requests.set(made.id, made)
  return made
}

/** The buyer decides on GoCardless's page. */
export function decide(books: Books, one: BillingRequest, decision: Decision): void {
  if (one.status !== 'pending') return
  const { mandate_request: mandate, payment_request: payment } = one.asked
  one.decision = decision
  if (decision === 'cancel') {
    endRequest(books, one)
    return
  }
  one.status = 'fulfilled'
  if (isObject(mandate)) one.mandate = makeMandate(books, one).id
  if (isObject(payment)) {
    const scheme = schemeOf(payment, INSTANT)
    const made = add(books, payment, { scheme, mandate: null, fate: decision, key: null })
    one.payment = made.id
  }
  books.tell('billing_requests', 'fulfilled', one)
}

/** Without an amount, the mandate is what the merchant asked for: debits follow when they like. */
function makeMandate(books: Books, request: BillingRequest): Mandate {
  const made: Mandate = { id: newId('MD'), request, createdAt: books.now(), status: 'active' }
  books.mandates.set(made.id, made)
  const { metadata } = request.asked
  if (!isObject(metadata) || metadata['amount'] === undefined)
    books.movements.push({
      kind: 'mandate',
      key: null,
      attempt: attemptIn(request.asked),
      of: made.id,
      amount: 0,
    })
  return made
}

/** `POST /mandates/{id}/actions/cancel` */
export function cancelMandate(books: Books, mandate: Mandate, key: string | null): Mandate {
  if (mandate.status !== 'active') throw new Refusal(422, 'mandate_is_inactive')
  books.movements.push({ kind: 'cancel', key, attempt: null, of: mandate.id, amount: 0 })
  mandate.status = 'cancelled'
  return mandate
}

function endRequest(books: Books, one: BillingRequest): void {
  one.status = 'cancelled'
  books.tell('billing_requests', 'cancelled', one)
}

/** `POST /billing_requests/{id}/actions/cancel` */
export function cancelRequest(books: Books, one: BillingRequest, key: string | null): BillingRequest {
  if (one.status !== 'pending') throw new Refusal(422, 'billing_request_not_cancellable')
  books.movements.push({ kind: 'cancel', key, attempt: null, of: one.id, amount: 0 })
  endRequest(books, one)
  return one
}

/** `POST /payments`, with a mandate. */
export function pay(books: Books, asked: Body, key: string | null): Payment {
  checkMetadata(asked)
  const { mandate } = isObject(asked['links']) ? asked['links'] : {}
  const held = books.mandates.get(String(mandate))
  if (!held) throw new Refusal(422, 'record_not_found', 'links.mandate')
  if (held.status !== 'active') throw new Refusal(422, 'mandate_is_inactive')
  const permitted = held.request
  const permission = permitted.asked['mandate_request'] as Body
  if (asked['currency'] !== permission['currency']) throw new Refusal(422, 'invalid', 'currency')
  amountIn(asked)
  const scheme = schemeOf(permission, DEBITS)
  return add(books, asked, { scheme, mandate: String(mandate), fate: permitted.decision ?? 'approve', key })
}

type Making = Pick<Payment, 'scheme' | 'mandate' | 'fate'> & { readonly key: string | null }

function add(books: Books, asked: Body, { scheme, mandate, fate, key }: Making): Payment {
  const made: Payment = {
    id: newId('PM'),
    asked,
    scheme,
    mandate,
    amount: amountIn(asked),
    currency: String(asked['currency']),
    createdAt: books.now(),
    fate,
    status: 'pending_submission',
  }
  books.payments.set(made.id, made)
  books.movements.push({ kind: 'payment', key, attempt: attemptIn(asked), of: made.id, amount: made.amount })
  books.tell('payments', 'created', made)
  return made
}

/** `POST /payments/{id}/actions/cancel` */
export function cancelPayment(books: Books, payment: Payment, key: string | null): Payment {
  if (payment.status !== 'pending_submission') throw new Refusal(422, 'cancellation_failed')
  books.movements.push({ kind: 'cancel', key, attempt: null, of: payment.id, amount: payment.amount })
  payment.status = 'cancelled'
  books.tell('payments', 'cancelled', payment, { origin: 'api', cause: 'payment_cancelled' })
  return payment
}

const BANK = { origin: 'bank', reason_code: 'AM04' }

/** What banks and time do to a payment. */
export function step(books: Books, payment: Payment, name: string): void {
  const { scheme, status } = payment
  const set = (to: string, action: string, details: Body = {}) => {
    payment.status = to
    books.tell('payments', action, payment, details)
  }
  const bank = { ...BANK, scheme }
  if (name === 'submit' && status === 'pending_submission') set('submitted', 'submitted')
  if (name === 'confirm') set('confirmed', 'confirmed', { origin: 'gocardless', cause: 'payment_confirmed' })
  if (name === 'fail')
    set('failed', 'failed', { ...bank, cause: 'insufficient_funds', will_attempt_retry: false })
  if (name === 'retry')
    set('pending_submission', 'failed', { ...bank, cause: 'insufficient_funds', will_attempt_retry: true })
  if (name === 'charge-back')
    set('charged_back', 'charged_back', { ...bank, reason_code: 'MD06', cause: 'refund_requested' })
  if (name === 'cancel-chargeback')
    set('confirmed', 'chargeback_cancelled', { ...bank, cause: 'payment_confirmed' })
}

/** Banks do what the buyer has chosen, and refunds arrive. */
export function finish(books: Books): void {
  for (const payment of books.payments.values()) {
    if (payment.status !== 'pending_submission' && payment.status !== 'submitted') continue
    if (payment.fate === 'refuse') step(books, payment, 'fail')
    else step(books, payment, 'confirm')
    if (payment.fate === 'return') step(books, payment, 'fail')
  }
  for (const refund of books.refunds.values()) {
    if (refund.status === 'submitted') stepRefund(books, refund, 'paid')
  }
}

export function stepRefund(books: Books, refund: Refund, name: 'paid' | 'bounced'): void {
  refund.status = name
  books.tell('refunds', name, refund, { origin: 'gocardless', cause: `refund_${name}` })
}

/** `POST /refunds`, of a payment. */
export function refund(books: Books, asked: Body, key: string | null): Refund {
  checkMetadata(asked)
  const { payment: id } = isObject(asked['links']) ? asked['links'] : {}
  const payment = found(books.payments, String(id))
  const amount = amountIn(asked)
  if (!['confirmed', 'paid_out'].includes(payment.status))
    throw new Refusal(422, 'refund_payment_invalid_state')
  const whole = books.refundedOf(payment) + amount
  if (whole > payment.amount) throw new Refusal(422, 'available_refund_amount_insufficient', 'amount')
  if (asked['total_amount_confirmation'] !== whole)
    throw new Refusal(422, 'total_amount_confirmation_invalid', 'total_amount_confirmation')
  const made: Refund = {
    id: newId('RF'),
    asked,
    payment,
    amount,
    createdAt: books.now(),
    status: 'submitted',
  }
  books.refunds.set(made.id, made)
  books.movements.push({ kind: 'refund', key, attempt: attemptIn(asked), of: made.id, amount })
  books.tell('refunds', 'created', made)
  return made
}
