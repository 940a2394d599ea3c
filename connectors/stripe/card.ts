import type { AuthorizeAnswer, Link } from '#connectors/contract/connector.ts'
import type { AuthorizeOrder, Instrument, ThreeDSecureResult } from '#connectors/contract/orders.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { billingDetails } from './buyer-details.ts'
import { toStripeAmount } from './currency.ts'
import { readIntent, toAuthorizeAnswer } from './intent.ts'
import { metadataOf, paymentForm, suffixOf } from './payment.ts'
import { purchaseForm } from './purchase.ts'
import { tokenOf } from './wallet-token.ts'
import { send, text, toRefusal, withoutMoney } from './wire.ts'

type Card = Instrument & { readonly kind: 'card' }

/** Two requests: the card becomes a payment method, which moves no money, and then it pays. */
export async function authorizeCard(order: AuthorizeOrder, link: Link): Promise<AuthorizeAnswer> {
  const { attemptId, currency } = order
  const method = methodForm(order)
  if (method === null) return refused('unsupported_payment_method', { rawDescription: NO_CARD })
  const amount = toStripeAmount(order.amount, currency)
  if (amount === null) {
    return refused('invalid_amount', { rawDescription: `Stripe takes amounts in ${currency} only rounded` })
  }
  const stored = await storeCard(method, order, link)
  if ('outcome' in stored) return stored
  const sending =
    amount === 0
      ? { path: '/v1/setup_intents', form: setupForm(order, stored.id) }
      : { path: '/v1/payment_intents', form: cardPaymentForm(order, { amount, method: stored.id }, link) }
  const reply = await send(link, { method: 'POST', ...sending, key: attemptId })
  if (reply.kind !== 'object') return toRefusal(reply)
  return toAuthorizeAnswer(readIntent(reply.body, { attemptId, amount, currency }), link.now())
}

const NO_CARD = 'this is neither a card nor a token of Stripe'

export function methodForm(order: AuthorizeOrder) {
  const { instrument } = order
  if (instrument.kind === 'card') return cardForm(instrument, order)
  const token = instrument.kind === 'wallet' ? tokenOf(instrument.token) : null
  if (token === null) return null
  return { type: 'card' as const, card: { token }, billing_details: billingDetails(order.billing) }
}

async function storeCard(
  form: NonNullable<ReturnType<typeof methodForm>>,
  order: AuthorizeOrder,
  link: Link,
): Promise<{ readonly id: string } | AuthorizeAnswer> {
  const reply = await send(link, {
    method: 'POST',
    path: '/v1/payment_methods',
    form,
    key: `${order.attemptId}-pm`,
  })
  if (reply.kind === 'object') {
    const id = reply.body['object'] === 'payment_method' ? text(reply.body['id']) : null
    return id === null ? withoutMoney('Stripe stored no payment method') : { id }
  }
  if (reply.kind === 'lost') return withoutMoney(reply.reason)
  const answer = toRefusal(reply)
  // The key of this request is in use: the same attempt may be paying at this moment.
  if (answer.outcome === 'unknown') return answer
  if ('token' in form.card) return answer
  // Stripe takes card numbers only from accounts that it has approved. It says so in a sentence, without a code.
  const isWithoutCode = reply.error['type'] === 'invalid_request_error' && reply.error['code'] === undefined
  const isAboutContent = reply.status === 400 || reply.status === 402
  return isWithoutCode && isAboutContent ? refused('invalid_service_configuration', answer.facts) : answer
}

function cardForm({ number, expirationDate, securityCode }: Card, { billing }: AuthorizeOrder) {
  const [month = '', year = ''] = expirationDate.split('/')
  return {
    type: 'card' as const,
    card: {
      number: number.use(String),
      exp_month: Number(month),
      exp_year: 2000 + Number(year),
      cvc: securityCode?.use(String),
    },
    billing_details: billingDetails(billing),
  }
}

export function cardPaymentForm(
  order: AuthorizeOrder,
  { amount, method }: { readonly amount: number; readonly method: string },
  { options, fields }: Pick<Link, 'options' | 'fields'>,
) {
  const isOffSession = order.isMerchantInitiated && order.isSubsequentPayment
  const isFirstOfMore = !order.isSubsequentPayment && usageOf(order) !== undefined
  const hasResult = order.threeDSecure !== null && order.threeDSecure !== 'provider'
  const isFlexible = fields['flexible_captures'] === 'true' && order.intent === 'authorize'
  return {
    ...paymentForm(order, amount, options),
    ...suffixOf(order),
    ...purchaseForm(order),
    payment_method: method,
    allowed_payment_method_types: ['card' as const],
    off_session: isOffSession || undefined,
    setup_future_usage: isFirstOfMore ? ('off_session' as const) : undefined,
    ...approvalForm(order, hasResult || isOffSession || options['error_on_requires_action'] === true),
    payment_method_options: {
      card: {
        ...threeDSecureForm(order),
        ...motoForm(order),
        setup_credential_usage: isFirstOfMore ? usageOf(order) : undefined,
        stored_credential_usage: order.isSubsequentPayment ? usageOf(order) : undefined,
        ...(isFlexible && {
          request_multicapture: 'if_available' as const,
          request_overcapture: 'if_available' as const,
          request_incremental_authorization: 'if_available' as const,
        }),
      },
    },
  }
}

export function setupForm(order: AuthorizeOrder, method: string) {
  return {
    confirm: true,
    payment_method: method,
    allowed_payment_method_types: ['card' as const],
    usage: 'off_session' as const,
    return_url: order.redirectUrl ?? undefined,
    metadata: metadataOf(order),
    payment_method_options: { card: { ...threeDSecureForm(order), ...motoForm(order) } },
  }
}

/** The buyer has told the number by mail or telephone, and cannot be authenticated. */
function motoForm({ paymentSource }: AuthorizeOrder) {
  return { moto: paymentSource === 'moto' || undefined }
}

/** Without a page to return to, a card that needs its buyer is refused at once instead of waiting for ever. */
function approvalForm({ redirectUrl }: AuthorizeOrder, isAlone: boolean) {
  if (isAlone || redirectUrl === null) return { error_on_requires_action: true }
  return { return_url: redirectUrl }
}

function threeDSecureForm({ threeDSecure }: AuthorizeOrder) {
  if (threeDSecure === 'provider') return { request_three_d_secure: 'any' as const }
  if (threeDSecure === null) return {}
  const { cavv, directoryTransactionId, xid } = threeDSecure
  const transactionId = directoryTransactionId ?? xid
  // Stripe wants both. An authentication without them proves nothing to the bank.
  if (cavv === null || transactionId === null) return {}
  return {
    three_d_secure: {
      version: versionOf(threeDSecure),
      cryptogram: cavv,
      transaction_id: transactionId,
      electronic_commerce_indicator: threeDSecure.eci?.padStart(2, '0'),
      ares_trans_status: threeDSecure.authenticationResponse ?? threeDSecure.directoryResponse ?? undefined,
    },
  }
}

const VERSIONS = ['1.0.2', '2.1.0', '2.2.0', '2.3.0', '2.3.1'] as const

/** Merchants also write `2` and `2.2`. */
function versionOf({ version }: ThreeDSecureResult): (typeof VERSIONS)[number] {
  const known =
    VERSIONS.find((one) => one === version) ?? VERSIONS.find((one) => one.startsWith(`${version}.`))
  if (known === undefined || version === '2') return version.startsWith('1') ? '1.0.2' : '2.2.0'
  return known
}

const USAGES = { recurring: 'recurring', installment: 'installment', card_on_file: 'unscheduled' } as const

function usageOf({ paymentSource }: AuthorizeOrder) {
  return paymentSource === 'ecommerce' || paymentSource === 'moto' ? undefined : USAGES[paymentSource]
}
