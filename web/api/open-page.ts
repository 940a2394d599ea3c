import { LOCALES } from '../../server/src/domain/locale.ts'
import type { ApiError, Options, Shop } from './shop.ts'
import { within } from './within.ts'

const TIMEOUT_MS = 30_000

type Opened = { readonly url: string } | { readonly error: ApiError }

/** Makes the page of the order that the options describe, or changes the page at `url`. */
export async function openPage({ origin }: Shop, options: Options, url?: string): Promise<Opened> {
  const account = options['merchantAccountId']
  try {
    const response = await fetch('/checkout/sessions/page', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${String(options.token)}`,
        ...(typeof account === 'string' && { 'x-service-merchant-account-id': account }),
      },
      body: JSON.stringify({ ...orderIn(options), allowed_origins: [origin], page_url: url }),
      signal: within(TIMEOUT_MS),
    })
    const body = await response.json()
    return response.ok ? { url: body.url } : { error: body }
  } catch {
    const message = 'The server did not answer'
    return { error: { type: 'error', code: 'unavailable', status: 503, message, details: [] } }
  }
}

/** Options that are fields of the order, with another spelling. What is in these two is the shop's own. */
const SAME = ['amount', 'currency', 'country', 'paymentSource', 'externalIdentifier', 'shippingDetailsId']
const ALIKE = [...SAME, 'cartItems', 'statementDescriptor', 'installmentCount', 'approvalExpiresAt', 'buyer']
const AS_IT_IS = ['metadata', 'connectionOptions']

function orderIn(options: Options): object {
  const { buyerId, buyerExternalIdentifier, intent } = options
  return {
    ...Object.fromEntries(ALIKE.map((name) => [snake(name), snakeIn(options[name])])),
    ...Object.fromEntries(AS_IT_IS.map((name) => [snake(name), options[name]])),
    // With an id, the package leaves the other one out of account.
    ...(buyerId ? { buyer_id: buyerId } : { buyer_external_identifier: buyerExternalIdentifier }),
    intent: intent === 'preferAuthorize' ? 'authorize' : intent,
    locale: localeOf(options.locale),
    return_url: options['fullPageReturnUrl'],
    ask_security_code: options['requireSecurityCode'] === true,
    store: storeOf(options),
    required_fields: fieldsIn(options.billingAddressFields ?? {}),
  }
}

/** A series of payments needs a stored card. */
function storeOf({ store, paymentSource }: Options): string {
  if (store === true || isSeries(paymentSource)) return 'always'
  return store === 'ask' || store === 'preselect' ? 'ask' : 'never'
}

export function isSeries(paymentSource: unknown): boolean {
  return paymentSource === 'recurring' || paymentSource === 'installment'
}

function localeOf(given: unknown): string | undefined {
  const wanted = String(given ?? '').toLowerCase()
  const [language = ''] = wanted.split('-')
  return [wanted, language].flatMap((tag) => LOCALES.find((one) => one.toLowerCase() === tag) ?? [])[0]
}

/** The page asks for a whole name and a whole address: banks and couriers need them. */
function fieldsIn({
  emailAddress,
  firstName,
  lastName,
  address,
}: Readonly<Record<string, unknown>>): string[] {
  return [
    ...(emailAddress ? ['email_address'] : []),
    ...(firstName || lastName ? ['name'] : []),
    ...(Object.values(address ?? {}).includes(true) ? ['billing_address'] : []),
  ]
}

function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function snakeIn(value: unknown): unknown {
  return renamed(value, snake)
}

/** The same with other names of all its fields. */
export function renamed(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((one) => renamed(one, rename))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      rename(name),
      name === 'metadata' ? inner : renamed(inner, rename),
    ]),
  )
}
