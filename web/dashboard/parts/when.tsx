import { useServiceNow } from '../api/service-time.ts'
import { dateFormat } from './locale.ts'

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
