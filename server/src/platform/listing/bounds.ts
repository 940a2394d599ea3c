import { firstIdOf } from '#domain/ids.ts'
import { errors } from '../http/errors.ts'
import type { Slice } from './pagination.ts'

export const LOWEST = '00000000-0000-0000-0000-000000000000'
/** No row has this id: its version is not 7. */
export const HIGHEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** The ids from `from` up to, but without, `to`. An id begins with the time of its row, so this is also a span of time. */
export type Bounds = { readonly from: string; readonly to: string }

const EVERYTHING: Bounds = { from: LOWEST, to: HIGHEST }
export const NOTHING: Bounds = { from: HIGHEST, to: LOWEST }

type TimeFilters = {
  readonly created_at_gte?: string | undefined
  readonly created_at_lte?: string | undefined
  readonly updated_at_lte?: string | undefined
}

/**
 * A row that was last updated by a moment was also created by then, so `updated_at_lte` limits the ids, too.
 */
export function timeBounds(filters: TimeFilters): Bounds {
  const latest = (name: 'created_at_lte' | 'updated_at_lte'): Bounds => {
    const text = filters[name]
    return text === undefined ? EVERYTHING : { from: LOWEST, to: idAfter(lastMsOf(text, name)) }
  }
  const { created_at_gte } = filters
  const earliest =
    created_at_gte === undefined
      ? EVERYTHING
      : { from: firstIdOf(new Date(firstMsOf(created_at_gte, 'created_at_gte'))), to: HIGHEST }
  return intersect(earliest, latest('created_at_lte'), latest('updated_at_lte'))
}

export function only(id: string): Bounds {
  return { from: id, to: successor(id) }
}

/** The part of the list after the position of a page. */
export function beyond({ position }: Slice): Bounds {
  if (!position) return EVERYTHING
  const { go, id } = position
  if (go === 'older') return { from: LOWEST, to: id }
  return { from: go === 'newer' ? successor(id) : id, to: HIGHEST }
}

export function intersect(...all: readonly Bounds[]): Bounds {
  let { from, to } = EVERYTHING
  for (const bounds of all) {
    if (bounds.from > from) from = bounds.from
    if (bounds.to < to) to = bounds.to
  }
  return { from, to }
}

export function isEmpty({ from, to }: Bounds): boolean {
  return from >= to
}

export function isOne({ from, to }: Bounds): boolean {
  return from !== LOWEST && to !== HIGHEST && successor(from) === to
}

function idAfter(ms: number): string {
  return ms < 0 ? LOWEST : firstIdOf(new Date(ms + 1))
}

function successor(id: string): string {
  const hex = (BigInt(`0x${id.replaceAll('-', '')}`) + 1n).toString(16).padStart(32, '0')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** The first whole millisecond that is not before the moment. Stored times have no smaller parts. */
export function firstMsOf(text: string, name: string, location: 'query' | 'body' = 'query'): number {
  const ms = lastMsOf(text, name, location)
  return /[.]\d{3}\d*[1-9]/.test(text) ? ms + 1 : ms
}

/** The last whole millisecond that is not after the moment. */
export function lastMsOf(text: string, name: string, location: 'query' | 'body' = 'query'): number {
  // RFC 3339 allows a leap second, and ISO 8601 an offset of whole hours. JavaScript reads neither.
  const isLeap = /:60([.]|[Zz+-])/.test(text)
  const plain = text.replace(/:60(?=[.Zz+-])/, ':59').replace(/([+-]\d\d)$/, '$1:00')
  const ms = Date.parse(plain)
  if (!Number.isNaN(ms)) return isLeap ? ms + 1_000 : ms
  throw errors.invalid({
    location,
    pointer: `/${name}`,
    type: 'type_error.datetime',
    message: 'must be a date and time that exists',
  })
}
