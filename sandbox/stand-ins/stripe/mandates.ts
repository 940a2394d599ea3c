import type { Books, Confirmation } from './books.ts'
import type { Acceptance, Intent, Mandate, PaymentMethod } from './objects.ts'
import { integerAt, type Params, type Shape, textAt, valueAt } from './params.ts'
import { invalid, missing } from './stripe-error.ts'

export const MANDATE_DATA = {
  customer_acceptance: {
    type: ['online', 'offline'],
    accepted_at: 'integer',
    online: { ip_address: 'text', user_agent: 'text' },
    offline: {},
  },
} as const satisfies Readonly<Record<string, Shape>>

/** Null if the request has none. One that was accepted online needs its proof. */
export function acceptanceOf(params: Params): Acceptance | null {
  const at = ['mandate_data', 'customer_acceptance'] as const
  if (valueAt(params, ...at) === undefined) return null
  const accepted_at = integerAt(params, ...at, 'accepted_at')
  const type = textAt(params, ...at, 'type')
  if (type === null) throw lacking('type')
  if (type === 'offline') return { type, accepted_at, offline: {} }
  const ip_address = textAt(params, ...at, 'online', 'ip_address')
  const user_agent = textAt(params, ...at, 'online', 'user_agent')
  if (ip_address === null) throw lacking('online][ip_address')
  if (user_agent === null) throw lacking('online][user_agent')
  return { type: 'online', accepted_at, online: { ip_address, user_agent } }
}

/** A debit without a mandate is refused. The future cannot have been accepted. */
export function makeMandate(
  books: Books,
  intent: Intent,
  method: PaymentMethod,
  { mandate: acceptance }: Confirmation,
): Mandate {
  if (acceptance === null) {
    throw invalid('parameter_missing', 'Missing required param: mandate_data.', 'mandate_data')
  }
  const { accepted_at } = acceptance
  if (accepted_at !== null && accepted_at > books.seconds()) {
    const param = 'mandate_data[customer_acceptance][accepted_at]'
    throw invalid('parameter_invalid_integer', 'The mandate cannot be accepted in the future.', param)
  }
  const isReusable = intent.setup_future_usage === 'off_session'
  const id = books.id('mandate')
  const mandate: Mandate = {
    id,
    object: 'mandate',
    customer_acceptance: { ...acceptance, accepted_at: accepted_at ?? books.seconds() },
    livemode: false,
    payment_method: method.id,
    payment_method_details: { type: method.type, [method.type]: detailsOf(method, id) },
    status: 'active',
    ...(isReusable
      ? { type: 'multi_use', multi_use: {} }
      : { type: 'single_use', single_use: { amount: intent.amount, currency: intent.currency } }),
  }
  books.mandates.set(id, mandate)
  return mandate
}

function detailsOf({ type }: PaymentMethod, id: string): object {
  if (type === 'bacs_debit') {
    const reference = id.slice('mandate_'.length, 'mandate_'.length + 8).toUpperCase()
    const url = `https://hooks.stripe.com/adapter/bacs_debit/file/${id}`
    return { network_status: 'accepted', reference, revocation_reason: null, url }
  }
  if (type !== 'sepa_debit') return {}
  const reference = id.slice('mandate_'.length, 'mandate_'.length + 16).toUpperCase()
  return { reference, url: `https://hooks.stripe.com/adapter/sepa_debit/file/${id}` }
}

export function findMandate(books: Books, id: string): Mandate {
  const found = books.mandates.get(id)
  if (!found) throw missing('mandate', id, 'mandate')
  return found
}

function lacking(name: string) {
  const param = `mandate_data[customer_acceptance][${name}]`
  return invalid('parameter_missing', `Missing required param: ${param}.`, param)
}
