import type { ReactNode } from 'react'
import { minorUnitsOf } from '../../../server/src/domain/currency.ts'
import { useServiceNow } from '../api/service-time.ts'
import { CopyButton, Icon, useCopy } from './controls.tsx'
import { DECIMAL_MARK, dateFormat, LOCALE } from './locale.ts'

const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'long' })
const SHORT = dateFormat({
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})
const WITH_YEAR = dateFormat({ year: 'numeric', month: 'short', day: 'numeric' })
const EXACT = dateFormat({
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
  hourCycle: 'h23',
})
const CLOCK = dateFormat({
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})

/** The zone of the browser: all times of the dashboard are in it, and days begin where its days do. */
export const ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

type Props = {
  readonly at: string
  /** The time is real also where the clock of the sandbox was moved, as those of sessions are. */
  readonly isReal?: boolean
}

/** A moment: how long ago if that is less than a day, else the date. The exact time with its zone is in the title. */
export function When({ at, isReal = false }: Props) {
  const serviceTime = useServiceNow()
  const now = isReal ? Date.now() : serviceTime
  return (
    <time dateTime={at} title={exactText(at)} className="number">
      {whenText(at, now)}
    </time>
  )
}

function whenText(at: string, now: number): string {
  const moment = new Date(at)
  const passed = now - moment.getTime()
  if (Math.abs(passed) < MINUTE_MS) return 'just now'
  if (Math.abs(passed) < HOUR_MS) return RELATIVE.format(-Math.trunc(passed / MINUTE_MS), 'minute')
  if (Math.abs(passed) < DAY_MS) return RELATIVE.format(-Math.trunc(passed / HOUR_MS), 'hour')
  return Math.abs(passed) < 300 * DAY_MS ? SHORT.format(moment) : WITH_YEAR.format(moment)
}

/** The day alone, with its year. */
export function dayText(at: string): string {
  return WITH_YEAR.format(new Date(at))
}

/** With seconds and the zone. */
export function exactText(at: string): string {
  return EXACT.format(new Date(at))
}

/** The time of day to the second. */
export function clockText(at: string): string {
  return CLOCK.format(new Date(at))
}

/** The time of day to the millisecond. */
export function exactClockText(at: string): string {
  return `${clockText(at)}.${String(new Date(at).getMilliseconds()).padStart(3, '0')}`
}

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

/**
 * `good`: it is done. `info`: it goes on, and a person may act. `wait`: the outcome is not known yet. `bad`: it was refused.
 * `mute`: it is over. What is unknown is `wait`, never `bad`.
 */
export type Tone = 'good' | 'info' | 'wait' | 'bad' | 'mute'

/** How something stands, for people. */
export type Mark = { readonly tone: Tone; readonly label: string }
export type Marks<Standing extends string> = Readonly<Record<Standing, Mark>>

/** The marks as options of a filter. */
export function optionsOf(marks: Readonly<Record<string, { readonly label: string }>>) {
  return Object.entries(marks).map(([value, { label }]) => ({ value, label }))
}

/** Each has a shape of its own, for those who do not see its colour. */
const SHAPES: Readonly<Record<Tone, string>> = {
  good: 'M3 6.3 5.2 8.5 9.2 3.8',
  info: 'M6 5.4v3.3M6 3.3v.1',
  wait: 'M6 3.2V6l1.9 1.2',
  bad: 'M3.6 3.6l4.8 4.8M8.4 3.6 3.6 8.4',
  mute: 'M3.3 6h5.4',
}

export function Status({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <span className={`status ${tone}`}>
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
        <path d={SHAPES[tone]} />
      </svg>
      {children}
    </span>
  )
}

/** The same for a mark. */
export function Marked({ of: { tone, label } }: { readonly of: Mark }) {
  return <Status tone={tone}>{label}</Status>
}

export type Fact = readonly [label: string, value: ReactNode]

/** Labels and values. What is not known is left out. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  const known = facts.filter(
    ([, value]) => value !== null && value !== undefined && value !== '' && value !== false,
  )
  return (
    <dl className="facts">
      {known.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** An id. A click copies it. `isShort` shows its beginning and end, for narrow places. */
export function Id({ value, isShort }: { readonly value: string; readonly isShort?: boolean }) {
  const { isCopied, copy } = useCopy(value)
  const shown = isShort && value.length > 16 ? `${value.slice(0, 8)}…${value.slice(-4)}` : value
  return (
    <button type="button" className="id" title={value} onClick={copy} aria-label={`Copy ${shown}`}>
      <span className="mono">{shown}</span>
      <Icon name={isCopied ? 'check' : 'copy'} />
      <span className="visually-hidden" role="status">
        {isCopied ? 'Copied' : ''}
      </span>
    </button>
  )
}

type JsonProps = {
  readonly value: unknown
  readonly openDepth?: number
  /** Tells it from others on the same page. */
  readonly label?: string
}

/** A value as a tree whose branches open and close, and as text to copy. */
export function Json({ value, openDepth = 1, label = 'JSON as a tree' }: JsonProps) {
  return (
    <div className="json">
      <CopyButton text={JSON.stringify(value, null, 2)} />
      {/* Long lines scroll, also by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by keyboard */}
      <section className="json-tree mono" tabIndex={0} aria-label={label}>
        <Branch value={value} depth={openDepth} />
      </section>
    </div>
  )
}

function Branch({
  name,
  value,
  depth,
}: {
  readonly name?: string
  readonly value: unknown
  readonly depth: number
}) {
  const label = name === undefined ? null : <span className="json-name">{name}: </span>
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) {
    const kind = value === null ? 'null' : typeof value
    return (
      <div>
        {label}
        <span className={`json-${kind}`}>{JSON.stringify(value)}</span>
      </div>
    )
  }
  const isList = Array.isArray(value)
  const entries = Object.entries(value)
  return (
    <details open={depth > 0}>
      <summary>
        {label}
        <span className="json-count">
          {isList ? '[' : '{'}
          {entries.length}
          {isList ? ']' : '}'}
        </span>
      </summary>
      <div className="json-inside">
        {entries.map(([key, one]) => (
          <Branch key={key} name={key} value={one} depth={depth - 1} />
        ))}
      </div>
    </details>
  )
}
