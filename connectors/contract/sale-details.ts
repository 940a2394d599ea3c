export type Address = {
  readonly city: string | null
  readonly country: string | null
  readonly postal_code: string | null
  readonly state: string | null
  readonly state_code: string | null
  readonly house_number_or_name: string | null
  readonly line1: string | null
  readonly line2: string | null
  readonly organization: string | null
}

/** In requests, every optional part may also be null. */
type Gaps<Fields> = { readonly [Name in keyof Fields]?: Fields[Name] | null }

/** The merchant's description of the sale. Wire names, so that connectors read what merchants send. */
export type SaleDetails = {
  readonly description?: string
  readonly cart_items?: readonly CartItem[]
  readonly airline?: Airline
  readonly statement_descriptor?: StatementDescriptor
  readonly recipient?: Recipient
  readonly browser_info?: BrowserInfo
  readonly installment_count?: number
  readonly tax_amount?: number
  readonly amount_includes_tax?: boolean
  readonly merchant_tax_id?: string
  readonly purchase_order_number?: string
  readonly customer_reference_number?: string
  readonly supplier_order_number?: string
  readonly duty_amount?: number
  readonly shipping_amount?: number
  /** Whether the payment funds the account of `recipient`. */
  readonly account_funding_transaction?: boolean
}

type CartItem = {
  readonly name: string
  readonly quantity: number
  /** The price of one. */
  readonly unit_amount: number
  /** Taken off the whole line. */
  readonly discount_amount: number | null
  /** Added to the whole line. */
  readonly tax_amount: number | null
} & Gaps<{
  readonly external_identifier: string
  readonly sku: string
  readonly upc: string
  readonly product_url: string
  readonly image_url: string
  readonly categories: readonly string[]
  readonly product_type: string
  readonly seller_country: string
  readonly tax_exempt: boolean
  readonly unit_of_measure: string
  readonly commodity_code: string
  readonly description: string
  readonly duty_amount: number
  readonly shipping_amount: number
}>

type Airline = Gaps<{
  readonly booking_code: string
  readonly is_cardholder_traveling: boolean
  readonly issued_address: string
  readonly issued_at: string
  readonly issuing_carrier_code: string
  readonly issuing_carrier_name: string
  readonly issuing_iata_designator: string
  readonly issuing_icao_code: string
  readonly passenger_name_record: string
  readonly reservation_system: string
  readonly restricted_ticket: boolean
  readonly ticket_delivery_method: 'electronic' | 'other'
  readonly ticket_number: string
  readonly travel_agency_code: string
  readonly travel_agency_invoice_number: string
  readonly travel_agency_name: string
  readonly travel_agency_plan_name: string
  readonly legs: readonly AirlineLeg[]
  readonly passengers: readonly AirlinePassenger[]
}>

type AirlineLeg = Gaps<{
  readonly arrival_airport: string
  readonly arrival_at: string
  readonly arrival_city: string
  readonly arrival_country: string
  readonly carrier_code: string
  readonly carrier_name: string
  readonly iata_designator: string
  readonly icao_code: string
  readonly coupon_number: string
  readonly departure_airport: string
  readonly departure_at: string
  readonly departure_city: string
  readonly departure_country: string
  readonly departure_tax_amount: number
  readonly fare_amount: number
  readonly fare_basis_code: string
  readonly fee_amount: number
  readonly flight_class: string
  readonly flight_number: string
  readonly route_type: 'round_trip' | 'one_way'
  readonly seat_class: string
  readonly stop_over: boolean
  readonly tax_amount: number
}>

type AirlinePassenger = Gaps<{
  readonly age_group: 'adult' | 'infant'
  readonly date_of_birth: string
  readonly email_address: string
  readonly first_name: string
  readonly frequent_flyer_number: string
  readonly last_name: string
  readonly passport_number: string
  readonly phone_number: string
  readonly ticket_number: string
  readonly title: string
  readonly country_code: string
}>

/** What the buyer reads on the statement of the card or account. */
type StatementDescriptor = Gaps<{
  readonly name: string
  readonly description: string
  readonly city: string
  readonly country: string
  readonly phone_number: string
  readonly url: string
  readonly postal_code: string
}>

type Recipient = { readonly first_name: string; readonly last_name: string } & Gaps<{
  readonly account_number: string
  readonly date_of_birth: string
  readonly address: Gaps<Address>
}>

/** The buyer's browser, for 3-D Secure. */
type BrowserInfo = {
  readonly javascript_enabled: boolean
  readonly java_enabled: boolean
  readonly language: string
  readonly color_depth: number
  readonly screen_height: number
  readonly screen_width: number
  /** Minutes between UTC and the buyer's local time. */
  readonly time_zone_offset: number
  readonly user_agent: string
  readonly user_device: 'desktop' | 'mobile'
  readonly accept_header?: string | null
}
