import { amountText } from '#domain/currency.ts'
import type { Condition, SimpleCondition } from './schemas.ts'

/** More than this are counted, not named. */
const NAMED_MAX = 5

/** A condition in words, as the end of “it wants that …”. */
export function describeCondition(condition: Condition): string {
  if (condition.name !== 'any_of') return describeSimple(condition)
  return condition.value.map(describeSimple).join(', or ')
}

function describeSimple(condition: SimpleCondition): string {
  switch (condition.name) {
    case 'amount':
      return `the amount is ${spanText(condition)}`
    case 'amount_zero':
      return 'the amount is zero'
    case 'has_gift_cards':
      return condition.value ? 'gift cards pay a part' : 'no gift card pays a part'
    case 'is_subsequent_payment':
      return condition.value ? 'it is a later payment of a series' : 'it is the first payment of a series'
    case 'merchant_initiated':
      return condition.value ? 'the merchant initiated it' : 'the buyer initiated it'
    case 'metadata': {
      const { key, value } = condition.value
      const verb = condition.operator === 'includes' ? 'is' : 'is not'
      return `the metadata ${key} ${verb} ${list([value].flat())}`
    }
    case 'metadata_numeric':
      return `the metadata ${condition.value.key} is ${COMPARISONS[condition.operator]} ${condition.value.value}`
    case 'installment_count':
      return `the number of installments is ${COMPARISONS[condition.operator]} ${condition.value}`
    case 'split_routing':
      return `the payer is among the first ${condition.value} % of this rule`
    case 'weekday': {
      const verb = condition.operator === 'is_one_of' ? 'is' : 'is not'
      return `the day ${verb} ${list(condition.value.days)} in ${condition.value.time_zone}`
    }
    case 'time_of_day': {
      const { from, to, time_zone } = condition.value
      return `the time is between ${from} and ${to} in ${time_zone}`
    }
    default:
      return `${NAMES[condition.name]} ${VERBS[condition.operator]} ${list([condition.value].flat())}`
  }
}

type Named = Extract<SimpleCondition, { value: readonly unknown[] | string }>['name']

const NAMES: Readonly<Record<Named, string>> = {
  anti_fraud_decision: 'the anti-fraud decision',
  browser_language: 'the language of the browser',
  card_bin: 'the start of the card number',
  card_country: 'the country of the card',
  card_issuer_name: 'the issuer',
  card_product_name: 'the product of the card',
  card_scheme: 'the card scheme',
  card_source: 'the source of the card',
  card_type: 'the type of the card',
  country: 'the country',
  currency: 'the currency',
  gift_card_bin: 'the start of a gift card’s number',
  payment_method: 'the payment method',
  payment_source: 'the payment source',
  product_categories: 'the cart’s categories',
  product_types: 'the cart’s product types',
  skus: 'the cart’s SKUs',
}

const VERBS: Readonly<Record<string, string>> = {
  is_one_of: 'is',
  is_not_one_of: 'is not',
  equal_to: 'is',
  like_one_of: 'contains',
  unlike_any_of: 'does not contain',
  includes_all: 'include all of',
  includes_at_least_one: 'include',
  includes_none: 'do not include',
}

const COMPARISONS = {
  less_than: 'less than',
  greater_than: 'more than',
  equal_to: 'equal to',
  less_than_or_equal_to: 'at most',
  greater_than_or_equal_to: 'at least',
} as const

function spanText({ operator, value }: Extract<SimpleCondition, { name: 'amount' }>): string {
  const text = (amount: number) => amountText(amount, value.currency)
  if ('min' in value) return `between ${text(value.min)} and ${text(value.max)}`
  return `${operator === 'less_than' ? 'less than' : 'more than'} ${text(value.value)}`
}

function list(values: readonly unknown[]): string {
  const named = values.slice(0, NAMED_MAX).map((value) => (value === null ? 'not known' : String(value)))
  const rest = values.length - named.length
  return rest > 0 ? `${named.join(', ')} or one of ${rest} more` : named.join(' or ')
}
