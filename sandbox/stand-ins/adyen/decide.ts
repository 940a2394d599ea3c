import { isContinued, type Json, objectOf, type PaymentRequest, textOf } from './check-request.ts'
import { APPROVED, DECLINED, PENDING, REFUSALS } from './refusals.ts'
import type { Verdict } from './state.ts'

/** Cards that Adyen publishes for 3-D Secure with a redirect. https://docs.adyen.com/development-resources/testing/3d-secure-2-authentication */
const CARDS_WITH_3DS = ['4212345678901237', '4917610000000000', '5454545454545454', '4212345678910006']
/** The card of the API reference's example. Its bank wants a form that is posted, as 3-D Secure 1 did. */
const CARD_WITH_FORM = '4212345678901237'

const REDIRECTS = ['ideal', 'bcmc_mobile', 'klarna', 'klarna_paynow', 'klarna_account', 'paypal']

/** Klarna refuses such shoppers before it shows a page. Here, all methods do. https://docs.klarna.com/resources/test-environment */
function isDenied({ all }: PaymentRequest): boolean {
  return textOf(all['shopperEmail']).includes('+denied@')
}

/** What the shopper has to do first. */
export function stepBefore(request: PaymentRequest): 'redirect' | 'form' | null {
  const { method, all } = request
  const number = textOf(method['number'])
  if (isDenied(request)) return null
  if (REDIRECTS.includes(method.type) && number === '') return 'redirect'
  if (method.type !== 'scheme' || all['mpiData'] !== undefined || isContinued(all)) return null
  const wish = textOf(objectOf(all['authenticationData'])['attemptAuthentication'])
  if (wish === 'never') return null
  if (wish !== 'always' && !CARDS_WITH_3DS.includes(number)) return null
  return number === CARD_WITH_FORM ? 'form' : 'redirect'
}

/** What the acquirer says: as the test values ask, else yes. */
export function decide(request: PaymentRequest): Verdict {
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
  return type === 'sepadirectdebit' ? PENDING : APPROVED
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
export function methodOf(method: Json): string {
  const type = textOf(method['type'])
  const number = textOf(method['number'])
  if (number === '') return type === 'scheme' ? textOf(method['brand']) || 'visa' : type
  if (/^3[47]/.test(number)) return 'amex'
  if (/^5|^2/.test(number)) return 'mc'
  return 'visa'
}
