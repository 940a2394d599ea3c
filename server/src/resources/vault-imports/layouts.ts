/** What a provider calls a value. Empty: the row has none. */
export type Get = (name: string) => string
type Source = string | ((get: Get, number: number) => string)

/** How a provider's file becomes rows of ours: a source for each of our columns. */
type Layout = {
  /** The names without which it is another file. */
  readonly marks: readonly string[]
  readonly columns: Readonly<Record<string, Source>>
}

/** `MM/YY`, of a month and a year in any of their spellings. What is none stays as it is, so that its row fails. */
function expiry(month: string, year: string): string {
  return `${month.padStart(2, '0')}/${/^\d{4}$/.test(year) ? year.slice(2) : year}`
}

/** The same, of one value: `9/2030`, `09/30`, `092030`. */
function expiryIn(text: string): string {
  const [, month, year] = /^(\d{1,2}?)\/?(\d{2}|\d{4})$/.exec(text) ?? []
  return month !== undefined && year !== undefined ? expiry(month, year) : text
}

const firstOf =
  (...names: readonly string[]): Source =>
  (get) =>
    names.map(get).find((value) => value !== '') ?? ''

/** Only a number with its country: nobody can tell what another one means. */
const phone =
  (name: string): Source =>
  (get) => {
    const digits = get(name).replaceAll(/[ ().-]/g, '')
    return /^\+[1-9]\d{1,14}$/.test(digits) ? digits : ''
  }

const namesOf =
  (first: string, last: string, whole: string): Source =>
  (get) =>
    get(whole) || [get(first), get(last)].filter((name) => name !== '').join(' ')

const ADDRESS = 'buyer.billing_details.address'

/** The former provider's name of the card becomes ours, so that charges can move one by one. */
export const LAYOUTS = {
  stripe: {
    marks: ['id', 'card.id', 'card.number', 'card.exp_month', 'card.exp_year'],
    columns: {
      audit_reference_id: 'card.id',
      'buyer.external_identifier': 'id',
      'buyer.display_name': firstOf('name', 'card.name', 'description'),
      'buyer.billing_details.email_address': 'email',
      [`${ADDRESS}.city`]: 'card.address_city',
      [`${ADDRESS}.country`]: 'card.address_country',
      [`${ADDRESS}.line1`]: 'card.address_line1',
      [`${ADDRESS}.line2`]: 'card.address_line2',
      [`${ADDRESS}.state`]: 'card.address_state',
      [`${ADDRESS}.postal_code`]: 'card.address_zip',
      'payment_method.number': 'card.number',
      'payment_method.expiration_date': (get) => expiry(get('card.exp_month'), get('card.exp_year')),
      // Several ids of several payments are no id of the first one.
      'payment_method.scheme_transaction_id': (get) =>
        /^[A-Za-z0-9]{8,40}$/.test(get('card.transaction_ids')) ? get('card.transaction_ids') : '',
      'payment_method.external_identifier': 'card.id',
    },
  },
  braintree: {
    marks: ['id', 'credit_card.token', 'credit_card.number'],
    columns: {
      audit_reference_id: 'credit_card.token',
      'buyer.external_identifier': 'id',
      'buyer.display_name': namesOf('first_name', 'last_name', 'credit_card.cardholder_name'),
      'buyer.billing_details.first_name': 'first_name',
      'buyer.billing_details.last_name': 'last_name',
      'buyer.billing_details.email_address': 'email',
      'buyer.billing_details.phone_number': phone('phone'),
      [`${ADDRESS}.organization`]: firstOf('address.company', 'company'),
      [`${ADDRESS}.line1`]: 'address.street_address',
      [`${ADDRESS}.line2`]: 'address.extended_address',
      [`${ADDRESS}.city`]: 'address.locality',
      [`${ADDRESS}.state`]: 'address.region',
      [`${ADDRESS}.postal_code`]: 'address.postal_code',
      [`${ADDRESS}.country`]: 'address.country_code_alpha2',
      'payment_method.number': 'credit_card.number',
      'payment_method.expiration_date': (get) =>
        get('credit_card.expiration_month')
          ? expiry(get('credit_card.expiration_month'), get('credit_card.expiration_year'))
          : expiryIn(get('credit_card.expiration_date') || get('credit_card.expiration')),
      'payment_method.external_identifier': 'credit_card.token',
    },
  },
  adyen: {
    marks: ['ShopperReference', 'CardNumber'],
    columns: {
      audit_reference_id: (get, number) =>
        get('RecurringDetailReference') || get('EchoData') || `line-${number}`,
      'buyer.external_identifier': 'ShopperReference',
      'buyer.display_name': 'OwnerName',
      'buyer.billing_details.email_address': 'ShopperEmail',
      [`${ADDRESS}.line1`]: 'BillingStreet',
      [`${ADDRESS}.house_number_or_name`]: 'BillingHouseNumberOrName',
      [`${ADDRESS}.city`]: 'BillingCity',
      [`${ADDRESS}.state`]: 'BillingStateOrProvince',
      [`${ADDRESS}.postal_code`]: 'BillingPostalCode',
      [`${ADDRESS}.country`]: 'BillingCountry',
      'payment_method.number': 'CardNumber',
      'payment_method.expiration_date': (get) =>
        get('ExpiryMonth')
          ? expiry(get('ExpiryMonth'), get('ExpiryYear'))
          : expiryIn(get('ExpiryMMYY') || get('ExpiryMMYYYY')),
      'payment_method.scheme_transaction_id': 'NetworkTxReference',
      'payment_method.external_identifier': 'RecurringDetailReference',
    },
  },
  spreedly: {
    marks: ['token', 'number', 'month', 'year'],
    columns: {
      audit_reference_id: 'token',
      'buyer.external_identifier': firstOf('customer_id', 'token'),
      'buyer.display_name': namesOf('first_name', 'last_name', 'full_name'),
      'buyer.billing_details.first_name': 'first_name',
      'buyer.billing_details.last_name': 'last_name',
      'buyer.billing_details.email_address': 'email',
      'buyer.billing_details.phone_number': phone('phone_number'),
      [`${ADDRESS}.organization`]: 'company',
      [`${ADDRESS}.line1`]: 'address1',
      [`${ADDRESS}.line2`]: 'address2',
      [`${ADDRESS}.city`]: 'city',
      [`${ADDRESS}.state`]: 'state',
      [`${ADDRESS}.postal_code`]: 'zip',
      [`${ADDRESS}.country`]: 'country',
      'payment_method.number': 'number',
      'payment_method.expiration_date': (get) => expiry(get('month'), get('year')),
      'payment_method.scheme_transaction_id': 'network_transaction_id',
      'payment_method.external_identifier': 'token',
    },
  },
} as const satisfies Readonly<Record<string, Layout>>

export type LayoutName = keyof typeof LAYOUTS

export function isLayout(name: string): name is LayoutName {
  return Object.hasOwn(LAYOUTS, name)
}

/** The values of our columns, in the order of the layout. */
export function mapped(layout: LayoutName, get: Get, number: number): readonly string[] {
  const sources: readonly Source[] = Object.values(LAYOUTS[layout].columns)
  return sources.map((source) => (typeof source === 'string' ? get(source) : source(get, number)))
}

export function columnsOfLayout(layout: LayoutName): readonly string[] {
  return Object.keys(LAYOUTS[layout].columns)
}
