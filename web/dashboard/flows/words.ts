import { PLACES } from '../../api/flow-shapes.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { countryName } from '../parts/countries.ts'
import { capital, LOCALE } from '../parts/locale.ts'
import type { Marks } from '../parts/values.tsx'
import { methodName, plain, schemeName, sourceName } from '../transactions/words.ts'

export type Rule = Schemas['FlowRule']
export type Condition = Rule['conditions'][number]
export type Outcome = Rule['outcome']
export type Place = Pick<Rule, 'flow' | 'action'>
type Flow = Place['flow']
type Action = Place['action']
type Name = Condition['name']

const RULES = { to: '/routing', label: 'Rules' } as const
export const TRY = { to: '/routing/try', label: 'Try' } as const
const HEALTH = { to: '/routing/health', label: 'Health' } as const
export const BACK_TESTS = { to: '/routing/back-tests', label: 'Back-tests' } as const
export const HISTORY = { to: '/routing/history', label: 'History' } as const

/** The pages of the area. */
export const WAYS = { label: 'Routing', ways: [RULES, TRY, BACK_TESTS, HEALTH, HISTORY] }

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
    says: 'Checked first: a payment that a rule declines is never sent to a provider.',
    without: 'No payment is declined by rules.',
  },
  'skip-3ds': {
    title: '3-D Secure',
    says: 'Whether the buyer must authenticate.',
    without: 'Each payment service follows its own setting.',
  },
  'route-transaction': {
    title: 'Service routing',
    says: 'Which payment services are tried, and in which order.',
    without:
      'Payments go to the first service that accepts their method, currency and country, in the order of the services list.',
  },
  'select-payment-options': {
    title: 'Payment options',
    says: 'Which methods the checkout shows, and in which order.',
    without: 'The checkout shows every method that your services accept.',
  },
}

/** What a question about a version means if it is left empty. */
export const PRESENT_RULES = 'Leave empty for the current rules.'

/** How a rule is called: by its description, else by its place. */
export function titleOf({ description, position }: Pick<Rule, 'description' | 'position'>): string {
  return description ?? `Rule ${position + 1}`
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
  amount_zero: { label: 'Zero amount', group: 'Payment' },
  currency: { label: 'Currency', group: 'Payment' },
  country: { label: 'Country', group: 'Payment' },
  payment_method: { label: 'Payment method', group: 'Payment' },
  payment_source: { label: 'Payment source', group: 'Payment' },
  merchant_initiated: { label: 'Who initiated it', group: 'Payment' },
  is_subsequent_payment: { label: 'Position in a series', group: 'Payment' },
  installment_count: { label: 'Installments', group: 'Payment' },
  metadata: { label: 'Metadata', group: 'Payment' },
  metadata_numeric: { label: 'Number in metadata', group: 'Payment' },
  card_scheme: { label: 'Card scheme', group: 'Card' },
  card_country: { label: 'Card country', group: 'Card' },
  card_type: { label: 'Card type', group: 'Card' },
  card_bin: { label: 'Card BIN', group: 'Card' },
  card_issuer_name: { label: 'Issuer', group: 'Card' },
  card_product_name: { label: 'Card product', group: 'Card' },
  card_source: { label: 'Card source', group: 'Card' },
  product_categories: { label: 'Categories in the cart', group: 'Cart' },
  product_types: { label: 'Product types in the cart', group: 'Cart' },
  skus: { label: 'SKUs in the cart', group: 'Cart' },
  has_gift_cards: { label: 'Gift cards', group: 'Cart' },
  gift_card_bin: { label: 'Gift card BIN', group: 'Cart' },
  anti_fraud_decision: { label: 'Anti-fraud decision', group: 'Context' },
  browser_language: { label: 'Browser language', group: 'Context' },
  weekday: { label: 'Day of the week', group: 'Context' },
  time_of_day: { label: 'Time of day', group: 'Context' },
  split_routing: { label: 'Share of buyers', group: 'Context' },
  any_of: { label: 'One of several', group: 'Context' },
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
  if (name === 'weekday') return capital(value)
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
    says: 'The first available service. The next one is tried only if the decline allows a retry.',
  },
  weighted: {
    label: 'By percentage',
    says: 'A buyer always gets the same first service. The others follow in order.',
  },
  success_rate: {
    label: 'By approval rate',
    says: 'The service most likely to approve the payment. A small share still goes to the others, so that changes are noticed.',
  },
  least_cost: {
    label: 'By cost',
    says: 'The service with the lowest fees: learned from settlements, or the cost below until a hundred are known.',
  },
}

export const INSTRUMENTS: Readonly<Record<string, string>> = {
  pan: 'Card number',
  network_token: 'Network token',
}

export const TRANSFORMATIONS: Readonly<Record<string, string>> = {
  force_mit: 'Send as merchant-initiated',
  use_additional_scheme: 'Use the card’s second scheme',
}

export const THREE_D_SECURE: Readonly<Record<string, string>> = {
  attempt: 'Follow the service’s setting',
  force: 'Always authenticate',
  skip: 'Never authenticate',
}

/** Why a service would not be asked. */
export function reasonText(reason: string): string {
  return REASONS[reason] ?? plain(reason)
}

const REASONS: Readonly<Record<string, string>> = {
  inactive: 'it is inactive',
  other_method: 'it handles another payment method',
  currency_not_accepted: 'it does not accept the currency',
  country_not_accepted: 'it does not accept the country',
  not_in_rule: 'the rule does not name it',
  no_network_token: 'the card has no network token for it',
  no_second_scheme: 'the card has only one scheme',
  other_service_named: 'the request names another service',
  payment_method_deleted: 'the stored card was deleted',
  scheme_advice: 'the card scheme said not to retry this card',
  scheme_limit: 'the card was declined too often',
}

type Underway = Pick<Schemas['FlowBackTest'], 'status' | 'progress'>

export const PROGRESS: Marks<Underway['status']> = {
  pending: { tone: 'wait', label: 'Waiting' },
  running: { tone: 'wait', label: 'Running' },
  succeeded: { tone: 'good', label: 'Done' },
  failed: { tone: 'bad', label: 'Failed' },
}

export function progressText({ status, progress: { done, total } }: Underway): string {
  const { label } = PROGRESS[status]
  if (status !== 'running') return label
  return total === null ? label : `${label}: ${countText(done)} of ${countText(total)}`
}

const COUNT = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 0 })
const RATE = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 1 })

export function countText(count: number): string {
  return COUNT.format(count)
}

export function rateText(rate: number): string {
  return `${RATE.format(rate * 100)} %`
}
