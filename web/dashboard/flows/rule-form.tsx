import { type FormEvent, useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { ApiError, send } from '../api/client.ts'
import { ProgressNotice, useAct } from '../parts/ask.tsx'
import { Button } from '../parts/controls.tsx'
import { type Faults, Fields } from '../parts/fields.tsx'
import { Columns, Section } from '../parts/page.tsx'
import { notify } from '../shell/notices.tsx'
import { BackTestCard } from './back-test-card.tsx'
import { Conditions } from './conditions.tsx'
import { AskToDecline, useDeclineGuard } from './decline-guard.tsx'
import { CONDITIONS_MAX, type Draft, draftOf, namesFor, readDraft } from './draft.ts'
import { Meanwhile } from './meanwhile.tsx'
import { OutcomeEditor } from './outcome.tsx'
import { Warnings } from './rule-row.tsx'
import { TryCard } from './try-card.tsx'
import { isStale } from './use-move.ts'
import { asDraft, inOrder, type Rules, rulesAt } from './use-rules.ts'
import { ACTIONS, DECLINING, type Place, type Rule, titleOf } from './words.ts'

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
                {
                  name: 'description',
                  label: 'Description',
                  kind: 'text',
                  placeholder: 'Euros stay in Europe',
                  hint: 'Shown on payments as the reason for the routing.',
                },
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
              goBack={DECLINING.goBack}
              goOn={rule ? DECLINING.save : DECLINING.add}
            />
          )}
          <div className="form-actions">
            <Button type="submit" tone="main" disabled={form.isBusy}>
              {form.guard.isLooking ? DECLINING.looks : form.isBusy ? 'Saving…' : rule ? 'Save' : 'Add rule'}
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
    faults: Object.fromEntries(here.map(({ pointer, message }) => [pointer, sentence(message)])),
    others: elsewhere.map(({ message }) => sentence(message)),
  }
}

function sentence(message: string): string {
  return `${message.slice(0, 1).toUpperCase()}${message.slice(1)}.`
}

function withDraft(
  all: readonly Rule[],
  current: Rule | undefined,
  draft: Schemas['DraftRule'],
): readonly Schemas['DraftRule'][] {
  if (current) return inOrder(all).map((rule) => (rule.id === current.id ? draft : asDraft(rule)))
  return [...inOrder(all).map(asDraft), draft]
}
