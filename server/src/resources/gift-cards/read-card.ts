import { Masked } from '#vault'
import type { TypedCard } from './present.ts'

export type CardFacts = { readonly bin: string; readonly sub_bin: string; readonly last4: string }

/** What may be known of a number. */
export function factsOf(number: string): CardFacts {
  return { bin: number.slice(0, 6), sub_bin: number.slice(6, 9), last4: number.slice(-4) }
}

/** Takes a card out of a request, so that from here on it cannot be printed by accident. Whoever calls it clears it. */
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

/** A time in the words of a provider. Null when it is none. */
export function readTime(text: string | null): Date | null {
  const time = text === null ? Number.NaN : Date.parse(text)
  return Number.isNaN(time) ? null : new Date(time)
}
