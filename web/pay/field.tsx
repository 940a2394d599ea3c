import type { InputEventHandler } from 'preact'
import { useId } from 'preact/hooks'

type Props = {
  readonly name: string
  readonly label: string
  readonly value: string
  readonly onValue: (text: string) => void
  readonly format?: (text: string) => string
  readonly error?: string | undefined
  readonly hint?: string
  readonly autocomplete?: string
  readonly placeholder?: string
  readonly maxLength: number
  readonly inputMode?: 'numeric' | 'text' | 'email'
  /** The buyer goes on to another field. */
  readonly onLeave?: () => void
  /** What Enter does. Without it, Enter sends the form. */
  readonly onEnter?: () => void
  /** The address of a picture at the end of the field. */
  readonly mark?: string | undefined
}

/** A field with its label above it, and what is wrong with it below. Digits run from left to right in every language. */
export function Field({ name, label, value, onValue, format, error, hint, mark, ...rest }: Props) {
  const id = useId()
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  const onInput: InputEventHandler<HTMLInputElement> = ({ currentTarget: input }) => {
    const isAtEnd = input.selectionStart === input.value.length
    // The field leaves a buyer alone who corrects a digit in the middle.
    const text = format && isAtEnd ? formatted(input.value, value, format) : input.value
    input.value = text
    onValue(text)
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="with-mark">
        <input
          id={id}
          name={name}
          value={value}
          onInput={onInput}
          onBlur={({ currentTarget, relatedTarget }) => {
            if (format) onValue(format(currentTarget.value))
            // On the way to a button, a message would move it away from under the pointer.
            if (relatedTarget instanceof HTMLInputElement) rest.onLeave?.()
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !rest.onEnter) return
            event.preventDefault()
            rest.onEnter()
          }}
          type="text"
          dir="ltr"
          inputMode={rest.inputMode ?? 'numeric'}
          autocomplete={rest.autocomplete ?? 'off'}
          placeholder={rest.placeholder ?? ''}
          maxLength={rest.maxLength}
          spellcheck={false}
          aria-invalid={error ? 'true' : undefined}
          aria-describedby={described || undefined}
        />
        {mark && <img src={mark} alt="" width="32" height="20" />}
      </div>
      {hint && !error && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="wrong" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}

/** A deleted separator takes the digit before it along; otherwise it would come back at once. */
function formatted(text: string, before: string, format: (text: string) => string): string {
  const next = format(text)
  return next === before && text.length < before.length ? text.trimEnd() : next
}
