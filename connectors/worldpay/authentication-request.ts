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
        firstName: nameIn(billing?.first_name),
        lastName: nameIn(billing?.last_name),
        phoneNumber: phoneIn(billing?.phone_number),
      }),
    },
  }
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

function cardOf({ number, expirationDate, billing }: AuthenticateOrder): object {
  const [month = '', year = ''] = expirationDate.split('/')
  const holder = [billing?.first_name, billing?.last_name].filter(Boolean).join(' ')
  const billingAddress = addressOf(billing)
  return {
    type: 'card/front',
    ...(holder && { cardHolderName: cut(holder, HOLDER_MAX) }),
    cardNumber: number.use((bytes) => bytes.toString()),
    cardExpiryDate: { month: Number(month), year: 2000 + Number(year) },
    ...(billingAddress && { billingAddress }),
  }
}

const LINE_MAX = 80
const CITY_MAX = 15
const POSTAL_CODE_MAX = 15

/** Whole, or not sent: an issuer that compares half an address finds another one. */
function addressOf(billing: Contact | null): object | null {
  const address = billing?.address
  const { city, country, postal_code: postalCode, state_code } = address ?? {}
  const street = [address?.line1, address?.house_number_or_name].filter(Boolean).join(' ')
  if (!street || !city || !postalCode || !country || !/^[A-Z]{2}$/.test(country)) return null
  if (postalCode.length > POSTAL_CODE_MAX) return null
  const state = state_code?.split('-').at(-1)
  return {
    address1: cut(street, LINE_MAX),
    ...(address?.line2 && { address2: cut(address.line2, LINE_MAX) }),
    city: cut(city, CITY_MAX),
    postalCode,
    countryCode: country,
    ...(state && state.length <= 30 && { state }),
  }
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

const NAME_MAX = 22

function nameIn(name: string | null | undefined): string | null {
  return name ? cut(name, NAME_MAX) : null
}

function phoneIn(phone: string | null | undefined): string | null {
  const digits = (phone ?? '').replace(/\D/g, '')
  return digits.length >= 4 && digits.length <= 20 ? digits : null
}

function known(values: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
}
