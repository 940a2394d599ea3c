import { opaqueColor } from '#domain/css-color.ts'
import { isLocale, LOCALES } from '#domain/locale.ts'
import { isWebPage } from '#domain/web-page.ts'
import { checkCredentials } from '#payments/prepare/check-request.ts'
import { type ErrorDetail, inBody } from '#platform/http/errors.ts'
import type { About, Sound } from '#platform/http/meaning.ts'
import { lastMsOf } from '#platform/listing/moments.ts'
import { guestComplaints } from '#resources/buyers/details.ts'
import { unknownCodes } from '#resources/transactions/wire/check-codes.ts'
import { totalOf } from './cart.ts'
import type { PaymentLinkCreate } from './schemas.ts'

type Request = Sound<PaymentLinkCreate>

/** Everything that is wrong with a link, judged by the request alone. What a payment would refuse is refused here. */
export function linkComplaints(request: Request, about: About): ErrorDetail[] {
  return [
    ...unknownCodes(request),
    ...guestComplaints(request.buyer),
    ...(request.buyer && request.buyer_id
      ? [inBody('/buyer', 'value_error.conflict', 'name a buyer or describe one, not both')]
      : []),
    ...timeComplaints(request, about),
    ...moneyComplaints(request, about),
    ...pageComplaints(request),
  ]
}

function timeComplaints({ expires_at }: Request, { now }: About): ErrorDetail[] {
  if (!expires_at || lastMsOf(expires_at, 'expires_at', 'body') > now.getTime()) return []
  return [inBody('/expires_at', 'value_error.expired', 'must be in the future')]
}

function moneyComplaints(request: Request, { isRight }: About): ErrorDetail[] {
  const { amount, intent, payment_source = 'ecommerce', store = false } = request
  const complaints = isRight('/payment_source', '/store')
    ? checkCredentials({
        payment_source,
        store,
        merchant_initiated: false,
        is_subsequent_payment: false,
        isStored: false,
        isStorable: true,
      })
    : []
  if (intent === 'capture' && amount === 0) {
    complaints.push(inBody('/amount', 'value_error.number.not_ge', 'must be above 0 with the intent capture'))
  }
  return isRight('/amount', '/cart_items') ? [...complaints, ...cartComplaints(request)] : complaints
}

/** The buyer reads the lines above the amount, so a difference would be a wrong bill. */
function cartComplaints({ amount, cart_items }: Request): ErrorDetail[] {
  if (!cart_items?.length || amount === undefined) return []
  if (totalOf(cart_items as NonNullable<PaymentLinkCreate['cart_items']>) === BigInt(amount)) return []
  const message =
    'must add up to the amount: quantity × unit_amount − discount_amount + tax_amount + duty_amount + shipping_amount of each line, less lines of the types discount and store_credit'
  return [inBody('/cart_items', 'value_error.conflict', message)]
}

const PAGES = [
  'merchant_url',
  'merchant_banner_url',
  'merchant_terms_and_conditions_url',
  'merchant_favicon_url',
  'return_url',
] as const

function pageComplaints(request: Request): ErrorDetail[] {
  const { locale, merchant_color } = request
  const complaints = PAGES.flatMap((name) => {
    const url = request[name]
    if (!url || isWebPage(url)) return []
    const message = 'must be an absolute URL with https or http, such as https://shop.example.com/back'
    return [inBody(`/${name}`, 'value_error.url', message)]
  })
  if (merchant_color && !opaqueColor(merchant_color)) {
    const message =
      'must be a colour of CSS that one cannot see through, such as #FF5733, navy or rgb(255, 87, 51)'
    complaints.push(inBody('/merchant_color', 'value_error.str.regex', message))
  }
  if (locale && !isLocale(locale)) {
    complaints.push(inBody('/locale', 'type_error.enum', `must be one of ${LOCALES.join(', ')}`))
  }
  return complaints
}
