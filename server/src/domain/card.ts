import { CARD_RANGES, type CardRange } from './card-ranges.ts'
import type { CardScheme } from './card-scheme.ts'

export const CARD_TYPES = ['credit', 'debit', 'prepaid'] as const
export type CardType = (typeof CARD_TYPES)[number]

/** The end of a card's life: the last day of a month. The month counts from 1. */
export type Expiration = { readonly month: number; readonly year: number }

/** The scheme of a number. The first six to eight digits are enough. */
export function schemeOf(number: string): CardScheme {
  return rangeOf(number)?.scheme ?? 'other'
}

/** The other schemes whose marks the card carries, as far as its number tells. */
export function additionalSchemesOf(number: string): readonly CardScheme[] {
  return rangeOf(number)?.additional ?? []
}

const SECURITY_CODE_LENGTHS: Readonly<Partial<Record<CardScheme, readonly number[]>>> = {
  amex: [4],
  other: [3, 4],
  uatp: [3, 4],
}

/** How many digits a security code of a scheme may have. */
export function securityCodeLengthsOf(scheme: CardScheme): readonly number[] {
  return SECURITY_CODE_LENGTHS[scheme] ?? [3]
}

/** Whether the last digit is the check digit of the others (ISO/IEC 7812-1, annex B). */
export function passesLuhn(number: string): boolean {
  if (!/^\d{2,}$/.test(number)) return false
  let sum = 0
  for (let index = 0; index < number.length; index += 1) {
    const digit = Number(number.at(-1 - index))
    const doubled = index % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** Without a look behind: this file is also in pages, which older browsers would then not run at all. */
const LIKE_A_CARD = /(?:^|\D)\d(?:[ .-]?\d){12,18}(?![ .-]?\d)/g

/** Whether a text has the number of a card in it, as people write it. Other long numbers, such as those of parcels, are none. */
export function holdsCardNumber(text: string): boolean {
  return [...text.matchAll(LIKE_A_CARD)].some(([found]) => {
    const digits = found.replaceAll(/\D/g, '')
    return schemeOf(digits) !== 'other' && passesLuhn(digits)
  })
}

/** The text without the numbers of cards in it: `***` in their place. */
export function maskCardNumbers(text: string): string {
  return text.replaceAll(LIKE_A_CARD, (found) =>
    holdsCardNumber(found) ? found.replace(/\d.*/s, '***') : found,
  )
}

/**
 * Reads `MM/YY`. Years 00 to 49 are 2000 to 2049, the others are of the past century, as chip cards have it (EMV Book 4,
 * date management): a card that says 98 is old, not good for decades.
 */
export function parseExpiration(text: string): Expiration | undefined {
  const [, month, year] = /^(0[1-9]|1[0-2])\/(\d{2})$/.exec(text) ?? []
  if (month === undefined || year === undefined) return undefined
  const short = Number(year)
  return { month: Number(month), year: short < 50 ? 2000 + short : 1900 + short }
}

/** How far the last time zone is behind UTC. */
const LAST_DAY_ENDS_AT_HOUR = 12

/**
 * A card is valid until the last day of its month has ended everywhere: its holder may be in any time zone.
 */
export function isExpired(expiration: Expiration, now: Date): boolean {
  return now >= endOfExpiration(expiration)
}

export function endOfExpiration({ month, year }: Expiration): Date {
  return new Date(Date.UTC(year, month, 1, LAST_DAY_ENDS_AT_HOUR))
}

/** The label of a card: its last four digits. */
export function labelOf(number: string): string {
  return number.slice(-4)
}

/** The part of a number's start that may be shown beside its last four digits (PCI DSS FAQ 1091). */
export function binOf(number: string): string {
  return number.slice(0, number.length >= 16 ? 8 : 6)
}

const LONGEST_FIRST = [...CARD_RANGES].sort((a, b) => b.from.length - a.from.length)

function rangeOf(number: string): CardRange | undefined {
  return LONGEST_FIRST.find(({ from, to }) => {
    const start = number.slice(0, from.length)
    return start.length === from.length && start >= from && start <= to
  })
}
