import type { BuyerField } from '#connectors/contract/buyer-fields.ts'
import type { Link, Refused } from '#connectors/contract/connector.ts'
import type { AuthorizeOrder } from '#connectors/contract/orders.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { withoutNulls } from '#connectors/contract/requests.ts'
import { toAirline } from './airline.ts'
import { describeBuyer } from './buyer.ts'
import { toAdyen } from './currency.ts'
import type { Payer } from './instruments.ts'
import type { Asked } from './methods.ts'
import { type Options, readOptions } from './options.ts'
import { toLevelTwoThree } from './purchase.ts'
import type { Json } from './wire.ts'

/** One payment method of the API at Adyen. */
export type Method = {
  readonly id: string
  /** In Adyen's words, or why it cannot be tried. */
  readonly payer: (order: AuthorizeOrder) => Payer | Refused
  readonly buyerFields?: readonly BuyerField[]
  readonly hasMandate?: true
  /** What this method cannot do without. */
  readonly asks?: readonly Asked[]
  /** What is bought, where the buyer sees it. */
  readonly lines?: (order: AuthorizeOrder) => readonly Json[]
  /** Cards only: whether and how Adyen authenticates the buyer. */
  readonly hasAuthentication: boolean
  /** Money can be held first, and captured later. */
  readonly hasCapture: boolean
  /** Adyen captures it after the delay of the account, which may be never, unless the payment says when. */
  readonly hasCaptureDelay: boolean
}

/** The body of `POST /payments`, or why nothing is sent. The same order gives the same body. */
export function toPaymentRequest(order: AuthorizeOrder, method: Method, link: Link): Json | Refused {
  const options = readOptions(link.options)
  if ('wrong' in options) {
    const rawDescription = `connection_options.${method.id}.${options.wrong} cannot be used`
    return refused('invalid_request_parameters', { rawDescription })
  }
  const value = toAdyen(order.amount, order.currency)
  if (value === null) {
    return refused('invalid_amount', { rawDescription: 'Adyen has no decimals for this currency' })
  }
  const payer = method.payer(order)
  if ('outcome' in payer) return payer
  const asked = payer.mpiData ? { mpiData: payer.mpiData } : authentication(order, method, options)
  const missing = 'channel' in asked ? missingFor3ds(order) : null
  if (missing) {
    const rawDescription = `3-D Secure at Adyen needs ${missing}: send it, or let the buyer pay on our page`
    return refused('invalid_request_parameters', { rawDescription })
  }
  const additionalData = {
    ...(method.hasAuthentication && isHeldForChange(order) && { authorisationType: 'PreAuth' }),
    ...(method.hasAuthentication && order.isPartialAllowed && { allowPartialAuth: 'true' }),
    ...options.additionalData,
    ...payer.additionalData,
    ...(method.hasCapture && order.intent === 'authorize' && { manualCapture: 'true' }),
    ...(order.previousTransactionLinkId && { transactionLinkId: order.previousTransactionLinkId }),
  }
  const use = credentialUse(order, method)
  const credential = {
    // Adyen wants a shopper for payments that belong together. A guest is one by the stored card, or for the payment that stores it.
    ...('recurringProcessingModel' in use &&
      !payer.shopperReference &&
      order.buyer.id === null && { shopperReference: order.storedMethodId ?? order.transactionId }),
    ...use,
  }
  return {
    merchantAccount: link.fields['merchant_account'] ?? '',
    amount: { value, currency: order.currency },
    // Adyen repeats it in webhooks. So an answer that was lost is found by its attempt, see docs/decisions/connectors.md.
    reference: order.attemptId,
    merchantOrderReference: order.reconciliationId,
    paymentMethod: { ...payer.paymentMethod, ...(options.ownerName && { ownerName: options.ownerName }) },
    // Adyen wants one for each payment, also without a buyer.
    returnUrl: order.redirectUrl ?? NOWHERE,
    ...describeBuyer(order),
    ...(method.hasMandate && { mandate: onlyThis(order.amount, link.now()) }),
    ...(payer.shopperReference && { shopperReference: payer.shopperReference }),
    ...credential,
    ...(method.hasCaptureDelay && order.intent === 'capture' && { captureDelayHours: 0 }),
    ...asked,
    ...(Object.keys(additionalData).length > 0 && { additionalData }),
    ...(options.splits.authorization !== undefined && { splits: options.splits.authorization }),
    ...options.passed,
    ...(method.hasAuthentication && purchaseOf(order, options)),
    ...(method.lines && { lineItems: method.lines(order) }),
  }
}

/** The merchant’s own words for it count, and Adyen takes them in one place only. */
function purchaseOf(order: AuthorizeOrder, { additionalData }: Options): Json {
  const says = (start: string) => Object.keys(additionalData).some((name) => name.startsWith(start))
  const enhancedSchemeData = withoutNulls({
    levelTwoThree: says('enhancedSchemeData.') ? null : toLevelTwoThree(order),
    airline: says('airline.') ? null : toAirline(order),
  })
  return Object.keys(enhancedSchemeData).length > 0 ? { enhancedSchemeData } : {}
}

/**
 * A hold whose amount may still change, or that may be captured in part, is a pre-authorisation. A debit of a subscription is neither: schemes charge
 * for pre-authorisations. `additionalData.authorisationType` of a payment overrides it.
 */
function isHeldForChange(order: AuthorizeOrder): boolean {
  const isSubscription = order.isMerchantInitiated && modelOf(order) === 'Subscription'
  return order.intent === 'authorize' && !isSubscription
}

/** What Adyen requires to authenticate in a browser, and the order lacks. */
function missingFor3ds({ details, buyer, billing, instrument }: AuthorizeOrder): string | null {
  if (!details.browser_info?.user_agent) return 'browser_info'
  const scheme = instrument.kind === 'card' ? instrument.scheme : null
  const needsAddress = scheme === 'visa' || scheme === 'jcb'
  if (!needsAddress || buyer.ipAddress || billing?.email_address) return null
  return 'the buyer’s IP address or e-mail address'
}

const NOWHERE = 'https://return.invalid/'

/** Who starts the payment, and what the buyer has agreed to. */
function credentialUse(order: AuthorizeOrder, { hasAuthentication }: Method): Json {
  const { paymentSource, isMerchantInitiated, isSubsequentPayment, instrument } = order
  const isStored = isSubsequentPayment || instrument.kind === 'provider-token'
  if (instrument.kind === 'bank' && instrument.mandate) return debitOfStored(order)
  if (!hasAuthentication) return { shopperInteraction: isMerchantInitiated ? 'ContAuth' : 'Ecommerce' }
  if (paymentSource === 'moto') return { shopperInteraction: 'Moto' }
  return withoutNulls({
    shopperInteraction: isMerchantInitiated || isStored ? 'ContAuth' : 'Ecommerce',
    recurringProcessingModel: modelOf(order),
  })
}

/** An agreement about one payment. A repetition has the same end, but for one at New Year. */
function onlyThis(amount: number, now: Date): Json {
  const endsAt = `${now.getUTCFullYear() + 1}-12-31`
  return { amount: String(amount), amountRule: 'exact', frequency: 'adhoc', endsAt }
}

/** The buyer has permitted more than one debit. Banks hear whether this is the first. */
function debitOfStored(order: AuthorizeOrder): Json {
  const { isSubsequentPayment, isMerchantInitiated } = order
  return {
    shopperInteraction: isSubsequentPayment || isMerchantInitiated ? 'ContAuth' : 'Ecommerce',
    recurringProcessingModel: modelOf(order) ?? 'UnscheduledCardOnFile',
  }
}

function modelOf({ paymentSource, isMerchantInitiated, instrument }: AuthorizeOrder): string | null {
  switch (paymentSource) {
    case 'recurring':
    case 'installment':
      return 'Subscription'
    case 'card_on_file':
      return isMerchantInitiated ? 'UnscheduledCardOnFile' : 'CardOnFile'
    default:
      if (isMerchantInitiated) return 'UnscheduledCardOnFile'
      // Adyen wants one with each of its tokens.
      return instrument.kind === 'provider-token' ? 'CardOnFile' : null
  }
}

/**
 * Adyen authenticates the buyer on a page of its own, or not at all: its script is not on ours. Without the wish for it,
 * a redirect would be a surprise.
 */
function authentication(order: AuthorizeOrder, { hasAuthentication }: Method, options: Options): Json {
  if (!hasAuthentication || order.isMerchantInitiated || order.paymentSource === 'moto') return {}
  const isWanted = order.threeDSecure === 'provider'
  const wish = options.attemptAuthentication ?? (isWanted ? 'always' : 'never')
  if (wish === 'never') return { authenticationData: { attemptAuthentication: 'never' } }
  const origin = options.windowOrigin ?? (order.redirectUrl && new URL(order.redirectUrl).origin)
  return {
    authenticationData: { attemptAuthentication: wish, threeDSRequestData: { nativeThreeDS: 'disabled' } },
    channel: 'Web',
    ...(origin && { origin }),
    ...(options.challengeIndicator && {
      threeDS2RequestData: { threeDSRequestorChallengeInd: options.challengeIndicator },
    }),
  }
}
