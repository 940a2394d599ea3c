import { type ReactNode, useId } from 'react'
import type { Option } from './fields.tsx'

type ChoiceProps = {
  readonly label: string
  readonly value: string
  readonly options: readonly Option[]
  readonly onChoose: (value: string) => void
}

/** One of a few values, which counts at once. */
export function Choice({ label, value, options, onChoose }: ChoiceProps) {
  return (
    <Labelled label={label}>
      {(id) => (
        <select id={id} value={value} onChange={({ target }) => onChoose(target.value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  )
}

export function Labelled({
  label,
  children,
}: {
  readonly label: string
  readonly children: (id: string) => ReactNode
}) {
  const id = useId()
  return (
    <span className="control">
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </span>
  )
}
