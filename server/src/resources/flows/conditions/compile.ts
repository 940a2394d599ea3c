import type { Facts } from './facts.ts'
import { CARD_BIN_DIGITS, GIFT_CARD_BIN_DIGITS, type Range, readRange, searchIn } from './ranges.ts'
import type { Condition, SimpleCondition } from './schemas.ts'

/** Facts that are one text, by the name of the condition that asks for it. Null: not known. */
export const TEXTS: Readonly<Record<string, ReadText>> = {
  anti_fraud_decision: (facts) => facts.anti_fraud_decision,
  browser_language: (facts) => facts.browser_language,
  card_country: ({ card }) => card?.country ?? null,
  card_source: ({ card }) => card?.source ?? null,
  card_type: ({ card }) => card?.type ?? null,
  country: (facts) => facts.country,
  currency: (facts) => facts.currency,
  payment_method: (facts) => facts.payment_method,
  payment_source: (facts) => facts.payment_source,
}

/** Whether a payment meets a condition. Null: the fact that it asks for is not known. */
type Verdict = boolean | null
export type Test = (facts: Facts) => Verdict

const PERCENT = 100

/** Prepares a condition once, so that a payment only looks things up. The salt keeps the splits of rules apart. */
export function compile(condition: Condition, salt: string): Test {
  if (condition.name !== 'any_of') return compileSimple(condition, salt)
  const tests = condition.value.map((inner) => compileSimple(inner, salt))
  return (facts) => {
    let verdict: Verdict = false
    for (const test of tests) {
      const one = test(facts)
      if (one) return true
      if (one === null) verdict = null
    }
    return verdict
  }
}

function compileSimple(condition: SimpleCondition, salt: string): Test {
  switch (condition.name) {
    case 'amount':
      return compileAmount(condition)
    case 'amount_zero':
      return ({ amount }) => (amount === null ? null : amount === 0)
    case 'anti_fraud_decision':
    case 'browser_language':
    case 'card_country':
    case 'card_source':
    case 'card_type':
    case 'country':
    case 'currency':
    case 'payment_source':
      return isOneOf(condition, TEXTS[condition.name] as (facts: Facts) => string | null)
    case 'card_bin': {
      const test = testBin(condition)
      return ({ card }) => (card && card.bin !== null ? test(card.bin) : null)
    }
    case 'card_issuer_name':
      return isLike(condition, ({ card }) => card?.issuer_name ?? null)
    case 'card_product_name':
      // Tables of BINs do not tell the name of the product.
      return () => null
    case 'card_scheme':
      return compileScheme(condition)
    case 'gift_card_bin':
      return compileGiftCardBin(condition)
    case 'has_gift_cards':
    case 'is_subsequent_payment':
    case 'merchant_initiated': {
      const { name, value } = condition
      return (facts) => (facts[name] === null ? null : facts[name] === value)
    }
    case 'installment_count': {
      const { operator, value } = condition
      return ({ installment_count: count }) => (count === null ? null : compare(operator, count, value))
    }
    case 'metadata':
      return compileMetadata(condition)
    case 'metadata_numeric':
      return compileNumericMetadata(condition)
    case 'payment_method': {
      const { operator, value } = condition
      if (operator !== 'equal_to')
        return isOneOf({ operator, value: value as readonly string[] }, (facts) => facts.payment_method)
      return ({ payment_method: method }) => (method === null ? null : method === value)
    }
    case 'product_categories':
      return includes(condition, ({ cart_items }) => cart_items.flatMap(({ categories }) => categories ?? []))
    case 'product_types':
      return includes(condition, ({ cart_items }) =>
        cart_items.map(({ product_type }) => product_type ?? null),
      )
    case 'skus':
      return includes(condition, ({ cart_items }) => cart_items.flatMap(({ sku }) => sku ?? []))
    case 'split_routing': {
      const share = condition.value / PERCENT
      return ({ shareOf }) => {
        const own = shareOf(salt)
        return own === null ? null : own < share
      }
    }
    case 'weekday':
      return compileWeekday(condition)
    case 'time_of_day':
      return compileTimeOfDay(condition)
  }
}

type Of<Name> = Extract<SimpleCondition, { name: Name }>

function isOneOf({ operator, value }: Listed, find: (facts: Facts) => string | null): Test {
  const values = new Set(value)
  const wanted = operator === 'is_one_of'
  return (facts) => {
    const found = find(facts)
    return found === null ? null : values.has(found) === wanted
  }
}

/** A null in the list is a card whose scheme is not known. */
function compileScheme({ operator, value }: Of<'card_scheme'>): Test {
  const values = new Set<string | null>(value)
  const wanted = operator === 'is_one_of'
  const isNullNamed = values.has(null)
  return ({ card }) => {
    if (!card || (card.scheme === null && !isNullNamed)) return null
    return values.has(card.scheme) === wanted
  }
}

/** `is_not_one_of` holds if none of the gift cards begins like this. */
function compileGiftCardBin({ operator, value }: Listed): Test {
  const isIn = searchIn(rangesIn(value, GIFT_CARD_BIN_DIGITS))
  const wanted = operator === 'is_one_of'
  return ({ gift_card_bins: bins }) => (bins.length > 0 ? bins.some(isIn) === wanted : null)
}

type Like = { readonly operator: 'like_one_of' | 'unlike_any_of'; readonly value: readonly string[] }

function isLike({ operator, value }: Like, find: (facts: Facts) => string | null): Test {
  const parts = value.map((part) => part.toLowerCase())
  const wanted = operator === 'like_one_of'
  return (facts) => {
    const found = find(facts)?.toLowerCase()
    return found === undefined ? null : parts.some((part) => found.includes(part)) === wanted
  }
}

type Includes = {
  readonly operator: 'includes_all' | 'includes_at_least_one' | 'includes_none'
  readonly value: readonly (string | null)[]
}

/** A payment without a cart says nothing about its items. */
function includes({ operator, value }: Includes, find: (facts: Facts) => readonly (string | null)[]): Test {
  const isMet = (found: ReadonlySet<string | null>) => {
    switch (operator) {
      case 'includes_all':
        return value.every((one) => found.has(one))
      case 'includes_at_least_one':
        return value.some((one) => found.has(one))
      case 'includes_none':
        return !value.some((one) => found.has(one))
    }
  }
  return (facts) => (facts.cart_items.length === 0 ? null : isMet(new Set(find(facts))))
}

/** Amounts of another currency are not compared: the condition is then not met. */
function compileAmount({ operator, value }: Of<'amount'>): Test {
  const isMet = amountTest(operator, value)
  return ({ amount, currency }) => {
    if (amount === null || currency === null) return null
    return currency === value.currency && isMet(amount)
  }
}

function amountTest(
  operator: Of<'amount'>['operator'],
  value: Of<'amount'>['value'],
): (amount: number) => boolean {
  if (operator === 'is_between') {
    const { min, max } = value as { min: number; max: number }
    return (amount) => amount >= min && amount <= max
  }
  const { value: limit } = value as { value: number }
  return operator === 'less_than' ? (amount) => amount < limit : (amount) => amount > limit
}

/** A payment without the key excludes every value of it. */
function compileMetadata({ operator, value: { key, value } }: Of<'metadata'>): Test {
  const values = new Set([value].flat())
  const wanted = operator === 'includes'
  return ({ metadata }) => {
    const found = readMetadata(metadata, key)
    return (found !== undefined && values.has(found)) === wanted
  }
}

/** Text that is no plain number is not known as a number. */
const NUMBER = /^-?\d{1,15}(\.\d{1,15})?$/

function compileNumericMetadata({ operator, value: { key, value } }: Of<'metadata_numeric'>): Test {
  return ({ metadata }) => {
    const found = readMetadata(metadata, key)
    return found === undefined || !NUMBER.test(found) ? null : compare(operator, Number(found), value)
  }
}

function compare(operator: Of<'metadata_numeric'>['operator'], found: number, value: number): boolean {
  switch (operator) {
    case 'less_than':
      return found < value
    case 'greater_than':
      return found > value
    case 'equal_to':
      return found === value
    case 'less_than_or_equal_to':
      return found <= value
    case 'greater_than_or_equal_to':
      return found >= value
  }
}

function compileWeekday({ operator, value: { time_zone, days } }: Of<'weekday'>): Test {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: time_zone, weekday: 'long' })
  const named = new Set<string>(days)
  const wanted = operator === 'is_one_of'
  return ({ at }) => named.has(format.format(at).toLowerCase()) === wanted
}

/** From 22:00 to 06:00 is the night: the end may be on the next day. The end itself does not count. */
function compileTimeOfDay({ value: { time_zone, from, to } }: Of<'time_of_day'>): Test {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: time_zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  return ({ at }) => {
    const time = format.format(at)
    return from < to ? time >= from && time < to : time >= from || time < to
  }
}

type ReadText = (facts: Facts) => string | null

/** The keys are the merchant's: `constructor` is one like any other. Undefined: the payment has no such key. */
export function readMetadata(metadata: Facts['metadata'], key: string): string | undefined {
  return Object.hasOwn(metadata, key) ? metadata[key] : undefined
}

type Listed = { readonly operator: 'is_one_of' | 'is_not_one_of'; readonly value: readonly string[] }

export function testBin({ operator, value }: Listed): (bin: number) => boolean {
  const isIn = searchIn(rangesIn(value, CARD_BIN_DIGITS))
  const wanted = operator === 'is_one_of'
  return (bin) => isIn(bin) === wanted
}

function rangesIn(texts: readonly string[], digits: number): Range[] {
  return texts.flatMap((text) => readRange(text, digits) ?? [])
}
