import type { ReactNode } from 'react'
import { useAddress } from '../address.ts'

export type Tab = { readonly id: string; readonly label: string; readonly content: () => ReactNode }

/** Parts of a page of which one is shown. The address names it. */
export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  const { search, change } = useAddress()
  const shown = tabs.find(({ id }) => id === search['tab']) ?? tabs[0]
  const move = (step: number) => {
    if (!shown) return
    const next = tabs.at((tabs.indexOf(shown) + step) % tabs.length)
    if (!next) return
    change({ tab: next.id })
    document.getElementById(`tab-${next.id}`)?.focus()
  }
  if (!shown) return null
  return (
    <div className="tabs">
      <div role="tablist" aria-label={label}>
        {tabs.map(({ id, label: name }) => (
          <button
            key={id}
            id={`tab-${id}`}
            type="button"
            role="tab"
            aria-selected={id === shown.id}
            aria-controls="tab-content"
            tabIndex={id === shown.id ? 0 : -1}
            onClick={() => change({ tab: id })}
            onKeyDown={({ key }) => {
              if (key === 'ArrowRight') move(1)
              if (key === 'ArrowLeft') move(-1)
            }}
          >
            {name}
          </button>
        ))}
      </div>
      <div role="tabpanel" id="tab-content" aria-labelledby={`tab-${shown.id}`}>
        {shown.content()}
      </div>
    </div>
  )
}
