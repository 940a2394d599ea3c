import { type Static, Type } from 'typebox'
import { Nullable, OneOf, Strict } from '#platform/http/schemas.ts'
import { optional } from '../order.ts'
import { AdyenPixOptions } from './adyen.ts'
import { optionsOf, optionsOfOthers } from './collected.ts'
import { CybersourceAntiFraudOptions, CybersourceOptions } from './cybersource.ts'
import { DlocalCardOptions, DlocalOptions, DlocalPIXOptions, DlocalUPIOptions } from './dlocal.ts'
import { AnyObject, Flag, Options, Text, Texts, Whole } from './fields.ts'
import { ForterAntiFraudOptions } from './forter.ts'
import { NuveiIDealOptions, NuveiKlarnaOptions, NuveiOptions, NuveiPSEOptions } from './nuvei.ts'
import { WpayEverydayPayOptions, WpayPaytoOptions } from './wpay.ts'

const AccountUpdaterOptions = Options('AccountUpdaterOptions', {
  response_code: Nullable(OneOf(['updated'])),
  account_number: Nullable(Type.String({ minLength: 12, maxLength: 18 })),
  expiration_month: Nullable(Type.String({ minLength: 2, maxLength: 2 })),
  expiration_year: Nullable(Type.String({ minLength: 4, maxLength: 4 })),
  error_code: Text,
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
export type TransactionConnectionOptions = Static<typeof TransactionConnectionOptions>
