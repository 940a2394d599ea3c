import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { send, useReadAll } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Ask } from '../parts/ask.tsx'
import { Button, Icon, Menu, Popover } from '../parts/controls.tsx'
import { type Field, field, type Option, type Typed } from '../parts/fields.tsx'
import { type Column, column, Table } from '../parts/list/table.tsx'
import { EmptyCard, Loaded, Page } from '../parts/page.tsx'
import { Marked, type Marks, typedText } from '../parts/values.tsx'
import './three-ds-scenarios.css'

type Act = { readonly kind: 'new' } | { readonly kind: 'edit' | 'delete'; readonly of: Scenario }

export const pages = { '/': ScenarioList }

function ScenarioList() {
  const may = useMay()
  const scenarios = useReadAll('GET /three-ds-scenarios')
  const [act, setAct] = useState<Act>()
  const canChange = may('three-ds-scenarios.write')
  const add = canChange && (
    <Button tone="main" icon="plus" onClick={() => setAct({ kind: 'new' })}>
      New scenario
    </Button>
  )
  return (
    <Page
      title="3DS scenarios"
      under="How the sandbox bank responds to 3-D Secure. The matching scenario with the most conditions applies, then the newest."
      actions={add}
    >
      <Loaded of={scenarios}>
        {(items) =>
          items.length === 0 ? (
            <EmptyCard title="No scenarios yet" action={add}>
              Without scenarios, the test card number decides whether the bank challenges the buyer.
            </EmptyCard>
          ) : (
            <div className="card flush table-card">
              <Table
                label="3DS scenarios: rows"
                rows={inOrder(items)}
                columns={canChange ? [...COLUMNS, actsColumn(setAct)] : COLUMNS}
              />
            </div>
          )
        }
      </Loaded>
      {act?.kind === 'delete' && <Delete of={act.of} onClose={() => setAct(undefined)} />}
      {act && act.kind !== 'delete' && (
        <Save of={act.kind === 'edit' ? act.of : undefined} onClose={() => setAct(undefined)} />
      )}
    </Page>
  )
}

const COLUMNS: readonly Column<Scenario>[] = [
  column('conditions', 'Conditions', { cell: (row) => <Conditions of={row} /> }),
  column('answer', 'Bank response', {
    cell: (row) => (
      <span className="answer">
        <Marked of={answerOf(row)} />
        {resultOf(row) && <small>{resultOf(row)}</small>}
      </span>
    ),
  }),
  column('created_at', 'Created', { from: 'desktop', isTime: true, text: 'created_at' }),
]

function Conditions({ of }: { readonly of: Scenario }) {
  const conditions = conditionsOf(of)
  if (conditions.length === 0) return 'Every card'
  return (
    <span className="conditions">
      {conditions.map(([name, value]) => (
        <span key={name}>
          {name} <b>{value}</b>
        </span>
      ))}
    </span>
  )
}

function actsColumn(onAct: (act: Act) => void): Column<Scenario> {
  return column('acts', 'Actions', {
    isNumber: true,
    cell: (of) => (
      <span className="row-actions">
        <Popover
          className="button quiet icon-only"
          side="end"
          label="Scenario actions"
          button={<Icon name="more" />}
        >
          {(close) => (
            <Menu
              close={close}
              items={[
                { label: 'Edit', onChoose: () => onAct({ kind: 'edit', of }) },
                { label: 'Delete', onChoose: () => onAct({ kind: 'delete', of }) },
              ]}
            />
          )}
        </Popover>
      </span>
    ),
  })
}

type SaveProps = { readonly of: Scenario | undefined; readonly onClose: () => void }

function Save({ of, onClose }: SaveProps) {
  return (
    <Ask
      title={of ? 'Edit the scenario' : 'New 3DS scenario'}
      verb="Save"
      isWide
      says="Applies to new payments through services with 3-D Secure. Empty conditions match every payment."
      fields={fieldsFor}
      initial={of ? valuesOf(of) : {}}
      send={(body, idempotencyKey) =>
        of
          ? send('PUT /three-ds-scenarios/{three_ds_scenario_id}', {
              path: { three_ds_scenario_id: of.id },
              body: body as Schemas['UpdateThreeDSScenario'],
            })
          : send('POST /three-ds-scenarios', {
              body: body as Schemas['CreateThreeDSScenario'],
              idempotencyKey,
            })
      }
      outcome="The scenario was saved"
      onClose={onClose}
    />
  )
}

function Delete({ of, onClose }: SaveProps & { readonly of: Scenario }) {
  return (
    <Ask
      title="Delete the scenario"
      verb="Delete"
      isDangerous
      says="Payments waiting for the buyer keep their scenario."
      send={() =>
        send('DELETE /three-ds-scenarios/{three_ds_scenario_id}', { path: { three_ds_scenario_id: of.id } })
      }
      outcome="The scenario was deleted"
      deletedId={of.id}
      onClose={onClose}
    />
  )
}

type Scenario = Schemas['ThreeDSScenario']
type Answer = Scenario['outcome']['authentication']['transaction_status']
type Result = 'Y' | 'N' | 'timeout'

const ANSWERS: Marks<Answer> = {
  Y: { tone: 'good', label: 'Authenticated' },
  C: { tone: 'info', label: 'Challenge' },
  A: { tone: 'good', label: 'Attempted' },
  U: { tone: 'wait', label: 'Unavailable' },
  N: { tone: 'bad', label: 'Refused' },
  R: { tone: 'bad', label: 'Rejected' },
  timeout: { tone: 'wait', label: 'No answer' },
}

const RESULTS: Readonly<Record<Result, string>> = {
  Y: 'Buyer authenticates',
  N: 'Buyer fails',
  timeout: 'No answer',
}

function answerOf({ outcome }: Scenario) {
  return ANSWERS[outcome.authentication.transaction_status]
}

/** What follows a challenge. */
function resultOf({ outcome }: Scenario): string | null {
  return outcome.result ? RESULTS[outcome.result.transaction_status] : null
}

const CONDITIONS = {
  card_number: 'Card',
  email_address: 'E-mail address',
  amount: 'Amount',
  first_name: 'First name',
  last_name: 'Last name',
  external_identifier: 'Buyer’s reference',
} as const

type Condition = keyof typeof CONDITIONS

/** The conditions that are set. */
function conditionsOf({ conditions }: Scenario): readonly (readonly [string, string])[] {
  return (Object.keys(CONDITIONS) as Condition[]).flatMap((name) =>
    conditions[name] === null ? [] : [[CONDITIONS[name], shown(name, conditions[name])] as const],
  )
}

function shown(name: Condition, value: string | number): string {
  return name === 'amount' ? typedText(Number(value), 'USD') : String(value)
}

/** In the order in which they count: the most conditions first, then the newest. */
function inOrder(scenarios: readonly Scenario[]): readonly Scenario[] {
  return scenarios.toSorted(
    (one, other) =>
      conditionsOf(other).length - conditionsOf(one).length || other.created_at.localeCompare(one.created_at),
  )
}

/** A result goes with a challenge, and with nothing else. */
function fieldsFor(typed: Typed): readonly Field[] {
  const isChallenge = typed['outcome.authentication.transaction_status'] === 'C'
  return [
    ...QUESTIONS,
    field('choice', 'outcome.authentication.transaction_status', 'Bank response', {
      isRequired: true,
      heading: 'Outcome',
      options: optionsOf(ANSWERS, ({ label }) => label),
    }),
    ...(isChallenge
      ? [
          field('choice', 'outcome.result.transaction_status', 'After the challenge', {
            isRequired: true,
            options: optionsOf(RESULTS, (label) => label),
          }),
        ]
      : []),
    field('text', 'outcome.version', '3-D Secure version', { hint: 'Defaults to 2.2.0', whenEmpty: 'null' }),
  ]
}

const QUESTIONS: readonly Field[] = [
  field('text', 'conditions.card_number', 'Card number', {
    heading: 'Conditions (all must match)',
    hint: 'A test card. Only its first and last digits are shown later.',
    whenEmpty: 'null',
  }),
  field('email', 'conditions.email_address', 'E-mail address', { isHalf: true, whenEmpty: 'null' }),
  field('money', 'conditions.amount', 'Amount', {
    currency: 'USD',
    isOfAny: true,
    hint: 'In any currency with two decimals.',
    isHalf: true,
    whenEmpty: 'null',
  }),
  field('text', 'conditions.first_name', 'First name', { isHalf: true, whenEmpty: 'null' }),
  field('text', 'conditions.last_name', 'Last name', { isHalf: true, whenEmpty: 'null' }),
  field('text', 'conditions.external_identifier', 'Buyer’s reference', { whenEmpty: 'null' }),
]

function optionsOf<Value>(
  words: Readonly<Record<string, Value>>,
  label: (value: Value) => string,
): readonly Option[] {
  return Object.entries(words).map(([value, word]) => ({ value, label: label(word) }))
}

/** A scenario as the form has it: names with dots. */
function valuesOf({ conditions, outcome }: Scenario) {
  return {
    ...Object.fromEntries(Object.entries(conditions).map(([name, value]) => [`conditions.${name}`, value])),
    'outcome.version': outcome.version,
    'outcome.authentication.transaction_status': outcome.authentication.transaction_status,
    'outcome.result.transaction_status': outcome.result?.transaction_status,
  }
}
