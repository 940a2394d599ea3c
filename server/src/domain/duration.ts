/** A length of time. Months differ in length, so they are counted apart. */
export type Duration = { readonly months: number; readonly ms: number }

const FORM =
  /^P(?=\d|T\d)(?:(\d{1,9})Y)?(?:(\d{1,9})M)?(?:(\d{1,9})W)?(?:(\d{1,9})D)?(?:T(?=\d)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?$/

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Reads an ISO 8601 duration of whole numbers, such as `P3D`, `PT90M` or `P1Y6M`. Undefined for other text. */
export function readDuration(text: string): Duration | undefined {
  const parts = FORM.exec(text)
  if (!parts) return undefined
  const [years, months, weeks, days, hours, minutes, seconds] = parts
    .slice(1)
    .map((digits) => Number(digits ?? 0)) as [number, number, number, number, number, number, number]
  return {
    months: years * 12 + months,
    ms: (weeks * 7 + days) * DAY_MS + hours * HOUR_MS + minutes * MINUTE_MS + seconds * SECOND_MS,
  }
}

/** The moment that is a duration after another, in UTC. Undefined beyond what a date can hold. */
export function after(moment: Date, { months, ms }: Duration): Date | undefined {
  return valid(new Date(inMonths(moment, months).getTime() + ms))
}

/** The moment that is a duration before another, in UTC. */
export function before(moment: Date, { months, ms }: Duration): Date | undefined {
  return valid(inMonths(new Date(moment.getTime() - ms), -months))
}

/** The same day of another month, or its last day: a month after 31 January is the end of February. */
function inMonths(moment: Date, months: number): Date {
  if (months === 0) return moment
  const moved = new Date(moment)
  moved.setUTCMonth(moved.getUTCMonth() + months)
  if (moved.getUTCDate() !== moment.getUTCDate()) moved.setUTCDate(0)
  return moved
}

function valid(moment: Date): Date | undefined {
  return Number.isNaN(moment.getTime()) ? undefined : moment
}
