import { type FormEvent, useId, useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { ApiError, send, useRead } from '../api/client.ts'
import { ProgressNotice, useAct } from '../parts/ask.tsx'
import { Button, Link } from '../parts/controls.tsx'
import { type Faults, Fields, field, type Typed } from '../parts/fields.tsx'
import { capital } from '../parts/locale.ts'
import { Columns, Notice, Section } from '../parts/page.tsx'
import { When } from '../parts/values.tsx'
import { notify } from '../shell/notices.tsx'
import { BackTestCard } from './back-tests.tsx'
import { AskToDecline, useDeclineGuard } from './decline-guard.tsx'
import { differences } from './describe.ts'
import {
  ANY_OF,
  CONDITIONS_MAX,
  type Draft,
  type DraftCondition,
  draftOf,
  namesFor,
  newCondition,
  operatorsOf,
  readDraft,
  valueFields,
  valueShape,
} from './draft.ts'
import { OutcomeEditor } from './outcome.tsx'
import { ChangeLines, Warnings } from './rule-row.tsx'
import { TryCard } from './try.tsx'
import { asDraft, inOrder, isStale, type Rules, rulesAt, useOutcomeText } from './use-rules.ts'
import {
  ACTIONS,
  type Condition,
  HISTORY,
  NAMES,
  OPERATORS,
  type Place,
  type Rule,
  titleOf,
} from './words.ts'

type Props = {
  readonly rules: Rules
  readonly place: Place
  /** Undefined: a new one. */
  readonly rule: Rule | undefined
  readonly onLeave: () => void
}

/** Writes a rule, and tries it before it is saved. Nothing is sent until everything in it can be read. */
export function RuleForm({ rules, place, rule, onLeave }: Props) {
  const form = useRuleForm({ rules, place, rule, onLeave })
  const { draft, faults, change } = form
  const isOld = rules.version !== form.base && !form.isBusy
  return (
    <Columns
      main={
        <form className="stack" noValidate onSubmit={form.submit} aria-label="The rule">
          {isOld && (
            <Meanwhile
              since={form.base}
              rules={rules}
              opened={form.opened}
              onKeep={() => form.setBase(rules.version)}
              onTake={form.startAgain}
            />
          )}
          <Section title="Name">
            <Fields
              fields={[
                field('text', 'description', 'Description', {
                  placeholder: 'Euros stay in Europe',
                  hint: 'Shown on payments as the reason for the routing.',
                }),
              ]}
              typed={{ description: draft.description }}
              faults={faults['/description'] ? { description: faults['/description'] } : {}}
              isLocked={form.isBusy}
              onType={(_name, value) => change({ description: String(value) })}
            />
          </Section>
          <Section title="Conditions">
            {draft.conditions.length === 0 && (
              <p className="quiet-text rule-says">
                Applies to every payment. Add conditions to narrow it: all must match. A payment without a
                value, such as the card’s country, never matches a condition on it.
              </p>
            )}
            <Conditions
              conditions={draft.conditions}
              names={namesFor(place)}
              faults={faults}
              pointer="/conditions"
              max={CONDITIONS_MAX}
              word="and"
              onChange={(conditions) => change({ conditions })}
            />
          </Section>
          <Section title={ACTIONS[place.action].title}>
            <p className="quiet-text rule-says">{ACTIONS[place.action].says}</p>
            <OutcomeEditor draft={draft} place={place} faults={faults} onChange={change} />
          </Section>
          {rule && !form.isChanged && <Warnings of={rule} />}
          <ProgressNotice progress={form.progress} others={form.others} />
          {form.guard.question && (
            <AskToDecline
              question={form.guard.question}
              goBack="Change the rule"
              goOn={rule ? 'Save and decline' : 'Add and decline'}
            />
          )}
          <div className="form-actions">
            <Button type="submit" tone="main" disabled={form.isBusy}>
              {form.guard.isLooking
                ? 'Testing on recent payments…'
                : form.isBusy
                  ? 'Saving…'
                  : rule
                    ? 'Save'
                    : 'Add rule'}
            </Button>
            <Button onClick={onLeave} disabled={form.isBusy}>
              Cancel
            </Button>
          </div>
        </form>
      }
      side={
        <>
          <TryCard drafted={form.drafted} />
          <BackTestCard drafted={form.drafted} />
        </>
      }
    />
  )
}

function useRuleForm({ rules, place, rule, onLeave }: Props) {
  const [opened, setOpened] = useState(rule)
  const [base, setBase] = useState(rules.version)
  const [draft, setDraft] = useState(() => draftOf(rule))
  const [first, setFirst] = useState(draft)
  const [isTried, setTried] = useState(false)
  const [sent, setSent] = useState<Draft>()
  const { progress, send: act } = useAct<Rule>()
  const guard = useDeclineGuard()
  const read = readDraft(draft, place)
  // What the server said is about what was sent. It no longer fits once that is changed.
  const refusal = progress.at === 'refused' && sent === draft ? refused(progress.error) : NO_REFUSAL
  const current = rules.all.find(({ id }) => id === opened?.id)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (Object.keys(read.faults).length > 0) return
    setSent(draft)
    const isAllowed = await guard.allows({
      place,
      rules: withDraft(rules.all, current, { ...place, ...read.body }),
      position: current?.position ?? rulesAt(rules.all, place).length,
      hasConditions: draft.conditions.length > 0,
    })
    if (!isAllowed) return
    const body = { ...read.body, based_on_version: base }
    const done = await act((idempotencyKey) =>
      current
        ? send('PUT /flows/{flow}/actions/{action}/rules/{rule_id}', {
            path: { ...place, rule_id: current.id },
            body: { ...body, position: current.position },
          })
        : send('POST /flows/{flow}/actions/{action}/rules', { path: place, body, idempotencyKey }),
    )
    if (!done) return
    notify({ title: `${titleOf(done.answer)} ${current ? 'is saved' : 'was added'}` })
    onLeave()
  }

  return {
    opened,
    base,
    setBase,
    draft,
    isChanged: draft !== first,
    guard,
    isBusy: guard.isLooking || progress.at === 'sending' || progress.at === 'answered',
    /** A version that is no longer the newest has a notice of its own. */
    progress: progress.at === 'refused' && (sent !== draft || isStale(progress.error)) ? READY : progress,
    faults: { ...(isTried && read.faults), ...refusal.faults },
    others: refusal.others,
    change: (changes: Partial<Draft>) => setDraft((old) => ({ ...old, ...changes })),
    submit: (event: FormEvent) => void submit(event),
    startAgain: () => {
      const fresh = draftOf(current)
      setOpened(current)
      setBase(rules.version)
      setDraft(fresh)
      setFirst(fresh)
    },
    /** All rules as they would be with this one. Undefined: it is not whole yet. */
    drafted: (): readonly Schemas['DraftRule'][] | undefined => {
      setTried(true)
      return Object.keys(read.faults).length > 0
        ? undefined
        : withDraft(rules.all, current, { ...place, ...read.body })
    },
  }
}

const READY = { at: 'ready' } as const
const NO_REFUSAL: { readonly faults: Faults; readonly others: readonly string[] } = { faults: {}, others: [] }

/** Faults with their pointers. Those that no question has are for the whole form. */
function refused(error: unknown): typeof NO_REFUSAL {
  if (!(error instanceof ApiError)) return NO_REFUSAL
  const isHere = (pointer: string) => /^[/](description|conditions|outcome|error_code)\b/.test(pointer)
  const [here, elsewhere] = [
    error.details.filter(({ pointer }) => isHere(pointer)),
    error.details.filter(({ pointer }) => !isHere(pointer)),
  ]
  return {
    faults: Object.fromEntries(here.map(({ pointer, message }) => [pointer, `${capital(message)}.`])),
    others: elsewhere.map(({ message }) => `${capital(message)}.`),
  }
}

function withDraft(
  all: readonly Rule[],
  current: Rule | undefined,
  draft: Schemas['DraftRule'],
): readonly Schemas['DraftRule'][] {
  if (current) return inOrder(all).map((rule) => (rule.id === current.id ? draft : asDraft(rule)))
  return [...inOrder(all).map(asDraft), draft]
}

type ConditionsProps = {
  readonly conditions: readonly DraftCondition[]
  /** Those that can be chosen here. */
  readonly names: readonly string[]
  readonly faults: Faults
  /** Where they are in the body, such as `/conditions`. */
  readonly pointer: string
  readonly max: number
  /** What stands between two of them. */
  readonly word: 'and' | 'or'
  readonly onChange: (conditions: readonly DraftCondition[]) => void
}

/** Conditions in a list, each with the operators and values that it can have. */
function Conditions({ conditions, names, faults, pointer, max, word, onChange }: ConditionsProps) {
  const id = useId()
  const change = (index: number, condition: DraftCondition) =>
    onChange(conditions.map((one, at) => (at === index ? condition : one)))
  const add = () => {
    const used = conditions.map(({ name }) => name)
    const [name = 'currency'] = FIRST_CHOICES.filter((one) => names.includes(one) && !used.includes(one))
    onChange([...conditions, newCondition(name)])
    // It is in the page after the next drawing. The person goes on there.
    requestAnimationFrame(() => document.getElementById(`${id}-${conditions.length}`)?.focus())
  }
  return (
    <>
      {conditions.length > 0 && (
        <ol className="rule-conditions">
          {conditions.map((condition, index) => (
            <li key={condition.key}>
              <span className="condition-word">{index === 0 ? (word === 'or' ? 'either' : 'if') : word}</span>
              <OneCondition
                id={`${id}-${index}`}
                label={`Condition ${index + 1}`}
                condition={condition}
                names={names}
                faults={faults}
                pointer={`${pointer}/${index}`}
                onChange={(changed) => change(index, changed)}
                onRemove={() => onChange(conditions.filter((_one, at) => at !== index))}
              />
            </li>
          ))}
        </ol>
      )}
      <Button icon="plus" disabled={conditions.length >= max} onClick={add}>
        {conditions.length >= max ? `At most ${max} conditions` : 'Add condition'}
      </Button>
    </>
  )
}

/** What people ask for most. The first that is not there yet is where a new condition begins. */
const FIRST_CHOICES = [
  'currency',
  'country',
  'card_scheme',
  'amount',
  'card_country',
  'payment_source',
  'metadata',
]

type OneProps = Pick<ConditionsProps, 'names' | 'faults' | 'pointer'> & {
  readonly id: string
  readonly label: string
  readonly condition: DraftCondition
  readonly onChange: (condition: DraftCondition) => void
  readonly onRemove: () => void
}

function OneCondition({ id, label, condition, names, faults, pointer, onChange, onRemove }: OneProps) {
  const { name, operator, typed, inner } = condition
  const operators = operatorsOf(name)
  const fault = faults[`${pointer}/name`] ?? faults[`${pointer}/operator`]
  return (
    <fieldset className="condition" aria-describedby={`${id}-fault`}>
      <legend className="visually-hidden">{label}</legend>
      <div className="condition-head">
        <div className="field">
          <select
            id={id}
            aria-label="Property"
            value={name}
            onChange={({ target }) => onChange(newCondition(target.value))}
          >
            <NameOptions names={names} />
          </select>
        </div>
        {operators.length > 1 && (
          <div className="field">
            <select
              aria-label="Comparison"
              value={operator}
              onChange={({ target }) => onChange(withOperator(condition, target.value))}
            >
              {operators.map((one) => (
                <option key={one} value={one}>
                  {OPERATORS[one as Condition['operator']] ?? one}
                </option>
              ))}
            </select>
          </div>
        )}
        <Button tone="quiet" icon="close" aria-label={`Remove ${label.toLowerCase()}`} onClick={onRemove} />
      </div>
      {name === ANY_OF ? (
        <div className="condition-inner">
          <Conditions
            conditions={inner}
            names={names.filter((one) => one !== ANY_OF)}
            faults={faults}
            pointer={`${pointer}/value`}
            max={valueShape(name, operator).maxItems ?? 0}
            word="or"
            onChange={(changed) => onChange({ ...condition, inner: changed })}
          />
          <p className="fault" role="alert">
            {faults[`${pointer}/value`]}
          </p>
        </div>
      ) : (
        <Value
          of={condition}
          faults={faults}
          pointer={pointer}
          onType={(changed) => onChange({ ...condition, typed: { ...typed, ...changed } })}
        />
      )}
      <p className="fault" id={`${id}-fault`} role="alert">
        {fault}
      </p>
    </fieldset>
  )
}

/** Another shape of the value has other questions. */
function withOperator(condition: DraftCondition, operator: string): DraftCondition {
  const isSame = valueShape(condition.name, condition.operator) === valueShape(condition.name, operator)
  const { 'value.currency': currency } = condition.typed
  const typed: Typed = isSame ? condition.typed : currency === undefined ? {} : { 'value.currency': currency }
  return { ...condition, operator, typed }
}

function NameOptions({ names }: { readonly names: readonly string[] }) {
  const known = names.map((name) => ({
    name,
    ...(NAMES[name as Condition['name']] ?? { label: name, group: 'Other' }),
  }))
  return [...Map.groupBy(known, ({ group }) => group)].map(([group, own]) => (
    <optgroup key={group} label={group}>
      {own.map(({ name, label }) => (
        <option key={name} value={name}>
          {label}
        </option>
      ))}
    </optgroup>
  ))
}

type ValueProps = Pick<ConditionsProps, 'faults' | 'pointer'> & {
  readonly of: DraftCondition
  readonly onType: (changed: Typed) => void
}

function Value({ of: { name, operator, typed }, faults, pointer, onType }: ValueProps) {
  const fields = valueFields(name, operator, typed)
  if (fields.length === 0) return null
  const own = fields.flatMap((field) => {
    const at = `${pointer}/${field.name.replaceAll('.', '/')}`
    const found = Object.entries(faults).find(([one]) => one === at || one.startsWith(`${at}/`))
    return found ? [[field.name, found[1]] as const] : []
  })
  return (
    <div className="condition-value">
      <Fields
        fields={fields}
        typed={typed}
        faults={Object.fromEntries(own)}
        isLocked={false}
        onType={(field, value) => onType({ [field]: value })}
      />
    </div>
  )
}

type MeanwhileProps = {
  /** The version that the person began with. */
  readonly since: number
  /** As they are now. */
  readonly rules: Rules
  /** The rule as it was then. Undefined: the person writes a new one. */
  readonly opened: Rule | undefined
  readonly onKeep: () => void
  readonly onTake: () => void
}

const SHOWN = 5

/** Others have changed the rules while a person wrote: what they did, and two ways to go on. */
function Meanwhile({ since, rules, opened, onKeep, onTake }: MeanwhileProps) {
  const versions = useRead('GET /flows/versions', { query: { limit: SHOWN } })
  const newer = (versions.data?.items ?? []).filter(({ number }) => number > since)
  const outcomeText = useOutcomeText()
  const now = rules.all.find(({ id }) => id === opened?.id)
  const [own] = opened && now ? differences([opened], [now], outcomeText) : []
  const isGone = opened !== undefined && now === undefined
  return (
    <Notice tone="wait" title="The rules have changed since you opened this" isNews>
      <ul className="meanwhile">
        {newer.map(({ id, number, note, author, created_at }) => (
          <li key={id}>
            <Link to={`${HISTORY.to}/${number}`} className="text-link">
              Version {number}
            </Link>{' '}
            by {author.name}, <When at={created_at} />: {note}
          </li>
        ))}
      </ul>
      <p>{verdictOf(isGone, own !== undefined)}</p>
      {own && <ChangeLines lines={own.lines} />}
      <div className="actions">
        <Button onClick={onKeep}>{isGone ? 'Save mine as a new rule' : 'Keep my changes'}</Button>
        {own && <Button onClick={onTake}>Discard mine and start from theirs</Button>}
      </div>
    </Notice>
  )
}

function verdictOf(isGone: boolean, isChanged: boolean): string {
  if (isGone) return 'This rule was deleted.'
  if (isChanged) return 'This rule was changed. Your changes would replace this:'
  return 'This rule itself has not changed. Nothing you typed is lost.'
}
