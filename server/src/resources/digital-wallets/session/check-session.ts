import { isCurrency, minorUnitsOf } from '#domain/currency.ts'
import { toHostName } from '#domain/domain-name.ts'
import { type ErrorDetail, inBody } from '#platform/http/errors.ts'
import type { About, Sound } from '#platform/http/validation.ts'
import type { PazeTransactionValue } from './paze-schemas.ts'

const NO_HOST = 'is not the name of a host: send one such as shop.example.com, without scheme, path and port'

/** A page may be under any name, also one of a developer's own machine. */
export function hostComplaints(pointer: string, host: string | null | undefined): ErrorDetail[] {
  if (host === undefined || host === null || toHostName(host) !== undefined) return []
  return [inBody(pointer, 'value_error.str.regex', NO_HOST)]
}

/**
 * Apple publishes the hosts of its gateways: one for each region and data centre, and those of its sandbox.
 * All of them have this form.
 */
const APPLE_HOST = /^(cn-)?apple-pay-gateway(-[a-z0-9]+)*[.]apple[.]com$/
const APPLE_PATH = /^[/]paymentservices[/](startSession|paymentSession)$/

const NOT_APPLE =
  'is not an address of Apple Pay: send the validationURL of the event onvalidatemerchant as it is'

/** The page chose the address, so only Apple's own are asked, in the one spelling that Apple uses. */
export function validationUrlComplaints(text: string | undefined): ErrorDetail[] {
  if (text === undefined) return []
  const url = URL.parse(text)
  const isApple = url !== null && APPLE_HOST.test(url.host) && APPLE_PATH.test(url.pathname)
  if (isApple && text === `https://${url.host}${url.pathname}`) return []
  return [inBody('/validation_url', 'value_error.url', NOT_APPLE)]
}

const AT = '/transactionValue'

/** Complains about an amount that cannot be paid, or that differs from what a browser token pins. */
export function valueComplaints(
  value: Sound<PazeTransactionValue> | null | undefined,
  { caller }: Pick<About, 'caller'>,
): ErrorDetail[] {
  const { transactionCurrency: currency, transactionAmount: text } = value ?? {}
  if (currency === undefined || text === undefined) return []
  if (!isCurrency(currency))
    return [inBody(`${AT}/transactionCurrency`, 'type_error.enum', 'unknown currency: use one such as USD')]
  const amount = minorUnitsIn(text, currency)
  if (amount === undefined)
    return [
      inBody(
        `${AT}/transactionAmount`,
        'value_error.str.regex',
        'must be an amount in units of the currency, such as 12.99',
      ),
    ]
  const pinned = caller.isEmbed ? caller.pinned : {}
  return [
    ...conflict('transactionCurrency', currency, pinned.currency),
    ...conflict('transactionAmount', amount, pinned.amount),
  ]
}

function conflict(name: string, given: unknown, pinned: unknown): ErrorDetail[] {
  if (pinned === undefined || pinned === given) return []
  return [
    inBody(`${AT}/${name}`, 'value_error.conflict', 'leave it out, or send the value that the token pins'),
  ]
}

function minorUnitsIn(text: string, currency: string): number | undefined {
  const digits = minorUnitsOf(currency) ?? 0
  const [, whole = '', fraction = ''] = /^(\d{1,9})(?:[.](\d{1,4}))?$/.exec(text) ?? []
  if (whole === '' || fraction.length > digits) return undefined
  return Number(`${whole}${fraction.padEnd(digits, '0')}`)
}

/** What a browser token pins, in Paze's words. Undefined unless it pins amount and currency. */
export function pinnedValue({ isEmbed, pinned }: About['caller']): PazeTransactionValue | undefined {
  const { amount, currency } = isEmbed ? pinned : {}
  if (typeof amount !== 'number' || typeof currency !== 'string') return undefined
  const digits = minorUnitsOf(currency)
  if (digits === undefined) return undefined
  const text = String(amount).padStart(digits + 1, '0')
  const whole = text.slice(0, text.length - digits)
  const fraction = digits === 0 ? '' : `.${text.slice(-digits)}`
  return { transactionCurrency: currency, transactionAmount: `${whole}${fraction}` }
}
