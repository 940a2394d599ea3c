import { PLACES } from '../../api/flow-shapes.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { countryName } from '../parts/countries.ts'
import type { Tone } from '../parts/status.tsx'
import { methodName, plain, schemeName, sourceName } from '../transactions/words.ts'

export type Rule = Schemas['FlowRule']
export type Condition = Rule['conditions'][number]
export type Outcome = Rule['outcome']
export type Place = Pick<Rule, 'flow' | 'action'>
type Flow = Place['flow']
type Action = Place['action']
type Name = Condition['name']

export const RULES = { to: '/routing', label: 'Rules' } as const
export const TRY = { to: '/routing/try', label: 'Try' } as const
export const HEALTH = { to: '/routing/health', label: 'Health' } as const
export const BACK_TESTS = { to: '/routing/back-tests', label: 'Back-tests' } as const
export const HISTORY = { to: '/routing/history', label: 'History' } as const

/** Flows as people tell payments apart. Two of them are about the same payments: those that are not by card. */
export const GROUPS: readonly {
  readonly id: string
  readonly label: string
  readonly flows: readonly Flow[]
}[] = [
  { id: 'cards', label: 'Card payments', flows: ['card-transaction'] },
  { id: 'others', label: 'Other payments', flows: ['non-card-transaction', 'redirect-transaction'] },
  { id: 'checkout', label: 'Checkout', flows: ['checkout'] },
]

export function groupOf(flow: Flow) {
  return GROUPS.find(({ flows }) => flows.includes(flow)) ?? GROUPS[0]
}

/** The places of some flows, in the order in which they are decided. */
export function placesOf(flows: readonly Flow[]): readonly Place[] {
  return PLACES.filter(({ flow }) => flows.includes(flow))
}

export function isSamePlace(one: Place, other: Place): boolean {
  return one.flow === other.flow && one.action === other.action
}

/** Where the rules of a place are in the dashboard. */
export function pathOf({ flow, action }: Place, id: string): string {
  return `/routing/${flow}/${action}/${id}`
}

/** What each action decides, and what happens without rules. */
export const ACTIONS: Readonly<
  Record<Action, { readonly title: string; readonly says: string; readonly without: string }>
> = {
  'decline-early': {
    title: 'Decline early',
    says: 'Asked first: no provider is asked about a payment that a rule declines.',
    without: 'No payment is declined by a rule.',
  },
  'skip-3ds': {
    title: '3-D Secure',
    says: 'Whether the buyer is authenticated.',
    without: 'Each payment service follows its own setting.',
  },
  'route-transaction': {
    title: 'Choice of services',
    says: 'Which payment services are asked, and in which order.',
    without:
      'Payments go to the first payment service that takes their method, currency and country, in the order of the list of services.',
  },
  'select-payment-options': {
    title: 'Payment options',
    says: 'Which methods a checkout shows, and in which order.',
    without: 'A checkout shows every method that one of your services takes.',
  },
}

type Tried = { readonly kind: string; readonly asked: number; readonly declined: number }

/** What the editor asks before it saves a rule that declines most payments. `kind`: “card payments”. */
export const DECLINING = {
  looks: 'Trying it on the last payments…',
  every: (kind: string) => `Decline all ${kind}?`,
  most: (kind: string) => `Decline most ${kind}?`,
  always: 'The rule has no condition, so it declines every payment that comes to it.',
  tried: ({ kind, asked, declined }: Tried) =>
    declined === asked
      ? `It would have declined all of your last ${asked} ${kind}.`
      : `It would have declined ${declined} of your last ${asked} ${kind}.`,
  untried: (kind: string) => `There are no ${kind} yet to try it on.`,
  effect:
    'No payment service is asked about a payment that it declines. To undo it, delete the rule, or go back to an earlier version under History.',
  goBack: 'Change the rule',
  add: 'Add it and decline them',
  save: 'Save it and decline them',
  stay: 'Keep the rules of now',
  restore: 'Go back and decline them',
} as const

/** What a question about a version means if it is left empty. */
export const PRESENT_RULES = 'Left empty: the rules that apply now.'

/** How a rule is called: by its description, else by its place. */
export function titleOf({ description, position }: Pick<Rule, 'description' | 'position'>): string {
  return description ?? `Rule ${position + 1}`
}

/** “added Euros” as a sentence of its own. */
export function sentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

/** A text of the API, which counts positions and conditions from 0, for people, who count from 1. */
export function fromOne(text: string): string {
  return text
    .replaceAll(/at position (\d+)/g, (_all, number: string) => `at position ${Number(number) + 1}`)
    .replaceAll(/[/]conditions[/](\d+)/g, (_all, number: string) => `condition ${Number(number) + 1}`)
}

/** The names of conditions, and where the editor lists them. */
export const NAMES: Readonly<Record<Name, { readonly label: string; readonly group: string }>> = {
  amount: { label: 'Amount', group: 'Payment' },
  amount_zero: { label: 'Amount of zero', group: 'Payment' },
  currency: { label: 'Currency', group: 'Payment' },
  country: { label: 'Country', group: 'Payment' },
  payment_method: { label: 'Payment method', group: 'Payment' },
  payment_source: { label: 'Payment source', group: 'Payment' },
  merchant_initiated: { label: 'Who initiated it', group: 'Payment' },
  is_subsequent_payment: { label: 'Place in a series', group: 'Payment' },
  installment_count: { label: 'Installments', group: 'Payment' },
  metadata: { label: 'Metadata', group: 'Payment' },
  metadata_numeric: { label: 'Number in metadata', group: 'Payment' },
  card_scheme: { label: 'Card scheme', group: 'Card' },
  card_country: { label: 'Country of the card', group: 'Card' },
  card_type: { label: 'Type of card', group: 'Card' },
  card_bin: { label: 'First digits of the card', group: 'Card' },
  card_issuer_name: { label: 'Issuer', group: 'Card' },
  card_product_name: { label: 'Product of the card', group: 'Card' },
  card_source: { label: 'Source of the card', group: 'Card' },
  product_categories: { label: 'Categories in the cart', group: 'Cart' },
  product_types: { label: 'Product types in the cart', group: 'Cart' },
  skus: { label: 'SKUs in the cart', group: 'Cart' },
  has_gift_cards: { label: 'Gift cards', group: 'Cart' },
  gift_card_bin: { label: 'First digits of a gift card', group: 'Cart' },
  anti_fraud_decision: { label: 'Anti-fraud decision', group: 'Around it' },
  browser_language: { label: 'Language of the browser', group: 'Around it' },
  weekday: { label: 'Day of the week', group: 'Around it' },
  time_of_day: { label: 'Time of day', group: 'Around it' },
  split_routing: { label: 'Share of payers', group: 'Around it' },
  any_of: { label: 'One of several', group: 'Around it' },
}

export const OPERATORS: Readonly<Record<Condition['operator'], string>> = {
  is_one_of: 'is',
  is_not_one_of: 'is not',
  equal_to: 'is',
  like_one_of: 'contains',
  unlike_any_of: 'does not contain',
  includes: 'is',
  excludes: 'is not',
  includes_all: 'include all of',
  includes_at_least_one: 'include one of',
  includes_none: 'include none of',
  less_than: 'is less than',
  less_than_or_equal_to: 'is at most',
  greater_than: 'is more than',
  greater_than_or_equal_to: 'is at least',
  is_between: 'is between',
  is_true: 'holds',
}

/** What yes and no mean, by the name of the condition. */
export const ANSWERS: Readonly<Record<string, readonly [yes: string, no: string]>> = {
  merchant_initiated: ['The merchant', 'The buyer'],
  is_subsequent_payment: ['A later payment of a series', 'The first payment of a series'],
  has_gift_cards: ['Gift cards pay a part', 'No gift card pays a part'],
}

/** One value of a condition, for people. */
export function valueName(name: string, value: string | null): string {
  if (value === null) return 'not known'
  if (name === 'country' || name === 'card_country') return countryName(value)
  if (name === 'card_scheme') return schemeName(value)
  if (name === 'payment_method') return methodName(value)
  if (name === 'payment_source') return sourceName(value)
  if (name === 'card_source') return CARD_SOURCES[value] ?? plain(value)
  if (name === 'weekday') return value.slice(0, 1).toUpperCase() + value.slice(1)
  return OF_LISTS.includes(name) ? plain(value) : value
}

const OF_LISTS = ['card_type', 'anti_fraud_decision', 'product_types']

const CARD_SOURCES: Readonly<Record<string, string>> = {
  applepay: 'Apple Pay',
  googlepay: 'Google Pay',
  raw: 'number in the request',
  token: 'stored card',
}

export const STRATEGIES: Readonly<Record<string, { readonly label: string; readonly says: string }>> = {
  ordered: {
    label: 'In this order',
    says: 'The first that can take the payment. The next one only if the answer allows another try.',
  },
  weighted: {
    label: 'By shares',
    says: 'A buyer always gets the same first service. The others follow in this order.',
  },
  success_rate: {
    label: 'By success',
    says: 'The service that most probably approves the payment. A part of the payments keeps trying the others, so that a change is noticed.',
  },
  least_cost: {
    label: 'By cost',
    says: 'The service whose fees for the payment are lowest: as settled payments tell, or the cost below until a hundred of them are known.',
  },
}

export const INSTRUMENTS: Readonly<Record<string, string>> = {
  pan: 'Card number',
  network_token: 'Network token',
}

export const TRANSFORMATIONS: Readonly<Record<string, string>> = {
  force_mit: 'Say that the merchant initiated it',
  use_additional_scheme: 'Use the second scheme of the card',
}

export const THREE_D_SECURE: Readonly<Record<string, string>> = {
  attempt: 'As the payment service is set up',
  force: 'Always authenticate',
  skip: 'Never authenticate',
}

/** Why a service would not be asked. */
export function reasonText(reason: string): string {
  return REASONS[reason] ?? plain(reason)
}

const REASONS: Readonly<Record<string, string>> = {
  inactive: 'it is switched off',
  other_method: 'it takes another payment method',
  currency_not_accepted: 'it does not accept the currency',
  country_not_accepted: 'it does not accept the country',
  not_in_rule: 'the rule does not name it',
  no_network_token: 'the card has no network token for it',
  no_second_scheme: 'the card has one scheme only',
  other_service_named: 'the request names another service',
  payment_method_deleted: 'the stored card was deleted',
  scheme_advice: 'the card’s scheme says not to try the card',
  scheme_limit: 'the card was declined too often',
}

type Underway = Pick<Schemas['FlowBackTest'], 'status' | 'progress'>

export const PROGRESS: Readonly<Record<Underway['status'], { readonly tone: Tone; readonly label: string }>> =
  {
    pending: { tone: 'wait', label: 'Waiting' },
    running: { tone: 'wait', label: 'Under way' },
    succeeded: { tone: 'good', label: 'Done' },
    failed: { tone: 'bad', label: 'Failed' },
  }

export function progressText({ status, progress: { done, total } }: Underway): string {
  const { label } = PROGRESS[status]
  if (status !== 'running') return label
  return total === null ? label : `${label}: ${countText(done)} of ${countText(total)}`
}

const COUNT = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const RATE = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

export function countText(count: number): string {
  return COUNT.format(count)
}

export function rateText(rate: number): string {
  return `${RATE.format(rate * 100)} %`
}
