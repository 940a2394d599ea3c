import { randomInt } from 'node:crypto'

/**
 * A first digit of 9 is left to national bodies (ISO/IEC 7812-1), whose country code follows. There is no country 000, so
 * these are no payment cards.
 */
const PREFIX = '9000'
const RANDOM_DIGITS = 11
const PIN_DIGITS = 6

/** 16 digits, of which the last one checks the others. */
export function newNumber(): string {
  const digits = PREFIX + randomDigits(RANDOM_DIGITS)
  return digits + checkDigitOf(digits)
}

export function newPin(): string {
  return randomDigits(PIN_DIGITS)
}

/** Whether it has the form of our numbers. */
export function isNumber(text: string): boolean {
  return /^\d{16}$/.test(text) && text.startsWith(PREFIX) && text.endsWith(checkDigitOf(text.slice(0, -1)))
}

function randomDigits(count: number): string {
  return String(randomInt(10 ** count)).padStart(count, '0')
}

/** ISO/IEC 7812-1, annex B: every second digit from the right counts twice, and the sum ends in 0. */
function checkDigitOf(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return String((10 - (sum % 10)) % 10)
}
