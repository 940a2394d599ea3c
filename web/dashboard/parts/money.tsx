import { minorUnitsOf } from '../../../server/src/domain/currency.ts'

/** An amount in minor units as people read it: a sign that no other currency has, and the digits that ISO 4217 says. */
export function moneyText(amount: number, currency: string): string {
  return textOf(amount, currency, 'symbol')
}

function textOf(amount: number, currency: string, sign: Sign): string {
  const digits = minorUnitsOf(currency)
  if (digits === undefined) return `${amount} minor units of ${currency}`
  return formatOf(currency, digits, sign).format(`${amount}E-${digits}` as `${number}`)
}

/** With the short sign of the currency, and its code: several share a sign. */
export function Money({ amount, currency }: { readonly amount: number; readonly currency: string }) {
  const text = textOf(amount, currency, 'narrowSymbol')
  return (
    <span className="money">
      {text}
      {!text.includes(currency) && <small> {currency}</small>}
    </span>
  )
}

/** About how much: $1.2K. For scales, where there is little room. */
export function shortMoneyText(amount: number, currency: string): string {
  const digits = minorUnitsOf(currency) ?? 0
  return new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    notation: 'compact',
    maximumFractionDigits: 1,
  }).format(amount / 10 ** digits)
}

/** The plain number, as a person types it and a spreadsheet reads it: `1299` of `USD` is `12.99`. */
export function decimalText(amount: number, currency: string): string {
  const digits = minorUnitsOf(currency) ?? 0
  const text = String(Math.abs(amount)).padStart(digits + 1, '0')
  const sign = amount < 0 ? '-' : ''
  return digits === 0 ? `${sign}${text}` : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/** Minor units of a typed amount. Undefined if it is no amount of the currency: nothing is rounded or guessed. */
export function readAmount(text: string, currency: string): number | undefined {
  const digits = minorUnitsOf(currency) ?? 0
  const [, whole = '', mark = '', part = ''] = /^(\d{1,12})(?:([.,])(\d{1,4}))?$/.exec(text.trim()) ?? []
  if (whole === '' || part.length > digits) return undefined
  // Before three digits, a comma may stand for thousands.
  if (mark === ',' && part.length === 3) return undefined
  const amount = Number(`${whole}${part.padEnd(digits, '0')}`)
  return Number.isSafeInteger(amount) ? amount : undefined
}

type Sign = 'symbol' | 'narrowSymbol'

const FORMATS = new Map<string, Intl.NumberFormat>()

function formatOf(currency: string, digits: number, sign: Sign): Intl.NumberFormat {
  const known = FORMATS.get(`${currency} ${sign}`)
  if (known) return known
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    currencyDisplay: sign,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  FORMATS.set(`${currency} ${sign}`, format)
  return format
}
