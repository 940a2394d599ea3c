import type { Static } from 'typebox'
import { BANK_SCHEMES } from '#domain/bank-account.ts'
import { REDIRECT_METHODS } from '#domain/payment-method.ts'
import { type ErrorDetail, inBody } from '#platform/http/errors.ts'
import { type Sound, soundParts } from '#platform/http/meaning.ts'
import { namedTwice } from '#resources/buyers/find-named.ts'
import { unknownCodes } from '#resources/transactions/wire/check-codes.ts'
import { complaintsIn } from '#resources/transactions/wire/variants.ts'
import { type CreatePaymentMethod, NEW_METHODS, type NewMethodKind, type StoreCard } from './new-schemas.ts'
import { accountComplaints, bankSchemeOf, type TypedAccount } from './read-bank.ts'
import { cardComplaints } from './read-card.ts'

/** A new payment method, by its shape. `body` is the checked input. */
export type NewMethod = {
  [Name in NewMethodKind]: { readonly kind: Name; readonly body: Static<(typeof NEW_METHODS)[Name]> }
}[NewMethodKind]

const REDIRECTS: ReadonlySet<string> = new Set(REDIRECT_METHODS)

type Parts = Sound<StoreCard> & TypedAccount & { readonly country?: string; readonly currency?: string }

/** Everything that is wrong with a new payment method, before anything is looked up. */
export function newMethodComplaints(given: object, now: Date): ErrorDetail[] {
  const kind = kindOf(given)
  if (kind === undefined) return unknownMethod(given)
  const shapes = complaintsIn('', NEW_METHODS[kind], given)
  const sound = (soundParts(given, shapes, '') ?? {}) as Parts
  return [...shapes, ...meaningComplaints(kind, sound, now), ...namedTwice(sound)]
}

function meaningComplaints(kind: NewMethodKind, sound: Parts, now: Date): ErrorDetail[] {
  switch (kind) {
    case 'card':
      return cardComplaints(sound, now)
    case 'redirect':
      return unknownCodes({ country: sound.country, currency: sound.currency })
    case 'ach':
    case 'bacs':
    case 'sepa':
      return accountComplaints(kind, sound)
    case 'checkout-session':
    case 'plaid':
      return []
  }
}

/** Reads a new payment method. Call it only for what `newMethodComplaints` accepts. */
export function readNewMethod(given: CreatePaymentMethod): NewMethod {
  const kind = kindOf(given)
  if (!kind) throw new Error('a new payment method was read before it was checked')
  return { kind, body: given } as NewMethod
}

/** By its method. If that is missing, by its other fields, so that all mistakes are told at once. */
function kindOf(given: object): NewMethodKind | undefined {
  const { method } = given as { method?: unknown }
  if (method === undefined) return kindWithoutMethod(given)
  if (method === 'card' || method === 'checkout-session' || method === 'plaid') return method
  if (method === 'bank') return bankSchemeOf(given)
  return typeof method === 'string' && REDIRECTS.has(method) ? 'redirect' : undefined
}

function kindWithoutMethod(given: object): NewMethodKind | undefined {
  if (isBank(given)) return bankSchemeOf(given)
  if ('id' in given) return 'checkout-session'
  if ('country' in given || 'currency' in given) return 'redirect'
  return 'token' in given ? 'plaid' : 'card'
}

function isBank(given: object): boolean {
  return 'account_holder' in given || 'account_number' in given
}

function unknownMethod(given: { readonly method?: unknown; readonly scheme?: unknown }): ErrorDetail[] {
  const { method } = given
  if (method === 'bank') return [unknownScheme(given.scheme)]
  // Only a bank account without its method has no kind.
  if (method === undefined) {
    return [inBody('/method', 'value_error.missing', 'field required'), unknownScheme(given.scheme)]
  }
  if (typeof method !== 'string') return [inBody('/method', 'type_error.string', 'must be text')]
  const known = ['card', 'checkout-session', 'bank', 'plaid', ...REDIRECT_METHODS].join(', ')
  return [inBody('/method', 'type_error.enum', `must be one of ${known}`)]
}

function unknownScheme(scheme: unknown): ErrorDetail {
  const schemes = `one of ${Object.keys(BANK_SCHEMES).join(', ')}`
  if (scheme === undefined) return inBody('/scheme', 'value_error.missing', `field required: ${schemes}`)
  return inBody('/scheme', 'type_error.enum', `must be ${schemes}`)
}
