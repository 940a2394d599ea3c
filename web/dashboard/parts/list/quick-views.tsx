import { useEffect, useRef } from 'react'
import { type Search, useAddress, valuesOf } from '../../address.ts'
import { Icon } from '../icon.tsx'
import { Link } from '../link.tsx'
import { cleared } from './filter-bar.tsx'
import type { Filter } from './filters.ts'

/** A set of filters with a name. The one with none is the whole list. */
export type QuickView = {
  readonly label: string
  readonly search: Search
  /** Set if a user has saved it. */
  readonly id?: string
  /** Whose it is, if it is not the user's own. */
  readonly note?: string | undefined
  readonly onOpen?: () => void
}

export function QuickViews({
  views,
  filters,
}: {
  readonly views: readonly QuickView[]
  readonly filters: readonly Filter[]
}) {
  const { search } = useAddress()
  const place = useRef<HTMLElement>(null)
  const shown = views.find((view) => isShown(view.search, filters, search))?.label
  useEffect(() => {
    // On a phone, the views scroll: the one that is shown comes into sight.
    const link = shown === undefined ? null : place.current?.querySelector<HTMLElement>('.shown')
    if (link) place.current?.scrollTo({ left: link.offsetLeft - link.offsetWidth })
  }, [shown])
  return (
    <nav ref={place} className="views" aria-label="Views">
      {views.map(({ label, search: wanted, id, note, onOpen }) => (
        <Link
          key={id ?? label}
          to="."
          search={{ ...cleared(filters), ...wanted }}
          className={isShown(wanted, filters, search) ? 'view shown' : 'view'}
          title={note}
          {...(onOpen && { onClick: onOpen })}
        >
          {id !== undefined && <Icon name="view" />}
          {label}
        </Link>
      ))}
    </nav>
  )
}

/** Whether the address has these filters, and no others. */
export function isShown(wanted: Search, filters: readonly Filter[], search: Search): boolean {
  return filters.every(({ id }) => {
    const values = valuesOf(wanted, id)
    const set = valuesOf(search, id)
    return values.length === set.length && values.every((value) => set.includes(value))
  })
}
