import {
  isExpired,
  parseExpiration,
  passesLuhn,
  schemeOf,
  securityCodeLengthsOf,
} from '../../server/src/domain/card.ts'
import type { CardScheme } from '../../server/src/domain/card-scheme.ts'

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

/** The digits of a text, also of one that was typed in Arabic, Persian or full-width digits. */
export function digitsOf(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replaceAll(/\D/g, '')
}

/** Without signs that are not seen, or that turn the order of others around. */
export function withoutControls(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
}

/** In the groups that are printed on the card. */
function formatNumber(text: string): string {
  const digits = digitsOf(text).slice(0, 19)
  const isShort = ['amex', 'uatp', 'diners-club'].includes(schemeOf(digits)) && digits.length <= 15
  const groups = isShort
    ? /^(\d{1,4})(\d{1,6})?(\d{1,5})?/
    : /^(\d{1,4})(\d{1,4})?(\d{1,4})?(\d{1,4})?(\d{1,3})?/
  return (groups.exec(digits) ?? []).slice(1).filter(Boolean).join(' ')
}

/** Month and year, also as browsers fill them in: `2030-12`, `12/2030`. */
function formatExpiration(text: string): string {
  const [, year, month] = /^\s*(\d{4})\D+(\d{1,2})\s*$/.exec(text) ?? []
  if (year !== undefined && month !== undefined) return formatExpiration(`${month}/${year}`)
  let digits = digitsOf(text)
  // A month from 2 to 9 is whole after its first digit, and so is one before a slash.
  if (/^[2-9]/.test(digits) || /^\s*\d\s*[/.-]/.test(text)) digits = `0${digits}`
  if (digits.length >= 6) digits = `${digits.slice(0, 2)}${digits.slice(4, 6)}`
  return digits.length > 2 ? `${digits.slice(0, 2)} / ${digits.slice(2, 4)}` : digits
}
