import {
  type Act,
  type Body,
  type Books,
  isObject,
  newId,
  type Payment,
  Refusal,
  type Reply,
  readSum,
  type Sum,
} from './books.ts'
import { CURRENCIES, HELD, LATER } from './methods.ts'

const EXPIRES_MS = 15 * 60_000
const DESCRIPTION_MAX = 255

/** `POST /v2/payments` */
export function pay(books: Books, asked: Body, key: string | null): Payment {
  const sum = readSum(asked['amount'], 'amount')
  checkTexts(asked)
  checkMethod(asked, sum)
  const createdAt = books.now()
  const payment: Payment = {
    id: newId('tr'),
    key,
    asked,
    sum,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + EXPIRES_MS),
    status: 'open',
    failureReason: null,
    times: {},
    captures: [],
    refunds: [],
    chargebacks: [],
  }
  books.payments.set(payment.id, payment)
  return payment
}

function checkTexts({ description, redirectUrl, webhookUrl, metadata }: Body): void {
  if (typeof description !== 'string' || description === '')
    throw new Refusal(422, 'The description is missing', 'description')
  if (description.length > DESCRIPTION_MAX)
    throw new Refusal(422, 'The description is too long', 'description')
  if (typeof redirectUrl !== 'string' || !URL.canParse(redirectUrl))
    throw new Refusal(422, 'The redirect URL is invalid', 'redirectUrl')
  if (webhookUrl !== undefined && (typeof webhookUrl !== 'string' || !URL.canParse(webhookUrl)))
    throw new Refusal(422, 'The webhook URL is invalid', 'webhookUrl')
  if (JSON.stringify(metadata ?? null).length > 1024)
    throw new Refusal(422, 'The metadata is too long', 'metadata')
}

function checkMethod(asked: Body, sum: Sum): void {
  const { method, captureMode } = asked
  const known = typeof method === 'string' ? CURRENCIES[method] : undefined
  if (typeof method !== 'string' || !known) throw new Refusal(422, 'The payment method is invalid', 'method')
  if (!known.includes(sum.currency))
    throw new Refusal(422, 'The currency is not supported by the method', 'amount.currency')
  if (sum.minor < 1) throw new Refusal(422, 'The amount is lower than the minimum', 'amount')
  if (captureMode === 'manual' && !HELD.includes(method))
    throw new Refusal(422, 'The capture mode is not supported by the method', 'captureMode')
  if (method === 'alma' && !isObject(asked['billingAddress']))
    throw new Refusal(422, 'The billing address is missing', 'billingAddress')
  if (!LATER.includes(method)) return
  checkAddress(asked['billingAddress'], method === 'billie' ? [...NEEDED, 'organizationName'] : NEEDED)
  checkLines(asked['lines'], sum)
}

const NEEDED = ['givenName', 'familyName', 'email', 'streetAndNumber', 'postalCode', 'city', 'country']

function checkAddress(address: unknown, needed: readonly string[]): void {
  if (!isObject(address)) throw new Refusal(422, 'The billing address is missing', 'billingAddress')
  for (const name of needed) {
    if (typeof address[name] !== 'string' || address[name] === '')
      throw new Refusal(422, `The ${name} is missing`, `billingAddress.${name}`)
  }
  for (const name of ['givenName', 'familyName']) {
    if (!/^(?=.*\D).{2,}$/su.test(String(address[name])))
      throw new Refusal(422, `The ${name} is invalid`, `billingAddress.${name}`)
  }
  if (!/^\S+@\S+\.\S+$/.test(String(address['email'])))
    throw new Refusal(422, 'The email is invalid', 'billingAddress.email')
}

function checkLines(lines: unknown, whole: Sum): void {
  if (!Array.isArray(lines) || lines.length === 0) throw new Refusal(422, 'The lines are missing', 'lines')
  let sum = 0
  for (const [index, line] of lines.filter(isObject).entries()) {
    const at = (name: string) => `lines.${index}.${name}`
    const { quantity, description, discountAmount } = line
    if (typeof description !== 'string' || description === '')
      throw new Refusal(422, 'The description is missing', at('description'))
    if (!Number.isInteger(quantity) || Number(quantity) < 1)
      throw new Refusal(422, 'The quantity is invalid', at('quantity'))
    const unit = readSum(line['unitPrice'], at('unitPrice'))
    const total = readSum(line['totalAmount'], at('totalAmount'))
    const discount = discountAmount === undefined ? 0 : readSum(discountAmount, at('discountAmount')).minor
    if ([unit, total].some(({ currency }) => currency !== whole.currency))
      throw new Refusal(422, 'The lines have another currency', at('totalAmount'))
    if (unit.minor * Number(quantity) - discount !== total.minor)
      throw new Refusal(422, 'The total of the line is wrong', at('totalAmount'))
    sum += total.minor
  }
  if (sum !== whole.minor) throw new Refusal(422, 'The lines do not add up to the amount', 'lines')
}

/** What the buyer decides on Mollie's page. Movements begin with an approval. */
export function decide(books: Books, payment: Payment, decision: string): void {
  if (payment.status !== 'open' && payment.status !== 'pending') return
  if (decision === 'pend') {
    payment.status = 'pending'
    return
  }
  if (decision === 'approve') {
    books.move('payment', payment, payment)
    const isHeld = payment.asked['captureMode'] === 'manual'
    books.end(payment, isHeld ? 'authorized' : 'paid', isHeld ? 'authorizedAt' : 'paidAt')
  } else if (decision === 'fail') {
    payment.failureReason = 'insufficient_funds'
    books.end(payment, 'failed', 'failedAt')
  } else if (decision === 'expire') {
    books.end(payment, 'expired', 'expiredAt')
  } else {
    books.end(payment, 'canceled', 'canceledAt')
  }
}

/** `DELETE /v2/payments/{id}` */
export function cancel(books: Books, payment: Payment, key: string | null): Payment {
  if (payment.status !== 'open') throw new Refusal(422, 'The payment cannot be canceled')
  books.move('cancel', payment, { key, sum: payment.sum })
  books.end(payment, 'canceled', 'canceledAt')
  return payment
}

const total = (acts: readonly Act[], ...without: readonly string[]) =>
  acts.filter(({ status }) => !without.includes(status)).reduce((sum, act) => sum + act.sum.minor, 0)

export const capturedOf = ({ captures }: Payment) => total(captures, 'failed')
export const refundedOf = ({ refunds }: Payment) => total(refunds, 'failed', 'canceled')

/** What can be refunded. */
export function remainingOf(payment: Payment): number {
  const isHeld = payment.asked['captureMode'] === 'manual'
  const isPaid = payment.status === 'paid' || payment.status === 'authorized'
  return (isPaid ? (isHeld ? capturedOf(payment) : payment.sum.minor) : 0) - refundedOf(payment)
}

/** `POST /v2/payments/{id}/captures` */
export function capture(books: Books, payment: Payment, { asked, key }: Asked): Act {
  const sum = sumOf(asked, payment)
  if (payment.status !== 'authorized') throw new Refusal(422, 'The payment is not authorized')
  if (sum.minor > payment.sum.minor - capturedOf(payment))
    throw new Refusal(422, 'The amount is higher than what is left', 'amount')
  const made = newAct('cpt', books, { asked, sum })
  payment.captures.push(made)
  books.move('capture', payment, { key, sum })
  return made
}

/** How long two refunds of the same amount look like one that was sent twice. */
const SUCCESSION_MS = 5_000

/** `POST /v2/payments/{id}/refunds` */
export function refund(books: Books, payment: Payment, { asked, key }: Asked): Act {
  const sum = sumOf(asked, payment)
  if (sum.minor > remainingOf(payment))
    throw new Refusal(422, 'The amount is higher than what is left', 'amount')
  const last = payment.refunds.at(-1)
  const age = books.now().getTime() - (last?.createdAt.getTime() ?? 0)
  if (last?.sum.minor === sum.minor && age < SUCCESSION_MS)
    throw new Refusal(409, 'A duplicate refund has been detected')
  const made = newAct('re', books, { asked, sum })
  payment.refunds.push(made)
  books.move('refund', payment, { key, sum })
  return made
}

type Asked = { readonly asked: Body; readonly key: string | null }

function sumOf(asked: Body, payment: Payment): Sum {
  const sum = readSum(asked['amount'], 'amount')
  if (sum.currency !== payment.sum.currency)
    throw new Refusal(422, 'The currency is not that of the payment', 'amount.currency')
  if (sum.minor < 1) throw new Refusal(422, 'The amount is lower than the minimum', 'amount')
  return sum
}

function newAct(prefix: string, books: Books, { asked, sum }: Pick<Act, 'asked' | 'sum'>): Act {
  return { id: newId(prefix), sum, asked, createdAt: books.now(), status: 'pending' }
}

/** `POST /v2/payments/{id}/release-authorization`: whoever asks next sees that it is done. */
export function release(books: Books, payment: Payment, key: string | null): Reply {
  if (payment.status !== 'authorized') throw new Refusal(422, 'The payment is not authorized')
  const captured = capturedOf(payment)
  books.move('release', payment, { key, sum: { ...payment.sum, minor: payment.sum.minor - captured } })
  if (captured > 0) books.end(payment, 'paid', 'paidAt')
  else books.end(payment, 'canceled', 'canceledAt')
  return { status: 202, body: null }
}

/** Captures and refunds that are open are carried out, or fail. */
export function finish(books: Books, isGood: boolean): void {
  for (const payment of books.payments.values()) {
    const open = [...payment.captures, ...payment.refunds].filter(({ status }) => status === 'pending')
    for (const act of open) {
      const isCapture = payment.captures.includes(act)
      act.status = isGood ? (isCapture ? 'succeeded' : 'refunded') : 'failed'
    }
    if (isGood && payment.status === 'authorized' && capturedOf(payment) === payment.sum.minor) {
      payment.status = 'paid'
      payment.times['paidAt'] = books.now()
    }
    if (open.length > 0) books.tell(payment)
  }
}

/** The buyer's bank takes the payment back, or gives it back after that. */
export function dispute(books: Books, payment: Payment, step: string): void {
  const last = payment.chargebacks.at(-1)
  if (step === 'chargeback')
    payment.chargebacks.push({ id: newId('chb'), createdAt: books.now(), reversedAt: null })
  else if (last) last.reversedAt = books.now()
  books.tell(payment)
}
