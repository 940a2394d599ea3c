/** What one unit of a currency is worth in US dollars, in millionths, and how many decimals its minor unit has. */
const CURRENCIES: Readonly<Record<string, readonly [dollars: number, decimals: number]>> = {
  AUD: [650_000, 2],
  BRL: [185_000, 2],
  CAD: [730_000, 2],
  CHF: [1_130_000, 2],
  CZK: [43_000, 2],
  DKK: [145_000, 2],
  EUR: [1_080_000, 2],
  GBP: [1_270_000, 2],
  HKD: [128_000, 2],
  INR: [12_000, 2],
  JPY: [6_700, 0],
  KWD: [3_250_000, 3],
  MXN: [54_000, 2],
  NOK: [94_000, 2],
  NZD: [600_000, 2],
  PLN: [250_000, 2],
  SEK: [96_000, 2],
  SGD: [750_000, 2],
  USD: [1_000_000, 2],
  ZAR: [55_000, 2],
}

/** Decimal texts, as the database keeps them. */
export type Exchange = {
  /** Units of the one currency for one unit of the other. */
  readonly rate: string
  /** The same for minor units. */
  readonly factor: string
}

/** Null: the processor does not exchange them, or they are the same. */
export function exchangeOf(from: string, to: string): Exchange | null {
  const [source, target] = [CURRENCIES[from], CURRENCIES[to]]
  if (from === to || !source || !target) return null
  const rate = (source[0] / target[0]).toFixed(6)
  return { rate, factor: shift(rate, target[1] - source[1]) }
}

/** Half a minor unit and more becomes a whole one. Exact, whatever the amount. */
export function convert(amount: number, factor: string): number {
  const [whole = '0', decimals = ''] = factor.split('.')
  const divisor = 10n ** BigInt(decimals.length)
  const product = BigInt(Math.abs(amount)) * BigInt(whole + decimals)
  const rounded = Number((2n * product + divisor) / (2n * divisor))
  return amount < 0 ? -rounded : rounded
}

/** Moves the decimal point of a number with six decimals to the right. */
function shift(decimal: string, places: number): string {
  const digits = decimal.replace('.', '').padStart(12, '0')
  const point = digits.length - 6 + places
  return `${digits.slice(0, point).replace(/^0+(?=\d)/, '')}.${digits.slice(point)}`
}
