import { WRITTEN } from '#domain/written-forms.ts'
import { DateTime, Kind, Nullable, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, type TObject, type TSchema, Type } from '#platform/http/type.ts'
import {
  Address,
  BillingDetails,
  CONTACT,
  NEW_CONTACT,
  NewAddress,
  NewBillingDetails,
} from '#resources/buyers/schemas.ts'

/** The highest amount of one payment, in the smallest unit of its currency. */
export const AMOUNT_MAX = 99_999_999

export const INTENTS = ['authorize', 'capture'] as const
export type Intent = (typeof INTENTS)[number]

export const PAYMENT_SOURCES = ['ecommerce', 'moto', 'recurring', 'installment', 'card_on_file'] as const
export type PaymentSource = (typeof PAYMENT_SOURCES)[number]

const Text = (minLength: number, maxLength: number, description: string) =>
  Nullable(Type.String({ minLength, maxLength, description }))
const Flag = (description: string) => Nullable(Type.Boolean({ description }))
const Moment = (description: string) => Nullable(DateTime({ description }))
const Day = (description: string) => Nullable(Type.String({ format: 'date', description }))
const Country = (description: string) => Nullable(Type.String({ ...WRITTEN.country, description }))
const Phone = Nullable(
  Type.String({ ...WRITTEN.phoneNumber, description: 'E.164: a plus, then up to 15 digits.' }),
)
const Email = Nullable(
  Type.String({
    minLength: 1,
    maxLength: 320,
    description: 'E-mail address.',
  }),
)

/** Completes the message “must be a whole number”. */
export const MINOR_UNITS = 'minor units of the currency, such as 1299 for 12.99'

/** An amount in the smallest unit of the currency. */
export function Amount(options: object = {}) {
  return Type.Integer({ minimum: 0, maximum: AMOUNT_MAX, expected: MINOR_UNITS, ...options })
}

const METADATA_NAME_MAX = 200
const METADATA_TEXT_MAX = 2_000

/**
 * Notes are kept with the payment, with its events and facts, and in reports. So they are notes, and no store of documents.
 */
export const METADATA_LIMITS = {
  maxProperties: 100,
  propertyNames: { type: 'string', maxLength: METADATA_NAME_MAX },
  maxBytes: 16_384,
}

export const METADATA_VALUE = { type: 'string', maxLength: METADATA_TEXT_MAX }

export const METADATA_LIMITS_TEXT = `At most ${METADATA_LIMITS.maxProperties} pairs, names of ${METADATA_NAME_MAX} characters, texts of ${METADATA_TEXT_MAX} characters, and ${METADATA_LIMITS.maxBytes} bytes in all, written as JSON.`

/** What a caller sends. */
export const NewMetadata = Type.Unsafe<Record<string, string>>({
  type: 'object',
  ...METADATA_LIMITS,
  additionalProperties: METADATA_VALUE,
  description: `Your own notes: a map of text to text. ${METADATA_LIMITS_TEXT}`,
})

/** What is shown: limits are those of requests. */
export const Metadata = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'Your own notes: a map of text to text.',
})
export type Metadata = Static<typeof Metadata>

export const PRODUCT_TYPES = [
  'physical',
  'discount',
  'shipping_fee',
  'sales_tax',
  'digital',
  'gift_card',
  'store_credit',
  'surcharge',
] as const

const CART_ITEM = {
  name: Type.String({ minLength: 1, maxLength: 255, description: 'What is sold.' }),
  quantity: Type.Integer({ minimum: 1, maximum: AMOUNT_MAX }),
  unit_amount: Amount({ description: 'The price of one.' }),
}

const DISCOUNT = { description: 'Taken off the whole line.' }
const TAX = { description: 'Added to the whole line.' }

/** Shops and mails make links of them. A script in one would run there. */
const Link = (description: string) =>
  Nullable(
    Type.String({
      description: `${description} A web address, or one without a scheme.`,
      pattern: '^(?:[hH][tT][tT][pP][sS]?://|[^:]*(?:[/?#]|$))',
      expected: 'a web address, such as https://shop.example.com/hat',
    }),
  )

const CART_ITEM_MORE = {
  external_identifier: Text(1, 200, 'Your own reference.'),
  sku: Text(1, 200, 'Stock keeping unit.'),
  upc: Text(1, 50, 'Universal product code.'),
  product_url: Link('URL of the product page.'),
  image_url: Link('URL of a picture of the product.'),
  categories: Nullable(Type.Array(Type.String({ minLength: 1, maxLength: 50 }))),
  product_type: Nullable(OneOf(PRODUCT_TYPES)),
  seller_country: Country('Country of the seller. ISO 3166-1 alpha-2.'),
  tax_exempt: Flag('Whether no tax is due.'),
  unit_of_measure: Text(1, 50, 'Unit of the quantity, such as kg.'),
  commodity_code: Text(1, 50, 'Code of the kind of goods.'),
  description: Text(1, 255, 'Description of the item.'),
  duty_amount: Nullable(Amount({ description: 'Customs duty of the whole line.' })),
  shipping_amount: Nullable(Amount({ description: 'Shipping of the whole line.' })),
}

const EXAMPLE_CART_ITEM = { name: 'Canvas bag', quantity: 2, unit_amount: 1299, product_type: 'physical' }

export const NewCartItem = Strict(
  {
    ...CART_ITEM,
    discount_amount: Nullable(Amount({ ...DISCOUNT, default: 0 })),
    tax_amount: Nullable(Amount({ ...TAX, default: 0 })),
    ...optional(CART_ITEM_MORE),
  },
  { title: 'NewCartItem', examples: [EXAMPLE_CART_ITEM] },
)
export type NewCartItem = Static<typeof NewCartItem>

export const CartItem = Strict(
  {
    ...CART_ITEM,
    discount_amount: Nullable(Amount(DISCOUNT)),
    tax_amount: Nullable(Amount(TAX)),
    ...CART_ITEM_MORE,
  },
  { title: 'CartItem' },
)
export type CartItem = Static<typeof CartItem>

const AIRLINE_LEG = {
  arrival_airport: Text(3, 3, 'IATA code of the airport.'),
  arrival_at: Moment('Local time of arrival, with its time zone.'),
  arrival_city: Text(1, 100, 'City of arrival.'),
  arrival_country: Country('ISO 3166-1 alpha-2.'),
  carrier_code: Text(2, 3, 'IATA or ICAO code of the carrier.'),
  carrier_name: Nullable(Type.String({ minLength: 1, description: 'Name of the carrier.' })),
  iata_designator: Text(2, 2, 'IATA code of the carrier.'),
  icao_code: Text(3, 3, 'ICAO code of the carrier.'),
  coupon_number: Text(1, 50, 'Number of the coupon of this leg.'),
  departure_airport: Text(3, 3, 'IATA code of the airport.'),
  departure_at: Moment('Local time of departure, with its time zone.'),
  departure_city: Text(1, 100, 'City of departure.'),
  departure_country: Country('ISO 3166-1 alpha-2.'),
  departure_tax_amount: Nullable(Amount({ description: 'Tax of the country of departure.' })),
  fare_amount: Nullable(Amount({ description: 'Fare of this leg.' })),
  fare_basis_code: Text(1, 8, 'Code of the fare.'),
  fee_amount: Nullable(Amount({ description: 'Fees of this leg.' })),
  flight_class: Text(1, 5, 'Class of service.'),
  flight_number: Text(3, 6, 'Number of the flight.'),
  route_type: Nullable(OneOf(['round_trip', 'one_way'])),
  seat_class: Text(1, 5, 'Class of the seat.'),
  stop_over: Flag('Whether the traveller may stop over.'),
  tax_amount: Nullable(Amount({ description: 'Tax of this leg.' })),
}

const AIRLINE_PASSENGER = {
  age_group: Nullable(OneOf(['adult', 'infant'])),
  date_of_birth: Day('Day of birth.'),
  email_address: Email,
  first_name: Text(1, 255, 'First name.'),
  frequent_flyer_number: Text(5, 50, 'Number in the loyalty programme.'),
  last_name: Text(1, 255, 'Last name.'),
  passport_number: Text(1, 50, 'Number of the passport.'),
  phone_number: Phone,
  ticket_number: Text(1, 50, 'Number of the passenger’s ticket.'),
  title: Text(1, 50, 'Form of address.'),
  country_code: Country('Country of the passport. ISO 3166-1 alpha-2.'),
}

const BOOKING = {
  booking_code: Text(1, 50, 'Code of the booking.'),
  is_cardholder_traveling: Flag('Whether the cardholder is one of the passengers.'),
  issued_address: Text(1, 255, 'Where the ticket was issued.'),
  issued_at: Moment('When the ticket was issued.'),
  issuing_carrier_code: Text(2, 3, 'IATA or ICAO code of the carrier that issued the ticket.'),
  issuing_carrier_name: Nullable(Type.String({ minLength: 1, description: 'Name of the issuing carrier.' })),
  issuing_iata_designator: Text(2, 2, 'IATA code of the issuing carrier.'),
  issuing_icao_code: Text(3, 3, 'ICAO code of the issuing carrier.'),
  passenger_name_record: Text(1, 50, 'The PNR.'),
  reservation_system: Text(1, 200, 'System in which the booking was made.'),
  restricted_ticket: Flag('Whether the ticket cannot be refunded.'),
  ticket_number: Text(1, 50, 'Number of the ticket.'),
  travel_agency_code: Text(1, 50, 'Code of the travel agency.'),
  travel_agency_invoice_number: Text(1, 50, 'Number of the travel agency’s invoice.'),
  travel_agency_name: Text(1, 200, 'Name of the travel agency.'),
  travel_agency_plan_name: Text(1, 200, 'Plan that the travel agency sold.'),
}

const TICKET_DELIVERY_METHODS = ['electronic', 'other'] as const
const NewAirlineLeg = Strict(optional(AIRLINE_LEG), { title: 'NewAirlineLeg' })
const NewAirlinePassenger = Strict(optional(AIRLINE_PASSENGER), { title: 'NewAirlinePassenger' })

/** Without a title: a default is not filled in a schema that the document writes as a variant beside null. */
export const NewAirline = Strict(
  {
    ...optional(BOOKING),
    ticket_delivery_method: Nullable(OneOf(TICKET_DELIVERY_METHODS, { default: 'electronic' })),
    legs: Type.Optional(Nullable(Type.Array(NewAirlineLeg, { maxItems: 20 }))),
    passengers: Type.Optional(Nullable(Type.Array(NewAirlinePassenger, { maxItems: 20 }))),
  },
  {
    description: 'A flight. Adyen gets it with a card; for other payment services it is kept here alone.',
  },
)
export type NewAirline = Static<typeof NewAirline>

export const Airline = Strict(
  {
    ...BOOKING,
    ticket_delivery_method: Nullable(OneOf(TICKET_DELIVERY_METHODS)),
    legs: Nullable(Type.Array(Strict(AIRLINE_LEG, { title: 'AirlineLeg' }))),
    passengers: Nullable(Type.Array(Strict(AIRLINE_PASSENGER, { title: 'AirlinePassenger' }))),
  },
  { title: 'Airline' },
)
export type Airline = Static<typeof Airline>

/** Latin text with a letter in it, without the characters that the schemes refuse: < > \ ' " * */
const OnStatement = (description: string) =>
  Nullable(
    Type.String({
      minLength: 5,
      maxLength: 22,
      ...WRITTEN.statementText,
      description,
    }),
  )

const STATEMENT_DESCRIPTOR = {
  name: OnStatement('Name of the seller.'),
  description: OnStatement('What the buyer paid for.'),
  city: Text(1, 50, 'City of the seller.'),
  country: Country('Country of the seller. ISO 3166-1 alpha-2.'),
  phone_number: Phone,
  url: Text(1, 50, 'Web site of the seller.'),
  postal_code: Text(1, 50, 'Postal code of the seller.'),
}

export const NewStatementDescriptor = Strict(optional(STATEMENT_DESCRIPTOR), {
  title: 'NewStatementDescriptor',
  description: 'What the buyer reads on the statement of the card or account.',
  examples: [{ name: 'FASHION STORE', description: 'Canvas bags' }],
})
export type NewStatementDescriptor = Static<typeof NewStatementDescriptor>

export const StatementDescriptor = Strict(STATEMENT_DESCRIPTOR, { title: 'StatementDescriptor' })
export type StatementDescriptor = Static<typeof StatementDescriptor>

const RECIPIENT_NAME = { first_name: Type.String(), last_name: Type.String() }
const RECIPIENT_MORE = {
  account_number: Nullable(Type.String({ description: 'Number of the funded account.' })),
  date_of_birth: Day('Day of birth.'),
}

export const NewRecipient = Strict(
  { ...RECIPIENT_NAME, ...optional(RECIPIENT_MORE), address: Type.Optional(Nullable(NewAddress)) },
  {
    title: 'NewRecipient',
    description:
      'The recipient of an account funding transaction. Checkout.com gets it; for other payment services it is kept here alone.',
    examples: [{ first_name: 'John', last_name: 'Doe', account_number: '4711' }],
  },
)
export type NewRecipient = Static<typeof NewRecipient>

export const Recipient = Strict(
  { ...RECIPIENT_NAME, ...RECIPIENT_MORE, address: Nullable(Address) },
  { title: 'Recipient' },
)
export type Recipient = Static<typeof Recipient>

export const BrowserInfo = Strict(
  {
    javascript_enabled: Type.Boolean(),
    java_enabled: Type.Boolean(),
    language: Type.String(),
    color_depth: Type.Integer(),
    screen_height: Type.Integer(),
    screen_width: Type.Integer(),
    time_zone_offset: Type.Integer({ description: 'Minutes between UTC and the local time of the buyer.' }),
    user_agent: Type.String(),
    user_device: OneOf(['desktop', 'mobile']),
    accept_header: Type.Optional(Nullable(Type.String())),
  },
  {
    title: 'BrowserInfo',
    description: 'The buyer’s browser, for 3-D Secure.',
    examples: [
      {
        javascript_enabled: true,
        java_enabled: false,
        language: 'en-GB',
        color_depth: 24,
        screen_height: 1080,
        screen_width: 1920,
        time_zone_offset: -60,
        user_agent: 'Mozilla/5.0',
        user_device: 'desktop',
      },
    ],
  },
)
export type BrowserInfo = Static<typeof BrowserInfo>

const GUEST = {
  display_name: Text(1, 200, 'Name to display.'),
  external_identifier: Text(1, 200, 'Your own id of the buyer.'),
  account_number: Text(1, 200, 'The number of the buyer’s account with you.'),
}

export const NewGuestBuyer = Strict(
  {
    ...optional(GUEST),
    billing_details: Type.Optional(Nullable(NewBillingDetails)),
    shipping_details: Type.Optional(Nullable(Strict(NEW_CONTACT, { title: 'NewGuestShippingDetails' }))),
  },
  {
    title: 'NewGuestBuyer',
    description: 'The buyer of this payment only. No buyer is created.',
    examples: [{ display_name: 'John Doe', billing_details: { first_name: 'John', last_name: 'Doe' } }],
  },
)
export type NewGuestBuyer = Static<typeof NewGuestBuyer>

export const GuestBuyer = Strict(
  {
    ...GUEST,
    billing_details: Nullable(BillingDetails),
    shipping_details: Nullable(Strict(CONTACT, { title: 'GuestShippingDetails' })),
  },
  { title: 'GuestBuyer' },
)
export type GuestBuyer = Static<typeof GuestBuyer>

export const TransactionBuyer = Strict(
  {
    type: Kind('buyer'),
    id: Nullable(Uuid({ description: 'Null if the buyer was given for this payment only.' })),
    reconciliation_id: Nullable(Type.String({ description: 'The id in base 62, 22 characters.' })),
    ...GUEST,
    billing_details: Nullable(BillingDetails),
  },
  { title: 'TransactionBuyer', description: 'The buyer at the time of the payment.' },
)
export type TransactionBuyer = Static<typeof TransactionBuyer>

export const TransactionShippingDetails = Strict(
  { type: Kind('shipping-details'), id: Nullable(Uuid()), buyer_id: Nullable(Uuid()), ...CONTACT },
  { title: 'TransactionShippingDetails', description: 'The shipping details at the time of the payment.' },
)
export type TransactionShippingDetails = Static<typeof TransactionShippingDetails>

/** Makes fields optional, as they are in requests. */
export function optional<Properties extends Record<string, TSchema>>(properties: Properties) {
  const { properties: fields } = Type.Partial(Type.Object(properties)) as TObject
  return fields as { [Name in keyof Properties]: ReturnType<typeof Type.Optional<Properties[Name]>> }
}
