import * as cards from './cards.ts'
import { isNumber } from './numbers.ts'
import type { Office } from './office.ts'
import type { Pins } from './pins.ts'
import { hasCards, type Programs } from './programs.ts'
import { type Refusal, refused } from './rules.ts'
import type { Turns } from './turns.ts'

/** An office with what it remembers while it is open. */
export type Desk = Office & { readonly pins: Pins; readonly programs: Programs; readonly turns: Turns }

export type Presented = {
  readonly programId: string
  readonly number: string
  readonly pin: string | null
  /** A shop that activates or loads a card at a till does not know its PIN. */
  readonly isPinNeeded: boolean
}

/** A refused card has a `cardId` if its number was found. */
export type Identified =
  | { readonly cardId: string; readonly refusal: null }
  | { readonly cardId: string | null; readonly refusal: Refusal }

/** Finds the presented card and checks its PIN. A wrong PIN gets the same answer as a wrong number. */
export async function identify(desk: Desk, presented: Presented): Promise<Identified> {
  const { programId, number, pin, isPinNeeded } = presented
  const card = isNumber(number) ? await cards.find(desk, programId, cards.numberHashOf(desk, number)) : null
  if (!card) {
    return { cardId: null, refusal: (await hasCards(desk, programId)) ? UNKNOWN_CARD : EMPTY_PROGRAM }
  }
  const { id: cardId } = card
  if (pin === null) return isPinNeeded ? { cardId, refusal: MISSING_PIN } : { cardId, refusal: null }
  const verdict = await desk.pins.check(card, pin)
  if (verdict === 'right') return { cardId, refusal: null }
  return { cardId, refusal: verdict === 'locked' ? LOCKED : UNKNOWN_CARD }
}

const UNKNOWN_CARD = refused('invalid_gift_card', 'unknown_card', 'no card has this number and PIN')
const MISSING_PIN = refused('invalid_gift_card', 'missing_pin', 'the PIN is missing')
const LOCKED = refused('suspected_fraud', 'too_many_wrong_pins', 'too many wrong PINs; try again later')
const EMPTY_PROGRAM = refused(
  'invalid_service_credentials',
  'empty_program',
  'there are no cards under this program and program_key',
)
