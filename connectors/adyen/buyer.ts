import { cut } from '#connectors/contract/latin-letters.ts'
import type { AuthorizeOrder, Contact } from '#connectors/contract/orders.ts'
import { withoutNulls } from '#connectors/contract/requests.ts'
import type { SaleDetails } from '#connectors/contract/sale-details.ts'
import { toAdyen } from './currency.ts'
import type { Json } from './wire.ts'

/** Who pays and for what, as far as Adyen has fields for it. */
export function describeBuyer(order: AuthorizeOrder): Json {
  const { billing, shipping, buyer, country, details } = order
  return withoutNulls({
    shopperReference: buyer.id,
    shopperIP: buyer.ipAddress,
    shopperLocale: buyer.locale?.replace('-', '_'),
    shopperEmail: billing?.email_address,
    telephoneNumber: billing?.phone_number,
    shopperName: shopperName(billing),
    socialSecurityNumber: brazilianTaxId(billing),
    countryCode: country ?? billing?.address?.country,
    billingAddress: toAddress(billing),
    deliveryAddress: toAddress(shipping),
    shopperStatement: statementOf(details.statement_descriptor?.name),
    browserInfo: toBrowserInfo(details.browser_info),
    ...(details.installment_count !== undefined && { installments: { value: details.installment_count } }),
  })
}

/** Adyen takes these characters, up to 22, and not only digits. Others are left out. */
function statementOf(text: string | null | undefined): string | null {
  const taken = text
    ?.replace(/[^a-zA-Z0-9.,'_?+*/ -]/g, '')
    .trim()
    .slice(0, 22)
  return taken && /\D/.test(taken) ? taken : null
}

function shopperName(contact: Contact | null): Json | null {
  if (!contact?.first_name || !contact.last_name) return null
  return { firstName: cut(contact.first_name, 80), lastName: cut(contact.last_name, 80) }
}

/** A CPF or CNPJ, of which Adyen takes the digits alone. */
function brazilianTaxId(contact: Contact | null): string | null {
  const { kind, value } = contact?.tax_id ?? {}
  return kind?.startsWith('br.') ? (value?.replace(/\D/g, '') ?? null) : null
}

/** Adyen takes whole addresses only. Half of one would be compared with the issuer's, and not match. */
function toAddress(contact: Contact | null): Json | null {
  const { line1, line2, city, country, postal_code, house_number_or_name, state, state_code } =
    contact?.address ?? {}
  if (!line1 || !city || !country || !postal_code) return null
  const { street, house } = house_number_or_name
    ? { street: line1, house: house_number_or_name }
    : splitStreet(line1)
  return withoutNulls({
    street: [street, line2].filter(Boolean).join(', '),
    houseNumberOrName: house,
    city,
    country,
    postalCode: postal_code,
    // ISO 3166-2 without the country. Adyen knows states of these two, and wants them there.
    stateOrProvince: ['US', 'CA'].includes(country)
      ? (state_code?.replace(/^[A-Z]{2}-/, '') ?? short(state))
      : null,
  })
}

/** Some merchants write the code of a state as its name. */
function short(state: string | null | undefined): string | null {
  return state && /^[A-Za-z]{2}$/.test(state) ? state.toUpperCase() : null
}

/** `12 Main Street` and `Hauptstraße 12a`. */
function splitStreet(line: string): { readonly street: string; readonly house: string } {
  const [, first, rest] = /^(\d+\w*) +(.+)$/.exec(line) ?? []
  if (first && rest) return { street: rest, house: first }
  const [, street, last] = /^(.+?),? +(\d+ ?\w?)$/.exec(line) ?? []
  return street && last ? { street, house: last } : { street: line, house: 'NA' }
}

function toBrowserInfo(browser: SaleDetails['browser_info']): Json | null {
  if (!browser) return null
  return {
    acceptHeader: browser.accept_header ?? '*/*',
    colorDepth: browser.color_depth,
    javaEnabled: browser.java_enabled,
    javaScriptEnabled: browser.javascript_enabled,
    language: browser.language,
    screenHeight: browser.screen_height,
    screenWidth: browser.screen_width,
    timeZoneOffset: browser.time_zone_offset,
    userAgent: browser.user_agent,
  }
}

/** All of it as one line. */
export function toLine({ amount, currency }: Pick<AuthorizeOrder, 'amount' | 'currency'>): Json {
  return { id: '1', quantity: 1, description: 'Order', amountIncludingTax: toAdyen(amount, currency) }
}

/** Klarna wants items that add up to the amount. Without such, the whole sale is one item. */
export function toLineItems({ amount, currency, details }: AuthorizeOrder): readonly Json[] {
  const items = (details.cart_items ?? []).map((item, index) => {
    const total = item.quantity * item.unit_amount - (item.discount_amount ?? 0) + (item.tax_amount ?? 0)
    return { id: item.external_identifier ?? item.sku ?? String(index + 1), total, item }
  })
  const sum = items.reduce((whole, { total }) => whole + total, 0)
  if (items.length === 0 || sum !== amount) {
    return [toLine({ amount, currency })]
  }
  return items.map(({ id, total, item }) => {
    // Discounts and taxes are of the whole line, and may not divide.
    const isEven = total % item.quantity === 0
    const description = isEven ? item.name : `${item.quantity} × ${item.name}`
    return {
      id,
      description,
      quantity: isEven ? item.quantity : 1,
      amountIncludingTax: toAdyen(isEven ? total / item.quantity : total, currency),
      ...withoutNulls({ sku: item.sku, productUrl: item.product_url, imageUrl: item.image_url }),
    }
  })
}
