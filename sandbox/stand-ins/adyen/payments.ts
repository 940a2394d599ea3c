import {
  checkPayment,
  isContinued,
  type Json,
  objectOf,
  type PaymentRequest,
  textOf,
} from './check-request.ts'
import { type Asked, about, type Desk } from './desk.ts'
import { type Reply, ServiceError } from './errors.ts'
import { otherMethod } from './methods.ts'
import { APPROVED, DECLINED, NOT_ENOUGH_BALANCE, PENDING, REFUSALS } from './refusals.ts'
import { newPspReference, type Payment, type Verdict } from './state.ts'
import { openStored } from './tokens.ts'

/** POST /payments. A refusal is an answer with status 200, too. */
export function pay(desk: Desk, { body, key, origin }: Asked): Reply {
  const request = checkPayment(openStored(desk, body), desk.now())
  const { amount: asked, reference, returnUrl, method, all } = request
  const left = desk.state.balances.get(textOf(method['number'])) ?? asked.value
  const isPart = left < asked.value && objectOf(all['additionalData'])['allowPartialAuth'] === 'true'
  const payment: Payment = {
    pspReference: newPspReference(),
    reference,
    orderReference: textOf(all['merchantOrderReference']) || null,
    key,
    method: methodOf(method),
    returnUrl,
    isManualCapture: isCapturedByHand(desk, request),
    shopperInteraction: textOf(all['shopperInteraction']) || 'Ecommerce',
    debit: debitOf(all),
    verdict: left < asked.value && !isPart ? { code: NOT_ENOUGH_BALANCE, facts: {} } : decide(request),
    status: 'received',
    amount: isPart ? { ...asked, value: left } : asked,
    asked,
    captured: 0,
    refunded: 0,
    modifications: [],
  }
  desk.state.payments.set(payment.pspReference, payment)
  const step = stepBefore(request)
  if (step === null) return ok(conclude(desk, payment))
  if (step === 'action') return ok(present(payment, { origin, now: desk.now() }))
  payment.status = 'redirected'
  return ok(redirect(payment, { origin, isForm: step === 'form', type: method.type }))
}

/** The payment's own wish counts, then the delay of the account. Some methods have no delay. */
function isCapturedByHand(desk: Desk, { method, all }: PaymentRequest): boolean {
  const redirected = otherMethod(method.type)
  if (redirected && !redirected.hasCapture) return false
  if (String(objectOf(all['additionalData'])['manualCapture']) === 'true') return true
  return desk.isCapturedByHand && all['captureDelayHours'] !== 0
}

/** POST /payments/details: what the shopper brought back is worth one use. */
export function finishPayment(desk: Desk, { body }: Asked): Reply {
  const result = textOf(objectOf(body['details'])['redirectResult'])
  const found = desk.state.returns.get(result)
  if (!found) throw new ServiceError(422, '14_018', 'Invalid payload provided')
  if (found.isUsed) throw new ServiceError(422, '704', 'request already processed or in progress')
  found.isUsed = true
  const { payment, decision } = found
  if (decision === 'approve') return ok(conclude(desk, payment))
  payment.status = decision === 'cancel' ? 'cancelled' : 'refused'
  const [code, reason] = decision === 'cancel' ? ['16', 'Shopper Cancelled'] : ['11', '3D Not Authenticated']
  desk.tell({ ...about(payment), eventCode: 'AUTHORISATION', isSuccess: false, reason })
  const resultCode = decision === 'cancel' ? 'Cancelled' : 'Refused'
  return ok({ ...answer(payment), resultCode, refusalReason: reason, refusalReasonCode: code })
}

function conclude(desk: Desk, payment: Payment): object {
  const { verdict } = payment
  if (verdict.code === PENDING) {
    payment.status = 'received'
    const additionalData = mandateOf(payment, desk.now())
    return { ...answer(payment), ...(additionalData && { additionalData }), resultCode: 'Received' }
  }
  const refusal = desk.authorise(payment)
  if (!refusal) {
    const { amount, asked } = payment
    const isPart = amount.value < asked.value
    const additionalData = {
      ...verdict.facts,
      refusalReasonRaw: 'AUTHORISED',
      ...(isPart && {
        authorisedAmountValue: String(amount.value),
        authorisedAmountCurrency: amount.currency,
      }),
    }
    return {
      ...answer(payment),
      amount: asked,
      additionalData,
      resultCode: isPart ? 'PartiallyAuthorised' : 'Authorised',
    }
  }
  return {
    ...answer(payment),
    additionalData: {
      ...verdict.facts,
      ...(refusal.raw && { refusalReasonRaw: refusal.raw }),
      ...(refusal.adviceCode && { merchantAdviceCode: refusal.adviceCode }),
    },
    resultCode: refusal.resultCode,
    refusalReason: refusal.reason,
    refusalReasonCode: String(refusal.code),
  }
}

/** Adyen makes a mandate with each debit. Its id is the reference of the payment. https://docs.adyen.com/api-explorer/Checkout/71/post/payments */
function mandateOf({ pspReference, method, debit }: Payment, now: Date): object | null {
  if (method !== 'sepadirectdebit') return null
  return {
    'sepadirectdebit.mandateId': pspReference,
    'sepadirectdebit.dateOfSignature': now.toISOString().slice(0, 10),
    'sepadirectdebit.sequenceType': debit,
  }
}

/** Whether it is the only debit, the first of several, or a later one. */
function debitOf(body: Json): Payment['debit'] {
  if (textOf(body['recurringProcessingModel']) === '') return 'OneOff'
  return isContinued(body) ? 'Recurring' : 'First'
}

function answer({ pspReference, reference, amount, method }: Payment): object {
  return {
    pspReference,
    merchantReference: reference,
    amount,
    paymentMethod: { brand: method, type: method },
  }
}

/** Cards answer with a reference already, other methods only once the shopper is back: see the examples of the API. */
function redirect(
  { pspReference, method }: Payment,
  { origin, isForm, type }: { readonly origin: string; readonly isForm: boolean; readonly type: string },
): object {
  const page = `${origin}/shopper/${pspReference}`
  const action = isForm
    ? { method: 'POST', url: page, data: { MD: pspReference, PaReq: 'c3RhbmQtaW4', TermUrl: page } }
    : { method: 'GET', url: page }
  return {
    resultCode: 'RedirectShopper',
    ...(type === 'scheme' && { pspReference, additionalData: { paymentMethod: method } }),
    action: { type: 'redirect', paymentMethodType: type, ...action },
  }
}

const HOUR_MS = 3_600_000

/** What the shopper scans, pays elsewhere or approves in an app. Adyen leaves the zone out of a voucher's end. https://docs.adyen.com/online-payments/build-your-integration/additional-actions */
function present(payment: Payment, { origin, now }: { readonly origin: string; readonly now: Date }): object {
  const { method, pspReference, amount } = payment
  const later = (hours: number) => new Date(now.getTime() + hours * HOUR_MS).toISOString()
  const type = otherMethod(method)?.action
  const common = { paymentMethodType: method, type }
  const actions = {
    qrCode: { ...common, qrCodeData: `${origin}/scan/${pspReference}`, expiresAt: later(1) },
    voucher: {
      ...common,
      reference: pspReference.replace(/\D/g, '').padStart(9, '5'),
      ...(method === 'multibanco' && { entity: '12101' }),
      ...(method === 'econtext_stores' && { collectionInstitutionNumber: '58091' }),
      initialAmount: amount,
      totalAmount: amount,
      downloadUrl: `${origin}/shopper/${pspReference}`,
      expiresAt: later(72).replace(/[.]\d{3}Z$/, ''),
    },
    await: { ...common, paymentData: pspReference },
  }
  return {
    ...answer(payment),
    resultCode: type === 'voucher' ? 'PresentToShopper' : 'Pending',
    action: actions[type ?? 'await'],
  }
}

function ok(body: object): Reply {
  return { status: 200, body }
}

/** Cards that Adyen publishes for 3-D Secure with a redirect. https://docs.adyen.com/development-resources/testing/3d-secure-2-authentication */
const CARDS_WITH_3DS = ['4212345678901237', '4917610000000000', '5454545454545454', '4212345678910006']
/** The card of the API reference's example. Its bank wants a form that is posted, as 3-D Secure 1 did. */
const CARD_WITH_FORM = '4212345678901237'

/** Klarna refuses such shoppers before it shows a page. Here, all methods do. https://docs.klarna.com/resources/test-environment */
function isDenied({ all }: PaymentRequest): boolean {
  return textOf(all['shopperEmail']).includes('+denied@')
}

/** What the shopper has to do first. */
function stepBefore(request: PaymentRequest): 'redirect' | 'form' | 'action' | null {
  const { method, all } = request
  const number = textOf(method['number'])
  if (isDenied(request)) return null
  const other = number === '' ? otherMethod(method.type) : undefined
  if (other) return other.action === undefined ? 'redirect' : 'action'
  if (method.type !== 'scheme' || all['mpiData'] !== undefined || isContinued(all)) return null
  const wish = textOf(objectOf(all['authenticationData'])['attemptAuthentication'])
  if (wish === 'never') return null
  if (wish !== 'always' && !CARDS_WITH_3DS.includes(number)) return null
  return number === CARD_WITH_FORM ? 'form' : 'redirect'
}

/** What the acquirer says: as the test values ask, else yes. */
function decide(request: PaymentRequest): Verdict {
  const { method, all } = request
  if (isDenied(request)) return { code: DECLINED, facts: {} }
  const asked = objectOf(all['additionalData'])['RequestedTestAcquirerResponseCode']
  const named = [...REFUSALS, { code: PENDING, holderName: 'PENDING' }].find(
    ({ holderName }) => holderName === textOf(method['holderName'] ?? method['ownerName']),
  )
  const known = [APPROVED, PENDING, ...REFUSALS.map(({ code }) => code)]
  const code = asked === undefined ? (named?.code ?? defaultFor(method.type)) : Number(asked)
  return { code: known.includes(code) ? code : APPROVED, facts: factsOf(request) }
}

/** A direct debit is only on its way when it is accepted. */
function defaultFor(type: string): number {
  return type === 'sepadirectdebit' || type === 'directdebit_GB' ? PENDING : APPROVED
}

function factsOf({ method, all }: PaymentRequest): Readonly<Record<string, string>> {
  const number = textOf(method['number'])
  if (number === '') return {}
  const isMastercard = methodOf(method) === 'mc'
  return {
    cvcResult: method['cvc'] === undefined ? '6 No CVC/CVV provided' : '1 Matches',
    cvcResultRaw: method['cvc'] === undefined ? 'P' : 'M',
    avsResult:
      all['billingAddress'] === undefined ? '5 No AVS data provided' : '7 Both postal code and address match',
    avsResultRaw: all['billingAddress'] === undefined ? '' : 'Y',
    authCode: number.slice(-6),
    networkTxReference: `${isMastercard ? 'MCC' : '0601'}${number.slice(-9)}`,
    ...(isMastercard && { transactionLinkId: `TLID-${number.slice(-4)}-stand-in` }),
    cardBin: number.slice(0, 6),
    cardSummary: number.slice(-4),
  }
}

/** Adyen's name of the brand, or of the method. */
function methodOf(method: Json): string {
  const type = textOf(method['type'])
  const number = textOf(method['number'])
  if (number === '') return type === 'scheme' ? textOf(method['brand']) || 'visa' : type
  if (/^3[47]/.test(number)) return 'amex'
  if (/^5|^2/.test(number)) return 'mc'
  return 'visa'
}
