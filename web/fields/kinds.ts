import {
  isExpired,
  parseExpiration,
  passesLuhn,
  securityCodeLengthsOf,
} from '../../server/src/domain/card.ts'
import type { CardScheme } from '../../server/src/domain/card-scheme.ts'
import { digitsOf, formatExpiration, formatNumber } from '../../server/src/domain/typed-card.ts'

export type FieldType = 'number' | 'expiryDate' | 'securityCode' | 'postalCode'

/** What a field may know beyond its text. */
type Facts = {
  readonly scheme: CardScheme
  /** Allowed lengths of the security code, if the shop names them. */
  readonly lengths?: readonly number[] | undefined
  /** The form of a postal code, if the shop names it. */
  readonly pattern?: RegExp | undefined
  readonly now: Date
}

export type Kind = {
  readonly autocomplete: string
  readonly label: string
  readonly inputMode: string
  /** How the text is shown, cut to the length it may have. */
  readonly format: (text: string) => string
  /** How the text is sent. */
  readonly read: (text: string) => string
  readonly isValid: (text: string, facts: Facts) => boolean
}

export const KINDS: Readonly<Record<FieldType, Kind>> = {
  number: {
    autocomplete: 'cc-number',
    label: 'Card number',
    inputMode: 'numeric',
    format: formatNumber,
    read: digitsOf,
    isValid: (text) => /^\d{13,19}$/.test(digitsOf(text)) && passesLuhn(digitsOf(text)),
  },
  expiryDate: {
    autocomplete: 'cc-exp',
    label: 'Expiry date',
    inputMode: 'numeric',
    format: formatExpiration,
    read: withoutSpaces,
    isValid: (text, { now }) => {
      const expiration = parseExpiration(withoutSpaces(text))
      return expiration !== undefined && !isExpired(expiration, now)
    },
  },
  securityCode: {
    autocomplete: 'cc-csc',
    label: 'Security code',
    inputMode: 'numeric',
    format: (text) => digitsOf(text).slice(0, 4),
    read: digitsOf,
    isValid: (text, { scheme, lengths }) =>
      (lengths ?? securityCodeLengthsOf(scheme)).includes(digitsOf(text).length),
  },
  postalCode: {
    autocomplete: 'postal-code',
    label: 'Postal code',
    inputMode: 'text',
    format: (text) => withoutControls(text).slice(0, 50),
    read: (text) => text.trim(),
    isValid: (text, { pattern }) => (pattern ? pattern.test(text.trim()) : text.trim().length >= 3),
  },
}

function withoutSpaces(text: string): string {
  return text.replaceAll(' ', '')
}

/** Without signs that are not seen, or that turn the order of others around. */
export function withoutControls(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
}
