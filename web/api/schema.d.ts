// Made by tools/api-types.ts. Do not edit.

export type Schemas = {
  AIInsightsReportSpec: {
    model: "ai_insights"
    params: {
      filters?: {
        prompt_key?: "payment_performance"
        timestamp?: {
          start?: string | null
          end?: string | null
        }
      }
    }
  }
  APIKeyPair: {
    type: "api-key-pair"
    id: string
    thumbprint: string
    display_name: string
    algorithm: "ECDSA" | "RSA" | "EdDSA"
    active: boolean
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
    merchant_accounts: Schemas["MerchantAccountSummary"][]
    roles: Schemas["Role"][]
  }
  APIKeyPairs: {
    items: Schemas["APIKeyPair"][]
    limit: number
    next_cursor: string | null
    previous_cursor: string | null
  }
  APILog: {
    type: "api-log"
    id: string
    merchant_account_id: string | null
    request_id: string
    method: "GET" | "POST" | "PUT" | "DELETE"
    path: string
    operation_id: string
    status: number
    duration_ms: number
    caller: Schemas["APILogCaller"] | null
    has_idempotency_key: boolean
    error: Schemas["APILogError"] | null
    created_at: string
  }
  APILogCaller: {
    type: "api-key-pair" | "user"
    id: string
    name: string
  }
  APILogError: {
    code: "bad_request" | "unauthorized" | "forbidden" | "step_up_required" | "not_found" | "method_not_allowed" | "duplicate_record" | "concurrent_request" | "too_early" | "too_many_requests" | "server_error" | "bad_gateway" | "service_unavailable" | "gateway_timeout" | null
    message: string
    details: {
      location: "body" | "query" | "path" | "header"
      pointer: string
      type: "value_error.missing" | "value_error.extra" | "value_error.jsondecode" | "value_error.const" | "value_error.str.regex" | "value_error.any_str.min_length" | "value_error.any_str.max_length" | "value_error.number.not_ge" | "value_error.number.not_le" | "value_error.list.min_items" | "value_error.list.max_items" | "value_error.url" | "value_error.luhn" | "value_error.checksum" | "value_error.expired" | "value_error.not_found" | "value_error.conflict" | "value_error.duplicate" | "type_error.uuid" | "type_error.integer" | "type_error.string" | "type_error.bool" | "type_error.array" | "type_error.object" | "type_error.enum" | "type_error.datetime"
      message: string
    }[]
  }
  APILogs: {
    items: Schemas["APILog"][]
    limit: number
    next_cursor: string | null
    previous_cursor: string | null
  }
  AcceptInvitation: {
    token: string
    name?: string
    challenge_id: string
    passkey?: Schemas["PasskeyRegistration"]
    passkey_name?: string
    password?: string
    code?: string
  }
  AccountUpdaterJob: {
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
  AccountUpdaterOptions: {
    response_code?: "updated" | null
    account_number?: string | null
    expiration_month?: string | null
    expiration_year?: string | null
    error_code?: string | null
  }
  AccountUpdaterService: {
    type: "account-updater-service"
    id: string
    merchant_account_id: string
    account_updater_service_definition_id: string
    display_name: string
    active: boolean
    fields: Schemas["AccountUpdaterServiceField"][]
    secret_fields: string[]
    created_at: string
    updated_at: string
  }
  AccountUpdaterServiceDefinition: {
    type: "account-updater-service-definition"
    id: string
    display_name: string
    fields: Schemas["PaymentServiceDefinitionField"][]
    supported_features: Schemas["AccountUpdaterServiceFeatures"]
  }
  AccountUpdaterServiceDefinitions: {
    items: Schemas["AccountUpdaterServiceDefinition"][]
    limit: number
    next_cursor: string | null
    previous_cursor: string | null
  }
  AccountUpdaterServiceFeatures: {
    amex: boolean
    discover: boolean
    mastercard: boolean
    visa: boolean
  }
  AccountUpdaterServiceField: {
    key: string
    value: string
  }
  AccountUpdaterServiceFieldChange: {
    key: string
    value: string
  }
  AccountUpdaterServices: {
    items: Schemas["AccountUpdaterService"][]
    limit: number
    next_cursor: string | null
    previous_cursor: string | null
  }
  AccountsReceivablesReportSpec: {
    model: "accounts_receivables"
    params: {
      filters?: {
        timestamp?: {
          start?: string | null
          end?: string | null
        }
      }
    }
  }
  ActivateGiftCard: {
    number: string
    pin?: string | null
    amount?: number | null
    currency?: string | null
    external_identifier?: string | null
    store?: boolean
    buyer_id?: string | null
    buyer_external_identifier?: string | null
  }
  AdditionalSchemeDetail: {
    scheme: "accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa"
    icon_url: string
  }
  Address: {
    city: string | null
    country: string | null
    postal_code: string | null
    state: string | null
    state_code: string | null
    house_number_or_name: string | null
    line1: string | null
    line2: string | null
    organization: string | null
  }
  AdvanceSandboxClock: {
    by?: string | null
    to?: string | null
  }
  AdyenCardOptions: {
    autoRescue?: boolean | null
    maxDaysToRescue?: number | null
    additionalData?: Record<string, string> | null
    autoRescueScenario?: "AutoRescueSuccessfulFirst" | "AutoRescueSuccessfulSecond" | "AutoRescueFailed" | "AutoRescueFraud" | null
    window_origin?: string | null
    splits?: Schemas["AdyenSplitsOptions"] | null
    merchantRiskIndicator?: Record<string, unknown> | null
    accountInfo?: Record<string, unknown> | null
    riskData?: Record<string, unknown> | null
    threeDSRequestorChallengeInd?: string | null
    attemptAuthentication?: string | null
  }
  AdyenOptions: {
    additionalData?: Record<string, string> | null
  }
  AdyenPixOptions: {
    additionalData?: Record<string, string> | null
    pixRecurring?: Schemas["AdyenPixRecurringOptions"] | null
  }
  AdyenPixRecurringAmount: {
    value?: number | null
    currency?: string | null
  }
  AdyenPixRecurringOptions: {
    recurringAmount: Schemas["AdyenPixRecurringAmount"] | null
    frequency?: string | null
    startsAt?: string | null
    endsAt?: string | null
    recurringStatement?: string | null
  }
  AdyenSepaOptions: {
    autoRescue?: boolean | null
    maxDaysToRescue?: number | null
    additionalData?: Record<string, string> | null
    autoRescueSepaScenario?: "AutoRescueSuccessfulFirst" | "AutoRescueSuccessfulSecond" | "AutoRescueFailed" | null
    ownerName?: string | null
  }
  AdyenSplitsOptions: {
    authorization?: Record<string, unknown>[] | null
    capture?: Record<string, unknown>[] | null
    refund?: Record<string, unknown>[] | null
  }
  AffirmItineraryOptions: {
    type?: string | null
    sku?: string | null
    display_name?: string | null
    venue?: string | null
    location?: string | null
    date_start?: string | null
    management?: string | null
  }
  AffirmOptions: {
    discounts?: Record<string, Record<string, unknown>> | null
    itinerary?: Schemas["AffirmItineraryOptions"] | null
  }
  Airline: {
    booking_code: string | null
    is_cardholder_traveling: boolean | null
    issued_address: string | null
    issued_at: string | null
    issuing_carrier_code: string | null
    issuing_carrier_name: string | null
    issuing_iata_designator: string | null
    issuing_icao_code: string | null
    passenger_name_record: string | null
    reservation_system: string | null
    restricted_ticket: boolean | null
    ticket_number: string | null
    travel_agency_code: string | null
    travel_agency_invoice_number: string | null
    travel_agency_name: string | null
    travel_agency_plan_name: string | null
    ticket_delivery_method: "electronic" | "other" | null
    legs: Schemas["AirlineLeg"][] | null
    passengers: Schemas["AirlinePassenger"][] | null
  }
  AirlineLeg: {
    arrival_airport: string | null
    arrival_at: string | null
    arrival_city: string | null
    arrival_country: string | null
    carrier_code: string | null
    carrier_name: string | null
    iata_designator: string | null
    icao_code: string | null
    coupon_number: string | null
    departure_airport: string | null
    departure_at: string | null
    departure_city: string | null
    departure_country: string | null
    departure_tax_amount: number | null
    fare_amount: number | null
    fare_basis_code: string | null
    fee_amount: number | null
    flight_class: string | null
    flight_number: string | null
    route_type: "round_trip" | "one_way" | null
    seat_class: string | null
    stop_over: boolean | null
    tax_amount: number | null
  }
  AirlinePassenger: {
    age_group: "adult" | "infant" | null
    date_of_birth: string | null
    email_address: string | null
    first_name: string | null
    frequent_flyer_number: string | null
    last_name: string | null
    passport_number: string | null
    phone_number: string | null
    ticket_number: string | null
    title: string | null
    country_code: string | null
  }
  AntiFraudService: {
    type: "anti-fraud-service"
    id: string
    merchant_account_id: string
    anti_fraud_service_definition_id: string
    display_name: string
    active: boolean
    reviews_enabled: boolean
    silent: boolean
    webhook_url: string
    fields: Schemas["AntiFraudServiceField"][]
    secret_fields: string[]
    created_at: string
    updated_at: string
  }
  AntiFraudServiceDefinition: {
    type: "anti-fraud-service-definition"
    id: string
    display_name: string
    fields: Schemas["PaymentServiceDefinitionField"][]
    supported_features: Schemas["AntiFraudServiceFeatures"]
  }
  AntiFraudServiceDefinitions: {
    items: Schemas["AntiFraudServiceDefinition"][]
    limit: number
    next_cursor: string | null
    previous_cursor: string | null
  }
  AntiFraudServiceFeatures: {
    reviews: boolean
  }
  AntiFraudServiceField: {
    key: string
    value: string
  }
  AntiFraudServiceFieldChange: {
    key: string
    value: string
  }
  AntiFraudServices: {
    items: Schemas["AntiFraudService"][]
    limit: number
    next_cursor: string | null
    previous_cursor: string | null
  }
  AnyOfCondition: {
    name: "any_of"
    operator: "is_true"
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
      value: number
    } | {
      name: "installment_count"
      operator: "less_than" | "greater_than" | "equal_to" | "less_than_or_equal_to" | "greater_than_or_equal_to"
      value: number
    } | {
      name: "weekday"
      operator: "is_one_of" | "is_not_one_of"
      value: {
        time_zone: string
        days: ("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday")[]
      }
    } | {
      name: "time_of_day"
      operator: "is_between"
      value: {
        time_zone: string
        from: string
        to: string
      }
    })[]
  }
  ApplePaySession: Record<string, unknown>
  ApplePaySessionRequest: {
    validation_url: string
    domain_name: string
  }
  Attention: {
    type: "attention"
    items: Schemas["AttentionItem"][]
    checked_at: string
  }
  AttentionItem: {
    type: "attention-item"
    kind: "pending_reviews" | "unresolvable_attempts" | "stuck_payments" | "open_chargebacks" | "disputes_to_answer" | "open_incidents" | "failing_webhooks" | "undelivered_events" | "page_findings" | "expiring_certificates" | "unverified_services" | "disabled_services" | "unused_keys" | "failing_report_feeds" | "unmatched_report_lines"
    count: number
    has_more: boolean
    oldest_at: string
    due_at: string | null
    path: string
    query: Record<string, unknown>
    ids: string[]
  }
  AuditLog: {
    type: "audit-log"
    id: string
    merchant_account_id: string | null
    resource: {
      type: string
      id: string
      name: string
    }
    action: "created" | "updated" | "deleted" | "voided" | "canceled" | "captured"
    user: {
      type: "user"
      id: string | null
      name: string
      email_address: string | null
      is_staff: boolean
      status: "active" | "pending" | "deleted"
    }
    timestamp: string
  }
  AuditLogVerification: {
    type: "audit-log-verification"
    status: "intact" | "broken" | "incomplete"
    checked_links: number
    checked_entries: number
    archived_links: number
    first_entry_at: string | null
    last_entry_at: string | null
    head: string
    next: string | null
    problem: string | null
    broken_link: number | null
    stale: string | null
    checked_at: string
  }
  AuditLogs: {
    items: Schemas["AuditLog"][]
    limit: number
    next_cursor: string | null
    previous_cursor: string | null
  }
  BankAccountHolder: {
    first_name?: string | null
    last_name?: string | null
    company_name?: string | null
  }
  BillingDetails: {
    type: "billing-details"
    first_name: string | null
    last_name: string | null
    email_address: string | null
    phone_number: string | null
    address: Schemas["Address"] | null
    tax_id: Schemas["TaxId"] | null
  }
  BooleanOutcome: {
    type: "boolean"
    result: true
  }
  BraintreeDynamicDataFieldsOptions: {
    three_ds_auth_status?: string | null
    purchase_order_number?: string | null
    vault_payment_method_criteria?: "ALWAYS" | "ON_SUCCESSFUL_TRANSACTION" | null
  }
  BraintreeOptions: {
    discount_amount?: number | null
    custom_fields?: Record<string, string> | null
    dynamic_data_fields?: Schemas["BraintreeDynamicDataFieldsOptions"] | null
  }
  BrowserInfo: {
    javascript_enabled: boolean
    java_enabled: boolean
    language: string
    color_depth: number
    screen_height: number
    screen_width: number
    time_zone_offset: number
    user_agent: string
    user_device: "desktop" | "mobile"
    accept_header?: string | null
  }
  Buyer: {
    type: "buyer"
    id: string
    reconciliation_id: string
    merchant_account_id: string
    display_name: string | null
    external_identifier: string | null
    account_number: string | null
    billing_details: Schemas["BillingDetails"] | null
    created_at: string
    updated_at: string
  }
  BuyerErasure: {
    type: "buyer-erasure"
    id: string
    merchant_account_id: string
    buyer_id: string
    status: "pending" | "succeeded"
    payments: number
    payment_methods: number
    gift_cards: number
    created_at: string
    updated_at: string
    completed_at: string | null
  }
  BuyerExport: {
    type: "buyer-export"
    merchant_account_id: string
    buyer_id: string
    exported_at: string
    buyer: Schemas["Buyer"] | null
    shipping_details: Schemas["ShippingDetails"][]
    payment_methods: Schemas["PaymentMethod"][]
    gift_cards: Schemas["GiftCard"][]
    payouts: Schemas["Payout"][]
    payment_links: {
      type: "payment-link"
      id: string
    }[]
    payments: Schemas["ExportedPayment"][]
    has_more_payments: boolean
  }
  Buyers: {
    items: Schemas["Buyer"][]
    limit: number
    next_cursor: string | null
    previous_cursor: string | null
  }
  Capture: {
    type: "capture"
    id: string
    merchant_account_id: string
    transaction_id: string
    transaction_external_identifier: string | null
    xid: string | null
    external_identifier: string | null
    currency: string
    amount: number
    status: "succeeded" | "pending" | "declined" | "failed"
    final: boolean
    error_code: string | null
    iso_response_code: string | null
    raw_response_code: string | null
    raw_response_description: string | null
    cart_items: Schemas["CartItem"][] | null
    created_at: string
    updated_at: string
    captured_at: string | null
  }
  Captures: {
    items: Schemas["Capture"][]
    limit: number
    next_cursor: string | null
    previous_cursor: string | null
  }
  CardDetail: {
    type: "card-detail"
    id: string | null
    card_type: "credit" | "debit" | "prepaid" | null
    scheme: "accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa"
    additional_schemes: ("accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa")[]
    additional_schemes_details: Schemas["AdditionalSchemeDetail"][]
    scheme_icon_url: string
    country: string | null
    required_fields: Schemas["RequiredFields"] | null
  }
  CardRoutingOutcome: {
    type: "card-routing"
    version: 2
    result: {
      payment_service_id: string
      instrument: "pan" | "network_token"
      transformations?: {
        name: "force_mit" | "use_additional_scheme"
      }[]
      weight?: number
      retry?: Schemas["RetryList"]
      max_attempts?: number
      cost?: {
        basis_points: number
        fixed?: number
      }
    }[]
    strategy?: "ordered" | "weighted" | "success_rate" | "least_cost"
  }
  CardSchemeDefinition: {
    type: "card-scheme-definition"
    id: string
    icon_url: string
    display_name: string
  }
  CardSchemeDefinitions: {
    items: Schemas["CardSchemeDefinition"][]
  }
  CartItem: {
    name: string
    quantity: number
    unit_amount: number
    discount_amount: number | null
    tax_amount: number | null
    external_identifier: string | null
    sku: string | null
    upc: string | null
    product_url: string | null
    image_url: string | null
    categories: string[] | null
    product_type: "physical" | "discount" | "shipping_fee" | "sales_tax" | "digital" | "gift_card" | "store_credit" | "surcharge" | null
    seller_country: string | null
    tax_exempt: boolean | null
    unit_of_measure: string | null
    commodity_code: string | null
    description: string | null
    duty_amount: number | null
    shipping_amount: number | null
  }
  CertifyDigitalWalletKey: {
    certificate: string
  }
  ChangedPassword: {
    type: "password"
    changed_at: string
    recovery_codes: string[] | null
  }
  ChangedThreeDSScenarioConditions: {
    first_name?: string | null
    last_name?: string | null
    email_address?: string | null
    amount?: number | null
    external_identifier?: string | null
    card_number?: string | null
  }
  Chargeback: {
    type: "chargeback"
    id: string
    merchant_account_id: string
    transaction_id: string
    currency: string
    amount: number
    exchange_rate: number | null
    commission: number
    interchange: number | null
    markup: number | null
    scheme_fee: number | null
    payment_service_report_id: string
    payment_service_report_file_ids: string[]
    posted_at: string
    ingested_at: string
    created_at: string
    updated_at: string
  }
  ChargebackAnswer: {
    note: string
  }
  ChargebackCase: {
    type: "chargeback-case"
    id: string
    merchant_account_id: string
    transaction_id: string
    transaction_external_identifier: string | null
    status: "returned" | "answered" | "expired" | "open"
    currency: string
    amount: number
    reason_code: string | null
    reason_description: string | null
    respond_by: string | null
    answer: Schemas["NotedAnswer"] | null
    returned_at: string | null
    posted_at: string
    created_at: string
    updated_at: string
  }
  ChargebackCases: {
    items: Schemas["ChargebackCase"][]
    limit: number
    next_cursor: string | null
    previous_cursor: string | null
  }
  ChargebackReversal: {
    type: "chargeback-reversal"
    id: string
    merchant_account_id: string
    transaction_id: string
    currency: string
    amount: number
    exchange_rate: number | null
    commission: number
    interchange: number | null
    markup: number | null
    scheme_fee: number | null
    payment_service_report_id: string
    payment_service_report_file_ids: string[]
    posted_at: string
    ingested_at: string
    created_at: string
    updated_at: string
  }
  ChargebackReversals: {
    items: Schemas["ChargebackReversal"][]
  }
  Chargebacks: {
    items: Schemas["Chargeback"][]
  }
  ChaseOptions: {
    comments?: string | null
  }
  CheckoutPage: {
    type: "checkout-page"
    checkout_session_id: string
    url: string
    locale: "en" | "en-GB" | "de" | "fr" | "es" | "pt" | "pt-BR" | "it" | "nl" | "pl" | "sv" | "da" | "nb" | "fi" | "cs" | "hu" | "ro" | "tr" | "el" | "uk" | "vi" | "ja" | "ko" | "zh" | "zh-TW" | "th" | "ar" | "he" | null
    return_url: string | null
    cancel_url: string | null
    external_identifier: string | null
    store: "never" | "ask" | "always"
    ask_security_code: boolean
    allowed_origins: string[]
    required_fields: ("email_address" | "name" | "phone_number" | "billing_address" | "shipping_address")[]
    created_at: string
    updated_at: string
  }
  CheckoutPayoutOptions: {
    processing_channel_id: string
    source_id: string
  }
  CheckoutSession: {
    type: "checkout-session"
    id: string
    metadata: Record<string, string> | null
    amount: number | null
    currency: string | null
    country: string | null
    payment_service_id: string | null
    intent: "authorize" | "capture" | null
    payment_source: "ecommerce" | "moto" | "recurring" | "installment" | "card_on_file" | null
    merchant_initiated: boolean | null
    is_subsequent_payment: boolean | null
    cart_items: Schemas["CartItem"][] | null
    buyer: Schemas["GuestBuyer"] | null
    airline: Schemas["Airline"] | null
    expires_at: string
    payment_method: Schemas["CheckoutSessionPaymentMethod"] | null
  }
  CheckoutSessionAcquirer: {}
  CheckoutSessionCardDetails: {
    bin: string
    card_type: "credit" | "debit" | "prepaid" | null
    scheme: "accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa" | null
    scheme_icon_url: string | null
    additional_schemes: ("accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa")[]
  }
  CheckoutSessionCardDetailsRequest: {
    bin: string
  }
  CheckoutSessionFields: {
    payment_method: Schemas["EnterCard"] | Schemas["EnterStoredMethod"] | Schemas["EnterClickToPay"]
    postal_code?: string | null
  }
  CheckoutSessionPaymentMethod: {
    type: "payment-method"
    id: string | null
    details: Schemas["CheckoutSessionPaymentMethodDetails"] | null
    label: string | null
    method: "card"
    scheme: "accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa" | null
    fingerprint: string | null
  }
  CheckoutSessionPaymentMethodDetails: {
    bin: string | null
    card_country: string | null
    card_type: "credit" | "debit" | "prepaid" | null
    card_issuer_name: string | null
  }
  ClickToPaySession: {
    digital_payment_application_id: string
    digital_payment_application_name: string
  }
  ClickToPaySessionRequest: {
    checkout_session_id: string
  }
  CompletePazeSession: {
    sessionId: string
    accessToken: string
    code: string
    transactionType: "PURCHASE" | "CARD_ON_FILE" | "BOTH"
    transactionOptions?: Schemas["PazeTransactionOptions"] | null
    transactionValue?: Schemas["PazeTransactionValue"] | null
    processingNetwork?: "VISA" | "MASTERCARD" | "DISCOVER" | null
    enhancedTransactionData?: Schemas["PazeEnhancedTransactionData"] | null
  }
  CompletedPazeSession: {
    payloadId: string
    completeResponse: string | null
    securePayload: string | null
    clientContext: string
    ewSID: string
    timestampISO8601: string
  }
  CreateAPIKeyPair: {
    display_name: string
    algorithm?: "ECDSA" | "RSA" | "EdDSA"
    active?: boolean
    role_ids: string[]
    merchant_account_ids?: string[]
    public_key?: string | null
  }
  CreateAccountUpdaterJob: {
    payment_method_ids: string[]
  }
  CreateAccountUpdaterService: {
    display_name: string
    account_updater_service_definition_id: string
    fields: Schemas["AccountUpdaterServiceField"][]
    active?: boolean | null
  }
  CreateAntiFraudService: {
    display_name: string
    anti_fraud_service_definition_id: string
    fields: Schemas["AntiFraudServiceField"][]
    active?: boolean | null
    reviews_enabled?: boolean | null
    silent?: boolean | null
  }
  CreateBuyer: {
    display_name?: string | null
    external_identifier?: string | null
    account_number?: string | null
    billing_details?: Schemas["NewBillingDetails"] | null
  }
  CreateCheckoutSession: {
    metadata?: Record<string, string> | null
    amount?: number | null
    currency?: string | null
    country?: string | null
    payment_service_id?: string | null
    intent?: "authorize" | "capture" | null
    payment_source?: "ecommerce" | "moto" | "recurring" | "installment" | "card_on_file" | null
    merchant_initiated?: boolean | null
    is_subsequent_payment?: boolean | null
    cart_items?: Schemas["NewCartItem"][] | null
    buyer?: Schemas["NewGuestBuyer"] | null
    airline?: {
      booking_code?: string | null
      is_cardholder_traveling?: boolean | null
      issued_address?: string | null
      issued_at?: string | null
      issuing_carrier_code?: string | null
      issuing_carrier_name?: string | null
      issuing_iata_designator?: string | null
      issuing_icao_code?: string | null
      passenger_name_record?: string | null
      reservation_system?: string | null
      restricted_ticket?: boolean | null
      ticket_number?: string | null
      travel_agency_code?: string | null
      travel_agency_invoice_number?: string | null
      travel_agency_name?: string | null
      travel_agency_plan_name?: string | null
      ticket_delivery_method?: "electronic" | "other" | null
      legs?: Schemas["NewAirlineLeg"][] | null
      passengers?: Schemas["NewAirlinePassenger"][] | null
    } | null
    expires_in?: number
  } | unknown[]
  CreateCryptogram: {
    merchant_initiated: boolean
  }
  CreateDigitalWallet: {
    provider: "apple" | "google" | "click-to-pay" | "paze"
    merchant_name: string
    merchant_display_name?: string | null
    merchant_url?: string | null
    merchant_country_code?: string | null
    merchant_category_code?: string | null
    address?: Schemas["DigitalWalletAddress"] | null
    extra_configuration?: Record<string, unknown> | null
    domain_names?: string[]
    accept_terms_and_conditions: boolean
  }
  CreateDigitalWalletKey: {
    purpose: "apple-merchant-identity" | "apple-payment-processing" | "google-payment"
    certificate?: string | null
    private_key?: string | null
    recipient_id?: string | null
  }
  CreateGiftCard: {
    number: string
    pin: string
    buyer_id?: string | null
    buyer_external_identifier?: string | null
  }
  CreateGiftCardService: {
    display_name: string
    gift_card_service_definition_id: string
    fields: Schemas["GiftCardServiceField"][]
    active?: boolean | null
  }
  CreateMerchantAccount: {
    id: string
    display_name: string
    account_updater_enabled?: boolean
    account_updater_request_encryption_key?: string | null
    account_updater_request_encryption_key_id?: string | null
    account_updater_response_decryption_key?: string | null
    account_updater_response_decryption_key_id?: string | null
    over_capture_amount?: number | null
    over_capture_percentage?: number | null
    loon_client_key?: string | null
    loon_secret_key?: string | null
    loon_accepted_schemes?: ("accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa")[] | null
    loon_merchant_account_id?: string | null
    visa_network_tokens_requestor_id?: string | null
    visa_network_tokens_app_id?: string | null
    amex_network_tokens_requestor_id?: string | null
    amex_network_tokens_app_id?: string | null
    mastercard_network_tokens_requestor_id?: string | null
    mastercard_network_tokens_app_id?: string | null
    discover_network_tokens_requestor_id?: string | null
    discover_network_tokens_app_id?: string | null
    async_network_tokens_enabled?: boolean
  }
  CreateNetworkToken: {
    merchant_initiated: boolean
    is_subsequent_payment: boolean
    security_code?: string | null
  }
  CreateNetworkTokenService: {
    display_name: string
    network_token_service_definition_id: string
    fields: Schemas["NetworkTokenServiceField"][]
    active?: boolean | null
  }
  CreateOidcSession: {
    code: string
    state: string
    iss?: string
    browser_key: string
  }
  CreatePasskey: {
    challenge_id: string
    passkey: Schemas["PasskeyRegistration"]
    passkey_name?: string
  }
  CreatePaymentMethod: Schemas["StoreCard"] | Schemas["StoreRedirect"] | Schemas["StoreSessionCard"] | Schemas["StoreAchAccount"] | Schemas["StoreBacsAccount"] | Schemas["StoreSepaAccount"] | Schemas["StorePlaid"]
  CreatePaymentService: {
    display_name: string
    payment_service_definition_id: string
    fields: Schemas["PaymentServiceField"][]
    reporting_fields?: Schemas["PaymentServiceField"][] | null
    position?: number | null
    accepted_currencies: string[]
    accepted_countries: string[]
    active?: boolean | null
    three_d_secure_enabled?: boolean
    merchant_profile?: {
      accel?: Schemas["MerchantProfileScheme"] | null
      amex?: Schemas["MerchantProfileScheme"] | null
      bancontact?: Schemas["MerchantProfileScheme"] | null
      "carte-bancaire"?: Schemas["MerchantProfileScheme"] | null
      cirrus?: Schemas["MerchantProfileScheme"] | null
      culiance?: Schemas["MerchantProfileScheme"] | null
      dankort?: Schemas["MerchantProfileScheme"] | null
      "diners-club"?: Schemas["MerchantProfileScheme"] | null
      discover?: Schemas["MerchantProfileScheme"] | null
      "eftpos-australia"?: Schemas["MerchantProfileScheme"] | null
      elo?: Schemas["MerchantProfileScheme"] | null
      hipercard?: Schemas["MerchantProfileScheme"] | null
      jcb?: Schemas["MerchantProfileScheme"] | null
      maestro?: Schemas["MerchantProfileScheme"] | null
      mastercard?: Schemas["MerchantProfileScheme"] | null
      mir?: Schemas["MerchantProfileScheme"] | null
      nyce?: Schemas["MerchantProfileScheme"] | null
      other?: Schemas["MerchantProfileScheme"] | null
      pulse?: Schemas["MerchantProfileScheme"] | null
      qcard?: Schemas["MerchantProfileScheme"] | null
      rupay?: Schemas["MerchantProfileScheme"] | null
      star?: Schemas["MerchantProfileScheme"] | null
      uatp?: Schemas["MerchantProfileScheme"] | null
      unionpay?: Schemas["MerchantProfileScheme"] | null
      visa?: Schemas["MerchantProfileScheme"] | null
    } | null
    payment_method_tokenization_enabled?: boolean | null
    network_tokens_enabled?: boolean | null
    open_loop?: boolean | null
    settlement_reporting_enabled?: boolean
  }
  CreatePaymentServiceSession: Record<string, unknown>
  CreatePaymentServiceToken: {
    payment_service_id: string
    redirect_url: string
    security_code?: string | null
  }
  CreatePazeSession: {
    client: Schemas["PazeClient"]
    sessionId: string
    accessToken: string
    callbackURLScheme: string
    intent: "REVIEW_AND_PAY" | "EXPRESS_CHECKOUT" | "ADD_CARD"
    transactionValue?: Schemas["PazeTransactionValue"] | null
    transactionType?: "PURCHASE" | "CARD_ON_FILE" | "BOTH" | null
    shippingPreference?: "ALL" | "NONE" | null
    billingPreference?: "ALL" | "ZIP_COUNTRY" | "NONE" | null
    emailAddress?: string | null
    phoneNumber?: string | null
    cobrand?: Schemas["PazeCobrand"][] | null
    acceptedShippingCountries?: string[] | null
    acceptedPaymentCardNetworks?: ("VISA" | "MASTERCARD")[] | null
    alwaysEnableCheckout?: boolean
  }
  CreateSandboxChargeback: {
    transaction_id: string
    stage?: "chargeback" | "reversal"
    amount?: number | null
    reason?: "fraudulent" | "not_received" | "not_as_described" | "duplicate" | "credit_not_processed" | "subscription_canceled" | null
  }
  CreateSandboxNextOutcome: {
    operation?: "authorize" | "capture" | "void" | "cancel" | "refund" | "increment" | "payout" | "tokenize"
    effect: "refuse" | "lose-answer" | "stall" | "late" | "garbage" | "unreachable"
    code?: string | null
  }
  CreateSandboxNotification: {
    transaction_id: string
    event?: "authorization.succeeded" | "authorization.declined" | "authorization.failed" | "capture.succeeded" | "capture.declined" | "capture.failed" | "void.succeeded" | "void.declined" | "void.failed" | "refund.succeeded" | "refund.declined" | "refund.failed" | null
  }
  CreateSession: {
    challenge_id?: string
    passkey?: Schemas["PasskeySignature"]
    password?: string
    code?: string
    email_address?: string
  }
  CreateShippingDetails: {
    first_name?: string | null
    last_name?: string | null
    email_address?: string | null
    phone_number?: string | null
    address?: Schemas["NewAddress"] | null
  }
  CreateStepUp: {
    challenge_id?: string
    passkey?: Schemas["PasskeySignature"]
    password?: string
    code?: string
    oidc?: Schemas["ProviderAnswer"]
  }
  CreateThreeDSConfiguration: {
    scheme: "accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa"
    merchant_acquirer_bin: string
    merchant_acquirer_id: string
    merchant_name: string
    merchant_country_code: string
    merchant_category_code: string
    merchant_url: string
    metadata: Record<string, string>
    currency?: string | null
  }
  CreateThreeDSScenario: {
    conditions: Schemas["NewThreeDSScenarioConditions"]
    outcome: Schemas["NewThreeDSScenarioOutcome"]
  }
  CreateThreeDSService: {
    display_name: string
    three_ds_service_definition_id: string
    fields: Schemas["ThreeDSServiceField"][]
    active?: boolean | null
  }
  CreateUser: {
    email_address: string
    name: string
    role_ids: string[]
    merchant_account_ids?: string[]
  }
  CreateVaultForwardAuthentication: {
    display_name: string
    host: string
    kind: "mutual_tls" | "hmac"
    certificate?: string
    private_key?: string
    secret?: string
    header?: string
    algorithm?: "sha256" | "sha512"
    encoding?: "hex" | "base64"
  }
  CreateVaultForwardEndpoint: {
    host: string
    paths?: string[]
    methods?: ("POST" | "PUT" | "PATCH")[]
  }
  CreateWebhookSubscription: {
    active?: boolean
    url: string
    authentication?: Schemas["NewWebhookAuthentication"] | null
    events?: string[] | null
  }
  CreatedPazeSession: {
    pazeCheckoutUrl: string
    clientContext: string
    ewSID: string
    timestampISO8601: string
  }
  Creator: {
    id: string
    name: string
    email_address: string
  }
  Cryptogram: {
    type: "network-token-cryptogram"
    cryptogram: string
  }
  CybersourceAntiFraudOptions: {
    merchant_defined_data?: Record<string, string> | null
    meta_key_merchant_id?: string | null
    shipping_method?: string | null
  }
  CybersourceOptions: {
    meta_key_merchant_id?: string | null
    merchant_defined_information?: Record<string, string> | null
    ship_to_method?: string | null
    comments?: string | null
  }
  DecisionCandidate: {
    payment_service_id: string
    display_name: string | null
    was_asked: boolean
    reason: string | null
    standing: Schemas["ServiceStanding"] | null
    text: string
  }
  DecisionStep: {
    flow: "checkout" | "card-transaction" | "non-card-transaction" | "redirect-transaction"
    action: "select-payment-options" | "decline-early" | "skip-3ds" | "route-transaction"
    rule: Schemas["RuleOfDecision"] | null
    passed_over: Schemas["PassedRule"][]
    text: string
  }
  DetailedSettlementReportSpec: {
    model: "detailed_settlement"
    params: {
      filters?: {
        ingested_at?: {
          start?: string | null
          end?: string | null
        }
      }
    }
  }
  DigitalWallet: {
    type: "digital-wallet"
    id: string
    merchant_account_id: string
    provider: "apple" | "google" | "click-to-pay" | "paze"
    merchant_name: string
    merchant_display_name: string | null
    merchant_url: string | null
    merchant_country_code: string | null
    merchant_category_code: string | null
    address: Schemas["DigitalWalletAddress"] | null
    extra_configuration: Record<string, unknown> | null
    domain_names: string[]
    active_certificate_count: number
    pending_certificate_count: number
    expired_certificate_count: number
    fields: Record<string, unknown> | null
    created_at: string
    updated_at: string
  }
  DigitalWalletAddress: {
    line1: string
    line2?: string | null
    city: string
    state_code: string
    postal_code: string
  }
  DigitalWalletKey: {
    type: "digital-wallet-key"
    id: string
    merchant_account_id: string
    digital_wallet_id: string
    purpose: "apple-merchant-identity" | "apple-payment-processing" | "google-payment"
    status: "pending" | "active" | "expired"
    public_key: string
    public_key_hash: string
    certificate_signing_request: string | null
    certificate: string | null
    serial_number: string | null
    merchant_identifier: string | null
    expires_at: string | null
    recipient_id: string | null
    created_at: string
    updated_at: string
  }
  DigitalWalletKeys: {
    items: Schemas["DigitalWalletKey"][]
  }
  DigitalWallets: {
    items: Schemas["DigitalWallet"][]
  }
  Dispute: {
    type: "dispute"
    id: string
    merchant_account_id: string
    payment_service_id: string
    transaction_id: string
    external_identifier: string | null
    stage: "inquiry" | "early_fraud_warning" | "notification" | "chargeback" | "second_chargeback" | "arbitration" | "won" | "lost" | "expired"
    amount: number | null
    currency: string | null
    reason_code: string | null
    reason_description: string | null
    respond_by: string | null
    steps: Schemas["DisputeStep"][]
    answer: Schemas["DisputeAnswer"] | null
    opened_at: string
    created_at: string
    updated_at: string
  }
  DisputeAnswer: {
    act: "accept" | "defend"
    stage: "inquiry" | "early_fraud_warning" | "notification" | "chargeback" | "second_chargeback" | "arbitration" | "won" | "lost" | "expired"
    status: "processing" | "succeeded" | "declined" | "failed" | "unknown"
    error_code: string | null
    evidence: Schemas["DisputeEvidenceSent"][]
    created_at: string
    updated_at: string
  }
  DisputeDefense: {
    name: string
    required: string[]
    one_of: string[]
    optional: string[]
  }
  DisputeEvidence: {
    texts?: {
      name: string
      text: string
    }[]
    files?: {
      name: string
      file_name: string
      content_type: string
      content: string
    }[]
  }
  DisputeEvidenceFields: {
    type: "dispute-evidence-fields"
    dispute_id: string
    can_accept: boolean
    can_defend: boolean
    reason: string | null
    texts: {
      name: string
      max_length: number
    }[]
    texts_max_length: number
    files: string[]
    defenses: Schemas["DisputeDefense"][]
    content_types: string[]
    file_max_bytes: number
    files_max_bytes: number
  }
  DisputeEvidenceSent: {
    name: string
    content_type: string | null
    bytes: number
  }
  DisputeStep: {
    stage: "inquiry" | "early_fraud_warning" | "notification" | "chargeback" | "second_chargeback" | "arbitration" | "won" | "lost" | "expired" | null
    provider_stage: string | null
    amount: number | null
    currency: string | null
    reason_code: string | null
    reason_description: string | null
    respond_by: string | null
    posted_at: string
    created_at: string
  }
  Disputes: {
    items: Schemas["Dispute"][]
    limit: number
    next_cursor: string | null
    previous_cursor: string | null
  }
  DlocalCardOptions: {
    three_dsecure_force?: boolean | null
  }
  DlocalOptions: {
    wallet?: Schemas["DlocalWalletOptions"] | null
  }
  DlocalPIXOptions: {
    subscription?: Schemas["DlocalPIXSubscriptionOptions"] | null
    scheduled_date?: string | null
  }
  DlocalPIXSubscriptionAmountOptions: {
    type: "FIXED" | "VARIABLE"
    min_value: string | null
    value?: string | null
  }
  DlocalPIXSubscriptionOptions: {
    frequency: "WEEKLY" | "MONTHLY" | "QUARTERLY" | "SEMI_ANNUAL" | "ANNUAL"
    amount?: Schemas["DlocalPIXSubscriptionAmountOptions"] | null
    start_date?: string | null
    end_date?: string | null
  }
  DlocalUPIOptions: {
    wallet?: Schemas["DlocalUPIWalletOptions"] | null
  }
  DlocalUPIRecurringInfoOptions: {
    subscription_frequency_unit: "MONTH" | "WEEK" | "BI_MONTHLY" | "ONDEMAND" | "QUARTER" | "YEAR" | "SEMI_ANNUALLY" | "DAY"
    subscription_frequency: number
    subscription_start_at: string
    subscription_end_at: string
  }
  DlocalUPIWalletOptions: {
    name?: string | null
    email?: string | null
    token?: string | null
    username?: string | null
    verify?: boolean | null
    recurring_info?: Schemas["DlocalUPIRecurringInfoOptions"] | null
  }
  DlocalWalletOptions: {
    name?: string | null
    email?: string | null
    token?: string | null
    username?: string | null
    verify?: boolean | null
  }
  DraftRule: {
    flow: "checkout" | "card-transaction" | "non-card-transaction" | "redirect-transaction"
    action: "select-payment-options" | "decline-early" | "skip-3ds" | "route-transaction"
    description?: string | null
    conditions: Schemas["FlowCondition"][]
    outcome: Schemas["FlowOutcome"]
    error_code?: string | null
  }
  DryRunCandidate: {
    payment_service_id: string
    display_name: string
    reason: string | null
    standing: Schemas["ServiceStanding"] | null
    text: string | null
  }
  DryRunObjection: {
    error_code: "retry_not_allowed_by_scheme" | "retry_too_early_for_scheme" | "retry_limit_reached"
    stops: "payment" | "nothing"
    text: string
  }
  EcommpayOptions: {
    booking_start_date?: string | null
    booking_end_date?: string | null
  }
  Enrolment: {
    type: "enrolment"
    purpose: "setup" | "invitation" | "reset"
    challenge_id: string
    email_address: string
    name: string
    passkey: Record<string, unknown> | null
    authenticator: {
      secret: string
      url: string
    }
  }
  EnterCard: {
    method?: "card"
    number: string
    expiration_date: string
    security_code?: string | null
    scheme?: "accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa" | null
  }
  EnterClickToPay: {
    method?: "click-to-pay"
    merchant_transaction_id: string
    src_correlation_id: string
    src_dpa_id: string
    src_cx_flow_id?: string | null
  }
  EnterStoredMethod: {
    method?: "id"
    id: string
    security_code?: string | null
  }
  Error400: {
    type: "error"
    code: "bad_request"
    status: 400
    message: string
    details: Schemas["ErrorDetail"][]
  }
  Error401: {
    type: "error"
    code: "unauthorized"
    status: 401
    message: string
    details: Schemas["ErrorDetail"][]
  }
  Error403: {
    type: "error"
    code: "forbidden" | "step_up_required"
    status: 403
    message: string
    details: Schemas["ErrorDetail"][]
  }
  Error404: {
    type: "error"
    code: "not_found"
    status: 404
    message: string
    details: Schemas["ErrorDetail"][]
  }
  Error405: {
    type: "error"
    code: "method_not_allowed"
    status: 405
    message: string
    details: Schemas["ErrorDetail"][]
  }
  Error409: {
    type: "error"
    code: "duplicate_record" | "concurrent_request"
    status: 409
    message: string
    details: Schemas["ErrorDetail"][]
    resource_id: string | null
  }
  Error425: {
    type: "error"
    code: "too_early"
    status: 425
    message: string
    details: Schemas["ErrorDetail"][]
  }
  Error429: {
    type: "error"
    code: "too_many_requests"
    status: 429
    message: string
    details: Schemas["ErrorDetail"][]
  }
  Error500: {
    type: "error"
    code: "server_error"
    status: 500
    message: string
    details: Schemas["ErrorDetail"][]
  }
  Error502: {
    type: "error"
    code: "bad_gateway"
    status: 502
    message: string
    details: Schemas["ErrorDetail"][]
  }
  Error503: {
    type: "error"
    code: "service_unavailable"
    status: 503
    message: string
    details: Schemas["ErrorDetail"][]
  }
  Error504: {
    type: "error"
    code: "gateway_timeout"
    status: 504
    message: string
    details: Schemas["ErrorDetail"][]
  }
  ErrorDetail: {
    location: "body" | "query" | "path" | "header"
    pointer: string
    message: string
    type: "value_error.missing" | "value_error.extra" | "value_error.jsondecode" | "value_error.const" | "value_error.str.regex" | "value_error.any_str.min_length" | "value_error.any_str.max_length" | "value_error.number.not_ge" | "value_error.number.not_le" | "value_error.list.min_items" | "value_error.list.max_items" | "value_error.url" | "value_error.luhn" | "value_error.checksum" | "value_error.expired" | "value_error.not_found" | "value_error.conflict" | "value_error.duplicate" | "type_error.uuid" | "type_error.integer" | "type_error.string" | "type_error.bool" | "type_error.array" | "type_error.object" | "type_error.enum" | "type_error.datetime"
  }
  Event: {
    type: "event"
    id: string
    name: "api-key-pair.created" | "api-key-pair.updated" | "api-key-pair.deleted" | "buyer.created" | "buyer.updated" | "buyer.deleted" | "buyer.erased" | "shipping-details.created" | "shipping-details.updated" | "shipping-details.deleted" | "payment-method.updated" | "payment-method.deleted" | "transaction.authentication-pending" | "transaction.authenticated" | "transaction.authorized" | "transaction.declined" | "transaction.failed" | "transaction.capture-pending" | "transaction.captured" | "transaction.capture-failed" | "transaction.void-pending" | "transaction.voided" | "transaction.void-declined" | "transaction.void-failed" | "transaction.settled" | "transaction.charged-back" | "transaction.chargeback-reversed" | "transaction.modified" | "transaction.review-accepted" | "capture.pending" | "capture.succeeded" | "capture.declined" | "capture.failed" | "refund.pending" | "refund.succeeded" | "refund.declined" | "refund.failed" | "refund.settled" | "dispute.opened" | "dispute.updated" | "dispute.deadline-near" | "dispute.closed" | "payout.pending" | "payout.succeeded" | "payout.declined" | "payout.failed" | "gift-card.created" | "gift-card.deleted" | "payment-link.created" | "payment-link.updated" | "monitoring.incident.created" | "monitoring.incident.closed" | "report-execution.succeeded" | "report-execution.failed" | "page-check.failed" | "webhook-subscription.test"
    created_at: string
    merchant_account_id: string | null
    instance_id: string
    environment: "sandbox" | "production"
    sequence: number
    target: {
      type: string
      id: string
    }
  }
  Events: {
    items: Schemas["Event"][]
    limit: number
    next_cursor: string | null
    previous_cursor: string | null
  }
  ExchangeBody: {
    kind: "json" | "form" | "other"
    size: number
    content: unknown
  }
  ExchangeRequest: {
    method: string
    url: string
    headers: Record<string, string>
    body: Schemas["ExchangeBody"] | null
  }
  ExchangeResponse: {
    status_code: number
    headers: Record<string, string>
    body: Schemas["ExchangeBody"] | null
  }
  ExportedPayment: {
    transaction: Schemas["Transaction"]
    ip_address: string | null
    browser_info: Schemas["BrowserInfo"] | null
  }
  FillSandbox: {
    days?: number | null
    payments?: number | null
    seed?: number | null
  }
  FiservInstallmentOptions: {
    numberOfInstallments?: number | null
    installmentsInterest?: boolean | null
    installmentDelayMonths?: number | null
    merchantAdviceCodeSupported?: boolean | null
  }
  FiservOptions: {
    installmentOptions?: Schemas["FiservInstallmentOptions"] | null
  }
  FlowBackTest: {
    type: "flow-back-test"
    id: string
    merchant_account_id: string
    status: "pending" | "running" | "succeeded" | "failed"
    version: number | null
    created_at_gte: string
    created_at_lte: string
    progress: {
      done: number
      total: number | null
    }
    failure_reason: string | null
    created_at: string
    finished_at: string | null
    result: Schemas["FlowBackTestResult"] | null
  }
  FlowBackTestCreate: {
    version?: number
    rules?: Schemas["DraftRule"][]
    created_at_gte: string
    created_at_lte?: string
  }
  FlowBackTestResult: {
    rules: {
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
      before: number
      after: number
    }[]
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
      approved: number
      expected: {
        approved: number
        low: number
        high: number
      } | null
      unknown: number
    }[]
    declined: {
      payments: number
      approved: number
    }
    not_routable: {
      payments: number
      approved: number
    }
    three_d_secure: {
      wish: "attempt" | "force" | "skip"
      payments: number
    }[]
    undecided: number
    estimate: {
      payments: number
      approved_before: number
      approved_after: number
      low: number
      high: number
      unknown: number
    }
  }
  FlowBackTestSummary: {
    type: "flow-back-test"
    id: string
    merchant_account_id: string
    status: "pending" | "running" | "succeeded" | "failed"
    version: number | null
    created_at_gte: string
    created_at_lte: string
    progress: {
      done: number
      total: number | null
    }
    failure_reason: string | null
    created_at: string
    finished_at: string | null
  }
  FlowBackTests: {
    items: Schemas["FlowBackTestSummary"][]
    limit: number
    next_cursor: string | null
    previous_cursor: string | null
  }
  FlowCondition: {
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
    value: number
  } | {
    name: "installment_count"
    operator: "less_than" | "greater_than" | "equal_to" | "less_than_or_equal_to" | "greater_than_or_equal_to"
    value: number
  } | {
    name: "weekday"
    operator: "is_one_of" | "is_not_one_of"
    value: {
      time_zone: string
      days: ("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday")[]
    }
  } | {
    name: "time_of_day"
    operator: "is_between"
    value: {
      time_zone: string
      from: string
      to: string
    }
  } | Schemas["AnyOfCondition"]
  FlowDryRun: {
    type: "flow-dry-run"
    version: number | null
    error_code: string | null
    three_d_secure: "attempt" | "force" | "skip" | null
    objection: Schemas["DryRunObjection"] | null
    steps: Schemas["DecisionStep"][]
    candidates: Schemas["DryRunCandidate"][]
  }
  FlowDryRunCreate: {
    transaction?: Schemas["TransactionCreate"]
    transaction_id?: string
    version?: number
    rules?: Schemas["DraftRule"][]
    anti_fraud_decision?: "accept" | "error" | "exception" | "reject" | "review" | "skipped" | "pending"
  }
  FlowHealth: {
    items: Schemas["ServiceHealth"][]
  }
  FlowOutcome: Schemas["CardRoutingOutcome"] | Schemas["RedirectRoutingOutcome"] | Schemas["PaymentOptionsOutcome"] | Schemas["ThreeDSecureOutcome"] | Schemas["BooleanOutcome"]
  FlowOutcomeOption: {
    type: "action" | "transaction-route" | "outcome"
    id: string
    label: string
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
  FlowOutcomeOptions: {
    items: Schemas["FlowOutcomeOption"][]
  }
  FlowRule: {
    type: "rule"
    id: string
    merchant_account_id: string
    description: string | null
    flow: "checkout" | "card-transaction" | "non-card-transaction" | "redirect-transaction"
    action: "select-payment-options" | "decline-early" | "skip-3ds" | "route-transaction"
    conditions: Schemas["FlowCondition"][]
    outcome: Schemas["FlowOutcome"]
    position: number
    error_code: string | null
    warnings: Schemas["FlowWarning"][]
    created_at: string
    updated_at: string
  }
  FlowRuleCreate: {
    description?: string | null
    conditions: Schemas["FlowCondition"][]
    outcome: Schemas["FlowOutcome"]
    error_code?: string | null
    based_on_version?: number
  }
  FlowRuleUpdate: {
    position: number
    description?: string | null
    conditions?: Schemas["FlowCondition"][]
    outcome?: Schemas["FlowOutcome"]
    error_code?: string | null
    based_on_version?: number
  }
  FlowRules: {
    items: Schemas["FlowRule"][]
    version: number
  }
  FlowVersion: {
    type: "flow-version"
    id: string
    merchant_account_id: string
    number: number
    note: string
    author: {
      id: string | null
      name: string
    }
    rule_count: number
    created_at: string
    rules: Schemas["FlowRule"][]
  }
  FlowVersionCreate: {
    restore: number
    based_on_version?: number
  }
  FlowVersionSummary: {
    type: "flow-version"
    id: string
    merchant_account_id: string
    number: number
    note: string
    author: {
      id: string | null
      name: string
    }
    rule_count: number
    created_at: string
  }
  FlowVersions: {
    items: Schemas["FlowVersionSummary"][]
    limit: number
    next_cursor: string | null
    previous_cursor: string | null
  }
  FlowWarning: {
    pointer: string
    message: string
  }
  ForterAntiFraudOptions: {
    delivery_type?: "DIGITAL" | "PHYSICAL" | "HYBRID" | null
    delivery_method?: string | null
    is_guest_buyer?: boolean | null
    cart_items?: Schemas["ForterAntiFraudOptionsCartItem"][] | null
    total_discount?: Schemas["ForterAntiFraudOptionsDiscount"] | null
  }
  ForterAntiFraudOptionsCartItem: {
    basic_item_data?: Schemas["ForterAntiFraudOptionsCartItemBasicItemData"] | null
    delivery_details?: Schemas["ForterAntiFraudOptionsCartItemDeliveryDetails"] | null
    beneficiaries?: Schemas["ForterAntiFraudOptionsCartItemBeneficiary"][] | null
  }
  ForterAntiFraudOptionsCartItemBasicItemData: {
    type?: "TANGIBLE" | "NON_TANGIBLE" | null
  }
  ForterAntiFraudOptionsCartItemBeneficiary: {
    personal_details: Schemas["ForterAntiFraudOptionsCartItemBeneficiaryPersonalDetails"]
    address?: Schemas["ForterAntiFraudOptionsCartItemBeneficiaryAddress"] | null
    phone?: Schemas["ForterAntiFraudOptionsCartItemBeneficiaryPhone"][] | null
    comments?: Schemas["ForterAntiFraudOptionsCartItemBeneficiaryComments"] | null
  }
  ForterAntiFraudOptionsCartItemBeneficiaryAddress: {
    country: string
    address1?: string | null
    address2?: string | null
    zip?: string | null
    region?: string | null
    company?: string | null
    city?: string | null
  }
  ForterAntiFraudOptionsCartItemBeneficiaryComments: {
    user_comments_to_merchant?: string | null
    message_to_beneficiary?: string | null
    merchant_comments?: string | null
  }
  ForterAntiFraudOptionsCartItemBeneficiaryPersonalDetails: {
    first_name?: string | null
    last_name?: string | null
    email?: string | null
  }
  ForterAntiFraudOptionsCartItemBeneficiaryPhone: {
    phone: string
  }
  ForterAntiFraudOptionsCartItemDeliveryDetails: {
    delivery_type?: "DIGITAL" | "PHYSICAL" | "HYBRID" | null
    delivery_method?: string | null
  }
  ForterAntiFraudOptionsDiscount: {
    coupon_code_used: string
    discount_type: string
    coupon_discount_amount?: Schemas["ForterAntiFraudOptionsDiscountCouponDiscountAmount"] | null
    coupon_discount_percent?: string | null
  }
  ForterAntiFraudOptionsDiscountCouponDiscountAmount: {
    amount_usd?: string | null
    amount_local_currency?: string | null
    currency?: string | null
  }
  GiftCard: {
    type: "gift-card"
    id: string
    merchant_account_id: string
    gift_card_service: Schemas["GiftCardServiceSummary"]
    bin: string
    sub_bin: string
    last4: string
    expiration_date: string | null
    buyer: Schemas["Buyer"] | null
    usage_count: number
    last_used_at: string | null
    cit_usage_count: number
    cit_last_used_at: string | null
    created_at: string
    updated_at: string
  }
  GiftCardBalanceRequest: {
    items: (Schemas["NewGiftCardBalance"] | Schemas["StoredGiftCardBalance"])[]
  }
  GiftCardIssuance: {
    type: "gift-card-issuance"
    id: string
    merchant_account_id: string
    gift_card_service: Schemas["GiftCardServiceSummary"]
    gift_card_service_payment_issuance_id: string
    url: string
    amount: number
    currency: string
    external_identifier: string | null
    created_at: string
    updated_at: string
  }
  GiftCardRedemption: {
    type: "gift-card-redemption"
    id: string
    status: "created" | "succeeded" | "failed" | "skipped"
    amount: number
    refunded_amount: number
    gift_card_service_redemption_id: string | null
    error_code: "invalid_gift_card" | "expired_card" | "inactive_card" | "invalid_service_credentials" | "invalid_amount" | "incorrect_currency" | "insufficient_funds" | "invalid_service_configuration" | "operation_canceled" | "service_error" | "service_network_error" | "unknown_error" | "max_gift_cards_reached" | "suspected_fraud" | "canceled_payment_method" | "duplicate_transaction" | "unexpected_state" | null
    raw_error_code: string | null
    raw_error_message: string | null
    gift_card: Schemas["TransactionGiftCard"]
  }
  GiftCardService: {
    type: "gift-card-service"
    id: string
    merchant_account_id: string
    gift_card_service_definition_id: string
    display_name: string
    active: boolean
    fields: Schemas["GiftCardServiceField"][]
    secret_fields: string[]
    created_at: string
    updated_at: string
  }
  GiftCardServiceDefinition: {
    type: "gift-card-service-definition"
    id: string
    display_name: string
    fields: Schemas["PaymentServiceDefinitionField"][]
    supported_features: Schemas["GiftCardServiceFeatures"]
  }
  GiftCardServiceDefinitions: {
    items: Schemas["GiftCardServiceDefinition"][]
    limit: number
    next_cursor: string | null
    previous_cursor: string | null
  }
  GiftCardServiceFeatures: {
    activations: boolean
    issuances: boolean
  }
  GiftCardServiceField: {
    key: string
    value: string
  }
  GiftCardServiceFieldChange: {
    key: string
    value: string
  }
  GiftCardServiceSummary: {
    type: "gift-card-service"
    id: string
    gift_card_service_definition_id: string
    display_name: string
  }
  GiftCardServices: {
    items: Schemas["GiftCardService"][]
    limit: number
    next_cursor: string | null
    previous_cursor: string | null
  }
  GiftCardSummaries: {
    items: Schemas["GiftCardSummary"][]
  }
  GiftCardSummary: {
    type: "gift-card"
    id: string | null
    merchant_account_id: string
    bin: string
    sub_bin: string
    last4: string
    currency: string | null
    expiration_date: string | null
    balance: number | null
    balance_error_code: "invalid_gift_card" | "expired_card" | "inactive_card" | "invalid_service_credentials" | "invalid_amount" | "incorrect_currency" | "insufficient_funds" | "invalid_service_configuration" | "operation_canceled" | "service_error" | "service_network_error" | "unknown_error" | "max_gift_cards_reached" | "suspected_fraud" | "canceled_payment_method" | "duplicate_transaction" | "unexpected_state" | null
    balance_raw_error_code: string | null
    balance_raw_error_message: string | null
    usage_count: number
    last_used_at: string | null
    cit_usage_count: number
    cit_last_used_at: string | null
  }
  GiftCards: {
    items: Schemas["GiftCard"][]
    limit: number
    next_cursor: string | null
    previous_cursor: string | null
  }
  GivingBlockOptions: {
    defaultCryptocurrency?: string | null
  }
  GoCardlessOptions: {
    purpose_code?: "mortgage" | "utility" | "loan" | "dependant_support" | "gambling" | "retail" | "salary" | "personal" | "government" | "pension" | "tax" | "other" | null
  }
  GooglePayAssuranceDetails: {
    account_verified?: boolean | null
    card_holder_authenticated?: boolean | null
  }
  GooglePayPaymentOptionContext: {
    merchant_name: string
    supported_schemes: string[]
    gateway: string
    gateway_merchant_id: string
  }
  GooglePaySession: {
    gateway_merchant_id: string
    token: string
  }
  GooglePaySessionRequest: {
    origin_domain: string
  }
  GuestBuyer: {
    display_name: string | null
    external_identifier: string | null
    account_number: string | null
    billing_details: Schemas["BillingDetails"] | null
    shipping_details: Schemas["GuestShippingDetails"] | null
  }
  GuestShippingDetails: {
    first_name: string | null
    last_name: string | null
    email_address: string | null
    phone_number: string | null
    address: Schemas["Address"] | null
  }
  HTTPValidationError: {
    detail: Schemas["ValidationError"][]
  }
  Invitation: {
    type: "invitation"
    invitation_url: string | null
    invitation_expires_at: string
  }
  InvitationOptions: {
    token: string
  }
  InvitedUser: {
    type: "user"
    id: string
    name: string
    email_address: string
    status: "pending" | "active" | "disabled"
    roles: Schemas["Role"][]
    has_passkey: boolean
    has_second_factor: boolean
    has_oidc: boolean
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
    invitation_url: string | null
    invitation_expires_at: string
  }
  IssueGiftCard: {
    theme: string
    amount: number
    currency: string
    external_identifier?: string | null
  }
  KlarnaOptions: {
    subscription?: Schemas["KlarnaSubscriptionOptions"] | null
    token_only_mode?: boolean | null
    authorization_token?: string | null
  }
  KlarnaSubscriptionOptions: {
    name: string
    interval: "DAY" | "WEEK" | "MONTH" | "YEAR"
    interval_count: number
    reference: string
  }
  LateJob: {
    job: string
    reason: "waiting" | "slow" | "failed"
    due_at: string
  }
  LatitudeOptions: {
    promotion_reference?: string | null
  }
  MattildaTapiOptions: {
    payment_method_expires_at?: string | null
  }
  Me: {
    type: "user"
    id: string
    name: string
    email_address: string
    status: "pending" | "active" | "disabled"
    roles: Schemas["Role"][]
    has_passkey: boolean
    has_second_factor: boolean
    has_oidc: boolean
    permissions: string[]
    merchant_accounts: {
      id: string
      display_name: string
    }[]
    is_unrestricted: boolean
    environment: "sandbox" | "production"
    step_up_until: string | null
    idle_expires_at: string
    idle_seconds: number
    expires_at: string
  }
  MerchantAccount: {
    type: "merchant-account"
    id: string
    display_name: string
    account_updater_enabled: boolean
    account_updater_request_encryption_key: string | null
    account_updater_request_encryption_key_id: string | null
    account_updater_response_decryption_key: string | null
    account_updater_response_decryption_key_id: string | null
    over_capture_amount: number | null
    over_capture_percentage: number | null
    loon_client_key: string | null
    loon_secret_key: string | null
    loon_accepted_schemes: ("accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa")[] | null
    loon_merchant_account_id: string | null
    visa_network_tokens_requestor_id: string | null
    visa_network_tokens_app_id: string | null
    amex_network_tokens_requestor_id: string | null
    amex_network_tokens_app_id: string | null
    mastercard_network_tokens_requestor_id: string | null
    mastercard_network_tokens_app_id: string | null
    discover_network_tokens_requestor_id: string | null
    discover_network_tokens_app_id: string | null
    async_network_tokens_enabled: boolean
    created_at: string
    updated_at: string
  }
  MerchantAccountSummary: {
    type: "merchant-account"
    id: string
    display_name: string
    created_at: string
    updated_at: string
    over_capture_amount: number | null
    over_capture_percentage: number | null
  }
  MerchantAccounts: {
    items: Schemas["MerchantAccount"][]
    limit: number
    next_cursor: string | null
    previous_cursor: string | null
  }
  MerchantProfileScheme: {
    merchant_acquirer_bin: string
    merchant_acquirer_id: string
    merchant_name: string
    merchant_country_code: string
    merchant_category_code: string
    merchant_url: string
  }
  MerchantProfileSchemeSummary: {
    merchant_acquirer_bin: string
    merchant_acquirer_id: string
    merchant_name: string
    merchant_country_code: string
    merchant_category_code: string
    merchant_url: string
    created_at: string
  }
  MetricsExplorerFiltersQueryParams: {
    datetime_range: string
    timezone?: string
    authentication_outcome?: string[] | null
    authorized?: string[] | null
    country?: string[] | null
    currency?: string[] | null
    error_code?: string[] | null
    instrument_type?: string[] | null
    is_subsequent_payment?: string[] | null
    liability_shifted?: string[] | null
    merchant_initiated?: string[] | null
    metadata?: string[] | null
    method?: string[] | null
    payment_method_bin?: string[] | null
    payment_method_card_issuer_name?: string[] | null
    payment_method_card_type?: string[] | null
    payment_method_country?: string[] | null
    payment_method_scheme?: string[] | null
    payment_service_id?: string[] | null
    payment_source?: string[] | null
    raw_response_code?: string[] | null
    rule_id_route_transaction?: string[] | null
    rule_id_skip_3ds?: string[] | null
    rule_variant_id?: string[] | null
    three_d_secure_auth_resp?: string[] | null
    three_d_secure_eci?: string[] | null
    three_d_secure_method?: string[] | null
  }
  MetricsExplorerModule: {
    type: "metrics-explorer.module"
    key: string
    display_name: string
    value: number | null
    metadata: (Record<string, string | boolean>) | null
  }
  MetricsExplorerPreset: {
    type: "metrics-explorer.preset"
    id: string
    merchant_account_id: string
    created_at: string
    updated_at: string
    display_name: string
    source: "authentication" | "authorization" | "monitoring"
    metric: "volume" | "transactions" | "auth_rate"
    filters: Schemas["MetricsExplorerPresetFilters"]
  }
  MetricsExplorerPresetCreate: {
    display_name: string
    metric: "volume" | "transactions" | "auth_rate"
    filters: Schemas["MetricsExplorerFiltersQueryParams"]
  }
  MetricsExplorerPresetFilters: {
    datetime_range: string
    timezone?: string
    authentication_outcome?: string[]
    authorized?: string[]
    country?: string[]
    currency?: string[]
    error_code?: string[]
    instrument_type?: string[]
    is_subsequent_payment?: string[]
    liability_shifted?: string[]
    merchant_initiated?: string[]
    metadata?: string[]
    method?: string[]
    payment_method_bin?: string[]
    payment_method_card_issuer_name?: string[]
    payment_method_card_type?: string[]
    payment_method_country?: string[]
    payment_method_scheme?: string[]
    payment_service_id?: string[]
    payment_source?: string[]
    raw_response_code?: string[]
    rule_id_route_transaction?: string[]
    rule_id_skip_3ds?: string[]
    rule_variant_id?: string[]
    three_d_secure_auth_resp?: string[]
    three_d_secure_eci?: string[]
    three_d_secure_method?: string[]
  }
  MetricsExplorerPresetUpdate: {
    display_name: string
  }
  MetricsExplorerTotalResponse: {
    type: "metrics-explorer.total"
    series: Schemas["MetricsExplorerTotalSeriesSet"]
    summary: Schemas["MetricsExplorerTotalSummarySet"]
  }
  MetricsExplorerTotalSeries: {
    first_interval: string
    values: (number | null)[]
  }
  MetricsExplorerTotalSeriesSet: {
    current: Schemas["MetricsExplorerTotalSeries"]
    previous: Schemas["MetricsExplorerTotalSeries"] | null
  }
  MetricsExplorerTotalSummary: {
    value: number | null
  }
  MetricsExplorerTotalSummarySet: {
    current: Schemas["MetricsExplorerTotalSummary"]
    previous: Schemas["MetricsExplorerTotalSummary"] | null
    delta: number | null
  }
  MockCardFault: {
    on: "authorize" | "capture" | "void" | "cancel" | "refund" | "increment" | "payout"
    kind: "lose-answer" | "stall" | "late" | "twice" | "garbage" | "unreachable"
  }
  MockCardMerchantAdviceCodeOptions: {
    account_number: string | null
    result?: string | null
  }
  MockCardOptions: {
    merchant_advice_code?: Schemas["MockCardMerchantAdviceCodeOptions"] | null
    skip_retry?: boolean | null
    fault?: Schemas["MockCardFault"] | null
  }
  MockCardPayoutOptions: {
    fault?: Schemas["MockCardFault"] | null
  }
  MockGiftCardFault: {
    on: "redeem" | "refund" | "reverse"
    kind: "lose-answer" | "stall" | "late" | "twice" | "garbage" | "unreachable"
  }
  MockGiftCardOptions: {
    fault?: Schemas["MockGiftCardFault"] | null
  }
  MonatoSpeiOptions: {
    approval_url: string
  }
  MonitoringAuthRateSpec: {
    model?: "auth_rate"
    params: {
      filters: Schemas["MonitoringMetricFilters"]
    }
  }
  MonitoringDebouncingIncidentPolicy: {
    strategy?: "debouncing"
    params: {
      create_after_n: number
      close_after_n: number
    }
  }
  MonitoringIncident: {
    type: "monitoring.incident"
    id: string
    metric_id: string | null
    merchant_account_id: string
    display_name: string
    spec: Record<string, unknown>
    alerting_policy: Record<string, unknown> | null
    incident_policy: Record<string, unknown> | null
    notes: string | null
    created_at: string
    updated_at: string
    closed_at: string | null
  }
  MonitoringIncidentUpdate: {
    notes: string | null
  }
  MonitoringIncidents: {
    items: Schemas["MonitoringIncident"][]
    limit: number
    next_cursor: string | null
    previous_cursor: string | null
  }
  MonitoringMetric: {
    type: "monitoring.metric"
    id: string
    merchant_account_id: string
    display_name: string
    spec: Record<string, unknown>
    alerting_policy: Record<string, unknown> | null
    alerting_policy_updated_at: string | null
    incident_policy: Record<string, unknown> | null
    incident_policy_updated_at: string | null
    created_at: string
    creator_id: string
    creator_type: "private_key" | "user"
    creator_display_name: string
    updated_at: string
    samples_view: Schemas["MonitoringSample"][] | null
  }
  MonitoringMetricCreate: {
    display_name: string
    alerting_policy: Schemas["MonitoringThresholdAlertingPolicy"] | null
    incident_policy: Schemas["MonitoringDebouncingIncidentPolicy"] | null
    spec: Schemas["MonitoringAuthRateSpec"]
  }
  MonitoringMetricFilters: {
    datetime_range: string
    method?: ("affirm" | "afterpay" | "alipay" | "alipayhk" | "applepay" | "bacs" | "bancontact" | "banked" | "becs" | "bitpay" | "boleto" | "boost" | "card" | "cashapp" | "chaseorbital" | "checkout-session" | "clearpay" | "click-to-pay" | "dana" | "dcb" | "dlocal" | "ebanx" | "efecty" | "eps" | "everydaypay" | "gcash" | "gem" | "gemds" | "gift-card" | "giropay" | "givingblock" | "gocardless" | "googlepay" | "googlepay_pan_only" | "gopay" | "grabpay" | "id" | "ideal" | "kakaopay" | "kcp" | "klarna" | "latitude" | "latitudeds" | "laybuy" | "linepay" | "linkaja" | "maybankqrpay" | "mercadopago" | "multibanco" | "multipago" | "netbanking" | "network-token" | "oney_3x" | "oney_4x" | "oney_6x" | "oney_10x" | "oney_12x" | "ovo" | "oxxo" | "payid" | "paymaya" | "paypal" | "paypalpaylater" | "payto" | "venmo" | "pix" | "pse" | "rabbitlinepay" | "razorpay" | "scalapay" | "sepa" | "shopeepay" | "singteldash" | "smartpay" | "sofort" | "spei" | "stripedd" | "thaiqr" | "touchngo" | "truemoney" | "trustly" | "trustlyeurope" | "upi" | "vipps" | "waave" | "webpay" | "wechat" | "zippay" | "abitab" | "ach" | "alma" | "arcuspaynetwork" | "autogiro" | "bancomatpay" | "banktransfer" | "bcp" | "becsnz" | "belfius" | "betalingsservice" | "billie" | "bizum" | "blik" | "breb" | "capitec" | "cashappafterpay" | "custom_push" | "custom_redirect" | "custom_tokenize" | "eckoh" | "in3" | "interac" | "kbc" | "khipu" | "konbini" | "mbway" | "mobilepay" | "mybank" | "nequi" | "nupay" | "onelink" | "onlinebankingcz" | "p24" | "pad" | "pagoefectivo" | "paybybank" | "paypay" | "paysafecard" | "paysquad" | "payvalida" | "picpay" | "rapipago" | "redpagos" | "riverty" | "satispay" | "servipag" | "seveneleven" | "stitch" | "stripe" | "stripetoken" | "swish" | "tapi" | "tapifintechs" | "twint" | "wero" | "yape" | "bank" | "paze" | "plaid" | null)[] | null
    payment_method_bin?: (string | null)[] | null
    payment_method_scheme?: ("accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa" | null)[] | null
    payment_service_id?: (string | null)[] | null
  }
  MonitoringMetricUpdate: {
    display_name: string
    alerting_policy: Schemas["MonitoringThresholdAlertingPolicy"] | null
    incident_policy: Schemas["MonitoringDebouncingIncidentPolicy"] | null
  }
  MonitoringMetrics: {
    items: Schemas["MonitoringMetric"][]
    limit: number
    next_cursor: string | null
    previous_cursor: string | null
  }
  MonitoringSample: {
    timestamp: string
    value: number | null
    healthy: boolean | null
    incident_related: boolean
  }
  MonitoringThresholdAlertingPolicy: {
    strategy?: "threshold"
    params: {
      alert_gt?: number | string | null
      alert_lt?: number | string | null
    }
  }
  NetworkToken: {
    type: "network-token"
    id: string
    payment_method_id: string
    status: "active" | "inactive" | "suspended" | "deleted"
    token: string
    expiration_date: string
    created_at: string
    updated_at: string
  }
  NetworkTokenService: {
    type: "network-token-service"
    id: string
    merchant_account_id: string
    network_token_service_definition_id: string
    display_name: string
    active: boolean
    webhook_url: string
    fields: Schemas["NetworkTokenServiceField"][]
    secret_fields: string[]
    created_at: string
    updated_at: string
  }
  NetworkTokenServiceDefinition: {
    type: "network-token-service-definition"
    id: string
    display_name: string
    fields: Schemas["PaymentServiceDefinitionField"][]
    supported_features: Schemas["NetworkTokenServiceFeatures"]
  }
  NetworkTokenServiceDefinitions: {
    items: Schemas["NetworkTokenServiceDefinition"][]
    limit: number
    next_cursor: string | null
    previous_cursor: string | null
  }
  NetworkTokenServiceFeatures: {
    amex: boolean
    discover: boolean
    mastercard: boolean
    visa: boolean
    suspensions: boolean
    own_requestor: boolean
    notifications: boolean
  }
  NetworkTokenServiceField: {
    key: string
    value: string
  }
  NetworkTokenServiceFieldChange: {
    key: string
    value: string
  }
  NetworkTokenServices: {
    items: Schemas["NetworkTokenService"][]
    limit: number
    next_cursor: string | null
    previous_cursor: string | null
  }
  NetworkTokens: {
    items: Schemas["NetworkToken"][]
  }
  NewAddress: {
    city?: string | null
    country?: string | null
    postal_code?: string | null
    state?: string | null
    state_code?: string | null
    house_number_or_name?: string | null
    line1?: string | null
    line2?: string | null
    organization?: string | null
  }
  NewAirlineLeg: {
    arrival_airport?: string | null
    arrival_at?: string | null
    arrival_city?: string | null
    arrival_country?: string | null
    carrier_code?: string | null
    carrier_name?: string | null
    iata_designator?: string | null
    icao_code?: string | null
    coupon_number?: string | null
    departure_airport?: string | null
    departure_at?: string | null
    departure_city?: string | null
    departure_country?: string | null
    departure_tax_amount?: number | null
    fare_amount?: number | null
    fare_basis_code?: string | null
    fee_amount?: number | null
    flight_class?: string | null
    flight_number?: string | null
    route_type?: "round_trip" | "one_way" | null
    seat_class?: string | null
    stop_over?: boolean | null
    tax_amount?: number | null
  }
  NewAirlinePassenger: {
    age_group?: "adult" | "infant" | null
    date_of_birth?: string | null
    email_address?: string | null
    first_name?: string | null
    frequent_flyer_number?: string | null
    last_name?: string | null
    passport_number?: string | null
    phone_number?: string | null
    ticket_number?: string | null
    title?: string | null
    country_code?: string | null
  }
  NewBillingDetails: {
    type?: "billing-details"
    first_name?: string | null
    last_name?: string | null
    email_address?: string | null
    phone_number?: string | null
    address?: Schemas["NewAddress"] | null
    tax_id?: Schemas["TaxId"] | null
  }
  NewCartItem: {
    name: string
    quantity: number
    unit_amount: number
    discount_amount?: number | null
    tax_amount?: number | null
    external_identifier?: string | null
    sku?: string | null
    upc?: string | null
    product_url?: string | null
    image_url?: string | null
    categories?: string[] | null
    product_type?: "physical" | "discount" | "shipping_fee" | "sales_tax" | "digital" | "gift_card" | "store_credit" | "surcharge" | null
    seller_country?: string | null
    tax_exempt?: boolean | null
    unit_of_measure?: string | null
    commodity_code?: string | null
    description?: string | null
    duty_amount?: number | null
    shipping_amount?: number | null
  }
  NewGiftCardBalance: {
    number: string
    pin: string
  }
  NewGuestBuyer: {
    display_name?: string | null
    external_identifier?: string | null
    account_number?: string | null
    billing_details?: Schemas["NewBillingDetails"] | null
    shipping_details?: Schemas["NewGuestShippingDetails"] | null
  }
  NewGuestShippingDetails: {
    first_name?: string | null
    last_name?: string | null
    email_address?: string | null
    phone_number?: string | null
    address?: Schemas["NewAddress"] | null
  }
  NewPayoutMerchant: {
    name: string
    identification_number: string
    phone_number: string
    url: string
    merchant_category_code: string
    statement_descriptor: string
    address?: Schemas["NewAddress"] | null
  }
  NewRecipient: {
    first_name: string
    last_name: string
    account_number?: string | null
    date_of_birth?: string | null
    address?: Schemas["NewAddress"] | null
  }
  NewStatementDescriptor: {
    name?: string | null
    description?: string | null
    city?: string | null
    country?: string | null
    phone_number?: string | null
    url?: string | null
    postal_code?: string | null
  }
  NewThemeLogo: {
    media_type: "image/png" | "image/jpeg" | "image/webp"
    data: string
  }
  NewThreeDSScenarioConditions: {
    first_name?: string | null
    last_name?: string | null
    email_address?: string | null
    amount?: number | null
    external_identifier?: string | null
    card_number?: string | null
  }
  NewThreeDSScenarioOutcome: {
    version?: string | null
    authentication: {
      transaction_status: "Y" | "N" | "A" | "R" | "U" | "C" | "timeout"
    }
    result?: {
      transaction_status: "Y" | "N" | "timeout"
    } | null
  }
  NewWebhookAuthentication: {
    kind?: "basic" | "oauth_client_credentials" | "oauth_password"
    username?: string | null
    password?: string | null
    client_id?: string | null
    client_secret?: string | null
    token_url?: string | null
    scope?: string | null
    type?: "webhook-authentication"
  }
  NotedAnswer: {
    note: string | null
    author: {
      id: string | null
      name: string
    }
    created_at: string
  }
  NuveiAirlineDataOptions: {
    seatClass?: string | null
    isCardholderTraveling?: boolean | null
  }
  NuveiIDealOptions: {
    customData?: string | null
  }
  NuveiKlarnaOptions: {
    customData?: string | null
  }
  NuveiOptions: {
    customData?: string | null
    airlineData?: Schemas["NuveiAirlineDataOptions"] | null
  }
  NuveiPSEOptions: {
    userType?: string | null
    userFisNumber?: string | null
    fiscalNumber?: string | null
    bankCode?: string | null
  }
  OidcOptions: {
    type: "oidc-options"
    name: string
    authorization_url: string
    state: string
    browser_key: string
  }
  OidcSignOut: {
    type: "oidc-sign-out"
    sign_out_url: string | null
  }
  OpenCheckoutPage: {
    allowed_origins: string[]
    page_url?: string | null
    locale?: "en" | "en-GB" | "de" | "fr" | "es" | "pt" | "pt-BR" | "it" | "nl" | "pl" | "sv" | "da" | "nb" | "fi" | "cs" | "hu" | "ro" | "tr" | "el" | "uk" | "vi" | "ja" | "ko" | "zh" | "zh-TW" | "th" | "ar" | "he" | null
    return_url?: string | null
    store?: "never" | "ask" | "always"
    ask_security_code?: boolean
    required_fields?: ("email_address" | "name" | "phone_number" | "billing_address" | "shipping_address")[]
    external_identifier?: string | null
    amount: number
    currency: string
    country?: string | null
    intent?: "authorize" | "capture"
    payment_source?: "ecommerce" | "moto" | "recurring" | "installment" | "card_on_file"
    cart_items?: Schemas["NewCartItem"][] | null
    metadata?: Record<string, string> | null
    buyer?: Schemas["NewGuestBuyer"] | null
    buyer_id?: string | null
    buyer_external_identifier?: string | null
    shipping_details_id?: string | null
    connection_options?: Schemas["TransactionConnectionOptions"] | null
    statement_descriptor?: Schemas["NewStatementDescriptor"] | null
    installment_count?: number | null
    approval_expires_at?: string | null
  }
  OxxoOptions: {
    payment_method_expires_at?: number | null
    approval_url?: string | null
  }
  PassedRule: {
    rule: Schemas["RuleOfDecision"]
    condition?: Schemas["FlowCondition"]
    because: "not_met" | "not_known"
    text: string
  }
  Passkey: {
    type: "passkey"
    id: string
    name: string
    created_at: string
    last_used_at: string | null
  }
  PasskeyOptions: {
    type: "passkey-options"
    challenge_id: string
    passkey: Record<string, unknown> | null
  }
  PasskeyRegistration: {
    id: string
    rawId: string
    type: "public-key"
    response: {
      clientDataJSON: string
      attestationObject: string
      authenticatorData?: string
      transports?: string[]
      publicKeyAlgorithm?: number
      publicKey?: string | null
    }
    clientExtensionResults: Record<string, unknown>
    authenticatorAttachment?: string | null
  }
  PasskeySignature: {
    id: string
    rawId: string
    type: "public-key"
    response: {
      clientDataJSON: string
      authenticatorData: string
      signature: string
      userHandle?: string | null
    }
    clientExtensionResults: Record<string, unknown>
    authenticatorAttachment?: string | null
  }
  Passkeys: {
    items: Schemas["Passkey"][]
  }
  PasswordOptions: {
    type: "password-options"
    challenge_id: string
    authenticator: {
      secret: string
      url: string
    } | null
  }
  PasswordState: {
    type: "password"
    is_set: boolean
    changed_at: string | null
    recovery_codes_left: number
  }
  PayOutToCard: {
    method?: "card"
    number: string
    expiration_date: string
    card_scheme?: "accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa" | null
    external_identifier?: string | null
  }
  PayOutToStoredCard: {
    method?: "id"
    id: string
  }
  PayWithApplePay: {
    method: "applepay"
    token: Record<string, unknown>
    cardholder_name?: string | null
    card_suffix?: string | null
    card_scheme?: string | null
    card_type?: string | null
    redirect_url?: string | null
    buyer_id?: string | null
    buyer_external_identifier?: string | null
  }
  PayWithBank: {
    method?: "bank"
    account_holder: Schemas["BankAccountHolder"]
    external_identifier?: string | null
    buyer_id?: string | null
    buyer_external_identifier?: string | null
  }
  PayWithCard: {
    method?: "card"
    number: string
    expiration_date: string
    card_type?: "credit" | "debit" | "prepaid" | null
    security_code?: string | null
    redirect_url?: string | null
    external_identifier?: string | null
    buyer_id?: string | null
    buyer_external_identifier?: string | null
  }
  PayWithCheckoutSession: {
    method?: "checkout-session"
    id: string
    redirect_url?: string | null
    external_identifier?: string | null
    buyer_id?: string | null
    buyer_external_identifier?: string | null
  }
  PayWithClickToPay: {
    method: "click-to-pay"
    token: string
    cryptogram: string
    expiration_date: string
    redirect_url?: string | null
    external_identifier?: string | null
    buyer_id?: string | null
    buyer_external_identifier?: string | null
  }
  PayWithClickToPayCard: {
    method: "click-to-pay"
    number: string
    expiration_date: string
    card_type?: "credit" | "debit" | "prepaid" | null
    security_code?: null
    redirect_url?: string | null
    external_identifier?: string | null
    buyer_id?: string | null
    buyer_external_identifier?: string | null
  }
  PayWithGooglePay: {
    method: "googlepay"
    token: string | Record<string, unknown>
    assurance_details?: Schemas["GooglePayAssuranceDetails"] | null
    cardholder_name?: string | null
    card_suffix?: string | null
    card_scheme?: string | null
    card_type?: string | null
    redirect_url?: string | null
    buyer_id?: string | null
    buyer_external_identifier?: string | null
  }
  PayWithGooglePayCard: {
    method: "googlepay_pan_only"
    number: string
    expiration_date: string
    card_type?: "credit" | "debit" | "prepaid" | null
    security_code?: null
    redirect_url?: string | null
    external_identifier?: string | null
    buyer_id?: string | null
    buyer_external_identifier?: string | null
  }
  PayWithNetworkToken: {
    method: "network-token"
    token: string
    expiration_date: string
    cryptogram?: string | null
    card_source?: "apple-pay" | "google-pay" | null
    card_scheme?: "accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa" | null
    card_suffix?: string | null
    cardholder_name?: string | null
    eci?: string | null
    redirect_url?: string | null
  }
  PayWithNewGiftCard: {
    number: string
    pin: string
    amount: number
  }
  PayWithPaze: {
    method: "paze"
    token: string
    checkout_token?: string | null
    cardholder_name?: string | null
    card_suffix?: string | null
    card_scheme?: string | null
    card_type?: string | null
    redirect_url?: string | null
    buyer_id?: string | null
    buyer_external_identifier?: string | null
  }
  PayWithPlaid: {
    method?: "plaid"
    token: string
    account_id?: string | null
    payment_service_id?: string | null
    external_identifier?: string | null
    buyer_id?: string | null
    buyer_external_identifier?: string | null
  }
  PayWithRedirect: {
    method: "abitab" | "ach" | "affirm" | "afterpay" | "alipay" | "alipayhk" | "alma" | "arcuspaynetwork" | "autogiro" | "bacs" | "bancomatpay" | "bancontact" | "banked" | "banktransfer" | "bcp" | "becs" | "becsnz" | "belfius" | "betalingsservice" | "billie" | "bitpay" | "bizum" | "blik" | "boleto" | "boost" | "breb" | "capitec" | "cashapp" | "cashappafterpay" | "clearpay" | "custom_push" | "custom_redirect" | "custom_tokenize" | "dana" | "dcb" | "dlocal" | "ebanx" | "eckoh" | "efecty" | "eps" | "everydaypay" | "gcash" | "gem" | "gemds" | "giropay" | "givingblock" | "gocardless" | "gopay" | "grabpay" | "ideal" | "in3" | "interac" | "kakaopay" | "kbc" | "kcp" | "khipu" | "klarna" | "konbini" | "latitude" | "latitudeds" | "laybuy" | "linepay" | "linkaja" | "maybankqrpay" | "mbway" | "mercadopago" | "mobilepay" | "multibanco" | "multipago" | "mybank" | "nequi" | "netbanking" | "nupay" | "onelink" | "oney_10x" | "oney_12x" | "oney_3x" | "oney_4x" | "oney_6x" | "onlinebankingcz" | "ovo" | "oxxo" | "p24" | "pad" | "pagoefectivo" | "paybybank" | "payid" | "paymaya" | "paypal" | "paypalpaylater" | "paypay" | "paysafecard" | "paysquad" | "payto" | "payvalida" | "picpay" | "pix" | "pse" | "rabbitlinepay" | "rapipago" | "razorpay" | "redpagos" | "riverty" | "satispay" | "scalapay" | "sepa" | "servipag" | "seveneleven" | "shopeepay" | "singteldash" | "smartpay" | "sofort" | "spei" | "stitch" | "stripe" | "stripedd" | "stripetoken" | "swish" | "tapi" | "tapifintechs" | "thaiqr" | "touchngo" | "truemoney" | "trustly" | "trustlyeurope" | "twint" | "upi" | "venmo" | "vipps" | "waave" | "webpay" | "wechat" | "wero" | "yape" | "zippay"
    country: string
    currency: string
    redirect_url: string
    fields?: Schemas["RedirectFields"] | null
    external_identifier?: string | null
    buyer_id?: string | null
    buyer_external_identifier?: string | null
  }
  PayWithStoredGiftCard: {
    id: string
    amount: number
  }
  PayWithStoredMethod: {
    method?: "id"
    id: string
    security_code?: string | null
    redirect_url?: string | null
  }
  PaymentLink: {
    type: "payment-link"
    id: string
    url: string
    status: "active" | "completed" | "expired" | "processing"
    expires_at: string | null
    amount: number
    currency: string
    country: string
    intent: "authorize" | "capture"
    payment_source: "ecommerce" | "moto" | "recurring" | "installment" | "card_on_file"
    store: boolean
    external_identifier: string | null
    locale: string | null
    merchant_name: string | null
    merchant_url: string | null
    merchant_banner_url: string | null
    merchant_color: string | null
    merchant_message: string | null
    merchant_terms_and_conditions_url: string | null
    merchant_favicon_url: string | null
    return_url: string | null
    metadata: Record<string, unknown> | null
    buyer_id: string | null
    installment_count: number | null
    required_fields: ("email_address" | "name" | "phone_number" | "billing_address" | "shipping_address")[]
    statement_descriptor: Schemas["StatementDescriptor"] | null
    cart_items: Schemas["CartItem"][] | null
    buyer: Schemas["TransactionBuyer"] | null
    shipping_details: Schemas["TransactionShippingDetails"] | null
    connection_options: Record<string, Record<string, unknown>> | null
    created_at: string
    updated_at: string
  }
  PaymentLinkCreate: {
    amount: number
    country: string
    currency: string
    external_identifier?: string | null
    locale?: string | null
    merchant_name?: string | null
    merchant_url?: string | null
    merchant_banner_url?: string | null
    merchant_color?: string | null
    merchant_message?: string | null
    merchant_terms_and_conditions_url?: string | null
    merchant_favicon_url?: string | null
    return_url?: string | null
    metadata?: (Record<string, string | number | boolean | Record<string, unknown> | unknown[] | null>) | null
    buyer_id?: string | null
    installment_count?: number | null
    required_fields?: ("email_address" | "name" | "phone_number" | "billing_address" | "shipping_address")[]
    buyer?: Schemas["NewGuestBuyer"] | null
    expires_at?: string | null
    connection_options?: Schemas["TransactionConnectionOptions"] | null
    statement_descriptor?: Schemas["NewStatementDescriptor"] | null
    cart_items?: Schemas["NewCartItem"][] | null
    intent?: "authorize" | "capture"
    payment_source?: "ecommerce" | "moto" | "recurring" | "installment" | "card_on_file"
    store?: boolean
  }
  PaymentLinks: {
    items: Schemas["PaymentLink"][]
    limit: number
    next_cursor: string | null
    previous_cursor: string | null
  }
  PaymentMethod: {
    type: "payment-method"
    id: string
    merchant_account_id: string
    method: "affirm" | "afterpay" | "alipay" | "alipayhk" | "applepay" | "bacs" | "bancontact" | "banked" | "becs" | "bitpay" | "boleto" | "boost" | "card" | "cashapp" | "chaseorbital" | "checkout-session" | "clearpay" | "click-to-pay" | "dana" | "dcb" | "dlocal" | "ebanx" | "efecty" | "eps" | "everydaypay" | "gcash" | "gem" | "gemds" | "gift-card" | "giropay" | "givingblock" | "gocardless" | "googlepay" | "googlepay_pan_only" | "gopay" | "grabpay" | "id" | "ideal" | "kakaopay" | "kcp" | "klarna" | "latitude" | "latitudeds" | "laybuy" | "linepay" | "linkaja" | "maybankqrpay" | "mercadopago" | "multibanco" | "multipago" | "netbanking" | "network-token" | "oney_3x" | "oney_4x" | "oney_6x" | "oney_10x" | "oney_12x" | "ovo" | "oxxo" | "payid" | "paymaya" | "paypal" | "paypalpaylater" | "payto" | "venmo" | "pix" | "pse" | "rabbitlinepay" | "razorpay" | "scalapay" | "sepa" | "shopeepay" | "singteldash" | "smartpay" | "sofort" | "spei" | "stripedd" | "thaiqr" | "touchngo" | "truemoney" | "trustly" | "trustlyeurope" | "upi" | "vipps" | "waave" | "webpay" | "wechat" | "zippay" | "abitab" | "ach" | "alma" | "arcuspaynetwork" | "autogiro" | "bancomatpay" | "banktransfer" | "bcp" | "becsnz" | "belfius" | "betalingsservice" | "billie" | "bizum" | "blik" | "breb" | "capitec" | "cashappafterpay" | "custom_push" | "custom_redirect" | "custom_tokenize" | "eckoh" | "in3" | "interac" | "kbc" | "khipu" | "konbini" | "mbway" | "mobilepay" | "mybank" | "nequi" | "nupay" | "onelink" | "onlinebankingcz" | "p24" | "pad" | "pagoefectivo" | "paybybank" | "paypay" | "paysafecard" | "paysquad" | "payvalida" | "picpay" | "rapipago" | "redpagos" | "riverty" | "satispay" | "servipag" | "seveneleven" | "stitch" | "stripe" | "stripetoken" | "swish" | "tapi" | "tapifintechs" | "twint" | "wero" | "yape" | "bank" | "plaid"
    mode: "card" | "redirect" | "applepay" | "googlepay" | "click-to-pay" | "checkout-session" | "bank"
    label: string | null
    scheme: "accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa" | null
    additional_schemes: ("accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa")[] | null
    expiration_date: string | null
    details: Schemas["PaymentMethodCardDetails"] | null
    fingerprint: string | null
    approval_url: string | null
    approval_target: "any" | "new_window" | null
    country: string | null
    currency: string | null
    has_replacement: boolean
    last_replaced_at: string | null
    usage_count: number
    last_used_at: string | null
    cit_usage_count: number
    cit_last_used_at: string | null
    scheme_transaction_id: string | null
    scheme_transaction_id_scheme: "accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa" | null
    transaction_link_id: string | null
    status: "processing" | "buyer_approval_required" | "succeeded" | "failed"
    buyer: Schemas["Buyer"] | null
    external_identifier: string | null
    created_at: string
    updated_at: string
  }
  PaymentMethodCardDetails: {
    bin: string | null
    card_type: "credit" | "debit" | "prepaid" | null
    card_issuer_name: string | null
  }
  PaymentMethodDefinition: {
    id: string
    method: string
    display_name: string
    long_display_name: string | null
    icon_url: string
  }
  PaymentMethodDefinitions: {
    items: Schemas["PaymentMethodDefinition"][]
  }
  PaymentMethodSummaries: {
    items: Schemas["PaymentMethodSummary"][]
  }
  PaymentMethodSummary: {
    type: "payment-method"
    id: string
    merchant_account_id: string
    method: "affirm" | "afterpay" | "alipay" | "alipayhk" | "applepay" | "bacs" | "bancontact" | "banked" | "becs" | "bitpay" | "boleto" | "boost" | "card" | "cashapp" | "chaseorbital" | "checkout-session" | "clearpay" | "click-to-pay" | "dana" | "dcb" | "dlocal" | "ebanx" | "efecty" | "eps" | "everydaypay" | "gcash" | "gem" | "gemds" | "gift-card" | "giropay" | "givingblock" | "gocardless" | "googlepay" | "googlepay_pan_only" | "gopay" | "grabpay" | "id" | "ideal" | "kakaopay" | "kcp" | "klarna" | "latitude" | "latitudeds" | "laybuy" | "linepay" | "linkaja" | "maybankqrpay" | "mercadopago" | "multibanco" | "multipago" | "netbanking" | "network-token" | "oney_3x" | "oney_4x" | "oney_6x" | "oney_10x" | "oney_12x" | "ovo" | "oxxo" | "payid" | "paymaya" | "paypal" | "paypalpaylater" | "payto" | "venmo" | "pix" | "pse" | "rabbitlinepay" | "razorpay" | "scalapay" | "sepa" | "shopeepay" | "singteldash" | "smartpay" | "sofort" | "spei" | "stripedd" | "thaiqr" | "touchngo" | "truemoney" | "trustly" | "trustlyeurope" | "upi" | "vipps" | "waave" | "webpay" | "wechat" | "zippay" | "abitab" | "ach" | "alma" | "arcuspaynetwork" | "autogiro" | "bancomatpay" | "banktransfer" | "bcp" | "becsnz" | "belfius" | "betalingsservice" | "billie" | "bizum" | "blik" | "breb" | "capitec" | "cashappafterpay" | "custom_push" | "custom_redirect" | "custom_tokenize" | "eckoh" | "in3" | "interac" | "kbc" | "khipu" | "konbini" | "mbway" | "mobilepay" | "mybank" | "nequi" | "nupay" | "onelink" | "onlinebankingcz" | "p24" | "pad" | "pagoefectivo" | "paybybank" | "paypay" | "paysafecard" | "paysquad" | "payvalida" | "picpay" | "rapipago" | "redpagos" | "riverty" | "satispay" | "servipag" | "seveneleven" | "stitch" | "stripe" | "stripetoken" | "swish" | "tapi" | "tapifintechs" | "twint" | "wero" | "yape" | "bank" | "plaid"
    mode: "card" | "redirect" | "applepay" | "googlepay" | "click-to-pay" | "checkout-session" | "bank"
    label: string | null
    scheme: "accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa" | null
    additional_schemes: ("accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa")[] | null
    expiration_date: string | null
    details: Schemas["PaymentMethodCardDetails"] | null
    fingerprint: string | null
    approval_url: string | null
    approval_target: "any" | "new_window" | null
    country: string | null
    currency: string | null
    has_replacement: boolean
    last_replaced_at: string | null
    usage_count: number
    last_used_at: string | null
    cit_usage_count: number
    cit_last_used_at: string | null
    scheme_transaction_id: string | null
    scheme_transaction_id_scheme: "accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa" | null
    transaction_link_id: string | null
  }
  PaymentMethods: {
    items: Schemas["PaymentMethod"][]
    limit: number
    next_cursor: string | null
    previous_cursor: string | null
  }
  PaymentOption: {
    type: "payment-option"
    method: string
    mode: "card" | "redirect" | "bank" | "applepay" | "googlepay" | "click-to-pay" | "paze"
    label: string | null
    icon_url: string | null
    can_store_payment_method: boolean
    can_delay_capture: boolean
    context: Schemas["WalletPaymentOptionContext"] | Schemas["GooglePayPaymentOptionContext"] | Schemas["PaymentOptionContext"] | null
  }
  PaymentOptionApprovalUI: {
    height: string | null
    width: string | null
  }
  PaymentOptionContext: {
    approval_ui: Schemas["PaymentOptionApprovalUI"] | null
    required_fields: Record<string, unknown> | null
    redirect_requires_popup: boolean
    requires_tokenized_redirect_popup: boolean
  }
  PaymentOptionRequest: {
    metadata?: Record<string, string> | null
    country?: string | null
    currency?: string | null
    amount?: number | null
    cart_items?: Schemas["NewCartItem"][] | null
    locale?: string
  }
  PaymentOptions: {
    items: Schemas["PaymentOption"][]
  }
  PaymentOptionsOutcome: {
    type: "list"
    result: ("affirm" | "afterpay" | "alipay" | "alipayhk" | "applepay" | "bacs" | "bancontact" | "banked" | "becs" | "bitpay" | "boleto" | "boost" | "card" | "cashapp" | "chaseorbital" | "checkout-session" | "clearpay" | "click-to-pay" | "dana" | "dcb" | "dlocal" | "ebanx" | "efecty" | "eps" | "everydaypay" | "gcash" | "gem" | "gemds" | "gift-card" | "giropay" | "givingblock" | "gocardless" | "googlepay" | "googlepay_pan_only" | "gopay" | "grabpay" | "id" | "ideal" | "kakaopay" | "kcp" | "klarna" | "latitude" | "latitudeds" | "laybuy" | "linepay" | "linkaja" | "maybankqrpay" | "mercadopago" | "multibanco" | "multipago" | "netbanking" | "network-token" | "oney_3x" | "oney_4x" | "oney_6x" | "oney_10x" | "oney_12x" | "ovo" | "oxxo" | "payid" | "paymaya" | "paypal" | "paypalpaylater" | "payto" | "venmo" | "pix" | "pse" | "rabbitlinepay" | "razorpay" | "scalapay" | "sepa" | "shopeepay" | "singteldash" | "smartpay" | "sofort" | "spei" | "stripedd" | "thaiqr" | "touchngo" | "truemoney" | "trustly" | "trustlyeurope" | "upi" | "vipps" | "waave" | "webpay" | "wechat" | "zippay")[]
  }
  PaymentService: {
    type: "payment-service"
    id: string
    merchant_account_id: string
    payment_service_definition_id: string
    active: boolean
    method: "affirm" | "afterpay" | "alipay" | "alipayhk" | "applepay" | "bacs" | "bancontact" | "banked" | "becs" | "bitpay" | "boleto" | "boost" | "card" | "cashapp" | "chaseorbital" | "checkout-session" | "clearpay" | "click-to-pay" | "dana" | "dcb" | "dlocal" | "ebanx" | "efecty" | "eps" | "everydaypay" | "gcash" | "gem" | "gemds" | "gift-card" | "giropay" | "givingblock" | "gocardless" | "googlepay" | "googlepay_pan_only" | "gopay" | "grabpay" | "id" | "ideal" | "kakaopay" | "kcp" | "klarna" | "latitude" | "latitudeds" | "laybuy" | "linepay" | "linkaja" | "maybankqrpay" | "mercadopago" | "multibanco" | "multipago" | "netbanking" | "network-token" | "oney_3x" | "oney_4x" | "oney_6x" | "oney_10x" | "oney_12x" | "ovo" | "oxxo" | "payid" | "paymaya" | "paypal" | "paypalpaylater" | "payto" | "venmo" | "pix" | "pse" | "rabbitlinepay" | "razorpay" | "scalapay" | "sepa" | "shopeepay" | "singteldash" | "smartpay" | "sofort" | "spei" | "stripedd" | "thaiqr" | "touchngo" | "truemoney" | "trustly" | "trustlyeurope" | "upi" | "vipps" | "waave" | "webpay" | "wechat" | "zippay" | "abitab" | "ach" | "alma" | "arcuspaynetwork" | "autogiro" | "bancomatpay" | "banktransfer" | "bcp" | "becsnz" | "belfius" | "betalingsservice" | "billie" | "bizum" | "blik" | "breb" | "capitec" | "cashappafterpay" | "custom_push" | "custom_redirect" | "custom_tokenize" | "eckoh" | "in3" | "interac" | "kbc" | "khipu" | "konbini" | "mbway" | "mobilepay" | "mybank" | "nequi" | "nupay" | "onelink" | "onlinebankingcz" | "p24" | "pad" | "pagoefectivo" | "paybybank" | "paypay" | "paysafecard" | "paysquad" | "payvalida" | "picpay" | "rapipago" | "redpagos" | "riverty" | "satispay" | "servipag" | "seveneleven" | "stitch" | "stripe" | "stripetoken" | "swish" | "tapi" | "tapifintechs" | "twint" | "wero" | "yape" | "bank" | "paze" | "plaid"
    display_name: string
    position: number
    status: "pending" | "created" | "failed"
    accepted_currencies: string[]
    accepted_countries: string[]
    payment_method_tokenization_enabled: boolean
    network_tokens_enabled: boolean
    open_loop: boolean
    settlement_reporting_enabled: boolean
    three_d_secure_enabled: boolean | null
    merchant_profile: {
      accel?: Schemas["MerchantProfileSchemeSummary"]
      amex?: Schemas["MerchantProfileSchemeSummary"]
      bancontact?: Schemas["MerchantProfileSchemeSummary"]
      "carte-bancaire"?: Schemas["MerchantProfileSchemeSummary"]
      cirrus?: Schemas["MerchantProfileSchemeSummary"]
      culiance?: Schemas["MerchantProfileSchemeSummary"]
      dankort?: Schemas["MerchantProfileSchemeSummary"]
      "diners-club"?: Schemas["MerchantProfileSchemeSummary"]
      discover?: Schemas["MerchantProfileSchemeSummary"]
      "eftpos-australia"?: Schemas["MerchantProfileSchemeSummary"]
      elo?: Schemas["MerchantProfileSchemeSummary"]
      hipercard?: Schemas["MerchantProfileSchemeSummary"]
      jcb?: Schemas["MerchantProfileSchemeSummary"]
      maestro?: Schemas["MerchantProfileSchemeSummary"]
      mastercard?: Schemas["MerchantProfileSchemeSummary"]
      mir?: Schemas["MerchantProfileSchemeSummary"]
      nyce?: Schemas["MerchantProfileSchemeSummary"]
      other?: Schemas["MerchantProfileSchemeSummary"]
      pulse?: Schemas["MerchantProfileSchemeSummary"]
      qcard?: Schemas["MerchantProfileSchemeSummary"]
      rupay?: Schemas["MerchantProfileSchemeSummary"]
      star?: Schemas["MerchantProfileSchemeSummary"]
      uatp?: Schemas["MerchantProfileSchemeSummary"]
      unionpay?: Schemas["MerchantProfileSchemeSummary"]
      visa?: Schemas["MerchantProfileSchemeSummary"]
    } | null
    webhook_url: string | null
    fields: Schemas["PaymentServiceField"][] | null
    secret_fields: string[]
    reporting_fields: Schemas["PaymentServiceField"][] | null
    secret_reporting_fields: string[]
    is_deleted: boolean
    created_at: string
    updated_at: string
  }
  PaymentServiceConfiguration: {
    approval_ui_target: "any" | "new_window"
    approval_ui_height: string
    approval_ui_width: string
    cart_items_limit: number
    cart_items_required: boolean
    cart_items_should_match_amount: boolean
  }
  PaymentServiceDefinition: {
    id: string
    type: "payment-service-definition"
    display_name: string
    method: "affirm" | "afterpay" | "alipay" | "alipayhk" | "applepay" | "bacs" | "bancontact" | "banked" | "becs" | "bitpay" | "boleto" | "boost" | "card" | "cashapp" | "chaseorbital" | "checkout-session" | "clearpay" | "click-to-pay" | "dana" | "dcb" | "dlocal" | "ebanx" | "efecty" | "eps" | "everydaypay" | "gcash" | "gem" | "gemds" | "gift-card" | "giropay" | "givingblock" | "gocardless" | "googlepay" | "googlepay_pan_only" | "gopay" | "grabpay" | "id" | "ideal" | "kakaopay" | "kcp" | "klarna" | "latitude" | "latitudeds" | "laybuy" | "linepay" | "linkaja" | "maybankqrpay" | "mercadopago" | "multibanco" | "multipago" | "netbanking" | "network-token" | "oney_3x" | "oney_4x" | "oney_6x" | "oney_10x" | "oney_12x" | "ovo" | "oxxo" | "payid" | "paymaya" | "paypal" | "paypalpaylater" | "payto" | "venmo" | "pix" | "pse" | "rabbitlinepay" | "razorpay" | "scalapay" | "sepa" | "shopeepay" | "singteldash" | "smartpay" | "sofort" | "spei" | "stripedd" | "thaiqr" | "touchngo" | "truemoney" | "trustly" | "trustlyeurope" | "upi" | "vipps" | "waave" | "webpay" | "wechat" | "zippay" | "abitab" | "ach" | "alma" | "arcuspaynetwork" | "autogiro" | "bancomatpay" | "banktransfer" | "bcp" | "becsnz" | "belfius" | "betalingsservice" | "billie" | "bizum" | "blik" | "breb" | "capitec" | "cashappafterpay" | "custom_push" | "custom_redirect" | "custom_tokenize" | "eckoh" | "in3" | "interac" | "kbc" | "khipu" | "konbini" | "mbway" | "mobilepay" | "mybank" | "nequi" | "nupay" | "onelink" | "onlinebankingcz" | "p24" | "pad" | "pagoefectivo" | "paybybank" | "paypay" | "paysafecard" | "paysquad" | "payvalida" | "picpay" | "rapipago" | "redpagos" | "riverty" | "satispay" | "servipag" | "seveneleven" | "stitch" | "stripe" | "stripetoken" | "swish" | "tapi" | "tapifintechs" | "twint" | "wero" | "yape" | "bank" | "paze" | "plaid"
    mode: "card" | "redirect" | "applepay" | "googlepay" | "checkout-session" | "click-to-pay" | "gift-card" | "bank" | "paze"
    icon_url: string | null
    fields: Schemas["PaymentServiceDefinitionField"][]
    reporting_fields: Schemas["PaymentServiceDefinitionField"][]
    supported_currencies: string[]
    supported_countries: string[]
    supported_features: Record<string, unknown>
    terms: Schemas["PaymentServiceTerms"]
    required_checkout_fields: Schemas["RequiredCheckoutFields"][]
    configuration: Schemas["PaymentServiceConfiguration"]
    supported_integration_clients: ("redirect" | "web" | "android" | "ios")[] | null
  }
  PaymentServiceDefinitionField: {
    key: string
    display_name: string
    required: boolean
    format: "text" | "multiline" | "file" | "number" | "timezone" | "boolean"
    secret: boolean
    verifiable: boolean
  }
  PaymentServiceDefinitions: {
    items: Schemas["PaymentServiceDefinition"][]
    limit: number
    next_cursor: string | null
    previous_cursor: string | null
  }
  PaymentServiceField: {
    key: string
    value: string
  }
  PaymentServiceFieldChange: {
    key: string
    value: string
  }
  PaymentServiceNotification: {
    type: "payment-service-notification"
    id: string
    merchant_account_id: string
    payment_service_id: string
    kind: "authorization" | "capture" | "void" | "cancel" | "refund" | "increment" | "payout" | "chargeback" | "chargeback_reversal" | "dispute" | "late_failure" | "approvable" | "report"
    reference: string | null
    attempt_id: string | null
    reconciliation_id: string | null
    status: "held" | "matched" | "expired"
    received_at: string
    ended_at: string | null
  }
  PaymentServiceNotifications: {
    items: Schemas["PaymentServiceNotification"][]
    limit: number
    next_cursor: string | null
    previous_cursor: string | null
  }
  PaymentServiceReport: {
    type: "payment-service-report"
    id: string
    merchant_account_id: string
    payment_service_id: string
    external_identifier: string | null
    files: Schemas["PaymentServiceReportFile"][]
    created_at: string
    updated_at: string
  }
  PaymentServiceReportFeed: {
    type: "payment-service-report-feed"
    payment_service_id: string
    problem: string | null
    failures: number
    listed_at: string | null
    next_look_at: string
    unread_files: Schemas["UnreadReportFile"][]
  }
  PaymentServiceReportFeeds: {
    items: Schemas["PaymentServiceReportFeed"][]
  }
  PaymentServiceReportFile: {
    type: "payment-service-report-file"
    id: string
    names: string[]
    status: "applying" | "applied" | "refused" | "abandoned"
    problem: string | null
    sha256: string
    size: number
    report_date: string | null
    currency: string | null
    line_count: number
    applied_line_count: number
    unmatched_line_count: number
    flagged_line_count: number
    gross_amount: number
    fee_amount: number
    net_amount: number
    published_at: string
    ingested_at: string
    finished_at: string | null
  }
  PaymentServiceReportLine: {
    type: "payment-service-report-line"
    id: string
    payment_service_report_file_id: string | null
    line_number: number | null
    kind: "settlement" | "refund_settlement" | "chargeback" | "chargeback_reversal" | "other"
    external_identifier: string | null
    payment_service_reference: string | null
    own_reference: string | null
    currency: string
    amount: number
    original_currency: string | null
    original_amount: number | null
    commission: number
    code: string | null
    description: string | null
    transaction_id: string | null
    refund_id: string | null
    unmatched_because: "unknown_reference" | "not_decided" | "not_succeeded" | "other_currency" | "duplicate" | "differs" | "late_sale" | "unreadable" | null
    flag: "below_expected" | "above_expected" | "other_exchange" | null
    posted_at: string
    ingested_at: string
    updated_at: string
  }
  PaymentServiceReportLines: {
    items: Schemas["PaymentServiceReportLine"][]
    limit: number
    next_cursor: string | null
    previous_cursor: string | null
  }
  PaymentServiceReports: {
    items: Schemas["PaymentServiceReport"][]
    limit: number
    next_cursor: string | null
    previous_cursor: string | null
  }
  PaymentServiceSession: {
    type: "payment-service-session"
    status: "succeeded" | "failed"
    code: string | null
    status_code: number | null
    response_body: Record<string, unknown> | null
  }
  PaymentServiceTerms: {
    buyer_action: "card" | "bank_account" | "page" | "qr_code" | "voucher" | "app" | "direct_debit"
    wallets: ("opened" | "sealed")[]
    captures: "with_approval" | "once" | "several"
    refunds: "none" | "whole" | "partial"
    recurring: "none" | "vault" | "provider"
    payouts: boolean
    time_limit_seconds: number | null
    payout_days: number | null
    required_details: string[]
  }
  PaymentServiceToken: {
    type: "payment-service-token"
    id: string
    payment_method_id: string
    payment_service_id: string
    status: "processing" | "buyer_approval_required" | "succeeded" | "failed"
    approval_url: string | null
    token: string | null
    created_at: string
    updated_at: string
  }
  PaymentServiceTokens: {
    items: Schemas["PaymentServiceToken"][]
  }
  PaymentServices: {
    items: Schemas["PaymentService"][]
    limit: number
    next_cursor: string | null
    previous_cursor: string | null
  }
  Payout: {
    type: "payout"
    id: string
    merchant_account_id: string
    status: "pending" | "succeeded" | "declined" | "failed"
    amount: number
    currency: string
    category: "online_gambling" | null
    external_identifier: string | null
    payment_method: Schemas["TransactionPaymentMethod"]
    payment_service: Schemas["PayoutPaymentService"]
    payment_service_payout_id: string | null
    buyer: Schemas["TransactionBuyer"] | null
    merchant: Schemas["PayoutMerchant"] | null
    created_at: string
    updated_at: string
  }
  PayoutConnectionOptions: {
    "checkout-card"?: Schemas["CheckoutPayoutOptions"] | null
    "mock-card"?: Schemas["MockCardPayoutOptions"] | null
  }
  PayoutCreate: {
    amount: number
    currency: string
    payment_service_id: string
    payment_method: Schemas["PayOutToCard"] | Schemas["PayOutToStoredCard"]
    category?: "online_gambling" | null
    external_identifier?: string | null
    buyer?: Schemas["NewGuestBuyer"] | null
    buyer_id?: string | null
    buyer_external_identifier?: string | null
    merchant?: Schemas["NewPayoutMerchant"] | null
    connection_options?: Schemas["PayoutConnectionOptions"] | null
  }
  PayoutMerchant: {
    type: "merchant"
    name: string
    identification_number: string
    phone_number: string
    url: string
    merchant_category_code: string
    statement_descriptor: string | null
    address: Schemas["Address"] | null
  }
  PayoutPaymentService: {
    type: "payment-service"
    id: string
    method: "card"
    payment_service_definition_id: string
    display_name: string
  }
  Payouts: {
    items: Schemas["Payout"][]
    limit: number
    next_cursor: string | null
    previous_cursor: string | null
  }
  PaypalOptions: {
    order_update_callback_config?: Schemas["PaypalOrderUpdateCallbackConfig"] | null
    additional_data?: Record<string, string>[] | null
    shipping?: Schemas["PaypalShippingOptions"] | null
    user_action?: string | null
    shipping_preference?: string | null
    brand_name?: string | null
    landing_page?: string | null
    locale?: string | null
  }
  PaypalOrderUpdateCallbackConfig: {
    callback_url?: string | null
    callback_events?: ("SHIPPING_ADDRESS" | "SHIPPING_OPTIONS")[] | null
  }
  PaypalShippingOptions: {
    options?: Schemas["PaypalShippingOptionsItem"][] | null
  }
  PaypalShippingOptionsItem: {
    id: string
    label: string
    selected: boolean
    type?: "SHIPPING" | "PICKUP" | "PICKUP_IN_STORE" | "PICKUP_FROM_PERSON" | null
    amount?: Schemas["PaypalShippingOptionsItemAmount"] | null
  }
  PaypalShippingOptionsItemAmount: {
    currency_code: string
    value: string
  }
  PazeBillingAddress: {
    name?: string | null
    line1: string
    line2?: string | null
    line3?: string | null
    city: string
    state: string
    zip: string
    countryCode?: string | null
  }
  PazeCardArt: {
    artUri: string
    artHeight: number
    artWidth: number
  }
  PazeClient: {
    id: string
    name?: string | null
    profileId?: string | null
  }
  PazeCobrand: {
    name: string
    benefitsOffered?: boolean | null
  }
  PazeConsumer: {
    firstName: string | null
    lastName: string | null
    fullName: string
    countryCode: string | null
    languageCode: string | null
    emailAddress: string
    mobileNumber: Schemas["PazeMobileNumber"] | null
  }
  PazeDeliveryContact: {
    contactFullName: string | null
    contactPhoneNumber: Schemas["PazeMobileNumber"] | null
  }
  PazeEcomData: {
    cartContainsGiftCard?: boolean | null
    orderForPickup?: boolean | null
    orderHighestCost?: string | null
    orderQuantity?: string | null
    finalShippingAddress?: Schemas["PazeShippingAddress"] | null
  }
  PazeEnhancedTransactionData: {
    ecomData?: Schemas["PazeEcomData"] | null
    travelData?: Schemas["PazeTravelData"] | null
  }
  PazeLocation: {
    name?: string | null
    line1: string
    line2?: string | null
    line3?: string | null
    city: string
    state: string
    zip: string
    countryCode: string
  }
  PazeMaskedCard: {
    panLastFour: string
    paymentAccountReference: string
    panExpirationMonth: string | null
    panExpirationYear: string | null
    paymentCardDescriptor: string
    paymentCardType: "CREDIT" | "DEBIT"
    paymentCardBrand: "VISA" | "MASTERCARD" | "DISCOVER"
    paymentCardNetwork: "VISA" | "MASTERCARD" | "DISCOVER"
    digitalCardData: Schemas["PazeCardArt"]
    billingAddress: Schemas["PazeBillingAddress"] | null
  }
  PazeMobileNumber: {
    countryCode: string
    phoneNumber: string
  }
  PazeMobileSession: {
    id: string
    name: string
    profileId: string
    sessionId: string
    accessToken: string
  }
  PazeReviewLinks: {
    CHANGE_CARD: string | null
    CHANGE_SHIPPING_ADDRESS: string | null
  }
  PazeSession: Schemas["PazeWebSession"] | Schemas["PazeMobileSession"]
  PazeSessionRequest: {
    source?: "web" | "mobile"
    domain_name?: string | null
  }
  PazeShippingAddress: {
    line1: string
    line2?: string | null
    line3?: string | null
    city: string
    state: string
    zip: string
    countryCode: string
    deliveryContactDetails: Schemas["PazeDeliveryContact"] | null
  }
  PazeTransactionOptions: {
    merchantCategoryCode?: string | null
    billingPreference?: "ALL" | "NONE" | null
    payloadTypeIndicator?: "ID" | "PAYMENT" | null
  }
  PazeTransactionValue: {
    transactionCurrency: string
    transactionAmount: string
  }
  PazeTravelData: {
    passengerName?: string | null
    roundTrip?: boolean | null
    departureDate?: string | null
    returnDate?: string | null
    departureLocation?: Schemas["PazeLocation"] | null
    returnLocation?: Schemas["PazeLocation"] | null
  }
  PazeWebSession: {
    id: string
    name: string
    profileId: string
  }
  PowertranzOptions: {
    skipThreeDSecure?: boolean | null
  }
  ProviderAnswer: {
    code: string
    state: string
    iss?: string
  }
  Recipient: {
    first_name: string
    last_name: string
    account_number: string | null
    date_of_birth: string | null
    address: Schemas["Address"] | null
  }
  RecoveryCodes: {
    type: "recovery-codes"
    recovery_codes: string[] | null
  }
  RedirectFields: {
    blik_code?: string
    payto_account?: string
  }
  RedirectRoutingOutcome: {
    type: "list"
    result: string[]
  }
  Refund: {
    type: "refund"
    id: string
    reconciliation_id: string
    external_identifier: string | null
    transaction_id: string
    transaction_reconciliation_id: string
    transaction_external_identifier: string | null
    payment_service_refund_id: string | null
    status: "processing" | "succeeded" | "failed" | "declined" | "voided"
    currency: string
    amount: number
    reason: string | null
    target_type: "payment-method" | "gift-card-redemption"
    target_id: string | null
    creator: Schemas["Creator"] | null
    error_code: string | null
    raw_response_code: string | null
    raw_response_description: string | null
    settled: boolean
    settled_amount: number
    settled_currency: string | null
    created_at: string
    updated_at: string
  }
  RefundAllCreate: {
    reason?: string | null
    external_identifier?: string | null
  }
  RefundCreate: {
    amount?: number | null
    target_type?: "payment-method" | "gift-card-redemption"
    target_id?: string | null
    reason?: string | null
    external_identifier?: string | null
  }
  RefundSettlement: {
    type: "refund-settlement"
    refund_id: string
    id: string
    merchant_account_id: string
    transaction_id: string
    currency: string
    amount: number
    exchange_rate: number | null
    commission: number
    interchange: number | null
    markup: number | null
    scheme_fee: number | null
    payment_service_report_id: string
    payment_service_report_file_ids: string[]
    posted_at: string
    ingested_at: string
    created_at: string
    updated_at: string
  }
  RefundSettlements: {
    items: Schemas["RefundSettlement"][]
  }
  Refunds: {
    items: Schemas["Refund"][]
    limit: number
    next_cursor: string | null
    previous_cursor: string | null
  }
  RegisterDigitalWalletDomain: {
    domain_name: string
  }
  RegisteredDigitalWalletDomain: {}
  ReplayWebhooks: {
    since?: string
    until?: string
    status?: "parked"
  }
  Report: {
    type: "report"
    id: string
    merchant_account_id: string
    name: string
    description: string | null
    creator_id: string | null
    creator_display_name: string | null
    creator_type: "user" | "private_key" | null
    created_at: string
    updated_at: string
    next_execution_at: string | null
    schedule: "daily" | "monthly" | "once" | "weekly"
    schedule_enabled: boolean
    schedule_timezone: string
    spec: Schemas["ReportSpec"]
    latest_execution: Schemas["ReportExecutionSummary"] | null
  }
  ReportCreate: {
    name: string
    description?: string | null
    schedule: "daily" | "monthly" | "once" | "weekly"
    schedule_enabled: boolean
    schedule_timezone?: string
    spec: Schemas["TransactionsReportSpec"] | Schemas["TransactionRetriesReportSpec"] | Schemas["DetailedSettlementReportSpec"] | Schemas["AccountsReceivablesReportSpec"] | Schemas["AIInsightsReportSpec"]
  }
  ReportExecution: {
    type: "report-execution"
    id: string
    created_at: string
    updated_at: string
    status: "dispatched" | "failed" | "pending" | "processing" | "succeeded"
    context: Schemas["ReportExecutionContext"]
    report: Schemas["ReportSummary"]
  }
  ReportExecutionContext: {
    reference_timestamp: string
    reference_timezone: string
  }
  ReportExecutionSummary: {
    type: "report-execution"
    id: string
    created_at: string
    updated_at: string
    status: "dispatched" | "failed" | "pending" | "processing" | "succeeded"
    context: Schemas["ReportExecutionContext"]
  }
  ReportExecutionUrl: {
    url: string
    expires_at: string
  }
  ReportExecutionUrlGenerate: {
    expires_in?: number
  }
  ReportExecutions: {
    items: Schemas["ReportExecution"][]
    limit: number
    next_cursor: string | null
    previous_cursor: string | null
  }
  ReportSpec: {
    model: "transactions" | "transaction_retries" | "detailed_settlement" | "accounts_receivables" | "ai_insights"
    params: Record<string, unknown>
  }
  ReportSummary: {
    type: "report"
    id: string
    merchant_account_id: string
    name: string
    creator_id: string | null
    creator_display_name: string | null
    creator_type: "user" | "private_key" | null
  }
  ReportUpdate: {
    name?: string | null
    description?: string | null
    schedule_enabled?: boolean | null
  }
  Reports: {
    items: Schemas["Report"][]
    limit: number
    next_cursor: string | null
    previous_cursor: string | null
  }
  RequiredAddressFields: {
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
  RequiredCheckoutFields: {
    required_fields: string[]
    conditions: Record<string, unknown> | null
  }
  RequiredFields: {
    first_name: boolean
    last_name: boolean
    email_address: boolean
    phone_number: boolean
    tax_id: boolean
    address: Schemas["RequiredAddressFields"]
  }
  RetryLimit: {
    scheme: string
    within_hours: number
    declines_max: number
    counted: "apart" | "together"
  }
  RetryLimitUpdate: {
    scheme: "accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa"
    within_hours: number
    declines_max: number
    counted?: "apart" | "together"
  }
  RetryList: {
    on?: ("canceled_payment_method" | "disputed_transaction" | "duplicate_transaction" | "expired_authorization" | "expired_payment_method" | "incorrect_billing_address" | "incorrect_country" | "incorrect_currency" | "incorrect_cvv" | "incorrect_expiry_date" | "insufficient_funds" | "issuer_decline" | "other_decline" | "requires_buyer_authentication" | "refused_transaction" | "service_decline" | "suspected_fraud" | "unavailable_payment_method" | "unknown_payment_method" | "unsupported_transaction" | "unsupported_payment_method" | "cancelled_buyer_approval" | "insufficient_service_permissions" | "invalid_amount" | "invalid_payment_method" | "invalid_service_configuration" | "invalid_service_credentials" | "invalid_service_response" | "invalid_tax_identifier" | "missing_billing_address" | "missing_cvv" | "missing_shipping_address" | "missing_tax_identifier" | "refund_period_expired" | "service_error" | "service_network_error" | "service_rate_limit" | "internal_error" | "invalid_billing_address" | "invalid_operation" | "invalid_request_parameters" | "invalid_service_request" | "invalid_shipping_address" | "service_resource_conflict" | "unexpected_state" | "unknown_error" | "unknown_service_resource" | "unsupported_country" | "unsupported_currency" | "unrecognised_country" | "unrecognised_currency" | "unrecognised_payment_method" | "unrecognised_scheme" | "unsupported_scheme" | "refund_already_satisfied")[]
    not_on?: ("canceled_payment_method" | "disputed_transaction" | "duplicate_transaction" | "expired_authorization" | "expired_payment_method" | "incorrect_billing_address" | "incorrect_country" | "incorrect_currency" | "incorrect_cvv" | "incorrect_expiry_date" | "insufficient_funds" | "issuer_decline" | "other_decline" | "requires_buyer_authentication" | "refused_transaction" | "service_decline" | "suspected_fraud" | "unavailable_payment_method" | "unknown_payment_method" | "unsupported_transaction" | "unsupported_payment_method" | "cancelled_buyer_approval" | "insufficient_service_permissions" | "invalid_amount" | "invalid_payment_method" | "invalid_service_configuration" | "invalid_service_credentials" | "invalid_service_response" | "invalid_tax_identifier" | "missing_billing_address" | "missing_cvv" | "missing_shipping_address" | "missing_tax_identifier" | "refund_period_expired" | "service_error" | "service_network_error" | "service_rate_limit" | "internal_error" | "invalid_billing_address" | "invalid_operation" | "invalid_request_parameters" | "invalid_service_request" | "invalid_shipping_address" | "service_resource_conflict" | "unexpected_state" | "unknown_error" | "unknown_service_resource" | "unsupported_country" | "unsupported_currency" | "unrecognised_country" | "unrecognised_currency" | "unrecognised_payment_method" | "unrecognised_scheme" | "unsupported_scheme" | "refund_already_satisfied")[]
  }
  RetryPolicy: {
    type: "retry-policy"
    mode: "obey" | "warn"
    limits: Schemas["RetryLimit"][]
    scheme_limits: Schemas["RetryLimit"][]
    scheme_advice: Schemas["SchemeAdvice"][]
    updated_at: string | null
  }
  RetryPolicyUpdate: {
    mode?: "obey" | "warn"
    limits?: Schemas["RetryLimitUpdate"][] | null
  }
  ReviewPazeSession: {
    sessionId: string
    accessToken: string
    code: string
  }
  ReviewedPazeSession: {
    consumer: Schemas["PazeConsumer"]
    shippingAddress: Schemas["PazeShippingAddress"] | null
    maskedCard: Schemas["PazeMaskedCard"]
    links: Schemas["PazeReviewLinks"]
    code: string
  }
  RiskifiedAntiFraudOptions: {
    line_items?: Schemas["RiskifiedAntiFraudOptionsLineItem"][] | null
  }
  RiskifiedAntiFraudOptionsLineItem: {
    delivered_to?: "shipping_address" | "store_pickup" | null
  }
  Role: {
    type: "role"
    id: string
    name: string
    slug: string
    description: string
    permissions: {
      allow: string[]
    }
    assignable_to: ("user" | "api-key-pair")[]
    applies_to: string[]
    is_standalone_assignable: boolean
  }
  RoleCreate: {
    name: string
    description?: string
    permissions: {
      allow: string[]
    }
    assignable_to?: ("user" | "api-key-pair")[]
  }
  RoleDetails: {
    type: "role"
    id: string
    name: string
    slug: string
    description: string
    permissions: {
      allow: string[]
    }
    assignable_to: ("user" | "api-key-pair")[]
    applies_to: string[]
    is_standalone_assignable: boolean
    is_custom: boolean
    holders: {
      users: number
      api_key_pairs: number
    }
    created_at: string
    updated_at: string
  }
  RoleUpdate: {
    name?: string | null
    description?: string | null
    permissions?: {
      allow: string[]
    } | null
    assignable_to?: ("user" | "api-key-pair")[] | null
  }
  Roles: {
    items: Schemas["Role"][]
    limit: number
    next_cursor: string | null
    previous_cursor: string | null
  }
  RotateWebhookSecret: {
    delta?: number | null
  }
  RuleOfDecision: {
    id: string
    position: number
    description: string | null
  }
  SandboxChargeback: {
    type: "sandbox-chargeback"
    id: string
    merchant_account_id: string
    payment_service_id: string
    transaction_id: string
    stage: "chargeback" | "reversal"
    amount: number
    currency: string
    code: string
    reason: string
    created_at: string
  }
  SandboxClock: {
    type: "sandbox-clock"
    status: "ready" | "advancing"
    now: string
    real_time: string
    offset_seconds: number
    target: string | null
    late_jobs: Schemas["LateJob"][]
  }
  SandboxFill: {
    type: "sandbox-fill"
    status: "idle" | "waiting" | "filling" | "succeeded" | "failed"
    merchant_account_id: string | null
    days: number | null
    payments: number | null
    seed: number | null
    made: Schemas["SandboxFillCounts"]
    refusals: Schemas["SandboxFillRefusal"][]
    failure: "refused" | "interrupted" | "error" | null
    begun_at: string | null
    ended_at: string | null
  }
  SandboxFillCounts: {
    payments: number
    approved: number
    captures: number
    refunds: number
    voids: number
  }
  SandboxFillRefusal: {
    reason: string
    count: number
  }
  SandboxNextOutcome: {
    type: "sandbox-next-outcome"
    id: string
    payment_service_id: string
    operation: "authorize" | "capture" | "void" | "cancel" | "refund" | "increment" | "payout" | "tokenize"
    effect: "refuse" | "lose-answer" | "stall" | "late" | "garbage" | "unreachable"
    code: string | null
    armed_at: string
  }
  SandboxNextOutcomes: {
    items: Schemas["SandboxNextOutcome"][]
  }
  SandboxNotification: {
    type: "sandbox-notification"
    id: string
    merchant_account_id: string
    payment_service_id: string
    transaction_id: string
    event: string
    body: string
    outcome: "taken" | "held" | "rejected"
    message: string | null
    created_at: string
  }
  SavedView: {
    type: "saved-view"
    id: string
    merchant_account_id: string
    resource: string
    name: string
    query: Record<string, string | string[]>
    periods: Record<string, string>
    columns: string[]
    is_shared: boolean
    is_own: boolean
    owner: Schemas["SavedViewOwner"]
    created_at: string
    updated_at: string
  }
  SavedViewCreate: {
    resource: string
    name: string
    query: Record<string, string | string[]>
    periods?: Record<string, string>
    columns?: string[]
    is_shared?: boolean
  }
  SavedViewOwner: {
    id: string
    name: string
  }
  SavedViewUpdate: {
    name?: string | null
    query?: Record<string, string | string[]>
    periods?: Record<string, string>
    columns?: string[] | null
    is_shared?: boolean | null
  }
  SavedViews: {
    items: Schemas["SavedView"][]
    limit: number
    next_cursor: string | null
    previous_cursor: string | null
  }
  SchemeAdvice: {
    kind: "merchant_advice_code" | "response_code"
    code: string
    scheme: string | null
    action: "never" | "later" | "other_data"
    retry_after_hours: number | null
    meaning: string
  }
  ServiceHealth: {
    type: "service-health"
    payment_service_id: string
    display_name: string
    method: string
    status: "healthy" | "aside" | "unknown"
    success_rate: number | null
    interval: {
      low: number
      high: number
    } | null
    payments: number
    failures_in_a_row: number
    failing_since: string | null
    last_outcome_at: string | null
    segments: {
      scheme: string | null
      currency: string | null
      country: string | null
      success_rate: number | null
      interval: {
        low: number
        high: number
      } | null
      payments: number
    }[]
  }
  ServiceStanding: {
    segment: string | null
    success_rate: number | null
    payments: number
    drawn: number | null
    cost: number | null
    cost_payments: number | null
    is_aside: boolean
    is_probe: boolean
  }
  SetPassword: {
    password: string
    challenge_id?: string
    code?: string
  }
  Settlement: {
    type: "settlement"
    id: string
    merchant_account_id: string
    transaction_id: string
    currency: string
    amount: number
    exchange_rate: number | null
    commission: number
    interchange: number | null
    markup: number | null
    scheme_fee: number | null
    payment_service_report_id: string
    payment_service_report_file_ids: string[]
    posted_at: string
    ingested_at: string
    created_at: string
    updated_at: string
  }
  SettlementTotal: {
    type: "settlement-total"
    period: string
    payment_service_id: string
    currency: string
    payment_amount: number
    refund_amount: number
    chargeback_amount: number
    chargeback_reversal_amount: number
    other_amount: number
    fee_amount: number
    interchange_amount: number
    markup_amount: number
    scheme_fee_amount: number
    net_amount: number
    line_count: number
  }
  SettlementTotals: {
    items: Schemas["SettlementTotal"][]
  }
  Settlements: {
    items: Schemas["Settlement"][]
  }
  Setup: {
    token: string
    email_address: string
    name: string
    challenge_id: string
    passkey?: Schemas["PasskeyRegistration"]
    passkey_name?: string
    password?: string
    code?: string
  }
  SetupOptions: {
    token: string
    email_address: string
    name: string
  }
  ShippingDetails: {
    type: "shipping-details"
    id: string
    buyer_id: string
    first_name: string | null
    last_name: string | null
    email_address: string | null
    phone_number: string | null
    address: Schemas["Address"] | null
  }
  ShippingDetailsList: {
    items: Schemas["ShippingDetails"][]
  }
  SignInOptions: {
    type: "sign-in-options"
    challenge_id: string
    passkey: Record<string, unknown> | null
    is_set_up: boolean
    oidc_name: string | null
  }
  SignedInSession: {
    type: "user-session"
    id: string
    user: {
      id: string
      name: string
      email_address: string
    }
    expires_at: string
    recovery_codes?: string[]
  }
  StatementDescriptor: {
    name: string | null
    description: string | null
    city: string | null
    country: string | null
    phone_number: string | null
    url: string | null
    postal_code: string | null
  }
  StepUp: {
    type: "step-up"
    step_up_until: string
  }
  StepUpOptions: {
    type: "step-up-options"
    challenge_id: string
    passkey: Record<string, unknown> | null
    has_password: boolean
    oidc: {
      name: string
      authorization_url: string
    } | null
  }
  StoreAchAccount: {
    method: "bank"
    scheme?: "ach"
    account_holder: Schemas["BankAccountHolder"]
    account_number: string
    routing_number: string
    account_type: "checking" | "savings"
    is_tokenized?: boolean
    external_identifier?: string | null
    buyer_id?: string | null
    buyer_external_identifier?: string | null
  }
  StoreBacsAccount: {
    method: "bank"
    scheme?: "bacs"
    account_holder: Schemas["BankAccountHolder"]
    account_number: string
    routing_number: string
    external_identifier?: string | null
    buyer_id?: string | null
    buyer_external_identifier?: string | null
  }
  StoreCard: {
    method: "card"
    number: string
    expiration_date: string
    security_code?: string | null
    card_type?: "credit" | "debit" | "prepaid" | null
    redirect_url?: string | null
    external_identifier?: string | null
    buyer_id?: string | null
    buyer_external_identifier?: string | null
  }
  StorePlaid: {
    method: "plaid"
    token: string
    account_id?: string | null
    payment_service_id?: string | null
    external_identifier?: string | null
    buyer_id?: string | null
    buyer_external_identifier?: string | null
  }
  StoreRedirect: {
    method: "abitab" | "ach" | "affirm" | "afterpay" | "alipay" | "alipayhk" | "alma" | "arcuspaynetwork" | "autogiro" | "bacs" | "bancomatpay" | "bancontact" | "banked" | "banktransfer" | "bcp" | "becs" | "becsnz" | "belfius" | "betalingsservice" | "billie" | "bitpay" | "bizum" | "blik" | "boleto" | "boost" | "breb" | "capitec" | "cashapp" | "cashappafterpay" | "clearpay" | "custom_push" | "custom_redirect" | "custom_tokenize" | "dana" | "dcb" | "dlocal" | "ebanx" | "eckoh" | "efecty" | "eps" | "everydaypay" | "gcash" | "gem" | "gemds" | "giropay" | "givingblock" | "gocardless" | "gopay" | "grabpay" | "ideal" | "in3" | "interac" | "kakaopay" | "kbc" | "kcp" | "khipu" | "klarna" | "konbini" | "latitude" | "latitudeds" | "laybuy" | "linepay" | "linkaja" | "maybankqrpay" | "mbway" | "mercadopago" | "mobilepay" | "multibanco" | "multipago" | "mybank" | "nequi" | "netbanking" | "nupay" | "onelink" | "oney_10x" | "oney_12x" | "oney_3x" | "oney_4x" | "oney_6x" | "onlinebankingcz" | "ovo" | "oxxo" | "p24" | "pad" | "pagoefectivo" | "paybybank" | "payid" | "paymaya" | "paypal" | "paypalpaylater" | "paypay" | "paysafecard" | "paysquad" | "payto" | "payvalida" | "picpay" | "pix" | "pse" | "rabbitlinepay" | "rapipago" | "razorpay" | "redpagos" | "riverty" | "satispay" | "scalapay" | "sepa" | "servipag" | "seveneleven" | "shopeepay" | "singteldash" | "smartpay" | "sofort" | "spei" | "stitch" | "stripe" | "stripedd" | "stripetoken" | "swish" | "tapi" | "tapifintechs" | "thaiqr" | "touchngo" | "truemoney" | "trustly" | "trustlyeurope" | "twint" | "upi" | "venmo" | "vipps" | "waave" | "webpay" | "wechat" | "wero" | "yape" | "zippay"
    country: string
    currency: string
    redirect_url: string
    external_identifier?: string | null
    buyer_id?: string | null
    buyer_external_identifier?: string | null
  }
  StoreSepaAccount: {
    method: "bank"
    scheme?: "sepa"
    account_holder: Schemas["BankAccountHolder"]
    account_number: string
    routing_number?: string | null
    external_identifier?: string | null
    buyer_id?: string | null
    buyer_external_identifier?: string | null
  }
  StoreSessionCard: {
    method: "checkout-session"
    id: string
    external_identifier?: string | null
    buyer_id?: string | null
    buyer_external_identifier?: string | null
  }
  StoredGiftCardBalance: {
    id: string
  }
  StripeCardOptions: {
    stripe_connect?: Schemas["StripeConnectOptions"] | null
    customer_id?: string | null
    error_on_requires_action?: boolean | null
  }
  StripeConnectOptions: {
    stripe_account?: string | null
    application_fee_amount?: number | null
    on_behalf_of?: string | null
    transfer_data_destination?: string | null
    transfer_group?: string | null
  }
  StripeOptions: {
    stripe_connect?: Schemas["StripeConnectOptions"] | null
  }
  TaxId: {
    value: string
    kind: "ae.trn" | "au.abn" | "ar.dni" | "ar.cuil" | "ar.cuit" | "br.cnpj" | "br.cpf" | "ca.bn" | "ca.gst_hst" | "ca.pst_bc" | "ca.pst_mb" | "ca.pst_sk" | "ca.qst" | "ch.vat" | "cl.tin" | "co.itin" | "co.nit" | "co.cc" | "co.ce" | "co.de" | "co.rc" | "co.ti" | "co.passport" | "es.cif" | "eu.vat" | "gb.vat" | "hk.br" | "id.nik" | "id.npwp" | "in.gst" | "in.pan" | "jp.cn" | "jp.rn" | "kr.brn" | "li.uid" | "mx.curp" | "mx.rfc" | "my.frp" | "my.itn" | "my.nric" | "my.sst" | "no.vat" | "nz.gst" | "pe.ruc" | "ph.tin" | "ru.inn" | "ru.kpp" | "sa.vat" | "sg.gst" | "sg.uen" | "th.id" | "th.vat" | "tw.vat" | "us.ein" | "za.vat" | "bo.ci" | "uy.rut" | "uy.ci"
  }
  Theme: {
    type: "merchant-account.theme"
    merchant_account_id: string
    accent_color: string | null
    accent_color_dark: string | null
    radius: "none" | "small" | "medium" | "large" | null
    font: "geist" | "system" | "humanist" | "rounded" | "serif" | "mono" | null
    logo_url: string | null
    updated_at: string | null
  }
  ThemePreview: {
    type: "merchant-account.theme-preview"
    merchant_account_id: string
    url: string
    expires_at: string
  }
  ThreeDSConfiguration: {
    type: "merchant-account.three-ds-configuration"
    id: string
    merchant_account_id: string
    scheme: "accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa"
    merchant_acquirer_bin: string
    merchant_acquirer_id: string
    merchant_name: string
    merchant_country_code: string
    merchant_category_code: string
    merchant_url: string
    metadata: Record<string, unknown>
    currency: string | null
    created_at: string
    updated_at: string
  }
  ThreeDSConfigurations: {
    items: Schemas["ThreeDSConfiguration"][]
  }
  ThreeDSScenario: {
    type: "three-d-secure-scenario"
    id: string
    merchant_account_id: string
    conditions: Schemas["ThreeDSScenarioConditions"]
    outcome: Schemas["ThreeDSScenarioOutcome"]
    created_at: string
    updated_at: string
  }
  ThreeDSScenarioConditions: {
    first_name: string | null
    last_name: string | null
    email_address: string | null
    amount: number | null
    external_identifier: string | null
    card_number: string | null
  }
  ThreeDSScenarioOutcome: {
    version: string | null
    authentication: {
      transaction_status: "Y" | "N" | "A" | "R" | "U" | "C" | "timeout"
    }
    result: {
      transaction_status: "Y" | "N" | "timeout"
    } | null
  }
  ThreeDSScenarios: {
    items: Schemas["ThreeDSScenario"][]
    limit: number
    next_cursor: string | null
    previous_cursor: string | null
  }
  ThreeDSService: {
    type: "three-ds-service"
    id: string
    merchant_account_id: string
    three_ds_service_definition_id: string
    display_name: string
    active: boolean
    fields: Schemas["ThreeDSServiceField"][]
    secret_fields: string[]
    created_at: string
    updated_at: string
  }
  ThreeDSServiceDefinition: {
    type: "three-ds-service-definition"
    id: string
    display_name: string
    fields: Schemas["PaymentServiceDefinitionField"][]
    supported_features: Schemas["ThreeDSServiceFeatures"]
  }
  ThreeDSServiceDefinitions: {
    items: Schemas["ThreeDSServiceDefinition"][]
    limit: number
    next_cursor: string | null
    previous_cursor: string | null
  }
  ThreeDSServiceFeatures: {
    device_data: boolean
  }
  ThreeDSServiceField: {
    key: string
    value: string
  }
  ThreeDSServiceFieldChange: {
    key: string
    value: string
  }
  ThreeDSServices: {
    items: Schemas["ThreeDSService"][]
    limit: number
    next_cursor: string | null
    previous_cursor: string | null
  }
  ThreeDSecure: {
    amount?: number | null
  }
  ThreeDSecureDataV1: {
    cavv: string
    eci: string
    version: string
    directory_response: string
    authentication_response: string
    cavv_algorithm: string
    xid: string
    scheme?: "accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa" | null
  }
  ThreeDSecureDataV2: {
    cavv: string
    eci: string
    version: string
    directory_response: string
    directory_transaction_id: string
    authentication_response?: string | null
    scheme?: "accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa" | null
  }
  ThreeDSecureError: {
    code: string | null
    description: string | null
    detail: string | null
    component: string | null
  }
  ThreeDSecureOutcome: {
    type: "three-d-secure"
    result: "attempt" | "force" | "skip"
  }
  ThreeDSecureV1: {
    cavv: string
    eci: string
    version: string
    directory_response: string
    authentication_response: string
    cavv_algorithm: string
    xid: string
    scheme: "accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa" | null
  }
  ThreeDSecureV2: {
    version: string
    authentication_response: string | null
    directory_response: string | null
    directory_transaction_id: string | null
    transaction_reason: string | null
    cavv: string | null
    eci: string | null
    cardholder_info: string | null
  }
  Transaction: {
    type: "transaction"
    id: string
    reconciliation_id: string
    merchant_account_id: string
    external_identifier: string | null
    status: "processing" | "buyer_approval_pending" | "authorization_succeeded" | "authorization_failed" | "authorization_declined" | "capture_pending" | "capture_succeeded" | "authorization_void_pending" | "authorization_voided"
    intent: "authorize" | "capture"
    amount: number
    currency: string
    country: string | null
    authorized_amount: number
    captured_amount: number
    refunded_amount: number
    settled: boolean
    settled_amount: number
    settled_currency: string | null
    method: "affirm" | "afterpay" | "alipay" | "alipayhk" | "applepay" | "bacs" | "bancontact" | "banked" | "becs" | "bitpay" | "boleto" | "boost" | "card" | "cashapp" | "chaseorbital" | "checkout-session" | "clearpay" | "click-to-pay" | "dana" | "dcb" | "dlocal" | "ebanx" | "efecty" | "eps" | "everydaypay" | "gcash" | "gem" | "gemds" | "gift-card" | "giropay" | "givingblock" | "gocardless" | "googlepay" | "googlepay_pan_only" | "gopay" | "grabpay" | "id" | "ideal" | "kakaopay" | "kcp" | "klarna" | "latitude" | "latitudeds" | "laybuy" | "linepay" | "linkaja" | "maybankqrpay" | "mercadopago" | "multibanco" | "multipago" | "netbanking" | "network-token" | "oney_3x" | "oney_4x" | "oney_6x" | "oney_10x" | "oney_12x" | "ovo" | "oxxo" | "payid" | "paymaya" | "paypal" | "paypalpaylater" | "payto" | "venmo" | "pix" | "pse" | "rabbitlinepay" | "razorpay" | "scalapay" | "sepa" | "shopeepay" | "singteldash" | "smartpay" | "sofort" | "spei" | "stripedd" | "thaiqr" | "touchngo" | "truemoney" | "trustly" | "trustlyeurope" | "upi" | "vipps" | "waave" | "webpay" | "wechat" | "zippay" | "abitab" | "ach" | "alma" | "arcuspaynetwork" | "autogiro" | "bancomatpay" | "banktransfer" | "bcp" | "becsnz" | "belfius" | "betalingsservice" | "billie" | "bizum" | "blik" | "breb" | "capitec" | "cashappafterpay" | "custom_push" | "custom_redirect" | "custom_tokenize" | "eckoh" | "in3" | "interac" | "kbc" | "khipu" | "konbini" | "mbway" | "mobilepay" | "mybank" | "nequi" | "nupay" | "onelink" | "onlinebankingcz" | "p24" | "pad" | "pagoefectivo" | "paybybank" | "paypay" | "paysafecard" | "paysquad" | "payvalida" | "picpay" | "rapipago" | "redpagos" | "riverty" | "satispay" | "servipag" | "seveneleven" | "stitch" | "stripe" | "stripetoken" | "swish" | "tapi" | "tapifintechs" | "twint" | "wero" | "yape" | "bank" | "paze" | "plaid" | null
    instrument_type: "pan" | "card_token" | "redirect" | "redirect_token" | "googlepay" | "applepay" | "network_token" | "plaid" | "bank" | null
    payment_method: Schemas["TransactionPaymentMethod"] | null
    payment_service: Schemas["TransactionPaymentService"] | null
    buyer: Schemas["TransactionBuyer"] | null
    shipping_details: Schemas["TransactionShippingDetails"] | null
    checkout_session_id: string | null
    gift_card_redemptions: Schemas["GiftCardRedemption"][]
    gift_card_service: Schemas["TransactionGiftCardService"] | null
    error_code: string | null
    raw_response_code: string | null
    raw_response_description: string | null
    pending_review: boolean
    disputed: boolean
    reauthorized_from_transaction_id: string | null
    created_at: string
    updated_at: string
    capturable_amount: number
    intent_outcome: "pending" | "succeeded" | "failed"
    multi_tender: boolean
    payment_source: "ecommerce" | "moto" | "recurring" | "installment" | "card_on_file"
    merchant_initiated: boolean
    is_subsequent_payment: boolean
    account_funding_transaction: boolean
    metadata: Record<string, string> | null
    cart_items: Schemas["CartItem"][] | null
    airline: Schemas["Airline"] | null
    statement_descriptor: Schemas["StatementDescriptor"] | null
    recipient: Schemas["Recipient"] | null
    installment_count: number | null
    tax_amount: number | null
    amount_includes_tax: boolean | null
    merchant_tax_id: string | null
    purchase_order_number: string | null
    customer_reference_number: string | null
    supplier_order_number: string | null
    duty_amount: number | null
    shipping_amount: number | null
    payment_service_transaction_id: string | null
    additional_identifiers: Record<string, string | null>
    scheme_transaction_id: string | null
    transaction_link_id: string | null
    auth_response_code: string | null
    iso_response_code: string | null
    avs_response_code: "match" | "no_match" | "partial_match_address" | "partial_match_postcode" | "partial_match_name" | "unavailable" | null
    cvv_response_code: "match" | "no_match" | "unavailable" | "not_provided" | null
    merchant_advice_code: string | null
    anti_fraud_decision: "accept" | "error" | "exception" | "reject" | "review" | "skipped" | "pending" | null
    three_d_secure: Schemas["TransactionThreeDSecureSummary"] | null
    session_token: string | null
    authorized_at: string | null
    captured_at: string | null
    voided_at: string | null
    canceled_at: string | null
    approval_expires_at: string | null
    buyer_approval_timedout_at: string | null
  }
  TransactionAction: {
    type: "action"
    id: "select-payment-options" | "decline-early" | "skip-3ds" | "route-transaction"
    flow: "checkout" | "card-transaction" | "non-card-transaction" | "redirect-transaction"
    rule_id: string
    created_at: string
    outcome: Record<string, unknown>
  }
  TransactionActions: {
    items: Schemas["TransactionAction"][]
  }
  TransactionAttempt: {
    type: "transaction-attempt"
    id: string
    transaction_id: string
    operation: "authorize" | "capture" | "void" | "cancel" | "refund" | "increment" | "redeem" | "reverse"
    subject_id: string | null
    service_id: string
    amount: number
    status: "queued" | "sent" | "unknown" | "pending" | "approved" | "declined" | "failed"
    payment_service_reference: string | null
    error_code: string | null
    raw_response_code: string | null
    raw_response_description: string | null
    inquiries: number
    next_inquiry_at: string | null
    created_at: string
    updated_at: string
  }
  TransactionAttempts: {
    items: Schemas["TransactionAttempt"][]
    limit: number
    next_cursor: string | null
    previous_cursor: string | null
  }
  TransactionAuthorizationIncrement: {
    type: "transaction-authorization-increment"
    status: "succeeded" | "failed"
    code: string | null
    raw_response_code: string | null
    raw_response_description: string | null
    transaction: Schemas["Transaction"]
  }
  TransactionAuthorizationIncrementCreate: {
    amount: number
  }
  TransactionBuyer: {
    type: "buyer"
    id: string | null
    reconciliation_id: string | null
    display_name: string | null
    external_identifier: string | null
    account_number: string | null
    billing_details: Schemas["BillingDetails"] | null
  }
  TransactionCancel: {
    type: "transaction-cancel"
    status: "succeeded" | "pending" | "failed"
    code: string | null
    raw_response_code: string | null
    raw_response_description: string | null
    transaction: Schemas["Transaction"]
  }
  TransactionCapture: {
    type: "transaction-capture"
    status: "succeeded" | "pending" | "declined" | "failed"
    capture_id: string | null
    payment_service_capture_id: string | null
    external_identifier: string | null
    billing_details: Schemas["BillingDetails"] | null
    shipping_details: Schemas["TransactionShippingDetails"] | null
    code: string | null
    raw_response_code: string | null
    raw_response_description: string | null
    transaction: Schemas["Transaction"]
  }
  TransactionCaptureCreate: {
    amount?: number | null
    airline?: {
      booking_code?: string | null
      is_cardholder_traveling?: boolean | null
      issued_address?: string | null
      issued_at?: string | null
      issuing_carrier_code?: string | null
      issuing_carrier_name?: string | null
      issuing_iata_designator?: string | null
      issuing_icao_code?: string | null
      passenger_name_record?: string | null
      reservation_system?: string | null
      restricted_ticket?: boolean | null
      ticket_number?: string | null
      travel_agency_code?: string | null
      travel_agency_invoice_number?: string | null
      travel_agency_name?: string | null
      travel_agency_plan_name?: string | null
      ticket_delivery_method?: "electronic" | "other" | null
      legs?: Schemas["NewAirlineLeg"][] | null
      passengers?: Schemas["NewAirlinePassenger"][] | null
    } | null
    cart_items?: Schemas["NewCartItem"][] | null
    external_identifier?: string | null
    final?: boolean
    reauthorize_if_authorization_expired?: boolean
  }
  TransactionConnectionOptions: {
    "account-updater"?: Schemas["AccountUpdaterOptions"] | null
    "adyen-ach"?: Schemas["AdyenOptions"] | null
    "adyen-afterpay"?: Schemas["AdyenOptions"] | null
    "adyen-cashappafterpay"?: Schemas["AdyenOptions"] | null
    "adyen-alipay"?: Schemas["AdyenOptions"] | null
    "adyen-card"?: Schemas["AdyenCardOptions"] | null
    "adyen-cashapp"?: Schemas["AdyenOptions"] | null
    "adyen-gcash"?: Schemas["AdyenOptions"] | null
    "adyen-giropay"?: Schemas["AdyenOptions"] | null
    "adyen-ideal"?: Schemas["AdyenOptions"] | null
    "adyen-konbini"?: Schemas["AdyenOptions"] | null
    "adyen-paybybank"?: Schemas["AdyenOptions"] | null
    "adyen-paypay"?: Schemas["AdyenOptions"] | null
    "adyen-pix"?: Schemas["AdyenPixOptions"] | null
    "adyen-sepa"?: Schemas["AdyenSepaOptions"] | null
    "adyen-seveneleven"?: Schemas["AdyenOptions"] | null
    "adyen-sofort"?: Schemas["AdyenOptions"] | null
    "adyen-swish"?: Schemas["AdyenOptions"] | null
    "adyen-vipps"?: Schemas["AdyenOptions"] | null
    "affirm-affirm"?: Schemas["AffirmOptions"] | null
    "braintree-card"?: Schemas["BraintreeOptions"] | null
    "chaseorbital-card"?: Schemas["ChaseOptions"] | null
    "cybersource-anti-fraud"?: Schemas["CybersourceAntiFraudOptions"] | null
    "cybersource-card"?: Schemas["CybersourceOptions"] | null
    "cybersource-ideal"?: Schemas["CybersourceOptions"] | null
    "cybersource-kcp"?: Schemas["CybersourceOptions"] | null
    "dlocal-card"?: Schemas["DlocalCardOptions"] | null
    "dlocal-nequi"?: Schemas["DlocalOptions"] | null
    "dlocal-upi"?: Schemas["DlocalUPIOptions"] | null
    "dlocal-pix"?: Schemas["DlocalPIXOptions"] | null
    "dlocal-gcash"?: Schemas["DlocalOptions"] | null
    "ecommpay-card"?: Schemas["EcommpayOptions"] | null
    "klarna-klarna"?: Schemas["KlarnaOptions"] | null
    "fiserv-card"?: Schemas["FiservOptions"] | null
    "forter-anti-fraud"?: Schemas["ForterAntiFraudOptions"] | null
    "gem-gem"?: Schemas["LatitudeOptions"] | null
    "gem-gemds"?: Schemas["LatitudeOptions"] | null
    "givingblock-givingblock"?: Schemas["GivingBlockOptions"] | null
    "gocardless-gocardless"?: Schemas["GoCardlessOptions"] | null
    "latitude-latitude"?: Schemas["LatitudeOptions"] | null
    "latitude-latitudeds"?: Schemas["LatitudeOptions"] | null
    "mattilda-tapi"?: Schemas["MattildaTapiOptions"] | null
    "mattilda-tapifintechs"?: Schemas["MattildaTapiOptions"] | null
    "monato-spei"?: Schemas["MonatoSpeiOptions"] | null
    "mock-card"?: Schemas["MockCardOptions"] | null
    "mock-gift-card"?: Schemas["MockGiftCardOptions"] | null
    "mockds-card"?: Schemas["MockCardOptions"] | null
    "nuvei-card"?: Schemas["NuveiOptions"] | null
    "nuvei-ideal"?: Schemas["NuveiIDealOptions"] | null
    "nuvei-klarna"?: Schemas["NuveiKlarnaOptions"] | null
    "nuvei-pse"?: Schemas["NuveiPSEOptions"] | null
    "oxxo-oxxo"?: Schemas["OxxoOptions"] | null
    "paypal-paypal"?: Schemas["PaypalOptions"] | null
    "paypal-paypalpaylater"?: Schemas["PaypalOptions"] | null
    "powertranz-card"?: Schemas["PowertranzOptions"] | null
    "riskified-anti-fraud"?: Schemas["RiskifiedAntiFraudOptions"] | null
    "stripe-affirm"?: Schemas["StripeOptions"] | null
    "stripe-card"?: Schemas["StripeCardOptions"] | null
    "stripe-klarna"?: Schemas["StripeOptions"] | null
    "stripe-onelink"?: Schemas["StripeOptions"] | null
    "stripe-stripe"?: Schemas["StripeOptions"] | null
    "travelhub-card"?: Schemas["TravelhubOptions"] | null
    "trustly-trustly"?: Schemas["TrustlyOptions"] | null
    "worldpayvap-card"?: Schemas["WorldpayVapOptions"] | null
    "wpay-everydaypay"?: Schemas["WpayEverydayPayOptions"] | null
    "wpay-payto"?: Schemas["WpayPaytoOptions"] | null
  }
  TransactionCreate: {
    amount: number
    currency: string
    country?: string | null
    payment_method?: Schemas["PayWithCard"] | Schemas["PayWithStoredMethod"] | Schemas["PayWithCheckoutSession"] | Schemas["PayWithRedirect"] | Schemas["PayWithApplePay"] | Schemas["PayWithGooglePay"] | Schemas["PayWithGooglePayCard"] | Schemas["PayWithClickToPay"] | Schemas["PayWithClickToPayCard"] | Schemas["PayWithPaze"] | Schemas["PayWithNetworkToken"] | Schemas["PayWithPlaid"] | Schemas["PayWithBank"] | null
    gift_cards?: (Schemas["PayWithNewGiftCard"] | Schemas["PayWithStoredGiftCard"])[] | null
    external_identifier?: string | null
    intent?: "authorize" | "capture"
    payment_source?: "ecommerce" | "moto" | "recurring" | "installment" | "card_on_file"
    merchant_initiated?: boolean
    is_subsequent_payment?: boolean
    store?: boolean
    async_capture?: boolean
    account_funding_transaction?: boolean
    allow_partial_authorization?: boolean
    buyer?: Schemas["NewGuestBuyer"] | null
    buyer_id?: string | null
    buyer_external_identifier?: string | null
    shipping_details_id?: string | null
    metadata?: Record<string, string> | null
    description?: string | null
    cart_items?: Schemas["NewCartItem"][] | null
    airline?: {
      booking_code?: string | null
      is_cardholder_traveling?: boolean | null
      issued_address?: string | null
      issued_at?: string | null
      issuing_carrier_code?: string | null
      issuing_carrier_name?: string | null
      issuing_iata_designator?: string | null
      issuing_icao_code?: string | null
      passenger_name_record?: string | null
      reservation_system?: string | null
      restricted_ticket?: boolean | null
      ticket_number?: string | null
      travel_agency_code?: string | null
      travel_agency_invoice_number?: string | null
      travel_agency_name?: string | null
      travel_agency_plan_name?: string | null
      ticket_delivery_method?: "electronic" | "other" | null
      legs?: Schemas["NewAirlineLeg"][] | null
      passengers?: Schemas["NewAirlinePassenger"][] | null
    } | null
    statement_descriptor?: Schemas["NewStatementDescriptor"] | null
    recipient?: Schemas["NewRecipient"] | null
    browser_info?: Schemas["BrowserInfo"] | null
    installment_count?: number | null
    tax_amount?: number | null
    amount_includes_tax?: boolean | null
    merchant_tax_id?: string | null
    purchase_order_number?: string | null
    customer_reference_number?: string | null
    supplier_order_number?: string | null
    duty_amount?: number | null
    shipping_amount?: number | null
    payment_service_id?: string | null
    connection_options?: Schemas["TransactionConnectionOptions"] | null
    three_d_secure?: Schemas["ThreeDSecure"] | null
    three_d_secure_data?: Schemas["ThreeDSecureDataV1"] | Schemas["ThreeDSecureDataV2"] | null
    previous_scheme_transaction_id?: string | null
    previous_transaction_link_id?: string | null
    anti_fraud_fingerprint?: string | null
    integration_client?: "redirect" | "web" | "android" | "ios" | null
    approval_expires_at?: string | null
  }
  TransactionDecision: {
    type: "decision"
    transaction_id: string
    version: number | null
    summary: string
    steps: Schemas["DecisionStep"][]
    candidates: Schemas["DecisionCandidate"][]
  }
  TransactionEvent: {
    type: "transaction-event"
    id: string
    name: "transaction-updated-status" | "transaction-sync-event" | "transaction-sync-failed-event" | "transaction-modified-event" | "transaction-api-request" | "transaction-api-response" | "bin-lookup-request" | "three-d-secure-success" | "three-d-secure-request-error" | "three-d-secure-preparation-request" | "three-d-secure-authentication-request" | "three-d-secure-result-request" | "anti-fraud-decision" | "anti-fraud-decision-error" | "anti-fraud-decision-skipped" | "anti-fraud-webhook" | "anti-fraud-transaction-status-update" | "anti-fraud-transaction-status-update-error" | "anti-fraud-decision-update" | "anti-fraud-decision-update-error" | "gift-card-redemption-succeeded" | "gift-card-redemption-failed" | "gift-card-refund-succeeded" | "gift-card-refund-failed" | "gift-card-reversal-succeeded" | "reauthorization-attempted" | "reauthorization-created" | "payment-connector-response-transaction-authorization-succeeded" | "payment-connector-response-transaction-capture-succeeded" | "payment-connector-response-transaction-authorization-failed" | "payment-connector-response-transaction-declined" | "payment-connector-response-transaction-capture-failed" | "payment-connector-response-transaction-capture-declined" | "payment-connector-response-transaction-cancel-succeeded" | "payment-connector-response-transaction-cancel-pending" | "payment-connector-response-transaction-cancel-failed" | "payment-connector-response-transaction-void-succeeded" | "payment-connector-response-transaction-authorization-increment-succeeded" | "payment-connector-response-transaction-authorization-increment-failed" | "payment-connector-response-transaction-void-declined" | "payment-connector-response-transaction-void-failed" | "payment-connector-response-transaction-refund-succeeded" | "payment-connector-response-transaction-refund-declined" | "payment-connector-response-transaction-refund-failed" | "flow-decision" | "scheme-advice-do-not-retry" | "payment-service-skipped" | "payment-service-missing" | "payment-connector-external-transaction-request" | "payment-connector-report-transaction-settled" | "payment-connector-report-refund-settled" | "payment-connector-report-chargeback-posted" | "payment-connector-report-chargeback-reversal-posted" | "payment-connector-transaction-webhook-processed" | "digital-wallet-apple-pay-token-decrypted" | "digital-wallet-google-pay-token-decrypted" | "digital-wallet-click-to-pay-token-decrypted" | "digital-wallet-paze-token-decrypted" | "network-token-provision-succeeded" | "network-token-provision-failed" | "network-token-cryptogram-provision-succeeded" | "network-token-cryptogram-provision-failed" | "the-giving-block-transaction-conversion-succeeded" | "real-time-account-update" | "plaid-request-event"
    created_at: string
    context: Record<string, unknown>
  }
  TransactionEvents: {
    items: Schemas["TransactionEvent"][]
    limit: number
    next_cursor: string | null
    previous_cursor: string | null
  }
  TransactionExchange: {
    type: "transaction-exchange"
    id: string
    transaction_id: string
    attempt_id: string
    operation: "authorize" | "capture" | "void" | "cancel" | "refund" | "increment" | "redeem" | "reverse" | "authenticate"
    purpose: "request" | "completion" | "inquiry"
    service_type: "payment-service" | "gift-card-service" | "three-ds-service"
    service_id: string
    service_definition_id: string
    idempotency_key: string | null
    request_id: string | null
    outcome: "answered" | "timed_out" | "no_connection" | "no_answer" | "answer_cut" | "answer_refused"
    reason: "name_not_found" | "name_lookup_failed" | "connection_refused" | "connection_reset" | "host_unreachable" | "certificate_expired" | "certificate_name_mismatch" | "certificate_untrusted" | "tls_failed" | null
    request: Schemas["ExchangeRequest"]
    response: Schemas["ExchangeResponse"] | null
    duration_ms: number
    created_at: string
  }
  TransactionExchanges: {
    items: Schemas["TransactionExchange"][]
    limit: number
    next_cursor: string | null
    previous_cursor: string | null
  }
  TransactionGiftCard: {
    type: "gift-card"
    id: string | null
    bin: string
    sub_bin: string
    last4: string
  }
  TransactionGiftCardService: {
    type: "gift-card-service"
    id: string
    gift_card_service_definition_id: string
    display_name: string
  }
  TransactionPaymentMethod: {
    type: "payment-method"
    id: string | null
    method: "affirm" | "afterpay" | "alipay" | "alipayhk" | "applepay" | "bacs" | "bancontact" | "banked" | "becs" | "bitpay" | "boleto" | "boost" | "card" | "cashapp" | "chaseorbital" | "checkout-session" | "clearpay" | "click-to-pay" | "dana" | "dcb" | "dlocal" | "ebanx" | "efecty" | "eps" | "everydaypay" | "gcash" | "gem" | "gemds" | "gift-card" | "giropay" | "givingblock" | "gocardless" | "googlepay" | "googlepay_pan_only" | "gopay" | "grabpay" | "id" | "ideal" | "kakaopay" | "kcp" | "klarna" | "latitude" | "latitudeds" | "laybuy" | "linepay" | "linkaja" | "maybankqrpay" | "mercadopago" | "multibanco" | "multipago" | "netbanking" | "network-token" | "oney_3x" | "oney_4x" | "oney_6x" | "oney_10x" | "oney_12x" | "ovo" | "oxxo" | "payid" | "paymaya" | "paypal" | "paypalpaylater" | "payto" | "venmo" | "pix" | "pse" | "rabbitlinepay" | "razorpay" | "scalapay" | "sepa" | "shopeepay" | "singteldash" | "smartpay" | "sofort" | "spei" | "stripedd" | "thaiqr" | "touchngo" | "truemoney" | "trustly" | "trustlyeurope" | "upi" | "vipps" | "waave" | "webpay" | "wechat" | "zippay" | "abitab" | "ach" | "alma" | "arcuspaynetwork" | "autogiro" | "bancomatpay" | "banktransfer" | "bcp" | "becsnz" | "belfius" | "betalingsservice" | "billie" | "bizum" | "blik" | "breb" | "capitec" | "cashappafterpay" | "custom_push" | "custom_redirect" | "custom_tokenize" | "eckoh" | "in3" | "interac" | "kbc" | "khipu" | "konbini" | "mbway" | "mobilepay" | "mybank" | "nequi" | "nupay" | "onelink" | "onlinebankingcz" | "p24" | "pad" | "pagoefectivo" | "paybybank" | "paypay" | "paysafecard" | "paysquad" | "payvalida" | "picpay" | "rapipago" | "redpagos" | "riverty" | "satispay" | "servipag" | "seveneleven" | "stitch" | "stripe" | "stripetoken" | "swish" | "tapi" | "tapifintechs" | "twint" | "wero" | "yape" | "bank" | "paze" | "plaid"
    mode: "card" | "redirect" | "applepay" | "googlepay" | "checkout-session" | "click-to-pay" | "gift-card" | "bank" | "paze" | null
    label: string | null
    scheme: "accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa" | null
    expiration_date: string | null
    details: Schemas["PaymentMethodCardDetails"] | null
    fingerprint: string | null
    payment_account_reference: string | null
    approval_url: string | null
    approval_target: "any" | "new_window" | null
    country: string | null
    currency: string | null
    external_identifier: string | null
    last_replaced_at: string | null
  }
  TransactionPaymentService: {
    type: "payment-service"
    id: string
    payment_service_definition_id: string
    method: string
    display_name: string
  }
  TransactionRetriesReportSpec: {
    model: "transaction_retries"
    params: {
      filters?: {
        created_at?: {
          start?: string | null
          end?: string | null
        }
      }
    }
  }
  TransactionReviewCreate: {
    decision: "accept" | "reject"
  }
  TransactionSession: {
    session_data: Record<string, unknown> | null
    default_completion_url: string
    integration_client: "redirect" | "web" | "android" | "ios"
  }
  TransactionShippingDetails: {
    type: "shipping-details"
    id: string | null
    buyer_id: string | null
    first_name: string | null
    last_name: string | null
    email_address: string | null
    phone_number: string | null
    address: Schemas["Address"] | null
  }
  TransactionSummary: {
    type: "transaction"
    id: string
    reconciliation_id: string
    merchant_account_id: string
    external_identifier: string | null
    status: "processing" | "buyer_approval_pending" | "authorization_succeeded" | "authorization_failed" | "authorization_declined" | "capture_pending" | "capture_succeeded" | "authorization_void_pending" | "authorization_voided"
    intent: "authorize" | "capture"
    amount: number
    currency: string
    country: string | null
    authorized_amount: number
    captured_amount: number
    refunded_amount: number
    settled: boolean
    settled_amount: number
    settled_currency: string | null
    method: "affirm" | "afterpay" | "alipay" | "alipayhk" | "applepay" | "bacs" | "bancontact" | "banked" | "becs" | "bitpay" | "boleto" | "boost" | "card" | "cashapp" | "chaseorbital" | "checkout-session" | "clearpay" | "click-to-pay" | "dana" | "dcb" | "dlocal" | "ebanx" | "efecty" | "eps" | "everydaypay" | "gcash" | "gem" | "gemds" | "gift-card" | "giropay" | "givingblock" | "gocardless" | "googlepay" | "googlepay_pan_only" | "gopay" | "grabpay" | "id" | "ideal" | "kakaopay" | "kcp" | "klarna" | "latitude" | "latitudeds" | "laybuy" | "linepay" | "linkaja" | "maybankqrpay" | "mercadopago" | "multibanco" | "multipago" | "netbanking" | "network-token" | "oney_3x" | "oney_4x" | "oney_6x" | "oney_10x" | "oney_12x" | "ovo" | "oxxo" | "payid" | "paymaya" | "paypal" | "paypalpaylater" | "payto" | "venmo" | "pix" | "pse" | "rabbitlinepay" | "razorpay" | "scalapay" | "sepa" | "shopeepay" | "singteldash" | "smartpay" | "sofort" | "spei" | "stripedd" | "thaiqr" | "touchngo" | "truemoney" | "trustly" | "trustlyeurope" | "upi" | "vipps" | "waave" | "webpay" | "wechat" | "zippay" | "abitab" | "ach" | "alma" | "arcuspaynetwork" | "autogiro" | "bancomatpay" | "banktransfer" | "bcp" | "becsnz" | "belfius" | "betalingsservice" | "billie" | "bizum" | "blik" | "breb" | "capitec" | "cashappafterpay" | "custom_push" | "custom_redirect" | "custom_tokenize" | "eckoh" | "in3" | "interac" | "kbc" | "khipu" | "konbini" | "mbway" | "mobilepay" | "mybank" | "nequi" | "nupay" | "onelink" | "onlinebankingcz" | "p24" | "pad" | "pagoefectivo" | "paybybank" | "paypay" | "paysafecard" | "paysquad" | "payvalida" | "picpay" | "rapipago" | "redpagos" | "riverty" | "satispay" | "servipag" | "seveneleven" | "stitch" | "stripe" | "stripetoken" | "swish" | "tapi" | "tapifintechs" | "twint" | "wero" | "yape" | "bank" | "paze" | "plaid" | null
    instrument_type: "pan" | "card_token" | "redirect" | "redirect_token" | "googlepay" | "applepay" | "network_token" | "plaid" | "bank" | null
    payment_method: Schemas["TransactionPaymentMethod"] | null
    payment_service: Schemas["TransactionPaymentService"] | null
    buyer: Schemas["TransactionBuyer"] | null
    shipping_details: Schemas["TransactionShippingDetails"] | null
    checkout_session_id: string | null
    gift_card_redemptions: Schemas["GiftCardRedemption"][]
    gift_card_service: Schemas["TransactionGiftCardService"] | null
    error_code: string | null
    raw_response_code: string | null
    raw_response_description: string | null
    pending_review: boolean
    disputed: boolean
    reauthorized_from_transaction_id: string | null
    created_at: string
    updated_at: string
  }
  TransactionThreeDSecureSummary: {
    version: string | null
    status: "setup_error" | "error" | "declined" | "cancelled" | "complete" | null
    method: "challenge" | "frictionless" | null
    response_data: Schemas["ThreeDSecureV1"] | Schemas["ThreeDSecureV2"] | null
    error_data: Schemas["ThreeDSecureError"] | null
    amount: number | null
  }
  TransactionUpdate: {
    status?: "processing" | "buyer_approval_pending" | "authorization_succeeded" | "authorization_failed" | "authorization_declined" | "capture_pending" | "capture_succeeded" | "authorization_void_pending" | "authorization_voided" | null
    amount?: number | null
    authorized_amount?: number | null
    captured_amount?: number | null
    payment_service_transaction_id?: string | null
    external_identifier?: string | null
    metadata?: Record<string, string> | null
    connection_options?: Schemas["TransactionConnectionOptions"] | null
  }
  TransactionVoid: {
    type: "transaction-void"
    status: "succeeded" | "pending" | "declined" | "failed"
    code: string | null
    raw_response_code: string | null
    raw_response_description: string | null
    transaction: Schemas["Transaction"]
  }
  Transactions: {
    items: Schemas["TransactionSummary"][]
    limit: number
    next_cursor: string | null
    previous_cursor: string | null
  }
  TransactionsReportSpec: {
    model: "transactions"
    params: {
      fields?: ("id" | "external_identifier" | "status" | "created_at" | "updated_at" | "authorized_at" | "captured_at" | "voided_at" | "amount" | "currency" | "authorized_amount" | "captured_amount" | "refunded_amount" | "method" | "scheme" | "payment_service_transaction_id" | "payment_service_id" | "payment_service_definition_id" | "payment_service_display_name" | "auth_response_code" | "raw_response_code" | "raw_response_description" | "error_code" | "intent_outcome" | "metadata" | "payment_source" | "is_subsequent_payment" | "merchant_initiated" | "three_d_secure_status" | "three_d_secure_eci" | "three_d_secure_auth_resp" | "three_d_secure_method" | "buyer_external_identifier" | "billing_details_first_name" | "billing_details_last_name" | "billing_details_email_address" | "billing_details_phone_number" | "billing_details_address_organization" | "billing_details_address_house_number_or_name" | "billing_details_address_line1" | "billing_details_address_line2" | "billing_details_address_postal_code" | "billing_details_address_city" | "billing_details_address_state" | "billing_details_address_state_code" | "billing_details_address_country" | "billing_details_tax_id_value" | "billing_details_tax_id_kind" | "gift_card_redemptions_amount" | "gift_card_redemption_refunds_amount" | "settled" | "settled_currency" | "settled_amount")[]
      filters?: {
        created_at?: {
          start?: string | null
          end?: string | null
        }
        updated_at?: {
          start?: string | null
          end?: string | null
        }
        authorized_at?: {
          start?: string | null
          end?: string | null
        }
        captured_at?: {
          start?: string | null
          end?: string | null
        }
        voided_at?: {
          start?: string | null
          end?: string | null
        }
        status?: ("processing" | "buyer_approval_pending" | "authorization_succeeded" | "authorization_failed" | "authorization_declined" | "capture_pending" | "capture_succeeded" | "authorization_void_pending" | "authorization_voided")[]
        currency?: string[]
        method?: ("affirm" | "afterpay" | "alipay" | "alipayhk" | "applepay" | "bacs" | "bancontact" | "banked" | "becs" | "bitpay" | "boleto" | "boost" | "card" | "cashapp" | "chaseorbital" | "checkout-session" | "clearpay" | "click-to-pay" | "dana" | "dcb" | "dlocal" | "ebanx" | "efecty" | "eps" | "everydaypay" | "gcash" | "gem" | "gemds" | "gift-card" | "giropay" | "givingblock" | "gocardless" | "googlepay" | "googlepay_pan_only" | "gopay" | "grabpay" | "id" | "ideal" | "kakaopay" | "kcp" | "klarna" | "latitude" | "latitudeds" | "laybuy" | "linepay" | "linkaja" | "maybankqrpay" | "mercadopago" | "multibanco" | "multipago" | "netbanking" | "network-token" | "oney_3x" | "oney_4x" | "oney_6x" | "oney_10x" | "oney_12x" | "ovo" | "oxxo" | "payid" | "paymaya" | "paypal" | "paypalpaylater" | "payto" | "venmo" | "pix" | "pse" | "rabbitlinepay" | "razorpay" | "scalapay" | "sepa" | "shopeepay" | "singteldash" | "smartpay" | "sofort" | "spei" | "stripedd" | "thaiqr" | "touchngo" | "truemoney" | "trustly" | "trustlyeurope" | "upi" | "vipps" | "waave" | "webpay" | "wechat" | "zippay" | "abitab" | "ach" | "alma" | "arcuspaynetwork" | "autogiro" | "bancomatpay" | "banktransfer" | "bcp" | "becsnz" | "belfius" | "betalingsservice" | "billie" | "bizum" | "blik" | "breb" | "capitec" | "cashappafterpay" | "custom_push" | "custom_redirect" | "custom_tokenize" | "eckoh" | "in3" | "interac" | "kbc" | "khipu" | "konbini" | "mbway" | "mobilepay" | "mybank" | "nequi" | "nupay" | "onelink" | "onlinebankingcz" | "p24" | "pad" | "pagoefectivo" | "paybybank" | "paypay" | "paysafecard" | "paysquad" | "payvalida" | "picpay" | "rapipago" | "redpagos" | "riverty" | "satispay" | "servipag" | "seveneleven" | "stitch" | "stripe" | "stripetoken" | "swish" | "tapi" | "tapifintechs" | "twint" | "wero" | "yape" | "bank" | "paze" | "plaid")[]
        scheme?: ("accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa")[]
        metadata?: Record<string, string> | Record<string, string>[]
        payment_source?: ("ecommerce" | "moto" | "recurring" | "installment" | "card_on_file")[]
        merchant_initiated?: boolean
        is_subsequent_payment?: boolean
        three_d_secure_status?: ("setup_error" | "error" | "declined" | "cancelled" | "complete")[]
        three_d_secure_eci?: string[]
        three_d_secure_auth_resp?: string[]
        three_d_secure_method?: ("challenge" | "frictionless")[]
      }
      sort?: {
        field: "id" | "external_identifier" | "status" | "created_at" | "updated_at" | "authorized_at" | "captured_at" | "voided_at" | "amount" | "currency" | "authorized_amount" | "captured_amount" | "refunded_amount" | "method" | "scheme" | "payment_service_transaction_id" | "payment_service_id" | "payment_service_definition_id" | "payment_service_display_name" | "auth_response_code" | "raw_response_code" | "raw_response_description" | "error_code" | "intent_outcome" | "metadata" | "payment_source" | "is_subsequent_payment" | "merchant_initiated" | "three_d_secure_status" | "three_d_secure_eci" | "three_d_secure_auth_resp" | "three_d_secure_method" | "buyer_external_identifier" | "billing_details_first_name" | "billing_details_last_name" | "billing_details_email_address" | "billing_details_phone_number" | "billing_details_address_organization" | "billing_details_address_house_number_or_name" | "billing_details_address_line1" | "billing_details_address_line2" | "billing_details_address_postal_code" | "billing_details_address_city" | "billing_details_address_state" | "billing_details_address_state_code" | "billing_details_address_country" | "billing_details_tax_id_value" | "billing_details_tax_id_kind" | "gift_card_redemptions_amount" | "gift_card_redemption_refunds_amount" | "settled" | "settled_currency" | "settled_amount"
        order?: "asc" | "desc"
      }[]
    }
  }
  TravelHubCustomData: {
    name: string
    value: string
    type?: string | null
  }
  TravelhubOptions: {
    customData?: Schemas["TravelHubCustomData"][] | null
    companyName?: string | null
  }
  TrustlyOptions: {
    refreshSplitToken?: boolean | null
  }
  UnreadReportFile: {
    name: string
    published_at: string
    problem: string | null
    tries: number
    next_try_at: string | null
  }
  UnregisterDigitalWalletDomain: {
    domain_name: string
  }
  UpdateAPIKeyPair: {
    display_name?: string | null
    active?: boolean | null
    role_ids?: string[] | null
    merchant_account_ids?: string[] | null
  }
  UpdateAccountUpdaterService: {
    display_name?: string | null
    fields?: Schemas["AccountUpdaterServiceFieldChange"][] | null
    active?: boolean | null
  }
  UpdateAntiFraudService: {
    display_name?: string | null
    fields?: Schemas["AntiFraudServiceFieldChange"][] | null
    active?: boolean | null
    reviews_enabled?: boolean | null
    silent?: boolean | null
  }
  UpdateBuyer: {
    display_name?: string | null
    external_identifier?: string | null
    account_number?: string | null
    billing_details?: Schemas["NewBillingDetails"] | null
  }
  UpdateCheckoutPage: {
    locale?: "en" | "en-GB" | "de" | "fr" | "es" | "pt" | "pt-BR" | "it" | "nl" | "pl" | "sv" | "da" | "nb" | "fi" | "cs" | "hu" | "ro" | "tr" | "el" | "uk" | "vi" | "ja" | "ko" | "zh" | "zh-TW" | "th" | "ar" | "he" | null
    return_url?: string | null
    cancel_url?: string | null
    external_identifier?: string | null
    store?: "never" | "ask" | "always"
    ask_security_code?: boolean
    allowed_origins?: string[]
    required_fields?: ("email_address" | "name" | "phone_number" | "billing_address" | "shipping_address")[]
  }
  UpdateCheckoutSession: {
    metadata?: Record<string, string> | null
    amount?: number | null
    currency?: string | null
    country?: string | null
    payment_service_id?: string | null
    intent?: "authorize" | "capture" | null
    payment_source?: "ecommerce" | "moto" | "recurring" | "installment" | "card_on_file" | null
    merchant_initiated?: boolean | null
    is_subsequent_payment?: boolean | null
    cart_items?: Schemas["NewCartItem"][] | null
    buyer?: Schemas["NewGuestBuyer"] | null
    airline?: {
      booking_code?: string | null
      is_cardholder_traveling?: boolean | null
      issued_address?: string | null
      issued_at?: string | null
      issuing_carrier_code?: string | null
      issuing_carrier_name?: string | null
      issuing_iata_designator?: string | null
      issuing_icao_code?: string | null
      passenger_name_record?: string | null
      reservation_system?: string | null
      restricted_ticket?: boolean | null
      ticket_number?: string | null
      travel_agency_code?: string | null
      travel_agency_invoice_number?: string | null
      travel_agency_name?: string | null
      travel_agency_plan_name?: string | null
      ticket_delivery_method?: "electronic" | "other" | null
      legs?: Schemas["NewAirlineLeg"][] | null
      passengers?: Schemas["NewAirlinePassenger"][] | null
    } | null
    expires_in?: number
  }
  UpdateDigitalWallet: {
    merchant_name?: string | null
    domain_names?: string[] | null
    merchant_display_name?: string | null
    merchant_url?: string | null
    merchant_country_code?: string | null
    merchant_category_code?: string | null
    address?: Schemas["DigitalWalletAddress"] | null
    extra_configuration?: Record<string, unknown> | null
  }
  UpdateGiftCardService: {
    display_name?: string | null
    fields?: Schemas["GiftCardServiceFieldChange"][] | null
    active?: boolean | null
  }
  UpdateMe: {
    name: string
  }
  UpdateMerchantAccount: {
    display_name?: string | null
    account_updater_enabled?: boolean
    account_updater_request_encryption_key?: string | null
    account_updater_request_encryption_key_id?: string | null
    account_updater_response_decryption_key?: string | null
    account_updater_response_decryption_key_id?: string | null
    over_capture_amount?: number | null
    over_capture_percentage?: number | null
    loon_client_key?: string | null
    loon_secret_key?: string | null
    loon_accepted_schemes?: ("accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa")[] | null
    loon_merchant_account_id?: string | null
    visa_network_tokens_requestor_id?: string | null
    visa_network_tokens_app_id?: string | null
    amex_network_tokens_requestor_id?: string | null
    amex_network_tokens_app_id?: string | null
    mastercard_network_tokens_requestor_id?: string | null
    mastercard_network_tokens_app_id?: string | null
    discover_network_tokens_requestor_id?: string | null
    discover_network_tokens_app_id?: string | null
    async_network_tokens_enabled?: boolean
  }
  UpdateNetworkTokenService: {
    display_name?: string | null
    fields?: Schemas["NetworkTokenServiceFieldChange"][] | null
    active?: boolean | null
  }
  UpdatePasskey: {
    name: string
  }
  UpdatePaymentMethod: {
    expiration_date?: string | null
    scheme_transaction_id?: string | null
    scheme_transaction_id_scheme?: "accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa" | null
    transaction_link_id?: string | null
  }
  UpdatePaymentService: {
    display_name?: string | null
    fields?: Schemas["PaymentServiceFieldChange"][] | null
    reporting_fields?: Schemas["PaymentServiceFieldChange"][] | null
    position?: number | null
    accepted_currencies?: string[] | null
    accepted_countries?: string[] | null
    active?: boolean | null
    three_d_secure_enabled?: boolean | null
    merchant_profile?: {
      accel?: Schemas["MerchantProfileScheme"] | null
      amex?: Schemas["MerchantProfileScheme"] | null
      bancontact?: Schemas["MerchantProfileScheme"] | null
      "carte-bancaire"?: Schemas["MerchantProfileScheme"] | null
      cirrus?: Schemas["MerchantProfileScheme"] | null
      culiance?: Schemas["MerchantProfileScheme"] | null
      dankort?: Schemas["MerchantProfileScheme"] | null
      "diners-club"?: Schemas["MerchantProfileScheme"] | null
      discover?: Schemas["MerchantProfileScheme"] | null
      "eftpos-australia"?: Schemas["MerchantProfileScheme"] | null
      elo?: Schemas["MerchantProfileScheme"] | null
      hipercard?: Schemas["MerchantProfileScheme"] | null
      jcb?: Schemas["MerchantProfileScheme"] | null
      maestro?: Schemas["MerchantProfileScheme"] | null
      mastercard?: Schemas["MerchantProfileScheme"] | null
      mir?: Schemas["MerchantProfileScheme"] | null
      nyce?: Schemas["MerchantProfileScheme"] | null
      other?: Schemas["MerchantProfileScheme"] | null
      pulse?: Schemas["MerchantProfileScheme"] | null
      qcard?: Schemas["MerchantProfileScheme"] | null
      rupay?: Schemas["MerchantProfileScheme"] | null
      star?: Schemas["MerchantProfileScheme"] | null
      uatp?: Schemas["MerchantProfileScheme"] | null
      unionpay?: Schemas["MerchantProfileScheme"] | null
      visa?: Schemas["MerchantProfileScheme"] | null
    } | null
    payment_method_tokenization_enabled?: boolean | null
    network_tokens_enabled?: boolean | null
    open_loop?: boolean | null
    settlement_reporting_enabled?: boolean | null
  }
  UpdateShippingDetails: {
    first_name?: string | null
    last_name?: string | null
    email_address?: string | null
    phone_number?: string | null
    address?: Schemas["NewAddress"] | null
  }
  UpdateTheme: {
    accent_color?: string | null
    accent_color_dark?: string | null
    radius?: "none" | "small" | "medium" | "large" | null
    font?: "geist" | "system" | "humanist" | "rounded" | "serif" | "mono" | null
    logo?: Schemas["NewThemeLogo"] | null
  }
  UpdateThreeDSConfiguration: {
    scheme?: "accel" | "amex" | "bancontact" | "carte-bancaire" | "cirrus" | "culiance" | "dankort" | "diners-club" | "discover" | "eftpos-australia" | "elo" | "hipercard" | "jcb" | "maestro" | "mastercard" | "mir" | "nyce" | "other" | "pulse" | "qcard" | "rupay" | "star" | "uatp" | "unionpay" | "visa" | null
    merchant_acquirer_bin?: string | null
    merchant_acquirer_id?: string | null
    merchant_name?: string | null
    merchant_country_code?: string | null
    merchant_category_code?: string | null
    merchant_url?: string | null
    metadata?: Record<string, string> | null
    currency?: string | null
  }
  UpdateThreeDSScenario: {
    conditions?: Schemas["ChangedThreeDSScenarioConditions"] | null
    outcome?: Schemas["NewThreeDSScenarioOutcome"] | null
  }
  UpdateThreeDSService: {
    display_name?: string | null
    fields?: Schemas["ThreeDSServiceFieldChange"][] | null
    active?: boolean | null
  }
  UpdateTransactionSession: {
    payload?: Record<string, unknown> | null
  }
  UpdateUser: {
    name?: string | null
    status?: "active" | "disabled" | null
    role_ids?: string[] | null
    merchant_account_ids?: string[] | null
  }
  UpdateWebhookSubscription: {
    active?: boolean | null
    url?: string | null
    authentication?: Schemas["NewWebhookAuthentication"] | null
    events?: string[] | null
  }
  User: {
    type: "user"
    id: string
    name: string
    email_address: string
    status: "pending" | "active" | "disabled"
    roles: Schemas["Role"][]
    has_passkey: boolean
    has_second_factor: boolean
    has_oidc: boolean
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
  UserSession: {
    type: "user-session"
    id: string
    method: "passkey" | "password" | "oidc" | "setup"
    user_agent: string | null
    address: string | null
    is_current: boolean
    created_at: string
    last_used_at: string
    expires_at: string
  }
  UserSessions: {
    items: Schemas["UserSession"][]
  }
  Users: {
    items: Schemas["User"][]
    limit: number
    next_cursor: string | null
    previous_cursor: string | null
  }
  ValidationError: {
    loc: (string | number)[]
    msg: string
    type: string
    input?: unknown
    ctx?: Record<string, unknown>
  }
  VaultForwardAuthentication: {
    type: "vault-forward-authentication"
    id: string
    merchant_account_id: string
    display_name: string
    host: string
    kind: "mutual_tls" | "hmac"
    certificate?: string
    header?: string
    algorithm?: "sha256" | "sha512"
    encoding?: "hex" | "base64"
    created_at: string
    updated_at: string
  }
  VaultForwardAuthentications: {
    items: Schemas["VaultForwardAuthentication"][]
    limit: number
    next_cursor: string | null
    previous_cursor: string | null
  }
  VaultForwardEndpoint: {
    type: "vault-forward-endpoint"
    id: string
    merchant_account_id: string
    host: string
    paths: string[]
    methods: ("POST" | "PUT" | "PATCH")[]
    created_at: string
    updated_at: string
  }
  VaultForwardEndpoints: {
    items: Schemas["VaultForwardEndpoint"][]
    limit: number
    next_cursor: string | null
    previous_cursor: string | null
  }
  VerifiedCredentials: {}
  VerifyCredentials: {
    payment_service_definition_id: string
    payment_service_id?: string | null
    fields: Schemas["PaymentServiceField"][]
  }
  WalletPaymentOptionContext: {
    merchant_name: string
    supported_schemes: string[]
  }
  WebhookAttempt: {
    type: "webhook-attempt"
    number: number
    outcome: "delivered" | "refused" | "timed_out" | "unreachable" | "answer_broken" | "address_refused" | "token_refused"
    reason: "name_not_found" | "name_lookup_failed" | "connection_refused" | "connection_reset" | "host_unreachable" | "certificate_expired" | "certificate_name_mismatch" | "certificate_untrusted" | "tls_failed" | null
    response_status_code: number | null
    response_body: string | null
    duration_ms: number
    created_at: string
  }
  WebhookAttempts: {
    items: Schemas["WebhookAttempt"][]
  }
  WebhookAuthentication: {
    type: "webhook-authentication"
    kind: "basic" | "oauth_client_credentials" | "oauth_password"
    username?: string
    password?: "********"
    client_id?: string
    client_secret?: "********"
    token_url?: string
    scope?: string | null
  }
  WebhookDeliveries: {
    items: Schemas["WebhookDelivery"][]
    limit: number
    next_cursor: string | null
    previous_cursor: string | null
  }
  WebhookDelivery: {
    type: "webhook-delivery"
    id: string
    webhook_subscription_id: string
    event_name: string
    status: "waiting" | "delivered" | "parked"
    attempts: number
    next_attempt_at: string | null
    outcome: "delivered" | "refused" | "timed_out" | "unreachable" | "answer_broken" | "address_refused" | "token_refused" | null
    response_status_code: number | null
    parked_because: "schedule_ended" | "subscription_inactive" | "subscription_deleted" | null
    delivered_at: string | null
    created_at: string
    updated_at: string
  }
  WebhookReplay: {
    type: "webhook-replay"
    webhook_subscription_id: string
    count: number
    next_since: string | null
  }
  WebhookSubscription: {
    type: "webhook-subscription"
    id: string
    merchant_account_id: string | null
    active: boolean
    url: string
    authentication: Schemas["WebhookAuthentication"] | null
    secret: string | null
    rotating: boolean
    creator: Schemas["Creator"] | null
    events: string[] | null
    failing_since: string | null
    last_delivered_at: string | null
  }
  WebhookSubscriptions: {
    items: Schemas["WebhookSubscription"][]
    limit: number
    next_cursor: string | null
    previous_cursor: string | null
  }
  WorldpayVapOptions: {
    reportGroup?: string | null
    orderId?: string | null
  }
  WpayEverydayPayOptions: {
    merchant_defined_data?: Record<string, string> | null
    customerId?: string | null
    rewardsAccessToken?: string | null
    deviceId?: string | null
    postPaymentRedirect?: boolean | null
  }
  WpayPaytoOptions: {
    instrument?: Schemas["WpayPaytoResourceOptions"] | null
    payment?: Schemas["WpayPaytoResourceOptions"] | null
    refund?: Schemas["WpayPaytoResourceOptions"] | null
  }
  WpayPaytoResourceOptions: {
    simulation?: Schemas["WpayPaytoSimulationOptions"] | null
  }
  WpayPaytoSimulationOptions: {
    simulate?: string | null
    delay?: number | null
  }
}

export type Operations = {
  "GET /api-key-pairs": {
    path: Record<string, unknown>
    query: {
      cursor?: string
      limit?: number
    }
    answer: Schemas["APIKeyPairs"]
  }
  "POST /api-key-pairs": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["CreateAPIKeyPair"]
    answer: Schemas["APIKeyPair"]
  }
  "GET /api-key-pairs/{api_key_pair_id}": {
    path: {
      api_key_pair_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["APIKeyPair"]
  }
  "PUT /api-key-pairs/{api_key_pair_id}": {
    path: {
      api_key_pair_id: string
    }
    query: Record<string, unknown>
    body: Schemas["UpdateAPIKeyPair"]
    answer: Schemas["APIKeyPair"]
  }
  "DELETE /api-key-pairs/{api_key_pair_id}": {
    path: {
      api_key_pair_id: string
    }
    query: Record<string, unknown>
    answer: undefined
  }
  "GET /merchant-accounts": {
    path: Record<string, unknown>
    query: {
      cursor?: string
      limit?: number
      search?: string
    }
    answer: Schemas["MerchantAccounts"]
  }
  "POST /merchant-accounts": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["CreateMerchantAccount"]
    answer: Schemas["MerchantAccount"]
  }
  "GET /merchant-accounts/{merchant_account_id}": {
    path: {
      merchant_account_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["MerchantAccount"]
  }
  "PUT /merchant-accounts/{merchant_account_id}": {
    path: {
      merchant_account_id: string
    }
    query: Record<string, unknown>
    body: Schemas["UpdateMerchantAccount"]
    answer: Schemas["MerchantAccount"]
  }
  "GET /merchant-accounts/{merchant_account_id}/three-ds-configurations": {
    path: {
      merchant_account_id: string
    }
    query: {
      currency?: string
    }
    answer: Schemas["ThreeDSConfigurations"]
  }
  "POST /merchant-accounts/{merchant_account_id}/three-ds-configurations": {
    path: {
      merchant_account_id: string
    }
    query: Record<string, unknown>
    body: Schemas["CreateThreeDSConfiguration"]
    answer: Schemas["ThreeDSConfiguration"]
  }
  "PUT /merchant-accounts/{merchant_account_id}/three-ds-configurations/{three_ds_configuration_id}": {
    path: {
      merchant_account_id: string
      three_ds_configuration_id: string
    }
    query: Record<string, unknown>
    body: Schemas["UpdateThreeDSConfiguration"]
    answer: Schemas["ThreeDSConfiguration"]
  }
  "DELETE /merchant-accounts/{merchant_account_id}/three-ds-configurations/{three_ds_configuration_id}": {
    path: {
      merchant_account_id: string
      three_ds_configuration_id: string
    }
    query: Record<string, unknown>
    answer: undefined
  }
  "GET /merchant-accounts/{merchant_account_id}/theme": {
    path: {
      merchant_account_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["Theme"]
  }
  "PUT /merchant-accounts/{merchant_account_id}/theme": {
    path: {
      merchant_account_id: string
    }
    query: Record<string, unknown>
    body: Schemas["UpdateTheme"]
    answer: Schemas["Theme"]
  }
  "GET /merchant-accounts/{merchant_account_id}/theme/preview": {
    path: {
      merchant_account_id: string
    }
    query: {
      color_scheme?: "light" | "dark"
    }
    answer: Schemas["ThemePreview"]
  }
  "GET /roles": {
    path: Record<string, unknown>
    query: {
      cursor?: string
      limit?: number
    }
    answer: Schemas["Roles"]
  }
  "POST /roles": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["RoleCreate"]
    answer: Schemas["RoleDetails"]
  }
  "GET /roles/{role_id}": {
    path: {
      role_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["RoleDetails"]
  }
  "PUT /roles/{role_id}": {
    path: {
      role_id: string
    }
    query: Record<string, unknown>
    body: Schemas["RoleUpdate"]
    answer: Schemas["RoleDetails"]
  }
  "DELETE /roles/{role_id}": {
    path: {
      role_id: string
    }
    query: Record<string, unknown>
    answer: undefined
  }
  "GET /users/me": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    answer: Schemas["Me"]
  }
  "PUT /users/me": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["UpdateMe"]
    answer: Schemas["Me"]
  }
  "GET /users": {
    path: Record<string, unknown>
    query: {
      cursor?: string
      limit?: number
      status?: "pending" | "active" | "disabled"
    }
    answer: Schemas["Users"]
  }
  "POST /users": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["CreateUser"]
    answer: Schemas["InvitedUser"]
  }
  "GET /users/{user_id}": {
    path: {
      user_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["User"]
  }
  "PUT /users/{user_id}": {
    path: {
      user_id: string
    }
    query: Record<string, unknown>
    body: Schemas["UpdateUser"]
    answer: Schemas["User"]
  }
  "DELETE /users/{user_id}": {
    path: {
      user_id: string
    }
    query: Record<string, unknown>
    answer: undefined
  }
  "POST /users/{user_id}/invitations": {
    path: {
      user_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["Invitation"]
  }
  "POST /auth/setup/options": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["SetupOptions"]
    answer: Schemas["Enrolment"]
  }
  "POST /auth/setup": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["Setup"]
    answer: Schemas["SignedInSession"]
  }
  "POST /auth/invitations/options": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["InvitationOptions"]
    answer: Schemas["Enrolment"]
  }
  "POST /auth/invitations/accept": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["AcceptInvitation"]
    answer: Schemas["SignedInSession"]
  }
  "POST /auth/sessions/options": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    answer: Schemas["SignInOptions"]
  }
  "POST /auth/sessions": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["CreateSession"]
    answer: Schemas["SignedInSession"]
  }
  "DELETE /auth/sessions": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    answer: undefined
  }
  "GET /auth/sessions": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    answer: Schemas["UserSessions"]
  }
  "DELETE /auth/sessions/others": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    answer: undefined
  }
  "DELETE /auth/sessions/{user_session_id}": {
    path: {
      user_session_id: string
    }
    query: Record<string, unknown>
    answer: undefined
  }
  "POST /auth/oidc/options": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    answer: Schemas["OidcOptions"]
  }
  "POST /auth/oidc": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["CreateOidcSession"]
    answer: Schemas["SignedInSession"]
  }
  "DELETE /auth/oidc": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    answer: Schemas["OidcSignOut"]
  }
  "POST /auth/step-up/options": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    answer: Schemas["StepUpOptions"]
  }
  "POST /auth/step-up": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["CreateStepUp"]
    answer: Schemas["StepUp"]
  }
  "GET /auth/passkeys": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    answer: Schemas["Passkeys"]
  }
  "POST /auth/passkeys": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["CreatePasskey"]
    answer: Schemas["Passkey"]
  }
  "POST /auth/passkeys/options": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    answer: Schemas["PasskeyOptions"]
  }
  "PUT /auth/passkeys/{passkey_id}": {
    path: {
      passkey_id: string
    }
    query: Record<string, unknown>
    body: Schemas["UpdatePasskey"]
    answer: Schemas["Passkey"]
  }
  "DELETE /auth/passkeys/{passkey_id}": {
    path: {
      passkey_id: string
    }
    query: Record<string, unknown>
    answer: undefined
  }
  "GET /auth/password": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    answer: Schemas["PasswordState"]
  }
  "PUT /auth/password": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["SetPassword"]
    answer: Schemas["ChangedPassword"]
  }
  "DELETE /auth/password": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    answer: undefined
  }
  "POST /auth/password/options": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    answer: Schemas["PasswordOptions"]
  }
  "POST /auth/recovery-codes": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    answer: Schemas["RecoveryCodes"]
  }
  "GET /buyers": {
    path: Record<string, unknown>
    query: {
      cursor?: string
      limit?: number
      search?: string
      external_identifier?: string
    }
    answer: Schemas["Buyers"]
  }
  "POST /buyers": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["CreateBuyer"]
    answer: Schemas["Buyer"]
  }
  "GET /buyers/{buyer_id}": {
    path: {
      buyer_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["Buyer"]
  }
  "PUT /buyers/{buyer_id}": {
    path: {
      buyer_id: string
    }
    query: Record<string, unknown>
    body: Schemas["UpdateBuyer"]
    answer: Schemas["Buyer"]
  }
  "DELETE /buyers/{buyer_id}": {
    path: {
      buyer_id: string
    }
    query: Record<string, unknown>
    answer: undefined
  }
  "GET /buyers/{buyer_id}/shipping-details": {
    path: {
      buyer_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["ShippingDetailsList"]
  }
  "POST /buyers/{buyer_id}/shipping-details": {
    path: {
      buyer_id: string
    }
    query: Record<string, unknown>
    body: Schemas["CreateShippingDetails"]
    answer: Schemas["ShippingDetails"]
  }
  "GET /buyers/{buyer_id}/shipping-details/{shipping_details_id}": {
    path: {
      buyer_id: string
      shipping_details_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["ShippingDetails"]
  }
  "PUT /buyers/{buyer_id}/shipping-details/{shipping_details_id}": {
    path: {
      buyer_id: string
      shipping_details_id: string
    }
    query: Record<string, unknown>
    body: Schemas["UpdateShippingDetails"]
    answer: Schemas["ShippingDetails"]
  }
  "DELETE /buyers/{buyer_id}/shipping-details/{shipping_details_id}": {
    path: {
      buyer_id: string
      shipping_details_id: string
    }
    query: Record<string, unknown>
    answer: undefined
  }
  "GET /buyers/payment-methods": {
    path: Record<string, unknown>
    query: {
      buyer_id?: string
      buyer_external_identifier?: string
      sort_by?: "last_used_at" | "usage_count" | "cit_last_used_at" | "cit_usage_count"
      order_by?: "asc" | "desc"
      country?: string
      currency?: string
    }
    answer: Schemas["PaymentMethodSummaries"]
  }
  "GET /buyers/gift-cards": {
    path: Record<string, unknown>
    query: {
      buyer_id?: string
      buyer_external_identifier?: string
      sort_by?: "last_used_at" | "usage_count" | "cit_last_used_at" | "cit_usage_count"
      order_by?: "asc" | "desc"
    }
    answer: Schemas["GiftCardSummaries"]
  }
  "POST /buyers/{buyer_id}/erasure": {
    path: {
      buyer_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["BuyerErasure"]
  }
  "GET /buyers/{buyer_id}/erasure": {
    path: {
      buyer_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["BuyerErasure"]
  }
  "GET /buyers/{buyer_id}/export": {
    path: {
      buyer_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["BuyerExport"]
  }
  "GET /payment-methods": {
    path: Record<string, unknown>
    query: {
      cursor?: string
      limit?: number
      buyer_id?: string
      buyer_external_identifier?: string
      status?: ("processing" | "buyer_approval_required" | "succeeded" | "failed" | "paused")[]
      external_identifier?: string
      fingerprint?: string
    }
    answer: Schemas["PaymentMethods"]
  }
  "POST /payment-methods": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["CreatePaymentMethod"]
    answer: Schemas["PaymentMethod"]
  }
  "GET /payment-methods/{payment_method_id}": {
    path: {
      payment_method_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["PaymentMethod"]
  }
  "PUT /payment-methods/{payment_method_id}": {
    path: {
      payment_method_id: string
    }
    query: Record<string, unknown>
    body: Schemas["UpdatePaymentMethod"]
    answer: Schemas["PaymentMethod"]
  }
  "DELETE /payment-methods/{payment_method_id}": {
    path: {
      payment_method_id: string
    }
    query: Record<string, unknown>
    answer: undefined
  }
  "GET /payment-methods/{payment_method_id}/network-tokens": {
    path: {
      payment_method_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["NetworkTokens"]
  }
  "POST /payment-methods/{payment_method_id}/network-tokens": {
    path: {
      payment_method_id: string
    }
    query: Record<string, unknown>
    body: Schemas["CreateNetworkToken"]
    answer: Schemas["NetworkToken"]
  }
  "POST /payment-methods/{payment_method_id}/network-tokens/{network_token_id}/suspend": {
    path: {
      payment_method_id: string
      network_token_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["NetworkToken"]
  }
  "POST /payment-methods/{payment_method_id}/network-tokens/{network_token_id}/resume": {
    path: {
      payment_method_id: string
      network_token_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["NetworkToken"]
  }
  "POST /payment-methods/{payment_method_id}/network-tokens/{network_token_id}/cryptogram": {
    path: {
      payment_method_id: string
      network_token_id: string
    }
    query: Record<string, unknown>
    body: Schemas["CreateCryptogram"]
    answer: Schemas["Cryptogram"]
  }
  "DELETE /payment-methods/{payment_method_id}/network-tokens/{network_token_id}": {
    path: {
      payment_method_id: string
      network_token_id: string
    }
    query: Record<string, unknown>
    answer: undefined
  }
  "GET /payment-methods/{payment_method_id}/payment-service-tokens": {
    path: {
      payment_method_id: string
    }
    query: {
      payment_service_id?: string
    }
    answer: Schemas["PaymentServiceTokens"]
  }
  "POST /payment-methods/{payment_method_id}/payment-service-tokens": {
    path: {
      payment_method_id: string
    }
    query: Record<string, unknown>
    body: Schemas["CreatePaymentServiceToken"]
    answer: Schemas["PaymentServiceToken"]
  }
  "DELETE /payment-methods/{payment_method_id}/payment-service-tokens/{payment_service_token_id}": {
    path: {
      payment_method_id: string
      payment_service_token_id: string
    }
    query: Record<string, unknown>
    answer: undefined
  }
  "POST /account-updater/jobs": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["CreateAccountUpdaterJob"]
    answer: Schemas["AccountUpdaterJob"] | undefined
  }
  "POST /vault-forward": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Record<string, unknown>
    answer: unknown
  }
  "GET /vault-forward/endpoints": {
    path: Record<string, unknown>
    query: {
      cursor?: string
      limit?: number
    }
    answer: Schemas["VaultForwardEndpoints"]
  }
  "POST /vault-forward/endpoints": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["CreateVaultForwardEndpoint"]
    answer: Schemas["VaultForwardEndpoint"]
  }
  "DELETE /vault-forward/endpoints/{vault_forward_endpoint_id}": {
    path: {
      vault_forward_endpoint_id: string
    }
    query: Record<string, unknown>
    answer: undefined
  }
  "GET /vault-forward/authentications": {
    path: Record<string, unknown>
    query: {
      cursor?: string
      limit?: number
    }
    answer: Schemas["VaultForwardAuthentications"]
  }
  "POST /vault-forward/authentications": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["CreateVaultForwardAuthentication"]
    answer: Schemas["VaultForwardAuthentication"]
  }
  "DELETE /vault-forward/authentications/{vault_forward_authentication_id}": {
    path: {
      vault_forward_authentication_id: string
    }
    query: Record<string, unknown>
    answer: undefined
  }
  "POST /checkout/sessions": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["CreateCheckoutSession"]
    answer: Schemas["CheckoutSession"]
  }
  "GET /checkout/sessions/{session_id}": {
    path: {
      session_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["CheckoutSession"]
  }
  "PUT /checkout/sessions/{session_id}": {
    path: {
      session_id: string
    }
    query: Record<string, unknown>
    body: Schemas["UpdateCheckoutSession"]
    answer: Schemas["CheckoutSession"]
  }
  "DELETE /checkout/sessions/{session_id}": {
    path: {
      session_id: string
    }
    query: Record<string, unknown>
    answer: undefined
  }
  "PUT /checkout/sessions/{session_id}/fields": {
    path: {
      session_id: string
    }
    query: Record<string, unknown>
    body: Schemas["CheckoutSessionFields"]
    answer: undefined
  }
  "POST /checkout/sessions/{session_id}/fields": {
    path: {
      session_id: string
    }
    query: Record<string, unknown>
    body: Schemas["CheckoutSessionFields"]
    answer: undefined
  }
  "POST /checkout/sessions/{session_id}/card-details": {
    path: {
      session_id: string
    }
    query: Record<string, unknown>
    body: Schemas["CheckoutSessionCardDetailsRequest"]
    answer: Schemas["CheckoutSessionCardDetails"]
  }
  "GET /checkout/sessions/{session_id}/acquirer": {
    path: {
      session_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["CheckoutSessionAcquirer"]
  }
  "GET /checkout/sessions/{session_id}/page": {
    path: {
      session_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["CheckoutPage"]
  }
  "PUT /checkout/sessions/{session_id}/page": {
    path: {
      session_id: string
    }
    query: Record<string, unknown>
    body: Schemas["UpdateCheckoutPage"]
    answer: Schemas["CheckoutPage"]
  }
  "POST /checkout/sessions/page": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["OpenCheckoutPage"]
    answer: Schemas["CheckoutPage"]
  }
  "POST /payment-options": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["PaymentOptionRequest"]
    answer: Schemas["PaymentOptions"]
  }
  "GET /digital-wallets": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    answer: Schemas["DigitalWallets"]
  }
  "POST /digital-wallets": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["CreateDigitalWallet"]
    answer: Schemas["DigitalWallet"]
  }
  "GET /digital-wallets/{digital_wallet_id}": {
    path: {
      digital_wallet_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["DigitalWallet"]
  }
  "PUT /digital-wallets/{digital_wallet_id}": {
    path: {
      digital_wallet_id: string
    }
    query: Record<string, unknown>
    body: Schemas["UpdateDigitalWallet"]
    answer: Schemas["DigitalWallet"]
  }
  "DELETE /digital-wallets/{digital_wallet_id}": {
    path: {
      digital_wallet_id: string
    }
    query: Record<string, unknown>
    answer: undefined
  }
  "POST /digital-wallets/{digital_wallet_id}/domains": {
    path: {
      digital_wallet_id: string
    }
    query: Record<string, unknown>
    body: Schemas["RegisterDigitalWalletDomain"]
    answer: Schemas["RegisteredDigitalWalletDomain"]
  }
  "DELETE /digital-wallets/{digital_wallet_id}/domains": {
    path: {
      digital_wallet_id: string
    }
    query: Record<string, unknown>
    body: Schemas["UnregisterDigitalWalletDomain"]
    answer: undefined
  }
  "GET /digital-wallets/{digital_wallet_id}/keys": {
    path: {
      digital_wallet_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["DigitalWalletKeys"]
  }
  "POST /digital-wallets/{digital_wallet_id}/keys": {
    path: {
      digital_wallet_id: string
    }
    query: Record<string, unknown>
    body: Schemas["CreateDigitalWalletKey"]
    answer: Schemas["DigitalWalletKey"]
  }
  "PUT /digital-wallets/{digital_wallet_id}/keys/{digital_wallet_key_id}": {
    path: {
      digital_wallet_id: string
      digital_wallet_key_id: string
    }
    query: Record<string, unknown>
    body: Schemas["CertifyDigitalWalletKey"]
    answer: Schemas["DigitalWalletKey"]
  }
  "DELETE /digital-wallets/{digital_wallet_id}/keys/{digital_wallet_key_id}": {
    path: {
      digital_wallet_id: string
      digital_wallet_key_id: string
    }
    query: Record<string, unknown>
    answer: undefined
  }
  "POST /digital-wallets/google/session": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["GooglePaySessionRequest"]
    answer: Schemas["GooglePaySession"]
  }
  "POST /digital-wallets/apple/session": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["ApplePaySessionRequest"]
    answer: Schemas["ApplePaySession"]
  }
  "POST /digital-wallets/click-to-pay/session": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["ClickToPaySessionRequest"]
    answer: Schemas["ClickToPaySession"]
  }
  "POST /digital-wallets/paze/session": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["PazeSessionRequest"]
    answer: Schemas["PazeSession"]
  }
  "POST /digital-wallets/paze/session/create": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["CreatePazeSession"]
    answer: Schemas["CreatedPazeSession"]
  }
  "POST /digital-wallets/paze/session/review": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["ReviewPazeSession"]
    answer: Schemas["ReviewedPazeSession"]
  }
  "POST /digital-wallets/paze/session/complete": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["CompletePazeSession"]
    answer: Schemas["CompletedPazeSession"]
  }
  "GET /card-scheme-definitions": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    answer: Schemas["CardSchemeDefinitions"]
  }
  "GET /card-details": {
    path: Record<string, unknown>
    query: {
      currency: string
      bin?: string
      payment_method_id?: string
      country?: string
      amount?: number
      intent?: "authorize" | "capture"
      is_subsequent_payment?: boolean
      merchant_initiated?: boolean
      metadata?: string
      payment_source?: "ecommerce" | "moto" | "recurring" | "installment" | "card_on_file"
    }
    answer: Schemas["CardDetail"]
  }
  "GET /payment-method-definitions": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    answer: Schemas["PaymentMethodDefinitions"]
  }
  "GET /payment-service-definitions": {
    path: Record<string, unknown>
    query: {
      cursor?: string
      limit?: number
    }
    answer: Schemas["PaymentServiceDefinitions"]
  }
  "GET /payment-service-definitions/{payment_service_definition_id}": {
    path: {
      payment_service_definition_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["PaymentServiceDefinition"]
  }
  "POST /payment-service-definitions/{payment_service_definition_id}/sessions": {
    path: {
      payment_service_definition_id: string
    }
    query: Record<string, unknown>
    body: Schemas["CreatePaymentServiceSession"]
    answer: Schemas["PaymentServiceSession"]
  }
  "GET /payment-services": {
    path: Record<string, unknown>
    query: {
      cursor?: string
      limit?: number
      method?: "affirm" | "afterpay" | "alipay" | "alipayhk" | "applepay" | "bacs" | "bancontact" | "banked" | "becs" | "bitpay" | "boleto" | "boost" | "card" | "cashapp" | "chaseorbital" | "checkout-session" | "clearpay" | "click-to-pay" | "dana" | "dcb" | "dlocal" | "ebanx" | "efecty" | "eps" | "everydaypay" | "gcash" | "gem" | "gemds" | "gift-card" | "giropay" | "givingblock" | "gocardless" | "googlepay" | "googlepay_pan_only" | "gopay" | "grabpay" | "id" | "ideal" | "kakaopay" | "kcp" | "klarna" | "latitude" | "latitudeds" | "laybuy" | "linepay" | "linkaja" | "maybankqrpay" | "mercadopago" | "multibanco" | "multipago" | "netbanking" | "network-token" | "oney_3x" | "oney_4x" | "oney_6x" | "oney_10x" | "oney_12x" | "ovo" | "oxxo" | "payid" | "paymaya" | "paypal" | "paypalpaylater" | "payto" | "venmo" | "pix" | "pse" | "rabbitlinepay" | "razorpay" | "scalapay" | "sepa" | "shopeepay" | "singteldash" | "smartpay" | "sofort" | "spei" | "stripedd" | "thaiqr" | "touchngo" | "truemoney" | "trustly" | "trustlyeurope" | "upi" | "vipps" | "waave" | "webpay" | "wechat" | "zippay" | "abitab" | "ach" | "alma" | "arcuspaynetwork" | "autogiro" | "bancomatpay" | "banktransfer" | "bcp" | "becsnz" | "belfius" | "betalingsservice" | "billie" | "bizum" | "blik" | "breb" | "capitec" | "cashappafterpay" | "custom_push" | "custom_redirect" | "custom_tokenize" | "eckoh" | "in3" | "interac" | "kbc" | "khipu" | "konbini" | "mbway" | "mobilepay" | "mybank" | "nequi" | "nupay" | "onelink" | "onlinebankingcz" | "p24" | "pad" | "pagoefectivo" | "paybybank" | "paypay" | "paysafecard" | "paysquad" | "payvalida" | "picpay" | "rapipago" | "redpagos" | "riverty" | "satispay" | "servipag" | "seveneleven" | "stitch" | "stripe" | "stripetoken" | "swish" | "tapi" | "tapifintechs" | "twint" | "wero" | "yape" | "bank" | "paze" | "plaid"
      deleted?: boolean
    }
    answer: Schemas["PaymentServices"]
  }
  "POST /payment-services": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["CreatePaymentService"]
    answer: Schemas["PaymentService"]
  }
  "POST /payment-services/verify": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["VerifyCredentials"]
    answer: Schemas["VerifiedCredentials"]
  }
  "GET /payment-services/{payment_service_id}": {
    path: {
      payment_service_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["PaymentService"]
  }
  "PUT /payment-services/{payment_service_id}": {
    path: {
      payment_service_id: string
    }
    query: Record<string, unknown>
    body: Schemas["UpdatePaymentService"]
    answer: Schemas["PaymentService"]
  }
  "DELETE /payment-services/{payment_service_id}": {
    path: {
      payment_service_id: string
    }
    query: Record<string, unknown>
    answer: undefined
  }
  "POST /payment-services/{payment_service_id}/notifications": {
    path: {
      payment_service_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["PaymentService"]
  }
  "GET /payment-services/{payment_service_id}/notifications": {
    path: {
      payment_service_id: string
    }
    query: {
      cursor?: string
      limit?: number
      status?: "held" | "matched" | "expired"
    }
    answer: Schemas["PaymentServiceNotifications"]
  }
  "POST /payment-services/{payment_service_id}/sessions": {
    path: {
      payment_service_id: string
    }
    query: Record<string, unknown>
    body: Schemas["CreatePaymentServiceSession"]
    answer: Schemas["PaymentServiceSession"]
  }
  "GET /anti-fraud-service-definitions": {
    path: Record<string, unknown>
    query: {
      cursor?: string
      limit?: number
    }
    answer: Schemas["AntiFraudServiceDefinitions"]
  }
  "GET /anti-fraud-service-definitions/{anti_fraud_service_definition_id}": {
    path: {
      anti_fraud_service_definition_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["AntiFraudServiceDefinition"]
  }
  "GET /anti-fraud-services": {
    path: Record<string, unknown>
    query: {
      cursor?: string
      limit?: number
    }
    answer: Schemas["AntiFraudServices"]
  }
  "POST /anti-fraud-services": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["CreateAntiFraudService"]
    answer: Schemas["AntiFraudService"]
  }
  "GET /anti-fraud-services/{anti_fraud_service_id}": {
    path: {
      anti_fraud_service_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["AntiFraudService"]
  }
  "PUT /anti-fraud-services/{anti_fraud_service_id}": {
    path: {
      anti_fraud_service_id: string
    }
    query: Record<string, unknown>
    body: Schemas["UpdateAntiFraudService"]
    answer: Schemas["AntiFraudService"]
  }
  "DELETE /anti-fraud-services/{anti_fraud_service_id}": {
    path: {
      anti_fraud_service_id: string
    }
    query: Record<string, unknown>
    answer: undefined
  }
  "GET /account-updater-service-definitions": {
    path: Record<string, unknown>
    query: {
      cursor?: string
      limit?: number
    }
    answer: Schemas["AccountUpdaterServiceDefinitions"]
  }
  "GET /account-updater-service-definitions/{account_updater_service_definition_id}": {
    path: {
      account_updater_service_definition_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["AccountUpdaterServiceDefinition"]
  }
  "GET /account-updater-services": {
    path: Record<string, unknown>
    query: {
      cursor?: string
      limit?: number
    }
    answer: Schemas["AccountUpdaterServices"]
  }
  "POST /account-updater-services": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["CreateAccountUpdaterService"]
    answer: Schemas["AccountUpdaterService"]
  }
  "GET /account-updater-services/{account_updater_service_id}": {
    path: {
      account_updater_service_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["AccountUpdaterService"]
  }
  "PUT /account-updater-services/{account_updater_service_id}": {
    path: {
      account_updater_service_id: string
    }
    query: Record<string, unknown>
    body: Schemas["UpdateAccountUpdaterService"]
    answer: Schemas["AccountUpdaterService"]
  }
  "DELETE /account-updater-services/{account_updater_service_id}": {
    path: {
      account_updater_service_id: string
    }
    query: Record<string, unknown>
    answer: undefined
  }
  "GET /network-token-service-definitions": {
    path: Record<string, unknown>
    query: {
      cursor?: string
      limit?: number
    }
    answer: Schemas["NetworkTokenServiceDefinitions"]
  }
  "GET /network-token-service-definitions/{network_token_service_definition_id}": {
    path: {
      network_token_service_definition_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["NetworkTokenServiceDefinition"]
  }
  "GET /network-token-services": {
    path: Record<string, unknown>
    query: {
      cursor?: string
      limit?: number
    }
    answer: Schemas["NetworkTokenServices"]
  }
  "POST /network-token-services": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["CreateNetworkTokenService"]
    answer: Schemas["NetworkTokenService"]
  }
  "GET /network-token-services/{network_token_service_id}": {
    path: {
      network_token_service_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["NetworkTokenService"]
  }
  "PUT /network-token-services/{network_token_service_id}": {
    path: {
      network_token_service_id: string
    }
    query: Record<string, unknown>
    body: Schemas["UpdateNetworkTokenService"]
    answer: Schemas["NetworkTokenService"]
  }
  "DELETE /network-token-services/{network_token_service_id}": {
    path: {
      network_token_service_id: string
    }
    query: Record<string, unknown>
    answer: undefined
  }
  "GET /three-ds-service-definitions": {
    path: Record<string, unknown>
    query: {
      cursor?: string
      limit?: number
    }
    answer: Schemas["ThreeDSServiceDefinitions"]
  }
  "GET /three-ds-service-definitions/{three_ds_service_definition_id}": {
    path: {
      three_ds_service_definition_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["ThreeDSServiceDefinition"]
  }
  "GET /three-ds-services": {
    path: Record<string, unknown>
    query: {
      cursor?: string
      limit?: number
    }
    answer: Schemas["ThreeDSServices"]
  }
  "POST /three-ds-services": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["CreateThreeDSService"]
    answer: Schemas["ThreeDSService"]
  }
  "GET /three-ds-services/{three_ds_service_id}": {
    path: {
      three_ds_service_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["ThreeDSService"]
  }
  "PUT /three-ds-services/{three_ds_service_id}": {
    path: {
      three_ds_service_id: string
    }
    query: Record<string, unknown>
    body: Schemas["UpdateThreeDSService"]
    answer: Schemas["ThreeDSService"]
  }
  "DELETE /three-ds-services/{three_ds_service_id}": {
    path: {
      three_ds_service_id: string
    }
    query: Record<string, unknown>
    answer: undefined
  }
  "GET /gift-card-service-definitions": {
    path: Record<string, unknown>
    query: {
      cursor?: string
      limit?: number
    }
    answer: Schemas["GiftCardServiceDefinitions"]
  }
  "GET /gift-card-service-definitions/{gift_card_service_definition_id}": {
    path: {
      gift_card_service_definition_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["GiftCardServiceDefinition"]
  }
  "GET /gift-card-services": {
    path: Record<string, unknown>
    query: {
      cursor?: string
      limit?: number
    }
    answer: Schemas["GiftCardServices"]
  }
  "POST /gift-card-services": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["CreateGiftCardService"]
    answer: Schemas["GiftCardService"]
  }
  "GET /gift-card-services/{gift_card_service_id}": {
    path: {
      gift_card_service_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["GiftCardService"]
  }
  "PUT /gift-card-services/{gift_card_service_id}": {
    path: {
      gift_card_service_id: string
    }
    query: Record<string, unknown>
    body: Schemas["UpdateGiftCardService"]
    answer: Schemas["GiftCardService"]
  }
  "DELETE /gift-card-services/{gift_card_service_id}": {
    path: {
      gift_card_service_id: string
    }
    query: Record<string, unknown>
    answer: undefined
  }
  "GET /gift-cards": {
    path: Record<string, unknown>
    query: {
      cursor?: string
      limit?: number
      buyer_id?: string
      buyer_external_identifier?: string
    }
    answer: Schemas["GiftCards"]
  }
  "POST /gift-cards": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["CreateGiftCard"]
    answer: Schemas["GiftCard"]
  }
  "GET /gift-cards/{gift_card_id}": {
    path: {
      gift_card_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["GiftCard"]
  }
  "DELETE /gift-cards/{gift_card_id}": {
    path: {
      gift_card_id: string
    }
    query: Record<string, unknown>
    answer: undefined
  }
  "POST /gift-cards/balances": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["GiftCardBalanceRequest"]
    answer: Schemas["GiftCardSummaries"]
  }
  "POST /gift-cards/activations": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["ActivateGiftCard"]
    answer: Schemas["GiftCard"]
  }
  "POST /gift-cards/issuances": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["IssueGiftCard"]
    answer: Schemas["GiftCardIssuance"]
  }
  "GET /flows/versions": {
    path: Record<string, unknown>
    query: {
      cursor?: string
      limit?: number
      number?: number
    }
    answer: Schemas["FlowVersions"]
  }
  "POST /flows/versions": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["FlowVersionCreate"]
    answer: Schemas["FlowVersion"]
  }
  "GET /flows/versions/{flow_version_id}": {
    path: {
      flow_version_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["FlowVersion"]
  }
  "POST /flows/dry-run": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["FlowDryRunCreate"]
    answer: Schemas["FlowDryRun"]
  }
  "GET /flows/retry-policy": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    answer: Schemas["RetryPolicy"]
  }
  "PUT /flows/retry-policy": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["RetryPolicyUpdate"]
    answer: Schemas["RetryPolicy"]
  }
  "GET /flows/health": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    answer: Schemas["FlowHealth"]
  }
  "POST /flows/back-tests": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["FlowBackTestCreate"]
    answer: Schemas["FlowBackTest"]
  }
  "GET /flows/back-tests": {
    path: Record<string, unknown>
    query: {
      cursor?: string
      limit?: number
    }
    answer: Schemas["FlowBackTests"]
  }
  "GET /flows/back-tests/{flow_back_test_id}": {
    path: {
      flow_back_test_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["FlowBackTest"]
  }
  "GET /flows/{flow}": {
    path: {
      flow: "checkout" | "card-transaction" | "non-card-transaction" | "redirect-transaction"
    }
    query: Record<string, unknown>
    answer: Schemas["FlowRules"]
  }
  "GET /flows/{flow}/actions/{action}/rules/{rule_id}": {
    path: {
      flow: "checkout" | "card-transaction" | "non-card-transaction" | "redirect-transaction"
      action: "select-payment-options" | "decline-early" | "skip-3ds" | "route-transaction"
      rule_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["FlowRule"]
  }
  "PUT /flows/{flow}/actions/{action}/rules/{rule_id}": {
    path: {
      flow: "checkout" | "card-transaction" | "non-card-transaction" | "redirect-transaction"
      action: "select-payment-options" | "decline-early" | "skip-3ds" | "route-transaction"
      rule_id: string
    }
    query: Record<string, unknown>
    body: Schemas["FlowRuleUpdate"]
    answer: Schemas["FlowRule"]
  }
  "DELETE /flows/{flow}/actions/{action}/rules/{rule_id}": {
    path: {
      flow: "checkout" | "card-transaction" | "non-card-transaction" | "redirect-transaction"
      action: "select-payment-options" | "decline-early" | "skip-3ds" | "route-transaction"
      rule_id: string
    }
    query: Record<string, unknown>
    answer: undefined
  }
  "GET /flows/{flow}/actions/{action}/outcomes": {
    path: {
      flow: "checkout" | "card-transaction" | "non-card-transaction" | "redirect-transaction"
      action: "select-payment-options" | "decline-early" | "skip-3ds" | "route-transaction"
    }
    query: {
      locale?: string
    }
    answer: Schemas["FlowOutcomeOptions"]
  }
  "POST /flows/{flow}/actions/{action}/rules": {
    path: {
      flow: "checkout" | "card-transaction" | "non-card-transaction" | "redirect-transaction"
      action: "select-payment-options" | "decline-early" | "skip-3ds" | "route-transaction"
    }
    query: Record<string, unknown>
    body: Schemas["FlowRuleCreate"]
    answer: Schemas["FlowRule"]
  }
  "GET /transactions": {
    path: Record<string, unknown>
    query: {
      cursor?: string
      limit?: number
      created_at_lte?: string
      created_at_gte?: string
      updated_at_lte?: string
      updated_at_gte?: string
      buyer_id?: string
      buyer_external_identifier?: string
      buyer_email_address?: string
      buyer_search?: string[]
      ip_address?: string
      id?: string
      search?: string
      external_identifier?: string
      external_identifier_contains?: string
      reconciliation_id?: string
      metadata?: string[]
      checkout_session_id?: string
      payment_link_id?: string
      reauthorized_from_transaction_id?: string
      amount_eq?: number
      amount_lte?: number
      amount_gte?: number
      currency?: string[]
      country?: string[]
      method?: ("affirm" | "afterpay" | "alipay" | "alipayhk" | "applepay" | "bacs" | "bancontact" | "banked" | "becs" | "bitpay" | "boleto" | "boost" | "card" | "cashapp" | "chaseorbital" | "checkout-session" | "clearpay" | "click-to-pay" | "dana" | "dcb" | "dlocal" | "ebanx" | "efecty" | "eps" | "everydaypay" | "gcash" | "gem" | "gemds" | "gift-card" | "giropay" | "givingblock" | "gocardless" | "googlepay" | "googlepay_pan_only" | "gopay" | "grabpay" | "id" | "ideal" | "kakaopay" | "kcp" | "klarna" | "latitude" | "latitudeds" | "laybuy" | "linepay" | "linkaja" | "maybankqrpay" | "mercadopago" | "multibanco" | "multipago" | "netbanking" | "network-token" | "oney_3x" | "oney_4x" | "oney_6x" | "oney_10x" | "oney_12x" | "ovo" | "oxxo" | "payid" | "paymaya" | "paypal" | "paypalpaylater" | "payto" | "venmo" | "pix" | "pse" | "rabbitlinepay" | "razorpay" | "scalapay" | "sepa" | "shopeepay" | "singteldash" | "smartpay" | "sofort" | "spei" | "stripedd" | "thaiqr" | "touchngo" | "truemoney" | "trustly" | "trustlyeurope" | "upi" | "vipps" | "waave" | "webpay" | "wechat" | "zippay" | "abitab" | "ach" | "alma" | "arcuspaynetwork" | "autogiro" | "bancomatpay" | "banktransfer" | "bcp" | "becsnz" | "belfius" | "betalingsservice" | "billie" | "bizum" | "blik" | "breb" | "capitec" | "cashappafterpay" | "custom_push" | "custom_redirect" | "custom_tokenize" | "eckoh" | "in3" | "interac" | "kbc" | "khipu" | "konbini" | "mbway" | "mobilepay" | "mybank" | "nequi" | "nupay" | "onelink" | "onlinebankingcz" | "p24" | "pad" | "pagoefectivo" | "paybybank" | "paypay" | "paysafecard" | "paysquad" | "payvalida" | "picpay" | "rapipago" | "redpagos" | "riverty" | "satispay" | "servipag" | "seveneleven" | "stitch" | "stripe" | "stripetoken" | "swish" | "tapi" | "tapifintechs" | "twint" | "wero" | "yape" | "bank" | "paze" | "plaid")[]
      payment_method_id?: string
      payment_method_label?: string
      payment_method_scheme?: string[]
      payment_method_country?: string
      payment_method_fingerprint?: string
      payment_method_bin?: string
      payment_service_id?: string[]
      payment_service_transaction_id?: string
      payment_source?: ("ecommerce" | "moto" | "recurring" | "installment" | "card_on_file")[]
      is_subsequent_payment?: boolean
      merchant_initiated?: boolean
      used_3ds?: boolean
      has_gift_card_redemptions?: boolean
      gift_card_id?: string
      gift_card_last4?: string
      status?: ("processing" | "buyer_approval_pending" | "authorization_succeeded" | "authorization_failed" | "authorization_declined" | "capture_pending" | "capture_succeeded" | "authorization_void_pending" | "authorization_voided")[]
      error_code?: string[]
      pending_review?: boolean
      has_refunds?: boolean
      has_settlements?: boolean
      disputed?: boolean
    }
    answer: Schemas["Transactions"]
  }
  "POST /transactions": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["TransactionCreate"]
    answer: Schemas["Transaction"]
  }
  "GET /transactions/{transaction_id}": {
    path: {
      transaction_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["Transaction"]
  }
  "PUT /transactions/{transaction_id}": {
    path: {
      transaction_id: string
    }
    query: Record<string, unknown>
    body: Schemas["TransactionUpdate"]
    answer: Schemas["Transaction"]
  }
  "POST /transactions/{transaction_id}/capture": {
    path: {
      transaction_id: string
    }
    query: Record<string, unknown>
    body: Schemas["TransactionCaptureCreate"]
    answer: Schemas["Transaction"] | Schemas["TransactionCapture"]
  }
  "POST /transactions/{transaction_id}/void": {
    path: {
      transaction_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["Transaction"] | Schemas["TransactionVoid"]
  }
  "POST /transactions/{transaction_id}/authorization/increment": {
    path: {
      transaction_id: string
    }
    query: Record<string, unknown>
    body: Schemas["TransactionAuthorizationIncrementCreate"]
    answer: Schemas["TransactionAuthorizationIncrement"]
  }
  "POST /transactions/{transaction_id}/cancel": {
    path: {
      transaction_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["TransactionCancel"]
  }
  "POST /transactions/{transaction_id}/review": {
    path: {
      transaction_id: string
    }
    query: Record<string, unknown>
    body: Schemas["TransactionReviewCreate"]
    answer: Schemas["Transaction"]
  }
  "POST /transactions/{transaction_id}/sync": {
    path: {
      transaction_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["Transaction"]
  }
  "GET /transactions/{transaction_id}/captures": {
    path: {
      transaction_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["Captures"]
  }
  "GET /transactions/{transaction_id}/captures/{capture_id}": {
    path: {
      transaction_id: string
      capture_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["Capture"]
  }
  "GET /transactions/{transaction_id}/refunds": {
    path: {
      transaction_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["Refunds"]
  }
  "POST /transactions/{transaction_id}/refunds": {
    path: {
      transaction_id: string
    }
    query: Record<string, unknown>
    body: Schemas["RefundCreate"]
    answer: Schemas["Refund"]
  }
  "GET /transactions/{transaction_id}/refunds/{refund_id}": {
    path: {
      transaction_id: string
      refund_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["Refund"]
  }
  "POST /transactions/{transaction_id}/refunds/all": {
    path: {
      transaction_id: string
    }
    query: Record<string, unknown>
    body: Schemas["RefundAllCreate"]
    answer: Schemas["Refunds"]
  }
  "GET /transactions/{transaction_id}/events": {
    path: {
      transaction_id: string
    }
    query: {
      cursor?: string
      limit?: number
    }
    answer: Schemas["TransactionEvents"]
  }
  "GET /transactions/{transaction_id}/attempts": {
    path: {
      transaction_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["TransactionAttempts"]
  }
  "GET /transactions/{transaction_id}/exchanges": {
    path: {
      transaction_id: string
    }
    query: {
      cursor?: string
      limit?: number
    }
    answer: Schemas["TransactionExchanges"]
  }
  "GET /transactions/{transaction_id}/actions": {
    path: {
      transaction_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["TransactionActions"]
  }
  "GET /transactions/{transaction_id}/decision": {
    path: {
      transaction_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["TransactionDecision"]
  }
  "POST /transactions/{transaction_id}/session": {
    path: {
      transaction_id: string
    }
    query: {
      token?: string
    }
    body: Schemas["UpdateTransactionSession"]
    answer: Schemas["TransactionSession"]
  }
  "GET /transactions/{transaction_id}/settlements": {
    path: {
      transaction_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["Settlements"]
  }
  "GET /transactions/{transaction_id}/settlements/{settlement_id}": {
    path: {
      transaction_id: string
      settlement_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["Settlement"]
  }
  "GET /transactions/{transaction_id}/refund-settlements": {
    path: {
      transaction_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["RefundSettlements"]
  }
  "GET /transactions/{transaction_id}/refund-settlements/{settlement_id}": {
    path: {
      transaction_id: string
      settlement_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["RefundSettlement"]
  }
  "GET /transactions/{transaction_id}/chargebacks": {
    path: {
      transaction_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["Chargebacks"]
  }
  "GET /transactions/{transaction_id}/chargeback-reversals": {
    path: {
      transaction_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["ChargebackReversals"]
  }
  "GET /refunds": {
    path: Record<string, unknown>
    query: {
      cursor?: string
      limit?: number
      created_at_lte?: string
      created_at_gte?: string
      status?: ("processing" | "succeeded" | "failed" | "declined" | "voided")[]
      transaction_id?: string
      external_identifier?: string
      currency?: string[]
    }
    answer: Schemas["Refunds"]
  }
  "GET /refunds/{refund_id}": {
    path: {
      refund_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["Refund"]
  }
  "GET /chargebacks": {
    path: Record<string, unknown>
    query: {
      cursor?: string
      limit?: number
      status?: "returned" | "answered" | "expired" | "open"
      transaction_id?: string
      posted_at_gte?: string
      posted_at_lte?: string
    }
    answer: Schemas["ChargebackCases"]
  }
  "GET /chargebacks/{chargeback_id}": {
    path: {
      chargeback_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["ChargebackCase"]
  }
  "PUT /chargebacks/{chargeback_id}/answer": {
    path: {
      chargeback_id: string
    }
    query: Record<string, unknown>
    body: Schemas["ChargebackAnswer"]
    answer: Schemas["ChargebackCase"]
  }
  "DELETE /chargebacks/{chargeback_id}/answer": {
    path: {
      chargeback_id: string
    }
    query: Record<string, unknown>
    answer: undefined
  }
  "GET /disputes": {
    path: Record<string, unknown>
    query: {
      cursor?: string
      limit?: number
      stage?: "inquiry" | "early_fraud_warning" | "notification" | "chargeback" | "second_chargeback" | "arbitration" | "won" | "lost" | "expired"
      transaction_id?: string
    }
    answer: Schemas["Disputes"]
  }
  "GET /disputes/{dispute_id}": {
    path: {
      dispute_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["Dispute"]
  }
  "GET /disputes/{dispute_id}/evidence-fields": {
    path: {
      dispute_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["DisputeEvidenceFields"]
  }
  "POST /disputes/{dispute_id}/accept": {
    path: {
      dispute_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["Dispute"]
  }
  "POST /disputes/{dispute_id}/evidence": {
    path: {
      dispute_id: string
    }
    query: Record<string, unknown>
    body: Schemas["DisputeEvidence"]
    answer: Schemas["Dispute"]
  }
  "GET /payment-service-reports/feeds": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    answer: Schemas["PaymentServiceReportFeeds"]
  }
  "GET /payment-service-reports/totals": {
    path: Record<string, unknown>
    query: {
      unit?: "day" | "week" | "month"
      from?: string
      to?: string
      payment_service_id?: string
      currency?: string
    }
    answer: Schemas["SettlementTotals"]
  }
  "GET /payment-service-reports": {
    path: Record<string, unknown>
    query: {
      cursor?: string
      limit?: number
      payment_service_id?: string
      status?: "applying" | "applied" | "refused" | "abandoned"
    }
    answer: Schemas["PaymentServiceReports"]
  }
  "GET /payment-service-reports/{payment_service_report_id}": {
    path: {
      payment_service_report_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["PaymentServiceReport"]
  }
  "GET /payment-service-reports/{payment_service_report_id}/lines": {
    path: {
      payment_service_report_id: string
    }
    query: {
      cursor?: string
      limit?: number
      matched?: boolean
      flagged?: boolean
    }
    answer: Schemas["PaymentServiceReportLines"]
  }
  "GET /payouts": {
    path: Record<string, unknown>
    query: {
      cursor?: string
      limit?: number
      created_at_lte?: string
      created_at_gte?: string
      updated_at_lte?: string
      updated_at_gte?: string
      external_identifier?: string
      payment_service_payout_id?: string
      status?: ("pending" | "succeeded" | "declined" | "failed")[]
    }
    answer: Schemas["Payouts"]
  }
  "POST /payouts": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["PayoutCreate"]
    answer: Schemas["Payout"]
  }
  "GET /payouts/{payout_id}": {
    path: {
      payout_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["Payout"]
  }
  "GET /payment-links": {
    path: Record<string, unknown>
    query: {
      cursor?: string
      limit?: number
      created_at_lte?: string
      created_at_gte?: string
      updated_at_lte?: string
      updated_at_gte?: string
      currency?: string[]
      amount_eq?: number
      amount_gte?: number
      amount_lte?: number
      status?: ("active" | "completed" | "expired" | "processing")[]
      buyer_search?: string[]
    }
    answer: Schemas["PaymentLinks"]
  }
  "POST /payment-links": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["PaymentLinkCreate"]
    answer: Schemas["PaymentLink"]
  }
  "GET /payment-links/{payment_link_id}": {
    path: {
      payment_link_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["PaymentLink"]
  }
  "POST /payment-links/{payment_link_id}/expire": {
    path: {
      payment_link_id: string
    }
    query: Record<string, unknown>
    answer: undefined
  }
  "GET /three-ds-scenarios": {
    path: Record<string, unknown>
    query: {
      cursor?: string
      limit?: number
    }
    answer: Schemas["ThreeDSScenarios"]
  }
  "POST /three-ds-scenarios": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["CreateThreeDSScenario"]
    answer: Schemas["ThreeDSScenario"]
  }
  "PUT /three-ds-scenarios/{three_ds_scenario_id}": {
    path: {
      three_ds_scenario_id: string
    }
    query: Record<string, unknown>
    body: Schemas["UpdateThreeDSScenario"]
    answer: Schemas["ThreeDSScenario"]
  }
  "DELETE /three-ds-scenarios/{three_ds_scenario_id}": {
    path: {
      three_ds_scenario_id: string
    }
    query: Record<string, unknown>
    answer: undefined
  }
  "GET /monitoring/metrics": {
    path: Record<string, unknown>
    query: {
      cursor?: string
      limit?: number
      samples_timestamp_interval: string
      search?: string
    }
    answer: Schemas["MonitoringMetrics"]
  }
  "POST /monitoring/metrics": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["MonitoringMetricCreate"]
    answer: Schemas["MonitoringMetric"]
  }
  "GET /monitoring/metrics/{metric_id}": {
    path: {
      metric_id: string
    }
    query: {
      samples_timestamp_interval?: string
    }
    answer: Schemas["MonitoringMetric"]
  }
  "PUT /monitoring/metrics/{metric_id}": {
    path: {
      metric_id: string
    }
    query: Record<string, unknown>
    body: Schemas["MonitoringMetricUpdate"]
    answer: Schemas["MonitoringMetric"]
  }
  "DELETE /monitoring/metrics/{metric_id}": {
    path: {
      metric_id: string
    }
    query: Record<string, unknown>
    answer: undefined
  }
  "GET /monitoring/incidents": {
    path: Record<string, unknown>
    query: {
      cursor?: string
      limit?: number
      timestamp_interval?: string
    }
    answer: Schemas["MonitoringIncidents"]
  }
  "GET /monitoring/incidents/{incident_id}": {
    path: {
      incident_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["MonitoringIncident"]
  }
  "PUT /monitoring/incidents/{incident_id}": {
    path: {
      incident_id: string
    }
    query: Record<string, unknown>
    body: Schemas["MonitoringIncidentUpdate"]
    answer: Schemas["MonitoringIncident"]
  }
  "GET /monitoring/metrics/{metric_id}/incidents": {
    path: {
      metric_id: string
    }
    query: {
      cursor?: string
      limit?: number
      timestamp_interval?: string
    }
    answer: Schemas["MonitoringIncidents"]
  }
  "GET /reports": {
    path: Record<string, unknown>
    query: {
      cursor?: string
      limit?: number
      schedule?: ("daily" | "monthly" | "once" | "weekly")[]
      schedule_enabled?: boolean
      name?: string
    }
    answer: Schemas["Reports"]
  }
  "POST /reports": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["ReportCreate"]
    answer: Schemas["Report"]
  }
  "GET /reports/{report_id}": {
    path: {
      report_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["Report"]
  }
  "PUT /reports/{report_id}": {
    path: {
      report_id: string
    }
    query: Record<string, unknown>
    body: Schemas["ReportUpdate"]
    answer: Schemas["Report"]
  }
  "GET /reports/{report_id}/executions": {
    path: {
      report_id: string
    }
    query: {
      cursor?: string
      limit?: number
    }
    answer: Schemas["ReportExecutions"]
  }
  "POST /reports/{report_id}/executions/{report_execution_id}/url": {
    path: {
      report_id: string
      report_execution_id: string
    }
    query: Record<string, unknown>
    body: Schemas["ReportExecutionUrlGenerate"]
    answer: Schemas["ReportExecutionUrl"]
  }
  "GET /report-executions": {
    path: Record<string, unknown>
    query: {
      cursor?: string
      limit?: number
      report_name?: string
      created_at_lte?: string
      created_at_gte?: string
      status?: ("dispatched" | "failed" | "pending" | "processing" | "succeeded")[]
      creator_id?: string[]
    }
    answer: Schemas["ReportExecutions"]
  }
  "GET /report-executions/{report_execution_id}": {
    path: {
      report_execution_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["ReportExecution"]
  }
  "GET /attention": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    answer: Schemas["Attention"]
  }
  "GET /events": {
    path: Record<string, unknown>
    query: {
      cursor?: string
      limit?: number
      name?: "api-key-pair.created" | "api-key-pair.updated" | "api-key-pair.deleted" | "buyer.created" | "buyer.updated" | "buyer.deleted" | "buyer.erased" | "shipping-details.created" | "shipping-details.updated" | "shipping-details.deleted" | "payment-method.updated" | "payment-method.deleted" | "transaction.authentication-pending" | "transaction.authenticated" | "transaction.authorized" | "transaction.declined" | "transaction.failed" | "transaction.capture-pending" | "transaction.captured" | "transaction.capture-failed" | "transaction.void-pending" | "transaction.voided" | "transaction.void-declined" | "transaction.void-failed" | "transaction.settled" | "transaction.charged-back" | "transaction.chargeback-reversed" | "transaction.modified" | "transaction.review-accepted" | "capture.pending" | "capture.succeeded" | "capture.declined" | "capture.failed" | "refund.pending" | "refund.succeeded" | "refund.declined" | "refund.failed" | "refund.settled" | "dispute.opened" | "dispute.updated" | "dispute.deadline-near" | "dispute.closed" | "payout.pending" | "payout.succeeded" | "payout.declined" | "payout.failed" | "gift-card.created" | "gift-card.deleted" | "payment-link.created" | "payment-link.updated" | "monitoring.incident.created" | "monitoring.incident.closed" | "report-execution.succeeded" | "report-execution.failed" | "page-check.failed" | "webhook-subscription.test"
      target_id?: string
      created_at_gte?: string
      created_at_lte?: string
    }
    answer: Schemas["Events"]
  }
  "GET /events/{event_id}": {
    path: {
      event_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["Event"]
  }
  "GET /webhook-subscriptions": {
    path: Record<string, unknown>
    query: {
      cursor?: string
      limit?: number
    }
    answer: Schemas["WebhookSubscriptions"]
  }
  "POST /webhook-subscriptions": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["CreateWebhookSubscription"]
    answer: Schemas["WebhookSubscription"]
  }
  "GET /webhook-subscriptions/{subscription_id}": {
    path: {
      subscription_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["WebhookSubscription"]
  }
  "PUT /webhook-subscriptions/{subscription_id}": {
    path: {
      subscription_id: string
    }
    query: Record<string, unknown>
    body: Schemas["UpdateWebhookSubscription"]
    answer: Schemas["WebhookSubscription"]
  }
  "DELETE /webhook-subscriptions/{subscription_id}": {
    path: {
      subscription_id: string
    }
    query: Record<string, unknown>
    answer: undefined
  }
  "POST /webhook-subscriptions/{subscription_id}/rotate-secret": {
    path: {
      subscription_id: string
    }
    query: Record<string, unknown>
    body: Schemas["RotateWebhookSecret"]
    answer: Schemas["WebhookSubscription"]
  }
  "POST /webhook-subscriptions/{subscription_id}/test": {
    path: {
      subscription_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["WebhookDelivery"]
  }
  "POST /webhook-subscriptions/{subscription_id}/replay": {
    path: {
      subscription_id: string
    }
    query: Record<string, unknown>
    body: Schemas["ReplayWebhooks"]
    answer: Schemas["WebhookReplay"]
  }
  "GET /webhook-subscriptions/{subscription_id}/deliveries": {
    path: {
      subscription_id: string
    }
    query: {
      cursor?: string
      limit?: number
      status?: "waiting" | "delivered" | "parked"
      event_id?: string[]
    }
    answer: Schemas["WebhookDeliveries"]
  }
  "GET /webhook-subscriptions/{subscription_id}/deliveries/{delivery_id}": {
    path: {
      subscription_id: string
      delivery_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["WebhookDelivery"]
  }
  "GET /webhook-subscriptions/{subscription_id}/deliveries/{delivery_id}/attempts": {
    path: {
      subscription_id: string
      delivery_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["WebhookAttempts"]
  }
  "POST /webhook-subscriptions/{subscription_id}/deliveries/{delivery_id}/replay": {
    path: {
      subscription_id: string
      delivery_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["WebhookDelivery"]
  }
  "GET /metrics-explorer/{source}/metrics/{metric}/totals": {
    path: {
      source: "authentication" | "authorization" | "monitoring"
      metric: "volume" | "transactions" | "auth_rate"
    }
    query: {
      datetime_range: string
      timezone?: string
      authentication_outcome?: string[]
      authorized?: string[]
      country?: string[]
      currency?: string[]
      error_code?: string[]
      instrument_type?: string[]
      is_subsequent_payment?: string[]
      liability_shifted?: string[]
      merchant_initiated?: string[]
      metadata?: string[]
      method?: string[]
      payment_method_bin?: string[]
      payment_method_card_issuer_name?: string[]
      payment_method_card_type?: string[]
      payment_method_country?: string[]
      payment_method_scheme?: string[]
      payment_service_id?: string[]
      payment_source?: string[]
      raw_response_code?: string[]
      rule_id_route_transaction?: string[]
      rule_id_skip_3ds?: string[]
      rule_variant_id?: string[]
      three_d_secure_auth_resp?: string[]
      three_d_secure_eci?: string[]
      three_d_secure_method?: string[]
      exclude_previous?: boolean
    }
    answer: Schemas["MetricsExplorerTotalResponse"]
  }
  "GET /metrics-explorer/{source}/metrics/{metric}/modules/{module}": {
    path: {
      source: "authentication" | "authorization" | "monitoring"
      metric: "volume" | "transactions" | "auth_rate"
      module: "authentication_outcome" | "authorized" | "country" | "currency" | "error_code" | "instrument_type" | "is_subsequent_payment" | "liability_shifted" | "merchant_initiated" | "metadata" | "method" | "payment_method_bin" | "payment_method_card_issuer_name" | "payment_method_card_type" | "payment_method_country" | "payment_method_scheme" | "payment_service" | "payment_source" | "raw_response_code" | "rule_route_transaction" | "rule_skip_3ds" | "rule_variant_id" | "three_d_secure_auth_resp" | "three_d_secure_eci" | "three_d_secure_method"
    }
    query: {
      datetime_range: string
      timezone?: string
      authentication_outcome?: string[]
      authorized?: string[]
      country?: string[]
      currency?: string[]
      error_code?: string[]
      instrument_type?: string[]
      is_subsequent_payment?: string[]
      liability_shifted?: string[]
      merchant_initiated?: string[]
      metadata?: string[]
      method?: string[]
      payment_method_bin?: string[]
      payment_method_card_issuer_name?: string[]
      payment_method_card_type?: string[]
      payment_method_country?: string[]
      payment_method_scheme?: string[]
      payment_service_id?: string[]
      payment_source?: string[]
      raw_response_code?: string[]
      rule_id_route_transaction?: string[]
      rule_id_skip_3ds?: string[]
      rule_variant_id?: string[]
      three_d_secure_auth_resp?: string[]
      three_d_secure_eci?: string[]
      three_d_secure_method?: string[]
    }
    answer: Schemas["MetricsExplorerModule"][]
  }
  "GET /metrics-explorer/{source}/presets": {
    path: {
      source: "authentication" | "authorization" | "monitoring"
    }
    query: Record<string, unknown>
    answer: Schemas["MetricsExplorerPreset"][]
  }
  "POST /metrics-explorer/{source}/presets": {
    path: {
      source: "authentication" | "authorization" | "monitoring"
    }
    query: Record<string, unknown>
    body: Schemas["MetricsExplorerPresetCreate"]
    answer: Schemas["MetricsExplorerPreset"]
  }
  "PUT /metrics-explorer/{source}/presets/{preset_id}": {
    path: {
      source: "authentication" | "authorization" | "monitoring"
      preset_id: string
    }
    query: Record<string, unknown>
    body: Schemas["MetricsExplorerPresetUpdate"]
    answer: Schemas["MetricsExplorerPreset"]
  }
  "DELETE /metrics-explorer/{source}/presets/{preset_id}": {
    path: {
      source: "authentication" | "authorization" | "monitoring"
      preset_id: string
    }
    query: Record<string, unknown>
    answer: undefined
  }
  "GET /saved-views": {
    path: Record<string, unknown>
    query: {
      cursor?: string
      limit?: number
      resource?: string
      sharing?: "own" | "shared"
    }
    answer: Schemas["SavedViews"]
  }
  "POST /saved-views": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["SavedViewCreate"]
    answer: Schemas["SavedView"]
  }
  "GET /saved-views/{saved_view_id}": {
    path: {
      saved_view_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["SavedView"]
  }
  "PUT /saved-views/{saved_view_id}": {
    path: {
      saved_view_id: string
    }
    query: Record<string, unknown>
    body: Schemas["SavedViewUpdate"]
    answer: Schemas["SavedView"]
  }
  "DELETE /saved-views/{saved_view_id}": {
    path: {
      saved_view_id: string
    }
    query: Record<string, unknown>
    answer: undefined
  }
  "GET /audit-logs": {
    path: Record<string, unknown>
    query: {
      cursor?: string
      limit?: number
      action?: "created" | "updated" | "deleted" | "voided" | "canceled" | "captured"
      user_id?: string
      resource_type?: string
      category?: "payments" | "configuration"
      timestamp_gte?: string
      timestamp_lte?: string
    }
    answer: Schemas["AuditLogs"]
  }
  "GET /audit-logs/verification": {
    path: Record<string, unknown>
    query: {
      after?: string
      links?: number
    }
    answer: Schemas["AuditLogVerification"]
  }
  "GET /api-logs": {
    path: Record<string, unknown>
    query: {
      cursor?: string
      limit?: number
      created_at_lte?: string
      created_at_gte?: string
      status_class?: ("2xx" | "4xx" | "5xx")[]
      method?: "GET" | "POST" | "PUT" | "DELETE"
      path_prefix?: string
      caller_id?: string
      request_id?: string
    }
    answer: Schemas["APILogs"]
  }
  "GET /api-logs/{api_log_id}": {
    path: {
      api_log_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["APILog"]
  }
  "POST /sandbox/payment-services/{payment_service_id}/chargebacks": {
    path: {
      payment_service_id: string
    }
    query: Record<string, unknown>
    body: Schemas["CreateSandboxChargeback"]
    answer: Schemas["SandboxChargeback"]
  }
  "POST /sandbox/payment-services/{payment_service_id}/next-outcomes": {
    path: {
      payment_service_id: string
    }
    query: Record<string, unknown>
    body: Schemas["CreateSandboxNextOutcome"]
    answer: Schemas["SandboxNextOutcome"]
  }
  "GET /sandbox/payment-services/{payment_service_id}/next-outcomes": {
    path: {
      payment_service_id: string
    }
    query: Record<string, unknown>
    answer: Schemas["SandboxNextOutcomes"]
  }
  "DELETE /sandbox/payment-services/{payment_service_id}/next-outcomes": {
    path: {
      payment_service_id: string
    }
    query: Record<string, unknown>
    answer: undefined
  }
  "POST /sandbox/payment-services/{payment_service_id}/notifications": {
    path: {
      payment_service_id: string
    }
    query: Record<string, unknown>
    body: Schemas["CreateSandboxNotification"]
    answer: Schemas["SandboxNotification"]
  }
  "GET /sandbox/clock": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    answer: Schemas["SandboxClock"]
  }
  "POST /sandbox/clock/advance": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["AdvanceSandboxClock"]
    answer: Schemas["SandboxClock"]
  }
  "GET /sandbox/fill": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    answer: Schemas["SandboxFill"]
  }
  "POST /sandbox/fill": {
    path: Record<string, unknown>
    query: Record<string, unknown>
    body: Schemas["FillSandbox"]
    answer: Schemas["SandboxFill"]
  }
}
