/** In the order of their numbers in PINs. */
export const CODES = [
  'invalid_gift_card',
  'expired_card',
  'inactive_card',
  'invalid_service_credentials',
  'invalid_amount',
  'incorrect_currency',
  'insufficient_funds',
  'invalid_service_configuration',
  'operation_canceled',
  'service_error',
  'service_network_error',
  'unknown_error',
] as const
export type Code = (typeof CODES)[number]

/** The provider's name for a refusal, by the first digit. */
const KINDS: Readonly<Record<string, string>> = {
  1: 'validation_error',
  2: 'server_error',
  3: 'client_error',
}

/** JavaScript cannot represent longer numbers exactly. */
const DIGITS_MAX = 15

export type Reading =
  | { readonly result: 'good'; readonly balance: number }
  | { readonly result: 'refused'; readonly code: Code; readonly kind: string }

/** The PIN decides: with a leading zero it is the balance, with another digit it names a refusal. */
export function readPin(pin: string): Reading {
  if (/^0\d*$/.test(pin) && pin.length <= DIGITS_MAX) return { result: 'good', balance: Number(pin) }
  const kind = KINDS[pin.charAt(0)]
  if (kind === undefined) return { result: 'refused', code: 'unknown_error', kind: 'client_error' }
  return { result: 'refused', code: codeOf(pin.slice(1)), kind }
}

/**
 * There are two ways to write a code. Four digits are its number, as in 0010. One or two digits are the older way: 10
 * and 11 are numbers, too, and of all others the last digit counts. Everything else is an unknown error.
 */
function codeOf(digits: string): Code {
  if (/^\d{4}$/.test(digits) || digits === '10' || digits === '11') return codeAt(Number(digits))
  return /^\d{1,2}$/.test(digits) ? codeAt(Number(digits.at(-1))) : 'unknown_error'
}

function codeAt(index: number): Code {
  return CODES[index] ?? 'unknown_error'
}
