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

const RULES: Readonly<Record<string, readonly Rule[]>> = {
  deviceDataInitialization: COMMON,
  authentication: AUTHENTICATION,
  verification: VERIFICATION,
}

export type Body = Readonly<Record<string, unknown>>

export function errorsIn(operation: string, body: Body): ValidationError[] {
  const address = operation === 'authentication' && valueAt(body, ADDRESS) !== undefined ? ADDRESS_RULES : []
  return [...(RULES[operation] ?? []), ...address].flatMap((rule) => {
    const name = broken(rule, valueAt(body, rule.path))
    return name === null ? [] : [{ errorName: name, jsonPath: `$.${rule.path}`, message: 'It is not valid' }]
  })
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
