import { OneOf } from '#platform/http/schemas.ts'

const SORTS = ['last_used_at', 'usage_count', 'cit_last_used_at', 'cit_usage_count'] as const

export const SortBy = OneOf(SORTS, { description: 'Default: the newest stored first.' })
export const OrderBy = OneOf(['asc', 'desc'], {
  default: 'desc',
  description: 'The direction of `sort_by`.',
})

type Used = Readonly<Record<(typeof SORTS)[number], number | string | null>>
type Order = { readonly sort_by?: (typeof SORTS)[number]; readonly order_by: 'asc' | 'desc' }

/** Unused items come last in either direction. */
export function sortByUse<Item extends Used>(items: Item[], { sort_by, order_by }: Order): Item[] {
  if (!sort_by) return items
  const sign = order_by === 'asc' ? 1 : -1
  return items.toSorted((a, b) => {
    const [left, right] = [a[sort_by], b[sort_by]]
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    return left < right ? -sign : left > right ? sign : 0
  })
}
