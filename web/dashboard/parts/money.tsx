import { minorUnitsOf } from '../../../server/src/domain/currency.ts'
import { DECIMAL_MARK, LOCALE } from './locale.ts'

/** An amount in minor units as people read it: a sign that no other currency has, and the digits that ISO 4217 says. */
export function moneyText(amount: number, currency: string): string {
  const digits = minorUnitsOf(currency)
  if (digits === undefined) return `${amount} minor units of ${currency}`
  return formatOf(currency, digits).format(`${amount}E-${digits}` as `${number}`)
}

export function Money({ amount, currency }: { readonly amount: number; readonly currency: string }) {
  return <span className="money">{moneyText(amount, currency)}</span>
}

/** About how much: $1.2K. For scales, where there is little room. */
export function shortMoneyText(amount: number, currency: string): string {
  const digits = minorUnitsOf(currency) ?? 0
  return new Intl.NumberFormat(LOCALE, {
    style: 'currency',
    currency,
    notation: 'compact',
    maximumFractionDigits: 1,
  }).format(amount / 10 ** digits)
}

/** The plain number, as a spreadsheet reads it: `1299` of `USD` is `12.99`. */
export function decimalText(amount: number, currency: string): string {
  const digits = minorUnitsOf(currency) ?? 0
  const text = String(Math.abs(amount)).padStart(digits + 1, '0')
  const sign = amount < 0 ? '-' : ''
  return digits === 0 ? `${sign}${text}` : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/** The same as the person types it: `12,99` where a comma stands before the cents. */
export function typedText(amount: number, currency: string): string {
  return decimalText(amount, currency).replace('.', DECIMAL_MARK)
}

/** Minor units of a typed amount. Undefined if it is no amount of the currency: nothing is rounded or guessed. */
export function readAmount(text: string, currency: string, decimalMark = '.'): number | undefined {
  const digits = minorUnitsOf(currency) ?? 0
  const [, whole = '', mark = '', part = ''] = /^(\d{1,12})(?:([.,])(\d{1,4}))?$/.exec(text.trim()) ?? []
  if (whole === '' || part.length > digits) return undefined
  // Before three digits, the other mark may stand for thousands.
  if (mark !== decimalMark && part.length === 3) return undefined
  const amount = Number(`${whole}${part.padEnd(digits, '0')}`)
  return Number.isSafeInteger(amount) ? amount : undefined
}

const FORMATS = new Map<string, Intl.NumberFormat>()

function formatOf(currency: string, digits: number): Intl.NumberFormat {
  const known = FORMATS.get(currency)
  if (known) return known
  const format = new Intl.NumberFormat(LOCALE, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  FORMATS.set(currency, format)
  return format
}
