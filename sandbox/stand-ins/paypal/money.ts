import { Problem } from './problem.ts'

/** Amounts are strings with a point. Here they are hundredths, whatever the currency. */
export type Money = { readonly currency: string; readonly hundredths: number }

export type WireMoney = { readonly currency_code: string; readonly value: string }

/** https://developer.paypal.com/api/rest/reference/currency-codes/ */
const CURRENCIES = new Set(
  'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF ILS JPY MXN MYR NOK NZD PHP PLN SEK SGD THB TWD USD'.split(
    ' ',
  ),
)
const WITHOUT_DECIMALS = new Set(['HUF', 'JPY', 'TWD'])

/** Orders call a wrong number of decimals DECIMAL_PRECISION; Payments say DECIMALS_NOT_SUPPORTED of HUF, JPY, TWD. */
export function readMoney(wire: unknown, field: string, api: 'orders' | 'payments'): Money {
  const { currency_code: currency, value } = (wire ?? {}) as Partial<WireMoney>
  if (typeof currency !== 'string' || typeof value !== 'string') {
    throw new Problem(400, 'MISSING_REQUIRED_PARAMETER', { field })
  }
  const match = /^(-?)(\d{1,15})(?:\.(\d*))?$/.exec(value)
  if (!match) throw new Problem(400, 'INVALID_PARAMETER_SYNTAX', { field: `${field}/value` })
  if (!CURRENCIES.has(currency)) throw new Problem(422, 'INVALID_CURRENCY_CODE', { field })
  const [, sign, whole = '', decimals = ''] = match
  if (WITHOUT_DECIMALS.has(currency) && decimals !== '') {
    throw new Problem(422, api === 'orders' ? 'DECIMAL_PRECISION' : 'DECIMALS_NOT_SUPPORTED', { field })
  }
  if (decimals.length > 2) throw new Problem(422, 'DECIMAL_PRECISION', { field })
  const hundredths = Number(whole) * 100 + Number(decimals.padEnd(2, '0'))
  if (sign === '-' || hundredths === 0) throw new Problem(422, 'CANNOT_BE_ZERO_OR_NEGATIVE', { field })
  return { currency, hundredths }
}

export function writeMoney({ currency, hundredths }: Money): WireMoney {
  const sign = hundredths < 0 ? '-' : ''
  const units = Math.abs(hundredths)
  const decimals = WITHOUT_DECIMALS.has(currency) ? '' : `.${String(units % 100).padStart(2, '0')}`
  return { currency_code: currency, value: `${sign}${Math.floor(units / 100)}${decimals}` }
}

/** What PayPal keeps of a payment: an invented tariff of 3 % and 0.30, without decimals where there are none. */
export function feeOf({ currency, hundredths }: Money): Money {
  const fee = Math.round(hundredths * 0.03) + 30
  const rounded = WITHOUT_DECIMALS.has(currency) ? Math.round(fee / 100) * 100 : fee
  return { currency, hundredths: Math.min(rounded, hundredths) }
}
