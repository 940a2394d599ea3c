import { type Search, useAddress, valuesOf } from '../../address.ts'
import { Link } from '../link.tsx'
import { cleared } from './filter-bar.tsx'
import type { Filter } from './filters.ts'

/** A set of filters with a name. The one with none is the whole list. */
export type QuickView = { readonly label: string; readonly search: Search }

export function QuickViews({
  views,
  filters,
}: {
  readonly views: readonly QuickView[]
  readonly filters: readonly Filter[]
}) {
  const { search } = useAddress()
  const isShown = (view: QuickView) =>
    filters.every(({ id }) => {
      const wanted = valuesOf(view.search, id)
      const set = valuesOf(search, id)
      return wanted.length === set.length && wanted.every((value) => set.includes(value))
    })
  return (
    <nav className="views" aria-label="Views">
      {views.map((view) => (
        <Link
          key={view.label}
          to="."
          search={{ ...cleared(filters), ...view.search }}
          className={isShown(view) ? 'view shown' : 'view'}
        >
          {view.label}
        </Link>
      ))}
    </nav>
  )
}
