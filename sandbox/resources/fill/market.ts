import { passesLuhn } from '#domain/card.ts'
import type { Dice, Weighted } from './dice.ts'

export type Market = {
  readonly country: string
  readonly currency: string
  /** How many units of the currency a euro is, roughly. */
  readonly rate: number
  /** How many of the smallest units a unit has. */
  readonly minor: number
  /** Hours ahead of UTC, roughly, so that people shop by day. */
  readonly zone: number
  readonly schemes: Weighted<Scheme>
}

type Scheme = 'visa' | 'mastercard' | 'amex' | 'discover' | 'jcb'

const EUROPE: Weighted<Scheme> = [
  ['visa', 50],
  ['mastercard', 44],
  ['amex', 6],
]
const AMERICA: Weighted<Scheme> = [
  ['visa', 52],
  ['mastercard', 28],
  ['amex', 14],
  ['discover', 6],
]
const JAPAN: Weighted<Scheme> = [
  ['visa', 45],
  ['jcb', 35],
  ['mastercard', 20],
]

/** Where the buyers of a made-up shop live. */
export const MARKETS: Weighted<Market> = [
  [{ country: 'US', currency: 'USD', rate: 1.1, minor: 100, zone: -6, schemes: AMERICA }, 34],
  [{ country: 'DE', currency: 'EUR', rate: 1, minor: 100, zone: 1, schemes: EUROPE }, 18],
  [{ country: 'GB', currency: 'GBP', rate: 0.85, minor: 100, zone: 0, schemes: EUROPE }, 15],
  [{ country: 'FR', currency: 'EUR', rate: 1, minor: 100, zone: 1, schemes: EUROPE }, 11],
  [{ country: 'NL', currency: 'EUR', rate: 1, minor: 100, zone: 1, schemes: EUROPE }, 8],
  [{ country: 'AU', currency: 'AUD', rate: 1.65, minor: 100, zone: 10, schemes: AMERICA }, 5],
  [{ country: 'BR', currency: 'BRL', rate: 6, minor: 100, zone: -3, schemes: EUROPE }, 5],
  [{ country: 'JP', currency: 'JPY', rate: 160, minor: 1, zone: 9, schemes: JAPAN }, 4],
]

export type Card = {
  readonly number: string
  readonly expiration_date: string
  readonly security_code: string
}

const STARTS: Readonly<Record<Scheme, readonly string[]>> = {
  visa: ['411111', '424242', '400000'],
  mastercard: ['555555', '520082', '222300'],
  amex: ['378282', '371449'],
  discover: ['601111'],
  jcb: ['353011'],
}

/** Cards whose issuers take part in 3-D Secure, and agree without asking the buyer. */
const FRICTIONLESS: Partial<Record<Scheme, string>> = {
  visa: '4111111111101203',
  mastercard: '5200000000001203',
  amex: '340000000022003',
  jcb: '3558111111121203',
}
/** The issuer asks the buyer, who does not come back. */
const CHALLENGE = '4111111111102011'

/** Whose buyers dispute each payment, and one of which the bank decides for the merchant later. */
const DISPUTED: Weighted<string> = [
  ['4000000000610008', 4],
  ['5555000000610004', 3],
  ['378200000610006', 1],
  ['4000000000611006', 2],
]

export function drawDisputedCard(dice: Dice, now: Date): Card {
  return describe(dice, dice.pick(DISPUTED), now)
}

/** A made-up card. The years are those after `now`. */
export function drawCard(dice: Dice, { schemes }: Market, now: Date): Card {
  const scheme = dice.pick(schemes)
  const starts = STARTS[scheme]
  const length = scheme === 'amex' ? 15 : 16
  const start = starts[dice.between(0, starts.length - 1)] ?? ''
  const middle = Array.from({ length: length - start.length - 1 }, () => dice.between(0, 9)).join('')
  return describe(dice, withCheckDigit(start + middle), now)
}

export function drawCheckedCard(dice: Dice, { schemes }: Market, now: Date): Card {
  const agreed = FRICTIONLESS[dice.pick(schemes)] ?? FRICTIONLESS.visa ?? ''
  return describe(dice, dice.isBelow(0.1) ? CHALLENGE : agreed, now)
}

function describe(dice: Dice, number: string, now: Date): Card {
  const month = String(dice.between(1, 12)).padStart(2, '0')
  // Subscribers and buyers who come back pay with it until the history ends.
  const year = String((now.getUTCFullYear() + dice.between(4, 7)) % 100).padStart(2, '0')
  const code = dice.between(100, 999)
  return {
    number,
    expiration_date: `${month}/${year}`,
    security_code: String(number.startsWith('3') && number.length === 15 ? 1000 + code : code),
  }
}

function withCheckDigit(start: string): string {
  const found = [...'0123456789'].map((digit) => start + digit).find(passesLuhn)
  if (found === undefined) throw new Error('every number has a check digit')
  return found
}
