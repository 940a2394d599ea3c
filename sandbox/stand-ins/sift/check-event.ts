/** Sift's own number for what is wrong with an event, and its kind of sentence. */
export type Complaint = { readonly status: number; readonly error_message: string }

type Values = Readonly<Record<string, unknown>>
type Check = (value: unknown) => boolean

const isText: Check = (value) => typeof value === 'string' && value !== ''
const isCountry: Check = (value) => typeof value === 'string' && /^[A-Z]{2}$/.test(value)

/** The reserved fields that an order has in Sift's libraries, as far as a payments service can know them. */
const ADDRESS: Readonly<Record<string, Check>> = {
  $name: isText,
  $phone: isText,
  $address_1: isText,
  $address_2: isText,
  $city: isText,
  $region: isText,
  $zipcode: isText,
  $country: isCountry,
}
const PAYMENT_TYPES = new Set(
  (
    '$cash $check $credit_card $crypto_currency $debit_card $digital_wallet $electronic_fund_transfer $financing $gift_card $invoice ' +
    '$in_app_purchase $money_order $points $prepaid_card $store_credit $third_party_processor $voucher $sepa_credit ' +
    '$sepa_instant_credit $sepa_direct_debit $ach_credit $ach_debit $wire_credit $wire_debit'
  ).split(' '),
)
const METHOD: Readonly<Record<string, Check>> = {
  $payment_type: (value) => PAYMENT_TYPES.has(String(value)),
  $card_bin: (value) => typeof value === 'string' && /^\d{6}(?:\d\d)?$/.test(value),
}
const ORDER: Readonly<Record<string, Check>> = {
  $type: (value) => value === '$create_order',
  $api_key: isText,
  $user_id: (value) => typeof value === 'string' && /^[A-Za-z0-9=.\-_+@:&^%!$]+$/.test(value),
  $session_id: isText,
  $order_id: isText,
  $user_email: isText,
  $amount: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  $currency_code: (value) => typeof value === 'string' && /^[A-Z]{3}$/.test(value),
  $billing_address: (value) => fits(value, ADDRESS),
  $payment_methods: (value) => Array.isArray(value) && value.every((method) => fits(method, METHOD)),
  $ip: isText,
  $site_country: isCountry,
  $site_domain: isText,
}

export function complaintAbout(event: Values, apiKey: string): Complaint | undefined {
  if (event['$api_key'] !== apiKey)
    return { status: 51, error_message: 'Invalid API Key. Please check your credentials and try again.' }
  if (event['$user_id'] === undefined && event['$session_id'] === undefined)
    return { status: 55, error_message: 'Missing required field: $user_id' }
  const unknown = Object.keys(event).find((name) => name.startsWith('$') && !Object.hasOwn(ORDER, name))
  if (unknown) return { status: 105, error_message: `Not a valid reserved field: ${unknown}` }
  const [wrong] = Object.entries(event).find(([name, value]) => ORDER[name]?.(value) === false) ?? []
  return wrong === undefined
    ? undefined
    : { status: 53, error_message: `Invalid field value(s) for fields: ${wrong}` }
}

function fits(value: unknown, checks: Readonly<Record<string, Check>>): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).every(([name, inner]) => checks[name]?.(inner) === true)
}
