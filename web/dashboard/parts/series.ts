import { dateFormat } from './locale.ts'
/** A line of a chart. */
export type Series = {
  readonly label: string
  readonly tone: 'accent' | 'bad' | 'mute'
  /** One value for each time. Null: not known. */
  readonly values: readonly (number | null)[]
  /** Its own times, if they are not those of the chart: the period before. */
  readonly times?: readonly string[]
}

/** How far the times of a chart are apart. */
export type Step = 'minute' | 'hour' | 'day' | 'week' | 'month'

export type Drawing = {
  /** ISO times, in order. */
  readonly times: readonly string[]
  readonly step: Step
  readonly series: readonly Series[]
  /** How a value is written: 12, 88.5 %, $23.00. */
  readonly format: (value: number) => string
  /** The same for the scale, where there is little room. */
  readonly formatShort: (value: number) => string
  /** The same for a CSV file: the plain number. */
  readonly plain?: ((value: number) => string | number) | undefined
  /** The top of the scale, if it is always the same: 1 for a rate. */
  readonly top?: number | undefined
}

const DAY = { month: 'short', day: 'numeric' } as const
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

const ON_SCALE: Readonly<Record<Step, Intl.DateTimeFormat>> = {
  minute: dateFormat(CLOCK),
  hour: dateFormat(CLOCK),
  day: dateFormat(DAY),
  week: dateFormat(DAY),
  month: dateFormat({ month: 'short' }),
}

const IN_FULL: Readonly<Record<Step, Intl.DateTimeFormat>> = {
  minute: dateFormat({ ...DAY, ...CLOCK }),
  hour: dateFormat({ ...DAY, ...CLOCK }),
  day: dateFormat({ weekday: 'short', ...DAY }),
  week: dateFormat({ ...DAY, year: 'numeric' }),
  month: dateFormat({ month: 'long', year: 'numeric' }),
}

export function scaleText(at: Date, step: Step): string {
  return ON_SCALE[step].format(at)
}

/** The time of a value: an hour by its beginning, a week by its Monday. */
export function stepText(time: string, step: Step): string {
  const text = IN_FULL[step].format(new Date(time))
  return step === 'week' ? `Week of ${text}` : text
}

/** A value in words. What is not known has a dash. */
export function valueText(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? '–' : format(value)
}
