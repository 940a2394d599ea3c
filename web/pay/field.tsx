import type { ComponentChildren, InputEventHandler } from 'preact'
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
  readonly inputMode?: 'numeric' | 'text' | 'email' | 'tel'
  /** Words run as the language does. */
  readonly isText?: boolean
  /** The buyer goes on to another field. */
  readonly onLeave?: () => void
  /** What Enter does. Without it, Enter sends the form. */
  readonly onEnter?: () => void
  /** The address of a picture at the end of the field. */
  readonly mark?: string | undefined
}

/** What has to be on the element of a field. */
type Wiring = {
  readonly id: string
  readonly 'aria-invalid': 'true' | undefined
  readonly 'aria-describedby': string | undefined
}

type FrameProps = {
  readonly label: string
  readonly error?: string | undefined
  readonly hint?: string | undefined
  readonly children: (wiring: Wiring) => ComponentChildren
}

/** A field with its label above it, and what is wrong with it below. */
export function FieldFrame({ label, error, hint, children }: FrameProps) {
  const id = useId()
  const told = error ?? hint
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        'aria-invalid': error ? 'true' : undefined,
        'aria-describedby': told ? `${id}-told` : undefined,
      })}
      {told && (
        <p class={error ? 'wrong' : 'hint'} id={`${id}-told`}>
          {told}
        </p>
      )}
    </div>
  )
}

/** Digits run from left to right in every language. */
export function Field({ name, label, value, onValue, format, error, hint, mark, ...rest }: Props) {
  const onInput: InputEventHandler<HTMLInputElement> = ({ currentTarget: input }) => {
    const isAtEnd = input.selectionStart === input.value.length
    // The field leaves a buyer alone who corrects a digit in the middle.
    const text = format && isAtEnd ? formatted(input.value, value, format) : input.value
    input.value = text
    onValue(text)
  }
  return (
    <FieldFrame {...{ label, error, hint }}>
      {(wiring) => (
        <div class="with-mark">
          <input
            {...wiring}
            name={name}
            value={value}
            onInput={onInput}
            onBlur={({ currentTarget, relatedTarget }) => {
              if (format) onValue(format(currentTarget.value))
              if (isField(relatedTarget)) rest.onLeave?.()
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || !rest.onEnter) return
              event.preventDefault()
              rest.onEnter()
            }}
            type="text"
            dir={rest.isText ? undefined : 'ltr'}
            inputMode={rest.inputMode ?? (rest.isText ? 'text' : 'numeric')}
            autocomplete={rest.autocomplete ?? 'off'}
            placeholder={rest.placeholder ?? ''}
            maxLength={rest.maxLength}
            spellcheck={false}
          />
          {mark && <img src={mark} alt="" width="32" height="20" />}
        </div>
      )}
    </FieldFrame>
  )
}

/** On the way to a button, a message would move it away from under the pointer. */
export function isField(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('input,select')
}

/** A deleted separator takes the digit before it along; otherwise it would come back at once. */
function formatted(text: string, before: string, format: (text: string) => string): string {
  const next = format(text)
  return next === before && text.length < before.length ? text.trimEnd() : next
}
