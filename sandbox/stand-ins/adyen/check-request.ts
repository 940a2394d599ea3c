import { ServiceError } from './errors.ts'
import { checkMethod } from './methods.ts'
import type { Money } from './state.ts'

export type Json = Readonly<Record<string, unknown>>

/** Every field of a payment request. Adyen refuses others by their names. Checkout API v71, `PaymentRequest`. */
const FIELDS = new Set(
  (
    'accountInfo additionalAmount additionalData amount applicationInfo authenticationData bankAccount billingAddress ' +
    'browserInfo captureDelayHours channel checkoutAttemptId company conversionId countryCode dateOfBirth dccQuote ' +
    'deliverAt deliveryAddress deliveryDate deviceFingerprint enableOneClick enablePayOut enableRecurring ' +
    'enhancedSchemeData entityType fraudOffset fundOrigin fundRecipient industryUsage installments lineItems ' +
    'localizedShopperStatement mandate mcc merchantAccount merchantOrderReference merchantRiskIndicator metadata mpiData ' +
    'order orderReference origin paymentMethod paymentValidations platformChargebackLogic recurringExpiry ' +
    'recurringFrequency recurringProcessingModel redirectFromIssuerMethod redirectToIssuerMethod reference returnUrl ' +
    'riskData sessionValidity shopperConversionId shopperEmail shopperIP shopperInteraction shopperLocale shopperName ' +
    'shopperReference shopperStatement shopperTaxInfo socialSecurityNumber splits store storePaymentMethod subMerchants ' +
    'surcharge telephoneNumber threeDS2RequestData threeDSAuthenticationOnly trustedShopper'
  ).split(' '),
)

export type PaymentRequest = {
  readonly amount: Money
  readonly reference: string
  readonly returnUrl: string
  readonly method: Json & { readonly type: string }
  readonly all: Json
}

/** The checks that Adyen documents with an error code of their own. */
export function checkPayment(body: Json, now: Date): PaymentRequest {
  const unknown = Object.keys(body).filter((name) => !FIELDS.has(name))
  if (unknown.length > 0) {
    throw new ServiceError(
      400,
      '702',
      `Structure of PaymentRequest contains unknown fields: [${unknown.join(', ')}]`,
    )
  }
  const amount = checkAmount(body['amount'], { mayBeZero: true })
  const reference = textOf(body['reference'])
  if (reference === '') throw new ServiceError(422, '130', "Required field 'reference' is not provided.")
  const returnUrl = textOf(body['returnUrl'])
  if (!URL.canParse(returnUrl)) throw new ServiceError(422, '14_030', 'Return URL is missing.')
  checkRecurring(body)
  checkStatement(body)
  checkAuthentication(body)
  checkPurchase(body)
  checkAirline(body)
  const method = objectOf(body['paymentMethod'])
  const type = textOf(method['type'])
  if (type === '') throw new ServiceError(422, '14_004', 'Missing payment method details')
  checkMethod(type, amount, body)
  if (CARD_TYPES.includes(type) && method['number'] !== undefined) checkCard(method, now)
  if (CARD_TYPES.includes(type) && method['number'] === undefined) {
    throw new ServiceError(422, '101', 'Invalid card number')
  }
  return { amount, reference, returnUrl, method: { ...method, type }, all: body }
}

const MODELS = ['CardOnFile', 'Subscription', 'UnscheduledCardOnFile']

/** Payments that belong together have a shopper. https://docs.adyen.com/api-explorer/Checkout/71/post/payments */
function checkRecurring(body: Json): void {
  const model = body['recurringProcessingModel']
  if (model === undefined) return
  if (!MODELS.includes(textOf(model))) {
    throw new ServiceError(422, '702', 'The field recurringProcessingModel has an unknown value')
  }
  if (textOf(body['shopperReference']).length < 3) {
    throw new ServiceError(422, '702', "Required field 'shopperReference' is not provided.")
  }
}

/** https://docs.adyen.com/api-explorer/Checkout/71/post/payments, `shopperStatement` */
function checkStatement({ shopperStatement: statement }: Json): void {
  if (statement === undefined) return
  if (!/^(?=.*\D)[a-zA-Z0-9.,'_?+*/ -]{1,22}$/.test(textOf(statement))) {
    throw new ServiceError(422, '702', 'The field shopperStatement has a value that is not allowed')
  }
}

/** 3-D Secure in a browser: the whole `browserInfo`, and the shopper's IP address or e-mail address. */
function checkAuthentication(body: Json): void {
  const wish = objectOf(body['authenticationData'])['attemptAuthentication']
  if (wish !== 'always' || body['channel'] !== 'Web') return
  const browser = objectOf(body['browserInfo'])
  const missing = BROWSER.find((name) => browser[name] === undefined)
  if (missing) throw new ServiceError(422, '702', `Required field 'browserInfo.${missing}' is not provided.`)
  const isVisaOrJcb = /^(4|35)/.test(textOf(objectOf(body['paymentMethod'])['number']))
  if (isVisaOrJcb && body['shopperIP'] === undefined && body['shopperEmail'] === undefined) {
    throw new ServiceError(422, '702', "Required field 'shopperIP' is not provided.")
  }
}

/** Levels 2 and 3, as Adyen's library describes `LevelTwoThree`: ASCII within its length, not zeros alone, and whole lines. */
function checkPurchase(body: Json): void {
  const purchase = objectOf(body['enhancedSchemeData'])['levelTwoThree']
  if (purchase === undefined) return
  const { customerReferenceNumber, itemDetailLines = [], totalTaxAmount } = objectOf(purchase)
  const lines = Array.isArray(itemDetailLines) ? itemDetailLines.map(objectOf) : []
  const isRight =
    isPlain(customerReferenceNumber, 25) &&
    Number.isSafeInteger(totalTaxAmount) &&
    (Number(totalTaxAmount) > 0 || lines.length > 0) &&
    lines.every(
      ({ description, productCode, commodityCode, unitOfMeasure, quantity }) =>
        isPlain(description, 26) &&
        textOf(description).length > 1 &&
        [productCode, commodityCode].every((code) => code === undefined || isPlain(code, 12)) &&
        (unitOfMeasure === undefined || isPlain(unitOfMeasure, 3)) &&
        Number(quantity) >= 1 &&
        Number(quantity) <= 9_999,
    )
  if (!isRight)
    throw new ServiceError(422, '702', 'The field enhancedSchemeData has a value that is not allowed')
}

/** A flight, as Adyen's library describes `Airline`: a name, and legs with their passengers, each with three codes. */
function checkAirline(body: Json): void {
  const airline = objectOf(body['enhancedSchemeData'])['airline']
  if (airline === undefined) return
  const { passengerName, ticket, legs = [], passengers = [] } = objectOf(airline)
  const [flown, flying] = [legs, passengers].map((list) => (Array.isArray(list) ? list.map(objectOf) : []))
  const { number, issueAddress } = objectOf(ticket)
  const isRight =
    isPlain(passengerName, 20) &&
    (number === undefined || isPlain(number, 15)) &&
    (issueAddress === undefined || isPlain(issueAddress, 16)) &&
    (flown?.length === 0 || flying?.length !== 0) &&
    flying?.every(({ firstName, lastName }) => isPlain(firstName, 255) && isPlain(lastName, 255)) &&
    flown?.every(
      ({ carrierCode, departureAirportCode, destinationAirportCode, flightNumber = '1' }) =>
        /^\w{2}$/.test(textOf(carrierCode)) &&
        [departureAirportCode, destinationAirportCode].every((code) => /^\w{3}$/.test(textOf(code))) &&
        isPlain(flightNumber, 5),
    )
  if (!isRight)
    throw new ServiceError(422, '702', 'The field enhancedSchemeData has a value that is not allowed')
}

function isPlain(value: unknown, max: number): boolean {
  return new RegExp(`^(?! )(?=.*[^0])[ -~]{1,${max}}$`).test(textOf(value))
}

const BROWSER = [
  'acceptHeader',
  'colorDepth',
  'language',
  'screenHeight',
  'screenWidth',
  'timeZoneOffset',
  'userAgent',
]

const CARD_TYPES = ['scheme', 'card', 'networkToken', 'bcmc']

export function checkAmount(value: unknown, { mayBeZero }: { readonly mayBeZero: boolean }): Money {
  const { value: amount, currency } = objectOf(value)
  if (value === undefined) throw new ServiceError(422, '100', "Required object 'amount' is not provided.")
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) {
    throw new ServiceError(422, '138', 'Currency is not supported')
  }
  if (!Number.isSafeInteger(amount) || Number(amount) < (mayBeZero ? 0 : 1)) {
    throw new ServiceError(422, '137', 'Invalid amount specified')
  }
  return { value: Number(amount), currency }
}

export function checkCard(method: Json, now: Date): void {
  const number = textOf(method['number'])
  if (!/^\d{12,19}$/.test(number) || !isLuhn(number))
    throw new ServiceError(422, '101', 'Invalid card number')
  const [month, year] = [textOf(method['expiryMonth']), textOf(method['expiryYear'])]
  if (!/^(0?[1-9]|1[0-2])$/.test(month) || !/^\d{4}$/.test(year)) {
    throw new ServiceError(422, '129', 'Expiry Date Invalid')
  }
  if (Date.UTC(Number(year), Number(month), 1) <= now.getTime()) {
    throw new ServiceError(422, '129', 'Expiry Date Invalid')
  }
  const cvc = method['cvc']
  if (cvc === undefined) return
  const length = /^3[47]/.test(number) ? 4 : 3
  if (typeof cvc !== 'string' || !new RegExp(`^\\d{${length}}$`).test(cvc)) {
    throw new ServiceError(422, '103', 'CVC is not the right length')
  }
}

function isLuhn(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

/** A payment that the shopper does not make: it has no authentication. */
export function isContinued(body: Json): boolean {
  return ['ContAuth', 'Moto'].includes(textOf(body['shopperInteraction']))
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {}
}
