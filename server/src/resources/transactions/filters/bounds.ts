import { errors } from '#platform/errors.ts'
import type { Slice } from '#platform/pagination.ts'
import { firstIdOf } from '../store.ts'
import type { TransactionFilters } from './schemas.ts'

export const LOWEST = '00000000-0000-0000-0000-000000000000'
/** No payment has it: its version is not 7. */
export const HIGHEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** The ids from `from` up to, but without, `to`. The id of a payment holds its time, so this is also a span of time. */
export type Bounds = { readonly from: string; readonly to: string }

const EVERYTHING: Bounds = { from: LOWEST, to: HIGHEST }

/** What was updated by a moment was created by then, so that `updated_at_lte` bounds the ids as well. */
export function timeBounds(
  filters: Pick<TransactionFilters, 'created_at_gte' | 'created_at_lte' | 'updated_at_lte'>,
): Bounds {
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

/** What is left of the list beyond the position of a page. */
export function beyond({ position }: Slice): Bounds {
  if (!position) return EVERYTHING
  const { go, id } = position
  if (go === 'older') return { from: LOWEST, to: id }
  return { from: go === 'newer' ? successor(id) : id, to: HIGHEST }
}

export function intersect(...all: readonly Bounds[]): Bounds {
  return {
    from:
      all
        .map(({ from }) => from)
        .toSorted()
        .at(-1) ?? LOWEST,
    to:
      all
        .map(({ to }) => to)
        .toSorted()
        .at(0) ?? HIGHEST,
  }
}

export function isEmpty({ from, to }: Bounds): boolean {
  return from >= to
}

export function isOne({ from, to }: Bounds): boolean {
  return successor(from) === to
}

/** The first whole millisecond that is not before the moment. The times of payments have no parts of it. */
export function firstMsOf(text: string, name: string, location: 'query' | 'body' = 'query'): number {
  const ms = lastMsOf(text, name, location)
  return /[.]\d{3}\d*[1-9]/.test(text) ? ms + 1 : ms
}

/** The last whole millisecond that is not after the moment. */
export function lastMsOf(text: string, name: string, location: 'query' | 'body' = 'query'): number {
  // Both are right by RFC 3339, and JavaScript reads neither: a leap second, and an offset of whole hours.
  const isLeap = /:60([.]|[Zz+-])/.test(text)
  const plain = text.replace(/:60(?=[.Zz+-])/, ':59').replace(/([+-]\d\d)$/, '$1:00')
  const ms = Date.parse(plain)
  if (!Number.isNaN(ms)) return isLeap ? ms + 1_000 : ms
  throw errors.invalid({
    location,
    pointer: `/${name}`,
    type: 'type_error.datetime',
    message: 'is not a moment that exists',
  })
}

function idAfter(ms: number): string {
  return ms < 0 ? LOWEST : firstIdOf(new Date(ms + 1))
}

function successor(id: string): string {
  const hex = (BigInt(`0x${id.replaceAll('-', '')}`) + 1n).toString(16).padStart(32, '0')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
