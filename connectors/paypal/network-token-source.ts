import { cut } from '#connectors/contract/latin-letters.ts'
import type { AuthorizeOrder, Instrument } from '#connectors/contract/orders.ts'
import { wrong } from './answers.ts'
import { expiryOf } from './card-source.ts'
import { addressOf, nameOf } from './contact.ts'
import type { WireMoney } from './currency.ts'
import { MAPPING } from './mapping.ts'
import { cardCredential } from './stored-credential.ts'

type NetworkToken = Instrument & { kind: 'network-token' }

/** A token of the card's scheme. That of a wallet, which was opened before, goes by the name of its wallet. */
export function networkTokenSource(order: AuthorizeOrder, token: NetworkToken, amount: WireMoney) {
  if (order.threeDSecure === 'provider') {
    return wrong('invalid_request_parameters', 'PayPal authenticates no buyer of a network token')
  }
  switch (token.cardSource) {
    case 'apple-pay':
      return applePaySource(order, token, amount)
    case 'google-pay':
      return googlePaySource(order, token)
    default:
      return ownTokenSource(order, token)
  }
}

/** PayPal wants no cryptogram for payments that the merchant initiates. */
function ownTokenSource(order: AuthorizeOrder, token: NetworkToken) {
  const { cryptogram } = token
  const eci_flag = eciFlagOf(token)
  const { name, billing_address } = holderOf(order, token)
  return {
    card: {
      ...(name && { name }),
      ...(billing_address && { billing_address }),
      network_token: {
        ...numberOf(token),
        ...(cryptogram && { cryptogram: cryptogram.use(String) }),
        ...(eci_flag && { eci_flag }),
      },
      ...cardCredential(order),
    },
  }
}

/** Apple's own id of the payment is not known to us. PayPal does not need it. */
function applePaySource(order: AuthorizeOrder, token: NetworkToken, amount: WireMoney) {
  const { cryptogram, eci } = token
  const proof = {
    ...(cryptogram && { cryptogram: cryptogram.use(String) }),
    ...(eci && { eci_indicator: eci }),
  }
  return {
    apple_pay: {
      decrypted_token: {
        transaction_amount: amount,
        tokenized_card: { ...numberOf(token), ...holderOf(order, token) },
        payment_data_type: '3DSECURE' as const,
        ...(Object.keys(proof).length > 0 && { payment_data: proof }),
      },
      ...cardCredential(order),
    },
  }
}

/** PayPal has no field of Google Pay for credentials on file. */
function googlePaySource(order: AuthorizeOrder, token: NetworkToken) {
  const { cryptogram, eci } = token
  if (!cryptogram)
    return wrong('invalid_request_parameters', 'PayPal takes Google Pay with a cryptogram only')
  if (order.isMerchantInitiated) {
    return wrong('unsupported_transaction', 'PayPal takes Google Pay from the buyer only')
  }
  return {
    google_pay: {
      decrypted_token: {
        payment_method: 'CARD' as const,
        authentication_method: 'CRYPTOGRAM_3DS' as const,
        card: { ...numberOf(token), ...holderOf(order, token) },
        cryptogram: cryptogram.use(String),
        ...(eci && { eci_indicator: eci }),
      },
    },
  }
}

function numberOf({ token, expirationDate }: NetworkToken) {
  return { number: token.use(String), expiry: expiryOf(expirationDate) }
}

function holderOf({ billing }: AuthorizeOrder, { cardholderName }: NetworkToken) {
  const name = cut(cardholderName ?? '', 300) || nameOf(billing)
  const billing_address = addressOf(billing)
  return { ...(name && { name }), ...(billing_address && { billing_address }) }
}

/** Merchants also write `5` for `05`. A value that PayPal has no name for is left out. */
function eciFlagOf({ eci }: NetworkToken) {
  const flags: Readonly<Record<string, (typeof MAPPING.eciFlags)[keyof typeof MAPPING.eciFlags]>> =
    MAPPING.eciFlags
  return eci === null ? undefined : flags[eci.padStart(2, '0')]
}
