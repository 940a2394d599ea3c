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
