import { inventId, type Json, type Order } from './books.ts'
import { needsBuyer } from './cards.ts'
import type { Asked, Desk } from './desk.ts'
import type { Answer } from './idempotency.ts'
import { type Money, readMoney } from './money.ts'
import { payOrder } from './pay.ts'
import { Problem } from './problem.ts'
import { readSource } from './store-source.ts'
import { viewOrder } from './views.ts'

const HOUR = 3_600_000
/** An order that is not approved in time is gone, and so is an approved one that is not carried out. See README.md. */
const UNAPPROVED_LIFE = 6 * HOUR
const APPROVED_LIFE = 3 * HOUR

type Made = { readonly first: Answer; readonly later: () => Answer }

export function createOrder(desk: Desk, { clientId, key, body }: Asked): Made {
  const { books, url } = desk
  const intent = body['intent']
  if (intent !== 'AUTHORIZE' && intent !== 'CAPTURE') {
    throw new Problem(400, intent === undefined ? 'MISSING_REQUIRED_PARAMETER' : 'INVALID_PARAMETER_VALUE', {
      field: '/intent',
    })
  }
  const { unit, amount } = readUnit(body['purchase_units'])
  const wire = body['payment_source'] as Json | undefined
  checkAddresses(unit, wire)
  const source = wire === undefined ? null : readSource(desk, clientId, wire, amount)
  const isPaidAtOnce = source !== null && (source.kind === 'card' || source.vaultId !== null)
  if (isPaidAtOnce && key === null) throw new Problem(400, 'PAYPAL_REQUEST_ID_REQUIRED')
  const order: Order = {
    id: inventId(),
    clientId,
    intent,
    unit,
    amount,
    createdAt: books.now(),
    status: 'CREATED',
    source,
    approvedAt: null,
    authorizations: [],
    captures: [],
  }
  const waits = source?.kind === 'card' && needsBuyer(source, (wire?.['card'] ?? {}) as Json)
  if (waits && source.returnUrl === null) throw new Problem(422, 'RETURN_URL_REQUIRED')
  if (isPaidAtOnce && !waits) payNew(desk, order, key)
  else if (source) order.status = 'PAYER_ACTION_REQUIRED'
  books.orders.set(order.id, order)
  const view = () => viewOrder(books, url(), order)
  // 201 for what is done; 200 for what waits for the buyer, and for every repetition.
  const status = order.status === 'PAYER_ACTION_REQUIRED' ? 200 : 201
  return { first: { status, body: view() }, later: () => ({ status: 200, body: view() }) }
}

/** An order that cannot be paid is not made. */
function payNew(desk: Desk, order: Order, key: string | null): void {
  const { orders } = desk.books
  orders.set(order.id, order)
  try {
    payOrder(desk, order, key)
  } catch (error) {
    orders.delete(order.id)
    throw error
  }
}

function readUnit(wire: unknown): { unit: Order['unit']; amount: Money } {
  const field = '/purchase_units'
  if (!Array.isArray(wire)) throw new Problem(400, 'MISSING_REQUIRED_PARAMETER', { field })
  if (wire.length === 0) throw new Problem(400, 'INVALID_ARRAY_MIN_ITEMS', { field })
  if (wire.length > 1) throw new Problem(400, 'INVALID_ARRAY_MAX_ITEMS', { field })
  const unit = wire[0] as Order['unit']
  for (const [name, limit] of Object.entries({
    custom_id: 127,
    invoice_id: 127,
    soft_descriptor: 22,
    description: 127,
  })) {
    const value = unit[name]
    const isWrong = typeof value !== 'string' || value === '' || value.length > limit
    if (value !== undefined && isWrong) {
      throw new Problem(400, 'INVALID_STRING_LENGTH', { field: `${field}/0/${name}` })
    }
  }
  // PayPal prints nothing else on a statement.
  if (/[^A-Za-z0-9 .*-]/.test(String(unit['soft_descriptor'] ?? ''))) {
    throw new Problem(400, 'INVALID_PARAMETER_SYNTAX', { field: `${field}/0/soft_descriptor` })
  }
  const amount = readMoney(unit['amount'], `${field}/0/amount`, 'orders')
  checkBreakdown(unit, amount)
  checkLevels(unit)
  return { unit, amount }
}

/** States are written as on a letter, e-mail addresses have a domain, and a delivery needs a whole address. */
function checkAddresses(unit: Json, wire: Json | undefined): void {
  const shipping = ((unit['shipping'] ?? {}) as Json)['address'] as Json | undefined
  if (shipping) checkDelivery(shipping)
  for (const [source, part] of Object.entries((wire ?? {}) as Record<string, Json>)) {
    if (hasCountryInState(part['billing_address'] as Json | undefined)) {
      throw new Problem(422, 'BILLING_ADDRESS_INVALID')
    }
    const email = part['email_address']
    if (email !== undefined && !(String(email).length <= 254 && EMAIL.test(String(email)))) {
      throw new Problem(400, 'INVALID_PARAMETER_SYNTAX', { field: `/payment_source/${source}/email_address` })
    }
    const preference = ((part['experience_context'] ?? {}) as Json)['shipping_preference']
    if (preference === 'SET_PROVIDED_ADDRESS' && !shipping) throw new Problem(422, 'SHIPPING_ADDRESS_INVALID')
  }
}

const EMAIL = /^[^@\s]+@[^@\s.]+(\.[^@\s.]+)+$/
const WITH_STATES = ['US', 'CA']

function checkDelivery(address: Json): void {
  const isWithState = WITH_STATES.includes(String(address['country_code']))
  const isWrong = hasCountryInState(address) || (isWithState && !address['admin_area_1'])
  if (isWrong || !address['address_line_1']) throw new Problem(422, 'SHIPPING_ADDRESS_INVALID')
  if (!address['admin_area_2']) throw new Problem(422, 'CITY_REQUIRED')
  if (isWithState && !address['postal_code']) throw new Problem(422, 'POSTAL_CODE_REQUIRED')
}

/** `US-CA` and not `CA`. */
function hasCountryInState(address: Json | undefined): boolean {
  return /^[A-Z]{2}-/.test(String(address?.['admin_area_1']))
}

/** Levels 2 and 3 of the card schemes: short codes, and at most a hundred lines. */
function checkLevels(unit: Json): void {
  const card = (((unit['supplementary_data'] ?? {}) as Json)['card'] ?? {}) as Record<string, Json>
  const at = '/purchase_units/0/supplementary_data/card'
  const lines = (card['level_3']?.['line_items'] ?? []) as Json[]
  if (lines.length > 100)
    throw new Problem(400, 'INVALID_ARRAY_MAX_ITEMS', { field: `${at}/level_3/line_items` })
  const codes = lines.flatMap(({ commodity_code, unit_of_measure }) => [commodity_code, unit_of_measure])
  const isWrong = (value: unknown, pattern: RegExp) => value !== undefined && !pattern.test(String(value))
  if (codes.some((code) => isWrong(code, /^[a-zA-Z0-9_'.-]{1,12}$/))) {
    throw new Problem(400, 'INVALID_PARAMETER_SYNTAX', { field: `${at}/level_3/line_items` })
  }
  if (isWrong(card['level_2']?.['invoice_id'], /^[\w.,":;!?-]{1,17}$/)) {
    throw new Problem(400, 'INVALID_PARAMETER_SYNTAX', { field: `${at}/level_2/invoice_id` })
  }
}

/** What the items cost must be what the breakdown says, and its parts the amount. */
function checkBreakdown(unit: Json, amount: Money): void {
  const breakdown = (unit['amount'] as Json)['breakdown'] as Json | undefined
  const items = (unit['items'] ?? []) as Json[]
  if (!breakdown) {
    if (items.length > 0) throw new Problem(422, 'ITEM_TOTAL_REQUIRED')
    return
  }
  const part = (name: string) => hundredthsOf(breakdown[name], amount.currency)
  const total =
    part('item_total') +
    part('tax_total') +
    part('shipping') +
    part('handling') +
    part('insurance') -
    part('discount') -
    part('shipping_discount')
  if (total !== amount.hundredths) throw new Problem(422, 'AMOUNT_MISMATCH')
  if (items.length === 0) return
  const sum = (name: string) =>
    items.reduce((all, item) => all + hundredthsOf(item[name], amount.currency) * Number(item['quantity']), 0)
  if (sum('unit_amount') !== part('item_total')) throw new Problem(422, 'ITEM_TOTAL_MISMATCH')
  const hasTax = items.some((item) => item['tax'] !== undefined)
  if (hasTax && sum('tax') !== part('tax_total')) throw new Problem(422, 'TAX_TOTAL_MISMATCH')
}

function hundredthsOf(wire: unknown, currency: string): number {
  if (wire === undefined) return 0
  if ((wire as Json)['currency_code'] !== currency) throw new Problem(422, 'MULTI_CURRENCY_ORDER')
  return Math.round(Number((wire as Json)['value']) * 100)
}

export function getOrder(desk: Desk, clientId: string, id: string): Answer {
  return { status: 200, body: viewOrder(desk.books, desk.url(), findOrder(desk, clientId, id)) }
}

/** `authorize` or `capture`, after the buyer's approval. */
export function completeOrder(desk: Desk, { clientId, key, body }: Asked, id: string, verb: string): Made {
  const order = findOrder(desk, clientId, id)
  if (order.status === 'COMPLETED') {
    throw new Problem(422, verb === 'capture' ? 'ORDER_ALREADY_CAPTURED' : 'ORDER_ALREADY_AUTHORIZED')
  }
  if (verb.toUpperCase() !== order.intent) throw new Problem(422, 'ACTION_DOES_NOT_MATCH_INTENT')
  const wire = body['payment_source'] as Json | undefined
  if (wire && order.source) throw new Problem(422, 'PAYMENT_SOURCE_MISMATCH')
  if (wire) order.source = readSource(desk, clientId, wire, order.amount)
  if (order.status === 'PAYER_ACTION_REQUIRED') {
    throw new Problem(422, order.source?.kind === 'card' ? 'PAYER_ACTION_REQUIRED' : 'ORDER_NOT_APPROVED')
  }
  if (order.status !== 'APPROVED' && !wire) throw new Problem(422, 'ORDER_NOT_APPROVED')
  payOrder(desk, order, key)
  const view = () => viewOrder(desk.books, desk.url(), order)
  return { first: { status: 201, body: view() }, later: () => ({ status: 200, body: view() }) }
}

export function findOrder({ books }: Desk, clientId: string, id: string): Order {
  const order = books.orders.get(id)
  if (!order || order.clientId !== clientId || isGone(order, books.now())) {
    throw new Problem(404, 'INVALID_RESOURCE_ID')
  }
  return order
}

export function isGone({ status, createdAt, approvedAt }: Order, now: Date): boolean {
  if (status === 'COMPLETED') return false
  const life = approvedAt ? APPROVED_LIFE : UNAPPROVED_LIFE
  return now.getTime() - (approvedAt ?? createdAt).getTime() > life
}
