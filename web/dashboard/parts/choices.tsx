import { useId, useState } from 'react'
import { Button, Popover } from './controls.tsx'

export type Option = {
  readonly value: string
  readonly label: string
  /** What it means, below it. */
  readonly hint?: string
  /** Excludes all others, such as “all”. */
  readonly isAlone?: boolean
}

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
  const ids = shown.filter(({ isAlone }) => !isAlone).map(({ value }) => value)
  const id = useId()
  const withOne = ({ value, isAlone }: Option) =>
    isAlone
      ? [value]
      : [...chosen.filter((one) => !options.some((other) => other.isAlone && other.value === one)), value]
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
          <Button
            tone="quiet"
            onClick={() =>
              onType(
                [...new Set([...chosen, ...ids])].filter(
                  (one) => !options.some(({ value, isAlone }) => isAlone && value === one),
                ),
              )
            }
          >
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
        {shown.map((option) => (
          <label key={option.value}>
            <input
              type="checkbox"
              aria-labelledby={`${id}-${option.value}`}
              {...(option.hint && { 'aria-describedby': `${id}-${option.value}-hint` })}
              checked={known.has(option.value)}
              onChange={({ target }) =>
                onType(target.checked ? withOne(option) : chosen.filter((one) => one !== option.value))
              }
            />
            <span>
              <span id={`${id}-${option.value}`}>{option.label}</span>
              {option.hint && (
                <small className="hint" id={`${id}-${option.value}-hint`}>
                  {option.hint}
                </small>
              )}
            </span>
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
