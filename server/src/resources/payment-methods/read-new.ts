import {
  BANK_SCHEMES,
  type BankScheme,
  compact,
  hasIbanLength,
  isAbaOfBank,
  passesAbaCheck,
  passesIbanCheck,
} from '#domain/bank-account.ts'
import { REDIRECT_METHODS } from '#domain/payment-method.ts'
import { type ErrorDetail, inBody } from '#platform/http/errors.ts'
import type { Static } from '#platform/http/type.ts'
import { type Sound, soundParts } from '#platform/http/validation.ts'
import { namedTwice } from '#resources/buyers/find-named.ts'
import { unknownCodes } from '#resources/transactions/wire/check-codes.ts'
import { complaintsIn } from '#resources/transactions/wire/variants.ts'
import { type CreatePaymentMethod, NEW_METHODS, type NewMethodKind, type StoreCard } from './new-schemas.ts'
import { cardComplaints } from './read-card.ts'

const CHECKS: Readonly<Record<BankScheme, { readonly account: Check; readonly routing: Check }>> = {
  ach: {
    account: (text) => (/^\d{4,17}$/.test(text) ? [] : [wrongAccount('must be 4 to 17 digits')]),
    routing: abaComplaints,
  },
  bacs: {
    account: (text) =>
      /^\d{8}$/.test(text) ? [] : [wrongAccount('must be 8 digits; put zeros before a shorter number')],
    routing: (text) =>
      /^\d{6}$|^\d{2}([ -])\d{2}\1\d{2}$/.test(text)
        ? []
        : [wrongRouting('must be a sort code of 6 digits, such as 60-16-13')],
  },
  sepa: {
    account: ibanComplaints,
    routing: (text) =>
      /^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/.test(compact(text))
        ? []
        : [wrongRouting('must be a BIC of 8 or 11 letters and digits, such as COBADEFFXXX')],
  },
}

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

type TypedAccount = {
  readonly account_number?: string | undefined
  readonly routing_number?: string | null | undefined
  readonly is_tokenized?: boolean | undefined
}

/** The scheme that a request names or, as it may be left out, that its other fields tell. */
function bankSchemeOf(given: object): BankScheme | undefined {
  const { scheme, account_number } = given as { scheme?: unknown; account_number?: unknown }
  if (scheme !== undefined) {
    return typeof scheme === 'string' && Object.hasOwn(BANK_SCHEMES, scheme)
      ? (scheme as BankScheme)
      : undefined
  }
  if ('account_type' in given || 'is_tokenized' in given) return 'ach'
  // Only IBANs begin with letters.
  if (typeof account_number === 'string' && /^ *[a-z]{2}/i.test(account_number)) return 'sepa'
  return 'routing_number' in given ? 'bacs' : undefined
}

/** What no bank account of the scheme can have. The parts whose form is wrong are missing here. */
function accountComplaints(scheme: BankScheme, typed: TypedAccount): ErrorDetail[] {
  const { account_number: account, routing_number: routing } = typed
  const checks = CHECKS[scheme]
  return [
    ...(account === undefined ? [] : checks.account(account)),
    ...(routing === undefined || routing === null ? [] : checks.routing(routing)),
    ...(typed.is_tokenized ? [tokenized()] : []),
  ]
}

type Check = (text: string) => ErrorDetail[]

function abaComplaints(text: string): ErrorDetail[] {
  if (!/^\d{9}$/.test(text)) return [wrongRouting('must be 9 digits, such as 021000021')]
  if (!isAbaOfBank(text))
    return [wrongRouting('use a number that a bank has: its first two digits are of none')]
  if (passesAbaCheck(text)) return []
  const message = 'check the number for a typing mistake: its check digit is wrong'
  return [inBody('/routing_number', 'value_error.checksum', message)]
}

function ibanComplaints(text: string): ErrorDetail[] {
  const iban = compact(text)
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]+$/.test(iban) || !hasIbanLength(iban)) {
    const message = 'must be an IBAN of a SEPA country, in full, such as DE89 3704 0044 0532 0130 00'
    return [wrongAccount(message)]
  }
  if (passesIbanCheck(iban)) return []
  const message = 'check the IBAN for a typing mistake: its check digits are wrong'
  return [inBody('/account_number', 'value_error.checksum', message)]
}

function wrongAccount(message: string): ErrorDetail {
  return inBody('/account_number', 'value_error.str.regex', message)
}

function wrongRouting(message: string): ErrorDetail {
  return inBody('/routing_number', 'value_error.str.regex', message)
}

function tokenized(): ErrorDetail {
  const message = 'send the account number itself: a token in its place cannot be stored'
  return inBody('/is_tokenized', 'value_error.const', message)
}
