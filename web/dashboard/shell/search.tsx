import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useAddress } from '../address.ts'
import { selectedAccount } from '../api/account.ts'
import { useMay } from '../api/me.ts'
import { Icon } from '../parts/controls.tsx'
import { Problem } from '../parts/page.tsx'
import { useListbox, useSettled } from '../parts/use-listbox.ts'
import { Status } from '../parts/values.tsx'
import { useAreas } from './navigation.tsx'
import { findPages, type Hit, searchEverywhere } from './search-sources.ts'

/** Ctrl K, or ⌘ K. */
export function useSearchKey(open: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      open()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [open])
}

/** Finds things by what people have at hand: an id, the last four digits, an e-mail address, a number of their own. */
export function SearchDialog({ onClose }: { readonly onClose: () => void }) {
  const place = useRef<HTMLDialogElement>(null)
  const { go } = useAddress()
  const [text, setText] = useState('')
  const { hits, query } = useHits(text)
  useEffect(() => {
    const dialog = place.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  const box = useListbox('search-hits', hits, (hit: Hit) => {
    onClose()
    go(hit.to, hit.search)
  })
  return (
    <dialog ref={place} className="palette" aria-label="Search" onCancel={onClose} closedby="any">
      <div className="palette-box">
        <Icon name="search" />
        <input
          {...box.input}
          aria-label="Search"
          placeholder="Order number, amount, last four digits, e-mail address, request id or page"
          value={text}
          onChange={({ target }) => {
            setText(target.value)
            box.restart()
          }}
        />
        <kbd>Esc</kbd>
      </div>
      <Hits hits={hits} box={box} />
      {query.isError && <Problem error={query.error} retry={() => void query.refetch()} />}
      <p className="palette-state" role="status">
        {query.isFetching
          ? 'Searching…'
          : text.trim().length > 1 && hits.length === 0 && !query.isError
            ? 'Nothing found. Try an order number (or part of a recent one), an amount, the last four digits, an e-mail address or a request id.'
            : ''}
      </p>
    </dialog>
  )
}

type HitsProps = {
  readonly hits: readonly Hit[]
  readonly box: ReturnType<typeof useListbox<Hit>>
}

function Hits({ hits, box }: HitsProps) {
  return (
    <div id={box.listId} role="listbox" aria-label="Found" className="hits">
      {hits.map((hit, index) => (
        <div key={`${hit.to} ${hit.title}`} {...box.option(index, hit)}>
          <Icon name={hit.icon} />
          <span className="hit-title">{hit.title}</span>
          {hit.standing && <Status tone={hit.standing.tone}>{hit.standing.label}</Status>}
          <span className="hit-note">{hit.note}</span>
          {hit.standing && <span className="hit-note number">{hit.standing.day}</span>}
        </div>
      ))}
    </div>
  )
}

/** Pages by their name at once; things of the merchant account from the server, a moment after the last letter. */
function useHits(text: string) {
  const areas = useAreas()
  const may = useMay()
  const sought = useSettled(text.trim())
  const query = useQuery({
    queryKey: ['search', selectedAccount(), sought],
    enabled: sought.length > 1,
    queryFn: ({ signal }) => searchEverywhere(sought, may, signal),
  })
  const pages = findPages(text, areas)
  return { hits: [...(sought.length > 1 ? (query.data ?? []) : []), ...pages].slice(0, 12), query }
}
