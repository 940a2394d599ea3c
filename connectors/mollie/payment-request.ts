import { cut } from '#connectors/contract/latin-letters.ts'
import type { AuthorizeOrder, Contact } from '#connectors/contract/orders.ts'
import { withoutNulls } from '#connectors/contract/requests.ts'
import type { MethodRow } from './methods.ts'
import { toMollie } from './money.ts'
import type { Json } from './wire.ts'

const DESCRIPTION_MAX = 255
const SKU_MAX = 64

/** `POST /v2/payments`. */
export function toPaymentRequest(
  order: AuthorizeOrder,
  row: MethodRow,
  webhookUrl: string | undefined,
): Json {
  const { amount, currency, attemptId, transactionId, redirectUrl, intent, billing, shipping, buyer } = order
  return withoutNulls({
    amount: toMollie(amount, currency),
    description: descriptionOf(order),
    redirectUrl,
    webhookUrl,
    method: row.type,
    metadata: { attempt: attemptId, transaction: transactionId },
    locale: localeOf(buyer.locale),
    ...(row.captures && { captureMode: intent === 'capture' ? 'automatic' : 'manual' }),
    // Mollie refuses the whole payment for an address that it does not like. So only methods that need one send it.
    ...(row.asks && { billingAddress: toAddress(billing), shippingAddress: toWholeAddress(shipping) }),
    ...(row.hasLines && { lines: toLines(order) }),
  })
}

/** The buyer reads it. */
function descriptionOf({ details, reconciliationId }: AuthorizeOrder): string {
  return cut(details.description?.trim() || reconciliationId, DESCRIPTION_MAX)
}

function toAddress(contact: Contact | null): Json | null {
  if (!contact) return null
  const { first_name, last_name, email_address, phone_number, address } = contact
  const { line1, line2, house_number_or_name, postal_code, city, state, country, organization } =
    address ?? {}
  return withoutNulls({
    givenName: first_name?.trim(),
    familyName: last_name?.trim(),
    organizationName: organization?.trim(),
    streetAndNumber: [line1, house_number_or_name].filter(Boolean).join(' ').trim(),
    streetAdditional: line2?.trim(),
    postalCode: postal_code?.trim(),
    city: city?.trim(),
    region: state?.trim(),
    country,
    email: email_address,
    phone: /^\+[1-9]\d{6,14}$/.test(phone_number ?? '') ? phone_number : null,
  })
}

/** With an e-mail address or a whole postal address, or not at all. */
function toWholeAddress(contact: Contact | null): Json | null {
  const address = toAddress(contact)
  const isWhole =
    address !== null &&
    ['streetAndNumber', 'postalCode', 'city', 'country'].every((name) => address[name] !== undefined)
  return isWhole ? address : null
}

/** The first of a language is taken for countries that Mollie has no words for. */
const LOCALES =
  'en_US en_GB en_BE en_NL nl_NL nl_BE de_DE de_AT de_CH de_LU fr_FR fr_BE fr_LU es_ES ca_ES it_IT pt_PT pl_PL sv_SE fi_FI da_DK nb_NO is_IS hu_HU lv_LV lt_LT cs_CZ sk_SK'.split(
    ' ',
  )

function localeOf(given: string | null): string | null {
  if (given === null) return null
  const wanted = given.replace('-', '_')
  const language = `${wanted.split('_')[0]}_`
  return LOCALES.find((one) => one === wanted) ?? LOCALES.find((one) => one.startsWith(language)) ?? null
}

/** Lines have to add up to the amount. If the items do not, the whole sale is one line. */
export function toLines({ amount, currency, details }: AuthorizeOrder): readonly Json[] {
  const items = (details.cart_items ?? []).map((item) => {
    const discount = item.discount_amount ?? 0
    const total = item.quantity * item.unit_amount - discount + (item.tax_amount ?? 0)
    return { item, discount, total }
  })
  const sum = items.reduce((whole, { total }) => whole + total, 0)
  if (items.length === 0 || sum !== amount || items.some(({ total }) => total < 0)) {
    const whole = toMollie(amount, currency)
    return [{ description: 'Order', quantity: 1, unitPrice: whole, totalAmount: whole }]
  }
  return items.map(({ item, discount, total }) => {
    // Prices have the tax in them, and the tax of a line may not divide.
    const isEven = (total + discount) % item.quantity === 0
    const quantity = isEven ? item.quantity : 1
    return withoutNulls({
      description: cut(isEven ? item.name : `${item.quantity} × ${item.name}`, DESCRIPTION_MAX),
      quantity,
      unitPrice: toMollie((total + discount) / quantity, currency),
      discountAmount: discount > 0 ? toMollie(discount, currency) : null,
      totalAmount: toMollie(total, currency),
      sku: item.sku && item.sku.length <= SKU_MAX ? item.sku : null,
    })
  })
}
