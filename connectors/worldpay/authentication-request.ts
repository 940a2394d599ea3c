import { cut } from '#connectors/contract/latin-letters.ts'
import type { Contact } from '#connectors/contract/orders.ts'
import type {
  AuthenticateOrder,
  Browser,
  Prepared,
  SchemeMerchant,
} from '#connectors/contract/three-d-secure.ts'
import { isRecord, textOf } from './wire.ts'

type Fields = Readonly<Record<string, string>>

/**
 * What Worldpay is told about a payment. A value that Worldpay would refuse is cut or left out: otherwise a buyer could have the
 * request refused, and pay without 3-D Secure.
 */
export function authenticationOf(order: AuthenticateOrder, fields: Fields): object {
  const { billing, returnUrl, isFirstOfSeries } = order
  return {
    transactionReference: order.transactionId,
    merchant: merchantOf(fields, order.merchant),
    instruction: {
      value: { amount: order.amount, currency: order.currency },
      paymentInstrument: cardOf(order),
    },
    deviceData: deviceOf(order.browser, order.prepared),
    challenge: {
      returnUrl,
      windowSize: 'fullPage',
      ...(isFirstOfSeries && { preference: 'challengeMandated' }),
    },
    riskData: {
      account: { type: order.hasAccount ? 'registeredUser' : 'guestUser', ...emailOf(billing) },
      transaction: known({
        firstName: fitting([billing?.first_name], NAME_MAX),
        lastName: fitting([billing?.last_name], NAME_MAX),
        phoneNumber: phoneIn(billing?.phone_number),
      }),
    },
  }
}

/** The same order without what buyers and their browsers have written. */
export function withoutTexts(order: AuthenticateOrder): AuthenticateOrder {
  const { browser } = order
  const silent = browser && { ...browser, acceptHeader: null, userAgent: '', language: null }
  return { ...order, billing: null, shipping: null, browser: silent }
}

const MERCHANT_NAME_MAX = 25

export function merchantOf({ entity, acquirer_id }: Fields, merchant: SchemeMerchant | null): object {
  const name = merchant && cut(merchant.name.replace(/[><&'"]/g, ''), MERCHANT_NAME_MAX).trim()
  return {
    entity,
    ...(merchant && name && { overrideName: name }),
    ...(merchant && acquirer_id && { acquirerId: acquirer_id }),
  }
}

const HOLDER_MAX = 255
const NAME_MAX = 22

function cardOf({ number, expirationDate, billing }: AuthenticateOrder): object {
  const [month = '', year = ''] = expirationDate.split('/')
  const cardHolderName = fitting([billing?.first_name, billing?.last_name], HOLDER_MAX)
  const billingAddress = addressOf(billing)
  return {
    type: 'card/front',
    ...known({ cardHolderName, billingAddress }),
    cardNumber: number.use((bytes) => bytes.toString()),
    cardExpiryDate: { month: Number(month), year: 2000 + Number(year) },
  }
}

const LINE_MAX = 80
const CITY_MAX = 15
const POSTAL_CODE_MAX = 15
const STATE_MAX = 30

/** Whole, or not sent: an issuer that compares half an address finds another one. */
function addressOf(billing: Contact | null): object | null {
  const address = billing?.address
  const address1 = fitting([address?.line1, address?.house_number_or_name], LINE_MAX)
  const city = fitting([address?.city], CITY_MAX)
  const postalCode = address?.postal_code?.trim() ?? ''
  const countryCode = address?.country ?? ''
  const isWhole = address1 !== null && city !== null && postalCode !== '' && /^[A-Z]{2}$/.test(countryCode)
  if (!isWhole || postalCode.length > POSTAL_CODE_MAX) return null
  const address2 = fitting([address?.line2], LINE_MAX)
  const state = fitting([address?.state_code?.split('-').at(-1)], STATE_MAX)
  return { address1, city, postalCode, countryCode, ...known({ address2, state }) }
}

/** The texts in one, cut. Null: there is nothing to read in them. */
function fitting(texts: readonly (string | null | undefined)[], max: number): string | null {
  const whole = texts.flatMap((text) => text?.trim() || []).join(' ')
  return cut(whole, max).trim() || null
}

/** Worldpay needs both headers. A browser that does not say what it is must not get past the issuer. */
const ANY_BROWSER = { acceptHeader: 'text/html', userAgentHeader: 'unknown' }
const HEADER_MAX = 2048
const COLOR_DEPTHS = [48, 32, 24, 16, 15, 8, 4, 1]
const LANGUAGE_MAX = 8

function deviceOf(browser: Browser | null, prepared: Prepared | null): object {
  const collectionReference = sessionIn(prepared?.told ?? null)
  const collected = collectionReference && { collectionReference }
  if (!browser) return { ...ANY_BROWSER, ...collected }
  const depth = COLOR_DEPTHS.find((one) => one <= (browser.colorDepth ?? 0))
  const language = browser.language ?? ''
  const [primary = ''] = language.split('-')
  return {
    acceptHeader: headerOf(browser.acceptHeader) ?? ANY_BROWSER.acceptHeader,
    userAgentHeader: headerOf(browser.userAgent) ?? ANY_BROWSER.userAgentHeader,
    ...collected,
    ...known({
      browserLanguage: (language.length <= LANGUAGE_MAX ? language : primary) || null,
      ipAddress: browser.ipAddress,
      browserJavaEnabled: browser.javaEnabled,
      browserJavascriptEnabled: browser.javascriptEnabled,
      browserColorDepth: depth === undefined ? null : String(depth),
      browserScreenHeight: pixels(browser.screenHeight),
      browserScreenWidth: pixels(browser.screenWidth),
      timeZone: minutes(browser.timeZoneOffset),
    }),
  }
}

function headerOf(value: string | null): string | null {
  const plain = (value ?? '').replace(/[^\x20-\x7e]/g, '').trim()
  return plain === '' ? null : plain.slice(0, HEADER_MAX)
}

function pixels(value: number | null): number | null {
  return value !== null && Number.isInteger(value) && value >= 0 && value <= 999_999 ? value : null
}

function minutes(value: number | null): string | null {
  return value !== null && Number.isInteger(value) && Math.abs(value) <= 9_999 ? String(value) : null
}

/** The frame has told `{"MessageType":"profile.completed","SessionId":"…","Status":true}`. */
function sessionIn(told: string | null): string | null {
  let message: unknown
  try {
    message = JSON.parse(told ?? '')
  } catch {
    return null
  }
  const session = isRecord(message) ? textOf(message, 'SessionId') : null
  return session !== null && /^[\w-]{1,200}$/.test(session) ? session : null
}

function emailOf(billing: Contact | null): object {
  const email = billing?.email_address ?? ''
  return email.length <= 128 && /^.+@.+$/.test(email) ? { email } : {}
}

function phoneIn(phone: string | null | undefined): string | null {
  const digits = (phone ?? '').replace(/\D/g, '')
  return digits.length >= 4 && digits.length <= 20 ? digits : null
}

function known(values: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
}
