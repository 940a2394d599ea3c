import { type ReactNode, useRef, useState } from 'react'
import { useAddress } from '../address.ts'
import { ApiError, readAgain } from '../api/client.ts'
import { notify } from '../shell/notices.tsx'
import { Button, Dialog } from './controls.tsx'
import {
  type Faults,
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
import { Notice, RequestId } from './page.tsx'

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
  /** A text is the title of what is done. */
  readonly outcome: string | ((answer: Answer) => string | Outcome)
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
    const outcome = outcomeOf(props, result.answer)
    if (outcome.kind !== 'done') return
    notify(outcome)
    onClose()
    props.onDone?.(result.answer)
  }

  if (progress.at === 'answered') {
    return (
      <Dialog title={title} onClose={onClose}>
        <OutcomeNotice outcome={outcomeOf(props, progress.answer)} />
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

function outcomeOf<Answer>({ outcome }: Pick<Props<Answer>, 'outcome'>, answer: Answer): Outcome {
  const told = typeof outcome === 'function' ? outcome(answer) : outcome
  return typeof told === 'string' ? { kind: 'done', title: told } : told
}

type DeletionProps = Pick<Props<unknown>, 'says' | 'onClose'> & {
  readonly id: string
  readonly name: string
  readonly title?: string
  readonly send: () => Promise<unknown>
  /** Where the page of the thing leads when it is gone. */
  readonly list: string
}

/** Asks before a thing that has a page is deleted. */
export function Deletion({ id, name, title = `Delete ${name}`, list, ...ask }: DeletionProps) {
  const { go } = useAddress()
  return (
    <Ask
      {...ask}
      title={title}
      verb="Delete"
      isDangerous
      outcome={`${name} was deleted`}
      onDone={() => go(list)}
      deletedId={id}
    />
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

type FormProps<Answer> = {
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
}: FormProps<Answer>) {
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

/** Nothing was sent, because what the act is about has changed. */
class Changed extends Error {}

/** How the sending goes: waiting is not failing, and a refusal names its reason. */
export function ProgressNotice<Answer>({
  progress,
  others = [],
}: {
  readonly progress: Progress<Answer>
  readonly others?: readonly string[] | undefined
}) {
  if (progress.at === 'open')
    return (
      <Notice tone="wait" title="Waiting: we do not know yet whether this was done" isNews>
        {progress.error.status === 0 ? 'No answer arrived.' : 'The server cannot answer right now.'} Ask
        again: it is the same request, so nothing happens twice.
        <Traced error={progress.error} />
      </Notice>
    )
  if (progress.at !== 'refused' || progress.error instanceof Changed) return null
  const { error } = progress
  if (!(error instanceof ApiError))
    return <Notice tone="bad" title="Something went wrong. Nothing was sent." isNews />
  return (
    <Notice
      tone="bad"
      title={error.status === 403 ? 'You are not allowed to do this' : 'Nothing was changed'}
      isNews
    >
      {others.length > 0 ? others.join('. ') : error.details.length === 0 && error.message}
      <Traced error={error} />
    </Notice>
  )
}

function Traced({ error: { requestId } }: { readonly error: ApiError }) {
  return requestId === null ? null : <RequestId value={requestId} isShort />
}

/** Where an act stands. `open`: it may have been done, and only the server knows. */
export type Progress<Answer> =
  | { readonly at: 'ready' }
  | { readonly at: 'sending' }
  | { readonly at: 'open'; readonly error: ApiError }
  | { readonly at: 'refused'; readonly error: unknown }
  | { readonly at: 'answered'; readonly answer: Answer }

type Act<Answer> = {
  readonly progress: Progress<Answer>
  /** Nothing happens while an earlier one is on its way: an act is sent once, however often it is clicked. */
  readonly send: (
    work: (idempotencyKey: string) => Promise<Answer>,
  ) => Promise<{ readonly answer: Answer } | undefined>
}

/**
 * Sends something that must not happen twice. The key lives as long as the dialog or form: whatever is sent again, after a
 * lost answer or with a mended field, is the same act for the server, which does it at most once.
 */
export function useAct<Answer>({ deletedId }: { readonly deletedId?: string | undefined } = {}): Act<Answer> {
  const [progress, setProgress] = useState<Progress<Answer>>({ at: 'ready' })
  const [key] = useState(() => crypto.randomUUID())
  const isSending = useRef(false)
  const send: Act<Answer>['send'] = async (work) => {
    if (isSending.current) return undefined
    isSending.current = true
    setProgress({ at: 'sending' })
    try {
      const answer = await work(key)
      setProgress({ at: 'answered', answer })
      void readAgain(deletedId)
      return { answer }
    } catch (error) {
      setProgress(afterError(error))
      void readAgain()
      return undefined
    } finally {
      isSending.current = false
    }
  }
  return { progress, send }
}

function afterError(error: unknown): Progress<never> {
  if (!(error instanceof ApiError)) return { at: 'refused', error }
  // The session has ended, and nothing was done. The person signs in over the page, and sends it then.
  if (error.status === 401) return { at: 'ready' }
  return error.isOpen ? { at: 'open', error } : { at: 'refused', error }
}
