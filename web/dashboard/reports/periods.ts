/** Times that each file works out again. A file of a schedule is about the day, week or month that is over. */
export const PLACEHOLDERS = [
  { value: 'day', label: 'The day', start: 'day_start', end: 'day_end' },
  { value: 'week', label: 'The week', start: 'week_start', end: 'week_end' },
  { value: 'month', label: 'The month', start: 'month_start', end: 'month_end' },
] as const

/** The week or month before the one that `now` is in, in the zone of the person. Weeks begin on Monday. */
export function pastRange(which: 'last-week' | 'last-month', now: Date): { start: string; end: string } {
  const [year, month] = [now.getFullYear(), now.getMonth()]
  const monday = now.getDate() - ((now.getDay() + 6) % 7)
  const [start, end] =
    which === 'last-month'
      ? [new Date(year, month - 1, 1), new Date(year, month, 1)]
      : [new Date(year, month, monday - 7), new Date(year, month, monday)]
  return { start: start.toISOString(), end: new Date(end.getTime() - 1).toISOString() }
}

/** The first moment of a day in the zone of the person, or the last one. */
export function boundOf(day: string, which: 'start' | 'end'): string {
  const first = new Date(`${day}T00:00:00`)
  if (which === 'start') return first.toISOString()
  first.setDate(first.getDate() + 1)
  return new Date(first.getTime() - 1).toISOString()
}
