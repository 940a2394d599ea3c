import { createdAt, firstIdOf } from '#domain/ids.ts'

/** A month by UTC, such as 2026-01. */
export type Month = string

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/

export function isMonth(text: string): boolean {
  return MONTH.test(text)
}

/** When the month begins. */
export function beginningOf(month: Month): Date {
  return new Date(`${month}-01T00:00:00.000Z`)
}

/** The month in which a row was made, as its id tells. */
export function monthOfId(id: string): Month {
  return createdAt(id).toISOString().slice(0, 7)
}

/** Ids of rows made in the month are from `first` on, and below `end`. */
export function idsOf(month: Month): { readonly first: string; readonly end: string } {
  const begins = beginningOf(month)
  const ends = new Date(begins)
  ends.setUTCMonth(begins.getUTCMonth() + 1)
  return { first: firstIdOf(begins), end: firstIdOf(ends) }
}
