import { dice } from '../lab/dice.ts'

/** Card data that occurs nowhere else, so that every trace of it is a leak. */
export type Canaries = {
  /** A new card each time. Its code has four digits that no other number in a run has. */
  readonly card: () => Card
  readonly giftCard: () => GiftCard
  /** The card data in a text, in any of many encodings. */
  readonly found: (text: string) => string[]
  /**
   * The same in a file of a database, where values stand side by side: the six digits of a card that are shown, and others after them.
   * There, only a whole number counts.
   */
  readonly foundInFile: (text: string) => string[]
}

type Card = {
  readonly method: 'card'
  readonly number: string
  readonly expiration_date: string
  readonly security_code: string
}
type GiftCard = { readonly number: string; readonly pin: string }

/** Answers show the first eight digits of a card and the first nine of a gift card. */
const CARD_PREFIX = 10
const CARD_DIGITS = 15
/** Of fifteen digits, those between the prefix and the check digit are the card's own. */
const CARDS_OF_A_PREFIX = 10_000
const CARD_PREFIXES = 2
const GIFT_PREFIX = 13
/** A card that the simulated 3-D Secure server knows. */
export const FRICTIONLESS = '340000000022003'
export const CHALLENGED = '340000000022011'

export function hatchCanaries(seed: number): Canaries {
  const chance = dice(seed)
  const digits = (count: number) => Array.from({ length: count }, () => Math.floor(chance() * 10)).join('')
  // American Express: its codes have four digits.
  const cardPrefixes = Array.from({ length: CARD_PREFIXES }, () => `3782${digits(CARD_PREFIX - 4)}`)
  const giftPrefix = `606060${digits(GIFT_PREFIX - 6)}`
  // No year, port, amount or other number begins with a zero.
  const code = `09${digits(2)}`
  const pin = `03${digits(3)}`
  let cards = 0
  let giftCards = 0
  const card = (): Card => {
    cards += 1
    const prefix = cardPrefixes[Math.floor(cards / CARDS_OF_A_PREFIX)]
    if (prefix === undefined) throw new Error('there are no more canaries')
    const number = withCheckDigit(
      prefix + String(cards % CARDS_OF_A_PREFIX).padStart(CARD_DIGITS - 1 - CARD_PREFIX, '0'),
    )
    // The last four digits are shown, so they must differ from the code.
    if (number.endsWith(code)) return card()
    return { method: 'card', number, expiration_date: '12/40', security_code: code }
  }
  const giftCard = () => {
    giftCards += 1
    return { number: giftPrefix + String(giftCards).padStart(16 - GIFT_PREFIX, '0'), pin }
  }
  const guises = [...cardPrefixes, giftPrefix, FRICTIONLESS, CHALLENGED].flatMap(guisesOf)
  // So few digits occur within longer numbers by chance, so only those that stand alone count.
  const alone = new RegExp(`(?<![\\w.:+-])(${code}|${pin})(?![\\w:-]|\\.\\d)`)
  const found = (text: string) => [
    ...guises.filter((guise) => text.includes(guise)),
    ...[text.match(alone)?.[1]].filter((value) => value !== undefined),
  ]
  return {
    card,
    giftCard,
    found,
    foundInFile: (text) =>
      found(text).filter((guise) => !cardPrefixes.includes(guise) || hasWholeNumber(text, guise)),
  }
}

function hasWholeNumber(text: string, prefix: string): boolean {
  const numbers = text.matchAll(new RegExp(`${prefix}\\d{${CARD_DIGITS - CARD_PREFIX}}`, 'g'))
  return [...numbers].some(([number]) => withCheckDigit(number.slice(0, -1)) === number)
}

/** As it is, grouped, reversed, in hexadecimal digits and in base64 wherever it begins. */
function guisesOf(value: string): string[] {
  const grouped = (separator: string) => value.replaceAll(/(\d{4})(?=\d)/g, `$1${separator}`)
  return [
    value,
    ...[' ', '-', '%20', '+', '.'].map(grouped),
    [...value].reverse().join(''),
    Buffer.from(value).toString('hex'),
    Buffer.from(value).toString('hex').toUpperCase(),
    Buffer.from(value, 'utf16le').toString('latin1'),
    ...[0, 1, 2].map((shift) => insideBase64(value, shift)),
  ]
}

/** The digits of base64 that depend on nothing but the value, when it stands so many bytes after a multiple of three. */
function insideBase64(value: string, shift: number): string {
  const whole = Buffer.concat([Buffer.alloc(shift), Buffer.from(value)])
  return whole.toString('base64').slice(Math.ceil((shift * 8) / 6), Math.floor((whole.length * 8) / 6))
}

/** The last digit that makes a number pass the check of Luhn. */
function withCheckDigit(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const weighed = Number(digit) * (index % 2 === 0 ? 2 : 1)
    return total + (weighed > 9 ? weighed - 9 : weighed)
  }, 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}
