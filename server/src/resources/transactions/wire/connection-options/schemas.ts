import { WRITTEN } from '#domain/written-forms.ts'
import { Nullable, OneOf, Strict } from '#platform/http/schemas.ts'
import { type Static, type TSchema, Type } from '#platform/http/type.ts'
import { optional } from '../order.ts'
import { hasOptions, optionsOf, optionsOfOthers } from './collected.ts'

const AnyObject = Type.Unsafe<Record<string, unknown>>({ type: 'object' })
const TextMap = TextMapOf()

const Text = Nullable(Type.String())
const Whole = Nullable(Type.Integer())
const Flag = Nullable(Type.Boolean())
const Texts = Nullable(TextMap)

function TextMapOf(maxLength?: number) {
  const additionalProperties = Type.String(maxLength === undefined ? {} : { maxLength })
  return Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties })
}

/** A block of options, each of which may be left out. */
function Options<Fields extends Record<string, TSchema>>(title: string, fields: Fields) {
  return Strict(optional(fields), { title })
}

const AccountUpdaterOptions = Options('AccountUpdaterOptions', {
  response_code: Nullable(OneOf(['updated'])),
  account_number: Nullable(Type.String({ minLength: 12, maxLength: 18 })),
  expiration_month: Nullable(Type.String({ minLength: 2, maxLength: 2 })),
  expiration_year: Nullable(Type.String({ minLength: 4, maxLength: 4 })),
  error_code: Text,
})

const AdyenPixRecurringAmount = Options('AdyenPixRecurringAmount', { value: Whole, currency: Text })

const AdyenPixRecurringOptions = Strict(
  {
    recurringAmount: Nullable(AdyenPixRecurringAmount),
    ...optional({ frequency: Text, startsAt: Text, endsAt: Text, recurringStatement: Text }),
  },
  { title: 'AdyenPixRecurringOptions' },
)

const AdyenPixOptions = Options('AdyenPixOptions', {
  additionalData: Texts,
  pixRecurring: Nullable(AdyenPixRecurringOptions),
})

const AffirmItineraryOptions = Options('AffirmItineraryOptions', {
  type: Text,
  sku: Text,
  display_name: Text,
  venue: Text,
  location: Text,
  date_start: Text,
  management: Text,
})

const AffirmOptions = Options('AffirmOptions', {
  discounts: Nullable(
    Type.Unsafe<Record<string, object>>({ type: 'object', additionalProperties: AnyObject }),
  ),
  itinerary: Nullable(AffirmItineraryOptions),
})

const BraintreeDynamicDataFieldsOptions = Options('BraintreeDynamicDataFieldsOptions', {
  three_ds_auth_status: Text,
  purchase_order_number: Text,
  vault_payment_method_criteria: Nullable(OneOf(['ALWAYS', 'ON_SUCCESSFUL_TRANSACTION'])),
})

const BraintreeOptions = Options('BraintreeOptions', {
  discount_amount: Whole,
  custom_fields: Texts,
  dynamic_data_fields: Nullable(BraintreeDynamicDataFieldsOptions),
})

const ChaseOptions = Options('ChaseOptions', { comments: Text })

const CybersourceAntiFraudOptions = Options('CybersourceAntiFraudOptions', {
  merchant_defined_data: Nullable(TextMapOf(5000)),
  meta_key_merchant_id: Text,
  shipping_method: Text,
})

const CybersourceOptions = Options('CybersourceOptions', {
  meta_key_merchant_id: Text,
  merchant_defined_information: Texts,
  ship_to_method: Text,
  comments: Text,
})

const DlocalCardOptions = Options('DlocalCardOptions', { three_dsecure_force: Flag })

const DlocalWalletOptions = Options('DlocalWalletOptions', {
  name: Text,
  email: Text,
  token: Text,
  username: Text,
  verify: Flag,
})

const DlocalOptions = Options('DlocalOptions', { wallet: Nullable(DlocalWalletOptions) })

const DlocalUPIRecurringInfoOptions = Strict(
  {
    subscription_frequency_unit: OneOf([
      'MONTH',
      'WEEK',
      'BI_MONTHLY',
      'ONDEMAND',
      'QUARTER',
      'YEAR',
      'SEMI_ANNUALLY',
      'DAY',
    ]),
    subscription_frequency: Type.Integer(),
    subscription_start_at: Type.String(),
    subscription_end_at: Type.String(),
  },
  { title: 'DlocalUPIRecurringInfoOptions' },
)

const DlocalUPIWalletOptions = Options('DlocalUPIWalletOptions', {
  name: Text,
  email: Text,
  token: Text,
  username: Text,
  verify: Flag,
  recurring_info: Nullable(DlocalUPIRecurringInfoOptions),
})

const DlocalUPIOptions = Options('DlocalUPIOptions', { wallet: Nullable(DlocalUPIWalletOptions) })

const DlocalPIXSubscriptionAmountOptions = Strict(
  {
    type: OneOf(['FIXED', 'VARIABLE']),
    min_value: Text,
    ...optional({ value: Text }),
  },
  { title: 'DlocalPIXSubscriptionAmountOptions' },
)

const DlocalPIXSubscriptionOptions = Strict(
  {
    frequency: OneOf(['WEEKLY', 'MONTHLY', 'QUARTERLY', 'SEMI_ANNUAL', 'ANNUAL']),
    ...optional({ amount: Nullable(DlocalPIXSubscriptionAmountOptions), start_date: Text, end_date: Text }),
  },
  { title: 'DlocalPIXSubscriptionOptions' },
)

const DlocalPIXOptions = Options('DlocalPIXOptions', {
  subscription: Nullable(DlocalPIXSubscriptionOptions),
  scheduled_date: Text,
})

const EcommpayOptions = Options('EcommpayOptions', { booking_start_date: Text, booking_end_date: Text })

const KlarnaSubscriptionOptions = Strict(
  {
    name: Type.String(),
    interval: OneOf(['DAY', 'WEEK', 'MONTH', 'YEAR']),
    interval_count: Type.Integer(),
    reference: Type.String(),
  },
  { title: 'KlarnaSubscriptionOptions' },
)

const KlarnaOptions = Options('KlarnaOptions', {
  subscription: Nullable(KlarnaSubscriptionOptions),
  token_only_mode: Flag,
  authorization_token: Text,
})

const FiservInstallmentOptions = Options('FiservInstallmentOptions', {
  numberOfInstallments: Whole,
  installmentsInterest: Flag,
  installmentDelayMonths: Whole,
  merchantAdviceCodeSupported: Flag,
})

const FiservOptions = Options('FiservOptions', { installmentOptions: Nullable(FiservInstallmentOptions) })

const CartItemBasicItemData = Options('ForterAntiFraudOptionsCartItemBasicItemData', {
  type: Nullable(OneOf(['TANGIBLE', 'NON_TANGIBLE'])),
})

const CartItemDeliveryDetails = Options('ForterAntiFraudOptionsCartItemDeliveryDetails', {
  delivery_type: Nullable(OneOf(['DIGITAL', 'PHYSICAL', 'HYBRID'])),
  delivery_method: Text,
})

const CartItemBeneficiaryPersonalDetails = Options(
  'ForterAntiFraudOptionsCartItemBeneficiaryPersonalDetails',
  { first_name: Text, last_name: Text, email: Text },
)

const CartItemBeneficiaryAddress = Strict(
  {
    country: Type.String({ ...WRITTEN.country }),
    ...optional({ address1: Text, address2: Text, zip: Text, region: Text, company: Text, city: Text }),
  },
  { title: 'ForterAntiFraudOptionsCartItemBeneficiaryAddress' },
)

const CartItemBeneficiaryPhone = Strict(
  { phone: Type.String() },
  { title: 'ForterAntiFraudOptionsCartItemBeneficiaryPhone' },
)

const CartItemBeneficiaryComments = Options('ForterAntiFraudOptionsCartItemBeneficiaryComments', {
  user_comments_to_merchant: Text,
  message_to_beneficiary: Text,
  merchant_comments: Text,
})

const CartItemBeneficiary = Strict(
  {
    personal_details: CartItemBeneficiaryPersonalDetails,
    ...optional({
      address: Nullable(CartItemBeneficiaryAddress),
      phone: Nullable(Type.Array(CartItemBeneficiaryPhone)),
      comments: Nullable(CartItemBeneficiaryComments),
    }),
  },
  { title: 'ForterAntiFraudOptionsCartItemBeneficiary' },
)

const CartItem = Options('ForterAntiFraudOptionsCartItem', {
  basic_item_data: Nullable(CartItemBasicItemData),
  delivery_details: Nullable(CartItemDeliveryDetails),
  beneficiaries: Nullable(Type.Array(CartItemBeneficiary)),
})

const DiscountCouponDiscountAmount = Options('ForterAntiFraudOptionsDiscountCouponDiscountAmount', {
  amount_usd: Text,
  amount_local_currency: Text,
  currency: Nullable(Type.String({ ...WRITTEN.currency })),
})

const Discount = Strict(
  {
    coupon_code_used: Type.String(),
    discount_type: Type.String(),
    ...optional({
      coupon_discount_amount: Nullable(DiscountCouponDiscountAmount),
      coupon_discount_percent: Text,
    }),
  },
  { title: 'ForterAntiFraudOptionsDiscount' },
)

const ForterAntiFraudOptions = Options('ForterAntiFraudOptions', {
  delivery_type: Nullable(OneOf(['DIGITAL', 'PHYSICAL', 'HYBRID'])),
  delivery_method: Nullable(Type.String({ minLength: 1, maxLength: 50 })),
  is_guest_buyer: Flag,
  cart_items: Nullable(Type.Array(CartItem)),
  total_discount: Nullable(Discount),
})

const LatitudeOptions = Options('LatitudeOptions', {
  promotion_reference: Nullable(Type.String({ maxLength: 128 })),
})

const GivingBlockOptions = Options('GivingBlockOptions', { defaultCryptocurrency: Text })

const GoCardlessOptions = Options('GoCardlessOptions', {
  purpose_code: Nullable(
    OneOf([
      'mortgage',
      'utility',
      'loan',
      'dependant_support',
      'gambling',
      'retail',
      'salary',
      'personal',
      'government',
      'pension',
      'tax',
      'other',
    ]),
  ),
})

const MattildaTapiOptions = Options('MattildaTapiOptions', { payment_method_expires_at: Text })

const MonatoSpeiOptions = Strict({ approval_url: Type.String() }, { title: 'MonatoSpeiOptions' })

const NuveiAirlineDataOptions = Options('NuveiAirlineDataOptions', {
  seatClass: Text,
  isCardholderTraveling: Flag,
})

const NuveiOptions = Options('NuveiOptions', {
  customData: Nullable(Type.String({ maxLength: 255 })),
  airlineData: Nullable(NuveiAirlineDataOptions),
})

const NuveiIDealOptions = Options('NuveiIDealOptions', {
  customData: Nullable(Type.String({ maxLength: 255 })),
})

const NuveiKlarnaOptions = Options('NuveiKlarnaOptions', {
  customData: Nullable(Type.String({ maxLength: 255 })),
})

const NuveiPSEOptions = Options('NuveiPSEOptions', {
  userType: Text,
  userFisNumber: Text,
  fiscalNumber: Text,
  bankCode: Text,
})

const OxxoOptions = Options('OxxoOptions', { payment_method_expires_at: Whole, approval_url: Text })

const PowertranzOptions = Options('PowertranzOptions', { skipThreeDSecure: Flag })

const RiskifiedAntiFraudOptionsLineItem = Options('RiskifiedAntiFraudOptionsLineItem', {
  delivered_to: Nullable(OneOf(['shipping_address', 'store_pickup'])),
})

const RiskifiedAntiFraudOptions = Options('RiskifiedAntiFraudOptions', {
  line_items: Nullable(Type.Array(RiskifiedAntiFraudOptionsLineItem)),
})

const TravelHubCustomData = Strict(
  {
    name: Type.String(),
    value: Type.String(),
    ...optional({ type: Text }),
  },
  { title: 'TravelHubCustomData' },
)

const TravelhubOptions = Options('TravelhubOptions', {
  customData: Nullable(Type.Array(TravelHubCustomData)),
  companyName: Text,
})

const TrustlyOptions = Options('TrustlyOptions', { refreshSplitToken: Flag })

const WorldpayVapOptions = Options('WorldpayVapOptions', {
  reportGroup: Text,
  orderId: Nullable(Type.String({ maxLength: 256 })),
})

const WpayEverydayPayOptions = Options('WpayEverydayPayOptions', {
  merchant_defined_data: Texts,
  customerId: Text,
  rewardsAccessToken: Text,
  deviceId: Text,
  postPaymentRedirect: Flag,
})

const WpayPaytoSimulationOptions = Options('WpayPaytoSimulationOptions', { simulate: Text, delay: Whole })

const WpayPaytoResourceOptions = Options('WpayPaytoResourceOptions', {
  simulation: Nullable(WpayPaytoSimulationOptions),
})

const WpayPaytoOptions = Options('WpayPaytoOptions', {
  instrument: Nullable(WpayPaytoResourceOptions),
  payment: Nullable(WpayPaytoResourceOptions),
  refund: Nullable(WpayPaytoResourceOptions),
})

/** In the order of the API reference. Most of these connectors do not exist yet. */
const NAMED = {
  'account-updater': Nullable(AccountUpdaterOptions),
  'adyen-ach': optionsOf('adyen-ach'),
  'adyen-afterpay': optionsOf('adyen-ach'),
  'adyen-cashappafterpay': optionsOf('adyen-ach'),
  'adyen-alipay': optionsOf('adyen-ach'),
  'adyen-card': optionsOf('adyen-card'),
  'adyen-cashapp': optionsOf('adyen-ach'),
  'adyen-gcash': optionsOf('adyen-ach'),
  'adyen-giropay': optionsOf('adyen-ach'),
  'adyen-ideal': optionsOf('adyen-ach'),
  'adyen-konbini': optionsOf('adyen-ach'),
  'adyen-paybybank': optionsOf('adyen-ach'),
  'adyen-paypay': optionsOf('adyen-ach'),
  'adyen-pix': Nullable(AdyenPixOptions),
  'adyen-sepa': optionsOf('adyen-sepa'),
  'adyen-seveneleven': optionsOf('adyen-ach'),
  'adyen-sofort': optionsOf('adyen-ach'),
  'adyen-swish': optionsOf('adyen-ach'),
  'adyen-vipps': optionsOf('adyen-ach'),
  'affirm-affirm': Nullable(AffirmOptions),
  'braintree-card': Nullable(BraintreeOptions),
  'chaseorbital-card': Nullable(ChaseOptions),
  'cybersource-anti-fraud': Nullable(CybersourceAntiFraudOptions),
  'cybersource-card': Nullable(CybersourceOptions),
  'cybersource-ideal': Nullable(CybersourceOptions),
  'cybersource-kcp': Nullable(CybersourceOptions),
  'dlocal-card': Nullable(DlocalCardOptions),
  'dlocal-nequi': Nullable(DlocalOptions),
  'dlocal-upi': Nullable(DlocalUPIOptions),
  'dlocal-pix': Nullable(DlocalPIXOptions),
  'dlocal-gcash': Nullable(DlocalOptions),
  'ecommpay-card': Nullable(EcommpayOptions),
  'klarna-klarna': Nullable(KlarnaOptions),
  'fiserv-card': Nullable(FiservOptions),
  'forter-anti-fraud': Nullable(ForterAntiFraudOptions),
  'gem-gem': Nullable(LatitudeOptions),
  'gem-gemds': Nullable(LatitudeOptions),
  'givingblock-givingblock': Nullable(GivingBlockOptions),
  'gocardless-gocardless': Nullable(GoCardlessOptions),
  'latitude-latitude': Nullable(LatitudeOptions),
  'latitude-latitudeds': Nullable(LatitudeOptions),
  'mattilda-tapi': Nullable(MattildaTapiOptions),
  'mattilda-tapifintechs': Nullable(MattildaTapiOptions),
  'monato-spei': Nullable(MonatoSpeiOptions),
  'mock-card': optionsOf('mock-card'),
  'mock-gift-card': optionsOf('mock-gift-card'),
  'mockds-card': optionsOf('mock-card'),
  'nuvei-card': Nullable(NuveiOptions),
  'nuvei-ideal': Nullable(NuveiIDealOptions),
  'nuvei-klarna': Nullable(NuveiKlarnaOptions),
  'nuvei-pse': Nullable(NuveiPSEOptions),
  'oxxo-oxxo': Nullable(OxxoOptions),
  'paypal-paypal': optionsOf('paypal-paypal'),
  'paypal-paypalpaylater': optionsOf('paypal-paypal'),
  'powertranz-card': Nullable(PowertranzOptions),
  'riskified-anti-fraud': Nullable(RiskifiedAntiFraudOptions),
  'stripe-affirm': optionsOf('stripe-klarna'),
  'stripe-card': optionsOf('stripe-card'),
  'stripe-klarna': optionsOf('stripe-klarna'),
  'stripe-onelink': optionsOf('stripe-klarna'),
  'stripe-stripe': optionsOf('stripe-klarna'),
  'travelhub-card': Nullable(TravelhubOptions),
  'trustly-trustly': Nullable(TrustlyOptions),
  'worldpayvap-card': Nullable(WorldpayVapOptions),
  'wpay-everydaypay': Nullable(WpayEverydayPayOptions),
  'wpay-payto': Nullable(WpayPaytoOptions),
}

export const TransactionConnectionOptions = Options('TransactionConnectionOptions', {
  ...NAMED,
  ...optionsOfOthers(NAMED),
})
/** Blocks of providers that have no connector here: they are checked and stored, and sent nowhere. */
export const OPTIONS_SENT_NOWHERE = Object.keys(NAMED).filter((id) => !hasOptions(id))
export type TransactionConnectionOptions = Static<typeof TransactionConnectionOptions>
