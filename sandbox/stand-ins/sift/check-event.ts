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
const oneOf =
  (words: string): Check =>
  (value) =>
    words.split(' ').includes(String(value))

const EVENT: Readonly<Record<string, Check>> = {
  $type: isText,
  $api_key: isText,
  $user_id: (value) => typeof value === 'string' && /^[A-Za-z0-9=.\-_+@:&^%!$]+$/.test(value),
  $session_id: isText,
  $order_id: isText,
}
const ORDER: Readonly<Record<string, Check>> = {
  ...EVENT,
  $user_email: isText,
  $amount: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  $currency_code: (value) => typeof value === 'string' && /^[A-Z]{3}$/.test(value),
  $billing_address: (value) => fits(value, ADDRESS),
  $payment_methods: (value) => Array.isArray(value) && value.every((method) => fits(method, METHOD)),
  $ip: isText,
  $site_country: isCountry,
  $site_domain: isText,
}

/** What became of an order. */
const OTHERS: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  $create_order: ORDER,
  $order_status: {
    ...EVENT,
    $order_status: oneOf('$approved $canceled $held $fulfilled $returned'),
    $reason: oneOf('$payment_risk $abuse $policy $other'),
    $source: oneOf('$automated $manual_review'),
  },
  $transaction: {
    ...EVENT,
    $amount: ORDER['$amount'] as Check,
    $currency_code: ORDER['$currency_code'] as Check,
    $payment_method: (value) => fits(value, METHOD),
    $transaction_type: oneOf(
      '$sale $authorize $capture $void $refund $deposit $withdrawal $transfer $buy $sell',
    ),
    $transaction_status: oneOf('$success $failure $pending'),
    $transaction_id: isText,
    $decline_category: oneOf(
      '$fraud $lost_or_stolen $risky $bank_decline $invalid $expired $insufficient_funds $limit_exceeded ' +
        '$additional_verification_required $invalid_verification $other',
    ),
  },
  $chargeback: {
    ...EVENT,
    $transaction_id: isText,
    $chargeback_state: oneOf('$received $accepted $disputed $won $lost'),
    $chargeback_reason: oneOf('$fraud $duplicate $product_not_received $product_unacceptable $other'),
  },
}
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  $order_status: ['$order_id', '$order_status'],
  $transaction: ['$amount', '$currency_code'],
  $chargeback: ['$order_id'],
}

export function complaintAbout(event: Values, apiKey: string): Complaint | undefined {
  if (event['$api_key'] !== apiKey)
    return { status: 51, error_message: 'Invalid API Key. Please check your credentials and try again.' }
  const type = String(event['$type'])
  const fields = OTHERS[type]
  if (!fields) return { status: 53, error_message: 'Invalid field value(s) for fields: $type' }
  const isNamed = event['$user_id'] !== undefined || event['$session_id'] !== undefined
  if (!isNamed && type !== '$chargeback')
    return { status: 55, error_message: 'Missing required field: $user_id' }
  const missing = REQUIRED[type]?.find((name) => event[name] === undefined)
  if (missing) return { status: 55, error_message: `Missing required field: ${missing}` }
  const unknown = Object.keys(event).find((name) => name.startsWith('$') && !Object.hasOwn(fields, name))
  if (unknown) return { status: 105, error_message: `Not a valid reserved field: ${unknown}` }
  const [wrong] = Object.entries(event).find(([name, value]) => fields[name]?.(value) === false) ?? []
  return wrong === undefined
    ? undefined
    : { status: 53, error_message: `Invalid field value(s) for fields: ${wrong}` }
}

function fits(value: unknown, checks: Readonly<Record<string, Check>>): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).every(([name, inner]) => checks[name]?.(inner) === true)
}
