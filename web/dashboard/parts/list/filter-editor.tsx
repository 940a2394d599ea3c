import { type FormEvent, useId, useState } from 'react'
import { type Search, valuesOf } from '../../address.ts'
import { Button } from '../button.tsx'
import { describeFilter, type Filter, PERIODS } from './filters.ts'
import { dayOf } from './period.ts'

type Props<Kind extends Filter['kind'] = Filter['kind']> = {
  readonly filter: Extract<Filter, { readonly kind: Kind }>
  readonly search: Search
  readonly change: (changes: Search) => void
  readonly close: () => void
}

/** What opens at a chip: the ways to set one filter. */
export function FilterEditor({ filter, ...props }: Props) {
  switch (filter.kind) {
    case 'choice':
      return <ChoiceEditor filter={filter} {...props} />
    case 'flag':
      return <FlagEditor filter={filter} {...props} />
    case 'period':
      return <PeriodEditor filter={filter} {...props} />
    case 'amount':
      return <AmountEditor filter={filter} {...props} />
    default:
      return <TextEditor filter={filter as Extract<Filter, { kind: 'text' }>} {...props} />
  }
}

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

function FlagEditor({ filter, search, change, close }: Props<'flag'>) {
  const [chosen] = valuesOf(search, filter.id)
  return (
    <fieldset className="editor">
      <legend>{filter.label}</legend>
      <div className="checks">
        {['true', 'false'].map((value) => (
          <label key={value}>
            <input
              type="radio"
              name={filter.id}
              checked={chosen === value}
              onChange={() => {
                change({ [filter.id]: value, cursor: undefined })
                close()
              }}
            />
            {describeFilter(filter, [value])}
          </label>
        ))}
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
