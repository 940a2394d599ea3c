import { cut, withoutMarks } from '#connectors/contract/latin-letters.ts'
import type { AuthorizeOrder, Contact } from '#connectors/contract/orders.ts'
import { cannotExpress, wrong } from './answers.ts'
import { cardSource, tokenSource } from './card-source.ts'
import { nameOf, wholeAddressOf } from './contact.ts'
import { toWire, type WireMoney } from './currency.ts'
import { networkTokenSource } from './network-token-source.ts'
import { itemsOf, levelsOf } from './purchase.ts'
import { walletCredential } from './stored-credential.ts'
import { type OrderSettings, walletSource } from './wallet-source.ts'

/** The body of `POST /v2/checkout/orders`, or why there is none. Certain, because nothing was sent. */
export function orderBody(order: AuthorizeOrder, settings: OrderSettings) {
  const amount = toWire(order.amount, order.currency)
  if (!amount) return cannotExpress(order)
  if (order.amount === 0) return wrong('invalid_amount', 'PayPal takes no payment of nothing')
  const source = sourceOf(order, settings, amount)
  if ('outcome' in source) return source
  return {
    intent: INTENTS[order.intent],
    purchase_units: [unitOf(order, amount)],
    payment_source: source,
  }
}

const INTENTS = { authorize: 'AUTHORIZE', capture: 'CAPTURE' } as const

function sourceOf(order: AuthorizeOrder, settings: OrderSettings, amount: WireMoney) {
  const { instrument } = order
  if (instrument.kind === 'card') return cardSource(order, instrument)
  if (instrument.kind === 'network-token') return networkTokenSource(order, instrument, amount)
  if (instrument.kind === 'redirect') return walletSource(order, settings)
  if (instrument.kind !== 'provider-token') {
    return wrong('unsupported_payment_method', 'PayPal does not take this kind of payment method')
  }
  const vault_id = instrument.token.use(String)
  if (instrument.method === 'paypal') {
    return { paypal: { vault_id, ...walletCredential(order) } }
  }
  return tokenSource(order, vault_id, instrument.securityCode)
}

/** `invoice_id`: PayPal refuses to take the same invoice twice, if the account is set up so. */
function unitOf(order: AuthorizeOrder, amount: WireMoney) {
  const { details, shipping, attemptId, reconciliationId } = order
  const items = itemsOf(order)
  const levels = isByCard(order) ? levelsOf(order, items !== null) : null
  const descriptor = descriptorOf(details.statement_descriptor?.name ?? '')
  return {
    custom_id: attemptId,
    invoice_id: reconciliationId,
    amount: { ...amount, ...(items && { breakdown: items.breakdown }) },
    ...(items && { items: items.list }),
    ...(details.description && { description: cut(details.description, 127) }),
    ...(descriptor && { soft_descriptor: descriptor }),
    ...shippingOf(shipping),
    ...(levels && { supplementary_data: { card: levels } }),
  }
}

function isByCard({ instrument }: AuthorizeOrder): boolean {
  return instrument.kind === 'provider-token' ? instrument.method === 'card' : instrument.kind !== 'redirect'
}

/** PayPal takes 22 of these characters. Others are left out. */
function descriptorOf(name: string): string {
  return withoutMarks(name)
    .replace(/[^A-Za-z0-9 .*-]/g, '')
    .replace(/ {2,}/g, ' ')
    .trim()
    .slice(0, 22)
    .trim()
}

function shippingOf(shipping: Contact | null) {
  const address = wholeAddressOf(shipping)
  const name = nameOf(shipping)
  if (!address) return {}
  return { shipping: { type: 'SHIPPING' as const, ...(name && { name: { full_name: name } }), address } }
}
