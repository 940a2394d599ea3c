import {
  BANK_SCHEMES,
  type BankScheme,
  compact,
  hasIbanLength,
  isAbaOfBank,
  passesAbaCheck,
  passesIbanCheck,
} from '#domain/bank-account.ts'
import { type ErrorDetail, inBody } from '#platform/http/errors.ts'

export type TypedAccount = {
  readonly account_number?: string | undefined
  readonly routing_number?: string | null | undefined
  readonly is_tokenized?: boolean | undefined
}

/** The scheme that a request names or, as it may be left out, that its other fields tell. */
export function bankSchemeOf(given: object): BankScheme | undefined {
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
export function accountComplaints(scheme: BankScheme, typed: TypedAccount): ErrorDetail[] {
  const { account_number: account, routing_number: routing } = typed
  const checks = CHECKS[scheme]
  return [
    ...(account === undefined ? [] : checks.account(account)),
    ...(routing === undefined || routing === null ? [] : checks.routing(routing)),
    ...(typed.is_tokenized ? [tokenized()] : []),
  ]
}

type Check = (text: string) => ErrorDetail[]

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
