import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useAddress } from '../address.ts'
import { selectedAccount } from '../api/account.ts'
import { useMay } from '../api/me.ts'
import { Icon } from '../parts/icon.tsx'
import { Problem } from '../parts/problem.tsx'
import { useAreas } from './navigation.tsx'
import { type Hit, searchEverywhere } from './search-sources.ts'

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
  const [marked, setMarked] = useState(0)
  const { hits, query } = useHits(text)
  useEffect(() => {
    const dialog = place.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  const choose = (hit: Hit | undefined) => {
    if (!hit) return
    onClose()
    go(hit.to, hit.search)
  }
  const move = (step: number) => setMarked((old) => Math.max(0, Math.min(hits.length - 1, old + step)))
  return (
    <dialog ref={place} className="palette" aria-label="Search" onCancel={onClose} closedby="any">
      <div className="palette-box">
        <Icon name="search" />
        <input
          role="combobox"
          aria-label="Search"
          aria-expanded={hits.length > 0}
          aria-controls="search-hits"
          aria-activedescendant={hits[marked] ? `hit-${marked}` : undefined}
          placeholder="An id, last four digits, e-mail address, order number, or page"
          autoComplete="off"
          value={text}
          onChange={({ target }) => {
            setText(target.value)
            setMarked(0)
          }}
          onKeyDown={(event) => {
            const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
            if (step) event.preventDefault()
            if (step) move(step)
            if (event.key === 'Enter') choose(hits[marked])
          }}
        />
        <kbd>Esc</kbd>
      </div>
      <Hits hits={hits} marked={marked} onChoose={choose} />
      {query.isError && <Problem error={query.error} retry={() => void query.refetch()} />}
      <p className="palette-state" role="status">
        {query.isFetching
          ? 'Searching…'
          : text.trim().length > 1 && hits.length === 0 && !query.isError
            ? 'Nothing was found.'
            : ''}
      </p>
    </dialog>
  )
}

type HitsProps = {
  readonly hits: readonly Hit[]
  readonly marked: number
  readonly onChoose: (hit: Hit) => void
}

function Hits({ hits, marked, onChoose }: HitsProps) {
  return (
    <div id="search-hits" role="listbox" aria-label="Found" className="hits">
      {hits.map((hit, index) => (
        // The input keeps the focus, and moves the mark with the arrow keys.
        // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
        <div
          key={`${hit.to} ${hit.title}`}
          id={`hit-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === marked}
          onClick={() => onChoose(hit)}
        >
          <Icon name={hit.icon} />
          <span className="hit-title">{hit.title}</span>
          <span className="hit-note">{hit.note}</span>
        </div>
      ))}
    </div>
  )
}

/** Pages by their name at once; things of the merchant account from the server, a moment after the last letter. */
function useHits(text: string) {
  const areas = useAreas()
  const may = useMay()
  const sought = useSettled(text.trim(), 200)
  const query = useQuery({
    queryKey: ['search', selectedAccount(), sought],
    enabled: sought.length > 1,
    queryFn: ({ signal }) => searchEverywhere(sought, may, signal),
  })
  const pages = areas
    .filter(({ name }) => name.toLowerCase().includes(text.trim().toLowerCase()))
    .map(({ name, path, icon, group }): Hit => ({ icon, title: name, note: group ?? '', to: path }))
  return { hits: [...(sought.length > 1 ? (query.data ?? []) : []), ...pages].slice(0, 12), query }
}

function useSettled(text: string, afterMs: number): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), afterMs)
    return () => clearTimeout(timer)
  }, [text, afterMs])
  return settled
}
