import { cut } from '#connectors/contract/latin-letters.ts'
import type { AuthorizeOrder } from '#connectors/contract/orders.ts'
import { wrong } from './answers.ts'
import { emailOf, wholeAddressOf } from './contact.ts'
import { returnAddresses } from './return-address.ts'

/** What the merchant has entered for the service, and for this payment. */
export type OrderSettings = {
  readonly fields: Readonly<Record<string, string>>
  readonly options: Readonly<Record<string, unknown>>
}

const CHOICES = {
  user_action: ['CONTINUE', 'PAY_NOW'],
  shipping_preference: ['GET_FROM_FILE', 'NO_SHIPPING', 'SET_PROVIDED_ADDRESS'],
  landing_page: ['LOGIN', 'GUEST_CHECKOUT', 'NO_PREFERENCE'],
} as const

const LOCALE = /^[a-z]{2}(-[A-Z][a-z]{3})?(-[A-Z]{2})?$/

/** A buyer with an account at PayPal, who approves on its page. */
export function walletSource(order: AuthorizeOrder, { fields, options }: OrderSettings) {
  const { redirectUrl, buyer, billing } = order
  if (redirectUrl === null) {
    return wrong('invalid_request_parameters', 'the buyer cannot approve without an address to return to')
  }
  const chosen = chosenOf(options)
  if (typeof chosen === 'string') {
    return wrong(
      'invalid_request_parameters',
      `connection_options.paypal-paypal.${chosen} is not one that PayPal knows`,
    )
  }
  const { locale: wanted = buyer.locale, brand_name: brand = fields['brand_name'] } = chosen
  const locale = wanted !== null && LOCALE.test(wanted) ? wanted : null
  const email = emailOf(billing)
  const isWhole = wholeAddressOf(order.shipping) !== null
  if (chosen.shipping_preference === 'SET_PROVIDED_ADDRESS' && !isWhole) {
    return wrong(
      'invalid_request_parameters',
      'connection_options.paypal-paypal.shipping_preference needs a whole address in shipping_details',
    )
  }
  return {
    paypal: {
      ...(email && { email_address: email }),
      experience_context: {
        ...(brand && { brand_name: cut(brand, 127) }),
        ...(locale && { locale }),
        user_action: chosen.user_action ?? 'PAY_NOW',
        shipping_preference: chosen.shipping_preference ?? (isWhole ? 'SET_PROVIDED_ADDRESS' : 'NO_SHIPPING'),
        ...(chosen.landing_page && { landing_page: chosen.landing_page }),
        ...returnAddresses(redirectUrl),
      },
    },
  } as const
}

type Chosen = { readonly [Name in keyof typeof CHOICES]?: (typeof CHOICES)[Name][number] } & {
  readonly locale?: string
  readonly brand_name?: string
}

/** The merchant's choices for this payment, or the name of one that PayPal does not have. */
function chosenOf(options: OrderSettings['options']): Chosen | string {
  const names = ['locale', 'brand_name', ...Object.keys(CHOICES)]
  const given = Object.entries(options).filter(([name, value]) => names.includes(name) && value !== null)
  for (const [name, value] of given) {
    const allowed: readonly string[] | undefined = CHOICES[name as keyof typeof CHOICES]
    if (typeof value !== 'string' || (allowed && !allowed.includes(value))) return name
  }
  return Object.fromEntries(given) as Chosen
}
