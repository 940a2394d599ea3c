/** What is wrong with a request, in the words of Worldpay's errors. */
export type ValidationError = {
  readonly errorName: string
  readonly jsonPath: string
  readonly message: string
}

type Rule = {
  readonly path: string
  readonly isRequired?: boolean
  readonly type: 'string' | 'integer' | 'boolean' | 'object'
  readonly min?: number
  readonly max?: number
  readonly pattern?: RegExp
  readonly among?: readonly string[]
}

const REFERENCE = /^[-A-Za-z0-9_!@#$%()*=.:;?[\]{}~`/+]*$/

const COMMON: readonly Rule[] = [
  { path: 'transactionReference', isRequired: true, type: 'string', min: 1, max: 64, pattern: REFERENCE },
  { path: 'merchant', isRequired: true, type: 'object' },
  { path: 'merchant.entity', isRequired: true, type: 'string', min: 1, max: 64, pattern: /^[A-Za-z0-9 ]*$/ },
  { path: 'merchant.overrideName', type: 'string', min: 1, max: 25 },
  { path: 'merchant.acquirerId', type: 'string', min: 1, max: 20, pattern: /^[0-9]*$/ },
]

const ADDRESS = 'instruction.paymentInstrument.billingAddress'
const ADDRESS_RULES: readonly Rule[] = [
  { path: `${ADDRESS}.address1`, isRequired: true, type: 'string', min: 1, max: 80 },
  { path: `${ADDRESS}.address2`, type: 'string', max: 80 },
  { path: `${ADDRESS}.city`, isRequired: true, type: 'string', min: 1, max: 15 },
  { path: `${ADDRESS}.postalCode`, isRequired: true, type: 'string', min: 1, max: 15 },
  { path: `${ADDRESS}.countryCode`, isRequired: true, type: 'string', pattern: /^[A-Z]{2}$/ },
  { path: `${ADDRESS}.state`, type: 'string', min: 1, max: 30 },
]

const CARD = 'instruction.paymentInstrument'
const DEPTHS = ['1', '4', '8', '15', '16', '24', '32', '48']
const PREFERENCES = ['noPreference', 'noChallengeRequested', 'challengeRequested', 'challengeMandated']
const SIZES = ['390x400', '250x400', '500x600', '600x400', 'fullPage']

const AUTHENTICATION: readonly Rule[] = [
  ...COMMON,
  { path: 'instruction', isRequired: true, type: 'object' },
  { path: 'instruction.value', isRequired: true, type: 'object' },
  { path: 'instruction.value.amount', isRequired: true, type: 'integer', min: 0, max: 99_999_999_999 },
  { path: 'instruction.value.currency', isRequired: true, type: 'string', pattern: /^[A-Z]{3}$/ },
  { path: CARD, isRequired: true, type: 'object' },
  { path: `${CARD}.type`, isRequired: true, type: 'string', among: ['card/front'] },
  { path: `${CARD}.cardNumber`, isRequired: true, type: 'string', pattern: /^[0-9]{10,19}$/ },
  { path: `${CARD}.cardHolderName`, type: 'string', min: 1, max: 255 },
  { path: `${CARD}.cardExpiryDate`, isRequired: true, type: 'object' },
  { path: `${CARD}.cardExpiryDate.month`, isRequired: true, type: 'integer', min: 1, max: 12 },
  { path: `${CARD}.cardExpiryDate.year`, isRequired: true, type: 'integer', min: 1, max: 9999 },
  { path: 'deviceData', isRequired: true, type: 'object' },
  { path: 'deviceData.acceptHeader', isRequired: true, type: 'string', min: 1, max: 2048 },
  { path: 'deviceData.userAgentHeader', isRequired: true, type: 'string', min: 1, max: 2048 },
  { path: 'deviceData.collectionReference', type: 'string', max: 200 },
  { path: 'deviceData.browserLanguage', type: 'string', min: 1, max: 8 },
  { path: 'deviceData.ipAddress', type: 'string', pattern: /^[0-9a-fA-F.:]+$/ },
  { path: 'deviceData.browserJavaEnabled', type: 'boolean' },
  { path: 'deviceData.browserJavascriptEnabled', type: 'boolean' },
  { path: 'deviceData.browserColorDepth', type: 'string', among: DEPTHS },
  { path: 'deviceData.browserScreenHeight', type: 'integer', min: 0, max: 999_999 },
  { path: 'deviceData.browserScreenWidth', type: 'integer', min: 0, max: 999_999 },
  { path: 'deviceData.timeZone', type: 'string', pattern: /^[+-]?\d{1,4}$/ },
  { path: 'challenge', isRequired: true, type: 'object' },
  { path: 'challenge.returnUrl', isRequired: true, type: 'string', pattern: /^https?:\/\// },
  { path: 'challenge.windowSize', type: 'string', among: SIZES },
  { path: 'challenge.preference', type: 'string', among: PREFERENCES },
  { path: 'riskData.account.email', type: 'string', min: 3, max: 128, pattern: /^.+@.+$/ },
  { path: 'riskData.transaction.firstName', type: 'string', min: 1, max: 22 },
  { path: 'riskData.transaction.lastName', type: 'string', min: 1, max: 22 },
  { path: 'riskData.transaction.phoneNumber', type: 'string', min: 4, max: 20, pattern: /^[0-9]*$/ },
]

const VERIFICATION: readonly Rule[] = [
  ...COMMON,
  { path: 'challenge', isRequired: true, type: 'object' },
  { path: 'challenge.reference', isRequired: true, type: 'string', pattern: /^[A-Za-z0-9]{20}$/ },
]

const NARRATIVE = /^[a-zA-Z0-9 _!@#$%()*=.:;?[\]{}~/+\-,`^&]*$/
const AGREEMENT = 'instruction.customerAgreement'
const VALUE: readonly Rule[] = [
  { path: 'value', isRequired: true, type: 'object' },
  { path: 'value.amount', isRequired: true, type: 'integer', min: 0 },
  { path: 'value.currency', isRequired: true, type: 'string', pattern: /^[A-Z]{3}$/ },
]
const PAYMENT: readonly Rule[] = [
  { path: 'transactionReference', isRequired: true, type: 'string', min: 1, max: 64, pattern: REFERENCE },
  { path: 'orderReference', type: 'string', min: 1, max: 64, pattern: REFERENCE },
  { path: 'merchant.entity', isRequired: true, type: 'string', min: 1, max: 32, pattern: /^[A-Za-z0-9 ]*$/ },
  { path: 'instruction.requestAutoSettlement', isRequired: true, type: 'object' },
  ...VALUE.map((rule) => ({ ...rule, path: `instruction.${rule.path}` })),
  { path: 'instruction.narrative', isRequired: true, type: 'object' },
  {
    path: 'instruction.narrative.line1',
    isRequired: true,
    type: 'string',
    min: 1,
    max: 24,
    pattern: NARRATIVE,
  },
  { path: 'instruction.narrative.line2', type: 'string', min: 1, max: 24, pattern: NARRATIVE },
  {
    path: `${CARD}.type`,
    isRequired: true,
    type: 'string',
    pattern: /^card\/(plain|networkToken(\+applepay|\+googlepay)?)$/,
  },
  { path: `${CARD}.cardNumber`, type: 'string', pattern: /^[0-9]{12,19}$/ },
  { path: `${CARD}.tokenNumber`, type: 'string', pattern: /^[0-9]{12,19}$/ },
  { path: `${CARD}.expiryDate.month`, isRequired: true, type: 'integer', min: 1, max: 12 },
  { path: `${CARD}.expiryDate.year`, isRequired: true, type: 'integer', min: 1000, max: 9999 },
  { path: `${CARD}.cardHolderName`, type: 'string', min: 1, max: 255 },
  { path: `${AGREEMENT}.storedCardUsage`, type: 'string', among: ['first', 'subsequent'] },
  { path: `${AGREEMENT}.schemeReference`, type: 'string', min: 1, max: 255 },
  { path: 'customer.emailAddress', type: 'string', min: 1, max: 128, pattern: /^[\x20-\x7e]+$/ },
]
const THREE_DS = 'authentication.threeDS'
const WITH_BUYER: readonly Rule[] = [
  ...PAYMENT,
  { path: 'channel', isRequired: true, type: 'string', among: ['ecom', 'moto'] },
  { path: `${CARD}.cvc`, type: 'string', min: 3, max: 4, pattern: /^[0-9]+$/ },
  { path: `${THREE_DS}.version`, type: 'string', min: 5, max: 10 },
  { path: `${THREE_DS}.eci`, type: 'string', pattern: /^[0-9]{2}$/ },
  { path: `${THREE_DS}.authenticationValue`, type: 'string', min: 1, max: 40 },
  { path: `${THREE_DS}.transactionId`, type: 'string', min: 36, max: 36 },
  { path: 'authentication.networkToken.cryptogram', type: 'string', min: 1, max: 40 },
]
const WITHOUT_BUYER: readonly Rule[] = [
  ...PAYMENT,
  { path: AGREEMENT, isRequired: true, type: 'object' },
  {
    path: `${AGREEMENT}.type`,
    isRequired: true,
    type: 'string',
    among: ['subscription', 'installment', 'unscheduled'],
  },
]
const RECEIVER = 'instruction.payoutInstrument'
const PLACE = `${RECEIVER}.billingAddress`
const PAYOUT: readonly Rule[] = [
  { path: 'transactionReference', isRequired: true, type: 'string', min: 1, max: 64, pattern: REFERENCE },
  { path: 'merchant.entity', isRequired: true, type: 'string', min: 1, max: 32, pattern: /^[A-Za-z0-9 ]*$/ },
  ...VALUE.map((rule) => ({ ...rule, path: `instruction.${rule.path}` })),
  {
    path: 'instruction.narrative.line1',
    isRequired: true,
    type: 'string',
    min: 1,
    max: 24,
    pattern: NARRATIVE,
  },
  { path: `${RECEIVER}.type`, isRequired: true, type: 'string', among: ['card/plain'] },
  { path: `${RECEIVER}.cardNumber`, isRequired: true, type: 'string', pattern: /^[0-9]{12,19}$/ },
  { path: `${RECEIVER}.cardExpiryDate.month`, isRequired: true, type: 'integer', min: 1, max: 12 },
  { path: `${RECEIVER}.cardExpiryDate.year`, isRequired: true, type: 'integer', min: 1000, max: 9999 },
  { path: `${RECEIVER}.cardHolderName`, type: 'string', pattern: /^(?=.*[A-Za-z])[-A-Za-z0-9_ ]*$/ },
]
const PLACE_RULES: readonly Rule[] = [
  { path: `${PLACE}.countryCode`, isRequired: true, type: 'string', pattern: /^[A-Z]{2}$/ },
  { path: `${PLACE}.postalCode`, isRequired: true, type: 'string', min: 1 },
]
const TOKEN = 'paymentInstrument'
const NETWORK_TOKEN: readonly Rule[] = [
  { path: 'merchant.entity', isRequired: true, type: 'string', min: 1 },
  { path: `${TOKEN}.type`, isRequired: true, type: 'string', among: ['card/front'] },
  { path: `${TOKEN}.cardHolderName`, isRequired: true, type: 'string', min: 1 },
  { path: `${TOKEN}.cardNumber`, isRequired: true, type: 'string' },
  { path: `${TOKEN}.cardExpiryDate.month`, isRequired: true, type: 'integer', min: 1, max: 12 },
  { path: `${TOKEN}.cardExpiryDate.year`, isRequired: true, type: 'integer', min: 1000, max: 9999 },
]
const PARTIAL: readonly Rule[] = [
  { path: 'reference', isRequired: true, type: 'string', min: 1, max: 128, pattern: /^[-A-Za-z0-9]*$/ },
  ...VALUE,
]

const RULES: Readonly<Record<string, readonly Rule[]>> = {
  deviceDataInitialization: COMMON,
  authentication: AUTHENTICATION,
  verification: VERIFICATION,
  customerInitiatedTransactions: WITH_BUYER,
  merchantInitiatedTransactions: WITHOUT_BUYER,
  fastAccess: PAYOUT,
  networkToken: NETWORK_TOKEN,
  cryptogram: [{ path: 'tokenNumber', isRequired: true, type: 'string', pattern: /^[0-9]{12,19}$/ }],
  settlement: PARTIAL,
  refund: PARTIAL,
  cancellation: PARTIAL.slice(0, 1).map((rule) => ({ ...rule, isRequired: false })),
}

export type Body = Readonly<Record<string, unknown>>

/** What Worldpay says in words. */
function meaningOf(operation: string, body: Body): ValidationError[] {
  const wrong = (jsonPath: string) => [
    { errorName: 'fieldHasInvalidValue', jsonPath, message: 'It is not valid' },
  ]
  if (operation === 'fastAccess') {
    const has = (name: string) => valueAt(body, `${PLACE}.${name}`) !== undefined
    return has('address1') === has('city') ? [] : wrong(`$.${PLACE}.${has('city') ? 'address1' : 'city'}`)
  }
  const type = String(valueAt(body, `${CARD}.type`))
  if (!operation.endsWith('InitiatedTransactions')) return []
  const number = valueAt(body, `${CARD}.${type === 'card/plain' ? 'cardNumber' : 'tokenNumber'}`)
  const usage = valueAt(body, `${AGREEMENT}.type`) === 'cardOnFile'
  const hasBuyer = operation === 'customerInitiatedTransactions'
  const isProved = ['01', '02', '05', '06'].includes(String(valueAt(body, `${THREE_DS}.eci`)))
  return [
    ...(number === undefined ? wrong(`$.${CARD}`) : []),
    // Payments with the buyer need the cryptogram of a token.
    ...(hasBuyer && type !== 'card/plain' && valueAt(body, 'authentication.networkToken') === undefined
      ? wrong('$.authentication.networkToken')
      : []),
    ...(usage && valueAt(body, `${AGREEMENT}.storedCardUsage`) === undefined ? wrong(`$.${AGREEMENT}`) : []),
    ...(isProved && valueAt(body, `${THREE_DS}.transactionId`) === undefined
      ? wrong(`$.${THREE_DS}.transactionId`)
      : []),
    ...(!hasBuyer && valueAt(body, `${CARD}.cvc`) !== undefined ? wrong(`$.${CARD}.cvc`) : []),
    ...(!hasBuyer && valueAt(body, 'authentication') !== undefined ? wrong('$.authentication') : []),
  ]
}

export function errorsIn(operation: string, body: Body): ValidationError[] {
  const shapes = [...(RULES[operation] ?? []), ...rulesOfAddress(operation, body)].flatMap((rule) => {
    const name = broken(rule, valueAt(body, rule.path))
    return name === null ? [] : [{ errorName: name, jsonPath: `$.${rule.path}`, message: 'It is not valid' }]
  })
  return shapes.length > 0 ? shapes : meaningOf(operation, body)
}

/** Addresses can be left out. */
function rulesOfAddress(operation: string, body: Body): readonly Rule[] {
  if (operation === 'authentication' && valueAt(body, ADDRESS) !== undefined) return ADDRESS_RULES
  return operation === 'fastAccess' && valueAt(body, PLACE) !== undefined ? PLACE_RULES : []
}

export function valueAt(body: unknown, path: string): unknown {
  return path.split('.').reduce((value, name) => (value as Body | null | undefined)?.[name], body)
}

/** The names of Worldpay's errors, as far as its documents show them. */
function broken({ type, isRequired, ...rule }: Rule, value: unknown): string | null {
  if (value === undefined) return isRequired ? 'fieldIsMissing' : null
  if (value === null) return 'fieldIsNull'
  const isRight = type === 'integer' ? Number.isInteger(value) : typeof value === type
  if (!isRight) return 'fieldHasInvalidType'
  if (typeof value === 'number') return inRange(value, rule) ? null : 'numberIsOutOfRange'
  if (typeof value !== 'string') return null
  // That blanks are nothing is assumed.
  if (value.trim().length < (rule.min ?? 0)) return 'stringIsTooShort'
  if (value.length > (rule.max ?? Number.POSITIVE_INFINITY)) return 'stringIsTooLong'
  if (rule.pattern && !rule.pattern.test(value)) return 'stringFailedRegexCheck'
  return rule.among && !rule.among.includes(value) ? 'fieldHasInvalidValue' : null
}

function inRange(value: number, { min = 0, max = Number.MAX_SAFE_INTEGER }: Pick<Rule, 'min' | 'max'>) {
  return value >= min && value <= max
}
