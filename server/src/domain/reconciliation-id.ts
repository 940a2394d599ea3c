const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RADIX = 62
const BASE = BigInt(RADIX)
const PART_LENGTH = 8
const PART = BASE ** BigInt(PART_LENGTH)
/**
 * The largest UUID has 22 digits. All ids have the same length, so that they sort and line up in a provider's
 * report.
 */
const LENGTH = 22

/** A UUID as a number in base 62: the same id, short enough for the reference fields of payment providers. */
export function reconciliationId(uuid: string): string {
  // In three parts that fit into a plain number: a list shows many ids, and large numbers are slow to divide.
  const number = BigInt(`0x${uuid.replaceAll('-', '')}`)
  const rest = number / PART
  const first = digitsOf(Number(rest / PART), LENGTH - 2 * PART_LENGTH)
  return first + digitsOf(Number(rest % PART), PART_LENGTH) + digitsOf(Number(number % PART), PART_LENGTH)
}

function digitsOf(number: number, length: number): string {
  let rest = number
  let text = ''
  for (let count = 0; count < length; count += 1) {
    const next = Math.floor(rest / RADIX)
    text = DIGITS.charAt(rest - next * RADIX) + text
    rest = next
  }
  return text
}

/** Turns it back into the id. Undefined if the text is no such number. */
export function uuidOf(reconciliationId: string): string | undefined {
  if (reconciliationId.length !== LENGTH) return undefined
  let number = 0n
  for (const digit of reconciliationId) {
    const value = DIGITS.indexOf(digit)
    if (value < 0) return undefined
    number = number * BASE + BigInt(value)
  }
  const hex = number.toString(16).padStart(32, '0')
  if (hex.length > 32) return undefined
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
