import { useState } from 'react'
import { Button } from './button.tsx'
import { Popover } from './popover.tsx'

export type Option = { readonly value: string; readonly label: string }

type Props = {
  readonly label: string
  readonly options: readonly Option[]
  readonly chosen: readonly string[]
  readonly onType: (value: readonly string[]) => void
}

/** More than these are searched, and scroll. */
const MANY = 12

/** Any number of options. */
export function Choices({ label, options, chosen, onType }: Props) {
  const [sought, setSought] = useState('')
  const isMany = options.length > MANY
  const shown = isMany ? options.filter((one) => fits(one, sought)) : options
  const known = new Set(chosen)
  const ids = shown.map(({ value }) => value)
  return (
    <>
      {isMany && (
        <div className="choices-bar">
          <input
            type="search"
            aria-label={`Find in ${label}`}
            placeholder="Find…"
            value={sought}
            onChange={({ target }) => setSought(target.value)}
            // It finds: the form around it is not sent.
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          />
          <Button tone="quiet" onClick={() => onType([...new Set([...chosen, ...ids])])}>
            All
          </Button>
          <Button tone="quiet" onClick={() => onType(chosen.filter((value) => !ids.includes(value)))}>
            None
          </Button>
          <span className="hint" role="status">
            {chosen.length} of {options.length}
          </span>
        </div>
      )}
      <div className={isMany ? 'checks many' : 'checks'}>
        {shown.map(({ value, label: name }) => (
          <label key={value}>
            <input
              type="checkbox"
              checked={known.has(value)}
              onChange={({ target }) =>
                onType(target.checked ? [...chosen, value] : chosen.filter((one) => one !== value))
              }
            />
            {name}
          </label>
        ))}
        {shown.length === 0 && <p className="hint">No matches.</p>}
      </div>
    </>
  )
}

/** The same behind a button that says what is chosen. */
export function FoldedChoices({ empty = 'Choose…', ...props }: Props & { readonly empty?: string }) {
  const { label, options, chosen } = props
  const names = chosen.map((value) => options.find((one) => one.value === value)?.label ?? value)
  const text = names.join(', ') || empty
  return (
    <Popover className="folded" label={`${label}: ${text}`} button={<span className="clip">{text}</span>}>
      {() => (
        <div className="editor">
          <Choices {...props} />
        </div>
      )}
    </Popover>
  )
}

function fits({ value, label }: Option, sought: string): boolean {
  return `${label} ${value}`.toLowerCase().includes(sought.trim().toLowerCase())
}
