import { type ReactNode, useState } from 'react'
import { ApiError } from '../api/client.ts'
import { Button } from './button.tsx'
import {
  type Faults,
  type FieldList,
  Fields,
  faultsIn,
  fieldsFor,
  firstTyped,
  nested,
  readValues,
  type Typed,
  type Values,
} from './fields.tsx'
import { ProgressNotice } from './progress-notice.tsx'
import { useAct } from './use-act.ts'

type Props<Answer> = {
  readonly fields: FieldList
  readonly initial?: Values
  readonly verb: string
  /** A form that creates sends the key along. One that replaces needs none: repeating it changes nothing more. */
  readonly send: (body: Record<string, unknown>, idempotencyKey: string) => Promise<Answer>
  readonly onDone: (answer: Answer) => void
  readonly onCancel?: () => void
  /** What the inputs mean now, for a preview beside the form. */
  readonly onType?: (values: Values) => void
  /** Stands above the buttons. A function gets what the inputs mean now, and can mark some as wrong until they are changed. */
  readonly children?: ReactNode | ((values: Values, mark: (faults: Faults) => void) => ReactNode)
}

/** A form on a page. For an act with consequences, use `Ask`. */
export function Form<Answer>({
  fields: list,
  initial = {},
  verb,
  send: work,
  onDone,
  onCancel,
  onType,
  children,
}: Props<Answer>) {
  const [typed, setTyped] = useState<Typed>(() => firstTyped(list, initial))
  const fields = fieldsFor(list, typed)
  const [tried, setTried] = useState(false)
  const [marked, mark] = useState<Faults>({})
  const { progress, send } = useAct<Answer>()
  const { values, faults } = readValues(fields, typed)
  const refusal =
    progress.at === 'refused' && progress.error instanceof ApiError
      ? faultsIn(fields, progress.error.details)
      : undefined
  const submit = async () => {
    setTried(true)
    if (Object.keys(faults).length > 0) return
    const result = await send((key) => work(nested(values), key))
    if (result) onDone(result.answer)
  }
  return (
    <form
      className="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <Fields
        fields={fields}
        typed={typed}
        faults={{ ...marked, ...(tried && faults), ...refusal?.faults }}
        isLocked={progress.at === 'sending' || progress.at === 'open'}
        onType={(name, value) => {
          const next = { ...typed, [name]: value }
          setTyped(next)
          if (marked[name] !== undefined) mark({})
          onType?.(readValues(fields, next).values)
        }}
      />
      {typeof children === 'function' ? children(values, mark) : children}
      <ProgressNotice progress={progress} others={refusal?.others} />
      <div className="form-actions">
        <Button type="submit" tone="main" disabled={progress.at === 'sending'}>
          {progress.at === 'sending' ? 'Sending…' : progress.at === 'open' ? 'Ask again' : verb}
        </Button>
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
      </div>
    </form>
  )
}
