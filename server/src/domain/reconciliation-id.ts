const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BASE = 62n
/** The largest UUID has 22 digits. One length for all, so that ids sort and line up in a provider's report. */
const LENGTH = 22

/** A UUID as a number in base 62: the same id, short enough for the reference fields of payment providers. */
export function reconciliationId(uuid: string): string {
  let rest = BigInt(`0x${uuid.replaceAll('-', '')}`)
  let text = ''
  while (rest > 0n) {
    text = DIGITS.charAt(Number(rest % BASE)) + text
    rest /= BASE
  }
  return text.padStart(LENGTH, '0')
}

/** The id again, or undefined if the text is no such number. */
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
