import { schemeOf } from './card.ts'

/** The digits of a text, also of one that was typed in Arabic, Persian or full-width digits. */
export function digitsOf(text: string): string {
  return withOurDigits(text).replaceAll(/\D/g, '')
}

export function withOurDigits(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
}

/** In the groups that are printed on the card. */
export function formatNumber(text: string): string {
  const digits = digitsOf(text).slice(0, 19)
  const isShort = ['amex', 'uatp', 'diners-club'].includes(schemeOf(digits)) && digits.length <= 15
  const groups = isShort
    ? /^(\d{1,4})(\d{1,6})?(\d{1,5})?/
    : /^(\d{1,4})(\d{1,4})?(\d{1,4})?(\d{1,4})?(\d{1,3})?/
  return (groups.exec(digits) ?? []).slice(1).filter(Boolean).join(' ')
}

/** Month and year, also as browsers fill them in: `2030-12`, `12/2030`. */
export function formatExpiration(text: string): string {
  const [, year, month] = /^\s*(\d{4})\D+(\d{1,2})\s*$/.exec(text) ?? []
  if (year !== undefined && month !== undefined) return formatExpiration(`${month}/${year}`)
  let digits = digitsOf(text)
  // A month from 2 to 9 is whole after its first digit, and so is one before a slash.
  if (/^[2-9]/.test(digits) || /^\s*\d\s*[/.-]/.test(text)) digits = `0${digits}`
  if (digits.length >= 6) digits = `${digits.slice(0, 2)}${digits.slice(4, 6)}`
  return digits.length > 2 ? `${digits.slice(0, 2)} / ${digits.slice(2, 4)}` : digits
}
