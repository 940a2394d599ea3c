import type { AuthorizeOrder, Instrument, Secret } from '#connectors/contract/orders.ts'
import { wrong } from './answers.ts'
import { addressOf, nameOf } from './contact.ts'
import { returnAddresses } from './return-address.ts'
import { cardCredential } from './stored-credential.ts'

type Card = Instrument & { kind: 'card' }

/** A card that the buyer has typed, or that we have stored. */
export function cardSource(order: AuthorizeOrder, card: Card) {
  if (isAskedInVain(order)) return wrong('invalid_request_parameters', IN_VAIN)
  const typed = cardOf(card, { hasCode: !order.isMerchantInitiated })
  return { card: { ...typed, ...detailsOf(order), ...cardCredential(order), ...askedOf(order) } }
}

/** A card that PayPal has stored. */
export function tokenSource(order: AuthorizeOrder, vault_id: string, code: Secret | null) {
  if (isAskedInVain(order)) return wrong('invalid_request_parameters', IN_VAIN)
  const typed = code && !order.isMerchantInitiated ? { security_code: code.use(String) } : {}
  return { card: { vault_id, ...typed, ...cardCredential(order), ...askedOf(order) } }
}

const IN_VAIN = 'the buyer cannot be asked without an address to return to'

function isAskedInVain({ threeDSecure, redirectUrl }: AuthorizeOrder): boolean {
  return threeDSecure === 'provider' && redirectUrl === null
}

/**
 * 3-D Secure by PayPal: the buyer is always asked if the order says so, and otherwise where PayPal has to ask by law. It needs an
 * address to send the buyer back to, and a buyer.
 */
function askedOf({ threeDSecure, redirectUrl, isMerchantInitiated }: AuthorizeOrder) {
  if (redirectUrl === null || isMerchantInitiated) return {}
  return {
    attributes: {
      verification: { method: threeDSecure === 'provider' ? 'SCA_ALWAYS' : 'SCA_WHEN_REQUIRED' },
    },
    experience_context: returnAddresses(redirectUrl),
  } as const
}

/** PayPal refuses a security code with a payment that the merchant initiates. */
export function cardOf(
  { number, expirationDate, securityCode }: Card,
  { hasCode }: { readonly hasCode: boolean },
) {
  return {
    number: number.use(String),
    expiry: expiryOf(expirationDate),
    ...(hasCode && securityCode && { security_code: securityCode.use(String) }),
  }
}

/** MM/YY as PayPal writes it. */
export function expiryOf(expirationDate: string): string {
  const [month, year] = expirationDate.split('/')
  return `20${year}-${month}`
}

function detailsOf({ billing }: AuthorizeOrder) {
  const name = nameOf(billing)
  const address = addressOf(billing)
  return { ...(name && { name }), ...(address && { billing_address: address }) }
}
