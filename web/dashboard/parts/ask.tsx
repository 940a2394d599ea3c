import { type ReactNode, useState } from 'react'
import { ApiError } from '../api/client.ts'
import { notify } from '../shell/notices.tsx'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import {
  type Field,
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
import { Notice } from './notice.tsx'
import { Changed, ProgressNotice } from './progress-notice.tsx'
import { type Progress, useAct } from './use-act.ts'

/**
 * What became of an act. `done` closes the dialog. `shown`: it is done, and the person has to read or copy something first.
 * `waiting`: the provider has not said yet. `refused`: it said no.
 */
export type Outcome =
  | { readonly kind: 'done'; readonly title: string; readonly text?: string }
  | { readonly kind: 'shown' | 'waiting' | 'refused'; readonly title: string; readonly text?: ReactNode }

type Props<Answer> = {
  /** Names what happens, the amount and the person: “Refund $12.00 to Ada Park”. */
  readonly title: string
  readonly verb: string
  readonly isDangerous?: boolean
  /** One or two sentences: what will happen, with what was typed. */
  readonly says: ReactNode | ((values: Values) => ReactNode)
  readonly fields?: FieldList
  readonly initial?: Values
  readonly isWide?: boolean
  readonly send: (body: Record<string, unknown>, idempotencyKey: string) => Promise<Answer>
  /** Asks once more before it is sent, where it must. False: the person thought better of it. */
  readonly allows?: () => Promise<boolean>
  readonly outcome: (answer: Answer) => Outcome
  /** After `done`: such as leading to what was made. */
  readonly onDone?: (answer: Answer) => void
  /** The id of what the act deletes. */
  readonly deletedId?: string
  /**
   * Reads what the act is about, and says in a few words how it stands. If that is no longer what it was when the dialog
   * opened, the dialog says so instead of sending.
   */
  readonly standing?: { readonly now: string; readonly read: () => Promise<string> }
  readonly onClose: () => void
}

/** A dialog for an act with consequences. It is sent once; an answer that is lost is asked for again, with the same key. */
export function Ask<Answer>(given: Props<Answer>) {
  const { initial = {}, standing, isWide = false, onClose } = given
  const [typed, setTyped] = useState<Typed>(() => firstTyped(given.fields ?? [], initial))
  const [tried, setTried] = useState(false)
  const [seen, setSeen] = useState(standing?.now)
  const [sent, setSent] = useState<Props<Answer>>()
  const { progress, send } = useAct<Answer>({ deletedId: given.deletedId })
  const isFresh = progress.at === 'ready' || progress.at === 'refused'
  // Once it is sent, it stays what it was: the act itself may have changed what it is about.
  const props = isFresh ? given : (sent ?? given)
  const { title, verb, says, fields: list = [] } = props
  const fields = fieldsFor(list, typed)
  const { values, faults } = readValues(fields, typed)
  const isSending = progress.at === 'sending'
  const hasChanged = isFresh && seen !== standing?.now
  // Without fields there is nothing to change: the same request would be refused again.
  const isRefusedForGood =
    progress.at === 'refused' &&
    fields.length === 0 &&
    progress.error instanceof ApiError &&
    progress.error.status === 400
  const refusal = progress.at === 'refused' ? faultsOf(fields, progress.error) : undefined

  const act = async () => {
    setTried(true)
    if (Object.keys(faults).length > 0) return
    if (isFresh && props.allows && !(await props.allows())) return
    setSent(props)
    const result = await send(async (key) => {
      if (isFresh && standing && (await standing.read()) !== seen) throw new Changed()
      return props.send(nested(values), key)
    })
    if (!result) return
    const outcome = props.outcome(result.answer)
    if (outcome.kind !== 'done') return
    notify(outcome)
    onClose()
    props.onDone?.(result.answer)
  }

  if (progress.at === 'answered') {
    const outcome = props.outcome(progress.answer)
    return (
      <Dialog title={title} onClose={onClose}>
        <OutcomeNotice outcome={outcome} />
        <div className="dialog-actions">
          <Button onClick={onClose}>Close</Button>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog title={title} onClose={onClose} isLocked={isSending} isWide={isWide}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void act()
        }}
      >
        <div className="dialog-text">{typeof says === 'function' ? says(values) : says}</div>
        <Fields
          fields={fields}
          typed={typed}
          faults={{ ...(tried && faults), ...refusal?.faults }}
          isLocked={isSending || progress.at === 'open' || hasChanged}
          onType={(name, value) => setTyped((old) => ({ ...old, [name]: value }))}
        />
        <ProgressNotice progress={progress} others={refusal?.others} />
        {hasChanged && (
          <Notice tone="wait" title="This has changed since you opened it" isNews>
            Now: {standing?.now}. Check again before you continue.
          </Notice>
        )}
        <div className="dialog-actions">
          <Button onClick={onClose} disabled={isSending}>
            {progress.at === 'open' || isRefusedForGood ? 'Close' : 'Cancel'}
          </Button>
          {isRefusedForGood ? null : hasChanged ? (
            <Button tone="main" onClick={() => setSeen(standing?.now)}>
              Continue
            </Button>
          ) : (
            <Button type="submit" tone={props.isDangerous ? 'danger' : 'main'} disabled={isSending}>
              {labelOf(progress, verb)}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  )
}

function labelOf<Answer>(progress: Progress<Answer>, verb: string): string {
  if (progress.at === 'sending') return 'Sending…'
  return progress.at === 'open' ? 'Ask again' : verb
}

function faultsOf(fields: readonly Field[], error: unknown) {
  return error instanceof ApiError ? faultsIn(fields, error.details) : { faults: {}, others: [] }
}

function OutcomeNotice({ outcome: { kind, title, text } }: { readonly outcome: Outcome }) {
  const tone = kind === 'waiting' ? 'wait' : kind === 'refused' ? 'bad' : 'good'
  return (
    <Notice tone={tone} title={title} isNews>
      {text}
    </Notice>
  )
}
