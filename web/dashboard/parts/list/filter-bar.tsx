import { useEffect, useState } from 'react'
import { type Search, useAddress, valuesOf } from '../../address.ts'
import { Button } from '../button.tsx'
import { Icon } from '../icon.tsx'
import { Popover } from '../popover.tsx'
import { FilterEditor } from './filter-editor.tsx'
import { describeFilter, type Filter } from './filters.ts'

/** The box for a search, and a chip for each filter: those that are set, those that are usual, and one for all others. */
export function FilterBar({ filters }: { readonly filters: readonly Filter[] }) {
  const { search, change } = useAddress()
  const [extra, setExtra] = useState<string>()
  const isSet = ({ id }: Filter) => valuesOf(search, id).length > 0
  const chips = filters.filter(({ kind }) => kind !== 'search')
  const shown = chips.filter((filter) => filter.isUsual || isSet(filter) || filter.id === extra)
  const others = chips.filter((filter) => !shown.includes(filter))
  const box = filters.find(({ kind }) => kind === 'search')
  const set = filters.filter(isSet)
  return (
    <div className="filters">
      {box?.kind === 'search' && <SearchBox id={box.id} hint={box.hint} />}
      {shown.map((filter) => (
        <Chip key={filter.id} filter={filter} search={search} change={change} isOpen={filter.id === extra} />
      ))}
      {others.length > 0 && (
        <Popover className="chip" button={<ChipText icon="filter" text="More filters" />}>
          {(close) => (
            <MoreFilters
              filters={others}
              onChoose={(id) => {
                close()
                setExtra(id)
              }}
            />
          )}
        </Popover>
      )}
      {set.length > 0 && (
        <Button tone="quiet" onClick={() => change(cleared(filters))}>
          Clear
        </Button>
      )}
    </div>
  )
}

export function cleared(filters: readonly Filter[]): Search {
  return {
    ...Object.fromEntries(filters.map(({ id }) => [id, undefined])),
    cursor: undefined,
    view: undefined,
  }
}

type ChipProps = {
  readonly filter: Filter
  readonly search: Search
  readonly change: (changes: Search) => void
  /** It was just chosen among the others. */
  readonly isOpen: boolean
}

function Chip({ filter, search, change, isOpen }: ChipProps) {
  const values = valuesOf(search, filter.id)
  const isSet = values.length > 0
  return (
    <span className={`chip-place ${isSet ? 'set' : ''}`}>
      <Popover
        className="chip"
        isOpenAtOnce={isOpen && !isSet}
        button={
          isSet ? (
            <>
              {filter.label} <b>{describeFilter(filter, values)}</b>
            </>
          ) : (
            <ChipText icon="plus" text={filter.label} />
          )
        }
      >
        {(close) => <FilterEditor filter={filter} search={search} change={change} close={close} />}
      </Popover>
      {isSet && (
        <button
          type="button"
          className="chip-remove"
          aria-label={`Remove the filter ${filter.label}`}
          onClick={() => change({ [filter.id]: undefined, cursor: undefined })}
        >
          <Icon name="close" />
        </button>
      )}
    </span>
  )
}

function ChipText({ icon, text }: { readonly icon: 'plus' | 'filter'; readonly text: string }) {
  return (
    <>
      <Icon name={icon} />
      {text}
    </>
  )
}

function MoreFilters({
  filters,
  onChoose,
}: {
  readonly filters: readonly Filter[]
  readonly onChoose: (id: string) => void
}) {
  const [sought, setSought] = useState('')
  const shown = filters.filter(({ label }) => label.toLowerCase().includes(sought.toLowerCase()))
  return (
    <div className="editor">
      {filters.length > 8 && (
        <input
          type="search"
          aria-label="Find a filter"
          placeholder="Find a filter…"
          value={sought}
          onChange={({ target }) => setSought(target.value)}
        />
      )}
      <ul className="menu">
        {shown.map(({ id, label }) => (
          <li key={id}>
            <button type="button" onClick={() => onChoose(id)}>
              {label}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Searches as one types, a moment after the last letter. */
function SearchBox({ id, hint }: { readonly id: string; readonly hint: string }) {
  const { search, change } = useAddress()
  const set = valuesOf(search, id)[0] ?? ''
  const [text, setText] = useState(set)
  useEffect(() => setText(set), [set])
  useEffect(() => {
    if (text.trim() === set) return
    const timer = setTimeout(() => change({ [id]: text.trim() || undefined, cursor: undefined }), 300)
    return () => clearTimeout(timer)
  })
  return (
    <label className="search-box">
      <Icon name="search" />
      <input
        type="search"
        aria-label={hint}
        placeholder={hint}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
    </label>
  )
}
