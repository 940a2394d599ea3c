import { moneyText } from '../parts/values.tsx'
import { methodName, plain } from '../transactions/words.ts'
import {
  ANSWERS,
  type Condition,
  INSTRUMENTS,
  NAMES,
  OPERATORS,
  type Outcome,
  STRATEGIES,
  THREE_D_SECURE,
  TRANSFORMATIONS,
  valueName,
} from './words.ts'

type Simple = Exclude<Condition, { name: 'any_of' }>

/** More than this are counted, not named. */
const NAMED_MAX = 6

/** A condition as a sentence without its end: “Currency is EUR or USD”. */
export function describeCondition(condition: Condition): string {
  if (condition.name !== 'any_of') return describeSimple(condition)
  return condition.value.map((one) => describeSimple(one as Simple)).join(', or ')
}

function describeSimple(condition: Simple): string {
  const { label } = NAMES[condition.name]
  const verb = OPERATORS[condition.operator]
  switch (condition.name) {
    case 'amount':
      return `${label} ${verb} ${amountText(condition.value)}`
    case 'amount_zero':
      return 'Amount is zero'
    case 'has_gift_cards':
      return answerOf(condition)
    case 'is_subsequent_payment':
      return `It is ${lower(answerOf(condition))}`
    case 'merchant_initiated':
      return `${answerOf(condition)} initiated it`
    case 'metadata':
      return `${label} ${condition.value.key} ${verb} ${list(condition.name, [condition.value.value].flat())}`
    case 'metadata_numeric':
      return `Metadata ${condition.value.key} ${verb} ${condition.value.value}`
    case 'installment_count':
      return `Number of installments ${verb} ${condition.value}`
    case 'split_routing':
      return `${condition.value} % of buyers`
    case 'weekday':
      return `${label} ${verb} ${list(condition.name, condition.value.days)} in ${condition.value.time_zone}`
    case 'time_of_day': {
      const { from, to, time_zone } = condition.value
      return `${label} ${verb} ${from} and ${to} in ${time_zone}`
    }
    default:
      return `${label} ${verb} ${list(condition.name, [condition.value].flat())}`
  }
}

function answerOf({ name, value }: Extract<Simple, { value: boolean }>): string {
  const [yes = 'Yes', no = 'No'] = ANSWERS[name] ?? []
  return value ? yes : no
}

type Amounts = Extract<Simple, { name: 'amount' }>['value']

function amountText(value: Amounts): string {
  const { currency } = value
  if ('min' in value) return `${moneyText(value.min, currency)} and ${moneyText(value.max, currency)}`
  return moneyText(value.value, currency)
}

function list(name: string, values: readonly (string | null)[]): string {
  const named = values.slice(0, NAMED_MAX).map((value) => valueName(name, value))
  const rest = values.length - named.length
  if (rest > 0) return `${named.join(', ')} or ${rest} more`
  const last = named.pop() ?? ''
  return named.length === 0 ? last : `${named.join(', ')} or ${last}`
}

function lower(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1)
}

/** What a rule decides, in a few words. `nameOf` knows the payment services. */
export function describeOutcome(outcome: Outcome, { isMethods, errorCode, nameOf }: OutcomeContext): string {
  switch (outcome.type) {
    case 'card-routing': {
      const { strategy = 'ordered', result } = outcome
      const entries = result.map((entry) => entryText(entry, nameOf))
      if (strategy === 'weighted')
        return result.map(({ weight = 0 }, index) => `${weight} % to ${entries[index]}`).join(', ')
      const order = entries.join(', then ')
      return strategy === 'ordered'
        ? order
        : `${STRATEGIES[strategy]?.label ?? strategy}: ${entries.join(', ')}`
    }
    case 'list':
      if (isMethods && outcome.result.length === 0) return 'Show no method'
      return isMethods
        ? `Show ${outcome.result.map(methodName).join(', ')}`
        : outcome.result.map(nameOf).join(', then ')
    case 'three-d-secure':
      return THREE_D_SECURE[outcome.result] ?? outcome.result
    case 'boolean':
      return errorCode === undefined ? 'Never authenticate' : `Decline with ${errorCode ?? 'flow_decline'}`
  }
}

type OutcomeContext = {
  /** The list names payment methods, not services. */
  readonly isMethods: boolean
  /** Of rules that decline. Undefined: the rule does not. */
  readonly errorCode: string | null | undefined
  readonly nameOf: (id: string) => string
}

type Entry = Extract<Outcome, { type: 'card-routing' }>['result'][number]

function entryText(entry: Entry, nameOf: OutcomeContext['nameOf']): string {
  const { payment_service_id, instrument, transformations = [], retry, max_attempts, cost } = entry
  const notes = [
    ...(instrument === 'pan' ? [] : [INSTRUMENTS[instrument] ?? instrument]),
    ...transformations.map(({ name }) => TRANSFORMATIONS[name] ?? name),
    ...(retry?.on ? [`go on after ${retry.on.map(plain).join(', ')}`] : []),
    ...(retry?.not_on ? [`stop after ${retry.not_on.map(plain).join(', ')}`] : []),
    ...(cost
      ? [`${cost.basis_points / 100} %${cost.fixed ? ` and ${cost.fixed} minor units, such as cents` : ''}`]
      : []),
    ...(max_attempts === undefined ? [] : [`at most ${max_attempts} attempts`]),
  ].map(lower)
  const name = nameOf(payment_service_id)
  return notes.length === 0 ? name : `${name} (${notes.join('; ')})`
}
