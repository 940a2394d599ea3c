import { type FormEvent, useEffect, useId, useState } from 'react'
import { type Search, useAddress, valuesOf } from '../../address.ts'
import { Button, Icon, Popover } from '../controls.tsx'
import { dayOf, describeFilter, type Filter, PERIODS } from './filters.ts'

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

type Props<Kind extends Filter['kind'] = Filter['kind']> = {
  readonly filter: Extract<Filter, { readonly kind: Kind }>
  readonly search: Search
  readonly change: (changes: Search) => void
  readonly close: () => void
}

/** What opens at a chip: the ways to set one filter. */
function FilterEditor({ filter, ...props }: Props) {
  switch (filter.kind) {
    case 'choice':
      return <ChoiceEditor filter={filter} {...props} />
    case 'flag':
      return (
        <ChoiceEditor filter={{ ...filter, kind: 'choice', isSingle: true, options: ANSWERS }} {...props} />
      )
    case 'period':
      return <PeriodEditor filter={filter} {...props} />
    case 'amount':
      return <AmountEditor filter={filter} {...props} />
    default:
      return <TextEditor filter={filter as Extract<Filter, { kind: 'text' }>} {...props} />
  }
}

const ANSWERS = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
]

function ChoiceEditor({ filter, search, change, close }: Props<'choice'>) {
  const [sought, setSought] = useState('')
  const chosen = valuesOf(search, filter.id)
  const shown = filter.options.filter(({ label }) => label.toLowerCase().includes(sought.toLowerCase()))
  const set = (values: readonly string[]) =>
    change({ [filter.id]: values.length > 0 ? values : undefined, cursor: undefined })
  return (
    <fieldset className="editor">
      <legend>{filter.label}</legend>
      {filter.options.length > 12 && (
        <input
          type="search"
          placeholder="Find…"
          aria-label={`Find in ${filter.label}`}
          value={sought}
          onChange={({ target }) => setSought(target.value)}
        />
      )}
      <div className="checks">
        {shown.map(({ value, label }) => (
          <label key={value}>
            <input
              type={filter.isSingle ? 'radio' : 'checkbox'}
              name={filter.id}
              checked={chosen.includes(value)}
              onChange={({ target }) => {
                if (filter.isSingle) {
                  set([value])
                  close()
                } else set(target.checked ? [...chosen, value] : chosen.filter((one) => one !== value))
              }}
            />
            {label}
          </label>
        ))}
        {shown.length === 0 && <p className="hint">No matches.</p>}
      </div>
    </fieldset>
  )
}

function TextEditor({ filter, search, change, close }: Props<'text'>) {
  const id = useId()
  const [text, setText] = useState(() => valuesOf(search, filter.id).join(', '))
  const apply = (event: FormEvent) => {
    event.preventDefault()
    const trimmed = text.trim()
    const many = trimmed
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean)
    change({ [filter.id]: trimmed === '' ? undefined : filter.isMany ? many : trimmed, cursor: undefined })
    close()
  }
  return (
    <form className="editor" onSubmit={apply}>
      <label htmlFor={id}>{filter.label}</label>
      <input
        id={id}
        value={text}
        autoComplete="off"
        placeholder={filter.hint}
        onChange={({ target }) => setText(target.value)}
      />
      <Button type="submit" tone="main">
        Apply
      </Button>
    </form>
  )
}

function PeriodEditor({ filter, search, change, close }: Props<'period'>) {
  const [set = ''] = valuesOf(search, filter.id)
  // The inputs are for days: moments, which pages link to, are not typed.
  const [first = '', last = ''] = set.split('..').map((bound) => (dayOf(bound) ? bound : ''))
  const [from, setFrom] = useState(first)
  const [to, setTo] = useState(last)
  const choose = (value: string) => {
    change({ [filter.id]: value, cursor: undefined })
    close()
  }
  return (
    <form
      className="editor"
      onSubmit={(event) => {
        event.preventDefault()
        if (from || to) choose(`${from}..${to}`)
      }}
    >
      <fieldset>
        <legend>{filter.label}</legend>
        <div className="checks">
          {PERIODS.map(({ value, label }) => (
            <label key={value}>
              <input type="radio" name={filter.id} checked={set === value} onChange={() => choose(value)} />
              {label}
            </label>
          ))}
        </div>
      </fieldset>
      <div className="pair">
        <label>
          From
          <input
            type="date"
            value={from}
            max={to || undefined}
            onChange={({ target }) => setFrom(target.value)}
          />
        </label>
        <label>
          To
          <input
            type="date"
            value={to}
            min={from || undefined}
            onChange={({ target }) => setTo(target.value)}
          />
        </label>
      </div>
      <Button type="submit" tone="main">
        Apply
      </Button>
    </form>
  )
}

function AmountEditor({ filter, search, change, close }: Props<'amount'>) {
  const [set = ''] = valuesOf(search, filter.id)
  const [first = '', last = first] = set.split('..')
  const [from, setFrom] = useState(first)
  const [to, setTo] = useState(last)
  const [currency, setCurrency] = useState(valuesOf(search, 'currency')[0] ?? '')
  const apply = (event: FormEvent) => {
    event.preventDefault()
    const value = from === to ? from : `${from}..${to}`
    change({
      [filter.id]: value || undefined,
      currency: currency.toUpperCase() || undefined,
      cursor: undefined,
    })
    close()
  }
  return (
    <form className="editor" onSubmit={apply}>
      <p className="editor-title">{filter.label}</p>
      <div className="pair">
        <label>
          From
          <input inputMode="decimal" value={from} onChange={({ target }) => setFrom(target.value)} />
        </label>
        <label>
          To
          <input inputMode="decimal" value={to} onChange={({ target }) => setTo(target.value)} />
        </label>
      </div>
      <label>
        Currency
        <input
          required
          maxLength={3}
          value={currency}
          placeholder="USD"
          onChange={({ target }) => setCurrency(target.value)}
        />
      </label>
      <Button type="submit" tone="main">
        Apply
      </Button>
    </form>
  )
}
