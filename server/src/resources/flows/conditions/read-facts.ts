import type { Facts } from './facts.ts'
import { CARD_BIN_DIGITS, type Range, readRange, searchIn } from './ranges.ts'

type ReadText = (facts: Facts) => string | null

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

/** The keys are the merchant's: `constructor` is one like any other. Undefined: the payment has no such key. */
export function readMetadata(metadata: Facts['metadata'], key: string): string | undefined {
  return Object.hasOwn(metadata, key) ? metadata[key] : undefined
}

export type Listed = { readonly operator: 'is_one_of' | 'is_not_one_of'; readonly value: readonly string[] }

export function testBin({ operator, value }: Listed): (bin: number) => boolean {
  const isIn = searchIn(rangesIn(value, CARD_BIN_DIGITS))
  const wanted = operator === 'is_one_of'
  return (bin) => isIn(bin) === wanted
}

export function rangesIn(texts: readonly string[], digits: number): Range[] {
  return texts.flatMap((text) => readRange(text, digits) ?? [])
}
