import {
  binOf,
  type CardType,
  isExpired,
  labelOf,
  parseExpiration,
  passesLuhn,
  schemeOf,
  securityCodeLengthsOf,
} from '#domain/card.ts'
import type { CardScheme } from '#domain/card-scheme.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import { type ErrorDetail, inBody } from '#platform/http/errors.ts'
import type { CardFacts } from '#resources/card-details/store.ts'
import { Masked, type Vault } from '#vault'
import type { CardFields } from './store.ts'

type Card = {
  readonly number: string
  readonly expirationDate: string
  readonly cardType?: CardType | null | undefined
  /** The payment method for which the number is sealed. Absent: the card is not stored, or not yet. */
  readonly paymentMethodId?: string | undefined
}

type Typed = {
  readonly number?: string | undefined
  readonly expiration_date?: string | null | undefined
  readonly security_code?: string | null | undefined
}

/** What no card can have: a wrong check digit, a 13th month, a past date. `at` is the pointer to the card. */
export function cardComplaints({ number, expiration_date }: Typed, now: Date, at = ''): ErrorDetail[] {
  const details: ErrorDetail[] = []
  if (number !== undefined && !passesLuhn(number)) {
    const message = 'check the number for a typing mistake: its check digit is wrong'
    details.push(inBody(`${at}/number`, 'value_error.luhn', message))
  }
  return [...details, ...expirationComplaints(expiration_date, now, at)]
}

/** The same for a card that is to pay, whose security code must fit, too. */
export function payingCardComplaints(typed: Typed, now: Date, at: string): ErrorDetail[] {
  const { number, security_code } = typed
  return [
    ...cardComplaints(typed, now, at),
    ...(number === undefined ? [] : codeComplaints(schemeOf(number), security_code, at)),
  ]
}

/** A network token expires as a card does. */
export function expirationComplaints(
  expirationDate: string | null | undefined,
  now: Date,
  at = '',
): ErrorDetail[] {
  if (!expirationDate) return []
  const expiration = parseExpiration(expirationDate)
  if (!expiration) {
    const message = 'must be MM/YY with a month from 01 to 12, such as 09/30'
    return [inBody(`${at}/expiration_date`, 'value_error.str.regex', message)]
  }
  if (!isExpired(expiration, now)) return []
  return [inBody(`${at}/expiration_date`, 'value_error.expired', 'use another card: this one has expired')]
}

/**
 * Security codes are not checked when a card is stored, because they are not used then. In a payment they
 * must fit.
 */
export function codeComplaints(
  scheme: CardScheme,
  code: string | null | undefined,
  at: string,
): ErrorDetail[] {
  const lengths = securityCodeLengthsOf(scheme)
  if (!code || lengths.includes(code.length)) return []
  const message = `must have ${lengths.join(' or ')} digits on cards of this scheme`
  return [inBody(`${at}/security_code`, 'value_error.str.regex', message)]
}

/**
 * Puts the number into the vault, and returns its visible part. The caller looks up the facts outside the
 * transaction, where they are cached.
 */
export async function sealCard(
  scope: Scope<Tx>,
  vault: Vault,
  card: Card,
  facts: CardFacts,
): Promise<CardFields> {
  const { paymentMethodId: owner } = card
  const number = new Masked(card.number)
  try {
    return {
      label: labelOf(card.number),
      scheme: facts.scheme,
      additionalSchemes: facts.additionalSchemes,
      expirationDate: card.expirationDate,
      expiresOn: expiresOn(card.expirationDate),
      fingerprint: await vault.fingerprint(scope.db, number),
      bin: binOf(card.number),
      cardType: card.cardType ?? facts.cardType,
      issuer: facts.issuer,
      country: facts.country,
      vaultToken: await vault.store(
        scope.db,
        scope,
        owner ? { name: 'number', owner } : 'entered-number',
        number,
      ),
    }
  } finally {
    number.clear()
  }
}

/** The first day after the card's last month. */
export function expiresOn(expirationDate: string): string {
  const expiration = parseExpiration(expirationDate)
  if (!expiration) throw new Error('an expiration date was not checked')
  return new Date(Date.UTC(expiration.year, expiration.month)).toISOString().slice(0, 10)
}
