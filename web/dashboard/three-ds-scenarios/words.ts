import type { Schemas } from '../../api/schema.d.ts'
import type { Field, Option, Typed } from '../parts/fields.tsx'
import { type Tone, typedText } from '../parts/values.tsx'

export type Scenario = Schemas['ThreeDSScenario']
type Answer = Scenario['outcome']['authentication']['transaction_status']
type Result = 'Y' | 'N' | 'timeout'

const ANSWERS: Readonly<Record<Answer, { readonly tone: Tone; readonly label: string }>> = {
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

export function answerOf({ outcome }: Scenario) {
  return ANSWERS[outcome.authentication.transaction_status]
}

/** What follows a challenge. */
export function resultOf({ outcome }: Scenario): string | null {
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
export function conditionsOf({ conditions }: Scenario): readonly (readonly [string, string])[] {
  return (Object.keys(CONDITIONS) as Condition[]).flatMap((name) =>
    conditions[name] === null ? [] : [[CONDITIONS[name], shown(name, conditions[name])] as const],
  )
}

function shown(name: Condition, value: string | number): string {
  return name === 'amount' ? typedText(Number(value), 'USD') : String(value)
}

/** In the order in which they count: the most conditions first, then the newest. */
export function inOrder(scenarios: readonly Scenario[]): readonly Scenario[] {
  return scenarios.toSorted(
    (one, other) =>
      conditionsOf(other).length - conditionsOf(one).length || other.created_at.localeCompare(one.created_at),
  )
}

/** A result goes with a challenge, and with nothing else. */
export function fieldsFor(typed: Typed): readonly Field[] {
  const isChallenge = typed['outcome.authentication.transaction_status'] === 'C'
  return [
    ...QUESTIONS,
    {
      name: 'outcome.authentication.transaction_status',
      label: 'Bank response',
      kind: 'choice',
      isRequired: true,
      heading: 'Outcome',
      options: optionsOf(ANSWERS, ({ label }) => label),
    },
    ...(isChallenge
      ? [
          {
            name: 'outcome.result.transaction_status',
            label: 'After the challenge',
            kind: 'choice',
            isRequired: true,
            options: optionsOf(RESULTS, (label) => label),
          } as const,
        ]
      : []),
    {
      name: 'outcome.version',
      label: '3-D Secure version',
      kind: 'text',
      hint: 'Defaults to 2.2.0',
      whenEmpty: 'null',
    },
  ]
}

const QUESTIONS: readonly Field[] = [
  {
    name: 'conditions.card_number',
    label: 'Card number',
    kind: 'text',
    heading: 'Conditions (all must match)',
    hint: 'A test card. Only its first and last digits are shown later.',
    whenEmpty: 'null',
  },
  {
    name: 'conditions.email_address',
    label: 'E-mail address',
    kind: 'email',
    isHalf: true,
    whenEmpty: 'null',
  },
  {
    name: 'conditions.amount',
    label: 'Amount',
    kind: 'money',
    currency: 'USD',
    isOfAny: true,
    hint: 'In any currency with two decimals.',
    isHalf: true,
    whenEmpty: 'null',
  },
  { name: 'conditions.first_name', label: 'First name', kind: 'text', isHalf: true, whenEmpty: 'null' },
  { name: 'conditions.last_name', label: 'Last name', kind: 'text', isHalf: true, whenEmpty: 'null' },
  { name: 'conditions.external_identifier', label: 'Buyer’s reference', kind: 'text', whenEmpty: 'null' },
]

function optionsOf<Value>(
  words: Readonly<Record<string, Value>>,
  label: (value: Value) => string,
): readonly Option[] {
  return Object.entries(words).map(([value, word]) => ({ value, label: label(word) }))
}

/** A scenario as the form has it: names with dots. */
export function valuesOf({ conditions, outcome }: Scenario) {
  return {
    ...Object.fromEntries(Object.entries(conditions).map(([name, value]) => [`conditions.${name}`, value])),
    'outcome.version': outcome.version,
    'outcome.authentication.transaction_status': outcome.authentication.transaction_status,
    'outcome.result.transaction_status': outcome.result?.transaction_status,
  }
}
