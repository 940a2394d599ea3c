import { Masked } from '#vault'
import type { TypedCard } from './present.ts'

export type CardFacts = { readonly bin: string; readonly sub_bin: string; readonly last4: string }

/** The part of a number that we may show. */
export function factsOf(number: string): CardFacts {
  return { bin: number.slice(0, 6), sub_bin: number.slice(6, 9), last4: number.slice(-4) }
}

/** Takes a card out of a request, so that it cannot be printed by accident any more. The caller clears it. */
export function readCard({
  number,
  pin,
}: {
  readonly number: string
  readonly pin?: string | null
}): TypedCard {
  return { kind: 'typed', number: new Masked(number), pin: pin ? new Masked(pin) : null }
}

export function clearCard({ number, pin }: TypedCard): void {
  number.clear()
  pin?.clear()
}

/** Parses a provider's time. Null if it is none. */
export function readTime(text: string | null): Date | null {
  const time = text === null ? Number.NaN : Date.parse(text)
  return Number.isNaN(time) ? null : new Date(time)
}
