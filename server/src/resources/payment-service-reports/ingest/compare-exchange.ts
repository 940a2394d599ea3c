import { minorUnitsOf } from '#domain/currency.ts'
import type { StoredLine } from '../lines/columns.ts'

/** Providers round the rates that they tell. */
const TOLERANCE = 0.0001

type Exchanged = Pick<
  StoredLine,
  'amount' | 'currency' | 'original_amount' | 'original_currency' | 'exchange_rate'
>

/** Whether the amount is not what the rate makes of what the buyer paid, but for rounding. */
export function isOtherExchange(line: Exchanged): boolean {
  const { original_amount, original_currency, exchange_rate } = line
  if (original_amount === null || original_currency === null || exchange_rate === null) return false
  const [digits, originalDigits] = [minorUnitsOf(line.currency), minorUnitsOf(original_currency)]
  if (digits === undefined || originalDigits === undefined) return false
  const expected = Number(original_amount) * exchange_rate * 10 ** (digits - originalDigits)
  return Math.abs(Number(line.amount) - expected) > 1 + Math.abs(expected) * TOLERANCE
}
