export type Period = { readonly from?: Date; readonly to?: Date }

const UNITS_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/**
 * `30m`, `24h`, `7d`, `today`, `yesterday`, days as `2026-11-01..2026-11-16`, or moments as ISO 8601 writes them. Days are those
 * of the person's zone.
 */
export function readPeriod(text: string, now: Date): Period | undefined {
  const [, count, unit] = /^(\d{1,4})([mhd])$/.exec(text) ?? []
  if (count && unit) return { from: new Date(now.getTime() - Number(count) * (UNITS_MS[unit] ?? 0)) }
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate())
  if (text === 'today') return { from: today }
  if (text === 'yesterday') {
    const before = new Date(today)
    before.setDate(before.getDate() - 1)
    return { from: before, to: new Date(today.getTime() - 1) }
  }
  const [first = '', last] = text.split('..')
  if (last === undefined) return undefined
  const from = dayOf(first) ?? momentOf(first)
  const to = endOf(last) ?? momentOf(last)
  return from || to ? { ...(from && { from }), ...(to && { to }) } : undefined
}

/** The whole of the last day is meant. */
function endOf(text: string): Date | undefined {
  const day = dayOf(text)
  day?.setDate(day.getDate() + 1)
  return day && new Date(day.getTime() - 1)
}

export function dayOf(text: string): Date | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return undefined
  const day = new Date(`${text}T00:00:00`)
  return Number.isNaN(day.getTime()) ? undefined : day
}

export function momentOf(text: string): Date | undefined {
  if (!/^\d{4}-\d\d-\d\dT[\d:.]{5,12}Z$/.test(text)) return undefined
  const moment = new Date(text)
  return Number.isNaN(moment.getTime()) ? undefined : moment
}
