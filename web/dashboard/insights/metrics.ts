import type { Schemas } from '../../api/schema.d.ts'
import { LOCALE } from '../parts/locale.ts'
import { decimalText, moneyText, shortMoneyText } from '../parts/values.tsx'

type Preset = Schemas['MetricsExplorerPreset']

/** What can be asked, as people say it. */
export type Measure = {
  readonly id: string
  readonly label: string
  readonly source: Preset['source']
  readonly metric: Preset['metric']
  /** One sentence: what counts. */
  readonly says: string
}

export const MEASURES: readonly Measure[] = [
  {
    id: 'payments',
    label: 'Payments',
    source: 'authorization',
    metric: 'transactions',
    says: 'Approved, declined and failed payments.',
  },
  {
    id: 'volume',
    label: 'Volume',
    source: 'authorization',
    metric: 'volume',
    says: 'Requested amount of approved, declined and failed payments, in one currency. The filter Approved narrows it.',
  },
  {
    id: 'approval',
    label: 'Approval rate',
    source: 'authorization',
    metric: 'auth_rate',
    says: 'Approved payments as a share of all approved, declined and failed payments.',
  },
  {
    id: 'authentication',
    label: '3-D Secure rate',
    source: 'authentication',
    metric: 'auth_rate',
    says: 'Share of 3-D Secure payments that were authenticated or attempted.',
  },
]

export function measureOf(id: string | undefined): Measure {
  return MEASURES.find((one) => one.id === id) ?? (MEASURES[0] as Measure)
}

export type Format = {
  readonly format: (value: number) => string
  readonly formatShort: (value: number) => string
  readonly plain?: (value: number) => string
  readonly top?: number
}

const COUNT = new Intl.NumberFormat(LOCALE)
const SHORT = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 1 })
const RATE = new Intl.NumberFormat(LOCALE, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
const WHOLE_RATE = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 0 })

/** How values of a metric are written. Amounts are of one currency. */
export function formatOf(metric: Measure['metric'], currency: string | undefined): Format {
  if (metric === 'auth_rate')
    return {
      format: rateText,
      formatShort: (value) => `${WHOLE_RATE.format(value * 100)} %`,
      top: 1,
    }
  if (metric === 'volume' && currency)
    return {
      format: (value) => moneyText(value, currency),
      formatShort: (value) => shortMoneyText(value, currency),
      plain: (value) => decimalText(value, currency),
    }
  return { format: countText, formatShort: (value) => SHORT.format(value) }
}

export function countText(value: number): string {
  return COUNT.format(value)
}

export function rateText(value: number): string {
  return `${RATE.format(value * 100)} %`
}

export type Change = { readonly text: string; readonly direction: 'up' | 'down' | 'same' }

/** The difference to an earlier value: in percent or, of a rate, in points. Undefined without something to compare with. */
export function changeOf(
  metric: Measure['metric'],
  now: number | null | undefined,
  before: number | null | undefined,
): Change | undefined {
  if (typeof now !== 'number' || typeof before !== 'number') return undefined
  if (metric !== 'auth_rate' && before === 0) return undefined
  const difference = metric === 'auth_rate' ? (now - before) * 100 : ((now - before) / before) * 100
  const size = RATE.format(Math.abs(difference))
  const unit = metric === 'auth_rate' ? 'points' : '%'
  if (size === RATE.format(0)) return { text: 'the same', direction: 'same' }
  return {
    text: `${difference > 0 ? '+' : '−'}${size} ${unit}`,
    direction: difference > 0 ? 'up' : 'down',
  }
}
