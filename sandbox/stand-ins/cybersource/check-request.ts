export type Json = Readonly<Record<string, unknown>>

/** Lengths of the published contract, and what else CyberSource would find wrong. */
const LENGTHS: Readonly<Record<string, number>> = {
  'clientReferenceInformation.code': 50,
  'clientReferenceInformation.transactionId': 30,
  'processingInformation.commerceIndicator': 20,
  'processingInformation.reconciliationId': 60,
  'paymentInformation.card.securityCode': 4,
  'paymentInformation.tokenizedCard.cryptogram': 40,
  'orderInformation.billTo.firstName': 60,
  'orderInformation.billTo.lastName': 60,
  'orderInformation.billTo.address1': 60,
  'orderInformation.billTo.address2': 60,
  'orderInformation.billTo.locality': 50,
  'orderInformation.billTo.administrativeArea': 20,
  'orderInformation.billTo.postalCode': 10,
  'orderInformation.billTo.country': 2,
  'orderInformation.billTo.email': 255,
  'orderInformation.billTo.phoneNumber': 15,
  'orderInformation.shipTo.administrativeArea': 2,
  'orderInformation.shipTo.postalCode': 10,
  'consumerAuthenticationInformation.cavv': 40,
  'consumerAuthenticationInformation.xid': 40,
  'consumerAuthenticationInformation.eciRaw': 2,
  'consumerAuthenticationInformation.ucafAuthenticationData': 32,
  'consumerAuthenticationInformation.directoryServerTransactionId': 36,
  'merchantInformation.merchantDescriptor.locality': 13,
}

const INDICATORS =
  /^(internet|moto|recurring|install|vbv|vbv_attempted|spa|aesk|aesk_attempted|js|js_attempted|dipb|dipb_attempted|cs|cs_attempted|up3ds|up3ds_attempted)$/

type Problem = { readonly reason: string; readonly details?: readonly Json[] }

/** Why CyberSource would refuse a request before it does anything. Null: it would not. */
export function check(act: 'authorize' | 'capture' | 'reversal' | 'refund', body: Json): Problem | null {
  const money = act === 'reversal' ? 'reversalInformation' : 'orderInformation'
  const required = [
    'clientReferenceInformation.code',
    `${money}.amountDetails.totalAmount`,
    `${money}.amountDetails.currency`,
    ...(act === 'authorize' ? cardOf(body).map((name) => `${cardPath(body)}.${name}`) : []),
  ]
  const missing = required.filter((path) => textAt(body, path) === null)
  if (missing.length > 0) return problem('MISSING_FIELD', missing)
  const long = Object.entries(LENGTHS).flatMap(([path, max]) =>
    (textAt(body, path)?.length ?? 0) > max ? [path] : [],
  )
  const amount = `${money}.amountDetails.totalAmount`
  const currency = `${money}.amountDetails.currency`
  const indicator = 'processingInformation.commerceIndicator'
  const wrong = [
    ...long,
    ...(/^\d{1,12}([.]\d{1,3})?$/.test(textAt(body, amount) ?? '') ? [] : [amount]),
    ...(/^[A-Z]{3}$/.test(textAt(body, currency) ?? '') ? [] : [currency]),
    ...(act !== 'authorize' || INDICATORS.test(textAt(body, indicator) ?? 'internet') ? [] : [indicator]),
  ]
  if (wrong.length > 0) return problem('INVALID_DATA', wrong)
  if (act !== 'authorize') return null
  return isCardNumber(textAt(body, `${cardPath(body)}.number`) ?? '') ? null : { reason: 'INVALID_CARD' }
}

function problem(reason: string, places: readonly string[]): Problem {
  return { reason, details: places.map((field) => ({ field, reason })) }
}

function cardPath(body: Json): string {
  const isToken = textAt(body, 'paymentInformation.tokenizedCard.number') !== null
  return `paymentInformation.${isToken ? 'tokenizedCard' : 'card'}`
}

function cardOf(body: Json): readonly string[] {
  const common = ['number', 'expirationMonth', 'expirationYear']
  return cardPath(body).endsWith('tokenizedCard') ? [...common, 'transactionType'] : common
}

export function textAt(body: Json, path: string): string | null {
  const value = path.split('.').reduce<unknown>((part, name) => (part as Json | undefined)?.[name], body)
  return typeof value === 'string' && value !== '' ? value : null
}

/** By Luhn. */
function isCardNumber(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const doubled = Number(digit) * (1 + (index % 2))
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return /^\d{12,19}$/.test(number) && sum % 10 === 0
}
