import type { Scope } from '#platform/database/db.ts'
import { type ErrorDetail, errors, inBody } from '#platform/http/errors.ts'
import { type Sound, soundParts } from '#platform/http/validation.ts'
import { codeComplaints, payingCardComplaints } from '#resources/payment-methods/read-card.ts'
import * as paymentMethods from '#resources/payment-methods/store.ts'
import { complaintsIn } from '#resources/transactions/wire/variants.ts'
import { ownsCard } from './owns-card.ts'
import { type CheckoutSessionFields, EnterCard, EnterClickToPay, EnterStoredMethod } from './schemas.ts'
import type { StoredSession } from './store.ts'

const AT = '/payment_method'
const VARIANTS = { card: EnterCard, id: EnterStoredMethod, 'click-to-pay': EnterClickToPay } as const
type Kind = keyof typeof VARIANTS
type Given = CheckoutSessionFields['payment_method']
const CLICK_TO_PAY = ['merchant_transaction_id', 'src_correlation_id', 'src_dpa_id', 'src_cx_flow_id']

export type ReadMethod =
  | { readonly kind: 'card'; readonly body: EnterCard }
  | { readonly kind: 'id'; readonly body: EnterStoredMethod }
  | { readonly kind: 'click-to-pay'; readonly body: EnterClickToPay }

/** Everything that is wrong with the entered method, before anything is looked up. */
export function methodComplaints(given: Sound<Given> | undefined, now: Date): ErrorDetail[] {
  if (given === undefined) return []
  const kind = kindOf(given)
  if (kind === undefined) return [unknownMethod(given)]
  const shapes = complaintsIn(AT, VARIANTS[kind], given)
  if (kind !== 'card') return shapes
  const sound = (soundParts(given, shapes, AT) ?? {}) as Sound<EnterCard>
  return [...shapes, ...payingCardComplaints(sound, now, AT)]
}

/**
 * The entered method, by its kind. Refuses a stored card that is not the buyer's, or whose code does not fit.
 */
export async function readMethod(scope: Scope, session: StoredSession, given: Given): Promise<ReadMethod> {
  const read = { kind: kindOf(given), body: given } as ReadMethod
  if (read.kind !== 'id') return read
  const stored = await paymentMethods.find(scope, read.body.id)
  if (!stored?.scheme || !(await ownsCard(scope, session, stored))) {
    throw errors.invalid(inBody(`${AT}/id`, 'value_error.not_found', 'there is no such stored card'))
  }
  const complaints = codeComplaints(stored.scheme, read.body.security_code, AT)
  if (complaints.length > 0) throw errors.invalid(...complaints)
  return read
}

/** By its method or, as that may be left out, by its other fields. */
function kindOf(given: object): Kind | undefined {
  if ('method' in given) {
    return Object.hasOwn(VARIANTS, String(given.method)) ? (given.method as Kind) : undefined
  }
  if ('id' in given) return 'id'
  return CLICK_TO_PAY.some((name) => name in given) ? 'click-to-pay' : 'card'
}

function unknownMethod({ method }: { readonly method?: unknown }): ErrorDetail {
  if (typeof method !== 'string') return inBody(`${AT}/method`, 'type_error.string', 'must be text')
  const known = Object.keys(VARIANTS).join(', ')
  return inBody(`${AT}/method`, 'type_error.enum', `must be one of ${known}`)
}
