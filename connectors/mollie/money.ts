import { isObject, type Json } from './wire.ts'

/** Mollie counts these without decimals, and all others with two: https://docs.mollie.com/docs/multicurrency */
const WITHOUT_DECIMALS = ['ISK', 'JPY']

export function decimalsOf(currency: string): number {
  return WITHOUT_DECIMALS.includes(currency) ? 0 : 2
}

/** `{ currency: 'EUR', value: '12.99' }` */
export function toMollie(amount: number, currency: string): Json {
  const sign = amount < 0 ? '-' : ''
  const digits = String(Math.abs(amount))
  if (decimalsOf(currency) === 0) return { currency, value: `${sign}${digits}` }
  const whole = digits.padStart(3, '0')
  return { currency, value: `${sign}${whole.slice(0, -2)}.${whole.slice(-2)}` }
}

export type Money = { readonly amount: number; readonly currency: string }

/** Null if it is no amount as Mollie writes them. */
export function fromMollie(given: unknown): Money | null {
  const { currency, value } = isObject(given) ? given : {}
  if (typeof currency !== 'string' || typeof value !== 'string') return null
  const pattern = decimalsOf(currency) === 0 ? /^-?\d{1,13}$/ : /^-?\d{1,13}\.\d\d$/
  return pattern.test(value) ? { amount: Number(value.replace('.', '')), currency } : null
}
