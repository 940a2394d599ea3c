import {
  type Action,
  type Books,
  balancesOf,
  decisionOf,
  eventData,
  type Json,
  newId,
  type Payment,
  Refusal,
  type Reply,
} from './books.ts'
import { isObject } from './contract.ts'

/** Cards of Checkout.com's pages for tests, and what becomes of them. */
export const CARDS: Readonly<Record<string, string>> = {
  '4544249167673670': '20051',
  '4024007181869214': '20005',
}
/** Its bank wants the buyer authenticated. */
const ASKING_CARD = '4485040371536584'

/** POST /payments. The request has the shape of the contract. */
export function pay(books: Books, request: Json, key: string | null, origin: string): Reply {
  const source = isObject(request['source']) ? request['source'] : {}
  const card = source['type'] === 'id' ? books.stored.get(String(source['id'])) : source
  if (!card) throw new Refusal(422, ['card_not_found'])
  checkCard(card, books.now())
  checkMeaning(request, source)
  const payment = openPayment(books, request, { key, card })
  const wish = isObject(request['3ds']) ? request['3ds'] : {}
  const number = String(card['number'] ?? card['token'])
  const isAsked = wish['enabled'] === true && wish['cryptogram'] === undefined
  const isUpgraded = number === ASKING_CARD && wish['enabled'] !== true && wish['allow_upgrade'] !== false
  if (isAsked || isUpgraded) {
    payment.authentication = 'waiting'
    return { status: 202, body: pendingOf(payment, origin) }
  }
  const isRefusedWithout =
    number === ASKING_CARD && wish['enabled'] !== true && request['merchant_initiated'] !== true
  decide(books, payment, isRefusedWithout ? '20154' : (CARDS[number] ?? '10000'))
  return { status: 201, body: answerOf(books, payment, origin) }
}

export function checkCard(card: Json, now: Date): void {
  const number = String(card['number'] ?? card['token'])
  if (!isLuhn(number)) throw new Refusal(422, ['card_number_invalid'])
  const end = Date.UTC(Number(card['expiry_year']), Number(card['expiry_month']))
  if (end <= now.getTime()) throw new Refusal(422, ['card_expired'])
  const length = isAmex(number) ? 4 : 3
  if (card['cvv'] !== undefined && String(card['cvv']).length !== length)
    throw new Refusal(422, ['cvv_invalid'])
}

/** What the contract says in words. */
function checkMeaning(request: Json, source: Json): void {
  const { amount = 0, currency, payment_type, merchant_initiated, reference, previous_payment_id } = request
  const codes = [
    merchant_initiated === true && (payment_type ?? 'Regular') === 'Regular' && 'payment_type_invalid',
    isAmex(String(source['number'])) && String(reference ?? '').length > 30 && 'reference_invalid',
    WITH_THREE_DECIMALS.includes(String(currency)) && Number(amount) % 10 !== 0 && 'amount_invalid',
    source['type'] === 'network_token' &&
      !previous_payment_id &&
      !source['cryptogram'] &&
      'cryptogram_required',
    source['type'] === 'network_token' && !previous_payment_id && !source['eci'] && 'eci_required',
  ].filter((code) => code !== false && code !== '')
  if (codes.length > 0) throw new Refusal(422, codes as string[])
}

const WITH_THREE_DECIMALS = ['BHD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND']

function openPayment(
  books: Books,
  request: Json,
  { key, card }: { readonly key: string | null; readonly card: Json },
): Payment {
  const number = String(card['number'] ?? card['token'])
  const asked = isObject(request['source']) ? request['source'] : {}
  const payment: Payment = {
    id: newId('pay'),
    request,
    key,
    amount: Number(request['amount'] ?? 0),
    currency: String(request['currency']),
    isEstimated: request['authorization_type'] === 'Estimated',
    status: 'Pending',
    approved: false,
    requestedOn: books.now().toISOString(),
    authentication: null,
    actions: [],
    source: {
      type: asked['type'] === 'network_token' ? 'network_token' : 'card',
      expiry_month: card['expiry_month'],
      expiry_year: card['expiry_year'],
      scheme: isAmex(number) ? 'AMERICAN EXPRESS' : number.startsWith('4') ? 'VISA' : 'MASTERCARD',
      last4: number.slice(-4),
      bin: number.slice(0, 6),
      fingerprint: Buffer.from(number).toString('hex').toUpperCase(),
      ...(asked['billing_address'] !== undefined && {
        billing_address: asked['billing_address'],
        avs_check: 'S',
      }),
      ...(asked['cvv'] !== undefined && { cvv_check: 'Y' }),
      ...(asked['type'] === 'network_token' && {
        payment_account_reference: 'EUNIX9AX7THOOJIEJ2AP6OOFAHGH4',
      }),
    },
  }
  books.payments.set(payment.id, payment)
  return payment
}

/** The bank decides. */
export function decide(books: Books, payment: Payment, expected: string): void {
  const next = books.next.shift() ?? expected
  const wish = isObject(payment.request['partial_authorization'])
    ? payment.request['partial_authorization']
    : {}
  const code = next === '10010' && wish['enabled'] !== true ? '20051' : next
  const approved = code.startsWith('10')
  const { request, key } = payment
  const isCheck = payment.amount === 0
  // A part of it, if the shop takes that.
  if (code === '10010') payment.amount = Math.floor(payment.amount / 2)
  const action: Action = {
    id: newId('act'),
    type: isCheck ? 'Card Verification' : 'Authorization',
    amount: payment.amount,
    approved,
    response_code: code,
    processed_on: books.now().toISOString(),
    reference: typeof request['reference'] === 'string' ? request['reference'] : null,
    metadata: isObject(request['metadata']) ? request['metadata'] : {},
    ...(!isCheck && { authorization_type: payment.isEstimated ? 'Estimated' : 'Final' }),
  }
  payment.actions.push(action)
  payment.approved = approved
  payment.status = approved ? (isCheck ? 'Card Verified' : 'Authorized') : 'Declined'
  const name = isCheck
    ? `card_${approved ? 'verified' : 'verification_declined'}`
    : `payment_${approved ? 'approved' : 'declined'}`
  books.tell(name, { ...eventData(payment, action), source: payment.source })
  if (!approved) return
  store(books, payment)
  books.movements.push({ kind: action.type, key, amount: payment.amount, payment: payment.id })
  if (request['capture'] !== false && !isCheck) {
    payment.actions.push({ ...action, id: newId('act'), type: 'Capture', approved: null })
  }
}

function store(books: Books, payment: Payment): void {
  const source = isObject(payment.request['source']) ? payment.request['source'] : {}
  if (source['store_for_future_use'] !== true || source['type'] !== 'card') return
  const { cvv: _never, ...card } = source
  const id = newId('src')
  books.stored.set(id, card)
  Object.assign(payment.source, { id })
}

function answerOf(books: Books, payment: Payment, origin: string): Json {
  const [decision] = payment.actions
  const { id, amount, currency, approved, status, request, source } = payment
  return {
    id,
    action_id: decision?.id,
    amount,
    currency,
    approved,
    status,
    ...decisionOf(decision?.response_code ?? ''),
    ...(approved && { auth_code: '643381', scheme_id: '489341065491658', balances: balancesOf(payment) }),
    ...(amount !== request['amount'] &&
      request['amount'] !== undefined && { amount_requested: request['amount'] }),
    source,
    processed_on: books.now().toISOString(),
    ...(typeof request['reference'] === 'string' && { reference: request['reference'] }),
    processing: { retrieval_reference_number: '909913440644', partner_response_code: approved ? '00' : '51' },
    _links: linksOf(payment, origin),
  }
}

function pendingOf({ id, request }: Payment, origin: string): Json {
  return {
    id,
    status: 'Pending',
    ...(typeof request['reference'] === 'string' && { reference: request['reference'] }),
    '3ds': { downgraded: false, enrolled: 'Y' },
    _links: { self: { href: `${origin}/payments/${id}` }, redirect: { href: `${origin}/3ds/${id}` } },
  }
}

function linksOf({ id }: Payment, origin: string): Json {
  const self = `${origin}/payments/${id}`
  return { self: { href: self }, actions: { href: `${self}/actions` } }
}

/** GET /payments/{id} */
export function show(payment: Payment, origin: string): Json {
  const { id, amount, currency, approved, status, request, source, authentication } = payment
  const actions = payment.actions.filter((one) => one.approved !== null)
  return {
    id,
    requested_on: payment.requestedOn,
    source,
    amount,
    currency,
    payment_type: request['payment_type'] ?? 'Regular',
    ...(typeof request['reference'] === 'string' && { reference: request['reference'] }),
    approved,
    status,
    balances: balancesOf(payment),
    ...(authentication && {
      '3ds': {
        downgraded: false,
        enrolled: 'Y',
        ...(authentication !== 'waiting' && {
          authentication_response: authentication,
          challenged: true,
          version: '2.2.0',
          xid: 'b2a7c4f0-7f0c-4b6a-9b1c-2c1b8f6f8f10',
        }),
      },
    }),
    ...(authentication === 'Y' && { eci: '05' }),
    ...(approved && { scheme_id: '489341065491658' }),
    metadata: request['metadata'] ?? {},
    actions: actions.map((one) => ({ id: one.id, type: one.type, ...decisionOf(one.response_code) })),
    _links: {
      ...linksOf(payment, origin),
      ...(authentication === 'waiting' && { redirect: { href: `${origin}/3ds/${id}` } }),
    },
  }
}

/** The buyer's bank has answered on the page. */
export function authenticate(books: Books, payment: Payment, isApproved: boolean): void {
  if (payment.authentication !== 'waiting') return
  payment.authentication = isApproved ? 'Y' : 'N'
  decide(books, payment, isApproved ? '10000' : '20151')
}

export function isAmex(number: string): boolean {
  return /^3[47]/.test(number)
}

function isLuhn(number: string): boolean {
  if (!/^\d{12,19}$/.test(number)) return false
  const digits = [...number].reverse().map((digit, index) => Number(digit) * (index % 2 === 0 ? 1 : 2))
  return digits.reduce((sum, digit) => sum + (digit > 9 ? digit - 9 : digit), 0) % 10 === 0
}
