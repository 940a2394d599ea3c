// Made by tools/client.ts. Do not edit.

/** A summary of how payments fared against the period before. It is counted from the payments; no language model is involved. At most 16384 bytes, written as JSON. */
export type AIInsightsReportSpec = {
  model: "ai_insights"
  params: {
    filters?: {
      /** What the summary is about. */
      prompt_key?: "payment_performance"
      /** The period that is compared with the one before it. Start and end are part of the range; one of them may be null. A placeholder is about the day, week or month that ends at the reference time of the execution, or else is under way then, in the time zone of the report. */
      timestamp?: {
        /** The first moment. A date and time (UTC if it has no zone), or one of day_start, day_end, week_start, week_end, month_start, month_end. */
        start?: string | null
        /** The last moment. A date and time (UTC if it has no zone), or one of day_start, day_end, week_start, week_end, month_start, month_end. */
        end?: string | null
      }
    }
  }
}

export type APIKeyPair = {
  type: "api-key-pair"
  id: string
  /** RFC 7638, SHA-256. Tokens carry it as `kid`. */
  thumbprint: string
  /** Name to display. */
  display_name: string
  algorithm: "ECDSA" | "RSA" | "EdDSA"
  active: boolean
  /** PKCS#8 PEM. Only in the answer that creates a pair, and only when we generated it. */
  private_key: string | null
  created_at: string
  updated_at: string
  last_used_at: string | null
  creator: {
    id: string
    name: string
    email_address: string | null
    thumbprint: string | null
  } | null
  /** Empty means all merchant accounts. */
  merchant_accounts: MerchantAccountSummary[]
  roles: Role[]
}

export type APIKeyPairs = {
  items: APIKeyPair[]
  limit: number
  next_cursor: string | null
  previous_cursor: string | null
}

export type APILog = {
  type: "api-log"
  id: string
  /** The account that the request acted on; if it acted on several, the first of its caller. Null for requests about the whole installation, and without a known caller. */
  merchant_account_id: string | null
  /** The `x-request-id` of the answer. */
  request_id: string
  method: "GET" | "POST" | "PUT" | "DELETE"
  /** Without the query. Of operations that take no token it is the pattern, because their ids are secret. */
  path: string
  /** As in this document. */
  operation_id: string
  /** The HTTP status of the answer. */
  status: number
  /** From the arrival of the request to the end of its answer. */
  duration_ms: number
  caller: APILogCaller | null
  has_idempotency_key: boolean
  error: APILogError | null
  /** When the request arrived. */
  created_at: string
}

/** Null if there was no valid token, or none is needed. */
export type APILogCaller = {
  type: "api-key-pair" | "user"
  id: string
  name: string
}

export type APILogError = {
  /** Null for 422: the idempotency key was used with another request. */
  code: "bad_request" | "unauthorized" | "forbidden" | "step_up_required" | "not_found" | "method_not_allowed" | "duplicate_record" | "concurrent_request" | "too_early" | "too_many_requests" | "server_error" | "bad_gateway" | "service_unavailable" | "gateway_timeout" | null
  message: string
  /** At most 20. They name fields, and never have their values. */
  details: {
    location: "body" | "query" | "path" | "header"
    /** A JSON pointer to the field. */
    pointer: string
    type: "value_error.missing" | "value_error.extra" | "value_error.jsondecode" | "value_error.const" | "value_error.str.regex" | "value_error.any_str.min_length" | "value_error.any_str.max_length" | "value_error.number.not_ge" | "value_error.number.not_le" | "value_error.list.min_items" | "value_error.list.max_items" | "value_error.url" | "value_error.luhn" | "value_error.checksum" | "value_error.expired" | "value_error.not_found" | "value_error.conflict" | "value_error.duplicate" | "type_error.uuid" | "type_error.integer" | "type_error.string" | "type_error.bool" | "type_error.array" | "type_error.object" | "type_error.enum" | "type_error.datetime"
    message: string
  }[]
}

export type APILogs = {
  items: APILog[]
  limit: number
  next_cursor: string | null
  previous_cursor: string | null
}

export type AccountUpdaterJob = {
  type: "account-updater-job"
  id: string
  merchant_account_id: string
  inquiries: {
    type: "account-updater-inquiry"
    id: string
    payment_method_id: string
  }[]
  created_at: string
  updated_at: string
}

export type AccountUpdaterOptions = {
  response_code?: "updated" | null
  account_number?: string | null
  expiration_month?: string | null
  expiration_year?: string | null
  error_code?: string | null
}

export type AccountUpdaterService = {
  type: "account-updater-service"
  id: string
  merchant_account_id: string
  /** The provider, as in `mock-account-updater`. */
  account_updater_service_definition_id: string
  display_name: string
  /** Whether the service is asked about stored cards. One service of an account can be active. */
  active: boolean
  /** Secret fields are left out. */
  fields: AccountUpdaterServiceField[]
  /** The keys of the secret fields that are set. Their values are never shown. */
  secret_fields: string[]
  created_at: string
  updated_at: string
}

export type AccountUpdaterServiceDefinition = {
  type: "account-updater-service-definition"
  /** The provider, as in `mock-account-updater`. */
  id: string
  display_name: string
  /** The fields to enter when you create a service. */
  fields: PaymentServiceDefinitionField[]
  supported_features: AccountUpdaterServiceFeatures
}

export type AccountUpdaterServiceDefinitions = {
  items: AccountUpdaterServiceDefinition[]
  limit: number
  next_cursor: string | null
  previous_cursor: string | null
}

/** The schemes whose cards it knows. Other cards are not sent to it. */
export type AccountUpdaterServiceFeatures = {
  /** Whether it can be asked about cards of American Express. */
  amex: boolean
  /** Whether it can be asked about cards of Discover. */
  discover: boolean
  /** Whether it can be asked about cards of Mastercard. */
  mastercard: boolean
  /** Whether it can be asked about cards of Visa. */
  visa: boolean
}

export type AccountUpdaterServiceField = {
  key: string
  value: string
}

export type AccountUpdaterServiceFieldChange = {
  key: string
  /** Empty to clear the field. */
  value: string
}

export type AccountUpdaterServices = {
  items: AccountUpdaterService[]
  limit: number
  next_cursor: string | null
  previous_cursor: string | null
}

/** What providers still owe, one payment a line. At most 16384 bytes, written as JSON. */
export type AccountsReceivablesReportSpec = {
  model: "accounts_receivables"
  params: {
    filters?: {
      /** When the payment was captured. Start and end are part of the range; one of them may be null. A placeholder is about the day, week or month that ends at the reference time of the execution, or else is under way then, in the time zone of the report. */
      timestamp?: {
        /** The first moment. A date and time (UTC if it has no zone), or one of day_start, day_end, week_start, week_end, month_start, month_end. */
        start?: string | null
        /** The last moment. A date and time (UTC if it has no zone), or one of day_start, day_end, week_start, week_end, month_start, month_end. */
        end?: string | null
      }
    }
  }
}

export type ActivateGiftCard = {
  /** 16 to 19 digits. Sealed in the vault and never shown again. */
  number: string
  /** Sealed in the vault and never shown again. */
  pin?: string | null
  /** The amount to put on the card. Leave it out for cards with a fixed amount. */
  amount?: number | null
  /** Currency of the amount. ISO 4217. */
  currency?: string | null
  /** Your own reference. */
  external_identifier?: string | null
  /** Whether to store the card as well. It then needs a PIN, and may have a buyer. */
  store?: boolean
  /** The buyer to store the card for. */
  buyer_id?: string | null
  /** The same buyer, by your own reference. */
  buyer_external_identifier?: string | null
}

export type AdditionalSchemeDetail = {
  scheme: "accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa"
  icon_url: string
}

export type Address = {
  /** City or town. */
  city: string | null
  /** ISO 3166-1 alpha-2. */
  country: string | null
  /** Postal or ZIP code. */
  postal_code: string | null
  /** State, county or province, in words. */
  state: string | null
  /** ISO 3166-2, such as US-CA. */
  state_code: string | null
  /** House number or name. */
  house_number_or_name: string | null
  /** First line of the address. */
  line1: string | null
  /** Second line of the address. */
  line2: string | null
  /** Company or other organization. */
  organization: string | null
}

/** Either `by` or `to`. Forward only, and at most two years. */
export type AdvanceSandboxClock = {
  /** How far to move the clock: an ISO 8601 duration in whole units, such as `P3D` or `PT36H`. */
  by?: string | null
  /** Until when to move the clock. */
  to?: string | null
}

export type AdyenCardOptions = {
  autoRescue?: boolean | null
  maxDaysToRescue?: number | null
  additionalData?: Record<string, string> | null
  autoRescueScenario?: "AutoRescueSuccessfulFirst" | "AutoRescueSuccessfulSecond" | "AutoRescueFailed" | "AutoRescueFraud" | null
  window_origin?: string | null
  splits?: AdyenSplitsOptions | null
  merchantRiskIndicator?: Record<string, unknown> | null
  accountInfo?: Record<string, unknown> | null
  riskData?: Record<string, unknown> | null
  threeDSRequestorChallengeInd?: string | null
  attemptAuthentication?: string | null
}

export type AdyenOptions = {
  additionalData?: Record<string, string> | null
}

export type AdyenPixOptions = {
  additionalData?: Record<string, string> | null
  pixRecurring?: AdyenPixRecurringOptions | null
}

export type AdyenPixRecurringAmount = {
  value?: number | null
  currency?: string | null
}

export type AdyenPixRecurringOptions = {
  recurringAmount: AdyenPixRecurringAmount | null
  frequency?: string | null
  startsAt?: string | null
  endsAt?: string | null
  recurringStatement?: string | null
}

export type AdyenSepaOptions = {
  autoRescue?: boolean | null
  maxDaysToRescue?: number | null
  additionalData?: Record<string, string> | null
  autoRescueSepaScenario?: "AutoRescueSuccessfulFirst" | "AutoRescueSuccessfulSecond" | "AutoRescueFailed" | null
  ownerName?: string | null
}

export type AdyenSplitsOptions = {
  authorization?: Record<string, unknown>[] | null
  capture?: Record<string, unknown>[] | null
  refund?: Record<string, unknown>[] | null
}

export type AffirmItineraryOptions = {
  type?: string | null
  sku?: string | null
  display_name?: string | null
  venue?: string | null
  location?: string | null
  date_start?: string | null
  management?: string | null
}

export type AffirmOptions = {
  discounts?: Record<string, Record<string, unknown>> | null
  itinerary?: AffirmItineraryOptions | null
}

export type Airline = {
  /** Code of the booking. */
  booking_code: string | null
  /** Whether the cardholder is one of the passengers. */
  is_cardholder_traveling: boolean | null
  /** Where the ticket was issued. */
  issued_address: string | null
  /** When the ticket was issued. */
  issued_at: string | null
  /** IATA or ICAO code of the carrier that issued the ticket. */
  issuing_carrier_code: string | null
  /** Name of the issuing carrier. */
  issuing_carrier_name: string | null
  /** IATA code of the issuing carrier. */
  issuing_iata_designator: string | null
  /** ICAO code of the issuing carrier. */
  issuing_icao_code: string | null
  /** The PNR. */
  passenger_name_record: string | null
  /** System in which the booking was made. */
  reservation_system: string | null
  /** Whether the ticket cannot be refunded. */
  restricted_ticket: boolean | null
  /** Number of the ticket. */
  ticket_number: string | null
  /** Code of the travel agency. */
  travel_agency_code: string | null
  /** Number of the travel agency’s invoice. */
  travel_agency_invoice_number: string | null
  /** Name of the travel agency. */
  travel_agency_name: string | null
  /** Plan that the travel agency sold. */
  travel_agency_plan_name: string | null
  ticket_delivery_method: "electronic" | "other" | null
  legs: AirlineLeg[] | null
  passengers: AirlinePassenger[] | null
}

export type AirlineLeg = {
  /** IATA code of the airport. */
  arrival_airport: string | null
  /** Local time of arrival, with its time zone. */
  arrival_at: string | null
  /** City of arrival. */
  arrival_city: string | null
  /** ISO 3166-1 alpha-2. */
  arrival_country: string | null
  /** IATA or ICAO code of the carrier. */
  carrier_code: string | null
  /** Name of the carrier. */
  carrier_name: string | null
  /** IATA code of the carrier. */
  iata_designator: string | null
  /** ICAO code of the carrier. */
  icao_code: string | null
  /** Number of the coupon of this leg. */
  coupon_number: string | null
  /** IATA code of the airport. */
  departure_airport: string | null
  /** Local time of departure, with its time zone. */
  departure_at: string | null
  /** City of departure. */
  departure_city: string | null
  /** ISO 3166-1 alpha-2. */
  departure_country: string | null
  /** Tax of the country of departure. */
  departure_tax_amount: number | null
  /** Fare of this leg. */
  fare_amount: number | null
  /** Code of the fare. */
  fare_basis_code: string | null
  /** Fees of this leg. */
  fee_amount: number | null
  /** Class of service. */
  flight_class: string | null
  /** Number of the flight. */
  flight_number: string | null
  route_type: "round_trip" | "one_way" | null
  /** Class of the seat. */
  seat_class: string | null
  /** Whether the traveller may stop over. */
  stop_over: boolean | null
  /** Tax of this leg. */
  tax_amount: number | null
}

export type AirlinePassenger = {
  age_group: "adult" | "infant" | null
  /** Day of birth. */
  date_of_birth: string | null
  /** E-mail address. */
  email_address: string | null
  /** First name. */
  first_name: string | null
  /** Number in the loyalty programme. */
  frequent_flyer_number: string | null
  /** Last name. */
  last_name: string | null
  /** Number of the passport. */
  passport_number: string | null
  /** E.164: a plus, then up to 15 digits. */
  phone_number: string | null
  /** Number of the passenger’s ticket. */
  ticket_number: string | null
  /** Form of address. */
  title: string | null
  /** Country of the passport. ISO 3166-1 alpha-2. */
  country_code: string | null
}

export type AntiFraudService = {
  type: "anti-fraud-service"
  id: string
  merchant_account_id: string
  /** The provider, as in `mock-anti-fraud`. */
  anti_fraud_service_definition_id: string
  display_name: string
  /** Whether the service is asked about payments. One service of an account can be active. */
  active: boolean
  /** Whether a payment that needs a review is held until a reviewer has decided. */
  reviews_enabled: boolean
  /** Whether the service is asked beside the active one, some minutes after a payment. Its decisions are recorded, and change nothing. A silent service is not active. */
  silent: boolean
  /** Where the provider sends the results of reviews. */
  webhook_url: string
  /** Secret fields are left out. */
  fields: AntiFraudServiceField[]
  /** The keys of the secret fields that are set. Their values are never shown. */
  secret_fields: string[]
  created_at: string
  updated_at: string
}

export type AntiFraudServiceDefinition = {
  type: "anti-fraud-service-definition"
  /** The provider, as in `mock-anti-fraud`. */
  id: string
  display_name: string
  /** The fields to enter when you create a service. */
  fields: PaymentServiceDefinitionField[]
  supported_features: AntiFraudServiceFeatures
}

export type AntiFraudServiceDefinitions = {
  items: AntiFraudServiceDefinition[]
  limit: number
  next_cursor: string | null
  previous_cursor: string | null
}

/** What the service supports besides decisions. */
export type AntiFraudServiceFeatures = {
  /** Whether the provider sends the result of a review. */
  reviews: boolean
}

export type AntiFraudServiceField = {
  key: string
  value: string
}

export type AntiFraudServiceFieldChange = {
  key: string
  /** Empty to clear the field. */
  value: string
}

export type AntiFraudServices = {
  items: AntiFraudService[]
  limit: number
  next_cursor: string | null
  previous_cursor: string | null
}

export type AnyOfCondition = {
  name: "any_of"
  operator: "is_true"
  /** At least one of these must be met. They cannot be `any_of` themselves. */
  value: ({
    name: "amount"
    operator: "less_than" | "greater_than"
    value: {
      currency: string
      value: number
    }
  } | {
    name: "amount"
    operator: "is_between"
    value: {
      currency: string
      min: number
      max: number
    }
  } | {
    name: "amount_zero"
    operator: "equal_to"
    value: 0
  } | {
    name: "anti_fraud_decision"
    operator: "is_one_of" | "is_not_one_of"
    value: ("accept" | "error" | "reject" | "review" | "exception" | "skipped")[]
  } | {
    name: "browser_language"
    operator: "is_one_of" | "is_not_one_of"
    value: string[]
  } | {
    name: "card_bin"
    operator: "is_one_of" | "is_not_one_of"
    value: string[]
  } | {
    name: "card_country"
    operator: "is_one_of" | "is_not_one_of"
    value: string[]
  } | {
    name: "card_issuer_name"
    operator: "like_one_of" | "unlike_any_of"
    value: string[]
  } | {
    name: "card_product_name"
    operator: "like_one_of" | "unlike_any_of"
    value: string[]
  } | {
    name: "card_scheme"
    operator: "is_one_of" | "is_not_one_of"
    value: ("accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa" | null)[]
  } | {
    name: "card_source"
    operator: "is_one_of" | "is_not_one_of"
    value: ("applepay" | "googlepay" | "network-token" | "raw" | "token")[]
  } | {
    name: "card_type"
    operator: "is_one_of" | "is_not_one_of"
    value: ("credit" | "debit" | "prepaid")[]
  } | {
    name: "country"
    operator: "is_one_of" | "is_not_one_of"
    value: string[]
  } | {
    name: "currency"
    operator: "is_one_of" | "is_not_one_of"
    value: string[]
  } | {
    name: "gift_card_bin"
    operator: "is_one_of" | "is_not_one_of"
    value: string[]
  } | {
    name: "has_gift_cards"
    operator: "equal_to"
    value: boolean
  } | {
    name: "is_subsequent_payment"
    operator: "equal_to"
    value: boolean
  } | {
    name: "merchant_initiated"
    operator: "equal_to"
    value: boolean
  } | {
    name: "metadata"
    operator: "includes" | "excludes"
    value: {
      key: string
      value: string | string[]
    }
  } | {
    name: "metadata_numeric"
    operator: "less_than" | "greater_than" | "equal_to" | "less_than_or_equal_to" | "greater_than_or_equal_to"
    value: {
      key: string
      value: number
    }
  } | {
    name: "payment_method"
    operator: "equal_to"
    value: "affirm" | "afterpay" | "alipay" | "alipayhk" | "applepay" | "bacs" | "bancontact" | "banked" | "becs" | "bitpay" | "boleto" | "boost" | "card" | "cashapp" | "chaseorbital" | "checkout-session" | "clearpay" | "click-to-pay" | "dana" | "dcb" | "dlocal" | "ebanx" | "efecty" | "eps" | "everydaypay" | "gcash" | "gem" | "gemds" | "gift-card" | "giropay" | "givingblock" | "gocardless" | "googlepay" | "googlepay_pan_only" | "gopay" | "grabpay" | "id" | "ideal" | "kakaopay" | "kcp" | "klarna" | "latitude" | "latitudeds" | "laybuy" | "linepay" | "linkaja" | "maybankqrpay" | "mercadopago" | "multibanco" | "multipago" | "netbanking" | "network-token" | "oney_3x" | "oney_4x" | "oney_6x" | "oney_10x" | "oney_12x" | "ovo" | "oxxo" | "payid" | "paymaya" | "paypal" | "paypalpaylater" | "payto" | "venmo" | "pix" | "pse" | "rabbitlinepay" | "razorpay" | "scalapay" | "sepa" | "shopeepay" | "singteldash" | "smartpay" | "sofort" | "spei" | "stripedd" | "thaiqr" | "touchngo" | "truemoney" | "trustly" | "trustlyeurope" | "upi" | "vipps" | "waave" | "webpay" | "wechat" | "zippay"
  } | {
    name: "payment_method"
    operator: "is_one_of" | "is_not_one_of"
    value: ("affirm" | "afterpay" | "alipay" | "alipayhk" | "applepay" | "bacs" | "bancontact" | "banked" | "becs" | "bitpay" | "boleto" | "boost" | "card" | "cashapp" | "chaseorbital" | "checkout-session" | "clearpay" | "click-to-pay" | "dana" | "dcb" | "dlocal" | "ebanx" | "efecty" | "eps" | "everydaypay" | "gcash" | "gem" | "gemds" | "gift-card" | "giropay" | "givingblock" | "gocardless" | "googlepay" | "googlepay_pan_only" | "gopay" | "grabpay" | "id" | "ideal" | "kakaopay" | "kcp" | "klarna" | "latitude" | "latitudeds" | "laybuy" | "linepay" | "linkaja" | "maybankqrpay" | "mercadopago" | "multibanco" | "multipago" | "netbanking" | "network-token" | "oney_3x" | "oney_4x" | "oney_6x" | "oney_10x" | "oney_12x" | "ovo" | "oxxo" | "payid" | "paymaya" | "paypal" | "paypalpaylater" | "payto" | "venmo" | "pix" | "pse" | "rabbitlinepay" | "razorpay" | "scalapay" | "sepa" | "shopeepay" | "singteldash" | "smartpay" | "sofort" | "spei" | "stripedd" | "thaiqr" | "touchngo" | "truemoney" | "trustly" | "trustlyeurope" | "upi" | "vipps" | "waave" | "webpay" | "wechat" | "zippay")[]
  } | {
    name: "payment_source"
    operator: "is_one_of" | "is_not_one_of"
    value: ("ecommerce" | "moto" | "recurring" | "installment" | "card_on_file")[]
  } | {
    name: "product_categories"
    operator: "includes_all" | "includes_at_least_one" | "includes_none"
    value: string[]
  } | {
    name: "product_types"
    operator: "includes_all" | "includes_at_least_one" | "includes_none"
    value: ("physical" | "discount" | "shipping_fee" | "sales_tax" | "digital" | "gift_card" | "store_credit" | "surcharge" | null)[]
  } | {
    name: "skus"
    operator: "includes_all" | "includes_at_least_one" | "includes_none"
    value: string[]
  } | {
    name: "split_routing"
    operator: "less_than_or_equal_to"
    /** The share of payers in percent. */
    value: number
  } | {
    name: "installment_count"
    operator: "less_than" | "greater_than" | "equal_to" | "less_than_or_equal_to" | "greater_than_or_equal_to"
    value: number
  } | {
    name: "weekday"
    operator: "is_one_of" | "is_not_one_of"
    value: {
      /** An IANA time zone, such as `Europe/Berlin`. */
      time_zone: string
      days: ("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday")[]
    }
  } | {
    name: "time_of_day"
    operator: "is_between"
    value: {
      /** An IANA time zone, such as `Europe/Berlin`. */
      time_zone: string
      from: string
      to: string
    }
  })[]
}

/** Apple’s answer as it came, for `completeMerchantValidation` of the page. */
export type ApplePaySession = Record<string, unknown>

export type ApplePaySessionRequest = {
  /** As the event `onvalidatemerchant` of the page has it. Only Apple’s own addresses are asked. */
  validation_url: string
  /** The host of the page that shows the button, as it is registered for the wallet. */
  domain_name: string
}

export type Attention = {
  type: "attention"
  /** The most urgent kind first. Empty if nothing needs a person. A kind whose list you may not read is left out. `failing_webhooks` and `undelivered_events` have an item for each webhook subscription. */
  items: AttentionItem[]
  checked_at: string
}

export type AttentionItem = {
  type: "attention-item"
  kind: "pending_reviews" | "unresolvable_attempts" | "stuck_payments" | "open_chargebacks" | "disputes_to_answer" | "open_incidents" | "failing_webhooks" | "undelivered_events" | "page_findings" | "expiring_certificates" | "unverified_services" | "disabled_services" | "unused_keys" | "failing_report_feeds" | "unmatched_report_lines"
  count: number
  /** Whether there are more than `count`. */
  has_more: boolean
  /** Since when the oldest waits. Of a certificate: when the first one expires. */
  oldest_at: string
  /** The nearest deadline: until when a chargeback or a dispute can be answered, if the payment service has said so, or a certificate is valid. */
  due_at: string | null
  /** The operation that shows them, or the oldest one. */
  path: string
  /** Its query. */
  query: Record<string, unknown>
  /** The ids of the oldest, or of those with the nearest deadlines. */
  ids: string[]
}

export type AuditLog = {
  type: "audit-log"
  id: string
  /** Null for a change of the whole installation. */
  merchant_account_id: string | null
  resource: {
    type: string
    id: string
    name: string
  }
  action: "created" | "updated" | "deleted" | "voided" | "canceled" | "captured"
  user: {
    type: "user"
    /** The user or the API key pair that made the change. Null for the command line, a buyer, a provider that notifies us and the service itself, as `name` says. */
    id: string | null
    name: string
    /** Null for an API key pair. */
    email_address: string | null
    is_staff: boolean
    status: "active" | "pending" | "deleted"
  }
  timestamp: string
}

export type AuditLogVerification = {
  type: "audit-log-verification"
  /** `intact`: the chain fits to its end. `broken`: `problem` says where it does not. `incomplete`: what was checked fits, and there is more: ask again with `after` set to `next`. */
  status: "intact" | "broken" | "incomplete"
  checked_links: number
  checked_entries: number
  /** How many links are in archived files. They are not checked here: the operator does, with `switchyard verify`. */
  archived_links: number
  /** The time of the first entry that was checked. */
  first_entry_at: string | null
  /** The time of the last entry that was checked. */
  last_entry_at: string | null
  /** The last link that fits: note it outside this installation. A later check with it also finds a chain that was cut. */
  head: string
  /** Where to go on. Null unless the check is incomplete. */
  next: string | null
  /** What does not fit, with the first link or entry. */
  problem: string | null
  /** The position of the first link that does not fit. */
  broken_link: number | null
  /** Entries that should be part of the chain by now, and whose codes fit: no worker runs, or it refuses. */
  stale: string | null
  checked_at: string
}

export type AuditLogs = {
  items: AuditLog[]
  limit: number
  next_cursor: string | null
  previous_cursor: string | null
}

export type BankAccountHolder = {
  first_name?: string | null
  last_name?: string | null
  company_name?: string | null
}

export type BillingDetails = {
  type: "billing-details"
  /** First name. */
  first_name: string | null
  /** Last name. */
  last_name: string | null
  /** E-mail address. */
  email_address: string | null
  /** E.164: a plus, then up to 15 digits. */
  phone_number: string | null
  address: Address | null
  tax_id: TaxId | null
}

export type BooleanOutcome = {
  type: "boolean"
  result: true
}

export type BraintreeDynamicDataFieldsOptions = {
  three_ds_auth_status?: string | null
  purchase_order_number?: string | null
  vault_payment_method_criteria?: "ALWAYS" | "ON_SUCCESSFUL_TRANSACTION" | null
}

export type BraintreeOptions = {
  discount_amount?: number | null
  custom_fields?: Record<string, string> | null
  dynamic_data_fields?: BraintreeDynamicDataFieldsOptions | null
}

/** The buyer’s browser, for 3-D Secure. */
export type BrowserInfo = {
  javascript_enabled: boolean
  java_enabled: boolean
  language: string
  color_depth: number
  screen_height: number
  screen_width: number
  /** Minutes between UTC and the local time of the buyer. */
  time_zone_offset: number
  user_agent: string
  user_device: "desktop" | "mobile"
  accept_header?: string | null
}

export type Buyer = {
  type: "buyer"
  id: string
  /** The id in base 62, 22 characters. */
  reconciliation_id: string
  merchant_account_id: string
  /** Name to display. */
  display_name: string | null
  /** Your own id of the buyer. No two buyers of a merchant account share one. */
  external_identifier: string | null
  /** The number of the buyer’s account with you. */
  account_number: string | null
  billing_details: BillingDetails | null
  created_at: string
  updated_at: string
}

export type BuyerErasure = {
  type: "buyer-erasure"
  id: string
  merchant_account_id: string
  /** The buyer that was erased. No buyer has this id any more. */
  buyer_id: string
  /** `pending` until nothing personal is left: seconds as a rule, longer while a payment that began meanwhile is open. */
  status: "pending" | "succeeded"
  /** How many payments do not name the buyer any more. */
  payments: number
  /** How many stored payment methods were deleted or emptied. */
  payment_methods: number
  /** How many stored gift cards were deleted or emptied. */
  gift_cards: number
  created_at: string
  updated_at: string
  /** Since when nothing personal is left. */
  completed_at: string | null
}

export type BuyerExport = {
  type: "buyer-export"
  merchant_account_id: string
  buyer_id: string
  exported_at: string
  buyer: Buyer | null
  shipping_details: ShippingDetails[]
  payment_methods: PaymentMethod[]
  gift_cards: GiftCard[]
  payouts: Payout[]
  payment_links: {
    type: "payment-link"
    id: string
  }[]
  /** The oldest 200 payments of the buyer. */
  payments: ExportedPayment[]
  /** Whether the buyer has more. The command `switchyard buyers export` writes all of them. */
  has_more_payments: boolean
}

export type Buyers = {
  items: Buyer[]
  limit: number
  next_cursor: string | null
  previous_cursor: string | null
}

export type Capture = {
  type: "capture"
  id: string
  merchant_account_id: string
  transaction_id: string
  transaction_external_identifier: string | null
  /** The payment service’s own id of the capture. */
  xid: string | null
  /** Your own reference. */
  external_identifier: string | null
  currency: string
  amount: number
  status: "succeeded" | "pending" | "declined" | "failed"
  /** Whether no other capture follows. The final capture releases the rest of the authorization. */
  final: boolean
  error_code: string | null
  iso_response_code: string | null
  /** As the payment service gave it. */
  raw_response_code: string | null
  raw_response_description: string | null
  cart_items: CartItem[] | null
  created_at: string
  updated_at: string
  captured_at: string | null
}

export type Captures = {
  items: Capture[]
  limit: number
  next_cursor: string | null
  previous_cursor: string | null
}

export type CardDetail = {
  type: "card-detail"
  /** The `bin` of the request. Null for a stored card. */
  id: string | null
  /** Null when unknown. */
  card_type: "credit" | "debit" | "prepaid" | null
  scheme: "accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa"
  /** The other schemes of a co-badged card. */
  additional_schemes: ("accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa")[]
  additional_schemes_details: AdditionalSchemeDetail[]
  scheme_icon_url: string
  /** The country of issue. */
  country: string | null
  required_fields: RequiredFields | null
}

export type CardRoutingOutcome = {
  type: "card-routing"
  version: 2
  result: {
    payment_service_id: string
    /** `network_token`: the entry is skipped unless the card has a network token for the service. `pan`: the number, or the token of the service itself. */
    instrument: "pan" | "network_token"
    transformations?: {
      /** `force_mit`: the service is told that the merchant initiated the payment. `use_additional_scheme`: the card is charged through its second scheme; the entry is skipped for cards that have one scheme. */
      name: "force_mit" | "use_additional_scheme"
    }[]
    /** The share of payers in percent, with the strategy `weighted`. All weights add up to 100. */
    weight?: number
    retry?: RetryList
    /** How often this service is asked at most for one payment: it is asked again with 3-D Secure after a soft decline, with the number after it refused a token, and with the new card after the issuer replaced it. */
    max_attempts?: number
    /** What a payment costs, with the strategy `least_cost`. Entries without it come after those that have it. */
    cost?: {
      /** The part that depends on the amount: 290 is 2.9 %. */
      basis_points: number
      /** The part that is the same for every payment, in the smallest unit of the currency of the payment. Give the rule a condition on the currency if you use it. */
      fixed?: number
    }
  }[]
  /** `ordered`, the default: the first service that can take the payment. `weighted`: one service by its weight, always the same for a buyer; then the others in order. `success_rate`: the service that probably approves, learned from all payments of the account. `least_cost`: the cheapest. The last two ask services that fail again and again after all others. */
  strategy?: "ordered" | "weighted" | "success_rate" | "least_cost"
}

export type CardSchemeDefinition = {
  type: "card-scheme-definition"
  /** The scheme’s identifier, as in `scheme` elsewhere. */
  id: string
  icon_url: string
  display_name: string
}

export type CardSchemeDefinitions = {
  items: CardSchemeDefinition[]
}

export type CartItem = {
  /** What is sold. */
  name: string
  quantity: number
  /** The price of one. */
  unit_amount: number
  /** Taken off the whole line. */
  discount_amount: number | null
  /** Added to the whole line. */
  tax_amount: number | null
  /** Your own reference. */
  external_identifier: string | null
  /** Stock keeping unit. */
  sku: string | null
  /** Universal product code. */
  upc: string | null
  /** URL of the product page. A web address, or one without a scheme. */
  product_url: string | null
  /** URL of a picture of the product. A web address, or one without a scheme. */
  image_url: string | null
  categories: string[] | null
  product_type: "physical" | "discount" | "shipping_fee" | "sales_tax" | "digital" | "gift_card" | "store_credit" | "surcharge" | null
  /** Country of the seller. ISO 3166-1 alpha-2. */
  seller_country: string | null
  /** Whether no tax is due. */
  tax_exempt: boolean | null
  /** Unit of the quantity, such as kg. */
  unit_of_measure: string | null
  /** Code of the kind of goods. */
  commodity_code: string | null
  /** Description of the item. */
  description: string | null
  /** Customs duty of the whole line. */
  duty_amount: number | null
  /** Shipping of the whole line. */
  shipping_amount: number | null
}

export type CertifyDigitalWalletKey = {
  /** The certificate that Apple issued, in PEM. */
  certificate: string
}

/** All conditions must be met. One that is null or left out is met by every payment. */
export type ChangedThreeDSScenarioConditions = {
  /** The first name in the buyer’s billing details. */
  first_name?: string | null
  /** The last name in the buyer’s billing details. */
  last_name?: string | null
  /** The e-mail address in the buyer’s billing details. */
  email_address?: string | null
  /** The amount that the issuer is asked about. */
  amount?: number | null
  /** The external identifier of the buyer. */
  external_identifier?: string | null
  /** The number of a test card, or the masked number of an answer: then the number stays. */
  card_number?: string | null
}

export type Chargeback = {
  type: "chargeback"
  id: string
  merchant_account_id: string
  transaction_id: string
  currency: string
  /** Before the commission. Above zero: for the merchant. Below zero: taken from the merchant. */
  amount: number
  /** Units of `currency` for one unit of the payment’s currency, if it is another one. */
  exchange_rate: number | null
  /** The total fee that the payment service kept. */
  commission: number
  /** The issuer’s part of the commission. */
  interchange: number | null
  /** The payment service’s part of the commission. */
  markup: number | null
  /** The scheme’s part of the commission. */
  scheme_fee: number | null
  payment_service_report_id: string
  payment_service_report_file_ids: string[]
  /** When the payment service posted the entry. */
  posted_at: string
  /** When we read the report. */
  ingested_at: string
  created_at: string
  updated_at: string
}

export type ChargebackAnswer = {
  note: string
}

export type ChargebackCase = {
  type: "chargeback-case"
  /** The id of the chargeback, as in the list of its transaction. */
  id: string
  merchant_account_id: string
  transaction_id: string
  /** Your own reference of the payment. */
  transaction_external_identifier: string | null
  /** `open`: the bank has taken the money, and an answer may still be in time. `answered`: a person has noted that they answered, or the payment service has taken an answer to its dispute. `expired`: the time to answer has passed, which is 45 days if the payment service tells no deadline. `returned`: the bank has given the money back. */
  status: "returned" | "answered" | "expired" | "open"
  currency: string
  /** Below zero: it was taken from the merchant. */
  amount: number
  /** Why the buyer’s bank took it, as a code of the provider. */
  reason_code: string | null
  /** The same in the provider’s words. */
  reason_description: string | null
  /** Until when the payment service takes an answer. Null if it has not told. */
  respond_by: string | null
  answer: NotedAnswer | null
  /** When the bank gave the money back. */
  returned_at: string | null
  /** When the payment service posted the chargeback. */
  posted_at: string
  created_at: string
  updated_at: string
}

export type ChargebackCases = {
  items: ChargebackCase[]
  limit: number
  next_cursor: string | null
  previous_cursor: string | null
}

export type ChargebackReversal = {
  type: "chargeback-reversal"
  id: string
  merchant_account_id: string
  transaction_id: string
  currency: string
  /** Before the commission. Above zero: for the merchant. Below zero: taken from the merchant. */
  amount: number
  /** Units of `currency` for one unit of the payment’s currency, if it is another one. */
  exchange_rate: number | null
  /** The total fee that the payment service kept. */
  commission: number
  /** The issuer’s part of the commission. */
  interchange: number | null
  /** The payment service’s part of the commission. */
  markup: number | null
  /** The scheme’s part of the commission. */
  scheme_fee: number | null
  payment_service_report_id: string
  payment_service_report_file_ids: string[]
  /** When the payment service posted the entry. */
  posted_at: string
  /** When we read the report. */
  ingested_at: string
  created_at: string
  updated_at: string
}

export type ChargebackReversals = {
  items: ChargebackReversal[]
}

export type Chargebacks = {
  items: Chargeback[]
}

export type ChaseOptions = {
  comments?: string | null
}

export type CheckoutPage = {
  type: "checkout-page"
  checkout_session_id: string
  /** Where the buyer pays. Send it to this buyer alone: the page shows the order without asking who opens it. */
  url: string
  /** The language of the page. Null: as the buyer’s browser asks. */
  locale: "en" | "en-GB" | "de" | "fr" | "es" | "pt" | "pt-BR" | "it" | "nl" | "pl" | "sv" | "da" | "nb" | "fi" | "cs" | "hu" | "ro" | "tr" | "el" | "uk" | "vi" | "ja" | "ko" | "zh" | "zh-TW" | "th" | "ar" | "he" | null
  /** Where the page leads the buyer after the payment. The payment’s id and status are added to it. */
  return_url: string | null
  /** Where the page leads a buyer who does not want to pay, such as to the cart. Null: to `return_url`, and without it nowhere. */
  cancel_url: string | null
  /** Your own reference for the payment. */
  external_identifier: string | null
  /** Whether a typed card is stored for the buyer that the session names by `buyer.external_identifier`. A buyer that does not exist yet is created with the first card that is stored. `ask` lets the buyer decide, and needs such a session. `always` with a session that names nobody stores the card without a buyer. */
  store: "never" | "ask" | "always"
  /** Whether the page asks for the security code of a stored card. */
  ask_security_code: boolean
  /** The origins whose pages may show this page in a frame. Empty: none. */
  allowed_origins: string[]
  /** What the page asks of the buyer beside how to pay, unless the order’s buyer has it already. The payment’s buyer gets it. `name` is also the name of the delivery, if a `shipping_address` is asked for. */
  required_fields: ("email_address" | "name" | "phone_number" | "billing_address" | "shipping_address")[]
  created_at: string
  updated_at: string
}

export type CheckoutPayoutOptions = {
  /** The channel to pay out through. */
  processing_channel_id: string
  /** The balance to pay out from. */
  source_id: string
}

export type CheckoutSession = {
  type: "checkout-session"
  id: string
  /** Your own notes: a map of text to text. */
  metadata: Record<string, string> | null
  /** The amount to pay, in the smallest unit of the currency. */
  amount: number | null
  /** ISO 4217. */
  currency: string | null
  /** ISO 3166-1 alpha-2. */
  country: string | null
  /** Use only this payment service. */
  payment_service_id: string | null
  /** Whether to capture at once. */
  intent: "authorize" | "capture" | null
  /** The source of the payment. */
  payment_source: "ecommerce" | "moto" | "recurring" | "installment" | "card_on_file" | null
  /** Whether the merchant initiates the payment. */
  merchant_initiated: boolean | null
  /** Whether the payment follows an earlier one with the same card. */
  is_subsequent_payment: boolean | null
  cart_items: CartItem[] | null
  buyer: GuestBuyer | null
  airline: Airline | null
  /** After this time the session is not found. */
  expires_at: string
  payment_method: CheckoutSessionPaymentMethod | null
}

export type CheckoutSessionAcquirer = {}

export type CheckoutSessionCardDetails = {
  bin: string
  /** Null when unknown. */
  card_type: "credit" | "debit" | "prepaid" | null
  scheme: "accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa" | null
  scheme_icon_url: string | null
  /** The other schemes of a co-badged card. */
  additional_schemes: ("accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa")[]
}

export type CheckoutSessionCardDetailsRequest = {
  /** The first 6 to 8 digits of the card number. */
  bin: string
}

export type CheckoutSessionFields = {
  /** How the buyer pays: a card, a stored card, or Click to Pay. Replaces what was entered before. */
  payment_method: EnterCard | EnterStoredMethod | EnterClickToPay
  /** The postal code of the billing address. */
  postal_code?: string | null
}

/** The card that the buyer’s browser entered. Null before that, and after it has paid. */
export type CheckoutSessionPaymentMethod = {
  type: "payment-method"
  /** The stored payment method. Null for a typed card. */
  id: string | null
  details: CheckoutSessionPaymentMethodDetails | null
  /** The last four digits of the card. */
  label: string | null
  method: "card"
  scheme: "accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa" | null
  /** The same for the same card, also of different buyers. */
  fingerprint: string | null
}

export type CheckoutSessionPaymentMethodDetails = {
  /** The first 8 digits; 6 of a number shorter than 16. */
  bin: string | null
  /** The country of issue. */
  card_country: string | null
  card_type: "credit" | "debit" | "prepaid" | null
  card_issuer_name: string | null
}

/** By what Click to Pay knows the shop. */
export type ClickToPaySession = {
  digital_payment_application_id: string
  digital_payment_application_name: string
}

export type ClickToPaySessionRequest = {
  /** The checkout session of the page. It stands in for a token. */
  checkout_session_id: string
}

export type CompletePazeSession = {
  /** Of the session for an app. */
  sessionId: string
  /** Of the same session. */
  accessToken: string
  /** What Paze’s page handed to the app, or the code of the review. */
  code: string
  transactionType: "PURCHASE" | "CARD_ON_FILE" | "BOTH"
  transactionOptions?: PazeTransactionOptions | null
  transactionValue?: PazeTransactionValue | null
  processingNetwork?: "VISA" | "MASTERCARD" | "DISCOVER" | null
  enhancedTransactionData?: PazeEnhancedTransactionData | null
}

export type CompletedPazeSession = {
  payloadId: string
  /** For `token` of a payment with Paze. */
  completeResponse: string | null
  securePayload: string | null
  clientContext: string
  ewSID: string
  timestampISO8601: string
}

export type CreateAPIKeyPair = {
  /** Name to display. */
  display_name: string
  /** Generated pairs are `ECDSA` (P-521, the default) or `RSA`; uploaded keys have their own. */
  algorithm?: "ECDSA" | "RSA" | "EdDSA"
  /** Whether the key can authenticate. Default true. */
  active?: boolean
  /** What the key may do: roles by id or slug. Only roles that the caller’s own key covers. */
  role_ids: string[]
  /** The merchant accounts the key may act on. Empty means all. The first is the default for requests that name none. */
  merchant_account_ids?: string[]
  /** Your own public key in PEM (SPKI): P-521, P-384, P-256, Ed25519, or RSA of 2048 bits and more. Without it, we generate a pair and return the private key once. */
  public_key?: string | null
}

export type CreateAccountUpdaterJob = {
  /** Stored cards to ask about. Those that do not qualify are left out. */
  payment_method_ids: string[]
}

export type CreateAccountUpdaterService = {
  display_name: string
  /** The provider, as in `mock-account-updater`. */
  account_updater_service_definition_id: string
  fields: AccountUpdaterServiceField[]
  /** Whether the service is asked about stored cards. One service of an account can be active. */
  active?: boolean | null
}

export type CreateAntiFraudService = {
  display_name: string
  /** The provider, as in `mock-anti-fraud`. */
  anti_fraud_service_definition_id: string
  fields: AntiFraudServiceField[]
  /** Whether the service is asked about payments. One service of an account can be active. */
  active?: boolean | null
  /** Whether a payment that needs a review is held until a reviewer has decided. */
  reviews_enabled?: boolean | null
  /** Whether the service is asked beside the active one, some minutes after a payment. Its decisions are recorded, and change nothing. A silent service is not active. */
  silent?: boolean | null
}

export type CreateBuyer = {
  /** Name to display. */
  display_name?: string | null
  /** Your own id of the buyer. No two buyers of a merchant account share one. */
  external_identifier?: string | null
  /** The number of the buyer’s account with you. */
  account_number?: string | null
  billing_details?: NewBillingDetails | null
}

/** An empty array is the same as no body. */
export type CreateCheckoutSession = {
  /** Your own notes: a map of text to text. At most 100 pairs, names of 200 characters, texts of 2000 characters, and 16384 bytes in all, written as JSON. */
  metadata?: Record<string, string> | null
  /** The amount to pay, in the smallest unit of the currency. */
  amount?: number | null
  /** ISO 4217. */
  currency?: string | null
  /** ISO 3166-1 alpha-2. */
  country?: string | null
  /** Use only this payment service. */
  payment_service_id?: string | null
  /** Whether to capture at once. */
  intent?: "authorize" | "capture" | null
  /** The source of the payment. */
  payment_source?: "ecommerce" | "moto" | "recurring" | "installment" | "card_on_file" | null
  /** Whether the merchant initiates the payment. */
  merchant_initiated?: boolean | null
  /** Whether the payment follows an earlier one with the same card. */
  is_subsequent_payment?: boolean | null
  cart_items?: NewCartItem[] | null
  buyer?: NewGuestBuyer | null
  /** A flight. Adyen gets it with a card; for other payment services it is kept here alone. */
  airline?: {
    /** Code of the booking. */
    booking_code?: string | null
    /** Whether the cardholder is one of the passengers. */
    is_cardholder_traveling?: boolean | null
    /** Where the ticket was issued. */
    issued_address?: string | null
    /** When the ticket was issued. */
    issued_at?: string | null
    /** IATA or ICAO code of the carrier that issued the ticket. */
    issuing_carrier_code?: string | null
    /** Name of the issuing carrier. */
    issuing_carrier_name?: string | null
    /** IATA code of the issuing carrier. */
    issuing_iata_designator?: string | null
    /** ICAO code of the issuing carrier. */
    issuing_icao_code?: string | null
    /** The PNR. */
    passenger_name_record?: string | null
    /** System in which the booking was made. */
    reservation_system?: string | null
    /** Whether the ticket cannot be refunded. */
    restricted_ticket?: boolean | null
    /** Number of the ticket. */
    ticket_number?: string | null
    /** Code of the travel agency. */
    travel_agency_code?: string | null
    /** Number of the travel agency’s invoice. */
    travel_agency_invoice_number?: string | null
    /** Name of the travel agency. */
    travel_agency_name?: string | null
    /** Plan that the travel agency sold. */
    travel_agency_plan_name?: string | null
    ticket_delivery_method?: "electronic" | "other" | null
    legs?: NewAirlineLeg[] | null
    passengers?: NewAirlinePassenger[] | null
  } | null
  /** Seconds until the session expires. Default: one hour. */
  expires_in?: number
} | unknown[]

export type CreateCryptogram = {
  /** Whether the merchant acts without the buyer. */
  merchant_initiated: boolean
}

export type CreateDigitalWallet = {
  /** One wallet for each provider and merchant account. */
  provider: "apple" | "google" | "click-to-pay" | "paze"
  /** The name of the merchant, as the provider knows it. */
  merchant_name: string
  /** The name that the buyer sees. */
  merchant_display_name?: string | null
  merchant_url?: string | null
  /** ISO 3166-1 alpha-2. */
  merchant_country_code?: string | null
  /** ISO 18245. */
  merchant_category_code?: string | null
  address?: DigitalWalletAddress | null
  /** Settings of one provider. Apple: `domain_associations`, the files that prove a domain, by domain. Click to Pay: `digital_payment_application_id`. Google: `merchant_id`, what Google calls you, and `official_button`, whether our pages show Google’s own button, with its script. Paze: `client_id` and `profile_id`. Other fields are kept and not used. */
  extra_configuration?: Record<string, unknown> | null
  /** The hosts of pages that show the wallet’s button. */
  domain_names?: string[]
  /** Must be true: you accept the terms of the provider. */
  accept_terms_and_conditions: boolean
}

export type CreateDigitalWalletKey = {
  /** `apple-merchant-identity` proves to Apple who asks for a session. `apple-payment-processing` opens Apple Pay’s tokens, `google-payment` those of Google Pay. */
  purpose: "apple-merchant-identity" | "apple-payment-processing" | "google-payment"
  /** The certificate that Apple issued, in PEM. */
  certificate?: string | null
  /** In PEM, without a passphrase; with its certificate, if it is one of Apple Pay. Without it, we make a key. Sealed in the vault and never shown. */
  private_key?: string | null
  /** For `google-payment`: to whom Google addresses the tokens. */
  recipient_id?: string | null
}

export type CreateGiftCard = {
  /** 16 to 19 digits. Sealed in the vault and never shown again. */
  number: string
  /** Sealed in the vault and never shown again. */
  pin: string
  /** The buyer to store the card for. */
  buyer_id?: string | null
  /** The same buyer, by your own reference. */
  buyer_external_identifier?: string | null
}

export type CreateGiftCardService = {
  display_name: string
  /** The provider, as in `mock-gift-card`. */
  gift_card_service_definition_id: string
  fields: GiftCardServiceField[]
  /** Whether gift cards are looked up and redeemed with this service. One service of an account can be active. */
  active?: boolean | null
}

export type CreateMerchantAccount = {
  id: string
  /** Name to display. */
  display_name: string
  /** Whether the account updater keeps stored cards current. */
  account_updater_enabled?: boolean
  /** Key that encrypts requests to the account updater. Answers show it as `********`. */
  account_updater_request_encryption_key?: string | null
  /** Id of that key. */
  account_updater_request_encryption_key_id?: string | null
  /** Key that decrypts answers of the account updater. Answers show it as `********`. */
  account_updater_response_decryption_key?: string | null
  /** Id of that key. */
  account_updater_response_decryption_key_id?: string | null
  /** How much more than authorized may be captured, in minor units. */
  over_capture_amount?: number | null
  /** How much more than authorized may be captured, in percent. */
  over_capture_percentage?: number | null
  /** Client key of the account updater service. Answers show it as `********`. */
  loon_client_key?: string | null
  /** Secret key of the account updater service. Answers show it as `********`. */
  loon_secret_key?: string | null
  loon_accepted_schemes?: ("accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa")[] | null
  /** The account’s name at the account updater service. */
  loon_merchant_account_id?: string | null
  /** Token requestor at Visa. */
  visa_network_tokens_requestor_id?: string | null
  /** Application at Visa. */
  visa_network_tokens_app_id?: string | null
  /** Token requestor at American Express. */
  amex_network_tokens_requestor_id?: string | null
  /** Application at American Express. */
  amex_network_tokens_app_id?: string | null
  /** Token requestor at Mastercard. */
  mastercard_network_tokens_requestor_id?: string | null
  /** Application at Mastercard. */
  mastercard_network_tokens_app_id?: string | null
  /** Token requestor at Discover. */
  discover_network_tokens_requestor_id?: string | null
  /** Application at Discover. */
  discover_network_tokens_app_id?: string | null
  /** Whether each card that is stored gets a network token, after the request is answered. */
  async_network_tokens_enabled?: boolean
}

export type CreateNetworkToken = {
  /** Whether the merchant acts without the buyer. */
  merchant_initiated: boolean
  /** Whether the buyer has paid with this card before. */
  is_subsequent_payment: boolean
  /** 3 or 4 digits. Passed on to the token service, and not stored. */
  security_code?: string | null
}

export type CreateNetworkTokenService = {
  display_name: string
  /** The provider, as in `mock-network-token`. */
  network_token_service_definition_id: string
  fields: NetworkTokenServiceField[]
  /** Whether the service makes new tokens. One service of an account can be active. */
  active?: boolean | null
}

/** The payment method to store. `method` tells which one. */
export type CreatePaymentMethod = StoreCard | StoreRedirect | StoreSessionCard | StoreAchAccount | StoreBacsAccount | StoreSepaAccount | StorePlaid

export type CreatePaymentService = {
  display_name: string
  /** The provider and the method, as in `mock-card`. */
  payment_service_definition_id: string
  fields: PaymentServiceField[]
  reporting_fields?: PaymentServiceField[] | null
  /** The order in which services are tried, lowest first. A new service comes last. */
  position?: number | null
  /** ISO 4217. */
  accepted_currencies: string[]
  /** ISO 3166-1 alpha-2. */
  accepted_countries: string[]
  /** Whether new payments can use the service. */
  active?: boolean | null
  /** Whether the service’s payments are authenticated with 3-D Secure. */
  three_d_secure_enabled?: boolean
  /** The merchant’s details for each card scheme, for 3-D Secure. */
  merchant_profile?: {
    accel?: MerchantProfileScheme | null
    amex?: MerchantProfileScheme | null
    bancontact?: MerchantProfileScheme | null
    "carte-bancaire"?: MerchantProfileScheme | null
    cirrus?: MerchantProfileScheme | null
    culiance?: MerchantProfileScheme | null
    dankort?: MerchantProfileScheme | null
    "diners-club"?: MerchantProfileScheme | null
    discover?: MerchantProfileScheme | null
    "eftpos-australia"?: MerchantProfileScheme | null
    elo?: MerchantProfileScheme | null
    hipercard?: MerchantProfileScheme | null
    jcb?: MerchantProfileScheme | null
    maestro?: MerchantProfileScheme | null
    mastercard?: MerchantProfileScheme | null
    mir?: MerchantProfileScheme | null
    nyce?: MerchantProfileScheme | null
    other?: MerchantProfileScheme | null
    pulse?: MerchantProfileScheme | null
    qcard?: MerchantProfileScheme | null
    rupay?: MerchantProfileScheme | null
    star?: MerchantProfileScheme | null
    uatp?: MerchantProfileScheme | null
    unionpay?: MerchantProfileScheme | null
    visa?: MerchantProfileScheme | null
  } | null
  payment_method_tokenization_enabled?: boolean | null
  network_tokens_enabled?: boolean | null
  open_loop?: boolean | null
  settlement_reporting_enabled?: boolean
}

/** What the provider asks for. We pass it on unchanged. */
export type CreatePaymentServiceSession = Record<string, unknown>

export type CreatePaymentServiceToken = {
  /** The payment service that is to store the payment method. */
  payment_service_id: string
  /** Where the buyer returns after approving. A web page, an app by its own scheme (`myapp://paid`), or `data:application/json;base64,…`. Schemes of browsers and operating systems are refused. */
  redirect_url: string
  /** 3 or 4 digits of a card. We pass it on and do not store it. */
  security_code?: string | null
}

export type CreatePazeSession = {
  client: PazeClient
  /** Of the session for an app. */
  sessionId: string
  /** Of the same session. */
  accessToken: string
  /** The scheme by which Paze’s page returns to the app. */
  callbackURLScheme: string
  intent: "REVIEW_AND_PAY" | "EXPRESS_CHECKOUT" | "ADD_CARD"
  transactionValue?: PazeTransactionValue | null
  transactionType?: "PURCHASE" | "CARD_ON_FILE" | "BOTH" | null
  shippingPreference?: "ALL" | "NONE" | null
  billingPreference?: "ALL" | "ZIP_COUNTRY" | "NONE" | null
  emailAddress?: string | null
  phoneNumber?: string | null
  cobrand?: PazeCobrand[] | null
  acceptedShippingCountries?: string[] | null
  acceptedPaymentCardNetworks?: ("VISA" | "MASTERCARD")[] | null
  alwaysEnableCheckout?: boolean
}

export type CreateSandboxChargeback = {
  /** A payment of this payment service. */
  transaction_id: string
  /** Whether the buyer’s bank takes the money, or gives it back after a chargeback. */
  stage?: "chargeback" | "reversal"
  /** Left out: all that was captured and is not disputed yet, or the whole chargeback. */
  amount?: number | null
  /** Left out: `fraudulent`, or the reason of the chargeback that is reversed. */
  reason?: "fraudulent" | "not_received" | "not_as_described" | "duplicate" | "credit_not_processed" | "subscription_canceled" | null
}

export type CreateSandboxNextOutcome = {
  /** Which operation is hit. Default `authorize`. `tokenize`: the next payment method that a service stores. */
  operation?: "authorize" | "capture" | "void" | "cancel" | "refund" | "increment" | "payout" | "tokenize"
  /** `refuse`: it is declined or fails, as `code` says. `lose-answer`: it is carried out, and the answer is lost. `late`: it is carried out after it was given up. `stall`: no answer ever comes, and nothing is done. `garbage`: the answer is unreadable. `unreachable`: no connection can be made. */
  effect: "refuse" | "lose-answer" | "stall" | "late" | "garbage" | "unreachable"
  /** Why it is refused: an error code of the simulator for this operation. Only for `refuse`. */
  code?: string | null
}

export type CreateSandboxNotification = {
  /** The payment that it is about. */
  transaction_id: string
  /** What the processor says: that a pending operation has ended so. Null: again what it said last, or what it would have said about an answer that was lost. */
  event?: "authorization.succeeded" | "authorization.declined" | "authorization.failed" | "capture.succeeded" | "capture.declined" | "capture.failed" | "void.succeeded" | "void.declined" | "void.failed" | "refund.succeeded" | "refund.declined" | "refund.failed" | null
}

export type CreateShippingDetails = {
  /** First name. */
  first_name?: string | null
  /** Last name. */
  last_name?: string | null
  /** E-mail address. */
  email_address?: string | null
  /** E.164: a plus, then up to 15 digits. */
  phone_number?: string | null
  address?: NewAddress | null
}

export type CreateThreeDSConfiguration = {
  scheme: "accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa"
  merchant_acquirer_bin: string
  merchant_acquirer_id: string
  merchant_name: string
  /** ISO 3166-1, numeric or alpha-2. Kept as it is sent. */
  merchant_country_code: string
  /** ISO 18245. */
  merchant_category_code: string
  merchant_url: string
  /** Your own notes: a map of text to text. At most 100 pairs, names of 200 characters, texts of 2000 characters, and 16384 bytes in all, written as JSON. */
  metadata: Record<string, string>
  /** ISO 4217; null for every currency without a configuration of its own. */
  currency?: string | null
}

export type CreateThreeDSScenario = {
  conditions: NewThreeDSScenarioConditions
  outcome: NewThreeDSScenarioOutcome
}

export type CreateThreeDSService = {
  display_name: string
  /** The provider, as in `mock-three-ds`. */
  three_ds_service_definition_id: string
  fields: ThreeDSServiceField[]
  /** Whether the service authenticates buyers. One service of an account can be active. */
  active?: boolean | null
}

export type CreateUser = {
  /** An e-mail address. Upper and lower case are the same. */
  email_address: string
  /** The name of the person, as the audit log shows it. */
  name: string
  /** What the user may do: roles by id or slug. Only roles whose permissions you have yourself. */
  role_ids: string[]
  /** The merchant accounts that the user may act on. Empty means all. The first is the default. */
  merchant_account_ids?: string[]
}

export type CreateVaultForwardAuthentication = {
  /** What you call it. */
  display_name: string
  /** The one host that it is for, with its port if it is not 443. */
  host: string
  /** `mutual_tls`: a certificate for the connection. `hmac`: a signature of the body in a header. */
  kind: "mutual_tls" | "hmac"
  /** The certificate, in PEM. */
  certificate?: string
  /** The private key of the certificate, in PEM. It is never shown. */
  private_key?: string
  /** The key of the HMAC, as text. It is never shown. */
  secret?: string
  /** The header with the signature. */
  header?: string
  /** The hash of the HMAC. */
  algorithm?: "sha256" | "sha512"
  /** How the signature is written. */
  encoding?: "hex" | "base64"
}

export type CreateVaultForwardEndpoint = {
  /** The name of the host, with its port if it is not 443. */
  host: string
  /** The paths that are enabled, each with what is below it. An empty list: all paths. */
  paths?: string[]
  /** The methods that are enabled. */
  methods?: ("POST" | "PUT" | "PATCH")[]
}

export type CreateWebhookSubscription = {
  /** Whether events are sent. */
  active?: boolean
  /** Where events are sent: https in production, http or https in a sandbox, without credentials, and not a private address unless `WEBHOOK_ALLOW_CIDRS` allows it. */
  url: string
  authentication?: NewWebhookAuthentication | null
  /** The events that are sent: names such as `refund.failed`, and groups such as `transaction.*`. Null: all events. */
  events?: string[] | null
}

export type CreatedPazeSession = {
  /** The page of Paze that the app opens. */
  pazeCheckoutUrl: string
  clientContext: string
  ewSID: string
  timestampISO8601: string
}

export type Creator = {
  /** The user or the API key pair. */
  id: string
  name: string
  /** Empty for an API key pair, which has none. */
  email_address: string
}

export type Cryptogram = {
  type: "network-token-cryptogram"
  /** Proves one payment. Shown once, and stored nowhere. */
  cryptogram: string
}

export type CybersourceAntiFraudOptions = {
  merchant_defined_data?: Record<string, string> | null
  meta_key_merchant_id?: string | null
  shipping_method?: string | null
}

export type CybersourceOptions = {
  meta_key_merchant_id?: string | null
  merchant_defined_information?: Record<string, string> | null
  ship_to_method?: string | null
  comments?: string | null
}

export type DecisionCandidate = {
  payment_service_id: string
  /** Null: it is not known any more. */
  display_name: string | null
  was_asked: boolean
  /** Why it was skipped, as a word of its event. */
  reason: string | null
  standing: ServiceStanding | null
  text: string
}

export type DecisionStep = {
  flow: "checkout" | "card-transaction" | "non-card-transaction" | "redirect-transaction"
  action: "select-payment-options" | "decline-early" | "skip-3ds" | "route-transaction"
  rule: RuleOfDecision | null
  /** The rules that were tried before, and why they did not decide. */
  passed_over: PassedRule[]
  text: string
}

/** What providers settled, refunded and charged back, with their fees, one record a line. At most 16384 bytes, written as JSON. */
export type DetailedSettlementReportSpec = {
  model: "detailed_settlement"
  params: {
    filters?: {
      /** When we read the record from the provider’s file. Start and end are part of the range; one of them may be null. A placeholder is about the day, week or month that ends at the reference time of the execution, or else is under way then, in the time zone of the report. */
      ingested_at?: {
        /** The first moment. A date and time (UTC if it has no zone), or one of day_start, day_end, week_start, week_end, month_start, month_end. */
        start?: string | null
        /** The last moment. A date and time (UTC if it has no zone), or one of day_start, day_end, week_start, week_end, month_start, month_end. */
        end?: string | null
      }
    }
  }
}

export type DigitalWallet = {
  type: "digital-wallet"
  id: string
  merchant_account_id: string
  /** One wallet for each provider and merchant account. */
  provider: "apple" | "google" | "click-to-pay" | "paze"
  merchant_name: string
  merchant_display_name: string | null
  merchant_url: string | null
  merchant_country_code: string | null
  merchant_category_code: string | null
  address: DigitalWalletAddress | null
  extra_configuration: Record<string, unknown> | null
  domain_names: string[]
  /** Certificates of Apple Pay that are valid now. */
  active_certificate_count: number
  /** Keys of Apple Pay whose certificate is still missing. */
  pending_certificate_count: number
  /** Certificates of Apple Pay that have expired. */
  expired_certificate_count: number
  /** By what the provider knows this merchant account. Google: `gateway`, `gateway_merchant_id` and `session_public_key`, which verifies the tokens of sessions. Null for the others. */
  fields: Record<string, unknown> | null
  created_at: string
  updated_at: string
}

/** Where the merchant is. */
export type DigitalWalletAddress = {
  line1: string
  line2?: string | null
  city: string
  /** ISO 3166-2. */
  state_code: string
  postal_code: string
}

export type DigitalWalletKey = {
  type: "digital-wallet-key"
  id: string
  merchant_account_id: string
  digital_wallet_id: string
  /** `apple-merchant-identity` proves to Apple who asks for a session. `apple-payment-processing` opens Apple Pay’s tokens, `google-payment` those of Google Pay. */
  purpose: "apple-merchant-identity" | "apple-payment-processing" | "google-payment"
  /** `pending` until its certificate is here, then `active`, and `expired` with its certificate. */
  status: "pending" | "active" | "expired"
  /** In PEM. */
  public_key: string
  /** SHA-256 of the public key in DER, in base64. Apple Pay’s tokens name their key by it. */
  public_key_hash: string
  /** If we made the key: the request to hand to Apple, in PEM. */
  certificate_signing_request: string | null
  certificate: string | null
  /** Of the certificate, in hex. */
  serial_number: string | null
  /** Apple’s name for the merchant, as the certificate has it. */
  merchant_identifier: string | null
  /** When the certificate expires. */
  expires_at: string | null
  recipient_id: string | null
  created_at: string
  updated_at: string
}

export type DigitalWalletKeys = {
  items: DigitalWalletKey[]
}

export type DigitalWallets = {
  items: DigitalWallet[]
}

export type Dispute = {
  type: "dispute"
  id: string
  merchant_account_id: string
  payment_service_id: string
  transaction_id: string
  /** The payment service’s own id of the dispute. Null if it has told none. */
  external_identifier: string | null
  /** `inquiry`: the buyer’s bank asks what was bought. `early_fraud_warning`: it takes the payment for fraud, and asks for nothing. `notification`: a chargeback is coming, and can be answered. `chargeback`: the bank has taken the money. `second_chargeback`: it has taken it again after the merchant’s answer. `arbitration`: the answer is disputed, up to the decision of the scheme. `won`, `lost`: it is decided. `expired`: the time to answer is over. */
  stage: "inquiry" | "early_fraud_warning" | "notification" | "chargeback" | "second_chargeback" | "arbitration" | "won" | "lost" | "expired"
  /** What is disputed, never below zero. Null if it was not told. */
  amount: number | null
  currency: string | null
  /** Why the buyer’s bank disputes it, as a code of the provider. */
  reason_code: string | null
  /** The same in the provider’s words. */
  reason_description: string | null
  /** Until when the payment service takes an answer at this stage. Null if it has not told, and once the dispute is decided. */
  respond_by: string | null
  /** All that the payment service has told, in the order in which we heard of it. */
  steps: DisputeStep[]
  answer: DisputeAnswer | null
  /** When it began at the payment service, as far as it has told. */
  opened_at: string
  created_at: string
  updated_at: string
}

/** Your last answer through this API. Null: none. */
export type DisputeAnswer = {
  /** `accept`: the money is given up. `defend`: evidence was sent. */
  act: "accept" | "defend"
  /** The stage that it answers. */
  stage: "inquiry" | "early_fraud_warning" | "notification" | "chargeback" | "second_chargeback" | "arbitration" | "won" | "lost" | "expired"
  /** `processing`: the payment service has not said yet whether it took the answer; we ask until it does, for a month. `succeeded`: it took it. It did not if `declined` or `failed`: then answer again before the deadline. `unknown`: it never said, and we ask no more; look there whether it has your answer. */
  status: "processing" | "succeeded" | "declined" | "failed" | "unknown"
  /** Why the payment service did not take it. */
  error_code: string | null
  /** What was sent. The texts and files themselves are not kept. */
  evidence: DisputeEvidenceSent[]
  created_at: string
  updated_at: string
}

export type DisputeDefense = {
  name: string
  /** All of these files are needed. */
  required: string[]
  /** At least one of these is, if there are any. */
  one_of: string[]
  optional: string[]
}

export type DisputeEvidence = {
  /** Each under a name that the payment service knows, once. */
  texts?: {
    name: string
    text: string
  }[]
  /** Each under a name that the payment service knows, once. */
  files?: {
    name: string
    /** What the payment service calls the file. It is not kept. */
    file_name: string
    content_type: string
    /** The bytes in base64. */
    content: string
  }[]
}

export type DisputeEvidenceFields = {
  type: "dispute-evidence-fields"
  dispute_id: string
  /** Whether the dispute can be accepted now. */
  can_accept: boolean
  /** Whether evidence can be sent now. */
  can_defend: boolean
  /** Why it takes no evidence now. Null if it does. */
  reason: string | null
  /** What texts can be. */
  texts: {
    name: string
    /** How many characters it takes. */
    max_length: number
  }[]
  /** How many characters all texts may have together. */
  texts_max_length: number
  /** What files can be. */
  files: string[]
  /** The ways to defend this dispute: the files must be those of one of them. The text `defense` chooses one by its name; without it, the first that fits is taken. Empty: any files will do. */
  defenses: DisputeDefense[]
  /** Which files it takes. */
  content_types: string[]
  /** How long a file may be. */
  file_max_bytes: number
  /** How long all files may be together. */
  files_max_bytes: number
}

export type DisputeEvidenceSent = {
  name: string
  /** Null: a text. */
  content_type: string | null
  /** How long it was, also if it is a text. */
  bytes: number
}

export type DisputeStep = {
  /** Null: the dispute stayed where it was. */
  stage: "inquiry" | "early_fraud_warning" | "notification" | "chargeback" | "second_chargeback" | "arbitration" | "won" | "lost" | "expired" | null
  /** The provider’s own word for the step. */
  provider_stage: string | null
  /** What is disputed, never below zero. Null if it was not told. */
  amount: number | null
  currency: string | null
  /** Why the buyer’s bank disputes it, as a code of the provider. */
  reason_code: string | null
  /** The same in the provider’s words. */
  reason_description: string | null
  respond_by: string | null
  /** When it happened at the payment service. */
  posted_at: string
  /** When we heard of it. */
  created_at: string
}

export type Disputes = {
  items: Dispute[]
  limit: number
  next_cursor: string | null
  previous_cursor: string | null
}

export type DlocalCardOptions = {
  three_dsecure_force?: boolean | null
}

export type DlocalOptions = {
  wallet?: DlocalWalletOptions | null
}

export type DlocalPIXOptions = {
  subscription?: DlocalPIXSubscriptionOptions | null
  scheduled_date?: string | null
}

export type DlocalPIXSubscriptionAmountOptions = {
  type: "FIXED" | "VARIABLE"
  min_value: string | null
  value?: string | null
}

export type DlocalPIXSubscriptionOptions = {
  frequency: "WEEKLY" | "MONTHLY" | "QUARTERLY" | "SEMI_ANNUAL" | "ANNUAL"
  amount?: DlocalPIXSubscriptionAmountOptions | null
  start_date?: string | null
  end_date?: string | null
}

export type DlocalUPIOptions = {
  wallet?: DlocalUPIWalletOptions | null
}

export type DlocalUPIRecurringInfoOptions = {
  subscription_frequency_unit: "MONTH" | "WEEK" | "BI_MONTHLY" | "ONDEMAND" | "QUARTER" | "YEAR" | "SEMI_ANNUALLY" | "DAY"
  subscription_frequency: number
  subscription_start_at: string
  subscription_end_at: string
}

export type DlocalUPIWalletOptions = {
  name?: string | null
  email?: string | null
  token?: string | null
  username?: string | null
  verify?: boolean | null
  recurring_info?: DlocalUPIRecurringInfoOptions | null
}

export type DlocalWalletOptions = {
  name?: string | null
  email?: string | null
  token?: string | null
  username?: string | null
  verify?: boolean | null
}

export type DraftRule = {
  flow: "checkout" | "card-transaction" | "non-card-transaction" | "redirect-transaction"
  action: "select-payment-options" | "decline-early" | "skip-3ds" | "route-transaction"
  description?: string | null
  /** All of them must be met. Without conditions the rule matches every payment. */
  conditions: FlowCondition[]
  outcome: FlowOutcome
  /** The error code of payments that the rule declines. Only for `decline-early`; without it, `flow_decline`. */
  error_code?: string | null
}

export type DryRunCandidate = {
  payment_service_id: string
  display_name: string
  /** Why the service would be skipped. Null: it would be asked in its turn. */
  reason: string | null
  standing: ServiceStanding | null
  /** `standing` in words: why the service has its place in the order. */
  text: string | null
}

/** What the card’s scheme says against the payment now. Null: nothing. */
export type DryRunObjection = {
  error_code: "retry_not_allowed_by_scheme" | "retry_too_early_for_scheme" | "retry_limit_reached"
  /** `payment`: it would be declined with this code, and no service would be asked. `nothing`: the retry policy only warns. */
  stops: "payment" | "nothing"
  text: string
}

export type EcommpayOptions = {
  booking_start_date?: string | null
  booking_end_date?: string | null
}

/** A card by its number. */
export type EnterCard = {
  method?: "card"
  /** 13 to 19 digits. Sealed in the vault. */
  number: string
  /** MM/YY. */
  expiration_date: string
  /** 3 or 4 digits, as the card’s scheme requires. Sealed for minutes, and removed with the first payment. */
  security_code?: string | null
  /** The scheme that the buyer chose, of a card that carries several. Default: the first scheme of the card. */
  scheme?: "accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa" | null
}

/** A checkout of Click to Pay. */
export type EnterClickToPay = {
  method?: "click-to-pay"
  /** Your id of the checkout at Click to Pay. */
  merchant_transaction_id: string
  /** The checkout’s id at Click to Pay. */
  src_correlation_id: string
  /** Your shop’s id at Click to Pay. */
  src_dpa_id: string
  /** The id of the buyer’s flow. */
  src_cx_flow_id?: string | null
}

/** A stored payment method of the buyer. */
export type EnterStoredMethod = {
  method?: "id"
  /** A stored card of the buyer that the session names by `external_identifier`. A card without a buyer needs a session without one. */
  id: string
  /** 3 or 4 digits, as the card’s scheme requires. Sealed for minutes, and removed with the first payment. */
  security_code?: string | null
}

export type Event = {
  type: "event"
  /** Webhooks carry the same id, also when they are sent again. */
  id: string
  name: "api-key-pair.created" | "api-key-pair.updated" | "api-key-pair.deleted" | "buyer.created" | "buyer.updated" | "buyer.deleted" | "buyer.erased" | "shipping-details.created" | "shipping-details.updated" | "shipping-details.deleted" | "payment-method.updated" | "payment-method.deleted" | "transaction.authentication-pending" | "transaction.authenticated" | "transaction.authorized" | "transaction.declined" | "transaction.failed" | "transaction.capture-pending" | "transaction.captured" | "transaction.capture-failed" | "transaction.void-pending" | "transaction.voided" | "transaction.void-declined" | "transaction.void-failed" | "transaction.settled" | "transaction.charged-back" | "transaction.chargeback-reversed" | "transaction.modified" | "transaction.review-accepted" | "capture.pending" | "capture.succeeded" | "capture.declined" | "capture.failed" | "refund.pending" | "refund.succeeded" | "refund.declined" | "refund.failed" | "refund.settled" | "dispute.opened" | "dispute.updated" | "dispute.deadline-near" | "dispute.closed" | "payout.pending" | "payout.succeeded" | "payout.declined" | "payout.failed" | "gift-card.created" | "gift-card.deleted" | "payment-link.created" | "payment-link.updated" | "monitoring.incident.created" | "monitoring.incident.closed" | "report-execution.succeeded" | "report-execution.failed" | "page-check.failed" | "webhook-subscription.test"
  created_at: string
  /** Null for an event of the whole installation. */
  merchant_account_id: string | null
  /** The installation that sent the event (`INSTANCE_ID`). */
  instance_id: string
  environment: "sandbox" | "production"
  /** Increases with each event of the same resource. */
  sequence: number
  /** The resource as it was after the change, or before it was deleted. */
  target: {
    type: string
    id: string
  }
}

export type Events = {
  items: Event[]
  limit: number
  next_cursor: string | null
  previous_cursor: string | null
}

export type ExchangeBody = {
  /** What the body could be read as. Other bodies are not shown. */
  kind: "json" | "form" | "other"
  /** Bytes, as sent. */
  size: number
  /** The body with its values masked, except those that the connector allows to be shown: `*** (16 characters)` stands for a text, `*** (number)` for a number. The parameters of a form are an object. Null if the body cannot be read, or is too long to be shown. */
  content: unknown
}

export type ExchangeRequest = {
  method: string
  /** Parts that are not shown are masked. */
  url: string
  /** By name, in lower case. `***` is a value that is not shown. */
  headers: Record<string, string>
  body: ExchangeBody | null
}

/** Headers that are not shown are left out. */
export type ExchangeResponse = {
  status_code: number
  /** By name, in lower case. `***` is a value that is not shown. */
  headers: Record<string, string>
  body: ExchangeBody | null
}

/** A payment, and what else is known of its buyer. */
export type ExportedPayment = {
  transaction: Transaction
  /** Where the buyer paid from. */
  ip_address: string | null
  browser_info: BrowserInfo | null
}

export type FillSandbox = {
  /** How many days. Default 90. */
  days?: number | null
  /** How many payments. Default 5,000, which takes some minutes. */
  payments?: number | null
  /** The same number gives the same history. Default 1. */
  seed?: number | null
}

export type FiservInstallmentOptions = {
  numberOfInstallments?: number | null
  installmentsInterest?: boolean | null
  installmentDelayMonths?: number | null
  merchantAdviceCodeSupported?: boolean | null
}

export type FiservOptions = {
  installmentOptions?: FiservInstallmentOptions | null
}

export type FlowBackTest = {
  type: "flow-back-test"
  id: string
  merchant_account_id: string
  status: "pending" | "running" | "succeeded" | "failed"
  /** Null: the rules came with the request. */
  version: number | null
  created_at_gte: string
  created_at_lte: string
  progress: {
    /** Payments that were tried so far. */
    done: number
    /** Null: they are not counted yet. */
    total: number | null
  }
  failure_reason: string | null
  created_at: string
  finished_at: string | null
  result: FlowBackTestResult | null
}

export type FlowBackTestCreate = {
  /** The version of the rules to try. Without it, the newest. */
  version?: number
  /** Rules that are not stored, instead of `version`: all of them, in their order. */
  rules?: DraftRule[]
  /** The rules are tried on payments from this time on. */
  created_at_gte: string
  /** To this time; by default now. At most 90 days. */
  created_at_lte?: string
}

export type FlowBackTestResult = {
  /** How many payments each rule would have decided, in their order. */
  rules: {
    /** Null: the rule came with the request. */
    rule_id: string | null
    flow: "checkout" | "card-transaction" | "non-card-transaction" | "redirect-transaction"
    action: "select-payment-options" | "decline-early" | "skip-3ds" | "route-transaction"
    position: number
    description: string | null
    payments: number
  }[]
  services: {
    payment_service_id: string
    display_name: string | null
    /** Payments that it took. */
    before: number
    /** Payments for which it would be asked first. */
    after: number
  }[]
  /** Payments by the service that decided them and the one that would be asked first. Those that stay are in it as well. */
  moves: {
    from: {
      payment_service_id: string
      display_name: string | null
    } | null
    to: {
      payment_service_id: string
      display_name: string | null
    }
    payments: number
    /** How many of them were approved where they went. */
    approved: number
    /** How many of them the new service would probably approve, and between which numbers with 95 % certainty: by what it approved of payments with the same method and scheme in this time. Null: there were fewer than 100. */
    expected: {
      approved: number
      low: number
      high: number
    } | null
    /** How many of them `expected` says nothing about. */
    unknown: number
  }[]
  /** Payments that rules would decline at once, and how many of them were approved. */
  declined: {
    payments: number
    approved: number
  }
  /** Payments that no service of the rules could take. */
  not_routable: {
    payments: number
    approved: number
  }
  /** What rules would say about 3-D Secure. */
  three_d_secure: {
    wish: "attempt" | "force" | "skip"
    payments: number
  }[]
  /** Payments without an outcome yet. They are left out above. */
  undecided: number
  /** An estimate of approvals, not a promise. It counts what the first service would answer, and no retries. Payments that stay count as they were; payments that rules decline count as not approved. */
  estimate: {
    /** How many payments it is about. */
    payments: number
    approved_before: number
    approved_after: number
    low: number
    high: number
    /** Payments that it says nothing about. */
    unknown: number
  }
}

export type FlowBackTestSummary = {
  type: "flow-back-test"
  id: string
  merchant_account_id: string
  status: "pending" | "running" | "succeeded" | "failed"
  /** Null: the rules came with the request. */
  version: number | null
  created_at_gte: string
  created_at_lte: string
  progress: {
    /** Payments that were tried so far. */
    done: number
    /** Null: they are not counted yet. */
    total: number | null
  }
  failure_reason: string | null
  created_at: string
  finished_at: string | null
}

export type FlowBackTests = {
  items: FlowBackTestSummary[]
  limit: number
  next_cursor: string | null
  previous_cursor: string | null
}

/** What must be true of a payment. A fact that is not known meets no condition, whether it is asked for or excluded. */
export type FlowCondition = {
  name: "amount"
  operator: "less_than" | "greater_than"
  value: {
    currency: string
    value: number
  }
} | {
  name: "amount"
  operator: "is_between"
  value: {
    currency: string
    min: number
    max: number
  }
} | {
  name: "amount_zero"
  operator: "equal_to"
  value: 0
} | {
  name: "anti_fraud_decision"
  operator: "is_one_of" | "is_not_one_of"
  value: ("accept" | "error" | "reject" | "review" | "exception" | "skipped")[]
} | {
  name: "browser_language"
  operator: "is_one_of" | "is_not_one_of"
  value: string[]
} | {
  name: "card_bin"
  operator: "is_one_of" | "is_not_one_of"
  value: string[]
} | {
  name: "card_country"
  operator: "is_one_of" | "is_not_one_of"
  value: string[]
} | {
  name: "card_issuer_name"
  operator: "like_one_of" | "unlike_any_of"
  value: string[]
} | {
  name: "card_product_name"
  operator: "like_one_of" | "unlike_any_of"
  value: string[]
} | {
  name: "card_scheme"
  operator: "is_one_of" | "is_not_one_of"
  value: ("accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa" | null)[]
} | {
  name: "card_source"
  operator: "is_one_of" | "is_not_one_of"
  value: ("applepay" | "googlepay" | "network-token" | "raw" | "token")[]
} | {
  name: "card_type"
  operator: "is_one_of" | "is_not_one_of"
  value: ("credit" | "debit" | "prepaid")[]
} | {
  name: "country"
  operator: "is_one_of" | "is_not_one_of"
  value: string[]
} | {
  name: "currency"
  operator: "is_one_of" | "is_not_one_of"
  value: string[]
} | {
  name: "gift_card_bin"
  operator: "is_one_of" | "is_not_one_of"
  value: string[]
} | {
  name: "has_gift_cards"
  operator: "equal_to"
  value: boolean
} | {
  name: "is_subsequent_payment"
  operator: "equal_to"
  value: boolean
} | {
  name: "merchant_initiated"
  operator: "equal_to"
  value: boolean
} | {
  name: "metadata"
  operator: "includes" | "excludes"
  value: {
    key: string
    value: string | string[]
  }
} | {
  name: "metadata_numeric"
  operator: "less_than" | "greater_than" | "equal_to" | "less_than_or_equal_to" | "greater_than_or_equal_to"
  value: {
    key: string
    value: number
  }
} | {
  name: "payment_method"
  operator: "equal_to"
  value: "affirm" | "afterpay" | "alipay" | "alipayhk" | "applepay" | "bacs" | "bancontact" | "banked" | "becs" | "bitpay" | "boleto" | "boost" | "card" | "cashapp" | "chaseorbital" | "checkout-session" | "clearpay" | "click-to-pay" | "dana" | "dcb" | "dlocal" | "ebanx" | "efecty" | "eps" | "everydaypay" | "gcash" | "gem" | "gemds" | "gift-card" | "giropay" | "givingblock" | "gocardless" | "googlepay" | "googlepay_pan_only" | "gopay" | "grabpay" | "id" | "ideal" | "kakaopay" | "kcp" | "klarna" | "latitude" | "latitudeds" | "laybuy" | "linepay" | "linkaja" | "maybankqrpay" | "mercadopago" | "multibanco" | "multipago" | "netbanking" | "network-token" | "oney_3x" | "oney_4x" | "oney_6x" | "oney_10x" | "oney_12x" | "ovo" | "oxxo" | "payid" | "paymaya" | "paypal" | "paypalpaylater" | "payto" | "venmo" | "pix" | "pse" | "rabbitlinepay" | "razorpay" | "scalapay" | "sepa" | "shopeepay" | "singteldash" | "smartpay" | "sofort" | "spei" | "stripedd" | "thaiqr" | "touchngo" | "truemoney" | "trustly" | "trustlyeurope" | "upi" | "vipps" | "waave" | "webpay" | "wechat" | "zippay"
} | {
  name: "payment_method"
  operator: "is_one_of" | "is_not_one_of"
  value: ("affirm" | "afterpay" | "alipay" | "alipayhk" | "applepay" | "bacs" | "bancontact" | "banked" | "becs" | "bitpay" | "boleto" | "boost" | "card" | "cashapp" | "chaseorbital" | "checkout-session" | "clearpay" | "click-to-pay" | "dana" | "dcb" | "dlocal" | "ebanx" | "efecty" | "eps" | "everydaypay" | "gcash" | "gem" | "gemds" | "gift-card" | "giropay" | "givingblock" | "gocardless" | "googlepay" | "googlepay_pan_only" | "gopay" | "grabpay" | "id" | "ideal" | "kakaopay" | "kcp" | "klarna" | "latitude" | "latitudeds" | "laybuy" | "linepay" | "linkaja" | "maybankqrpay" | "mercadopago" | "multibanco" | "multipago" | "netbanking" | "network-token" | "oney_3x" | "oney_4x" | "oney_6x" | "oney_10x" | "oney_12x" | "ovo" | "oxxo" | "payid" | "paymaya" | "paypal" | "paypalpaylater" | "payto" | "venmo" | "pix" | "pse" | "rabbitlinepay" | "razorpay" | "scalapay" | "sepa" | "shopeepay" | "singteldash" | "smartpay" | "sofort" | "spei" | "stripedd" | "thaiqr" | "touchngo" | "truemoney" | "trustly" | "trustlyeurope" | "upi" | "vipps" | "waave" | "webpay" | "wechat" | "zippay")[]
} | {
  name: "payment_source"
  operator: "is_one_of" | "is_not_one_of"
  value: ("ecommerce" | "moto" | "recurring" | "installment" | "card_on_file")[]
} | {
  name: "product_categories"
  operator: "includes_all" | "includes_at_least_one" | "includes_none"
  value: string[]
} | {
  name: "product_types"
  operator: "includes_all" | "includes_at_least_one" | "includes_none"
  value: ("physical" | "discount" | "shipping_fee" | "sales_tax" | "digital" | "gift_card" | "store_credit" | "surcharge" | null)[]
} | {
  name: "skus"
  operator: "includes_all" | "includes_at_least_one" | "includes_none"
  value: string[]
} | {
  name: "split_routing"
  operator: "less_than_or_equal_to"
  /** The share of payers in percent. */
  value: number
} | {
  name: "installment_count"
  operator: "less_than" | "greater_than" | "equal_to" | "less_than_or_equal_to" | "greater_than_or_equal_to"
  value: number
} | {
  name: "weekday"
  operator: "is_one_of" | "is_not_one_of"
  value: {
    /** An IANA time zone, such as `Europe/Berlin`. */
    time_zone: string
    days: ("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday")[]
  }
} | {
  name: "time_of_day"
  operator: "is_between"
  value: {
    /** An IANA time zone, such as `Europe/Berlin`. */
    time_zone: string
    from: string
    to: string
  }
} | AnyOfCondition

export type FlowDryRun = {
  type: "flow-dry-run"
  /** Null: there are no rules, or they were in the request. */
  version: number | null
  /** With which a rule would decline the payment. */
  error_code: string | null
  three_d_secure: "attempt" | "force" | "skip" | null
  objection: DryRunObjection | null
  steps: DecisionStep[]
  /** The payment services in the order in which they would be asked, then those that would be skipped. */
  candidates: DryRunCandidate[]
}

export type FlowDryRunCreate = {
  transaction?: TransactionCreate
  /** A payment that was made, instead of `transaction`. */
  transaction_id?: string
  /** The version of the rules to try. Without it, the newest. */
  version?: number
  /** Rules that are not stored, instead of `version`: all of them, in their order. */
  rules?: DraftRule[]
  /** What the anti-fraud service would decide. It is not asked. A payment that was made brings its own. */
  anti_fraud_decision?: "accept" | "error" | "exception" | "reject" | "review" | "skipped" | "pending"
}

export type FlowHealth = {
  items: ServiceHealth[]
}

/** What the rule decides. Card payments are routed by `card-routing`, others by a `list` of payment services; `decline-early` and `skip-3ds` take `boolean`, `skip-3ds` also `three-d-secure`; payment options are a `list` of methods, in the order in which they are shown. */
export type FlowOutcome = CardRoutingOutcome | RedirectRoutingOutcome | PaymentOptionsOutcome | ThreeDSecureOutcome | BooleanOutcome

export type FlowOutcomeOption = {
  /** A payment method, a payment service for cards, or anything else. */
  type: "action" | "transaction-route" | "outcome"
  /** What an outcome names. */
  id: string
  label: string
  /** Whether a payment can come to it today. */
  active: boolean
  icon_url: string | null
  group?: string | null
  countries?: string[]
  currencies?: string[]
  instruments?: ("network_token" | "pan")[]
  transformations?: {
    name: "force_mit" | "use_additional_scheme"
  }[]
  network_tokens_enabled?: boolean
  open_loop?: boolean
}

export type FlowOutcomeOptions = {
  items: FlowOutcomeOption[]
}

export type FlowRule = {
  type: "rule"
  id: string
  merchant_account_id: string
  description: string | null
  flow: "checkout" | "card-transaction" | "non-card-transaction" | "redirect-transaction"
  action: "select-payment-options" | "decline-early" | "skip-3ds" | "route-transaction"
  conditions: FlowCondition[]
  outcome: FlowOutcome
  /** Rules are tried from 0 upwards. The first that matches decides. */
  position: number
  error_code: string | null
  /** What the rule allows and probably should not, such as a service that is switched off. */
  warnings: FlowWarning[]
  created_at: string
  updated_at: string
}

export type FlowRuleCreate = {
  description?: string | null
  /** All of them must be met. Without conditions the rule matches every payment. */
  conditions: FlowCondition[]
  outcome: FlowOutcome
  /** The error code of payments that the rule declines. Only for `decline-early`; without it, `flow_decline`. */
  error_code?: string | null
  /** The version that you have read. If there is a newer one, the request is refused and changes nothing. */
  based_on_version?: number
}

export type FlowRuleUpdate = {
  /** The place among the rules of this action, from 0. The others move. */
  position: number
  description?: string | null
  /** All of them must be met. Without conditions the rule matches every payment. */
  conditions?: FlowCondition[]
  outcome?: FlowOutcome
  /** The error code of payments that the rule declines. Only for `decline-early`; without it, `flow_decline`. */
  error_code?: string | null
  /** The version that you have read. If there is a newer one, the request is refused and changes nothing. */
  based_on_version?: number
}

export type FlowRules = {
  items: FlowRule[]
  /** The version of all rules of the merchant account; 0 before the first rule. */
  version: number
}

export type FlowVersion = {
  type: "flow-version"
  id: string
  merchant_account_id: string
  number: number
  /** What the change was. */
  note: string
  /** Who made the change. */
  author: {
    id: string | null
    name: string
  }
  rule_count: number
  created_at: string
  /** As they were then. The warnings are of today. */
  rules: FlowRule[]
}

export type FlowVersionCreate = {
  /** The version whose rules apply again. */
  restore: number
  based_on_version?: number
}

export type FlowVersionSummary = {
  type: "flow-version"
  id: string
  merchant_account_id: string
  number: number
  /** What the change was. */
  note: string
  /** Who made the change. */
  author: {
    id: string | null
    name: string
  }
  rule_count: number
  created_at: string
}

export type FlowVersions = {
  items: FlowVersionSummary[]
  limit: number
  next_cursor: string | null
  previous_cursor: string | null
}

export type FlowWarning = {
  /** The field of the rule. */
  pointer: string
  message: string
}

export type ForterAntiFraudOptions = {
  delivery_type?: "DIGITAL" | "PHYSICAL" | "HYBRID" | null
  delivery_method?: string | null
  is_guest_buyer?: boolean | null
  cart_items?: ForterAntiFraudOptionsCartItem[] | null
  total_discount?: ForterAntiFraudOptionsDiscount | null
}

export type ForterAntiFraudOptionsCartItem = {
  basic_item_data?: ForterAntiFraudOptionsCartItemBasicItemData | null
  delivery_details?: ForterAntiFraudOptionsCartItemDeliveryDetails | null
  beneficiaries?: ForterAntiFraudOptionsCartItemBeneficiary[] | null
}

export type ForterAntiFraudOptionsCartItemBasicItemData = {
  type?: "TANGIBLE" | "NON_TANGIBLE" | null
}

export type ForterAntiFraudOptionsCartItemBeneficiary = {
  personal_details: ForterAntiFraudOptionsCartItemBeneficiaryPersonalDetails
  address?: ForterAntiFraudOptionsCartItemBeneficiaryAddress | null
  phone?: ForterAntiFraudOptionsCartItemBeneficiaryPhone[] | null
  comments?: ForterAntiFraudOptionsCartItemBeneficiaryComments | null
}

export type ForterAntiFraudOptionsCartItemBeneficiaryAddress = {
  country: string
  address1?: string | null
  address2?: string | null
  zip?: string | null
  region?: string | null
  company?: string | null
  city?: string | null
}

export type ForterAntiFraudOptionsCartItemBeneficiaryComments = {
  user_comments_to_merchant?: string | null
  message_to_beneficiary?: string | null
  merchant_comments?: string | null
}

export type ForterAntiFraudOptionsCartItemBeneficiaryPersonalDetails = {
  first_name?: string | null
  last_name?: string | null
  email?: string | null
}

export type ForterAntiFraudOptionsCartItemBeneficiaryPhone = {
  phone: string
}

export type ForterAntiFraudOptionsCartItemDeliveryDetails = {
  delivery_type?: "DIGITAL" | "PHYSICAL" | "HYBRID" | null
  delivery_method?: string | null
}

export type ForterAntiFraudOptionsDiscount = {
  coupon_code_used: string
  discount_type: string
  coupon_discount_amount?: ForterAntiFraudOptionsDiscountCouponDiscountAmount | null
  coupon_discount_percent?: string | null
}

export type ForterAntiFraudOptionsDiscountCouponDiscountAmount = {
  amount_usd?: string | null
  amount_local_currency?: string | null
  currency?: string | null
}

export type GiftCard = {
  type: "gift-card"
  id: string
  merchant_account_id: string
  gift_card_service: GiftCardServiceSummary
  /** The first six digits of the number. */
  bin: string
  /** The three digits after the BIN. */
  sub_bin: string
  /** The last four digits. */
  last4: string
  /** Null if the card does not expire, or if its service did not say. */
  expiration_date: string | null
  buyer: Buyer | null
  /** The number of payments with the card. */
  usage_count: number
  last_used_at: string | null
  /** Uses that the buyer initiated. */
  cit_usage_count: number
  cit_last_used_at: string | null
  created_at: string
  updated_at: string
}

export type GiftCardBalanceRequest = {
  /** The cards. None may be listed twice. */
  items: (NewGiftCardBalance | StoredGiftCardBalance)[]
}

export type GiftCardIssuance = {
  type: "gift-card-issuance"
  id: string
  merchant_account_id: string
  gift_card_service: GiftCardServiceSummary
  /** The gift card service’s own id of the issuance. */
  gift_card_service_payment_issuance_id: string
  /** Shows the card with its number and PIN, without a token. We do not store this URL. */
  url: string
  amount: number
  /** ISO 4217. */
  currency: string
  /** Your own reference. */
  external_identifier: string | null
  created_at: string
  updated_at: string
}

export type GiftCardRedemption = {
  type: "gift-card-redemption"
  id: string
  status: "created" | "succeeded" | "failed" | "skipped"
  amount: number
  refunded_amount: number
  gift_card_service_redemption_id: string | null
  error_code: "invalid_gift_card" | "expired_card" | "inactive_card" | "invalid_service_credentials" | "invalid_amount" | "incorrect_currency" | "insufficient_funds" | "invalid_service_configuration" | "operation_canceled" | "service_error" | "service_network_error" | "unknown_error" | "max_gift_cards_reached" | "suspected_fraud" | "canceled_payment_method" | "duplicate_transaction" | "unexpected_state" | null
  /** As the gift card service gave it. */
  raw_error_code: string | null
  raw_error_message: string | null
  gift_card: TransactionGiftCard
}

export type GiftCardService = {
  type: "gift-card-service"
  id: string
  merchant_account_id: string
  /** The provider, as in `mock-gift-card`. */
  gift_card_service_definition_id: string
  display_name: string
  /** Whether gift cards are looked up and redeemed with this service. One service of an account can be active. */
  active: boolean
  /** Secret fields are left out. */
  fields: GiftCardServiceField[]
  /** The keys of the secret fields that are set. Their values are never shown. */
  secret_fields: string[]
  created_at: string
  updated_at: string
}

export type GiftCardServiceDefinition = {
  type: "gift-card-service-definition"
  /** The provider, as in `mock-gift-card`. */
  id: string
  display_name: string
  /** The fields to enter when you create a service. */
  fields: PaymentServiceDefinitionField[]
  supported_features: GiftCardServiceFeatures
}

export type GiftCardServiceDefinitions = {
  items: GiftCardServiceDefinition[]
  limit: number
  next_cursor: string | null
  previous_cursor: string | null
}

/** What the service supports besides balances and payments. */
export type GiftCardServiceFeatures = {
  /** Whether cards can be activated. */
  activations: boolean
  /** Whether new cards can be issued. */
  issuances: boolean
}

export type GiftCardServiceField = {
  key: string
  value: string
}

export type GiftCardServiceFieldChange = {
  key: string
  /** Empty to clear the field. */
  value: string
}

export type GiftCardServiceSummary = {
  type: "gift-card-service"
  id: string
  /** The provider, as in `mock-gift-card`. */
  gift_card_service_definition_id: string
  display_name: string
}

export type GiftCardServices = {
  items: GiftCardService[]
  limit: number
  next_cursor: string | null
  previous_cursor: string | null
}

export type GiftCardSummaries = {
  items: GiftCardSummary[]
}

export type GiftCardSummary = {
  type: "gift-card"
  /** Null when the card is not stored. */
  id: string | null
  merchant_account_id: string
  /** The first six digits of the number. */
  bin: string
  /** The three digits after the BIN. */
  sub_bin: string
  /** The last four digits. */
  last4: string
  /** Currency of the balance. ISO 4217. */
  currency: string | null
  /** Null if the card does not expire, or if its service did not say. */
  expiration_date: string | null
  /** In the smallest unit of the currency. Null when it is not available. */
  balance: number | null
  /** Why there is no balance. */
  balance_error_code: "invalid_gift_card" | "expired_card" | "inactive_card" | "invalid_service_credentials" | "invalid_amount" | "incorrect_currency" | "insufficient_funds" | "invalid_service_configuration" | "operation_canceled" | "service_error" | "service_network_error" | "unknown_error" | "max_gift_cards_reached" | "suspected_fraud" | "canceled_payment_method" | "duplicate_transaction" | "unexpected_state" | null
  /** As the gift card service gave it. */
  balance_raw_error_code: string | null
  balance_raw_error_message: string | null
  /** The number of payments with the card. */
  usage_count: number
  last_used_at: string | null
  /** Uses that the buyer initiated. */
  cit_usage_count: number
  cit_last_used_at: string | null
}

export type GiftCards = {
  items: GiftCard[]
  limit: number
  next_cursor: string | null
  previous_cursor: string | null
}

export type GivingBlockOptions = {
  defaultCryptocurrency?: string | null
}

export type GoCardlessOptions = {
  purpose_code?: "mortgage" | "utility" | "loan" | "dependant_support" | "gambling" | "retail" | "salary" | "personal" | "government" | "pension" | "tax" | "other" | null
}

export type GooglePayAssuranceDetails = {
  account_verified?: boolean | null
  card_holder_authenticated?: boolean | null
}

/** What Google’s button needs. */
export type GooglePayPaymentOptionContext = {
  /** The name that buyers see. */
  merchant_name: string
  /** The card schemes of the wallet. */
  supported_schemes: string[]
  /** For `tokenizationSpecification` of Google’s button. */
  gateway: string
  /** For `tokenizationSpecification`, too. */
  gateway_merchant_id: string
}

export type GooglePaySession = {
  /** For `tokenizationSpecification.parameters.gatewayMerchantId` of Google’s button. */
  gateway_merchant_id: string
  /** For `merchantInfo.authJwt`: a JWT that names the merchant and the host, good for 15 minutes. The wallet’s `session_public_key` verifies it. */
  token: string
}

export type GooglePaySessionRequest = {
  /** The host of the page that shows the button. It need not be registered. */
  origin_domain: string
}

export type GuestBuyer = {
  /** Name to display. */
  display_name: string | null
  /** Your own id of the buyer. */
  external_identifier: string | null
  /** The number of the buyer’s account with you. */
  account_number: string | null
  billing_details: BillingDetails | null
  shipping_details: GuestShippingDetails | null
}

export type GuestShippingDetails = {
  /** First name. */
  first_name: string | null
  /** Last name. */
  last_name: string | null
  /** E-mail address. */
  email_address: string | null
  /** E.164: a plus, then up to 15 digits. */
  phone_number: string | null
  address: Address | null
}

export type Invitation = {
  type: "invitation"
  /** The link to send to the user. It works once. We send no e-mail. A retry with the same idempotency key shows it for ten minutes, and null after that. */
  invitation_url: string | null
  /** Until then, the link works. */
  invitation_expires_at: string
}

export type InvitedUser = {
  type: "user"
  id: string
  name: string
  email_address: string
  /** `pending`: invited, and has not signed in yet. `disabled`: cannot sign in until made active again. */
  status: "pending" | "active" | "disabled"
  roles: Role[]
  /** Whether the user can sign in with a passkey. */
  has_passkey: boolean
  /** Whether the user can prove who they are with more than a password: a passkey, or a code. */
  has_second_factor: boolean
  /** Whether the user signs in at the identity provider, which decides what they may do. */
  has_oidc: boolean
  /** Empty means all merchant accounts. */
  merchant_accounts: {
    id: string
    display_name: string
  }[]
  creator: {
    id: string
    name: string
  } | null
  last_signed_in_at: string | null
  created_at: string
  updated_at: string
  /** The link to send to the user. It works once. We send no e-mail. A retry with the same idempotency key shows it for ten minutes, and null after that. */
  invitation_url: string | null
  /** Until then, the link works. */
  invitation_expires_at: string
}

export type IssueGiftCard = {
  /** The design of the card. */
  theme: string
  /** The amount on the card. */
  amount: number
  /** ISO 4217. */
  currency: string
  /** Your own reference. */
  external_identifier?: string | null
}

export type KlarnaOptions = {
  subscription?: KlarnaSubscriptionOptions | null
  token_only_mode?: boolean | null
  authorization_token?: string | null
}

export type KlarnaSubscriptionOptions = {
  name: string
  interval: "DAY" | "WEEK" | "MONTH" | "YEAR"
  interval_count: number
  reference: string
}

export type LateJob = {
  /** The name of the job, as in the logs. */
  job: string
  /** `waiting`: others did not answer in time, such as receivers of webhooks. `slow`: a turn of the job took more than three minutes. `failed`: the job failed, and the log says why. */
  reason: "waiting" | "slow" | "failed"
  /** Since when, by the clock of the sandbox, the job has something to do. */
  due_at: string
}

export type LatitudeOptions = {
  promotion_reference?: string | null
}

export type MattildaTapiOptions = {
  payment_method_expires_at?: string | null
}

export type MerchantAccount = {
  type: "merchant-account"
  id: string
  /** Name to display. */
  display_name: string
  /** Whether the account updater keeps stored cards current. */
  account_updater_enabled: boolean
  /** Key that encrypts requests to the account updater. Answers show it as `********`. */
  account_updater_request_encryption_key: string | null
  /** Id of that key. */
  account_updater_request_encryption_key_id: string | null
  /** Key that decrypts answers of the account updater. Answers show it as `********`. */
  account_updater_response_decryption_key: string | null
  /** Id of that key. */
  account_updater_response_decryption_key_id: string | null
  /** How much more than authorized may be captured, in minor units. */
  over_capture_amount: number | null
  /** How much more than authorized may be captured, in percent. */
  over_capture_percentage: number | null
  /** Client key of the account updater service. Answers show it as `********`. */
  loon_client_key: string | null
  /** Secret key of the account updater service. Answers show it as `********`. */
  loon_secret_key: string | null
  loon_accepted_schemes: ("accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa")[] | null
  /** The account’s name at the account updater service. */
  loon_merchant_account_id: string | null
  /** Token requestor at Visa. */
  visa_network_tokens_requestor_id: string | null
  /** Application at Visa. */
  visa_network_tokens_app_id: string | null
  /** Token requestor at American Express. */
  amex_network_tokens_requestor_id: string | null
  /** Application at American Express. */
  amex_network_tokens_app_id: string | null
  /** Token requestor at Mastercard. */
  mastercard_network_tokens_requestor_id: string | null
  /** Application at Mastercard. */
  mastercard_network_tokens_app_id: string | null
  /** Token requestor at Discover. */
  discover_network_tokens_requestor_id: string | null
  /** Application at Discover. */
  discover_network_tokens_app_id: string | null
  /** Whether each card that is stored gets a network token, after the request is answered. */
  async_network_tokens_enabled: boolean
  created_at: string
  updated_at: string
}

export type MerchantAccountSummary = {
  type: "merchant-account"
  id: string
  /** Name to display. */
  display_name: string
  created_at: string
  updated_at: string
  /** How much more than authorized may be captured, in minor units. */
  over_capture_amount: number | null
  /** How much more than authorized may be captured, in percent. */
  over_capture_percentage: number | null
}

export type MerchantAccounts = {
  items: MerchantAccount[]
  limit: number
  next_cursor: string | null
  previous_cursor: string | null
}

export type MerchantProfileScheme = {
  merchant_acquirer_bin: string
  merchant_acquirer_id: string
  merchant_name: string
  /** ISO 3166-1, numeric or alpha-2. Kept as it is sent. */
  merchant_country_code: string
  /** ISO 18245. */
  merchant_category_code: string
  merchant_url: string
}

export type MerchantProfileSchemeSummary = {
  merchant_acquirer_bin: string
  merchant_acquirer_id: string
  merchant_name: string
  /** ISO 3166-1, numeric or alpha-2. Kept as it is sent. */
  merchant_country_code: string
  /** ISO 18245. */
  merchant_category_code: string
  merchant_url: string
  created_at: string
}

/** The query of a question. Filters that are null are left out. At most 16384 bytes, written as JSON. */
export type MetricsExplorerFiltersQueryParams = {
  /** An ISO 8601 interval of at most 366 days: two moments, or a moment and a duration. `now`, `hour_start` and `hour_end` stand for moments. A payment counts at the time of its creation. */
  datetime_range: string
  /** The IANA time zone in which days begin, such as Europe/Berlin. Default: UTC. */
  timezone?: string
  /** Only payments with this outcome of 3-D Secure: authenticated, attempted, unavailable, failed, cancelled, abandoned or error. Several values: one of them. The NUL character: without a value. */
  authentication_outcome?: string[] | null
  /** Only payments that were authorized (true), or that were not (false). Several values: one of them. The NUL character: without a value. */
  authorized?: string[] | null
  /** Only payments of this country. Several values: one of them. The NUL character: without a value. */
  country?: string[] | null
  /** Only payments in this currency. For `volume` exactly one is needed. Several values: one of them. The NUL character: without a value. */
  currency?: string[] | null
  /** Only payments that ended with this code. Several values: one of them. The NUL character: without a value. */
  error_code?: string[] | null
  /** Only payments with this instrument, such as pan or network_token. Several values: one of them. The NUL character: without a value. */
  instrument_type?: string[] | null
  /** Only payments that follow an earlier one (true), or that do not (false). Several values: one of them. The NUL character: without a value. */
  is_subsequent_payment?: string[] | null
  /** Only payments whose issuer is liable for fraud, as the result of 3-D Secure says (true), or is not (false). Several values: one of them. The NUL character: without a value. */
  liability_shifted?: string[] | null
  /** Only payments that the merchant initiated (true), or the buyer (false). Several values: one of them. The NUL character: without a value. */
  merchant_initiated?: string[] | null
  /** Only payments whose metadata has these pairs. Each value is a JSON object of text to text. Several values: one of them. The NUL character: without a value. */
  metadata?: string[] | null
  /** Only payments with this method. Several values: one of them. The NUL character: without a value. */
  method?: string[] | null
  /** Only payments with a card that begins with these digits. Several values: one of them. The NUL character: without a value. */
  payment_method_bin?: string[] | null
  /** Only payments with a card of this issuer. Several values: one of them. The NUL character: without a value. */
  payment_method_card_issuer_name?: string[] | null
  /** Only payments with a card of this type: credit, debit or prepaid. Several values: one of them. The NUL character: without a value. */
  payment_method_card_type?: string[] | null
  /** Only payments with a payment method of this country. Several values: one of them. The NUL character: without a value. */
  payment_method_country?: string[] | null
  /** Only payments with a card of this scheme. Several values: one of them. The NUL character: without a value. */
  payment_method_scheme?: string[] | null
  /** Only payments that this payment service was asked about last. Several values: one of them. The NUL character: without a value. */
  payment_service_id?: string[] | null
  /** Only payments from this source. Several values: one of them. The NUL character: without a value. */
  payment_source?: string[] | null
  /** Only payments with this answer of the payment service, in its own words. Several values: one of them. The NUL character: without a value. */
  raw_response_code?: string[] | null
  /** Only payments that this rule routed. Several values: one of them. The NUL character: without a value. */
  rule_id_route_transaction?: string[] | null
  /** Only payments for which this rule decided about 3-D Secure. Several values: one of them. The NUL character: without a value. */
  rule_id_skip_3ds?: string[] | null
  /** Only payments that a weighted rule gave to this payment service. Several values: one of them. The NUL character: without a value. */
  rule_variant_id?: string[] | null
  /** Only payments with this answer of the issuer in 3-D Secure, such as Y. Several values: one of them. The NUL character: without a value. */
  three_d_secure_auth_resp?: string[] | null
  /** Only payments with this electronic commerce indicator. Several values: one of them. The NUL character: without a value. */
  three_d_secure_eci?: string[] | null
  /** Only payments authenticated this way: challenge or frictionless. Several values: one of them. The NUL character: without a value. */
  three_d_secure_method?: string[] | null
}

export type MetricsExplorerModule = {
  type: "metrics-explorer.module"
  /** The value of the field, as its filter takes it. The NUL character: payments without a value. */
  key: string
  /** The value as people read it. */
  display_name: string
  /** An amount in the smallest unit of the currency, a number of payments, or a rate from 0 to 1. Null: there was no payment to take a rate of. */
  value: number | null
  /** More about the value: of payment services and of metadata. */
  metadata: (Record<string, string | boolean>) | null
}

export type MetricsExplorerPreset = {
  type: "metrics-explorer.preset"
  id: string
  merchant_account_id: string
  created_at: string
  updated_at: string
  /** The name under which people find it. */
  display_name: string
  /** `authorization`: payments whose authorization is decided. `authentication`: those of them that went through 3-D Secure. `monitoring`: the payments that monitoring takes its rates of. */
  source: "authentication" | "authorization" | "monitoring"
  /** `volume`: the sum of the amounts, in the smallest unit of the currency. `transactions`: the number of payments. `auth_rate`: the share that succeeded, from 0 to 1: authorized or, in the source `authentication`, authenticated. */
  metric: "volume" | "transactions" | "auth_rate"
  filters: MetricsExplorerPresetFilters
}

export type MetricsExplorerPresetCreate = {
  /** The name under which people find it. */
  display_name: string
  /** `volume`: the sum of the amounts, in the smallest unit of the currency. `transactions`: the number of payments. `auth_rate`: the share that succeeded, from 0 to 1: authorized or, in the source `authentication`, authenticated. */
  metric: "volume" | "transactions" | "auth_rate"
  filters: MetricsExplorerFiltersQueryParams
}

/** The query to ask with. The range keeps its words: they are read when you ask. */
export type MetricsExplorerPresetFilters = {
  /** An ISO 8601 interval of at most 366 days: two moments, or a moment and a duration. `now`, `hour_start` and `hour_end` stand for moments. A payment counts at the time of its creation. */
  datetime_range: string
  /** The IANA time zone in which days begin, such as Europe/Berlin. Default: UTC. */
  timezone?: string
  /** Only payments with this outcome of 3-D Secure: authenticated, attempted, unavailable, failed, cancelled, abandoned or error. Several values: one of them. The NUL character: without a value. */
  authentication_outcome?: string[]
  /** Only payments that were authorized (true), or that were not (false). Several values: one of them. The NUL character: without a value. */
  authorized?: string[]
  /** Only payments of this country. Several values: one of them. The NUL character: without a value. */
  country?: string[]
  /** Only payments in this currency. For `volume` exactly one is needed. Several values: one of them. The NUL character: without a value. */
  currency?: string[]
  /** Only payments that ended with this code. Several values: one of them. The NUL character: without a value. */
  error_code?: string[]
  /** Only payments with this instrument, such as pan or network_token. Several values: one of them. The NUL character: without a value. */
  instrument_type?: string[]
  /** Only payments that follow an earlier one (true), or that do not (false). Several values: one of them. The NUL character: without a value. */
  is_subsequent_payment?: string[]
  /** Only payments whose issuer is liable for fraud, as the result of 3-D Secure says (true), or is not (false). Several values: one of them. The NUL character: without a value. */
  liability_shifted?: string[]
  /** Only payments that the merchant initiated (true), or the buyer (false). Several values: one of them. The NUL character: without a value. */
  merchant_initiated?: string[]
  /** Only payments whose metadata has these pairs. Each value is a JSON object of text to text. Several values: one of them. The NUL character: without a value. */
  metadata?: string[]
  /** Only payments with this method. Several values: one of them. The NUL character: without a value. */
  method?: string[]
  /** Only payments with a card that begins with these digits. Several values: one of them. The NUL character: without a value. */
  payment_method_bin?: string[]
  /** Only payments with a card of this issuer. Several values: one of them. The NUL character: without a value. */
  payment_method_card_issuer_name?: string[]
  /** Only payments with a card of this type: credit, debit or prepaid. Several values: one of them. The NUL character: without a value. */
  payment_method_card_type?: string[]
  /** Only payments with a payment method of this country. Several values: one of them. The NUL character: without a value. */
  payment_method_country?: string[]
  /** Only payments with a card of this scheme. Several values: one of them. The NUL character: without a value. */
  payment_method_scheme?: string[]
  /** Only payments that this payment service was asked about last. Several values: one of them. The NUL character: without a value. */
  payment_service_id?: string[]
  /** Only payments from this source. Several values: one of them. The NUL character: without a value. */
  payment_source?: string[]
  /** Only payments with this answer of the payment service, in its own words. Several values: one of them. The NUL character: without a value. */
  raw_response_code?: string[]
  /** Only payments that this rule routed. Several values: one of them. The NUL character: without a value. */
  rule_id_route_transaction?: string[]
  /** Only payments for which this rule decided about 3-D Secure. Several values: one of them. The NUL character: without a value. */
  rule_id_skip_3ds?: string[]
  /** Only payments that a weighted rule gave to this payment service. Several values: one of them. The NUL character: without a value. */
  rule_variant_id?: string[]
  /** Only payments with this answer of the issuer in 3-D Secure, such as Y. Several values: one of them. The NUL character: without a value. */
  three_d_secure_auth_resp?: string[]
  /** Only payments with this electronic commerce indicator. Several values: one of them. The NUL character: without a value. */
  three_d_secure_eci?: string[]
  /** Only payments authenticated this way: challenge or frictionless. Several values: one of them. The NUL character: without a value. */
  three_d_secure_method?: string[]
}

export type MetricsExplorerPresetUpdate = {
  /** The name under which people find it. */
  display_name: string
}

export type MetricsExplorerTotalResponse = {
  type: "metrics-explorer.total"
  series: MetricsExplorerTotalSeriesSet
  summary: MetricsExplorerTotalSummarySet
}

export type MetricsExplorerTotalSeries = {
  /** When the hour or the day of the first value begins. ISO 8601, UTC. */
  first_interval: string
  /** One for each hour up to two days, else one for each day. */
  values: (number | null)[]
}

export type MetricsExplorerTotalSeriesSet = {
  current: MetricsExplorerTotalSeries
  previous: MetricsExplorerTotalSeries | null
}

export type MetricsExplorerTotalSummary = {
  /** An amount in the smallest unit of the currency, a number of payments, or a rate from 0 to 1. Null: there was no payment to take a rate of. */
  value: number | null
}

export type MetricsExplorerTotalSummarySet = {
  current: MetricsExplorerTotalSummary
  previous: MetricsExplorerTotalSummary | null
  /** The difference to the period before: in percent or, for `auth_rate`, the rate less the rate before. Null without a value to compare with. */
  delta: number | null
}

/** Sandbox only: makes the simulated processor misbehave, once per operation, to test your integration. */
export type MockCardFault = {
  on: "authorize" | "capture" | "void" | "cancel" | "refund" | "increment" | "payout"
  kind: "lose-answer" | "stall" | "late" | "twice" | "garbage" | "unreachable"
}

export type MockCardMerchantAdviceCodeOptions = {
  account_number: string | null
  result?: string | null
}

export type MockCardOptions = {
  merchant_advice_code?: MockCardMerchantAdviceCodeOptions | null
  skip_retry?: boolean | null
  fault?: MockCardFault | null
}

export type MockCardPayoutOptions = {
  fault?: MockCardFault | null
}

/** Sandbox only: makes the simulated provider of gift cards misbehave, once per operation, to test your integration. */
export type MockGiftCardFault = {
  on: "redeem" | "refund" | "reverse"
  kind: "lose-answer" | "stall" | "late" | "twice" | "garbage" | "unreachable"
}

export type MockGiftCardOptions = {
  fault?: MockGiftCardFault | null
}

export type MonatoSpeiOptions = {
  approval_url: string
}

export type MonitoringAuthRateSpec = {
  /** The share of decided payments that were authorized, from 0 to 1. */
  model?: "auth_rate"
  params: {
    filters: MonitoringMetricFilters
  }
}

export type MonitoringDebouncingIncidentPolicy = {
  /** The only one there is. */
  strategy?: "debouncing"
  params: {
    /** So many alerts in a row open an incident. */
    create_after_n: number
    /** So many healthy samples in a row close it. */
    close_after_n: number
  }
}

export type MonitoringIncident = {
  type: "monitoring.incident"
  id: string
  /** Null once the metric is deleted. */
  metric_id: string | null
  merchant_account_id: string
  /** That of the metric when the incident was opened. */
  display_name: string
  /** What is watched: the model and its filters. Null for a filter: all payments. */
  spec: Record<string, unknown>
  /** That of the metric when the incident was opened. */
  alerting_policy: Record<string, unknown> | null
  /** That of the metric when the incident was opened. */
  incident_policy: Record<string, unknown> | null
  /** What you wrote about it. */
  notes: string | null
  /** When it was opened. */
  created_at: string
  updated_at: string
  /** Null while it is open. */
  closed_at: string | null
}

export type MonitoringIncidentUpdate = {
  notes: string | null
}

export type MonitoringIncidents = {
  items: MonitoringIncident[]
  limit: number
  next_cursor: string | null
  previous_cursor: string | null
}

export type MonitoringMetric = {
  type: "monitoring.metric"
  id: string
  merchant_account_id: string
  display_name: string
  /** What is watched: the model and its filters. Null for a filter: all payments. */
  spec: Record<string, unknown>
  /** Which rates are alerts. Null: none are. */
  alerting_policy: Record<string, unknown> | null
  alerting_policy_updated_at: string | null
  /** When incidents are opened and closed. Null: there are none. */
  incident_policy: Record<string, unknown> | null
  incident_policy_updated_at: string | null
  created_at: string
  /** The user or the API key pair that created the metric. */
  creator_id: string
  /** `private_key` is an API key pair. */
  creator_type: "private_key" | "user"
  creator_display_name: string
  updated_at: string
  /** The samples of the interval that was asked for, oldest first. Null if none was. */
  samples_view: MonitoringSample[] | null
}

export type MonitoringMetricCreate = {
  display_name: string
  alerting_policy: MonitoringThresholdAlertingPolicy | null
  incident_policy: MonitoringDebouncingIncidentPolicy | null
  spec: MonitoringAuthRateSpec
}

export type MonitoringMetricFilters = {
  /** The time over which the rate is taken, for each sample: a duration of 5 to 60 minutes and its end. `now` is the minute of the sample, `hour_start` and `hour_end` are the bounds of its hour, in UTC. */
  datetime_range: string
  /** Only payments by one of these methods. Null in the list stands for payments that have none. Null for the list: all payments. */
  method?: ("affirm" | "afterpay" | "alipay" | "alipayhk" | "applepay" | "bacs" | "bancontact" | "banked" | "becs" | "bitpay" | "boleto" | "boost" | "card" | "cashapp" | "chaseorbital" | "checkout-session" | "clearpay" | "click-to-pay" | "dana" | "dcb" | "dlocal" | "ebanx" | "efecty" | "eps" | "everydaypay" | "gcash" | "gem" | "gemds" | "gift-card" | "giropay" | "givingblock" | "gocardless" | "googlepay" | "googlepay_pan_only" | "gopay" | "grabpay" | "id" | "ideal" | "kakaopay" | "kcp" | "klarna" | "latitude" | "latitudeds" | "laybuy" | "linepay" | "linkaja" | "maybankqrpay" | "mercadopago" | "multibanco" | "multipago" | "netbanking" | "network-token" | "oney_3x" | "oney_4x" | "oney_6x" | "oney_10x" | "oney_12x" | "ovo" | "oxxo" | "payid" | "paymaya" | "paypal" | "paypalpaylater" | "payto" | "venmo" | "pix" | "pse" | "rabbitlinepay" | "razorpay" | "scalapay" | "sepa" | "shopeepay" | "singteldash" | "smartpay" | "sofort" | "spei" | "stripedd" | "thaiqr" | "touchngo" | "truemoney" | "trustly" | "trustlyeurope" | "upi" | "vipps" | "waave" | "webpay" | "wechat" | "zippay" | "abitab" | "ach" | "alma" | "arcuspaynetwork" | "autogiro" | "bancomatpay" | "banktransfer" | "bcp" | "becsnz" | "belfius" | "betalingsservice" | "billie" | "bizum" | "blik" | "breb" | "capitec" | "cashappafterpay" | "custom_push" | "custom_redirect" | "custom_tokenize" | "eckoh" | "in3" | "interac" | "kbc" | "khipu" | "konbini" | "mbway" | "mobilepay" | "mybank" | "nequi" | "nupay" | "onelink" | "onlinebankingcz" | "p24" | "pad" | "pagoefectivo" | "paybybank" | "paypay" | "paysafecard" | "paysquad" | "payvalida" | "picpay" | "rapipago" | "redpagos" | "riverty" | "satispay" | "servipag" | "seveneleven" | "stitch" | "stripe" | "stripetoken" | "swish" | "tapi" | "tapifintechs" | "twint" | "wero" | "yape" | "bank" | "paze" | "plaid" | null)[] | null
  /** Only payments with a card that begins with one of these six digits. Null in the list stands for payments that have none. Null for the list: all payments. */
  payment_method_bin?: (string | null)[] | null
  /** Only payments with a card of one of these schemes. Null in the list stands for payments that have none. Null for the list: all payments. */
  payment_method_scheme?: ("accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa" | null)[] | null
  /** Only payments through one of these payment services. Null in the list stands for payments that have none. Null for the list: all payments. */
  payment_service_id?: (string | null)[] | null
}

export type MonitoringMetricUpdate = {
  display_name: string
  alerting_policy: MonitoringThresholdAlertingPolicy | null
  incident_policy: MonitoringDebouncingIncidentPolicy | null
}

export type MonitoringMetrics = {
  items: MonitoringMetric[]
  limit: number
  next_cursor: string | null
  previous_cursor: string | null
}

export type MonitoringSample = {
  /** The minute of the sample. */
  timestamp: string
  /** From 0 to 1. Null if no payment of the period was decided. */
  value: number | null
  /** Null if there is no value, or no policy that says what is healthy. */
  healthy: boolean | null
  /** Whether the sample opened an incident, closed it, or was taken while it was open. */
  incident_related: boolean
}

export type MonitoringThresholdAlertingPolicy = {
  /** The only one there is. */
  strategy?: "threshold"
  params: {
    /** A higher rate is an alert. From 0 to 1. */
    alert_gt?: number | string | null
    /** A lower rate is an alert. From 0 to 1. */
    alert_lt?: number | string | null
  }
}

export type NetworkToken = {
  type: "network-token"
  id: string
  payment_method_id: string
  /** Only an active token is used in payments and has cryptograms. */
  status: "active" | "inactive" | "suspended" | "deleted"
  /** The number that stands in for the card’s, for API keys whose roles allow `transactions.write`. For other callers, and of a deleted token, only the last four digits. */
  token: string
  /** MM/YY. A token has a date of its own, other than its card’s. */
  expiration_date: string
  created_at: string
  updated_at: string
}

export type NetworkTokenService = {
  type: "network-token-service"
  id: string
  merchant_account_id: string
  /** The provider, as in `mock-network-token`. */
  network_token_service_definition_id: string
  display_name: string
  /** Whether the service makes new tokens. One service of an account can be active. */
  active: boolean
  /** Where the provider tells what becomes of its tokens, if it does. */
  webhook_url: string
  /** Secret fields are left out. */
  fields: NetworkTokenServiceField[]
  /** The keys of the secret fields that are set. Their values are never shown. */
  secret_fields: string[]
  created_at: string
  updated_at: string
}

export type NetworkTokenServiceDefinition = {
  type: "network-token-service-definition"
  /** The provider, as in `mock-network-token`. */
  id: string
  display_name: string
  /** The fields to enter when you create a service. */
  fields: PaymentServiceDefinitionField[]
  supported_features: NetworkTokenServiceFeatures
}

export type NetworkTokenServiceDefinitions = {
  items: NetworkTokenServiceDefinition[]
  limit: number
  next_cursor: string | null
  previous_cursor: string | null
}

/** The schemes whose cards can get tokens, and what can be done with these. */
export type NetworkTokenServiceFeatures = {
  /** Whether cards of American Express can get tokens. */
  amex: boolean
  /** Whether cards of Discover can get tokens. */
  discover: boolean
  /** Whether cards of Mastercard can get tokens. */
  mastercard: boolean
  /** Whether cards of Visa can get tokens. */
  visa: boolean
  /** Whether tokens can be suspended and resumed. All can be deleted. */
  suspensions: boolean
  /** Whether the merchant account needs its own ids at the schemes. */
  own_requestor: boolean
  /** Whether the provider tells what becomes of a token. */
  notifications: boolean
}

export type NetworkTokenServiceField = {
  key: string
  value: string
}

export type NetworkTokenServiceFieldChange = {
  key: string
  /** Empty to clear the field. */
  value: string
}

export type NetworkTokenServices = {
  items: NetworkTokenService[]
  limit: number
  next_cursor: string | null
  previous_cursor: string | null
}

export type NetworkTokens = {
  items: NetworkToken[]
}

export type NewAddress = {
  /** City or town. */
  city?: string | null
  /** ISO 3166-1 alpha-2. */
  country?: string | null
  /** Postal or ZIP code. */
  postal_code?: string | null
  /** State, county or province, in words. */
  state?: string | null
  /** ISO 3166-2, such as US-CA. */
  state_code?: string | null
  /** House number or name. */
  house_number_or_name?: string | null
  /** First line of the address. */
  line1?: string | null
  /** Second line of the address. */
  line2?: string | null
  /** Company or other organization. */
  organization?: string | null
}

export type NewAirlineLeg = {
  /** IATA code of the airport. */
  arrival_airport?: string | null
  /** Local time of arrival, with its time zone. */
  arrival_at?: string | null
  /** City of arrival. */
  arrival_city?: string | null
  /** ISO 3166-1 alpha-2. */
  arrival_country?: string | null
  /** IATA or ICAO code of the carrier. */
  carrier_code?: string | null
  /** Name of the carrier. */
  carrier_name?: string | null
  /** IATA code of the carrier. */
  iata_designator?: string | null
  /** ICAO code of the carrier. */
  icao_code?: string | null
  /** Number of the coupon of this leg. */
  coupon_number?: string | null
  /** IATA code of the airport. */
  departure_airport?: string | null
  /** Local time of departure, with its time zone. */
  departure_at?: string | null
  /** City of departure. */
  departure_city?: string | null
  /** ISO 3166-1 alpha-2. */
  departure_country?: string | null
  /** Tax of the country of departure. */
  departure_tax_amount?: number | null
  /** Fare of this leg. */
  fare_amount?: number | null
  /** Code of the fare. */
  fare_basis_code?: string | null
  /** Fees of this leg. */
  fee_amount?: number | null
  /** Class of service. */
  flight_class?: string | null
  /** Number of the flight. */
  flight_number?: string | null
  route_type?: "round_trip" | "one_way" | null
  /** Class of the seat. */
  seat_class?: string | null
  /** Whether the traveller may stop over. */
  stop_over?: boolean | null
  /** Tax of this leg. */
  tax_amount?: number | null
}

export type NewAirlinePassenger = {
  age_group?: "adult" | "infant" | null
  /** Day of birth. */
  date_of_birth?: string | null
  /** E-mail address. */
  email_address?: string | null
  /** First name. */
  first_name?: string | null
  /** Number in the loyalty programme. */
  frequent_flyer_number?: string | null
  /** Last name. */
  last_name?: string | null
  /** Number of the passport. */
  passport_number?: string | null
  /** E.164: a plus, then up to 15 digits. */
  phone_number?: string | null
  /** Number of the passenger’s ticket. */
  ticket_number?: string | null
  /** Form of address. */
  title?: string | null
  /** Country of the passport. ISO 3166-1 alpha-2. */
  country_code?: string | null
}

export type NewBillingDetails = {
  type?: "billing-details"
  /** First name. */
  first_name?: string | null
  /** Last name. */
  last_name?: string | null
  /** E-mail address. */
  email_address?: string | null
  /** E.164: a plus, then up to 15 digits. */
  phone_number?: string | null
  address?: NewAddress | null
  tax_id?: TaxId | null
}

export type NewCartItem = {
  /** What is sold. */
  name: string
  quantity: number
  /** The price of one. */
  unit_amount: number
  /** Taken off the whole line. */
  discount_amount?: number | null
  /** Added to the whole line. */
  tax_amount?: number | null
  /** Your own reference. */
  external_identifier?: string | null
  /** Stock keeping unit. */
  sku?: string | null
  /** Universal product code. */
  upc?: string | null
  /** URL of the product page. A web address, or one without a scheme. */
  product_url?: string | null
  /** URL of a picture of the product. A web address, or one without a scheme. */
  image_url?: string | null
  categories?: string[] | null
  product_type?: "physical" | "discount" | "shipping_fee" | "sales_tax" | "digital" | "gift_card" | "store_credit" | "surcharge" | null
  /** Country of the seller. ISO 3166-1 alpha-2. */
  seller_country?: string | null
  /** Whether no tax is due. */
  tax_exempt?: boolean | null
  /** Unit of the quantity, such as kg. */
  unit_of_measure?: string | null
  /** Code of the kind of goods. */
  commodity_code?: string | null
  /** Description of the item. */
  description?: string | null
  /** Customs duty of the whole line. */
  duty_amount?: number | null
  /** Shipping of the whole line. */
  shipping_amount?: number | null
}

/** A gift card by its number. */
export type NewGiftCardBalance = {
  /** 16 to 19 digits. Sealed in the vault and never shown again. */
  number: string
  /** Sealed in the vault and never shown again. */
  pin: string
}

/** The buyer of this payment only. No buyer is created. */
export type NewGuestBuyer = {
  /** Name to display. */
  display_name?: string | null
  /** Your own id of the buyer. */
  external_identifier?: string | null
  /** The number of the buyer’s account with you. */
  account_number?: string | null
  billing_details?: NewBillingDetails | null
  shipping_details?: NewGuestShippingDetails | null
}

export type NewGuestShippingDetails = {
  /** First name. */
  first_name?: string | null
  /** Last name. */
  last_name?: string | null
  /** E-mail address. */
  email_address?: string | null
  /** E.164: a plus, then up to 15 digits. */
  phone_number?: string | null
  address?: NewAddress | null
}

/** On whose behalf the money is sent, if the payment service asks for it. */
export type NewPayoutMerchant = {
  name: string
  /** The merchant’s number at the payment service or in a register. */
  identification_number: string
  /** E.164: a plus, then up to 15 digits. */
  phone_number: string
  /** The merchant’s web site. */
  url: string
  /** ISO 18245. */
  merchant_category_code: string
  /** What the statement of the card shows. */
  statement_descriptor: string
  address?: NewAddress | null
}

/** The recipient of an account funding transaction. Checkout.com gets it; for other payment services it is kept here alone. */
export type NewRecipient = {
  first_name: string
  last_name: string
  /** Number of the funded account. */
  account_number?: string | null
  /** Day of birth. */
  date_of_birth?: string | null
  address?: NewAddress | null
}

/** What the buyer reads on the statement of the card or account. */
export type NewStatementDescriptor = {
  /** Name of the seller. */
  name?: string | null
  /** What the buyer paid for. */
  description?: string | null
  /** City of the seller. */
  city?: string | null
  /** Country of the seller. ISO 3166-1 alpha-2. */
  country?: string | null
  /** E.164: a plus, then up to 15 digits. */
  phone_number?: string | null
  /** Web site of the seller. */
  url?: string | null
  /** Postal code of the seller. */
  postal_code?: string | null
}

export type NewThemeLogo = {
  media_type: "image/png" | "image/jpeg" | "image/webp"
  /** The picture in base64. At most 100 kB of it are kept and served by this service. */
  data: string
}

/** All conditions must be met. One that is null or left out is met by every payment. */
export type NewThreeDSScenarioConditions = {
  /** The first name in the buyer’s billing details. */
  first_name?: string | null
  /** The last name in the buyer’s billing details. */
  last_name?: string | null
  /** The e-mail address in the buyer’s billing details. */
  email_address?: string | null
  /** The amount that the issuer is asked about. */
  amount?: number | null
  /** The external identifier of the buyer. */
  external_identifier?: string | null
  /** The number of a test card. It is not stored; answers show only its first and last digits, and `****` for text that is no card number. */
  card_number?: string | null
}

/** What the issuer answers. `result` goes with `C`, and with nothing else. The version is 2.2.0 unless you name another. */
export type NewThreeDSScenarioOutcome = {
  version?: string | null
  authentication: {
    /** The issuer’s first answer: `Y` authenticated, `A` attempted, `U` could not be done, `N` and `R` refused, `C` challenge, `timeout` no answer. */
    transaction_status: "Y" | "N" | "A" | "R" | "U" | "C" | "timeout"
  }
  result?: {
    /** The issuer’s answer after the buyer has approved. */
    transaction_status: "Y" | "N" | "timeout"
  } | null
}

export type NewWebhookAuthentication = {
  /** `basic` (the default) takes a username and a password. `oauth_client_credentials` takes a client id, a client secret and a token URL, where a token is fetched. `oauth_password` takes all of them. */
  kind?: "basic" | "oauth_client_credentials" | "oauth_password"
  /** For `basic` and `oauth_password`. */
  username?: string | null
  /** For `basic` and `oauth_password`. Never shown again; `********` keeps the stored one, as long as the URL keeps its origin. */
  password?: string | null
  /** For the OAuth kinds. */
  client_id?: string | null
  /** For the OAuth kinds. Never shown again; `********` keeps the stored one, as long as the URL keeps its origin. */
  client_secret?: string | null
  /** For the OAuth kinds. */
  token_url?: string | null
  /** For the OAuth kinds: the scope to request with the token, if any. */
  scope?: string | null
  type?: "webhook-authentication"
}

/** That a person has answered at the payment service. Null: none has noted it. */
export type NotedAnswer = {
  /** Null once the buyer is erased. */
  note: string | null
  /** Who noted it. */
  author: {
    id: string | null
    name: string
  }
  created_at: string
}

export type NuveiAirlineDataOptions = {
  seatClass?: string | null
  isCardholderTraveling?: boolean | null
}

export type NuveiIDealOptions = {
  customData?: string | null
}

export type NuveiKlarnaOptions = {
  customData?: string | null
}

export type NuveiOptions = {
  customData?: string | null
  airlineData?: NuveiAirlineDataOptions | null
}

export type NuveiPSEOptions = {
  userType?: string | null
  userFisNumber?: string | null
  fiscalNumber?: string | null
  bankCode?: string | null
}

export type OpenCheckoutPage = {
  /** The origin of the shop’s page, which shows the new page in a frame. */
  allowed_origins: string[]
  /** The `url` of an earlier answer, to change its page instead of making a new one. Refused if a buyer has paid or is paying it, or if your server has set its order. */
  page_url?: string | null
  /** The language of the page. Null: as the buyer’s browser asks. */
  locale?: "en" | "en-GB" | "de" | "fr" | "es" | "pt" | "pt-BR" | "it" | "nl" | "pl" | "sv" | "da" | "nb" | "fi" | "cs" | "hu" | "ro" | "tr" | "el" | "uk" | "vi" | "ja" | "ko" | "zh" | "zh-TW" | "th" | "ar" | "he" | null
  /** Where the page leads the buyer after the payment. The payment’s id and status are added to it. */
  return_url?: string | null
  /** Whether a typed card is stored for the buyer that the session names by `buyer.external_identifier`. A buyer that does not exist yet is created with the first card that is stored. `ask` lets the buyer decide, and needs such a session. `always` with a session that names nobody stores the card without a buyer. */
  store?: "never" | "ask" | "always"
  /** Whether the page asks for the security code of a stored card. */
  ask_security_code?: boolean
  /** What the page asks of the buyer beside how to pay, unless the order’s buyer has it already. The payment’s buyer gets it. `name` is also the name of the delivery, if a `shipping_address` is asked for. */
  required_fields?: ("email_address" | "name" | "phone_number" | "billing_address" | "shipping_address")[]
  /** Your own reference for the payment. */
  external_identifier?: string | null
  /** In the smallest unit of the currency, gift cards included. */
  amount: number
  /** ISO 4217. */
  currency: string
  /** ISO 3166-1 alpha-2. */
  country?: string | null
  /** Whether to capture at once. Default: the checkout session’s value, or else authorize. */
  intent?: "authorize" | "capture"
  /** Default: the checkout session’s value, or else ecommerce. */
  payment_source?: "ecommerce" | "moto" | "recurring" | "installment" | "card_on_file"
  /** What is bought. Adyen, PayPal and Stripe get it with a card (levels 2 and 3), and methods that show it to the buyer, such as Klarna. */
  cart_items?: NewCartItem[] | null
  /** Your own notes: a map of text to text. At most 100 pairs, names of 200 characters, texts of 2000 characters, and 16384 bytes in all, written as JSON. */
  metadata?: Record<string, string> | null
  buyer?: NewGuestBuyer | null
  /** The buyer who pays. */
  buyer_id?: string | null
  /** The same buyer, by your own reference. */
  buyer_external_identifier?: string | null
  /** Shipping details of that buyer. */
  shipping_details_id?: string | null
  connection_options?: TransactionConnectionOptions | null
  statement_descriptor?: NewStatementDescriptor | null
  installment_count?: number | null
  /** When the time for the buyer to approve ends. */
  approval_expires_at?: string | null
}

export type OxxoOptions = {
  payment_method_expires_at?: number | null
  approval_url?: string | null
}

export type PassedRule = {
  rule: RuleOfDecision
  condition?: FlowCondition
  /** `not_known`: the payment does not tell the fact that the condition asks for. */
  because: "not_met" | "not_known"
  text: string
}

/** A card by its number. */
export type PayOutToCard = {
  method?: "card"
  /** 13 to 19 digits. We pass it on and do not store it. */
  number: string
  /** MM/YY. */
  expiration_date: string
  /** The scheme to use, if the card carries several. */
  card_scheme?: "accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa" | null
  /** Your own reference. */
  external_identifier?: string | null
}

/** A stored card. */
export type PayOutToStoredCard = {
  method?: "id"
  /** The stored card. */
  id: string
}

/** Apple Pay. */
export type PayWithApplePay = {
  method: "applepay"
  /** The token of Apple Pay: `payment.token` as the page gets it, or its `paymentData` alone. */
  token: Record<string, unknown>
  cardholder_name?: string | null
  /** The last four digits. */
  card_suffix?: string | null
  /** The scheme, as the wallet names it. */
  card_scheme?: string | null
  /** The kind of card, as the wallet names it. */
  card_type?: string | null
  /** Where the buyer returns after approving. A web page, an app by its own scheme (`myapp://paid`), or `data:application/json;base64,…`. Schemes of browsers and operating systems are refused. */
  redirect_url?: string | null
  /** The buyer to store the payment method for. */
  buyer_id?: string | null
  /** The same buyer, by your own reference. */
  buyer_external_identifier?: string | null
}

/** A bank account. */
export type PayWithBank = {
  method?: "bank"
  account_holder: BankAccountHolder
  /** Your own reference. */
  external_identifier?: string | null
  /** The buyer to store the payment method for. */
  buyer_id?: string | null
  /** The same buyer, by your own reference. */
  buyer_external_identifier?: string | null
}

/** A card by its number. */
export type PayWithCard = {
  method?: "card"
  /** 13 to 19 digits. */
  number: string
  /** MM/YY. */
  expiration_date: string
  card_type?: "credit" | "debit" | "prepaid" | null
  /** 3 or 4 digits. We pass it on and do not store it. */
  security_code?: string | null
  /** Where the buyer returns after approving. A web page, an app by its own scheme (`myapp://paid`), or `data:application/json;base64,…`. Schemes of browsers and operating systems are refused. */
  redirect_url?: string | null
  /** Your own reference. */
  external_identifier?: string | null
  /** The buyer to store the payment method for. */
  buyer_id?: string | null
  /** The same buyer, by your own reference. */
  buyer_external_identifier?: string | null
}

/** What the buyer entered into a checkout session. */
export type PayWithCheckoutSession = {
  method?: "checkout-session"
  /** The checkout session that the buyer filled in. */
  id: string
  /** Where the buyer returns after approving. A web page, an app by its own scheme (`myapp://paid`), or `data:application/json;base64,…`. Schemes of browsers and operating systems are refused. */
  redirect_url?: string | null
  /** Your own reference. */
  external_identifier?: string | null
  /** The buyer to store the payment method for. */
  buyer_id?: string | null
  /** The same buyer, by your own reference. */
  buyer_external_identifier?: string | null
}

/** A network token from Click to Pay. */
export type PayWithClickToPay = {
  method: "click-to-pay"
  token: string
  cryptogram: string
  /** MM/YY. */
  expiration_date: string
  /** Where the buyer returns after approving. A web page, an app by its own scheme (`myapp://paid`), or `data:application/json;base64,…`. Schemes of browsers and operating systems are refused. */
  redirect_url?: string | null
  /** Your own reference. */
  external_identifier?: string | null
  /** The buyer to store the payment method for. */
  buyer_id?: string | null
  /** The same buyer, by your own reference. */
  buyer_external_identifier?: string | null
}

/** A card number from Click to Pay. */
export type PayWithClickToPayCard = {
  method: "click-to-pay"
  /** 13 to 19 digits. */
  number: string
  /** MM/YY. */
  expiration_date: string
  card_type?: "credit" | "debit" | "prepaid" | null
  security_code?: null
  /** Where the buyer returns after approving. A web page, an app by its own scheme (`myapp://paid`), or `data:application/json;base64,…`. Schemes of browsers and operating systems are refused. */
  redirect_url?: string | null
  /** Your own reference. */
  external_identifier?: string | null
  /** The buyer to store the payment method for. */
  buyer_id?: string | null
  /** The same buyer, by your own reference. */
  buyer_external_identifier?: string | null
}

/** Google Pay. */
export type PayWithGooglePay = {
  method: "googlepay"
  /** The payment token of Google Pay, as text or as an object. */
  token: string | Record<string, unknown>
  assurance_details?: GooglePayAssuranceDetails | null
  cardholder_name?: string | null
  /** The last four digits. */
  card_suffix?: string | null
  /** The scheme, as the wallet names it. */
  card_scheme?: string | null
  /** The kind of card, as the wallet names it. */
  card_type?: string | null
  /** Where the buyer returns after approving. A web page, an app by its own scheme (`myapp://paid`), or `data:application/json;base64,…`. Schemes of browsers and operating systems are refused. */
  redirect_url?: string | null
  /** The buyer to store the payment method for. */
  buyer_id?: string | null
  /** The same buyer, by your own reference. */
  buyer_external_identifier?: string | null
}

/** A card number that your own server opened from a token of Google Pay. */
export type PayWithGooglePayCard = {
  method: "googlepay_pan_only"
  /** 13 to 19 digits. */
  number: string
  /** MM/YY. */
  expiration_date: string
  card_type?: "credit" | "debit" | "prepaid" | null
  security_code?: null
  /** Where the buyer returns after approving. A web page, an app by its own scheme (`myapp://paid`), or `data:application/json;base64,…`. Schemes of browsers and operating systems are refused. */
  redirect_url?: string | null
  /** Your own reference. */
  external_identifier?: string | null
  /** The buyer to store the payment method for. */
  buyer_id?: string | null
  /** The same buyer, by your own reference. */
  buyer_external_identifier?: string | null
}

/** A network token of your own. */
export type PayWithNetworkToken = {
  method: "network-token"
  token: string
  /** MM/YY. */
  expiration_date: string
  cryptogram?: string | null
  card_source?: "apple-pay" | "google-pay" | null
  card_scheme?: "accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa" | null
  card_suffix?: string | null
  cardholder_name?: string | null
  eci?: string | null
  /** Where the buyer returns after approving. A web page, an app by its own scheme (`myapp://paid`), or `data:application/json;base64,…`. Schemes of browsers and operating systems are refused. */
  redirect_url?: string | null
}

/** A gift card by its number. */
export type PayWithNewGiftCard = {
  /** 16 to 19 digits. */
  number: string
  pin: string
  /** How much the gift card pays. */
  amount: number
}

/** Paze. */
export type PayWithPaze = {
  method: "paze"
  token: string
  checkout_token?: string | null
  cardholder_name?: string | null
  /** The last four digits. */
  card_suffix?: string | null
  /** The scheme, as the wallet names it. */
  card_scheme?: string | null
  /** The kind of card, as the wallet names it. */
  card_type?: string | null
  /** Where the buyer returns after approving. A web page, an app by its own scheme (`myapp://paid`), or `data:application/json;base64,…`. Schemes of browsers and operating systems are refused. */
  redirect_url?: string | null
  /** The buyer to store the payment method for. */
  buyer_id?: string | null
  /** The same buyer, by your own reference. */
  buyer_external_identifier?: string | null
}

/** A bank account that the buyer chose at Plaid. */
export type PayWithPlaid = {
  method?: "plaid"
  /** The public token of Plaid. */
  token: string
  account_id?: string | null
  payment_service_id?: string | null
  /** Your own reference. */
  external_identifier?: string | null
  /** The buyer to store the payment method for. */
  buyer_id?: string | null
  /** The same buyer, by your own reference. */
  buyer_external_identifier?: string | null
}

/** A method that the buyer approves on a page of its provider. */
export type PayWithRedirect = {
  method: "abitab" | "ach" | "affirm" | "afterpay" | "alipay" | "alipayhk" | "alma" | "arcuspaynetwork" | "autogiro" | "bacs" | "bancomatpay" | "bancontact" | "banked" | "banktransfer" | "bcp" | "becs" | "becsnz" | "belfius" | "betalingsservice" | "billie" | "bitpay" | "bizum" | "blik" | "boleto" | "boost" | "breb" | "capitec" | "cashapp" | "cashappafterpay" | "clearpay" | "custom_push" | "custom_redirect" | "custom_tokenize" | "dana" | "dcb" | "dlocal" | "ebanx" | "eckoh" | "efecty" | "eps" | "everydaypay" | "gcash" | "gem" | "gemds" | "giropay" | "givingblock" | "gocardless" | "gopay" | "grabpay" | "ideal" | "in3" | "interac" | "kakaopay" | "kbc" | "kcp" | "khipu" | "klarna" | "konbini" | "latitude" | "latitudeds" | "laybuy" | "linepay" | "linkaja" | "maybankqrpay" | "mbway" | "mercadopago" | "mobilepay" | "multibanco" | "multipago" | "mybank" | "nequi" | "netbanking" | "nupay" | "onelink" | "oney_10x" | "oney_12x" | "oney_3x" | "oney_4x" | "oney_6x" | "onlinebankingcz" | "ovo" | "oxxo" | "p24" | "pad" | "pagoefectivo" | "paybybank" | "payid" | "paymaya" | "paypal" | "paypalpaylater" | "paypay" | "paysafecard" | "paysquad" | "payto" | "payvalida" | "picpay" | "pix" | "pse" | "rabbitlinepay" | "rapipago" | "razorpay" | "redpagos" | "riverty" | "satispay" | "scalapay" | "sepa" | "servipag" | "seveneleven" | "shopeepay" | "singteldash" | "smartpay" | "sofort" | "spei" | "stitch" | "stripe" | "stripedd" | "stripetoken" | "swish" | "tapi" | "tapifintechs" | "thaiqr" | "touchngo" | "truemoney" | "trustly" | "trustlyeurope" | "twint" | "upi" | "venmo" | "vipps" | "waave" | "webpay" | "wechat" | "wero" | "yape" | "zippay"
  /** ISO 3166-1 alpha-2. */
  country: string
  /** ISO 4217. */
  currency: string
  /** Where the buyer returns after approving. A web page, an app by its own scheme (`myapp://paid`), or `data:application/json;base64,…`. Schemes of browsers and operating systems are refused. */
  redirect_url: string
  fields?: RedirectFields | null
  /** Your own reference. */
  external_identifier?: string | null
  /** The buyer to store the payment method for. */
  buyer_id?: string | null
  /** The same buyer, by your own reference. */
  buyer_external_identifier?: string | null
}

/** A stored gift card. */
export type PayWithStoredGiftCard = {
  /** The stored gift card. */
  id: string
  /** How much the gift card pays. */
  amount: number
}

/** A stored payment method. */
export type PayWithStoredMethod = {
  method?: "id"
  /** The stored payment method. */
  id: string
  /** 3 or 4 digits. We pass it on and do not store it. */
  security_code?: string | null
  /** Where the buyer returns after approving. A web page, an app by its own scheme (`myapp://paid`), or `data:application/json;base64,…`. Schemes of browsers and operating systems are refused. */
  redirect_url?: string | null
}

export type PaymentLink = {
  type: "payment-link"
  id: string
  /** The page on which the buyer pays. Anyone who has it can open the page, so treat it as a secret. */
  url: string
  /** `processing` while a payment is under way. A payment that fails makes the link `active` again. */
  status: "active" | "completed" | "expired" | "processing"
  /** From this time on the link cannot be paid. */
  expires_at: string | null
  /** In the smallest unit of the currency. */
  amount: number
  /** ISO 4217. */
  currency: string
  /** The country of the payment. ISO 3166-1 alpha-2. */
  country: string
  intent: "authorize" | "capture"
  payment_source: "ecommerce" | "moto" | "recurring" | "installment" | "card_on_file"
  store: boolean
  /** Your own reference. The payment gets it, too. */
  external_identifier: string | null
  /** The language of the page: en, en-GB, de, fr, es, pt, pt-BR, it, nl, pl, sv, da, nb, fi, cs, hu, ro, tr, el, uk, vi, ja, ko, zh, zh-TW, th, ar, he. Default: as the browser asks, or else en. */
  locale: string | null
  /** The name of the shop. Default: the merchant account’s display name. */
  merchant_name: string | null
  /** The shop’s own page. Begins with https:// or http://. */
  merchant_url: string | null
  /** A picture above the order. Begins with https:// or http://. */
  merchant_banner_url: string | null
  /** The colour of buttons and lines, as in CSS: #FF5733, navy, rgb(255, 87, 51) or hsl(11, 100%, 60%). */
  merchant_color: string | null
  /** A message to the buyer. */
  merchant_message: string | null
  /** The shop’s terms and conditions. Begins with https:// or http://. */
  merchant_terms_and_conditions_url: string | null
  /** The icon of the page in the browser’s tab. Begins with https:// or http://. */
  merchant_favicon_url: string | null
  /** Where the buyer goes after paying. Gets the id and status of the transaction as parameters. Begins with https:// or http://. */
  return_url: string | null
  /** Your own notes, of any shape. The payment gets them as text to text: values that are no text are written as JSON. */
  metadata: Record<string, unknown> | null
  /** The buyer who is to pay. */
  buyer_id: string | null
  /** Number of installments. */
  installment_count: number | null
  /** What the page asks of the buyer beside how to pay, unless the order’s buyer has it already. The payment’s buyer gets it. `name` is also the name of the delivery, if a `shipping_address` is asked for. */
  required_fields: ("email_address" | "name" | "phone_number" | "billing_address" | "shipping_address")[]
  statement_descriptor: StatementDescriptor | null
  cart_items: CartItem[] | null
  buyer: TransactionBuyer | null
  shipping_details: TransactionShippingDetails | null
  /** Without anything that could be a card number. */
  connection_options: Record<string, Record<string, unknown>> | null
  created_at: string
  updated_at: string
}

export type PaymentLinkCreate = {
  /** In the smallest unit of the currency. */
  amount: number
  /** The country of the payment. ISO 3166-1 alpha-2. */
  country: string
  /** ISO 4217. */
  currency: string
  /** Your own reference. The payment gets it, too. */
  external_identifier?: string | null
  /** The language of the page: en, en-GB, de, fr, es, pt, pt-BR, it, nl, pl, sv, da, nb, fi, cs, hu, ro, tr, el, uk, vi, ja, ko, zh, zh-TW, th, ar, he. Default: as the browser asks, or else en. */
  locale?: string | null
  /** The name of the shop. Default: the merchant account’s display name. */
  merchant_name?: string | null
  /** The shop’s own page. Begins with https:// or http://. */
  merchant_url?: string | null
  /** A picture above the order. Begins with https:// or http://. */
  merchant_banner_url?: string | null
  /** The colour of buttons and lines, as in CSS: #FF5733, navy, rgb(255, 87, 51) or hsl(11, 100%, 60%). */
  merchant_color?: string | null
  /** A message to the buyer. */
  merchant_message?: string | null
  /** The shop’s terms and conditions. Begins with https:// or http://. */
  merchant_terms_and_conditions_url?: string | null
  /** The icon of the page in the browser’s tab. Begins with https:// or http://. */
  merchant_favicon_url?: string | null
  /** Where the buyer goes after paying. Gets the id and status of the transaction as parameters. Begins with https:// or http://. */
  return_url?: string | null
  /** Your own notes, of any shape. The payment gets them as text to text: values that are no text are written as JSON. At most 100 pairs, names of 200 characters, texts of 2000 characters, and 16384 bytes in all, written as JSON. */
  metadata?: (Record<string, string | number | boolean | Record<string, unknown> | unknown[] | null>) | null
  /** The buyer who is to pay. */
  buyer_id?: string | null
  /** Number of installments. */
  installment_count?: number | null
  /** What the page asks of the buyer beside how to pay, unless the order’s buyer has it already. The payment’s buyer gets it. `name` is also the name of the delivery, if a `shipping_address` is asked for. */
  required_fields?: ("email_address" | "name" | "phone_number" | "billing_address" | "shipping_address")[]
  buyer?: NewGuestBuyer | null
  /** From this time on the link cannot be paid. Default: 24 hours from now. */
  expires_at?: string | null
  connection_options?: TransactionConnectionOptions | null
  statement_descriptor?: NewStatementDescriptor | null
  /** What is bought. The lines must add up to the amount. */
  cart_items?: NewCartItem[] | null
  /** Whether to capture at once. */
  intent?: "authorize" | "capture"
  payment_source?: "ecommerce" | "moto" | "recurring" | "installment" | "card_on_file"
  /** Whether to store the card that pays. */
  store?: boolean
}

export type PaymentLinks = {
  items: PaymentLink[]
  limit: number
  next_cursor: string | null
  previous_cursor: string | null
}

export type PaymentMethod = {
  type: "payment-method"
  id: string
  merchant_account_id: string
  method: "affirm" | "afterpay" | "alipay" | "alipayhk" | "applepay" | "bacs" | "bancontact" | "banked" | "becs" | "bitpay" | "boleto" | "boost" | "card" | "cashapp" | "chaseorbital" | "checkout-session" | "clearpay" | "click-to-pay" | "dana" | "dcb" | "dlocal" | "ebanx" | "efecty" | "eps" | "everydaypay" | "gcash" | "gem" | "gemds" | "gift-card" | "giropay" | "givingblock" | "gocardless" | "googlepay" | "googlepay_pan_only" | "gopay" | "grabpay" | "id" | "ideal" | "kakaopay" | "kcp" | "klarna" | "latitude" | "latitudeds" | "laybuy" | "linepay" | "linkaja" | "maybankqrpay" | "mercadopago" | "multibanco" | "multipago" | "netbanking" | "network-token" | "oney_3x" | "oney_4x" | "oney_6x" | "oney_10x" | "oney_12x" | "ovo" | "oxxo" | "payid" | "paymaya" | "paypal" | "paypalpaylater" | "payto" | "venmo" | "pix" | "pse" | "rabbitlinepay" | "razorpay" | "scalapay" | "sepa" | "shopeepay" | "singteldash" | "smartpay" | "sofort" | "spei" | "stripedd" | "thaiqr" | "touchngo" | "truemoney" | "trustly" | "trustlyeurope" | "upi" | "vipps" | "waave" | "webpay" | "wechat" | "zippay" | "abitab" | "ach" | "alma" | "arcuspaynetwork" | "autogiro" | "bancomatpay" | "banktransfer" | "bcp" | "becsnz" | "belfius" | "betalingsservice" | "billie" | "bizum" | "blik" | "breb" | "capitec" | "cashappafterpay" | "custom_push" | "custom_redirect" | "custom_tokenize" | "eckoh" | "in3" | "interac" | "kbc" | "khipu" | "konbini" | "mbway" | "mobilepay" | "mybank" | "nequi" | "nupay" | "onelink" | "onlinebankingcz" | "p24" | "pad" | "pagoefectivo" | "paybybank" | "paypay" | "paysafecard" | "paysquad" | "payvalida" | "picpay" | "rapipago" | "redpagos" | "riverty" | "satispay" | "servipag" | "seveneleven" | "stitch" | "stripe" | "stripetoken" | "swish" | "tapi" | "tapifintechs" | "twint" | "wero" | "yape" | "bank" | "plaid"
  mode: "card" | "redirect" | "applepay" | "googlepay" | "click-to-pay" | "checkout-session" | "bank"
  /** The last four digits of a card or, as in `ACH ******7890`, of a bank account; or what the provider calls the account. */
  label: string | null
  scheme: "accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa" | null
  additional_schemes: ("accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa")[] | null
  /** MM/YY. */
  expiration_date: string | null
  details: PaymentMethodCardDetails | null
  /** The same for the same card or bank account, also of different buyers. */
  fingerprint: string | null
  approval_url: string | null
  approval_target: "any" | "new_window" | null
  /** Null means usable in several countries. */
  country: string | null
  /** Null means usable for several currencies. */
  currency: string | null
  /** Whether new details were found and wait to be applied. */
  has_replacement: boolean
  last_replaced_at: string | null
  usage_count: number
  last_used_at: string | null
  /** Uses that the buyer initiated. */
  cit_usage_count: number
  cit_last_used_at: string | null
  /** The scheme’s id of the first payment. */
  scheme_transaction_id: string | null
  scheme_transaction_id_scheme: "accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa" | null
  /** Links payments at the scheme. */
  transaction_link_id: string | null
  status: "processing" | "buyer_approval_required" | "succeeded" | "failed"
  buyer: Buyer | null
  /** Your own reference. Unique. */
  external_identifier: string | null
  created_at: string
  updated_at: string
}

export type PaymentMethodCardDetails = {
  bin: string | null
  card_type: "credit" | "debit" | "prepaid" | null
  card_issuer_name: string | null
}

export type PaymentMethodDefinition = {
  /** The method’s identifier, as in `method` elsewhere. */
  id: string
  method: string
  display_name: string
  /** Null if the short name is enough. */
  long_display_name: string | null
  icon_url: string
}

export type PaymentMethodDefinitions = {
  items: PaymentMethodDefinition[]
}

export type PaymentMethodSummaries = {
  items: PaymentMethodSummary[]
}

export type PaymentMethodSummary = {
  type: "payment-method"
  id: string
  merchant_account_id: string
  method: "affirm" | "afterpay" | "alipay" | "alipayhk" | "applepay" | "bacs" | "bancontact" | "banked" | "becs" | "bitpay" | "boleto" | "boost" | "card" | "cashapp" | "chaseorbital" | "checkout-session" | "clearpay" | "click-to-pay" | "dana" | "dcb" | "dlocal" | "ebanx" | "efecty" | "eps" | "everydaypay" | "gcash" | "gem" | "gemds" | "gift-card" | "giropay" | "givingblock" | "gocardless" | "googlepay" | "googlepay_pan_only" | "gopay" | "grabpay" | "id" | "ideal" | "kakaopay" | "kcp" | "klarna" | "latitude" | "latitudeds" | "laybuy" | "linepay" | "linkaja" | "maybankqrpay" | "mercadopago" | "multibanco" | "multipago" | "netbanking" | "network-token" | "oney_3x" | "oney_4x" | "oney_6x" | "oney_10x" | "oney_12x" | "ovo" | "oxxo" | "payid" | "paymaya" | "paypal" | "paypalpaylater" | "payto" | "venmo" | "pix" | "pse" | "rabbitlinepay" | "razorpay" | "scalapay" | "sepa" | "shopeepay" | "singteldash" | "smartpay" | "sofort" | "spei" | "stripedd" | "thaiqr" | "touchngo" | "truemoney" | "trustly" | "trustlyeurope" | "upi" | "vipps" | "waave" | "webpay" | "wechat" | "zippay" | "abitab" | "ach" | "alma" | "arcuspaynetwork" | "autogiro" | "bancomatpay" | "banktransfer" | "bcp" | "becsnz" | "belfius" | "betalingsservice" | "billie" | "bizum" | "blik" | "breb" | "capitec" | "cashappafterpay" | "custom_push" | "custom_redirect" | "custom_tokenize" | "eckoh" | "in3" | "interac" | "kbc" | "khipu" | "konbini" | "mbway" | "mobilepay" | "mybank" | "nequi" | "nupay" | "onelink" | "onlinebankingcz" | "p24" | "pad" | "pagoefectivo" | "paybybank" | "paypay" | "paysafecard" | "paysquad" | "payvalida" | "picpay" | "rapipago" | "redpagos" | "riverty" | "satispay" | "servipag" | "seveneleven" | "stitch" | "stripe" | "stripetoken" | "swish" | "tapi" | "tapifintechs" | "twint" | "wero" | "yape" | "bank" | "plaid"
  mode: "card" | "redirect" | "applepay" | "googlepay" | "click-to-pay" | "checkout-session" | "bank"
  /** The last four digits of a card or, as in `ACH ******7890`, of a bank account; or what the provider calls the account. */
  label: string | null
  scheme: "accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa" | null
  additional_schemes: ("accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa")[] | null
  /** MM/YY. */
  expiration_date: string | null
  details: PaymentMethodCardDetails | null
  /** The same for the same card or bank account, also of different buyers. */
  fingerprint: string | null
  approval_url: string | null
  approval_target: "any" | "new_window" | null
  /** Null means usable in several countries. */
  country: string | null
  /** Null means usable for several currencies. */
  currency: string | null
  /** Whether new details were found and wait to be applied. */
  has_replacement: boolean
  last_replaced_at: string | null
  usage_count: number
  last_used_at: string | null
  /** Uses that the buyer initiated. */
  cit_usage_count: number
  cit_last_used_at: string | null
  /** The scheme’s id of the first payment. */
  scheme_transaction_id: string | null
  scheme_transaction_id_scheme: "accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa" | null
  /** Links payments at the scheme. */
  transaction_link_id: string | null
}

export type PaymentMethods = {
  items: PaymentMethod[]
  limit: number
  next_cursor: string | null
  previous_cursor: string | null
}

export type PaymentOption = {
  type: "payment-option"
  /** As in `payment_method.method` of a transaction. */
  method: string
  /** Whether the buyer types a card, goes to another page, or names an account. */
  mode: "card" | "redirect" | "bank" | "applepay" | "googlepay" | "click-to-pay" | "paze"
  /** The common name of the method. */
  label: string | null
  icon_url: string | null
  /** Whether the method can be stored for later payments. */
  can_store_payment_method: boolean
  /** Whether payments can be authorized first and captured later. */
  can_delay_capture: boolean
  context: WalletPaymentOptionContext | GooglePayPaymentOptionContext | PaymentOptionContext | null
}

export type PaymentOptionApprovalUI = {
  height: string | null
  width: string | null
}

/** How the buyer approves on another page. */
export type PaymentOptionContext = {
  approval_ui: PaymentOptionApprovalUI | null
  required_fields: Record<string, unknown> | null
  redirect_requires_popup: boolean
  requires_tokenized_redirect_popup: boolean
}

export type PaymentOptionRequest = {
  /** Your own notes: a map of text to text. At most 100 pairs, names of 200 characters, texts of 2000 characters, and 16384 bytes in all, written as JSON. */
  metadata?: Record<string, string> | null
  /** ISO 3166-1 alpha-2. */
  country?: string | null
  /** ISO 4217. */
  currency?: string | null
  /** In the smallest unit of the currency. With 0, methods that cannot be checked without a charge are left out. */
  amount?: number | null
  cart_items?: NewCartItem[] | null
  /** The buyer’s language. All labels are in English today. */
  locale?: string
}

export type PaymentOptions = {
  items: PaymentOption[]
}

export type PaymentOptionsOutcome = {
  type: "list"
  result: ("affirm" | "afterpay" | "alipay" | "alipayhk" | "applepay" | "bacs" | "bancontact" | "banked" | "becs" | "bitpay" | "boleto" | "boost" | "card" | "cashapp" | "chaseorbital" | "checkout-session" | "clearpay" | "click-to-pay" | "dana" | "dcb" | "dlocal" | "ebanx" | "efecty" | "eps" | "everydaypay" | "gcash" | "gem" | "gemds" | "gift-card" | "giropay" | "givingblock" | "gocardless" | "googlepay" | "googlepay_pan_only" | "gopay" | "grabpay" | "id" | "ideal" | "kakaopay" | "kcp" | "klarna" | "latitude" | "latitudeds" | "laybuy" | "linepay" | "linkaja" | "maybankqrpay" | "mercadopago" | "multibanco" | "multipago" | "netbanking" | "network-token" | "oney_3x" | "oney_4x" | "oney_6x" | "oney_10x" | "oney_12x" | "ovo" | "oxxo" | "payid" | "paymaya" | "paypal" | "paypalpaylater" | "payto" | "venmo" | "pix" | "pse" | "rabbitlinepay" | "razorpay" | "scalapay" | "sepa" | "shopeepay" | "singteldash" | "smartpay" | "sofort" | "spei" | "stripedd" | "thaiqr" | "touchngo" | "truemoney" | "trustly" | "trustlyeurope" | "upi" | "vipps" | "waave" | "webpay" | "wechat" | "zippay")[]
}

export type PaymentService = {
  type: "payment-service"
  id: string
  merchant_account_id: string
  /** The provider and the method, as in `mock-card`. */
  payment_service_definition_id: string
  /** Whether new payments can use the service. */
  active: boolean
  /** The payment method of the service. */
  method: "affirm" | "afterpay" | "alipay" | "alipayhk" | "applepay" | "bacs" | "bancontact" | "banked" | "becs" | "bitpay" | "boleto" | "boost" | "card" | "cashapp" | "chaseorbital" | "checkout-session" | "clearpay" | "click-to-pay" | "dana" | "dcb" | "dlocal" | "ebanx" | "efecty" | "eps" | "everydaypay" | "gcash" | "gem" | "gemds" | "gift-card" | "giropay" | "givingblock" | "gocardless" | "googlepay" | "googlepay_pan_only" | "gopay" | "grabpay" | "id" | "ideal" | "kakaopay" | "kcp" | "klarna" | "latitude" | "latitudeds" | "laybuy" | "linepay" | "linkaja" | "maybankqrpay" | "mercadopago" | "multibanco" | "multipago" | "netbanking" | "network-token" | "oney_3x" | "oney_4x" | "oney_6x" | "oney_10x" | "oney_12x" | "ovo" | "oxxo" | "payid" | "paymaya" | "paypal" | "paypalpaylater" | "payto" | "venmo" | "pix" | "pse" | "rabbitlinepay" | "razorpay" | "scalapay" | "sepa" | "shopeepay" | "singteldash" | "smartpay" | "sofort" | "spei" | "stripedd" | "thaiqr" | "touchngo" | "truemoney" | "trustly" | "trustlyeurope" | "upi" | "vipps" | "waave" | "webpay" | "wechat" | "zippay" | "abitab" | "ach" | "alma" | "arcuspaynetwork" | "autogiro" | "bancomatpay" | "banktransfer" | "bcp" | "becsnz" | "belfius" | "betalingsservice" | "billie" | "bizum" | "blik" | "breb" | "capitec" | "cashappafterpay" | "custom_push" | "custom_redirect" | "custom_tokenize" | "eckoh" | "in3" | "interac" | "kbc" | "khipu" | "konbini" | "mbway" | "mobilepay" | "mybank" | "nequi" | "nupay" | "onelink" | "onlinebankingcz" | "p24" | "pad" | "pagoefectivo" | "paybybank" | "paypay" | "paysafecard" | "paysquad" | "payvalida" | "picpay" | "rapipago" | "redpagos" | "riverty" | "satispay" | "servipag" | "seveneleven" | "stitch" | "stripe" | "stripetoken" | "swish" | "tapi" | "tapifintechs" | "twint" | "wero" | "yape" | "bank" | "paze" | "plaid"
  display_name: string
  position: number
  status: "pending" | "created" | "failed"
  /** ISO 4217. */
  accepted_currencies: string[]
  /** ISO 3166-1 alpha-2. */
  accepted_countries: string[]
  payment_method_tokenization_enabled: boolean
  network_tokens_enabled: boolean
  /** Whether the service accepts the scheme’s id of an earlier payment at another service. */
  open_loop: boolean
  settlement_reporting_enabled: boolean
  three_d_secure_enabled: boolean | null
  merchant_profile: {
    accel?: MerchantProfileSchemeSummary
    amex?: MerchantProfileSchemeSummary
    bancontact?: MerchantProfileSchemeSummary
    "carte-bancaire"?: MerchantProfileSchemeSummary
    cirrus?: MerchantProfileSchemeSummary
    culiance?: MerchantProfileSchemeSummary
    dankort?: MerchantProfileSchemeSummary
    "diners-club"?: MerchantProfileSchemeSummary
    discover?: MerchantProfileSchemeSummary
    "eftpos-australia"?: MerchantProfileSchemeSummary
    elo?: MerchantProfileSchemeSummary
    hipercard?: MerchantProfileSchemeSummary
    jcb?: MerchantProfileSchemeSummary
    maestro?: MerchantProfileSchemeSummary
    mastercard?: MerchantProfileSchemeSummary
    mir?: MerchantProfileSchemeSummary
    nyce?: MerchantProfileSchemeSummary
    other?: MerchantProfileSchemeSummary
    pulse?: MerchantProfileSchemeSummary
    qcard?: MerchantProfileSchemeSummary
    rupay?: MerchantProfileSchemeSummary
    star?: MerchantProfileSchemeSummary
    uatp?: MerchantProfileSchemeSummary
    unionpay?: MerchantProfileSchemeSummary
    visa?: MerchantProfileSchemeSummary
  } | null
  /** Where the provider sends its notifications. */
  webhook_url: string | null
  /** Secret fields are left out. */
  fields: PaymentServiceField[] | null
  /** The keys of the secret fields that are set. Their values are never shown. */
  secret_fields: string[]
  reporting_fields: PaymentServiceField[] | null
  /** The keys of the secret fields that are set. Their values are never shown. */
  secret_reporting_fields: string[]
  is_deleted: boolean
  created_at: string
  updated_at: string
}

export type PaymentServiceConfiguration = {
  /** Where a buyer approves a payment. */
  approval_ui_target: "any" | "new_window"
  approval_ui_height: string
  approval_ui_width: string
  cart_items_limit: number
  cart_items_required: boolean
  cart_items_should_match_amount: boolean
}

export type PaymentServiceDefinition = {
  /** The provider and the method, as in `mock-card`. */
  id: string
  type: "payment-service-definition"
  display_name: string
  /** The payment method of the service. */
  method: "affirm" | "afterpay" | "alipay" | "alipayhk" | "applepay" | "bacs" | "bancontact" | "banked" | "becs" | "bitpay" | "boleto" | "boost" | "card" | "cashapp" | "chaseorbital" | "checkout-session" | "clearpay" | "click-to-pay" | "dana" | "dcb" | "dlocal" | "ebanx" | "efecty" | "eps" | "everydaypay" | "gcash" | "gem" | "gemds" | "gift-card" | "giropay" | "givingblock" | "gocardless" | "googlepay" | "googlepay_pan_only" | "gopay" | "grabpay" | "id" | "ideal" | "kakaopay" | "kcp" | "klarna" | "latitude" | "latitudeds" | "laybuy" | "linepay" | "linkaja" | "maybankqrpay" | "mercadopago" | "multibanco" | "multipago" | "netbanking" | "network-token" | "oney_3x" | "oney_4x" | "oney_6x" | "oney_10x" | "oney_12x" | "ovo" | "oxxo" | "payid" | "paymaya" | "paypal" | "paypalpaylater" | "payto" | "venmo" | "pix" | "pse" | "rabbitlinepay" | "razorpay" | "scalapay" | "sepa" | "shopeepay" | "singteldash" | "smartpay" | "sofort" | "spei" | "stripedd" | "thaiqr" | "touchngo" | "truemoney" | "trustly" | "trustlyeurope" | "upi" | "vipps" | "waave" | "webpay" | "wechat" | "zippay" | "abitab" | "ach" | "alma" | "arcuspaynetwork" | "autogiro" | "bancomatpay" | "banktransfer" | "bcp" | "becsnz" | "belfius" | "betalingsservice" | "billie" | "bizum" | "blik" | "breb" | "capitec" | "cashappafterpay" | "custom_push" | "custom_redirect" | "custom_tokenize" | "eckoh" | "in3" | "interac" | "kbc" | "khipu" | "konbini" | "mbway" | "mobilepay" | "mybank" | "nequi" | "nupay" | "onelink" | "onlinebankingcz" | "p24" | "pad" | "pagoefectivo" | "paybybank" | "paypay" | "paysafecard" | "paysquad" | "payvalida" | "picpay" | "rapipago" | "redpagos" | "riverty" | "satispay" | "servipag" | "seveneleven" | "stitch" | "stripe" | "stripetoken" | "swish" | "tapi" | "tapifintechs" | "twint" | "wero" | "yape" | "bank" | "paze" | "plaid"
  mode: "card" | "redirect" | "applepay" | "googlepay" | "checkout-session" | "click-to-pay" | "gift-card" | "bank" | "paze"
  icon_url: string | null
  /** The fields to enter when you create a service. */
  fields: PaymentServiceDefinitionField[]
  /** More fields, for settlement reports. */
  reporting_fields: PaymentServiceDefinitionField[]
  supported_currencies: string[]
  supported_countries: string[]
  /** What the service supports, by name. */
  supported_features: Record<string, unknown>
  terms: PaymentServiceTerms
  required_checkout_fields: RequiredCheckoutFields[]
  configuration: PaymentServiceConfiguration
  supported_integration_clients: ("redirect" | "web" | "android" | "ios")[] | null
}

export type PaymentServiceDefinitionField = {
  key: string
  display_name: string
  required: boolean
  format: "text" | "multiline" | "file" | "number" | "timezone" | "boolean"
  /** Whether the field is sealed in the vault and never shown again. */
  secret: boolean
  /** Whether verifying credentials checks the field. */
  verifiable: boolean
}

export type PaymentServiceDefinitions = {
  items: PaymentServiceDefinition[]
  limit: number
  next_cursor: string | null
  previous_cursor: string | null
}

export type PaymentServiceField = {
  key: string
  value: string
}

export type PaymentServiceFieldChange = {
  key: string
  /** Empty to clear the field. */
  value: string
}

export type PaymentServiceNotification = {
  type: "payment-service-notification"
  id: string
  merchant_account_id: string
  /** The payment service to whose `webhook_url` it came. */
  payment_service_id: string
  /** What it is about. `late_failure`: something failed after it had succeeded. `approvable`: the buyer has approved at the provider. */
  kind: "authorization" | "capture" | "void" | "cancel" | "refund" | "increment" | "payout" | "chargeback" | "chargeback_reversal" | "dispute" | "late_failure" | "approvable" | "report"
  /** The provider’s own id of what it is about. */
  reference: string | null
  /** The id of the attempt, if the provider has repeated ours. */
  attempt_id: string | null
  /** The `reconciliation_id` of the payment, if the provider has repeated it. */
  reconciliation_id: string | null
  /** `held`: it fits nothing yet, and is compared again. `matched`: what it is about was found, and has changed as the provider said. `expired`: it fitted nothing within 30 days. */
  status: "held" | "matched" | "expired"
  received_at: string
  /** When it was matched, or expired. */
  ended_at: string | null
}

export type PaymentServiceNotifications = {
  items: PaymentServiceNotification[]
  limit: number
  next_cursor: string | null
  previous_cursor: string | null
}

export type PaymentServiceReport = {
  type: "payment-service-report"
  id: string
  merchant_account_id: string
  payment_service_id: string
  /** The payment service’s own id of the report. Null for what it tells by notifications. */
  external_identifier: string | null
  /** Oldest first. A corrected report has several. */
  files: PaymentServiceReportFile[]
  created_at: string
  updated_at: string
}

export type PaymentServiceReportFeed = {
  type: "payment-service-report-feed"
  payment_service_id: string
  /** Why the payment service could not be asked the last time. Null if it could. */
  problem: string | null
  /** How often in a row it could not be asked. */
  failures: number
  /** When it was last asked with success. */
  listed_at: string | null
  /** When it is asked again. */
  next_look_at: string
  /** Files that it offers and that are not read yet, oldest first. At most 100. */
  unread_files: UnreadReportFile[]
}

export type PaymentServiceReportFeeds = {
  items: PaymentServiceReportFeed[]
}

export type PaymentServiceReportFile = {
  type: "payment-service-report-file"
  id: string
  /** As the payment service names it. Several if it has offered the same bytes under several names. */
  names: string[]
  /** `refused`: `problem` says why, and none of its lines is applied. `abandoned`: a part of its lines is applied, and the payment service has replaced the file or no longer delivers it. */
  status: "applying" | "applied" | "refused" | "abandoned"
  problem: string | null
  /** The hash of the file’s bytes. */
  sha256: string
  /** In bytes. */
  size: number
  /** The day that the file is about. */
  report_date: string | null
  /** The currency of the sums. */
  currency: string | null
  /** The lines of the file. */
  line_count: number
  /** The lines that are done. */
  applied_line_count: number
  /** The lines that no payment fits. Lines that only repeat another one, or tell of a sale that came too late, are not counted. */
  unmatched_line_count: number
  /** The lines after which the settlements of a payment do not add up to what was captured. */
  flagged_line_count: number
  /** The sum of the amounts. */
  gross_amount: number
  /** The sum of the commissions. */
  fee_amount: number
  /** What the merchant gets. */
  net_amount: number
  published_at: string
  /** When we read the file. */
  ingested_at: string
  /** When its last line was applied, or it was refused. */
  finished_at: string | null
}

export type PaymentServiceReportLine = {
  type: "payment-service-report-line"
  id: string
  /** Null while only a notification has told of it. */
  payment_service_report_file_id: string | null
  /** The place in the file. */
  line_number: number | null
  /** `other`: about no payment, such as a monthly fee or a payout to the bank. */
  kind: "settlement" | "refund_settlement" | "chargeback" | "chargeback_reversal" | "other"
  /** The payment service’s own id of the movement. */
  external_identifier: string | null
  /** The capture, the refund or the payment, by the payment service’s own id. Null for lines about no payment. */
  payment_service_reference: string | null
  /** The same, by the id that we sent. */
  own_reference: string | null
  currency: string
  /** Above zero: for the merchant. Below zero: taken from the merchant. */
  amount: number
  original_currency: string | null
  /** What the buyer paid, if the currency is another one. */
  original_amount: number | null
  /** The fee. */
  commission: number
  /** The payment service’s code for the reason of a chargeback. */
  code: string | null
  /** The reason in its words. */
  description: string | null
  /** The payment. Null if none fits. */
  transaction_id: string | null
  refund_id: string | null
  /** Why no payment fits. `unknown_reference`, `not_decided` and `not_succeeded` are tried again for 30 days: the payment may be decided later. */
  unmatched_because: "unknown_reference" | "not_decided" | "not_succeeded" | "other_currency" | "duplicate" | "differs" | "late_sale" | "unreadable" | null
  /** `below_expected`, `above_expected`: the settlements up to this one do not add up to what was captured or refunded. `other_exchange`: the amount is not what the exchange rate makes of what the buyer paid. */
  flag: "below_expected" | "above_expected" | "other_exchange" | null
  posted_at: string
  ingested_at: string
  updated_at: string
}

export type PaymentServiceReportLines = {
  items: PaymentServiceReportLine[]
  limit: number
  next_cursor: string | null
  previous_cursor: string | null
}

export type PaymentServiceReports = {
  items: PaymentServiceReport[]
  limit: number
  next_cursor: string | null
  previous_cursor: string | null
}

export type PaymentServiceSession = {
  type: "payment-service-session"
  status: "succeeded" | "failed"
  /** Why the session failed. */
  code: string | null
  /** The HTTP status of the provider’s answer. */
  status_code: number | null
  /** The body of the provider’s answer. */
  response_body: Record<string, unknown> | null
}

export type PaymentServiceTerms = {
  /** What the buyer does: enters a `card` or a `bank_account`, approves on a `page` or in an `app`, scans a `qr_code`, pays elsewhere with the number of a `voucher`, or permits a `direct_debit` on a page, which the bank pays days later. */
  buyer_action: "card" | "bank_account" | "page" | "qr_code" | "voucher" | "app" | "direct_debit"
  /** How Apple Pay and Google Pay are taken: `opened` with the keys of the merchant account, `sealed` as the wallet gives them. Empty: not at all. */
  wallets: ("opened" | "sealed")[]
  /** Whether money is taken with the approval alone, or later. */
  captures: "with_approval" | "once" | "several"
  refunds: "none" | "whole" | "partial"
  /** Whether it can be stored for later payments without the buyer: in our `vault`, or at the `provider` alone. */
  recurring: "none" | "vault" | "provider"
  /** Whether money can be paid out to it. */
  payouts: boolean
  /** How long the buyer may take, by the documents of the provider. Null: the provider says it with each payment, or the payment waits ten minutes. */
  time_limit_seconds: number | null
  /** Business days from the payment to the payout, by the documents of the provider. Null: as your contract says. */
  payout_days: number | null
  /** What a payment has to tell of its buyer, in the names of its request. */
  required_details: string[]
}

export type PaymentServiceToken = {
  type: "payment-service-token"
  id: string
  payment_method_id: string
  payment_service_id: string
  /** Send the buyer to `approval_url` while it is `buyer_approval_required`. Switchyard pauses no token, so none is `paused`. */
  status: "processing" | "buyer_approval_required" | "succeeded" | "failed"
  approval_url: string | null
  /** The provider’s own token. Null until the status is `succeeded`. */
  token: string | null
  created_at: string
  updated_at: string
}

export type PaymentServiceTokens = {
  items: PaymentServiceToken[]
}

export type PaymentServices = {
  items: PaymentService[]
  limit: number
  next_cursor: string | null
  previous_cursor: string | null
}

export type Payout = {
  type: "payout"
  id: string
  merchant_account_id: string
  /** `pending` while the outcome is not known. A payout that was refused becomes `succeeded` if the payment service says later that it paid. */
  status: "pending" | "succeeded" | "declined" | "failed"
  amount: number
  /** ISO 4217. */
  currency: string
  /** What the money is for, if the card schemes have rules for it. */
  category: "online_gambling" | null
  /** Your own reference. */
  external_identifier: string | null
  payment_method: TransactionPaymentMethod
  payment_service: PayoutPaymentService
  /** The payment service’s own id of the payout. */
  payment_service_payout_id: string | null
  buyer: TransactionBuyer | null
  merchant: PayoutMerchant | null
  created_at: string
  updated_at: string
}

/** Options for connectors, by their id. */
export type PayoutConnectionOptions = {
  "checkout-card"?: CheckoutPayoutOptions | null
  "mock-card"?: MockCardPayoutOptions | null
}

export type PayoutCreate = {
  /** At least 1, in the smallest unit of the currency. */
  amount: number
  /** ISO 4217. */
  currency: string
  /** The payment service that pays out. */
  payment_service_id: string
  /** The card that gets the money. */
  payment_method: PayOutToCard | PayOutToStoredCard
  /** What the money is for, if the card schemes have rules for it. */
  category?: "online_gambling" | null
  /** Your own reference. */
  external_identifier?: string | null
  buyer?: NewGuestBuyer | null
  /** The buyer who gets the money. */
  buyer_id?: string | null
  /** The same buyer, by your own reference. */
  buyer_external_identifier?: string | null
  merchant?: NewPayoutMerchant | null
  connection_options?: PayoutConnectionOptions | null
}

/** The merchant, as the request named it. */
export type PayoutMerchant = {
  type: "merchant"
  name: string
  /** The merchant’s number at the payment service or in a register. */
  identification_number: string
  /** E.164: a plus, then up to 15 digits. */
  phone_number: string
  /** The merchant’s web site. */
  url: string
  /** ISO 18245. */
  merchant_category_code: string
  /** What the statement of the card shows. */
  statement_descriptor: string | null
  address: Address | null
}

export type PayoutPaymentService = {
  type: "payment-service"
  id: string
  method: "card"
  payment_service_definition_id: string
  display_name: string
}

export type Payouts = {
  items: Payout[]
  limit: number
  next_cursor: string | null
  previous_cursor: string | null
}

export type PaypalOptions = {
  order_update_callback_config?: PaypalOrderUpdateCallbackConfig | null
  additional_data?: Record<string, string>[] | null
  shipping?: PaypalShippingOptions | null
  user_action?: string | null
  shipping_preference?: string | null
  brand_name?: string | null
  landing_page?: string | null
  locale?: string | null
}

export type PaypalOrderUpdateCallbackConfig = {
  callback_url?: string | null
  callback_events?: ("SHIPPING_ADDRESS" | "SHIPPING_OPTIONS")[] | null
}

export type PaypalShippingOptions = {
  options?: PaypalShippingOptionsItem[] | null
}

export type PaypalShippingOptionsItem = {
  id: string
  label: string
  selected: boolean
  type?: "SHIPPING" | "PICKUP" | "PICKUP_IN_STORE" | "PICKUP_FROM_PERSON" | null
  amount?: PaypalShippingOptionsItemAmount | null
}

export type PaypalShippingOptionsItemAmount = {
  currency_code: string
  value: string
}

export type PazeBillingAddress = {
  name?: string | null
  line1: string
  line2?: string | null
  line3?: string | null
  city: string
  state: string
  zip: string
  countryCode?: string | null
}

export type PazeCardArt = {
  artUri: string
  artHeight: number
  artWidth: number
}

export type PazeClient = {
  id: string
  name?: string | null
  profileId?: string | null
}

export type PazeCobrand = {
  name: string
  benefitsOffered?: boolean | null
}

export type PazeConsumer = {
  firstName: string | null
  lastName: string | null
  fullName: string
  countryCode: string | null
  languageCode: string | null
  emailAddress: string
  mobileNumber: PazeMobileNumber | null
}

export type PazeDeliveryContact = {
  contactFullName: string | null
  contactPhoneNumber: PazeMobileNumber | null
}

export type PazeEcomData = {
  cartContainsGiftCard?: boolean | null
  orderForPickup?: boolean | null
  orderHighestCost?: string | null
  orderQuantity?: string | null
  finalShippingAddress?: PazeShippingAddress | null
}

export type PazeEnhancedTransactionData = {
  ecomData?: PazeEcomData | null
  travelData?: PazeTravelData | null
}

export type PazeLocation = {
  name?: string | null
  line1: string
  line2?: string | null
  line3?: string | null
  city: string
  state: string
  zip: string
  countryCode: string
}

export type PazeMaskedCard = {
  panLastFour: string
  paymentAccountReference: string
  panExpirationMonth: string | null
  panExpirationYear: string | null
  paymentCardDescriptor: string
  paymentCardType: "CREDIT" | "DEBIT"
  paymentCardBrand: "VISA" | "MASTERCARD" | "DISCOVER"
  paymentCardNetwork: "VISA" | "MASTERCARD" | "DISCOVER"
  digitalCardData: PazeCardArt
  billingAddress: PazeBillingAddress | null
}

export type PazeMobileNumber = {
  countryCode: string
  phoneNumber: string
}

export type PazeMobileSession = {
  id: string
  name: string
  profileId: string
  /** Of the session for an app. */
  sessionId: string
  /** Of the same session. */
  accessToken: string
}

export type PazeReviewLinks = {
  CHANGE_CARD: string | null
  CHANGE_SHIPPING_ADDRESS: string | null
}

export type PazeSession = PazeWebSession | PazeMobileSession

export type PazeSessionRequest = {
  /** A page, or an app. */
  source?: "web" | "mobile"
  /** The host of the page. If the wallet has domains, it must be one of them. */
  domain_name?: string | null
}

export type PazeShippingAddress = {
  line1: string
  line2?: string | null
  line3?: string | null
  city: string
  state: string
  zip: string
  countryCode: string
  deliveryContactDetails: PazeDeliveryContact | null
}

export type PazeTransactionOptions = {
  merchantCategoryCode?: string | null
  billingPreference?: "ALL" | "NONE" | null
  payloadTypeIndicator?: "ID" | "PAYMENT" | null
}

export type PazeTransactionValue = {
  /** ISO 4217. */
  transactionCurrency: string
  /** In units of the currency, such as 12.99. */
  transactionAmount: string
}

export type PazeTravelData = {
  passengerName?: string | null
  roundTrip?: boolean | null
  departureDate?: string | null
  returnDate?: string | null
  departureLocation?: PazeLocation | null
  returnLocation?: PazeLocation | null
}

export type PazeWebSession = {
  id: string
  name: string
  profileId: string
}

export type PowertranzOptions = {
  skipThreeDSecure?: boolean | null
}

export type Recipient = {
  first_name: string
  last_name: string
  /** Number of the funded account. */
  account_number: string | null
  /** Day of birth. */
  date_of_birth: string | null
  address: Address | null
}

/** What the buyer has entered, of what `required_fields` of the payment option asks for. It is not stored. */
export type RedirectFields = {
  /** Six digits of the banking app. */
  blik_code?: string
  /** A PayID, or BSB and account number with a dash. */
  payto_account?: string
}

export type RedirectRoutingOutcome = {
  type: "list"
  result: string[]
}

export type Refund = {
  type: "refund"
  id: string
  /** The id in base 62, 22 characters. */
  reconciliation_id: string
  /** Your own reference. */
  external_identifier: string | null
  transaction_id: string
  transaction_reconciliation_id: string
  transaction_external_identifier: string | null
  /** The payment service’s own id of the refund. */
  payment_service_refund_id: string | null
  /** Switchyard does not use `voided`: no operation takes a refund back, and one that the payment service cancels is `declined` or `failed`. */
  status: "processing" | "succeeded" | "failed" | "declined" | "voided"
  currency: string
  amount: number
  reason: string | null
  target_type: "payment-method" | "gift-card-redemption"
  target_id: string | null
  creator: Creator | null
  error_code: string | null
  /** As the payment service gave it. */
  raw_response_code: string | null
  raw_response_description: string | null
  settled: boolean
  settled_amount: number
  settled_currency: string | null
  created_at: string
  updated_at: string
}

export type RefundAllCreate = {
  /** The reason, for your own records. */
  reason?: string | null
  /** Your own reference. */
  external_identifier?: string | null
}

export type RefundCreate = {
  /** Default: all that is left. */
  amount?: number | null
  /** What is refunded. */
  target_type?: "payment-method" | "gift-card-redemption"
  /** The gift card redemption to refund. For a payment method: the id of the transaction’s stored method, or nothing. */
  target_id?: string | null
  /** The reason, for your own records. */
  reason?: string | null
  /** Your own reference. */
  external_identifier?: string | null
}

export type RefundSettlement = {
  type: "refund-settlement"
  refund_id: string
  id: string
  merchant_account_id: string
  transaction_id: string
  currency: string
  /** Before the commission. Above zero: for the merchant. Below zero: taken from the merchant. */
  amount: number
  /** Units of `currency` for one unit of the payment’s currency, if it is another one. */
  exchange_rate: number | null
  /** The total fee that the payment service kept. */
  commission: number
  /** The issuer’s part of the commission. */
  interchange: number | null
  /** The payment service’s part of the commission. */
  markup: number | null
  /** The scheme’s part of the commission. */
  scheme_fee: number | null
  payment_service_report_id: string
  payment_service_report_file_ids: string[]
  /** When the payment service posted the entry. */
  posted_at: string
  /** When we read the report. */
  ingested_at: string
  created_at: string
  updated_at: string
}

export type RefundSettlements = {
  items: RefundSettlement[]
}

export type Refunds = {
  items: Refund[]
  limit: number
  next_cursor: string | null
  previous_cursor: string | null
}

export type RegisterDigitalWalletDomain = {
  /** The name of a public host, such as `shop.example.com`: no scheme, no path, no port, no address. Letters beyond ASCII are stored as punycode. */
  domain_name: string
}

/** Empty: the wallet lists its domains. */
export type RegisteredDigitalWalletDomain = {}

export type ReplayWebhooks = {
  /** Events from this time on. */
  since?: string
  /** Events before this time. */
  until?: string
  /** Only deliveries that were given up. Default: also those that arrived or were never sent. */
  status?: "parked"
}

export type Report = {
  type: "report"
  id: string
  merchant_account_id: string
  /** What the report is called. */
  name: string
  /** What the report is for. */
  description: string | null
  /** The API key pair that created the report. */
  creator_id: string | null
  /** The name that the key pair had then. */
  creator_display_name: string | null
  creator_type: "user" | "private_key" | null
  created_at: string
  updated_at: string
  /** When the report runs next if its schedule is enabled. Null for `once`. */
  next_execution_at: string | null
  /** `once`: now. `daily`, `weekly` and `monthly`: as a day, a week (on Monday) or a month begins in the time zone. */
  schedule: "daily" | "monthly" | "once" | "weekly"
  schedule_enabled: boolean
  schedule_timezone: string
  spec: ReportSpec
  latest_execution: ReportExecutionSummary | null
}

export type ReportCreate = {
  /** What the report is called. */
  name: string
  /** What the report is for. */
  description?: string | null
  /** `once`: now. `daily`, `weekly` and `monthly`: as a day, a week (on Monday) or a month begins in the time zone. */
  schedule: "daily" | "monthly" | "once" | "weekly"
  /** Whether the report runs by its schedule. Must be false for `once`. */
  schedule_enabled: boolean
  /** An IANA time zone, such as Europe/Berlin. */
  schedule_timezone?: string
  /** What is in the report. */
  spec: TransactionsReportSpec | TransactionRetriesReportSpec | DetailedSettlementReportSpec | AccountsReceivablesReportSpec | AIInsightsReportSpec
}

export type ReportExecution = {
  type: "report-execution"
  id: string
  created_at: string
  updated_at: string
  /** `pending` until a worker takes it, then `dispatched`, `processing` while the file is written, and `succeeded` or `failed`. If a file cannot be written, it is `pending` again, a few times. */
  status: "dispatched" | "failed" | "pending" | "processing" | "succeeded"
  context: ReportExecutionContext
  report: ReportSummary
}

export type ReportExecutionContext = {
  /** The time that placeholders are about. */
  reference_timestamp: string
  /** The time zone of days, weeks and months. */
  reference_timezone: string
}

export type ReportExecutionSummary = {
  type: "report-execution"
  id: string
  created_at: string
  updated_at: string
  /** `pending` until a worker takes it, then `dispatched`, `processing` while the file is written, and `succeeded` or `failed`. If a file cannot be written, it is `pending` again, a few times. */
  status: "dispatched" | "failed" | "pending" | "processing" | "succeeded"
  context: ReportExecutionContext
}

export type ReportExecutionUrl = {
  /** Where the file can be downloaded. It takes no token: anyone who has the URL gets the file. */
  url: string
  /** From this time on the URL is refused. */
  expires_at: string
}

export type ReportExecutionUrlGenerate = {
  /** How many minutes the URL is valid. At most a week. */
  expires_in?: number
}

export type ReportExecutions = {
  items: ReportExecution[]
  limit: number
  next_cursor: string | null
  previous_cursor: string | null
}

export type ReportSpec = {
  model: "transactions" | "transaction_retries" | "detailed_settlement" | "accounts_receivables" | "ai_insights"
  params: Record<string, unknown>
}

export type ReportSummary = {
  type: "report"
  id: string
  merchant_account_id: string
  name: string
  creator_id: string | null
  creator_display_name: string | null
  creator_type: "user" | "private_key" | null
}

export type ReportUpdate = {
  /** What the report is called. */
  name?: string | null
  /** What the report is for. */
  description?: string | null
  /** Whether the report runs by its schedule. Must be false for `once`. */
  schedule_enabled?: boolean | null
}

export type Reports = {
  items: Report[]
  limit: number
  next_cursor: string | null
  previous_cursor: string | null
}

export type RequiredAddressFields = {
  organization: boolean
  house_number_or_name: boolean
  line1: boolean
  line2: boolean
  city: boolean
  postal_code: boolean
  state: boolean
  state_code: boolean
  country: boolean
}

export type RequiredCheckoutFields = {
  required_fields: string[]
  conditions: Record<string, unknown> | null
}

export type RequiredFields = {
  first_name: boolean
  last_name: boolean
  email_address: boolean
  phone_number: boolean
  tax_id: boolean
  address: RequiredAddressFields
}

export type RetryLimit = {
  scheme: string
  /** How far the count looks back. */
  within_hours: number
  /** After so many declines of a card within this time, it is not tried again. */
  declines_max: number
  /** `apart`: payments that you initiate and payments of the buyer each have the whole limit. `together`: all count for one. */
  counted: "apart" | "together"
}

export type RetryLimitUpdate = {
  scheme: "accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa"
  /** How far the count looks back. */
  within_hours: number
  /** After so many declines of a card within this time, it is not tried again. */
  declines_max: number
  /** `apart`: payments that you initiate and payments of the buyer each have the whole limit. `together`: all count for one. */
  counted?: "apart" | "together"
}

/** What follows a refusal by this service. Other error codes are treated as without a list. */
export type RetryList = {
  /** After these error codes the next service is asked, also if it usually is not. A card scheme or a provider that forbids it is obeyed. */
  on?: ("canceled_payment_method" | "disputed_transaction" | "duplicate_transaction" | "expired_authorization" | "expired_payment_method" | "incorrect_billing_address" | "incorrect_country" | "incorrect_currency" | "incorrect_cvv" | "incorrect_expiry_date" | "insufficient_funds" | "issuer_decline" | "other_decline" | "requires_buyer_authentication" | "refused_transaction" | "service_decline" | "suspected_fraud" | "unavailable_payment_method" | "unknown_payment_method" | "unsupported_transaction" | "unsupported_payment_method" | "cancelled_buyer_approval" | "insufficient_service_permissions" | "invalid_amount" | "invalid_payment_method" | "invalid_service_configuration" | "invalid_service_credentials" | "invalid_service_response" | "invalid_tax_identifier" | "missing_billing_address" | "missing_cvv" | "missing_shipping_address" | "missing_tax_identifier" | "refund_period_expired" | "service_error" | "service_network_error" | "service_rate_limit" | "internal_error" | "invalid_billing_address" | "invalid_operation" | "invalid_request_parameters" | "invalid_service_request" | "invalid_shipping_address" | "service_resource_conflict" | "unexpected_state" | "unknown_error" | "unknown_service_resource" | "unsupported_country" | "unsupported_currency" | "unrecognised_country" | "unrecognised_currency" | "unrecognised_payment_method" | "unrecognised_scheme" | "unsupported_scheme" | "refund_already_satisfied")[]
  /** After these error codes no other service is asked. */
  not_on?: ("canceled_payment_method" | "disputed_transaction" | "duplicate_transaction" | "expired_authorization" | "expired_payment_method" | "incorrect_billing_address" | "incorrect_country" | "incorrect_currency" | "incorrect_cvv" | "incorrect_expiry_date" | "insufficient_funds" | "issuer_decline" | "other_decline" | "requires_buyer_authentication" | "refused_transaction" | "service_decline" | "suspected_fraud" | "unavailable_payment_method" | "unknown_payment_method" | "unsupported_transaction" | "unsupported_payment_method" | "cancelled_buyer_approval" | "insufficient_service_permissions" | "invalid_amount" | "invalid_payment_method" | "invalid_service_configuration" | "invalid_service_credentials" | "invalid_service_response" | "invalid_tax_identifier" | "missing_billing_address" | "missing_cvv" | "missing_shipping_address" | "missing_tax_identifier" | "refund_period_expired" | "service_error" | "service_network_error" | "service_rate_limit" | "internal_error" | "invalid_billing_address" | "invalid_operation" | "invalid_request_parameters" | "invalid_service_request" | "invalid_shipping_address" | "service_resource_conflict" | "unexpected_state" | "unknown_error" | "unknown_service_resource" | "unsupported_country" | "unsupported_currency" | "unrecognised_country" | "unrecognised_currency" | "unrecognised_payment_method" | "unrecognised_scheme" | "unsupported_scheme" | "refund_already_satisfied")[]
}

export type RetryPolicy = {
  type: "retry-policy"
  /** `obey`: an attempt that a card scheme forbids is not made. `warn`: it is made, and the history of the payment tells what the scheme says. */
  mode: "obey" | "warn"
  /** The limits that apply. Until you set some, those of the schemes; in a sandbox none, because all tests share a few cards. */
  limits: RetryLimit[]
  /** The limits of the schemes. */
  scheme_limits: RetryLimit[]
  /** The codes in answers of issuers by which schemes say what to do with a card. */
  scheme_advice: SchemeAdvice[]
  /** Null: the policy was never changed. */
  updated_at: string | null
}

export type RetryPolicyUpdate = {
  /** `obey`: an attempt that a card scheme forbids is not made. `warn`: it is made, and the history of the payment tells what the scheme says. */
  mode?: "obey" | "warn"
  /** All limits that are to apply. Empty: none. Null: those of the schemes. */
  limits?: RetryLimitUpdate[] | null
}

export type ReviewPazeSession = {
  /** Of the session for an app. */
  sessionId: string
  /** Of the same session. */
  accessToken: string
  /** What Paze’s page handed to the app, or the code of the review. */
  code: string
}

export type ReviewedPazeSession = {
  consumer: PazeConsumer
  shippingAddress: PazeShippingAddress | null
  maskedCard: PazeMaskedCard
  links: PazeReviewLinks
  /** For the completion. */
  code: string
}

export type RiskifiedAntiFraudOptions = {
  line_items?: RiskifiedAntiFraudOptionsLineItem[] | null
}

export type RiskifiedAntiFraudOptionsLineItem = {
  delivered_to?: "shipping_address" | "store_pickup" | null
}

export type Role = {
  type: "role"
  id: string
  name: string
  /** Slugs of roles of your own begin with `custom-`. */
  slug: string
  description: string
  permissions: {
    allow: string[]
  }
  assignable_to: ("user" | "api-key-pair")[]
  applies_to: string[]
  is_standalone_assignable: boolean
}

export type RoleCreate = {
  /** No two roles of your own share one. */
  name: string
  /** What the role is for. */
  description?: string
  permissions: {
    /** Scopes of operations, such as `transactions.read`, or `*.read` and `*.write` for all of them. You can allow only what you may do yourself. */
    allow: string[]
  }
  /** Who can have the role. */
  assignable_to?: ("user" | "api-key-pair")[]
}

export type RoleDetails = {
  type: "role"
  id: string
  name: string
  /** Slugs of roles of your own begin with `custom-`. */
  slug: string
  description: string
  permissions: {
    allow: string[]
  }
  assignable_to: ("user" | "api-key-pair")[]
  applies_to: string[]
  is_standalone_assignable: boolean
  /** Whether it is a role of your own. Only these can be changed. */
  is_custom: boolean
  /** How many have the role. A role that is in use cannot be deleted. */
  holders: {
    users: number
    api_key_pairs: number
  }
  created_at: string
  updated_at: string
}

export type RoleUpdate = {
  /** No two roles of your own share one. */
  name?: string | null
  /** What the role is for. */
  description?: string | null
  permissions?: {
    /** Scopes of operations, such as `transactions.read`, or `*.read` and `*.write` for all of them. You can allow only what you may do yourself. */
    allow: string[]
  } | null
  /** Who can have the role. */
  assignable_to?: ("user" | "api-key-pair")[] | null
}

export type Roles = {
  items: Role[]
  limit: number
  next_cursor: string | null
  previous_cursor: string | null
}

export type RotateWebhookSecret = {
  /** For how many minutes the old secret also signs. Default 0: it ends at once. */
  delta?: number | null
}

export type RuleOfDecision = {
  id: string
  position: number
  description: string | null
}

export type SandboxChargeback = {
  type: "sandbox-chargeback"
  /** The simulator’s own id. Its file and its notification repeat it. */
  id: string
  merchant_account_id: string
  payment_service_id: string
  transaction_id: string
  stage: "chargeback" | "reversal"
  amount: number
  currency: string
  /** As the file says it. */
  code: string
  reason: string
  created_at: string
}

export type SandboxClock = {
  type: "sandbox-clock"
  /** `advancing` while the clock is being moved and what falls due on the way is done. */
  status: "ready" | "advancing"
  /** The time by which the sandbox lives. */
  now: string
  /** The time of its database. */
  real_time: string
  /** How far the clock is ahead of real time. */
  offset_seconds: number
  /** Where the clock is being moved to. Null while it is not. */
  target: string | null
  /** The jobs for which the last advance did not wait, such as the delivery of webhooks to a slow receiver. What they had to do is done at their own pace, later than its time. Empty if everything was done in time. */
  late_jobs: LateJob[]
}

export type SandboxFill = {
  type: "sandbox-fill"
  /** `idle`: there was no history yet. `waiting`: a worker begins within a second. `filling`: it is being made. `succeeded` and `failed` are about the last one. */
  status: "idle" | "waiting" | "filling" | "succeeded" | "failed"
  /** Whose payments they are. */
  merchant_account_id: string | null
  days: number | null
  /** How many were asked for. */
  payments: number | null
  seed: number | null
  made: SandboxFillCounts
  /** Requests of the made-up shop that were refused, by reason. They do not end the history. */
  refusals: SandboxFillRefusal[]
  /** `refused`: the service refused all that the shop asked for, so it gave up. `interrupted`: the process ended. `error`: the log says why. What was made stays, and so does the time that the clock has reached. */
  failure: "refused" | "interrupted" | "error" | null
  /** By the clock of the sandbox, which the history moves. */
  begun_at: string | null
  ended_at: string | null
}

/** What was made so far. */
export type SandboxFillCounts = {
  payments: number
  approved: number
  captures: number
  refunds: number
  voids: number
}

export type SandboxFillRefusal = {
  reason: string
  count: number
}

export type SandboxNextOutcome = {
  type: "sandbox-next-outcome"
  id: string
  payment_service_id: string
  /** Which operation is hit. Default `authorize`. `tokenize`: the next payment method that a service stores. */
  operation: "authorize" | "capture" | "void" | "cancel" | "refund" | "increment" | "payout" | "tokenize"
  /** `refuse`: it is declined or fails, as `code` says. `lose-answer`: it is carried out, and the answer is lost. `late`: it is carried out after it was given up. `stall`: no answer ever comes, and nothing is done. `garbage`: the answer is unreadable. `unreachable`: no connection can be made. */
  effect: "refuse" | "lose-answer" | "stall" | "late" | "garbage" | "unreachable"
  code: string | null
  armed_at: string
}

export type SandboxNextOutcomes = {
  /** In the order in which they hit. */
  items: SandboxNextOutcome[]
}

export type SandboxNotification = {
  type: "sandbox-notification"
  id: string
  merchant_account_id: string
  payment_service_id: string
  transaction_id: string
  /** The event in the notification. */
  event: string
  /** The notification, as it was sent. */
  body: string
  /** `taken`: it is about something that we know; if we knew its outcome too, it has changed nothing. `held`: we know nothing of its subject yet, and look again later. `rejected`: it was refused, and `message` says why. */
  outcome: "taken" | "held" | "rejected"
  message: string | null
  created_at: string
}

export type SchemeAdvice = {
  kind: "merchant_advice_code" | "response_code"
  code: string
  /** Null: cards of every scheme. */
  scheme: string | null
  /** `never`: not with this card, until it changes. `later`: not before `retry_after_hours`. `other_data`: not with the same details of the card. */
  action: "never" | "later" | "other_data"
  retry_after_hours: number | null
  meaning: string
}

export type ServiceHealth = {
  type: "service-health"
  payment_service_id: string
  display_name: string
  method: string
  /** `aside`: it fails too often in a row. Rules with the strategy `success_rate` or `least_cost` ask it after all others, and try it every 30 seconds. `unknown`: no payment has told anything of it lately. */
  status: "healthy" | "aside" | "unknown"
  /** Of 1. Approved payments, over these and the refusals that another service may not have given. Null: nothing is known. */
  success_rate: number | null
  /** The true rate lies between these with 95 % certainty. */
  interval: {
    low: number
    high: number
  } | null
  /** How many recent payments the figures stand for. Half of what is known fades after 1,000 payments or six hours. */
  payments: number
  failures_in_a_row: number
  /** The first of these failures. */
  failing_since: string | null
  last_outcome_at: string | null
  /** The same by kind of payment, those with most payments first; at most 50. */
  segments: {
    scheme: string | null
    /** Null: any. */
    currency: string | null
    /** The country of the card. Null: any, or not known. */
    country: string | null
    /** Of 1. Approved payments, over these and the refusals that another service may not have given. Null: nothing is known. */
    success_rate: number | null
    /** The true rate lies between these with 95 % certainty. */
    interval: {
      low: number
      high: number
    } | null
    /** How many recent payments the figures stand for. Half of what is known fades after 1,000 payments or six hours. */
    payments: number
  }[]
}

export type ServiceStanding = {
  /** The payments that the figures are about: the method, the scheme, the currency and the country of the card. Parts are left out if there were too few such payments. Null: nothing was known of the service. */
  segment: string | null
  /** Of 1. Recent payments count most. */
  success_rate: number | null
  /** How many recent payments the figures stand for. */
  payments: number
  /** With `success_rate`: a rate that the service may have, drawn for this payment. The highest comes first, so that services of which little is known are tried too. */
  drawn: number | null
  /** With `least_cost`: the cost of the payment, in the smallest unit of its currency. */
  cost: number | null
  /** How many settled payments of the kind told the cost by their fees. Null: there were fewer than 100, and the cost is that of the rule. */
  cost_payments: number | null
  /** Whether it had failed too often in a row. Then it comes after all others. */
  is_aside: boolean
  /** Whether the payment was to find out if the service is back. */
  is_probe: boolean
}

export type Settlement = {
  type: "settlement"
  id: string
  merchant_account_id: string
  transaction_id: string
  currency: string
  /** Before the commission. Above zero: for the merchant. Below zero: taken from the merchant. */
  amount: number
  /** Units of `currency` for one unit of the payment’s currency, if it is another one. */
  exchange_rate: number | null
  /** The total fee that the payment service kept. */
  commission: number
  /** The issuer’s part of the commission. */
  interchange: number | null
  /** The payment service’s part of the commission. */
  markup: number | null
  /** The scheme’s part of the commission. */
  scheme_fee: number | null
  payment_service_report_id: string
  payment_service_report_file_ids: string[]
  /** When the payment service posted the entry. */
  posted_at: string
  /** When we read the report. */
  ingested_at: string
  created_at: string
  updated_at: string
}

export type SettlementTotal = {
  type: "settlement-total"
  /** The first day of the period. A week begins on Monday. */
  period: string
  payment_service_id: string
  /** In which the payment service pays out. */
  currency: string
  /** What it settled of payments, before fees. */
  payment_amount: number
  /** What it took for refunds: below zero. */
  refund_amount: number
  /** What buyers’ banks took back: below zero. */
  chargeback_amount: number
  /** What came back of chargebacks. */
  chargeback_reversal_amount: number
  /** Lines about no payment, such as monthly fees, reserves and payouts to the bank. */
  other_amount: number
  /** All commissions. */
  fee_amount: number
  /** The part of the fees that is the issuers’, where the payment service states it. */
  interchange_amount: number
  /** The part that is the payment service’s, where it states it. */
  markup_amount: number
  /** The part that is the card schemes’, where the payment service states it. */
  scheme_fee_amount: number
  /** All amounts less the fees. */
  net_amount: number
  /** The lines that moved this money. */
  line_count: number
}

export type SettlementTotals = {
  items: SettlementTotal[]
}

export type Settlements = {
  items: Settlement[]
}

export type ShippingDetails = {
  type: "shipping-details"
  id: string
  buyer_id: string
  /** First name. */
  first_name: string | null
  /** Last name. */
  last_name: string | null
  /** E-mail address. */
  email_address: string | null
  /** E.164: a plus, then up to 15 digits. */
  phone_number: string | null
  address: Address | null
}

export type ShippingDetailsList = {
  items: ShippingDetails[]
}

export type StatementDescriptor = {
  /** Name of the seller. */
  name: string | null
  /** What the buyer paid for. */
  description: string | null
  /** City of the seller. */
  city: string | null
  /** Country of the seller. ISO 3166-1 alpha-2. */
  country: string | null
  /** E.164: a plus, then up to 15 digits. */
  phone_number: string | null
  /** Web site of the seller. */
  url: string | null
  /** Postal code of the seller. */
  postal_code: string | null
}

/** A bank account in the United States. */
export type StoreAchAccount = {
  method: "bank"
  scheme?: "ach"
  account_holder: BankAccountHolder
  /** 4 to 17 digits. Sealed in the vault; only its end is shown. */
  account_number: string
  /** The nine digits of the bank. */
  routing_number: string
  account_type: "checking" | "savings"
  /** Only false: a token in place of the number cannot be stored. */
  is_tokenized?: boolean
  /** Your own reference. Unique. */
  external_identifier?: string | null
  /** The buyer to store the payment method for. */
  buyer_id?: string | null
  /** The same buyer, by your own reference. */
  buyer_external_identifier?: string | null
}

/** A bank account in the United Kingdom. */
export type StoreBacsAccount = {
  method: "bank"
  scheme?: "bacs"
  account_holder: BankAccountHolder
  /** Eight digits. Sealed in the vault; only its end is shown. */
  account_number: string
  /** The sort code: six digits, with or without dashes. */
  routing_number: string
  /** Your own reference. Unique. */
  external_identifier?: string | null
  /** The buyer to store the payment method for. */
  buyer_id?: string | null
  /** The same buyer, by your own reference. */
  buyer_external_identifier?: string | null
}

/** A card by its number. */
export type StoreCard = {
  method: "card"
  /** 13 to 19 digits. Sealed in the vault and never shown again. */
  number: string
  /** MM/YY. */
  expiration_date: string
  /** 3 or 4 digits. Checked, but not stored. */
  security_code?: string | null
  /** Overrides what the number tells. */
  card_type?: "credit" | "debit" | "prepaid" | null
  /** Where the buyer returns after approving. Cards need no approval to be stored. A web page, an app by its own scheme (`myapp://paid`), or `data:application/json;base64,…`. Schemes of browsers and operating systems are refused. */
  redirect_url?: string | null
  /** Your own reference. Unique. */
  external_identifier?: string | null
  /** The buyer to store the payment method for. */
  buyer_id?: string | null
  /** The same buyer, by your own reference. */
  buyer_external_identifier?: string | null
}

/** A bank account that the buyer chose at Plaid. */
export type StorePlaid = {
  method: "plaid"
  /** The token of Plaid. Sealed in the vault. */
  token: string
  /** Which of the accounts at Plaid. */
  account_id?: string | null
  /** The only service that may use the token. Left out: any that can. */
  payment_service_id?: string | null
  /** Your own reference. Unique. */
  external_identifier?: string | null
  /** The buyer to store the payment method for. */
  buyer_id?: string | null
  /** The same buyer, by your own reference. */
  buyer_external_identifier?: string | null
}

/** A method that the buyer approves on a page of its provider. */
export type StoreRedirect = {
  /** A payment service must be able to store it. */
  method: "abitab" | "ach" | "affirm" | "afterpay" | "alipay" | "alipayhk" | "alma" | "arcuspaynetwork" | "autogiro" | "bacs" | "bancomatpay" | "bancontact" | "banked" | "banktransfer" | "bcp" | "becs" | "becsnz" | "belfius" | "betalingsservice" | "billie" | "bitpay" | "bizum" | "blik" | "boleto" | "boost" | "breb" | "capitec" | "cashapp" | "cashappafterpay" | "clearpay" | "custom_push" | "custom_redirect" | "custom_tokenize" | "dana" | "dcb" | "dlocal" | "ebanx" | "eckoh" | "efecty" | "eps" | "everydaypay" | "gcash" | "gem" | "gemds" | "giropay" | "givingblock" | "gocardless" | "gopay" | "grabpay" | "ideal" | "in3" | "interac" | "kakaopay" | "kbc" | "kcp" | "khipu" | "klarna" | "konbini" | "latitude" | "latitudeds" | "laybuy" | "linepay" | "linkaja" | "maybankqrpay" | "mbway" | "mercadopago" | "mobilepay" | "multibanco" | "multipago" | "mybank" | "nequi" | "netbanking" | "nupay" | "onelink" | "oney_10x" | "oney_12x" | "oney_3x" | "oney_4x" | "oney_6x" | "onlinebankingcz" | "ovo" | "oxxo" | "p24" | "pad" | "pagoefectivo" | "paybybank" | "payid" | "paymaya" | "paypal" | "paypalpaylater" | "paypay" | "paysafecard" | "paysquad" | "payto" | "payvalida" | "picpay" | "pix" | "pse" | "rabbitlinepay" | "rapipago" | "razorpay" | "redpagos" | "riverty" | "satispay" | "scalapay" | "sepa" | "servipag" | "seveneleven" | "shopeepay" | "singteldash" | "smartpay" | "sofort" | "spei" | "stitch" | "stripe" | "stripedd" | "stripetoken" | "swish" | "tapi" | "tapifintechs" | "thaiqr" | "touchngo" | "truemoney" | "trustly" | "trustlyeurope" | "twint" | "upi" | "venmo" | "vipps" | "waave" | "webpay" | "wechat" | "wero" | "yape" | "zippay"
  /** ISO 3166-1 alpha-2. */
  country: string
  /** ISO 4217. */
  currency: string
  /** Where the buyer returns after approving. A web page, an app by its own scheme (`myapp://paid`), or `data:application/json;base64,…`. Schemes of browsers and operating systems are refused. */
  redirect_url: string
  /** Your own reference. Unique. */
  external_identifier?: string | null
  /** The buyer to store the payment method for. */
  buyer_id?: string | null
  /** The same buyer, by your own reference. */
  buyer_external_identifier?: string | null
}

/** A bank account in the euro area. */
export type StoreSepaAccount = {
  method: "bank"
  scheme?: "sepa"
  account_holder: BankAccountHolder
  /** The IBAN. Sealed in the vault; only its end is shown. */
  account_number: string
  /** The BIC. */
  routing_number?: string | null
  /** Your own reference. Unique. */
  external_identifier?: string | null
  /** The buyer to store the payment method for. */
  buyer_id?: string | null
  /** The same buyer, by your own reference. */
  buyer_external_identifier?: string | null
}

/** What the buyer entered into a checkout session. */
export type StoreSessionCard = {
  method: "checkout-session"
  /** The checkout session in which the buyer has entered a card. */
  id: string
  /** Your own reference. Unique. */
  external_identifier?: string | null
  /** The buyer to store the payment method for. */
  buyer_id?: string | null
  /** The same buyer, by your own reference. */
  buyer_external_identifier?: string | null
}

/** A stored gift card. */
export type StoredGiftCardBalance = {
  /** The stored gift card. */
  id: string
}

export type StripeCardOptions = {
  stripe_connect?: StripeConnectOptions | null
  customer_id?: string | null
  error_on_requires_action?: boolean | null
}

export type StripeConnectOptions = {
  stripe_account?: string | null
  application_fee_amount?: number | null
  on_behalf_of?: string | null
  transfer_data_destination?: string | null
  transfer_group?: string | null
}

export type StripeOptions = {
  stripe_connect?: StripeConnectOptions | null
}

export type TaxId = {
  /** The number, as it is usually written. */
  value: string
  /** The issuing country and the name of the id there. */
  kind: "ae.trn" | "au.abn" | "ar.dni" | "ar.cuil" | "ar.cuit" | "br.cnpj" | "br.cpf" | "ca.bn" | "ca.gst_hst" | "ca.pst_bc" | "ca.pst_mb" | "ca.pst_sk" | "ca.qst" | "ch.vat" | "cl.tin" | "co.itin" | "co.nit" | "co.cc" | "co.ce" | "co.de" | "co.rc" | "co.ti" | "co.passport" | "es.cif" | "eu.vat" | "gb.vat" | "hk.br" | "id.nik" | "id.npwp" | "in.gst" | "in.pan" | "jp.cn" | "jp.rn" | "kr.brn" | "li.uid" | "mx.curp" | "mx.rfc" | "my.frp" | "my.itn" | "my.nric" | "my.sst" | "no.vat" | "nz.gst" | "pe.ruc" | "ph.tin" | "ru.inn" | "ru.kpp" | "sa.vat" | "sg.gst" | "sg.uen" | "th.id" | "th.vat" | "tw.vat" | "us.ein" | "za.vat" | "bo.ci" | "uy.rut" | "uy.ci"
}

export type Theme = {
  type: "merchant-account.theme"
  merchant_account_id: string
  /** Null: the usual colour. */
  accent_color: string | null
  /** Null: a lighter shade of `accent_color`. */
  accent_color_dark: string | null
  /** How round the corners are. */
  radius: "none" | "small" | "medium" | "large" | null
  /** The font. All but `geist` are fonts of the buyer’s device. */
  font: "geist" | "system" | "humanist" | "rounded" | "serif" | "mono" | null
  /** Where this service serves the logo. */
  logo_url: string | null
  /** Null: the theme was never changed. */
  updated_at: string | null
}

export type ThemePreview = {
  type: "merchant-account.theme-preview"
  merchant_account_id: string
  /** A page with an example order in the look of the account. Nothing can be paid there. */
  url: string
  /** Until when the address works. */
  expires_at: string
}

export type ThreeDSConfiguration = {
  type: "merchant-account.three-ds-configuration"
  id: string
  merchant_account_id: string
  scheme: "accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa"
  merchant_acquirer_bin: string
  merchant_acquirer_id: string
  merchant_name: string
  /** ISO 3166-1, numeric or alpha-2. Kept as it is sent. */
  merchant_country_code: string
  /** ISO 18245. */
  merchant_category_code: string
  merchant_url: string
  metadata: Record<string, unknown>
  /** ISO 4217; null for every currency without a configuration of its own. */
  currency: string | null
  created_at: string
  updated_at: string
}

export type ThreeDSConfigurations = {
  items: ThreeDSConfiguration[]
}

export type ThreeDSScenario = {
  type: "three-d-secure-scenario"
  id: string
  merchant_account_id: string
  conditions: ThreeDSScenarioConditions
  outcome: ThreeDSScenarioOutcome
  created_at: string
  updated_at: string
}

export type ThreeDSScenarioConditions = {
  /** The first name in the buyer’s billing details. */
  first_name: string | null
  /** The last name in the buyer’s billing details. */
  last_name: string | null
  /** The e-mail address in the buyer’s billing details. */
  email_address: string | null
  /** The amount that the issuer is asked about. */
  amount: number | null
  /** The external identifier of the buyer. */
  external_identifier: string | null
  /** The first and last digits of the card number. */
  card_number: string | null
}

export type ThreeDSScenarioOutcome = {
  version: string | null
  authentication: {
    /** The issuer’s first answer: `Y` authenticated, `A` attempted, `U` could not be done, `N` and `R` refused, `C` challenge, `timeout` no answer. */
    transaction_status: "Y" | "N" | "A" | "R" | "U" | "C" | "timeout"
  }
  result: {
    /** The issuer’s answer after the buyer has approved. */
    transaction_status: "Y" | "N" | "timeout"
  } | null
}

export type ThreeDSScenarios = {
  items: ThreeDSScenario[]
  limit: number
  next_cursor: string | null
  previous_cursor: string | null
}

export type ThreeDSService = {
  type: "three-ds-service"
  id: string
  merchant_account_id: string
  /** The provider, as in `mock-three-ds`. */
  three_ds_service_definition_id: string
  display_name: string
  /** Whether the service authenticates buyers. One service of an account can be active. */
  active: boolean
  /** Secret fields are left out. */
  fields: ThreeDSServiceField[]
  /** The keys of the secret fields that are set. Their values are never shown. */
  secret_fields: string[]
  created_at: string
  updated_at: string
}

export type ThreeDSServiceDefinition = {
  type: "three-ds-service-definition"
  /** The provider, as in `mock-three-ds`. */
  id: string
  display_name: string
  /** The fields to enter when you create a service. */
  fields: PaymentServiceDefinitionField[]
  supported_features: ThreeDSServiceFeatures
}

export type ThreeDSServiceDefinitions = {
  items: ThreeDSServiceDefinition[]
  limit: number
  next_cursor: string | null
  previous_cursor: string | null
}

/** What the service does besides asking the issuer. */
export type ThreeDSServiceFeatures = {
  /** Whether the buyer’s browser is asked about the device before the card is authenticated. Then every buyer is sent to `approval_url`. */
  device_data: boolean
}

export type ThreeDSServiceField = {
  key: string
  value: string
}

export type ThreeDSServiceFieldChange = {
  key: string
  /** Empty to clear the field. */
  value: string
}

export type ThreeDSServices = {
  items: ThreeDSService[]
  limit: number
  next_cursor: string | null
  previous_cursor: string | null
}

export type ThreeDSecure = {
  /** The amount to authenticate, if not the whole amount. */
  amount?: number | null
}

/** The result of an authentication with version 1 outside of this service. */
export type ThreeDSecureDataV1 = {
  /** Cardholder authentication verification value. */
  cavv: string
  /** Electronic commerce indicator. */
  eci: string
  /** Version of 3-D Secure. */
  version: string
  /** The directory server’s answer about the card. */
  directory_response: string
  /** The issuer’s answer. */
  authentication_response: string
  /** How the CAVV was computed. */
  cavv_algorithm: string
  /** The id of the authentication. */
  xid: string
  scheme?: "accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa" | null
}

/** The result of an authentication with version 2 outside of this service. */
export type ThreeDSecureDataV2 = {
  /** Cardholder authentication verification value. */
  cavv: string
  /** Electronic commerce indicator. */
  eci: string
  /** Version of 3-D Secure. */
  version: string
  /** The directory server’s answer about the card. */
  directory_response: string
  /** The directory server’s id of the authentication. */
  directory_transaction_id: string
  /** The issuer’s answer. */
  authentication_response?: string | null
  scheme?: "accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa" | null
}

export type ThreeDSecureError = {
  code: string | null
  description: string | null
  detail: string | null
  component: string | null
}

export type ThreeDSecureOutcome = {
  type: "three-d-secure"
  result: "attempt" | "force" | "skip"
}

export type ThreeDSecureV1 = {
  /** Cardholder authentication verification value. */
  cavv: string
  /** Electronic commerce indicator. */
  eci: string
  /** Version of 3-D Secure. */
  version: string
  /** The directory server’s answer about the card. */
  directory_response: string
  /** The issuer’s answer. */
  authentication_response: string
  /** How the CAVV was computed. */
  cavv_algorithm: string
  /** The id of the authentication. */
  xid: string
  scheme: "accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa" | null
}

export type ThreeDSecureV2 = {
  /** Version of 3-D Secure. */
  version: string
  authentication_response: string | null
  directory_response: string | null
  directory_transaction_id: string | null
  transaction_reason: string | null
  cavv: string | null
  /** Electronic commerce indicator. */
  eci: string | null
  /** The issuer’s message to the buyer. */
  cardholder_info: string | null
}

export type Transaction = {
  type: "transaction"
  id: string
  /** The id in base 62, 22 characters. */
  reconciliation_id: string
  merchant_account_id: string
  /** Your own reference. */
  external_identifier: string | null
  status: "processing" | "buyer_approval_pending" | "authorization_succeeded" | "authorization_failed" | "authorization_declined" | "capture_pending" | "capture_succeeded" | "authorization_void_pending" | "authorization_voided"
  intent: "authorize" | "capture"
  /** The requested amount, gift cards included. */
  amount: number
  /** ISO 4217. */
  currency: string
  /** ISO 3166-1 alpha-2. */
  country: string | null
  /** Without gift cards. */
  authorized_amount: number
  captured_amount: number
  refunded_amount: number
  settled: boolean
  settled_amount: number
  /** ISO 4217. */
  settled_currency: string | null
  method: "affirm" | "afterpay" | "alipay" | "alipayhk" | "applepay" | "bacs" | "bancontact" | "banked" | "becs" | "bitpay" | "boleto" | "boost" | "card" | "cashapp" | "chaseorbital" | "checkout-session" | "clearpay" | "click-to-pay" | "dana" | "dcb" | "dlocal" | "ebanx" | "efecty" | "eps" | "everydaypay" | "gcash" | "gem" | "gemds" | "gift-card" | "giropay" | "givingblock" | "gocardless" | "googlepay" | "googlepay_pan_only" | "gopay" | "grabpay" | "id" | "ideal" | "kakaopay" | "kcp" | "klarna" | "latitude" | "latitudeds" | "laybuy" | "linepay" | "linkaja" | "maybankqrpay" | "mercadopago" | "multibanco" | "multipago" | "netbanking" | "network-token" | "oney_3x" | "oney_4x" | "oney_6x" | "oney_10x" | "oney_12x" | "ovo" | "oxxo" | "payid" | "paymaya" | "paypal" | "paypalpaylater" | "payto" | "venmo" | "pix" | "pse" | "rabbitlinepay" | "razorpay" | "scalapay" | "sepa" | "shopeepay" | "singteldash" | "smartpay" | "sofort" | "spei" | "stripedd" | "thaiqr" | "touchngo" | "truemoney" | "trustly" | "trustlyeurope" | "upi" | "vipps" | "waave" | "webpay" | "wechat" | "zippay" | "abitab" | "ach" | "alma" | "arcuspaynetwork" | "autogiro" | "bancomatpay" | "banktransfer" | "bcp" | "becsnz" | "belfius" | "betalingsservice" | "billie" | "bizum" | "blik" | "breb" | "capitec" | "cashappafterpay" | "custom_push" | "custom_redirect" | "custom_tokenize" | "eckoh" | "in3" | "interac" | "kbc" | "khipu" | "konbini" | "mbway" | "mobilepay" | "mybank" | "nequi" | "nupay" | "onelink" | "onlinebankingcz" | "p24" | "pad" | "pagoefectivo" | "paybybank" | "paypay" | "paysafecard" | "paysquad" | "payvalida" | "picpay" | "rapipago" | "redpagos" | "riverty" | "satispay" | "servipag" | "seveneleven" | "stitch" | "stripe" | "stripetoken" | "swish" | "tapi" | "tapifintechs" | "twint" | "wero" | "yape" | "bank" | "paze" | "plaid" | null
  instrument_type: "pan" | "card_token" | "redirect" | "redirect_token" | "googlepay" | "applepay" | "network_token" | "plaid" | "bank" | null
  payment_method: TransactionPaymentMethod | null
  payment_service: TransactionPaymentService | null
  buyer: TransactionBuyer | null
  shipping_details: TransactionShippingDetails | null
  checkout_session_id: string | null
  gift_card_redemptions: GiftCardRedemption[]
  gift_card_service: TransactionGiftCardService | null
  /** Why the transaction was declined or failed. */
  error_code: string | null
  /** As the payment service gave it. */
  raw_response_code: string | null
  raw_response_description: string | null
  /** Whether the transaction waits for a manual review. */
  pending_review: boolean
  /** Whether the buyer disputes the transaction. */
  disputed: boolean
  reauthorized_from_transaction_id: string | null
  created_at: string
  updated_at: string
  /** The part of the authorized amount that can still be captured. Over-capture is not included. */
  capturable_amount: number
  /** Whether every instrument was authorized. Later voids and refunds do not change it. */
  intent_outcome: "pending" | "succeeded" | "failed"
  /** Whether several instruments pay. */
  multi_tender: boolean
  payment_source: "ecommerce" | "moto" | "recurring" | "installment" | "card_on_file"
  merchant_initiated: boolean
  is_subsequent_payment: boolean
  account_funding_transaction: boolean
  /** Your own notes: a map of text to text. */
  metadata: Record<string, string> | null
  cart_items: CartItem[] | null
  airline: Airline | null
  statement_descriptor: StatementDescriptor | null
  recipient: Recipient | null
  installment_count: number | null
  /** The tax in the amount. */
  tax_amount: number | null
  amount_includes_tax: boolean | null
  /** Your own tax number. */
  merchant_tax_id: string | null
  /** The number of the buyer’s order. */
  purchase_order_number: string | null
  /** The buyer’s own reference. */
  customer_reference_number: string | null
  /** The number of the supplier’s order. */
  supplier_order_number: string | null
  /** The customs duty in the amount. */
  duty_amount: number | null
  /** The shipping in the amount. */
  shipping_amount: number | null
  /** The payment service’s own id of the transaction. */
  payment_service_transaction_id: string | null
  /** Other ids that the payment service gave. */
  additional_identifiers: Record<string, string | null>
  /** The scheme’s own id of the transaction. */
  scheme_transaction_id: string | null
  /** Links payments at the scheme. */
  transaction_link_id: string | null
  auth_response_code: string | null
  /** By ISO 8583. */
  iso_response_code: string | null
  avs_response_code: "match" | "no_match" | "partial_match_address" | "partial_match_postcode" | "partial_match_name" | "unavailable" | null
  cvv_response_code: "match" | "no_match" | "unavailable" | "not_provided" | null
  merchant_advice_code: string | null
  anti_fraud_decision: "accept" | "error" | "exception" | "reject" | "review" | "skipped" | "pending" | null
  three_d_secure: TransactionThreeDSecureSummary | null
  /** For `POST /transactions/{id}/session`, while the payment waits for the buyer. Null if the payment service has no sessions. */
  session_token: string | null
  authorized_at: string | null
  captured_at: string | null
  voided_at: string | null
  canceled_at: string | null
  approval_expires_at: string | null
  buyer_approval_timedout_at: string | null
}

export type TransactionAction = {
  type: "action"
  /** The decision. */
  id: "select-payment-options" | "decline-early" | "skip-3ds" | "route-transaction"
  flow: "checkout" | "card-transaction" | "non-card-transaction" | "redirect-transaction"
  /** The rule that decided. */
  rule_id: string
  created_at: string
  /** The outcome of the rule, as it was then. */
  outcome: Record<string, unknown>
}

export type TransactionActions = {
  items: TransactionAction[]
}

export type TransactionAttempt = {
  type: "transaction-attempt"
  /** The idempotency key at the provider. */
  id: string
  transaction_id: string
  /** What was asked. */
  operation: "authorize" | "capture" | "void" | "cancel" | "refund" | "increment" | "redeem" | "reverse"
  /** The capture, refund or gift card redemption that it is about, if it is about one. */
  subject_id: string | null
  /** The payment service or gift card service that was asked. */
  service_id: string
  /** In the smallest unit of the transaction’s currency. */
  amount: number
  /** `queued`: not sent yet. `sent`: no answer yet. `unknown`: the money may have moved; the provider is asked again. `pending`: the provider has not decided. The others are final. */
  status: "queued" | "sent" | "unknown" | "pending" | "approved" | "declined" | "failed"
  /** The provider’s own id. */
  payment_service_reference: string | null
  error_code: string | null
  /** As the provider gave it. */
  raw_response_code: string | null
  raw_response_description: string | null
  /** How often the provider was asked for the outcome. */
  inquiries: number
  /** When it is sent, or asked about, next. Null once its outcome is known. */
  next_inquiry_at: string | null
  created_at: string
  updated_at: string
}

export type TransactionAttempts = {
  items: TransactionAttempt[]
  limit: number
  next_cursor: string | null
  previous_cursor: string | null
}

export type TransactionAuthorizationIncrement = {
  type: "transaction-authorization-increment"
  status: "succeeded" | "failed"
  /** Why the operation was declined or failed. */
  code: string | null
  /** As the payment service gave it. */
  raw_response_code: string | null
  raw_response_description: string | null
  transaction: Transaction
}

export type TransactionAuthorizationIncrementCreate = {
  /** The amount to add to the authorization. */
  amount: number
}

/** The buyer at the time of the payment. */
export type TransactionBuyer = {
  type: "buyer"
  /** Null if the buyer was given for this payment only. */
  id: string | null
  /** The id in base 62, 22 characters. */
  reconciliation_id: string | null
  /** Name to display. */
  display_name: string | null
  /** Your own id of the buyer. */
  external_identifier: string | null
  /** The number of the buyer’s account with you. */
  account_number: string | null
  billing_details: BillingDetails | null
}

export type TransactionCancel = {
  type: "transaction-cancel"
  status: "succeeded" | "pending" | "failed"
  /** Why the operation was declined or failed. */
  code: string | null
  /** As the payment service gave it. */
  raw_response_code: string | null
  raw_response_description: string | null
  transaction: Transaction
}

export type TransactionCapture = {
  type: "transaction-capture"
  status: "succeeded" | "pending" | "declined" | "failed"
  capture_id: string | null
  payment_service_capture_id: string | null
  external_identifier: string | null
  billing_details: BillingDetails | null
  shipping_details: TransactionShippingDetails | null
  /** Why the operation was declined or failed. */
  code: string | null
  /** As the payment service gave it. */
  raw_response_code: string | null
  raw_response_description: string | null
  transaction: Transaction
}

export type TransactionCaptureCreate = {
  /** Default: all that is authorized. */
  amount?: number | null
  /** A flight. Adyen gets it with a card; for other payment services it is kept here alone. */
  airline?: {
    /** Code of the booking. */
    booking_code?: string | null
    /** Whether the cardholder is one of the passengers. */
    is_cardholder_traveling?: boolean | null
    /** Where the ticket was issued. */
    issued_address?: string | null
    /** When the ticket was issued. */
    issued_at?: string | null
    /** IATA or ICAO code of the carrier that issued the ticket. */
    issuing_carrier_code?: string | null
    /** Name of the issuing carrier. */
    issuing_carrier_name?: string | null
    /** IATA code of the issuing carrier. */
    issuing_iata_designator?: string | null
    /** ICAO code of the issuing carrier. */
    issuing_icao_code?: string | null
    /** The PNR. */
    passenger_name_record?: string | null
    /** System in which the booking was made. */
    reservation_system?: string | null
    /** Whether the ticket cannot be refunded. */
    restricted_ticket?: boolean | null
    /** Number of the ticket. */
    ticket_number?: string | null
    /** Code of the travel agency. */
    travel_agency_code?: string | null
    /** Number of the travel agency’s invoice. */
    travel_agency_invoice_number?: string | null
    /** Name of the travel agency. */
    travel_agency_name?: string | null
    /** Plan that the travel agency sold. */
    travel_agency_plan_name?: string | null
    ticket_delivery_method?: "electronic" | "other" | null
    legs?: NewAirlineLeg[] | null
    passengers?: NewAirlinePassenger[] | null
  } | null
  cart_items?: NewCartItem[] | null
  /** Your own reference. */
  external_identifier?: string | null
  /** Whether no other capture follows. */
  final?: boolean
  /** Whether to authorize again when the authorization has expired. */
  reauthorize_if_authorization_expired?: boolean
}

export type TransactionConnectionOptions = {
  "account-updater"?: AccountUpdaterOptions | null
  "adyen-ach"?: AdyenOptions | null
  "adyen-afterpay"?: AdyenOptions | null
  "adyen-cashappafterpay"?: AdyenOptions | null
  "adyen-alipay"?: AdyenOptions | null
  "adyen-card"?: AdyenCardOptions | null
  "adyen-cashapp"?: AdyenOptions | null
  "adyen-gcash"?: AdyenOptions | null
  "adyen-giropay"?: AdyenOptions | null
  "adyen-ideal"?: AdyenOptions | null
  "adyen-konbini"?: AdyenOptions | null
  "adyen-paybybank"?: AdyenOptions | null
  "adyen-paypay"?: AdyenOptions | null
  "adyen-pix"?: AdyenPixOptions | null
  "adyen-sepa"?: AdyenSepaOptions | null
  "adyen-seveneleven"?: AdyenOptions | null
  "adyen-sofort"?: AdyenOptions | null
  "adyen-swish"?: AdyenOptions | null
  "adyen-vipps"?: AdyenOptions | null
  "affirm-affirm"?: AffirmOptions | null
  "braintree-card"?: BraintreeOptions | null
  "chaseorbital-card"?: ChaseOptions | null
  "cybersource-anti-fraud"?: CybersourceAntiFraudOptions | null
  "cybersource-card"?: CybersourceOptions | null
  "cybersource-ideal"?: CybersourceOptions | null
  "cybersource-kcp"?: CybersourceOptions | null
  "dlocal-card"?: DlocalCardOptions | null
  "dlocal-nequi"?: DlocalOptions | null
  "dlocal-upi"?: DlocalUPIOptions | null
  "dlocal-pix"?: DlocalPIXOptions | null
  "dlocal-gcash"?: DlocalOptions | null
  "ecommpay-card"?: EcommpayOptions | null
  "klarna-klarna"?: KlarnaOptions | null
  "fiserv-card"?: FiservOptions | null
  "forter-anti-fraud"?: ForterAntiFraudOptions | null
  "gem-gem"?: LatitudeOptions | null
  "gem-gemds"?: LatitudeOptions | null
  "givingblock-givingblock"?: GivingBlockOptions | null
  "gocardless-gocardless"?: GoCardlessOptions | null
  "latitude-latitude"?: LatitudeOptions | null
  "latitude-latitudeds"?: LatitudeOptions | null
  "mattilda-tapi"?: MattildaTapiOptions | null
  "mattilda-tapifintechs"?: MattildaTapiOptions | null
  "monato-spei"?: MonatoSpeiOptions | null
  "mock-card"?: MockCardOptions | null
  "mock-gift-card"?: MockGiftCardOptions | null
  "mockds-card"?: MockCardOptions | null
  "nuvei-card"?: NuveiOptions | null
  "nuvei-ideal"?: NuveiIDealOptions | null
  "nuvei-klarna"?: NuveiKlarnaOptions | null
  "nuvei-pse"?: NuveiPSEOptions | null
  "oxxo-oxxo"?: OxxoOptions | null
  "paypal-paypal"?: PaypalOptions | null
  "paypal-paypalpaylater"?: PaypalOptions | null
  "powertranz-card"?: PowertranzOptions | null
  "riskified-anti-fraud"?: RiskifiedAntiFraudOptions | null
  "stripe-affirm"?: StripeOptions | null
  "stripe-card"?: StripeCardOptions | null
  "stripe-klarna"?: StripeOptions | null
  "stripe-onelink"?: StripeOptions | null
  "stripe-stripe"?: StripeOptions | null
  "travelhub-card"?: TravelhubOptions | null
  "trustly-trustly"?: TrustlyOptions | null
  "worldpayvap-card"?: WorldpayVapOptions | null
  "wpay-everydaypay"?: WpayEverydayPayOptions | null
  "wpay-payto"?: WpayPaytoOptions | null
}

export type TransactionCreate = {
  /** In the smallest unit of the currency, gift cards included. */
  amount: number
  /** ISO 4217. */
  currency: string
  /** ISO 3166-1 alpha-2. */
  country?: string | null
  /** How the buyer pays. Required unless gift cards pay for everything. */
  payment_method?: PayWithCard | PayWithStoredMethod | PayWithCheckoutSession | PayWithRedirect | PayWithApplePay | PayWithGooglePay | PayWithGooglePayCard | PayWithClickToPay | PayWithClickToPayCard | PayWithPaze | PayWithNetworkToken | PayWithPlaid | PayWithBank | null
  gift_cards?: (PayWithNewGiftCard | PayWithStoredGiftCard)[] | null
  /** Your own reference. */
  external_identifier?: string | null
  /** Whether to capture at once. Default: the checkout session’s value, or else authorize. */
  intent?: "authorize" | "capture"
  /** Default: the checkout session’s value, or else ecommerce. */
  payment_source?: "ecommerce" | "moto" | "recurring" | "installment" | "card_on_file"
  /** Whether the merchant initiates the payment. Default: the checkout session’s value, or else false. */
  merchant_initiated?: boolean
  /** Whether it follows an earlier payment of a series. Default: the checkout session’s value, or else false. */
  is_subsequent_payment?: boolean
  /** Whether to store the payment method. */
  store?: boolean
  /** Whether to capture after we answer the request. */
  async_capture?: boolean
  /** Whether the payment funds an account. */
  account_funding_transaction?: boolean
  /** Whether less than the amount may be authorized. */
  allow_partial_authorization?: boolean
  buyer?: NewGuestBuyer | null
  /** The buyer who pays. */
  buyer_id?: string | null
  /** The same buyer, by your own reference. */
  buyer_external_identifier?: string | null
  /** Shipping details of that buyer. */
  shipping_details_id?: string | null
  /** Your own notes: a map of text to text. At most 100 pairs, names of 200 characters, texts of 2000 characters, and 16384 bytes in all, written as JSON. */
  metadata?: Record<string, string> | null
  /** What is paid for. */
  description?: string | null
  /** What is bought. Adyen, PayPal and Stripe get it with a card (levels 2 and 3), and methods that show it to the buyer, such as Klarna. */
  cart_items?: NewCartItem[] | null
  /** A flight. Adyen gets it with a card; for other payment services it is kept here alone. */
  airline?: {
    /** Code of the booking. */
    booking_code?: string | null
    /** Whether the cardholder is one of the passengers. */
    is_cardholder_traveling?: boolean | null
    /** Where the ticket was issued. */
    issued_address?: string | null
    /** When the ticket was issued. */
    issued_at?: string | null
    /** IATA or ICAO code of the carrier that issued the ticket. */
    issuing_carrier_code?: string | null
    /** Name of the issuing carrier. */
    issuing_carrier_name?: string | null
    /** IATA code of the issuing carrier. */
    issuing_iata_designator?: string | null
    /** ICAO code of the issuing carrier. */
    issuing_icao_code?: string | null
    /** The PNR. */
    passenger_name_record?: string | null
    /** System in which the booking was made. */
    reservation_system?: string | null
    /** Whether the ticket cannot be refunded. */
    restricted_ticket?: boolean | null
    /** Number of the ticket. */
    ticket_number?: string | null
    /** Code of the travel agency. */
    travel_agency_code?: string | null
    /** Number of the travel agency’s invoice. */
    travel_agency_invoice_number?: string | null
    /** Name of the travel agency. */
    travel_agency_name?: string | null
    /** Plan that the travel agency sold. */
    travel_agency_plan_name?: string | null
    ticket_delivery_method?: "electronic" | "other" | null
    legs?: NewAirlineLeg[] | null
    passengers?: NewAirlinePassenger[] | null
  } | null
  statement_descriptor?: NewStatementDescriptor | null
  recipient?: NewRecipient | null
  browser_info?: BrowserInfo | null
  installment_count?: number | null
  /** The tax in the amount. */
  tax_amount?: number | null
  amount_includes_tax?: boolean | null
  /** Your own tax number. */
  merchant_tax_id?: string | null
  /** The number of the buyer’s order. */
  purchase_order_number?: string | null
  /** The buyer’s own reference. */
  customer_reference_number?: string | null
  /** The number of the supplier’s order. */
  supplier_order_number?: string | null
  /** The customs duty in the amount. */
  duty_amount?: number | null
  /** The shipping in the amount. */
  shipping_amount?: number | null
  /** Use only this payment service. */
  payment_service_id?: string | null
  connection_options?: TransactionConnectionOptions | null
  three_d_secure?: ThreeDSecure | null
  /** The result of an authentication outside of this service. */
  three_d_secure_data?: ThreeDSecureDataV1 | ThreeDSecureDataV2 | null
  /** The scheme’s id of the first payment of a series. */
  previous_scheme_transaction_id?: string | null
  /** Links this payment to the first of a series. */
  previous_transaction_link_id?: string | null
  /** The device fingerprint from the anti-fraud script. */
  anti_fraud_fingerprint?: string | null
  integration_client?: "redirect" | "web" | "android" | "ios" | null
  /** When the time for the buyer to approve ends. */
  approval_expires_at?: string | null
}

export type TransactionDecision = {
  type: "decision"
  transaction_id: string
  /** The version of the rules. Null: there were no rules. */
  version: number | null
  /** Why the payment went where it went. */
  summary: string
  steps: DecisionStep[]
  /** The payment services, in the order in which they were to be asked. */
  candidates: DecisionCandidate[]
}

export type TransactionEvent = {
  type: "transaction-event"
  id: string
  name: "transaction-updated-status" | "transaction-sync-event" | "transaction-sync-failed-event" | "transaction-modified-event" | "transaction-api-request" | "transaction-api-response" | "bin-lookup-request" | "three-d-secure-success" | "three-d-secure-request-error" | "three-d-secure-preparation-request" | "three-d-secure-authentication-request" | "three-d-secure-result-request" | "anti-fraud-decision" | "anti-fraud-decision-error" | "anti-fraud-decision-skipped" | "anti-fraud-webhook" | "anti-fraud-transaction-status-update" | "anti-fraud-transaction-status-update-error" | "anti-fraud-decision-update" | "anti-fraud-decision-update-error" | "gift-card-redemption-succeeded" | "gift-card-redemption-failed" | "gift-card-refund-succeeded" | "gift-card-refund-failed" | "gift-card-reversal-succeeded" | "reauthorization-attempted" | "reauthorization-created" | "payment-connector-response-transaction-authorization-succeeded" | "payment-connector-response-transaction-capture-succeeded" | "payment-connector-response-transaction-authorization-failed" | "payment-connector-response-transaction-declined" | "payment-connector-response-transaction-capture-failed" | "payment-connector-response-transaction-capture-declined" | "payment-connector-response-transaction-cancel-succeeded" | "payment-connector-response-transaction-cancel-pending" | "payment-connector-response-transaction-cancel-failed" | "payment-connector-response-transaction-void-succeeded" | "payment-connector-response-transaction-authorization-increment-succeeded" | "payment-connector-response-transaction-authorization-increment-failed" | "payment-connector-response-transaction-void-declined" | "payment-connector-response-transaction-void-failed" | "payment-connector-response-transaction-refund-succeeded" | "payment-connector-response-transaction-refund-declined" | "payment-connector-response-transaction-refund-failed" | "flow-decision" | "scheme-advice-do-not-retry" | "payment-service-skipped" | "payment-service-missing" | "payment-connector-external-transaction-request" | "payment-connector-report-transaction-settled" | "payment-connector-report-refund-settled" | "payment-connector-report-chargeback-posted" | "payment-connector-report-chargeback-reversal-posted" | "payment-connector-transaction-webhook-processed" | "digital-wallet-apple-pay-token-decrypted" | "digital-wallet-google-pay-token-decrypted" | "digital-wallet-click-to-pay-token-decrypted" | "digital-wallet-paze-token-decrypted" | "network-token-provision-succeeded" | "network-token-provision-failed" | "network-token-cryptogram-provision-succeeded" | "network-token-cryptogram-provision-failed" | "the-giving-block-transaction-conversion-succeeded" | "real-time-account-update" | "plaid-request-event"
  created_at: string
  /** The details of the event. Its fields depend on the name. */
  context: Record<string, unknown>
}

export type TransactionEvents = {
  items: TransactionEvent[]
  limit: number
  next_cursor: string | null
  previous_cursor: string | null
}

export type TransactionExchange = {
  type: "transaction-exchange"
  id: string
  transaction_id: string
  /** The attempt: all exchanges about the same authorization, capture or refund. An authentication is no attempt: it has the id of the transaction. */
  attempt_id: string
  /** What the attempt is for. */
  operation: "authorize" | "capture" | "void" | "cancel" | "refund" | "increment" | "redeem" | "reverse" | "authenticate"
  /** `request` asks for the operation. `completion` completes it after the buyer’s approval. `inquiry` asks for its outcome. */
  purpose: "request" | "completion" | "inquiry"
  service_type: "payment-service" | "gift-card-service" | "three-ds-service"
  service_id: string
  /** The connector, as in `stripe-card`. */
  service_definition_id: string
  /** The key under which the provider does it once. Null if none was sent. */
  idempotency_key: string | null
  /** The `X-Request-ID` of the request that caused it. Null if a job did. */
  request_id: string | null
  /** `answered`: a whole answer came, whatever it says. `timed_out`: it did not come in time. `no_connection`: nothing was sent. `no_answer`: the connection ended before an answer; the request may have arrived. `answer_cut`: the connection ended within the answer. `answer_refused`: the answer was a redirect, or too long, and was not read. */
  outcome: "answered" | "timed_out" | "no_connection" | "no_answer" | "answer_cut" | "answer_refused"
  /** Why there was no connection. */
  reason: "name_not_found" | "name_lookup_failed" | "connection_refused" | "connection_reset" | "host_unreachable" | "certificate_expired" | "certificate_name_mismatch" | "certificate_untrusted" | "tls_failed" | null
  request: ExchangeRequest
  response: ExchangeResponse | null
  duration_ms: number
  /** When the request began. */
  created_at: string
}

export type TransactionExchanges = {
  items: TransactionExchange[]
  limit: number
  next_cursor: string | null
  previous_cursor: string | null
}

export type TransactionGiftCard = {
  type: "gift-card"
  /** Null when the gift card is not stored. */
  id: string | null
  bin: string
  sub_bin: string
  last4: string
}

export type TransactionGiftCardService = {
  type: "gift-card-service"
  id: string
  gift_card_service_definition_id: string
  display_name: string
}

export type TransactionPaymentMethod = {
  type: "payment-method"
  /** Null when the payment method is not stored. */
  id: string | null
  method: "affirm" | "afterpay" | "alipay" | "alipayhk" | "applepay" | "bacs" | "bancontact" | "banked" | "becs" | "bitpay" | "boleto" | "boost" | "card" | "cashapp" | "chaseorbital" | "checkout-session" | "clearpay" | "click-to-pay" | "dana" | "dcb" | "dlocal" | "ebanx" | "efecty" | "eps" | "everydaypay" | "gcash" | "gem" | "gemds" | "gift-card" | "giropay" | "givingblock" | "gocardless" | "googlepay" | "googlepay_pan_only" | "gopay" | "grabpay" | "id" | "ideal" | "kakaopay" | "kcp" | "klarna" | "latitude" | "latitudeds" | "laybuy" | "linepay" | "linkaja" | "maybankqrpay" | "mercadopago" | "multibanco" | "multipago" | "netbanking" | "network-token" | "oney_3x" | "oney_4x" | "oney_6x" | "oney_10x" | "oney_12x" | "ovo" | "oxxo" | "payid" | "paymaya" | "paypal" | "paypalpaylater" | "payto" | "venmo" | "pix" | "pse" | "rabbitlinepay" | "razorpay" | "scalapay" | "sepa" | "shopeepay" | "singteldash" | "smartpay" | "sofort" | "spei" | "stripedd" | "thaiqr" | "touchngo" | "truemoney" | "trustly" | "trustlyeurope" | "upi" | "vipps" | "waave" | "webpay" | "wechat" | "zippay" | "abitab" | "ach" | "alma" | "arcuspaynetwork" | "autogiro" | "bancomatpay" | "banktransfer" | "bcp" | "becsnz" | "belfius" | "betalingsservice" | "billie" | "bizum" | "blik" | "breb" | "capitec" | "cashappafterpay" | "custom_push" | "custom_redirect" | "custom_tokenize" | "eckoh" | "in3" | "interac" | "kbc" | "khipu" | "konbini" | "mbway" | "mobilepay" | "mybank" | "nequi" | "nupay" | "onelink" | "onlinebankingcz" | "p24" | "pad" | "pagoefectivo" | "paybybank" | "paypay" | "paysafecard" | "paysquad" | "payvalida" | "picpay" | "rapipago" | "redpagos" | "riverty" | "satispay" | "servipag" | "seveneleven" | "stitch" | "stripe" | "stripetoken" | "swish" | "tapi" | "tapifintechs" | "twint" | "wero" | "yape" | "bank" | "paze" | "plaid"
  mode: "card" | "redirect" | "applepay" | "googlepay" | "checkout-session" | "click-to-pay" | "gift-card" | "bank" | "paze" | null
  /** The last four digits of a card. */
  label: string | null
  scheme: "accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa" | null
  /** MM/YY. */
  expiration_date: string | null
  details: PaymentMethodCardDetails | null
  /** The same for the same card, also when different buyers stored it. */
  fingerprint: string | null
  /** The same for all cards and tokens of one account. */
  payment_account_reference: string | null
  /** Where the buyer approves. Null when no approval is needed. */
  approval_url: string | null
  approval_target: "any" | "new_window" | null
  country: string | null
  currency: string | null
  /** Your own reference. */
  external_identifier: string | null
  last_replaced_at: string | null
}

export type TransactionPaymentService = {
  type: "payment-service"
  id: string
  payment_service_definition_id: string
  method: string
  display_name: string
}

/** Every try to authorize a payment, one a line. At most 16384 bytes, written as JSON. */
export type TransactionRetriesReportSpec = {
  model: "transaction_retries"
  params: {
    filters?: {
      /** When the payment was created. Start and end are part of the range; one of them may be null. A placeholder is about the day, week or month that ends at the reference time of the execution, or else is under way then, in the time zone of the report. */
      created_at?: {
        /** The first moment. A date and time (UTC if it has no zone), or one of day_start, day_end, week_start, week_end, month_start, month_end. */
        start?: string | null
        /** The last moment. A date and time (UTC if it has no zone), or one of day_start, day_end, week_start, week_end, month_start, month_end. */
        end?: string | null
      }
    }
  }
}

export type TransactionReviewCreate = {
  /** `accept` captures the payment if its `intent` is `capture`. `reject` releases its money. */
  decision: "accept" | "reject"
}

export type TransactionSession = {
  /** What the provider’s script needs. Each provider has its own fields. */
  session_data: Record<string, unknown> | null
  /** Where to send the buyer after approving. We ask the provider for the outcome there, and lead back to your shop. */
  default_completion_url: string
  /** As in the request of the payment; `redirect` if it named none. */
  integration_client: "redirect" | "web" | "android" | "ios"
}

/** The shipping details at the time of the payment. */
export type TransactionShippingDetails = {
  type: "shipping-details"
  id: string | null
  buyer_id: string | null
  /** First name. */
  first_name: string | null
  /** Last name. */
  last_name: string | null
  /** E-mail address. */
  email_address: string | null
  /** E.164: a plus, then up to 15 digits. */
  phone_number: string | null
  address: Address | null
}

export type TransactionSummary = {
  type: "transaction"
  id: string
  /** The id in base 62, 22 characters. */
  reconciliation_id: string
  merchant_account_id: string
  /** Your own reference. */
  external_identifier: string | null
  status: "processing" | "buyer_approval_pending" | "authorization_succeeded" | "authorization_failed" | "authorization_declined" | "capture_pending" | "capture_succeeded" | "authorization_void_pending" | "authorization_voided"
  intent: "authorize" | "capture"
  /** The requested amount, gift cards included. */
  amount: number
  /** ISO 4217. */
  currency: string
  /** ISO 3166-1 alpha-2. */
  country: string | null
  /** Without gift cards. */
  authorized_amount: number
  captured_amount: number
  refunded_amount: number
  settled: boolean
  settled_amount: number
  /** ISO 4217. */
  settled_currency: string | null
  method: "affirm" | "afterpay" | "alipay" | "alipayhk" | "applepay" | "bacs" | "bancontact" | "banked" | "becs" | "bitpay" | "boleto" | "boost" | "card" | "cashapp" | "chaseorbital" | "checkout-session" | "clearpay" | "click-to-pay" | "dana" | "dcb" | "dlocal" | "ebanx" | "efecty" | "eps" | "everydaypay" | "gcash" | "gem" | "gemds" | "gift-card" | "giropay" | "givingblock" | "gocardless" | "googlepay" | "googlepay_pan_only" | "gopay" | "grabpay" | "id" | "ideal" | "kakaopay" | "kcp" | "klarna" | "latitude" | "latitudeds" | "laybuy" | "linepay" | "linkaja" | "maybankqrpay" | "mercadopago" | "multibanco" | "multipago" | "netbanking" | "network-token" | "oney_3x" | "oney_4x" | "oney_6x" | "oney_10x" | "oney_12x" | "ovo" | "oxxo" | "payid" | "paymaya" | "paypal" | "paypalpaylater" | "payto" | "venmo" | "pix" | "pse" | "rabbitlinepay" | "razorpay" | "scalapay" | "sepa" | "shopeepay" | "singteldash" | "smartpay" | "sofort" | "spei" | "stripedd" | "thaiqr" | "touchngo" | "truemoney" | "trustly" | "trustlyeurope" | "upi" | "vipps" | "waave" | "webpay" | "wechat" | "zippay" | "abitab" | "ach" | "alma" | "arcuspaynetwork" | "autogiro" | "bancomatpay" | "banktransfer" | "bcp" | "becsnz" | "belfius" | "betalingsservice" | "billie" | "bizum" | "blik" | "breb" | "capitec" | "cashappafterpay" | "custom_push" | "custom_redirect" | "custom_tokenize" | "eckoh" | "in3" | "interac" | "kbc" | "khipu" | "konbini" | "mbway" | "mobilepay" | "mybank" | "nequi" | "nupay" | "onelink" | "onlinebankingcz" | "p24" | "pad" | "pagoefectivo" | "paybybank" | "paypay" | "paysafecard" | "paysquad" | "payvalida" | "picpay" | "rapipago" | "redpagos" | "riverty" | "satispay" | "servipag" | "seveneleven" | "stitch" | "stripe" | "stripetoken" | "swish" | "tapi" | "tapifintechs" | "twint" | "wero" | "yape" | "bank" | "paze" | "plaid" | null
  instrument_type: "pan" | "card_token" | "redirect" | "redirect_token" | "googlepay" | "applepay" | "network_token" | "plaid" | "bank" | null
  payment_method: TransactionPaymentMethod | null
  payment_service: TransactionPaymentService | null
  buyer: TransactionBuyer | null
  shipping_details: TransactionShippingDetails | null
  checkout_session_id: string | null
  gift_card_redemptions: GiftCardRedemption[]
  gift_card_service: TransactionGiftCardService | null
  /** Why the transaction was declined or failed. */
  error_code: string | null
  /** As the payment service gave it. */
  raw_response_code: string | null
  raw_response_description: string | null
  /** Whether the transaction waits for a manual review. */
  pending_review: boolean
  /** Whether the buyer disputes the transaction. */
  disputed: boolean
  reauthorized_from_transaction_id: string | null
  created_at: string
  updated_at: string
}

export type TransactionThreeDSecureSummary = {
  /** Version of 3-D Secure. */
  version: string | null
  /** `setup_error`: the authentication could not be begun. `error`: the issuer could not be asked. Null while the buyer decides. */
  status: "setup_error" | "error" | "declined" | "cancelled" | "complete" | null
  method: "challenge" | "frictionless" | null
  response_data: ThreeDSecureV1 | ThreeDSecureV2 | null
  error_data: ThreeDSecureError | null
  amount: number | null
}

export type TransactionUpdate = {
  status?: "processing" | "buyer_approval_pending" | "authorization_succeeded" | "authorization_failed" | "authorization_declined" | "capture_pending" | "capture_succeeded" | "authorization_void_pending" | "authorization_voided" | null
  amount?: number | null
  authorized_amount?: number | null
  captured_amount?: number | null
  /** The payment service’s own id of the transaction. */
  payment_service_transaction_id?: string | null
  /** Your own reference. */
  external_identifier?: string | null
  /** Your own notes: a map of text to text. At most 100 pairs, names of 200 characters, texts of 2000 characters, and 16384 bytes in all, written as JSON. */
  metadata?: Record<string, string> | null
  connection_options?: TransactionConnectionOptions | null
}

export type TransactionVoid = {
  type: "transaction-void"
  status: "succeeded" | "pending" | "declined" | "failed"
  /** Why the operation was declined or failed. */
  code: string | null
  /** As the payment service gave it. */
  raw_response_code: string | null
  raw_response_description: string | null
  transaction: Transaction
}

export type Transactions = {
  items: TransactionSummary[]
  limit: number
  next_cursor: string | null
  previous_cursor: string | null
}

/** Payments, one a line. At most 16384 bytes, written as JSON. */
export type TransactionsReportSpec = {
  model: "transactions"
  params: {
    /** The columns of the file, in this order. Default: all. */
    fields?: ("id" | "external_identifier" | "status" | "created_at" | "updated_at" | "authorized_at" | "captured_at" | "voided_at" | "amount" | "currency" | "authorized_amount" | "captured_amount" | "refunded_amount" | "method" | "scheme" | "payment_service_transaction_id" | "payment_service_id" | "payment_service_definition_id" | "payment_service_display_name" | "auth_response_code" | "raw_response_code" | "raw_response_description" | "error_code" | "intent_outcome" | "metadata" | "payment_source" | "is_subsequent_payment" | "merchant_initiated" | "three_d_secure_status" | "three_d_secure_eci" | "three_d_secure_auth_resp" | "three_d_secure_method" | "buyer_external_identifier" | "billing_details_first_name" | "billing_details_last_name" | "billing_details_email_address" | "billing_details_phone_number" | "billing_details_address_organization" | "billing_details_address_house_number_or_name" | "billing_details_address_line1" | "billing_details_address_line2" | "billing_details_address_postal_code" | "billing_details_address_city" | "billing_details_address_state" | "billing_details_address_state_code" | "billing_details_address_country" | "billing_details_tax_id_value" | "billing_details_tax_id_kind" | "gift_card_redemptions_amount" | "gift_card_redemption_refunds_amount" | "settled" | "settled_currency" | "settled_amount")[]
    /** A payment must match all filters, and one of the values of each. */
    filters?: {
      /** When the payment was created. Start and end are part of the range; one of them may be null. A placeholder is about the day, week or month that ends at the reference time of the execution, or else is under way then, in the time zone of the report. */
      created_at?: {
        /** The first moment. A date and time (UTC if it has no zone), or one of day_start, day_end, week_start, week_end, month_start, month_end. */
        start?: string | null
        /** The last moment. A date and time (UTC if it has no zone), or one of day_start, day_end, week_start, week_end, month_start, month_end. */
        end?: string | null
      }
      /** When the payment last changed. Start and end are part of the range; one of them may be null. A placeholder is about the day, week or month that ends at the reference time of the execution, or else is under way then, in the time zone of the report. */
      updated_at?: {
        /** The first moment. A date and time (UTC if it has no zone), or one of day_start, day_end, week_start, week_end, month_start, month_end. */
        start?: string | null
        /** The last moment. A date and time (UTC if it has no zone), or one of day_start, day_end, week_start, week_end, month_start, month_end. */
        end?: string | null
      }
      /** When the payment was authorized. Start and end are part of the range; one of them may be null. A placeholder is about the day, week or month that ends at the reference time of the execution, or else is under way then, in the time zone of the report. */
      authorized_at?: {
        /** The first moment. A date and time (UTC if it has no zone), or one of day_start, day_end, week_start, week_end, month_start, month_end. */
        start?: string | null
        /** The last moment. A date and time (UTC if it has no zone), or one of day_start, day_end, week_start, week_end, month_start, month_end. */
        end?: string | null
      }
      /** When the payment was captured. Start and end are part of the range; one of them may be null. A placeholder is about the day, week or month that ends at the reference time of the execution, or else is under way then, in the time zone of the report. */
      captured_at?: {
        /** The first moment. A date and time (UTC if it has no zone), or one of day_start, day_end, week_start, week_end, month_start, month_end. */
        start?: string | null
        /** The last moment. A date and time (UTC if it has no zone), or one of day_start, day_end, week_start, week_end, month_start, month_end. */
        end?: string | null
      }
      /** When the payment was voided. Start and end are part of the range; one of them may be null. A placeholder is about the day, week or month that ends at the reference time of the execution, or else is under way then, in the time zone of the report. */
      voided_at?: {
        /** The first moment. A date and time (UTC if it has no zone), or one of day_start, day_end, week_start, week_end, month_start, month_end. */
        start?: string | null
        /** The last moment. A date and time (UTC if it has no zone), or one of day_start, day_end, week_start, week_end, month_start, month_end. */
        end?: string | null
      }
      status?: ("processing" | "buyer_approval_pending" | "authorization_succeeded" | "authorization_failed" | "authorization_declined" | "capture_pending" | "capture_succeeded" | "authorization_void_pending" | "authorization_voided")[]
      currency?: string[]
      method?: ("affirm" | "afterpay" | "alipay" | "alipayhk" | "applepay" | "bacs" | "bancontact" | "banked" | "becs" | "bitpay" | "boleto" | "boost" | "card" | "cashapp" | "chaseorbital" | "checkout-session" | "clearpay" | "click-to-pay" | "dana" | "dcb" | "dlocal" | "ebanx" | "efecty" | "eps" | "everydaypay" | "gcash" | "gem" | "gemds" | "gift-card" | "giropay" | "givingblock" | "gocardless" | "googlepay" | "googlepay_pan_only" | "gopay" | "grabpay" | "id" | "ideal" | "kakaopay" | "kcp" | "klarna" | "latitude" | "latitudeds" | "laybuy" | "linepay" | "linkaja" | "maybankqrpay" | "mercadopago" | "multibanco" | "multipago" | "netbanking" | "network-token" | "oney_3x" | "oney_4x" | "oney_6x" | "oney_10x" | "oney_12x" | "ovo" | "oxxo" | "payid" | "paymaya" | "paypal" | "paypalpaylater" | "payto" | "venmo" | "pix" | "pse" | "rabbitlinepay" | "razorpay" | "scalapay" | "sepa" | "shopeepay" | "singteldash" | "smartpay" | "sofort" | "spei" | "stripedd" | "thaiqr" | "touchngo" | "truemoney" | "trustly" | "trustlyeurope" | "upi" | "vipps" | "waave" | "webpay" | "wechat" | "zippay" | "abitab" | "ach" | "alma" | "arcuspaynetwork" | "autogiro" | "bancomatpay" | "banktransfer" | "bcp" | "becsnz" | "belfius" | "betalingsservice" | "billie" | "bizum" | "blik" | "breb" | "capitec" | "cashappafterpay" | "custom_push" | "custom_redirect" | "custom_tokenize" | "eckoh" | "in3" | "interac" | "kbc" | "khipu" | "konbini" | "mbway" | "mobilepay" | "mybank" | "nequi" | "nupay" | "onelink" | "onlinebankingcz" | "p24" | "pad" | "pagoefectivo" | "paybybank" | "paypay" | "paysafecard" | "paysquad" | "payvalida" | "picpay" | "rapipago" | "redpagos" | "riverty" | "satispay" | "servipag" | "seveneleven" | "stitch" | "stripe" | "stripetoken" | "swish" | "tapi" | "tapifintechs" | "twint" | "wero" | "yape" | "bank" | "paze" | "plaid")[]
      scheme?: ("accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa")[]
      /** Pairs of text, all of which the metadata must have. A list of objects is read as one object. */
      metadata?: Record<string, string> | Record<string, string>[]
      payment_source?: ("ecommerce" | "moto" | "recurring" | "installment" | "card_on_file")[]
      merchant_initiated?: boolean
      is_subsequent_payment?: boolean
      three_d_secure_status?: ("setup_error" | "error" | "declined" | "cancelled" | "complete")[]
      three_d_secure_eci?: string[]
      three_d_secure_auth_resp?: string[]
      three_d_secure_method?: ("challenge" | "frictionless")[]
    }
    /** Default: by `created_at`, oldest first. */
    sort?: {
      field: "id" | "external_identifier" | "status" | "created_at" | "updated_at" | "authorized_at" | "captured_at" | "voided_at" | "amount" | "currency" | "authorized_amount" | "captured_amount" | "refunded_amount" | "method" | "scheme" | "payment_service_transaction_id" | "payment_service_id" | "payment_service_definition_id" | "payment_service_display_name" | "auth_response_code" | "raw_response_code" | "raw_response_description" | "error_code" | "intent_outcome" | "metadata" | "payment_source" | "is_subsequent_payment" | "merchant_initiated" | "three_d_secure_status" | "three_d_secure_eci" | "three_d_secure_auth_resp" | "three_d_secure_method" | "buyer_external_identifier" | "billing_details_first_name" | "billing_details_last_name" | "billing_details_email_address" | "billing_details_phone_number" | "billing_details_address_organization" | "billing_details_address_house_number_or_name" | "billing_details_address_line1" | "billing_details_address_line2" | "billing_details_address_postal_code" | "billing_details_address_city" | "billing_details_address_state" | "billing_details_address_state_code" | "billing_details_address_country" | "billing_details_tax_id_value" | "billing_details_tax_id_kind" | "gift_card_redemptions_amount" | "gift_card_redemption_refunds_amount" | "settled" | "settled_currency" | "settled_amount"
      /** Default: `asc`. */
      order?: "asc" | "desc"
    }[]
  }
}

export type TravelHubCustomData = {
  name: string
  value: string
  type?: string | null
}

export type TravelhubOptions = {
  customData?: TravelHubCustomData[] | null
  companyName?: string | null
}

export type TrustlyOptions = {
  refreshSplitToken?: boolean | null
}

export type UnreadReportFile = {
  /** As the payment service names it. */
  name: string
  published_at: string
  /** Why it could not be read the last time. */
  problem: string | null
  tries: number
  next_try_at: string | null
}

export type UnregisterDigitalWalletDomain = {
  domain_name: string
}

export type UpdateAPIKeyPair = {
  /** Name to display. */
  display_name?: string | null
  active?: boolean | null
  /** What the key may do: roles by id or slug. Only roles that the caller’s own key covers. */
  role_ids?: string[] | null
  /** The merchant accounts the key may act on. Empty means all. The first is the default for requests that name none. */
  merchant_account_ids?: string[] | null
}

export type UpdateAccountUpdaterService = {
  display_name?: string | null
  fields?: AccountUpdaterServiceFieldChange[] | null
  /** Whether the service is asked about stored cards. One service of an account can be active. */
  active?: boolean | null
}

export type UpdateAntiFraudService = {
  display_name?: string | null
  fields?: AntiFraudServiceFieldChange[] | null
  /** Whether the service is asked about payments. One service of an account can be active. */
  active?: boolean | null
  /** Whether a payment that needs a review is held until a reviewer has decided. */
  reviews_enabled?: boolean | null
  /** Whether the service is asked beside the active one, some minutes after a payment. Its decisions are recorded, and change nothing. A silent service is not active. */
  silent?: boolean | null
}

export type UpdateBuyer = {
  /** Name to display. */
  display_name?: string | null
  /** Your own id of the buyer. No two buyers of a merchant account share one. */
  external_identifier?: string | null
  /** The number of the buyer’s account with you. */
  account_number?: string | null
  billing_details?: NewBillingDetails | null
}

export type UpdateCheckoutPage = {
  /** The language of the page. Null: as the buyer’s browser asks. */
  locale?: "en" | "en-GB" | "de" | "fr" | "es" | "pt" | "pt-BR" | "it" | "nl" | "pl" | "sv" | "da" | "nb" | "fi" | "cs" | "hu" | "ro" | "tr" | "el" | "uk" | "vi" | "ja" | "ko" | "zh" | "zh-TW" | "th" | "ar" | "he" | null
  /** Where the page leads the buyer after the payment. The payment’s id and status are added to it. */
  return_url?: string | null
  /** Where the page leads a buyer who does not want to pay, such as to the cart. Null: to `return_url`, and without it nowhere. */
  cancel_url?: string | null
  /** Your own reference for the payment. */
  external_identifier?: string | null
  /** Whether a typed card is stored for the buyer that the session names by `buyer.external_identifier`. A buyer that does not exist yet is created with the first card that is stored. `ask` lets the buyer decide, and needs such a session. `always` with a session that names nobody stores the card without a buyer. */
  store?: "never" | "ask" | "always"
  /** Whether the page asks for the security code of a stored card. */
  ask_security_code?: boolean
  /** The origins whose pages may show this page in a frame. Empty: none. */
  allowed_origins?: string[]
  /** What the page asks of the buyer beside how to pay, unless the order’s buyer has it already. The payment’s buyer gets it. `name` is also the name of the delivery, if a `shipping_address` is asked for. */
  required_fields?: ("email_address" | "name" | "phone_number" | "billing_address" | "shipping_address")[]
}

export type UpdateCheckoutSession = {
  /** Your own notes: a map of text to text. At most 100 pairs, names of 200 characters, texts of 2000 characters, and 16384 bytes in all, written as JSON. */
  metadata?: Record<string, string> | null
  /** The amount to pay, in the smallest unit of the currency. */
  amount?: number | null
  /** ISO 4217. */
  currency?: string | null
  /** ISO 3166-1 alpha-2. */
  country?: string | null
  /** Use only this payment service. */
  payment_service_id?: string | null
  /** Whether to capture at once. */
  intent?: "authorize" | "capture" | null
  /** The source of the payment. */
  payment_source?: "ecommerce" | "moto" | "recurring" | "installment" | "card_on_file" | null
  /** Whether the merchant initiates the payment. */
  merchant_initiated?: boolean | null
  /** Whether the payment follows an earlier one with the same card. */
  is_subsequent_payment?: boolean | null
  cart_items?: NewCartItem[] | null
  buyer?: NewGuestBuyer | null
  /** A flight. Adyen gets it with a card; for other payment services it is kept here alone. */
  airline?: {
    /** Code of the booking. */
    booking_code?: string | null
    /** Whether the cardholder is one of the passengers. */
    is_cardholder_traveling?: boolean | null
    /** Where the ticket was issued. */
    issued_address?: string | null
    /** When the ticket was issued. */
    issued_at?: string | null
    /** IATA or ICAO code of the carrier that issued the ticket. */
    issuing_carrier_code?: string | null
    /** Name of the issuing carrier. */
    issuing_carrier_name?: string | null
    /** IATA code of the issuing carrier. */
    issuing_iata_designator?: string | null
    /** ICAO code of the issuing carrier. */
    issuing_icao_code?: string | null
    /** The PNR. */
    passenger_name_record?: string | null
    /** System in which the booking was made. */
    reservation_system?: string | null
    /** Whether the ticket cannot be refunded. */
    restricted_ticket?: boolean | null
    /** Number of the ticket. */
    ticket_number?: string | null
    /** Code of the travel agency. */
    travel_agency_code?: string | null
    /** Number of the travel agency’s invoice. */
    travel_agency_invoice_number?: string | null
    /** Name of the travel agency. */
    travel_agency_name?: string | null
    /** Plan that the travel agency sold. */
    travel_agency_plan_name?: string | null
    ticket_delivery_method?: "electronic" | "other" | null
    legs?: NewAirlineLeg[] | null
    passengers?: NewAirlinePassenger[] | null
  } | null
  /** Seconds from now until the session expires. Default: unchanged. */
  expires_in?: number
}

export type UpdateDigitalWallet = {
  /** The name of the merchant, as the provider knows it. */
  merchant_name?: string | null
  /** The hosts of pages that show the wallet’s button. */
  domain_names?: string[] | null
  /** The name that the buyer sees. */
  merchant_display_name?: string | null
  merchant_url?: string | null
  /** ISO 3166-1 alpha-2. */
  merchant_country_code?: string | null
  /** ISO 18245. */
  merchant_category_code?: string | null
  address?: DigitalWalletAddress | null
  /** Settings of one provider. Apple: `domain_associations`, the files that prove a domain, by domain. Click to Pay: `digital_payment_application_id`. Google: `merchant_id`, what Google calls you, and `official_button`, whether our pages show Google’s own button, with its script. Paze: `client_id` and `profile_id`. Other fields are kept and not used. */
  extra_configuration?: Record<string, unknown> | null
}

export type UpdateGiftCardService = {
  display_name?: string | null
  fields?: GiftCardServiceFieldChange[] | null
  /** Whether gift cards are looked up and redeemed with this service. One service of an account can be active. */
  active?: boolean | null
}

export type UpdateMerchantAccount = {
  /** Name to display. */
  display_name?: string | null
  /** Whether the account updater keeps stored cards current. */
  account_updater_enabled?: boolean
  /** Key that encrypts requests to the account updater. Answers show it as `********`. */
  account_updater_request_encryption_key?: string | null
  /** Id of that key. */
  account_updater_request_encryption_key_id?: string | null
  /** Key that decrypts answers of the account updater. Answers show it as `********`. */
  account_updater_response_decryption_key?: string | null
  /** Id of that key. */
  account_updater_response_decryption_key_id?: string | null
  /** How much more than authorized may be captured, in minor units. */
  over_capture_amount?: number | null
  /** How much more than authorized may be captured, in percent. */
  over_capture_percentage?: number | null
  /** Client key of the account updater service. Answers show it as `********`. */
  loon_client_key?: string | null
  /** Secret key of the account updater service. Answers show it as `********`. */
  loon_secret_key?: string | null
  loon_accepted_schemes?: ("accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa")[] | null
  /** The account’s name at the account updater service. */
  loon_merchant_account_id?: string | null
  /** Token requestor at Visa. */
  visa_network_tokens_requestor_id?: string | null
  /** Application at Visa. */
  visa_network_tokens_app_id?: string | null
  /** Token requestor at American Express. */
  amex_network_tokens_requestor_id?: string | null
  /** Application at American Express. */
  amex_network_tokens_app_id?: string | null
  /** Token requestor at Mastercard. */
  mastercard_network_tokens_requestor_id?: string | null
  /** Application at Mastercard. */
  mastercard_network_tokens_app_id?: string | null
  /** Token requestor at Discover. */
  discover_network_tokens_requestor_id?: string | null
  /** Application at Discover. */
  discover_network_tokens_app_id?: string | null
  /** Whether each card that is stored gets a network token, after the request is answered. */
  async_network_tokens_enabled?: boolean
}

export type UpdateNetworkTokenService = {
  display_name?: string | null
  fields?: NetworkTokenServiceFieldChange[] | null
  /** Whether the service makes new tokens. One service of an account can be active. */
  active?: boolean | null
}

export type UpdatePaymentMethod = {
  /** MM/YY. */
  expiration_date?: string | null
  /** The scheme’s id of the first payment. */
  scheme_transaction_id?: string | null
  scheme_transaction_id_scheme?: "accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa" | null
  /** Links payments at the scheme. */
  transaction_link_id?: string | null
}

export type UpdatePaymentService = {
  display_name?: string | null
  fields?: PaymentServiceFieldChange[] | null
  reporting_fields?: PaymentServiceFieldChange[] | null
  /** The order in which services are tried, lowest first. A new service comes last. */
  position?: number | null
  /** ISO 4217. */
  accepted_currencies?: string[] | null
  /** ISO 3166-1 alpha-2. */
  accepted_countries?: string[] | null
  /** Whether new payments can use the service. */
  active?: boolean | null
  three_d_secure_enabled?: boolean | null
  /** The merchant’s details for each card scheme, for 3-D Secure. */
  merchant_profile?: {
    accel?: MerchantProfileScheme | null
    amex?: MerchantProfileScheme | null
    bancontact?: MerchantProfileScheme | null
    "carte-bancaire"?: MerchantProfileScheme | null
    cirrus?: MerchantProfileScheme | null
    culiance?: MerchantProfileScheme | null
    dankort?: MerchantProfileScheme | null
    "diners-club"?: MerchantProfileScheme | null
    discover?: MerchantProfileScheme | null
    "eftpos-australia"?: MerchantProfileScheme | null
    elo?: MerchantProfileScheme | null
    hipercard?: MerchantProfileScheme | null
    jcb?: MerchantProfileScheme | null
    maestro?: MerchantProfileScheme | null
    mastercard?: MerchantProfileScheme | null
    mir?: MerchantProfileScheme | null
    nyce?: MerchantProfileScheme | null
    other?: MerchantProfileScheme | null
    pulse?: MerchantProfileScheme | null
    qcard?: MerchantProfileScheme | null
    rupay?: MerchantProfileScheme | null
    star?: MerchantProfileScheme | null
    uatp?: MerchantProfileScheme | null
    unionpay?: MerchantProfileScheme | null
    visa?: MerchantProfileScheme | null
  } | null
  payment_method_tokenization_enabled?: boolean | null
  network_tokens_enabled?: boolean | null
  open_loop?: boolean | null
  settlement_reporting_enabled?: boolean | null
}

export type UpdateShippingDetails = {
  /** First name. */
  first_name?: string | null
  /** Last name. */
  last_name?: string | null
  /** E-mail address. */
  email_address?: string | null
  /** E.164: a plus, then up to 15 digits. */
  phone_number?: string | null
  address?: NewAddress | null
}

export type UpdateTheme = {
  /** The colour of buttons and links, as CSS writes it. It must have a contrast of 4.5 : 1 with white, so that everyone can read it. */
  accent_color?: string | null
  /** The same for buyers who use dark pages. Null: a lighter shade of `accent_color`. It must have a contrast of 4.5 : 1 with #121918. */
  accent_color_dark?: string | null
  /** How round the corners are. */
  radius?: "none" | "small" | "medium" | "large" | null
  /** The font. All but `geist` are fonts of the buyer’s device. */
  font?: "geist" | "system" | "humanist" | "rounded" | "serif" | "mono" | null
  logo?: NewThemeLogo | null
}

export type UpdateThreeDSConfiguration = {
  scheme?: "accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa" | null
  merchant_acquirer_bin?: string | null
  merchant_acquirer_id?: string | null
  merchant_name?: string | null
  /** ISO 3166-1, numeric or alpha-2. Kept as it is sent. */
  merchant_country_code?: string | null
  /** ISO 18245. */
  merchant_category_code?: string | null
  merchant_url?: string | null
  /** Your own notes: a map of text to text. At most 100 pairs, names of 200 characters, texts of 2000 characters, and 16384 bytes in all, written as JSON. */
  metadata?: Record<string, string> | null
  /** ISO 4217; null for every currency without a configuration of its own. */
  currency?: string | null
}

export type UpdateThreeDSScenario = {
  conditions?: ChangedThreeDSScenarioConditions | null
  outcome?: NewThreeDSScenarioOutcome | null
}

export type UpdateThreeDSService = {
  display_name?: string | null
  fields?: ThreeDSServiceFieldChange[] | null
  /** Whether the service authenticates buyers. One service of an account can be active. */
  active?: boolean | null
}

export type UpdateTransactionSession = {
  /** What the provider’s script asks for. We pass it on unchanged. */
  payload?: Record<string, unknown> | null
}

export type UpdateUser = {
  /** The name of the person, as the audit log shows it. */
  name?: string | null
  /** `disabled` ends all sessions of the user, at once. */
  status?: "active" | "disabled" | null
  /** What the user may do: roles by id or slug. Only roles whose permissions you have yourself. */
  role_ids?: string[] | null
  /** The merchant accounts that the user may act on. Empty means all. The first is the default. */
  merchant_account_ids?: string[] | null
}

export type UpdateWebhookSubscription = {
  active?: boolean | null
  /** Where events are sent: https in production, http or https in a sandbox, without credentials, and not a private address unless `WEBHOOK_ALLOW_CIDRS` allows it. */
  url?: string | null
  authentication?: NewWebhookAuthentication | null
  /** The events that are sent: names such as `refund.failed`, and groups such as `transaction.*`. Null: all events. */
  events?: string[] | null
}

export type User = {
  type: "user"
  id: string
  name: string
  email_address: string
  /** `pending`: invited, and has not signed in yet. `disabled`: cannot sign in until made active again. */
  status: "pending" | "active" | "disabled"
  roles: Role[]
  /** Whether the user can sign in with a passkey. */
  has_passkey: boolean
  /** Whether the user can prove who they are with more than a password: a passkey, or a code. */
  has_second_factor: boolean
  /** Whether the user signs in at the identity provider, which decides what they may do. */
  has_oidc: boolean
  /** Empty means all merchant accounts. */
  merchant_accounts: {
    id: string
    display_name: string
  }[]
  creator: {
    id: string
    name: string
  } | null
  last_signed_in_at: string | null
  created_at: string
  updated_at: string
}

export type Users = {
  items: User[]
  limit: number
  next_cursor: string | null
  previous_cursor: string | null
}

export type VaultForwardAuthentication = {
  type: "vault-forward-authentication"
  id: string
  merchant_account_id: string
  /** What you call it. */
  display_name: string
  host: string
  kind: "mutual_tls" | "hmac"
  /** The certificate, in PEM. */
  certificate?: string
  /** The header with the signature. */
  header?: string
  /** The hash of the HMAC. */
  algorithm?: "sha256" | "sha512"
  /** How the signature is written. */
  encoding?: "hex" | "base64"
  created_at: string
  updated_at: string
}

export type VaultForwardAuthentications = {
  items: VaultForwardAuthentication[]
  limit: number
  next_cursor: string | null
  previous_cursor: string | null
}

export type VaultForwardEndpoint = {
  type: "vault-forward-endpoint"
  id: string
  merchant_account_id: string
  host: string
  /** The paths that are enabled, each with what is below it. An empty list: all paths. */
  paths: string[]
  /** The methods that are enabled. */
  methods: ("POST" | "PUT" | "PATCH")[]
  created_at: string
  updated_at: string
}

export type VaultForwardEndpoints = {
  items: VaultForwardEndpoint[]
  limit: number
  next_cursor: string | null
  previous_cursor: string | null
}

export type VerifiedCredentials = {}

export type VerifyCredentials = {
  /** The provider and the method, as in `mock-card`. */
  payment_service_definition_id: string
  /** A service whose stored fields fill the gaps. */
  payment_service_id?: string | null
  fields: PaymentServiceField[]
}

/** What the button of a wallet needs. */
export type WalletPaymentOptionContext = {
  /** The name that buyers see. */
  merchant_name: string
  /** The card schemes of the wallet. */
  supported_schemes: string[]
}

export type WebhookAttempt = {
  type: "webhook-attempt"
  number: number
  outcome: "delivered" | "refused" | "timed_out" | "unreachable" | "answer_broken" | "address_refused" | "token_refused"
  /** Why no connection could be made, if `outcome` is `unreachable`. */
  reason: "name_not_found" | "name_lookup_failed" | "connection_refused" | "connection_reset" | "host_unreachable" | "certificate_expired" | "certificate_name_mismatch" | "certificate_untrusted" | "tls_failed" | null
  response_status_code: number | null
  /** The first 20 kB of the answer, without long numbers. */
  response_body: string | null
  duration_ms: number
  created_at: string
}

export type WebhookAttempts = {
  items: WebhookAttempt[]
}

export type WebhookAuthentication = {
  type: "webhook-authentication"
  kind: "basic" | "oauth_client_credentials" | "oauth_password"
  username?: string
  password?: "********"
  client_id?: string
  client_secret?: "********"
  token_url?: string
  scope?: string | null
}

export type WebhookDeliveries = {
  items: WebhookDelivery[]
  limit: number
  next_cursor: string | null
  previous_cursor: string | null
}

export type WebhookDelivery = {
  type: "webhook-delivery"
  /** The id of the event, which the receiver sees as the id of the webhook. */
  id: string
  webhook_subscription_id: string
  event_name: string
  /** `waiting` for an attempt, `delivered`, or `parked`: not tried again until it is replayed. */
  status: "waiting" | "delivered" | "parked"
  attempts: number
  /** Null when none is planned. */
  next_attempt_at: string | null
  /** The outcome of the last attempt. */
  outcome: "delivered" | "refused" | "timed_out" | "unreachable" | "answer_broken" | "address_refused" | "token_refused" | null
  /** The status code of the last attempt. */
  response_status_code: number | null
  parked_because: "schedule_ended" | "subscription_inactive" | "subscription_deleted" | null
  delivered_at: string | null
  created_at: string
  updated_at: string
}

export type WebhookReplay = {
  type: "webhook-replay"
  webhook_subscription_id: string
  /** How many deliveries were queued. */
  count: number
  /** One request queues at most 10,000 deliveries. If there are more, continue with this `since`. */
  next_since: string | null
}

export type WebhookSubscription = {
  type: "webhook-subscription"
  id: string
  /** Null: the subscription gets the events of all merchant accounts. */
  merchant_account_id: string | null
  /** When false, no events are sent to the URL. */
  active: boolean
  url: string
  authentication: WebhookAuthentication | null
  /** Signs each request. The guide to webhooks shows how to verify it. Null in the answers of an update and of a rotation to a token without `webhook-subscriptions.read`. */
  secret: string | null
  /** True while a former secret also signs. */
  rotating: boolean
  creator: Creator | null
  /** The events that are sent. Null: all. */
  events: string[] | null
  /** Since when every attempt has failed. Null: the last one was taken, or there was none. */
  failing_since: string | null
  /** When the receiver last took an event, up to a minute early. Null: never. */
  last_delivered_at: string | null
}

export type WebhookSubscriptions = {
  items: WebhookSubscription[]
  limit: number
  next_cursor: string | null
  previous_cursor: string | null
}

export type WorldpayVapOptions = {
  reportGroup?: string | null
  orderId?: string | null
}

export type WpayEverydayPayOptions = {
  merchant_defined_data?: Record<string, string> | null
  customerId?: string | null
  rewardsAccessToken?: string | null
  deviceId?: string | null
  postPaymentRedirect?: boolean | null
}

export type WpayPaytoOptions = {
  instrument?: WpayPaytoResourceOptions | null
  payment?: WpayPaytoResourceOptions | null
  refund?: WpayPaytoResourceOptions | null
}

export type WpayPaytoResourceOptions = {
  simulation?: WpayPaytoSimulationOptions | null
}

export type WpayPaytoSimulationOptions = {
  simulate?: string | null
  delay?: number | null
}

export type ListApiKeyPairsQuery = {
  /** A `next_cursor` or `previous_cursor` of an earlier answer. Leave it out for the first page. */
  cursor?: string
  /** The number of items on a page. */
  limit?: number
}

export type ListMerchantAccountsQuery = {
  /** A `next_cursor` or `previous_cursor` of an earlier answer. Leave it out for the first page. */
  cursor?: string
  /** The number of items on a page. */
  limit?: number
  /** Part of the id or the display name. */
  search?: string
}

export type ListThreeDsConfigurationsQuery = {
  /** Only this currency. */
  currency?: string
}

export type PreviewMerchantAccountThemeQuery = {
  /** Show the page as light or as dark. Default: as the browser asks. */
  color_scheme?: "light" | "dark"
}

export type ListRolesQuery = {
  /** A `next_cursor` or `previous_cursor` of an earlier answer. Leave it out for the first page. */
  cursor?: string
  /** The number of items on a page. */
  limit?: number
}

export type ListUsersQuery = {
  /** A `next_cursor` or `previous_cursor` of an earlier answer. Leave it out for the first page. */
  cursor?: string
  /** The number of items on a page. */
  limit?: number
  /** Only users with this status. */
  status?: "pending" | "active" | "disabled"
}

export type ListBuyersQuery = {
  /** A `next_cursor` or `previous_cursor` of an earlier answer. Leave it out for the first page. */
  cursor?: string
  /** The number of items on a page. */
  limit?: number
  /** Part of the display name, the e-mail address or the external identifier, in upper or lower case, or the whole id. */
  search?: string
  /** Only the buyer with exactly this external identifier. */
  external_identifier?: string
}

export type ListBuyerPaymentMethodsQuery = {
  /** The buyer. Either this or `buyer_external_identifier`. */
  buyer_id?: string
  /** The same buyer, by your own reference. */
  buyer_external_identifier?: string
  /** Default: the newest stored first. */
  sort_by?: "last_used_at" | "usage_count" | "cit_last_used_at" | "cit_usage_count"
  /** The direction of `sort_by`. */
  order_by?: "asc" | "desc"
  /** Only those usable in this country. */
  country?: string
  /** Only those usable for this currency. */
  currency?: string
}

export type ListBuyerGiftCardsQuery = {
  /** The buyer. Either this or `buyer_external_identifier`. */
  buyer_id?: string
  /** The same buyer, by your own reference. */
  buyer_external_identifier?: string
  /** Default: the newest stored first. */
  sort_by?: "last_used_at" | "usage_count" | "cit_last_used_at" | "cit_usage_count"
  /** The direction of `sort_by`. */
  order_by?: "asc" | "desc"
}

export type ListPaymentMethodsQuery = {
  /** A `next_cursor` or `previous_cursor` of an earlier answer. Leave it out for the first page. */
  cursor?: string
  /** The number of items on a page. */
  limit?: number
  /** Only those of this buyer. */
  buyer_id?: string
  /** The same buyer, by your own reference. */
  buyer_external_identifier?: string
  /** Only those in one of these states. No payment method is ever `paused`. */
  status?: ("processing" | "buyer_approval_required" | "succeeded" | "failed" | "paused")[]
  /** Only the one with this reference. */
  external_identifier?: string
  /** Only those with this number: the same card or bank account, of whichever buyers. */
  fingerprint?: string
}

export type ListPaymentMethodPaymentServiceTokensQuery = {
  /** Only those of this payment service. */
  payment_service_id?: string
}

export type ListVaultForwardEndpointsQuery = {
  /** A `next_cursor` or `previous_cursor` of an earlier answer. Leave it out for the first page. */
  cursor?: string
  /** The number of items on a page. */
  limit?: number
}

export type ListVaultForwardAuthenticationsQuery = {
  /** A `next_cursor` or `previous_cursor` of an earlier answer. Leave it out for the first page. */
  cursor?: string
  /** The number of items on a page. */
  limit?: number
}

export type GetCardDetailsQuery = {
  /** The currency of the payment (ISO 4217). */
  currency: string
  /** The first 6 to 8 digits of the card number. This or `payment_method_id` is required. */
  bin?: string
  /** A stored card, instead of `bin`. */
  payment_method_id?: string
  /** The country of the payment (ISO 3166). */
  country?: string
  /** The amount of the payment, in the smallest unit of its currency. */
  amount?: number
  /** Whether to capture at once. */
  intent?: "authorize" | "capture"
  /** Whether the payment follows an earlier one with the same card. */
  is_subsequent_payment?: boolean
  /** Whether the merchant initiates the payment. */
  merchant_initiated?: boolean
  /** The metadata of the payment, a JSON object as text. */
  metadata?: string
  /** The source of the payment. */
  payment_source?: "ecommerce" | "moto" | "recurring" | "installment" | "card_on_file"
}

export type ListPaymentServiceDefinitionsQuery = {
  /** A `next_cursor` or `previous_cursor` of an earlier answer. Leave it out for the first page. */
  cursor?: string
  /** The number of items on a page. */
  limit?: number
}

export type ListPaymentServicesQuery = {
  /** A `next_cursor` or `previous_cursor` of an earlier answer. Leave it out for the first page. */
  cursor?: string
  /** The number of items on a page. */
  limit?: number
  /** Only those for this payment method. */
  method?: "affirm" | "afterpay" | "alipay" | "alipayhk" | "applepay" | "bacs" | "bancontact" | "banked" | "becs" | "bitpay" | "boleto" | "boost" | "card" | "cashapp" | "chaseorbital" | "checkout-session" | "clearpay" | "click-to-pay" | "dana" | "dcb" | "dlocal" | "ebanx" | "efecty" | "eps" | "everydaypay" | "gcash" | "gem" | "gemds" | "gift-card" | "giropay" | "givingblock" | "gocardless" | "googlepay" | "googlepay_pan_only" | "gopay" | "grabpay" | "id" | "ideal" | "kakaopay" | "kcp" | "klarna" | "latitude" | "latitudeds" | "laybuy" | "linepay" | "linkaja" | "maybankqrpay" | "mercadopago" | "multibanco" | "multipago" | "netbanking" | "network-token" | "oney_3x" | "oney_4x" | "oney_6x" | "oney_10x" | "oney_12x" | "ovo" | "oxxo" | "payid" | "paymaya" | "paypal" | "paypalpaylater" | "payto" | "venmo" | "pix" | "pse" | "rabbitlinepay" | "razorpay" | "scalapay" | "sepa" | "shopeepay" | "singteldash" | "smartpay" | "sofort" | "spei" | "stripedd" | "thaiqr" | "touchngo" | "truemoney" | "trustly" | "trustlyeurope" | "upi" | "vipps" | "waave" | "webpay" | "wechat" | "zippay" | "abitab" | "ach" | "alma" | "arcuspaynetwork" | "autogiro" | "bancomatpay" | "banktransfer" | "bcp" | "becsnz" | "belfius" | "betalingsservice" | "billie" | "bizum" | "blik" | "breb" | "capitec" | "cashappafterpay" | "custom_push" | "custom_redirect" | "custom_tokenize" | "eckoh" | "in3" | "interac" | "kbc" | "khipu" | "konbini" | "mbway" | "mobilepay" | "mybank" | "nequi" | "nupay" | "onelink" | "onlinebankingcz" | "p24" | "pad" | "pagoefectivo" | "paybybank" | "paypay" | "paysafecard" | "paysquad" | "payvalida" | "picpay" | "rapipago" | "redpagos" | "riverty" | "satispay" | "servipag" | "seveneleven" | "stitch" | "stripe" | "stripetoken" | "swish" | "tapi" | "tapifintechs" | "twint" | "wero" | "yape" | "bank" | "paze" | "plaid"
  /** True lists only deleted services. Default: only those that are not deleted. */
  deleted?: boolean
}

export type ListPaymentServiceNotificationsQuery = {
  /** A `next_cursor` or `previous_cursor` of an earlier answer. Leave it out for the first page. */
  cursor?: string
  /** The number of items on a page. */
  limit?: number
  /** Only notifications in this status. */
  status?: "held" | "matched" | "expired"
}

export type ListAntiFraudServiceDefinitionsQuery = {
  /** A `next_cursor` or `previous_cursor` of an earlier answer. Leave it out for the first page. */
  cursor?: string
  /** The number of items on a page. */
  limit?: number
}

export type ListAntiFraudServicesQuery = {
  /** A `next_cursor` or `previous_cursor` of an earlier answer. Leave it out for the first page. */
  cursor?: string
  /** The number of items on a page. */
  limit?: number
}

export type ListAccountUpdaterServiceDefinitionsQuery = {
  /** A `next_cursor` or `previous_cursor` of an earlier answer. Leave it out for the first page. */
  cursor?: string
  /** The number of items on a page. */
  limit?: number
}

export type ListAccountUpdaterServicesQuery = {
  /** A `next_cursor` or `previous_cursor` of an earlier answer. Leave it out for the first page. */
  cursor?: string
  /** The number of items on a page. */
  limit?: number
}

export type ListNetworkTokenServiceDefinitionsQuery = {
  /** A `next_cursor` or `previous_cursor` of an earlier answer. Leave it out for the first page. */
  cursor?: string
  /** The number of items on a page. */
  limit?: number
}

export type ListNetworkTokenServicesQuery = {
  /** A `next_cursor` or `previous_cursor` of an earlier answer. Leave it out for the first page. */
  cursor?: string
  /** The number of items on a page. */
  limit?: number
}

export type ListThreeDsServiceDefinitionsQuery = {
  /** A `next_cursor` or `previous_cursor` of an earlier answer. Leave it out for the first page. */
  cursor?: string
  /** The number of items on a page. */
  limit?: number
}

export type ListThreeDsServicesQuery = {
  /** A `next_cursor` or `previous_cursor` of an earlier answer. Leave it out for the first page. */
  cursor?: string
  /** The number of items on a page. */
  limit?: number
}

export type ListGiftCardServiceDefinitionsQuery = {
  /** A `next_cursor` or `previous_cursor` of an earlier answer. Leave it out for the first page. */
  cursor?: string
  /** The number of items on a page. */
  limit?: number
}

export type ListGiftCardServicesQuery = {
  /** A `next_cursor` or `previous_cursor` of an earlier answer. Leave it out for the first page. */
  cursor?: string
  /** The number of items on a page. */
  limit?: number
}

export type ListGiftCardsQuery = {
  /** A `next_cursor` or `previous_cursor` of an earlier answer. Leave it out for the first page. */
  cursor?: string
  /** The number of items on a page. */
  limit?: number
  /** Only those of this buyer. */
  buyer_id?: string
  /** The same buyer, by your own reference. */
  buyer_external_identifier?: string
}

export type ListFlowVersionsQuery = {
  /** A `next_cursor` or `previous_cursor` of an earlier answer. Leave it out for the first page. */
  cursor?: string
  /** The number of items on a page. */
  limit?: number
  /** Only the version with this number. */
  number?: number
}

export type ListFlowBackTestsQuery = {
  /** A `next_cursor` or `previous_cursor` of an earlier answer. Leave it out for the first page. */
  cursor?: string
  /** The number of items on a page. */
  limit?: number
}

export type ListFlowOutcomesQuery = {
  /** The names are in English for every locale. */
  locale?: string
}

export type ListTransactionsQuery = {
  /** A `next_cursor` or `previous_cursor` of an earlier answer. Leave it out for the first page. */
  cursor?: string
  /** The number of items on a page. */
  limit?: number
  /** Only those created at this time or before. With a time zone, URL encoded. */
  created_at_lte?: string
  /** Only those created at this time or after. With a time zone, URL encoded. */
  created_at_gte?: string
  /** Only those last updated at this time or before. With a time zone, URL encoded. */
  updated_at_lte?: string
  /** Only those last updated at this time or after. With a time zone, URL encoded. */
  updated_at_gte?: string
  /** Only those of this buyer. */
  buyer_id?: string
  /** Only those of the buyer with this external identifier. */
  buyer_external_identifier?: string
  /** Only those of a buyer with this e-mail address. */
  buyer_email_address?: string
  /** Only those of a stored buyer whose display name, e-mail address or external identifier contains one of these texts, in upper or lower case, or whose id is one of them. To find guests as well, use `buyer_email_address` or `buyer_external_identifier`. */
  buyer_search?: string[]
  /** Only those that a buyer made from this IP address. */
  ip_address?: string
  /** Only the one with this id. */
  id?: string
  /** Only those with exactly this id, external identifier, id at the payment service, or id or external identifier of the buyer. The other filters are faster. */
  search?: string
  /** Only those with this external identifier. */
  external_identifier?: string
  /** Only those whose external identifier contains this text, in upper or lower case. No index has it: give `created_at_gte` as well, so that the search stays short. */
  external_identifier_contains?: string
  /** Only the one with this reconciliation id. */
  reconciliation_id?: string
  /** Only those whose metadata has all of these pairs. Each value is a JSON object of text to text, URL encoded. If a key is given twice, the last value counts. */
  metadata?: string[]
  /** Only those of this checkout session. */
  checkout_session_id?: string
  /** Only those of this payment link. */
  payment_link_id?: string
  /** Only those that reauthorize this one. */
  reauthorized_from_transaction_id?: string
  /** Only those of this amount. */
  amount_eq?: number
  /** Only those of this amount or less. */
  amount_lte?: number
  /** Only those of this amount or more. */
  amount_gte?: number
  /** Only those in one of these currencies. ISO 4217. */
  currency?: string[]
  /** Only those of one of these countries. */
  country?: string[]
  /** Only those with one of these methods. */
  method?: ("affirm" | "afterpay" | "alipay" | "alipayhk" | "applepay" | "bacs" | "bancontact" | "banked" | "becs" | "bitpay" | "boleto" | "boost" | "card" | "cashapp" | "chaseorbital" | "checkout-session" | "clearpay" | "click-to-pay" | "dana" | "dcb" | "dlocal" | "ebanx" | "efecty" | "eps" | "everydaypay" | "gcash" | "gem" | "gemds" | "gift-card" | "giropay" | "givingblock" | "gocardless" | "googlepay" | "googlepay_pan_only" | "gopay" | "grabpay" | "id" | "ideal" | "kakaopay" | "kcp" | "klarna" | "latitude" | "latitudeds" | "laybuy" | "linepay" | "linkaja" | "maybankqrpay" | "mercadopago" | "multibanco" | "multipago" | "netbanking" | "network-token" | "oney_3x" | "oney_4x" | "oney_6x" | "oney_10x" | "oney_12x" | "ovo" | "oxxo" | "payid" | "paymaya" | "paypal" | "paypalpaylater" | "payto" | "venmo" | "pix" | "pse" | "rabbitlinepay" | "razorpay" | "scalapay" | "sepa" | "shopeepay" | "singteldash" | "smartpay" | "sofort" | "spei" | "stripedd" | "thaiqr" | "touchngo" | "truemoney" | "trustly" | "trustlyeurope" | "upi" | "vipps" | "waave" | "webpay" | "wechat" | "zippay" | "abitab" | "ach" | "alma" | "arcuspaynetwork" | "autogiro" | "bancomatpay" | "banktransfer" | "bcp" | "becsnz" | "belfius" | "betalingsservice" | "billie" | "bizum" | "blik" | "breb" | "capitec" | "cashappafterpay" | "custom_push" | "custom_redirect" | "custom_tokenize" | "eckoh" | "in3" | "interac" | "kbc" | "khipu" | "konbini" | "mbway" | "mobilepay" | "mybank" | "nequi" | "nupay" | "onelink" | "onlinebankingcz" | "p24" | "pad" | "pagoefectivo" | "paybybank" | "paypay" | "paysafecard" | "paysquad" | "payvalida" | "picpay" | "rapipago" | "redpagos" | "riverty" | "satispay" | "servipag" | "seveneleven" | "stitch" | "stripe" | "stripetoken" | "swish" | "tapi" | "tapifintechs" | "twint" | "wero" | "yape" | "bank" | "paze" | "plaid")[]
  /** Only those with this stored payment method. */
  payment_method_id?: string
  /** Only those with exactly this label: the last four digits of a card. */
  payment_method_label?: string
  /** Only those with a card of one of these schemes. */
  payment_method_scheme?: string[]
  /** Only those with a payment method of this country. ISO 3166-1 alpha-2. */
  payment_method_country?: string
  /** Only those with this card, stored or not. */
  payment_method_fingerprint?: string
  /** Only those with a card that begins with these 6 to 8 digits. If a card number has fewer than 16 digits, only 6 of them are known. */
  payment_method_bin?: string
  /** Only those processed by one of these payment services. */
  payment_service_id?: string[]
  /** Only the one with this id at the payment service. */
  payment_service_transaction_id?: string
  /** Only those from one of these sources. */
  payment_source?: ("ecommerce" | "moto" | "recurring" | "installment" | "card_on_file")[]
  /** Only those that follow an earlier payment, or only those that do not. */
  is_subsequent_payment?: boolean
  /** Only those that the merchant initiated, or only those that the buyer did. */
  merchant_initiated?: boolean
  /** Only those with 3-D Secure, or only those without. */
  used_3ds?: boolean
  /** Only those that a gift card paid for, at least in part, or only those without gift cards. */
  has_gift_card_redemptions?: boolean
  /** Only those that this stored gift card paid for. */
  gift_card_id?: string
  /** Only those paid for by a gift card with these last four digits. */
  gift_card_last4?: string
  /** Only those in one of these states. */
  status?: ("processing" | "buyer_approval_pending" | "authorization_succeeded" | "authorization_failed" | "authorization_declined" | "capture_pending" | "capture_succeeded" | "authorization_void_pending" | "authorization_voided")[]
  /** Only those that ended with one of these codes. */
  error_code?: string[]
  /** Only those that wait for a review, or only those that do not. */
  pending_review?: boolean
  /** Only those with a completed refund, or only those without. */
  has_refunds?: boolean
  /** Only those with a settlement, or only those without. */
  has_settlements?: boolean
  /** Only those charged back, or only those not charged back. */
  disputed?: boolean
}

export type ListTransactionEventsQuery = {
  /** A `next_cursor` or `previous_cursor` of an earlier answer. Leave it out for the first page. */
  cursor?: string
  /** The number of items on a page. */
  limit?: number
}

export type ListTransactionExchangesQuery = {
  /** A `next_cursor` or `previous_cursor` of an earlier answer. Leave it out for the first page. */
  cursor?: string
  /** The number of items on a page. */
  limit?: number
}

export type UpdateTransactionSessionQuery = {
  /** The `session_token` of the transaction. */
  token?: string
}

export type ListRefundsQuery = {
  /** A `next_cursor` or `previous_cursor` of an earlier answer. Leave it out for the first page. */
  cursor?: string
  /** The number of items on a page. */
  limit?: number
  /** Only those created at this time or before. */
  created_at_lte?: string
  /** Only those created at this time or after. */
  created_at_gte?: string
  /** Only those in one of these states. */
  status?: ("processing" | "succeeded" | "failed" | "declined" | "voided")[]
  /** Only those of this transaction. */
  transaction_id?: string
  /** Only those with this reference of yours. */
  external_identifier?: string
  /** Only those in one of these currencies. */
  currency?: string[]
}

export type ListChargebacksQuery = {
  /** A `next_cursor` or `previous_cursor` of an earlier answer. Leave it out for the first page. */
  cursor?: string
  /** The number of items on a page. */
  limit?: number
  /** Only those that stand like this. */
  status?: "returned" | "answered" | "expired" | "open"
  /** Only those of this transaction. */
  transaction_id?: string
  /** Only those posted at this time or later. */
  posted_at_gte?: string
  /** Only those posted at this time or earlier. */
  posted_at_lte?: string
}

export type ListDisputesQuery = {
  /** A `next_cursor` or `previous_cursor` of an earlier answer. Leave it out for the first page. */
  cursor?: string
  /** The number of items on a page. */
  limit?: number
  /** Only those at this stage. */
  stage?: "inquiry" | "early_fraud_warning" | "notification" | "chargeback" | "second_chargeback" | "arbitration" | "won" | "lost" | "expired"
  /** Only those of this transaction. */
  transaction_id?: string
}

export type ListSettlementTotalsQuery = {
  /** How long a period is. */
  unit?: "day" | "week" | "month"
  /** The first day, in UTC. Left out: the first day of the month eleven months before `to`. */
  from?: string
  /** The last day, in UTC. Left out: today. */
  to?: string
  /** Only of this payment service. */
  payment_service_id?: string
  /** Only what is paid out in this currency. */
  currency?: string
}

export type ListPaymentServiceReportsQuery = {
  /** A `next_cursor` or `previous_cursor` of an earlier answer. Leave it out for the first page. */
  cursor?: string
  /** The number of items on a page. */
  limit?: number
  /** Only those of this payment service. */
  payment_service_id?: string
  /** Only those with a file in this state. */
  status?: "applying" | "applied" | "refused" | "abandoned"
}

export type ListPaymentServiceReportLinesQuery = {
  /** A `next_cursor` or `previous_cursor` of an earlier answer. Leave it out for the first page. */
  cursor?: string
  /** The number of items on a page. */
  limit?: number
  /** Only lines that a payment fits, or only those that none fits. */
  matched?: boolean
  /** Only flagged lines, or only those without a flag. */
  flagged?: boolean
}

export type ListPayoutsQuery = {
  /** A `next_cursor` or `previous_cursor` of an earlier answer. Leave it out for the first page. */
  cursor?: string
  /** The number of items on a page. */
  limit?: number
  /** Only those created at this time or before. With a time zone, URL encoded. */
  created_at_lte?: string
  /** Only those created at this time or after. With a time zone, URL encoded. */
  created_at_gte?: string
  /** Only those last updated at this time or before. With a time zone, URL encoded. */
  updated_at_lte?: string
  /** Only those last updated at this time or after. With a time zone, URL encoded. */
  updated_at_gte?: string
  /** Only those with this external identifier. */
  external_identifier?: string
  /** Only the one with this id at the payment service. */
  payment_service_payout_id?: string
  /** Only those in one of these states. */
  status?: ("pending" | "succeeded" | "declined" | "failed")[]
}

export type ListPaymentLinksQuery = {
  /** A `next_cursor` or `previous_cursor` of an earlier answer. Leave it out for the first page. */
  cursor?: string
  /** The number of items on a page. */
  limit?: number
  /** Only those created at this time or before. With a time zone, URL encoded. */
  created_at_lte?: string
  /** Only those created at this time or after. With a time zone, URL encoded. */
  created_at_gte?: string
  /** Only those last updated at this time or before. With a time zone, URL encoded. */
  updated_at_lte?: string
  /** Only those last updated at this time or after. With a time zone, URL encoded. */
  updated_at_gte?: string
  /** Only those in one of these currencies. ISO 4217. */
  currency?: string[]
  /** Only those of this amount. */
  amount_eq?: number
  /** Only those of this amount or more. */
  amount_gte?: number
  /** Only those of this amount or less. */
  amount_lte?: number
  /** Only those in one of these states. */
  status?: ("active" | "completed" | "expired" | "processing")[]
  /** Only those of a stored buyer whose display name, e-mail address or external identifier contains one of these texts, in upper or lower case, or whose id is one of them. */
  buyer_search?: string[]
}

export type ListThreeDsScenariosQuery = {
  /** A `next_cursor` or `previous_cursor` of an earlier answer. Leave it out for the first page. */
  cursor?: string
  /** The number of items on a page. */
  limit?: number
}

export type ListMonitoringMetricsQuery = {
  /** A `next_cursor` or `previous_cursor` of an earlier answer. Leave it out for the first page. */
  cursor?: string
  /** The number of items on a page. */
  limit?: number
  /** Shows the samples of this time, at most 3 days. An ISO 8601 interval; `now`, `hour_start` and `hour_end` stand for moments. URL encoded. */
  samples_timestamp_interval: string
  /** Part of the display name. */
  search?: string
}

export type GetMonitoringMetricQuery = {
  /** Shows the samples of this time, at most 31 days. Without it, none are shown. An ISO 8601 interval; `now`, `hour_start` and `hour_end` stand for moments. URL encoded. */
  samples_timestamp_interval?: string
}

export type ListMonitoringIncidentsQuery = {
  /** A `next_cursor` or `previous_cursor` of an earlier answer. Leave it out for the first page. */
  cursor?: string
  /** The number of items on a page. */
  limit?: number
  /** Only incidents that were opened in this time. An ISO 8601 interval; `now`, `hour_start` and `hour_end` stand for moments. URL encoded. */
  timestamp_interval?: string
}

export type ListMonitoringMetricIncidentsQuery = {
  /** A `next_cursor` or `previous_cursor` of an earlier answer. Leave it out for the first page. */
  cursor?: string
  /** The number of items on a page. */
  limit?: number
  /** Only incidents that were opened in this time. An ISO 8601 interval; `now`, `hour_start` and `hour_end` stand for moments. URL encoded. */
  timestamp_interval?: string
}

export type ListReportsQuery = {
  /** A `next_cursor` or `previous_cursor` of an earlier answer. Leave it out for the first page. */
  cursor?: string
  /** The number of items on a page. */
  limit?: number
  /** Only those with one of these schedules. */
  schedule?: ("daily" | "monthly" | "once" | "weekly")[]
  /** Only those whose schedule is enabled, or only those whose schedule is not. */
  schedule_enabled?: boolean
  /** Only those whose name contains this text, in upper or lower case. */
  name?: string
}

export type ListReportExecutionsQuery = {
  /** A `next_cursor` or `previous_cursor` of an earlier answer. Leave it out for the first page. */
  cursor?: string
  /** The number of items on a page. */
  limit?: number
}

export type ListAllReportExecutionsQuery = {
  /** A `next_cursor` or `previous_cursor` of an earlier answer. Leave it out for the first page. */
  cursor?: string
  /** The number of items on a page. */
  limit?: number
  /** Only those of reports whose name contains this text, in upper or lower case. */
  report_name?: string
  /** Only those created at this time or before. With a time zone, URL encoded. */
  created_at_lte?: string
  /** Only those created at this time or after. With a time zone, URL encoded. */
  created_at_gte?: string
  /** Only those in one of these states. */
  status?: ("dispatched" | "failed" | "pending" | "processing" | "succeeded")[]
  /** Only those of reports that one of these key pairs created. */
  creator_id?: string[]
}

export type ListEventsQuery = {
  /** A `next_cursor` or `previous_cursor` of an earlier answer. Leave it out for the first page. */
  cursor?: string
  /** The number of items on a page. */
  limit?: number
  /** Only events of this name. */
  name?: "api-key-pair.created" | "api-key-pair.updated" | "api-key-pair.deleted" | "buyer.created" | "buyer.updated" | "buyer.deleted" | "buyer.erased" | "shipping-details.created" | "shipping-details.updated" | "shipping-details.deleted" | "payment-method.updated" | "payment-method.deleted" | "transaction.authentication-pending" | "transaction.authenticated" | "transaction.authorized" | "transaction.declined" | "transaction.failed" | "transaction.capture-pending" | "transaction.captured" | "transaction.capture-failed" | "transaction.void-pending" | "transaction.voided" | "transaction.void-declined" | "transaction.void-failed" | "transaction.settled" | "transaction.charged-back" | "transaction.chargeback-reversed" | "transaction.modified" | "transaction.review-accepted" | "capture.pending" | "capture.succeeded" | "capture.declined" | "capture.failed" | "refund.pending" | "refund.succeeded" | "refund.declined" | "refund.failed" | "refund.settled" | "dispute.opened" | "dispute.updated" | "dispute.deadline-near" | "dispute.closed" | "payout.pending" | "payout.succeeded" | "payout.declined" | "payout.failed" | "gift-card.created" | "gift-card.deleted" | "payment-link.created" | "payment-link.updated" | "monitoring.incident.created" | "monitoring.incident.closed" | "report-execution.succeeded" | "report-execution.failed" | "page-check.failed" | "webhook-subscription.test"
  /** Only events of this resource. */
  target_id?: string
  /** Only those created at this time or after. With a time zone, URL encoded. */
  created_at_gte?: string
  /** Only those created at this time or before. With a time zone, URL encoded. */
  created_at_lte?: string
}

export type ListWebhookSubscriptionsQuery = {
  /** A `next_cursor` or `previous_cursor` of an earlier answer. Leave it out for the first page. */
  cursor?: string
  /** The number of items on a page. */
  limit?: number
}

export type ListWebhookDeliveriesQuery = {
  /** A `next_cursor` or `previous_cursor` of an earlier answer. Leave it out for the first page. */
  cursor?: string
  /** The number of items on a page. */
  limit?: number
  /** Only deliveries in this status. */
  status?: "waiting" | "delivered" | "parked"
  /** Only deliveries of these events, such as those of a payment. */
  event_id?: string[]
}

export type GetMetricsExplorerTotalsQuery = {
  /** An ISO 8601 interval of at most 366 days: two moments, or a moment and a duration. `now`, `hour_start` and `hour_end` stand for moments. A payment counts at the time of its creation. */
  datetime_range: string
  /** The IANA time zone in which days begin, such as Europe/Berlin. Default: UTC. */
  timezone?: string
  /** Only payments with this outcome of 3-D Secure: authenticated, attempted, unavailable, failed, cancelled, abandoned or error. Several values: one of them. The NUL character: without a value. */
  authentication_outcome?: string[]
  /** Only payments that were authorized (true), or that were not (false). Several values: one of them. The NUL character: without a value. */
  authorized?: string[]
  /** Only payments of this country. Several values: one of them. The NUL character: without a value. */
  country?: string[]
  /** Only payments in this currency. For `volume` exactly one is needed. Several values: one of them. The NUL character: without a value. */
  currency?: string[]
  /** Only payments that ended with this code. Several values: one of them. The NUL character: without a value. */
  error_code?: string[]
  /** Only payments with this instrument, such as pan or network_token. Several values: one of them. The NUL character: without a value. */
  instrument_type?: string[]
  /** Only payments that follow an earlier one (true), or that do not (false). Several values: one of them. The NUL character: without a value. */
  is_subsequent_payment?: string[]
  /** Only payments whose issuer is liable for fraud, as the result of 3-D Secure says (true), or is not (false). Several values: one of them. The NUL character: without a value. */
  liability_shifted?: string[]
  /** Only payments that the merchant initiated (true), or the buyer (false). Several values: one of them. The NUL character: without a value. */
  merchant_initiated?: string[]
  /** Only payments whose metadata has these pairs. Each value is a JSON object of text to text. Several values: one of them. The NUL character: without a value. */
  metadata?: string[]
  /** Only payments with this method. Several values: one of them. The NUL character: without a value. */
  method?: string[]
  /** Only payments with a card that begins with these digits. Several values: one of them. The NUL character: without a value. */
  payment_method_bin?: string[]
  /** Only payments with a card of this issuer. Several values: one of them. The NUL character: without a value. */
  payment_method_card_issuer_name?: string[]
  /** Only payments with a card of this type: credit, debit or prepaid. Several values: one of them. The NUL character: without a value. */
  payment_method_card_type?: string[]
  /** Only payments with a payment method of this country. Several values: one of them. The NUL character: without a value. */
  payment_method_country?: string[]
  /** Only payments with a card of this scheme. Several values: one of them. The NUL character: without a value. */
  payment_method_scheme?: string[]
  /** Only payments that this payment service was asked about last. Several values: one of them. The NUL character: without a value. */
  payment_service_id?: string[]
  /** Only payments from this source. Several values: one of them. The NUL character: without a value. */
  payment_source?: string[]
  /** Only payments with this answer of the payment service, in its own words. Several values: one of them. The NUL character: without a value. */
  raw_response_code?: string[]
  /** Only payments that this rule routed. Several values: one of them. The NUL character: without a value. */
  rule_id_route_transaction?: string[]
  /** Only payments for which this rule decided about 3-D Secure. Several values: one of them. The NUL character: without a value. */
  rule_id_skip_3ds?: string[]
  /** Only payments that a weighted rule gave to this payment service. Several values: one of them. The NUL character: without a value. */
  rule_variant_id?: string[]
  /** Only payments with this answer of the issuer in 3-D Secure, such as Y. Several values: one of them. The NUL character: without a value. */
  three_d_secure_auth_resp?: string[]
  /** Only payments with this electronic commerce indicator. Several values: one of them. The NUL character: without a value. */
  three_d_secure_eci?: string[]
  /** Only payments authenticated this way: challenge or frictionless. Several values: one of them. The NUL character: without a value. */
  three_d_secure_method?: string[]
  /** Leaves out the period before, and with it the difference. */
  exclude_previous?: boolean
}

export type GetMetricsExplorerModuleQuery = {
  /** An ISO 8601 interval of at most 366 days: two moments, or a moment and a duration. `now`, `hour_start` and `hour_end` stand for moments. A payment counts at the time of its creation. */
  datetime_range: string
  /** The IANA time zone in which days begin, such as Europe/Berlin. Default: UTC. */
  timezone?: string
  /** Only payments with this outcome of 3-D Secure: authenticated, attempted, unavailable, failed, cancelled, abandoned or error. Several values: one of them. The NUL character: without a value. */
  authentication_outcome?: string[]
  /** Only payments that were authorized (true), or that were not (false). Several values: one of them. The NUL character: without a value. */
  authorized?: string[]
  /** Only payments of this country. Several values: one of them. The NUL character: without a value. */
  country?: string[]
  /** Only payments in this currency. For `volume` exactly one is needed. Several values: one of them. The NUL character: without a value. */
  currency?: string[]
  /** Only payments that ended with this code. Several values: one of them. The NUL character: without a value. */
  error_code?: string[]
  /** Only payments with this instrument, such as pan or network_token. Several values: one of them. The NUL character: without a value. */
  instrument_type?: string[]
  /** Only payments that follow an earlier one (true), or that do not (false). Several values: one of them. The NUL character: without a value. */
  is_subsequent_payment?: string[]
  /** Only payments whose issuer is liable for fraud, as the result of 3-D Secure says (true), or is not (false). Several values: one of them. The NUL character: without a value. */
  liability_shifted?: string[]
  /** Only payments that the merchant initiated (true), or the buyer (false). Several values: one of them. The NUL character: without a value. */
  merchant_initiated?: string[]
  /** Only payments whose metadata has these pairs. Each value is a JSON object of text to text. Several values: one of them. The NUL character: without a value. */
  metadata?: string[]
  /** Only payments with this method. Several values: one of them. The NUL character: without a value. */
  method?: string[]
  /** Only payments with a card that begins with these digits. Several values: one of them. The NUL character: without a value. */
  payment_method_bin?: string[]
  /** Only payments with a card of this issuer. Several values: one of them. The NUL character: without a value. */
  payment_method_card_issuer_name?: string[]
  /** Only payments with a card of this type: credit, debit or prepaid. Several values: one of them. The NUL character: without a value. */
  payment_method_card_type?: string[]
  /** Only payments with a payment method of this country. Several values: one of them. The NUL character: without a value. */
  payment_method_country?: string[]
  /** Only payments with a card of this scheme. Several values: one of them. The NUL character: without a value. */
  payment_method_scheme?: string[]
  /** Only payments that this payment service was asked about last. Several values: one of them. The NUL character: without a value. */
  payment_service_id?: string[]
  /** Only payments from this source. Several values: one of them. The NUL character: without a value. */
  payment_source?: string[]
  /** Only payments with this answer of the payment service, in its own words. Several values: one of them. The NUL character: without a value. */
  raw_response_code?: string[]
  /** Only payments that this rule routed. Several values: one of them. The NUL character: without a value. */
  rule_id_route_transaction?: string[]
  /** Only payments for which this rule decided about 3-D Secure. Several values: one of them. The NUL character: without a value. */
  rule_id_skip_3ds?: string[]
  /** Only payments that a weighted rule gave to this payment service. Several values: one of them. The NUL character: without a value. */
  rule_variant_id?: string[]
  /** Only payments with this answer of the issuer in 3-D Secure, such as Y. Several values: one of them. The NUL character: without a value. */
  three_d_secure_auth_resp?: string[]
  /** Only payments with this electronic commerce indicator. Several values: one of them. The NUL character: without a value. */
  three_d_secure_eci?: string[]
  /** Only payments authenticated this way: challenge or frictionless. Several values: one of them. The NUL character: without a value. */
  three_d_secure_method?: string[]
}

export type ListAuditLogsQuery = {
  /** A `next_cursor` or `previous_cursor` of an earlier answer. Leave it out for the first page. */
  cursor?: string
  /** The number of items on a page. */
  limit?: number
  /** Only changes of this kind. */
  action?: "created" | "updated" | "deleted" | "voided" | "canceled" | "captured"
  /** Only changes made by this user or API key pair. */
  user_id?: string
  /** Only changes of this type of resource. */
  resource_type?: string
  /** `payments`: only what is done with payments, buyers and what belongs to them. `configuration`: only everything else, such as changes of keys, users, rules and connections, and sign-ins. */
  category?: "payments" | "configuration"
  /** Only changes made at this time or after. With a time zone, URL encoded. */
  timestamp_gte?: string
  /** Only changes made at this time or before. With a time zone, URL encoded. */
  timestamp_lte?: string
}

export type VerifyAuditLogsQuery = {
  /** A head: `head` or `next` of an earlier answer, or what `switchyard verify` printed. The check begins behind it, and fails if the chain does not contain it. Left out: it begins at the first entry that is not in an archived file. */
  after?: string
  /** How many links of the chain to check. A link covers up to 1,000 entries. */
  links?: number
}

export type ListApiLogsQuery = {
  /** A `next_cursor` or `previous_cursor` of an earlier answer. Leave it out for the first page. */
  cursor?: string
  /** The number of items on a page. */
  limit?: number
  /** Only requests that arrived by this time. */
  created_at_lte?: string
  /** Only requests that arrived at this time or later. */
  created_at_gte?: string
  /** Only requests whose answer had such a status. */
  status_class?: ("2xx" | "4xx" | "5xx")[]
  /** Only requests with this method. */
  method?: "GET" | "POST" | "PUT" | "DELETE"
  /** Only requests whose path begins so, such as `/transactions/`. */
  path_prefix?: string
  /** Only requests of this API key pair or user. */
  caller_id?: string
  /** Only requests with this `x-request-id`. */
  request_id?: string
}
