import { Masked, type Vault } from '../../../../vault/client.ts'
import {
  binOf,
  type CardType,
  hasLengthOfScheme,
  isExpired,
  labelOf,
  parseExpiration,
  passesLuhn,
} from '../../domain/card.ts'
import type { Scope, Tx } from '../../platform/db.ts'
import { type ErrorDetail, errors, inBody } from '../../platform/errors.ts'
import type { CardFacts } from '../card-details/store.ts'
import type { CardFields } from './store.ts'

type Card = {
  readonly number: string
  readonly expirationDate: string
  readonly cardType?: CardType | null | undefined
}

/** Refuses what no card can be: a failed check digit, a month that is none, a date that has passed. */
export function checkCard({ number, expirationDate }: Card, now: Date): void {
  const details: ErrorDetail[] = []
  if (!passesLuhn(number)) {
    details.push(inBody('/number', 'value_error.luhn', 'the check digit does not fit the number'))
  } else if (!hasLengthOfScheme(number)) {
    details.push(
      inBody('/number', 'value_error.str.regex', 'the number has another length than cards of its scheme'),
    )
  }
  const expiration = parseExpiration(expirationDate)
  if (!expiration) {
    details.push(
      inBody('/expiration_date', 'value_error.str.regex', 'must be MM/YY with a month from 01 to 12'),
    )
  } else if (isExpired(expiration, now)) {
    details.push(inBody('/expiration_date', 'value_error.expired', 'the card has expired'))
  }
  if (details.length > 0) throw errors.invalid(...details)
}

/** Puts the number into the vault, and keeps what may be known of it. The facts are looked up outside, where they are cached. */
export async function sealCard(
  scope: Scope<Tx>,
  vault: Vault,
  card: Card,
  facts: CardFacts,
): Promise<CardFields> {
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
      vaultToken: await vault.store(scope.db, scope, 'number', number),
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
