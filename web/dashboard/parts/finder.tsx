import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { selectedAccount } from '../api/account.ts'
import { Problem } from './problem.tsx'
import { useListbox, useSettled } from './use-listbox.ts'

/** What was found: its value for the body, its name, and what tells it from others of the same name. */
export type Found = { readonly value: string; readonly label: string; readonly note: string }

export type Find = (text: string, signal: AbortSignal) => Promise<readonly Found[]>

/** A text, until one of what it finds is chosen: then that one's value and name. */
export type Sought = string | readonly [value: string, label: string]

type Props = {
  readonly label: string
  readonly find: Find
  readonly placeholder: string
  readonly sought: Sought
  readonly about: object
  readonly onType: (sought: Sought) => void
}

const LETTERS_MIN = 2

/** Finds one of many by what people know of it. */
export function Finder({ label, find, placeholder, sought, about, onType }: Props) {
  const isChosen = typeof sought !== 'string'
  const text = isChosen ? sought[1] : sought
  const settled = useSettled(text.trim())
  const isWanted = !isChosen && text.trim().length >= LETTERS_MIN
  const query = useQuery({
    queryKey: ['find', label, selectedAccount(), settled],
    enabled: isWanted && settled.length >= LETTERS_MIN,
    queryFn: ({ signal }) => find(settled, signal),
  })
  const found = isWanted ? (query.data ?? []) : []
  const box = useListbox(useId(), found, (one) => onType([one.value, one.label]))
  const isNone = settled === text.trim() && query.isSuccess && found.length === 0
  return (
    <>
      <input
        {...about}
        {...box.input}
        type="search"
        placeholder={placeholder}
        value={text}
        onChange={({ target }) => {
          box.restart()
          onType(target.value)
        }}
      />
      {isWanted && (
        <div className="finds">
          <div id={box.listId} role="listbox" aria-label={`${label}: found`} className="hits">
            {found.map((one, index) => (
              <div key={one.value} {...box.option(index, one)}>
                <span className="hit-title">{one.label}</span>
                <span className="hit-note">{one.note}</span>
              </div>
            ))}
          </div>
          {query.isError && <Problem error={query.error} retry={() => void query.refetch()} />}
          <p className="hint" role="status">
            {isNone ? 'No matches.' : found.length === 0 && !query.isError ? 'Searching…' : ''}
          </p>
        </div>
      )}
    </>
  )
}
