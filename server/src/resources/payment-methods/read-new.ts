import type { Static } from 'typebox'
import { REDIRECT_METHODS } from '#domain/payment-method.ts'
import { type ErrorDetail, inBody } from '#platform/errors.ts'
import { type Sound, soundParts } from '#platform/meaning.ts'
import { namedTwice } from '#resources/buyers/find-named.ts'
import { unknownCodes } from '#resources/transactions/wire/check-codes.ts'
import { complaintsIn } from '#resources/transactions/wire/variants.ts'
import { type CreatePaymentMethod, NEW_METHODS, type NewMethodKind, type StoreCard } from './new-schemas.ts'
import { cardComplaints } from './read-card.ts'

/** A new payment method, by its shape. `body` is the checked input. */
export type NewMethod = {
  [Name in NewMethodKind]: { readonly kind: Name; readonly body: Static<(typeof NEW_METHODS)[Name]> }
}[NewMethodKind]

const REDIRECTS: ReadonlySet<string> = new Set(REDIRECT_METHODS)

/** Everything that is wrong with a new payment method, before anything is looked up. */
export function newMethodComplaints(given: object, now: Date): ErrorDetail[] {
  const kind = kindOf(given)
  if (kind === undefined) return [unknownMethod(given)]
  const shapes = complaintsIn('', NEW_METHODS[kind], given)
  const sound = (soundParts(given, shapes, '') ?? {}) as Sound<StoreCard> & {
    readonly country?: string
    readonly currency?: string
  }
  return [...shapes, ...meaningComplaints(kind, sound, now), ...namedTwice(sound)]
}

function meaningComplaints(
  kind: NewMethodKind,
  sound: Sound<StoreCard> & { readonly country?: string; readonly currency?: string },
  now: Date,
): ErrorDetail[] {
  switch (kind) {
    case 'card':
      return cardComplaints(sound, now)
    case 'redirect':
      return unknownCodes({ country: sound.country, currency: sound.currency })
    case 'checkout-session':
      return []
  }
}

/** Reads a new payment method. Call it only for what `newMethodComplaints` accepts. */
export function readNewMethod(given: CreatePaymentMethod): NewMethod {
  const kind = kindOf(given)
  if (!kind) throw new Error('a new payment method was read before it was checked')
  return { kind, body: given } as NewMethod
}

/** By its method or, as that may be left out, by its other fields. */
function kindOf(given: object): NewMethodKind | undefined {
  const { method } = given as { method?: unknown }
  if (method === undefined) return 'id' in given ? 'checkout-session' : 'card'
  if (typeof method !== 'string') return undefined
  if (method === 'card' || method === 'checkout-session') return method
  return REDIRECTS.has(method) ? 'redirect' : undefined
}

function unknownMethod({ method }: { readonly method?: unknown }): ErrorDetail {
  if (typeof method !== 'string') return inBody('/method', 'type_error.string', 'must be text')
  const known = ['card', 'checkout-session', ...REDIRECT_METHODS].join(', ')
  return inBody('/method', 'type_error.enum', `must be one of ${known}`)
}
