import { schemeOf } from '../../../domain/card.ts'
import type { Scope } from '../../../platform/db.ts'
import { type ErrorDetail, errors, inBody } from '../../../platform/errors.ts'
import * as buyers from '../../buyers/store.ts'
import { cardComplaints, codeComplaints } from '../../payment-methods/read-card.ts'
import * as paymentMethods from '../../payment-methods/store.ts'
import { complaintsIn } from '../../transactions/variants.ts'
import { type CheckoutSessionFields, EnterCard, EnterClickToPay, EnterStoredMethod } from './schemas.ts'
import type { StoredSession } from './store.ts'

const AT = '/payment_method'
const VARIANTS = { card: EnterCard, id: EnterStoredMethod, 'click-to-pay': EnterClickToPay } as const
type Kind = keyof typeof VARIANTS
const CLICK_TO_PAY = ['merchant_transaction_id', 'src_correlation_id', 'src_dpa_id', 'src_cx_flow_id']

export type ReadMethod =
  | { readonly kind: 'card'; readonly body: EnterCard }
  | { readonly kind: 'id'; readonly body: EnterStoredMethod }
  | { readonly kind: 'click-to-pay'; readonly body: EnterClickToPay }

/** What was entered, told apart and checked. Refuses what nobody could pay with, with everything that is wrong at once. */
export async function readMethod(
  scope: Scope,
  session: StoredSession,
  given: CheckoutSessionFields['payment_method'],
): Promise<ReadMethod> {
  const kind = kindOf(given)
  const misshapen = complaintsIn(AT, VARIANTS[kind], given)
  if (misshapen.length > 0) throw errors.invalid(...misshapen)
  const read = { kind, body: given } as ReadMethod
  const complaints = await complaintsAbout(scope, session, read)
  if (complaints.length > 0) throw errors.invalid(...complaints)
  return read
}

/** By its method or, as that may be left out, by what else it holds. */
function kindOf(given: object): Kind {
  if (!('method' in given)) {
    if ('id' in given) return 'id'
    return CLICK_TO_PAY.some((name) => name in given) ? 'click-to-pay' : 'card'
  }
  const { method } = given
  if (typeof method !== 'string')
    throw errors.invalid(inBody(`${AT}/method`, 'type_error.string', 'must be string'))
  if (Object.hasOwn(VARIANTS, method)) return method as Kind
  const known = Object.keys(VARIANTS).join(', ')
  throw errors.invalid(inBody(`${AT}/method`, 'type_error.enum', `must be one of ${known}`))
}

async function complaintsAbout(
  scope: Scope,
  session: StoredSession,
  { kind, body }: ReadMethod,
): Promise<ErrorDetail[]> {
  if (kind === 'click-to-pay') return []
  if (kind === 'card') {
    const card = { number: body.number, expirationDate: body.expiration_date }
    return [
      ...cardComplaints(card, scope.clock(), AT),
      ...codeComplaints(schemeOf(body.number), body.security_code, AT),
    ]
  }
  const stored = await paymentMethods.find(scope, body.id)
  if (!stored?.scheme || !(await isOfBuyer(scope, session, stored))) {
    return [inBody(`${AT}/id`, 'value_error.not_found', 'there is no such stored card')]
  }
  return codeComplaints(stored.scheme, body.security_code, AT)
}

/** To a page, there are no stored cards but those of the buyer for whom the shop made the session. */
async function isOfBuyer(
  scope: Scope,
  { buyer }: StoredSession,
  { buyer_id }: paymentMethods.StoredMethod,
): Promise<boolean> {
  const named = buyer?.external_identifier
  if (!named || buyer_id === null) return false
  return (await buyers.find(scope, buyer_id))?.external_identifier === named
}
