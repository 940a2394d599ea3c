import type { Refused } from '#connectors/contract/connector.ts'
import type { AuthorizeOrder, Instrument } from '#connectors/contract/orders.ts'
import { wrong } from './answers.ts'
import { addressOf, nameOf } from './contact.ts'
import { returnAddresses } from './return-address.ts'
import { cardCredential } from './stored-credential.ts'

type Card = Instrument & { kind: 'card' }

/** A card that the buyer has typed, or that we have stored. */
export function cardSource(order: AuthorizeOrder, card: Card): object | Refused {
  const isAsked = order.threeDSecure === 'provider'
  if (isAsked && order.redirectUrl === null) {
    return wrong('invalid_request_parameters', 'the buyer cannot be asked without an address to return to')
  }
  return {
    card: {
      ...cardOf(card, { hasCode: !order.isMerchantInitiated }),
      ...detailsOf(order),
      ...cardCredential(order),
      ...(isAsked && {
        attributes: { verification: { method: 'SCA_ALWAYS' } },
        experience_context: returnAddresses(order.redirectUrl ?? ''),
      }),
    },
  }
}

/** PayPal refuses a security code with a payment that the merchant initiates. */
export function cardOf(
  { number, expirationDate, securityCode }: Card,
  { hasCode }: { readonly hasCode: boolean },
) {
  const [month, year] = expirationDate.split('/')
  return {
    number: number.use(String),
    expiry: `20${year}-${month}`,
    ...(hasCode && securityCode && { security_code: securityCode.use(String) }),
  }
}

function detailsOf({ billing }: AuthorizeOrder): object {
  const name = nameOf(billing)
  const address = addressOf(billing)
  return { ...(name && { name }), ...(address && { billing_address: address }) }
}
