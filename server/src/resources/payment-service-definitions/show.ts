import type { Connector } from '#connectors/contract/connector.ts'
import { COUNTRIES } from '#domain/country.ts'
import { CURRENCIES } from '#domain/currency.ts'
import { PAYMENT_METHODS } from '#domain/payment-method.ts'
import { showField } from '#processing/service-accounts/schemas.ts'
import { BUYER_ACTIONS, type PaymentServiceDefinition, type Terms } from './schemas.ts'

const FEATURES = [
  'delayed_capture',
  'digital_wallets',
  'network_tokens_default',
  'network_tokens_toggle',
  'open_loop',
  'open_loop_toggle',
  'partial_refunds',
  'payment_method_tokenization',
  'payment_method_tokenization_toggle',
  'refunds',
  'requires_webhook_setup',
  'settlement_reporting',
  'three_d_secure_hosted',
  'three_d_secure_pass_through',
  'verify_credentials',
  'void',
] as const

const CONFIGURATION: PaymentServiceDefinition['configuration'] = {
  approval_ui_target: 'any',
  approval_ui_height: '600px',
  approval_ui_width: '500px',
  cart_items_limit: 1000,
  cart_items_required: false,
  cart_items_should_match_amount: false,
}

/** A connector as merchants see it. */
export function showDefinition(connector: Connector, publicUrl: string): PaymentServiceDefinition {
  const { manifest } = connector
  const hasIcon = Object.hasOwn(PAYMENT_METHODS, manifest.method)
  return {
    id: manifest.id,
    type: 'payment-service-definition',
    display_name: manifest.displayName,
    method: manifest.method,
    mode: manifest.mode,
    icon_url: hasIcon ? `${publicUrl}/assets/payment-methods/${manifest.method}.svg` : null,
    fields: manifest.fields.map(showField),
    reporting_fields: manifest.reportingFields.map(showField),
    supported_currencies: [...currenciesOf(connector)],
    supported_countries: [...countriesOf(connector)],
    supported_features: { ...featuresOf(connector) },
    terms: termsOf(connector),
    required_checkout_fields: [],
    configuration: CONFIGURATION,
    supported_integration_clients: manifest.mode === 'redirect' ? ['redirect'] : null,
  }
}

export function currenciesOf({ manifest }: Connector): readonly string[] {
  return manifest.currencies === 'all' ? CURRENCIES : manifest.currencies
}

export function countriesOf({ manifest }: Connector): readonly string[] {
  return manifest.countries === 'all' ? COUNTRIES : manifest.countries
}

/** What a connector supports, under the names that merchants know. */
export type Features = Readonly<Record<(typeof FEATURES)[number], boolean>>

export function featuresOf(connector: Connector): Features {
  const { instruments, capabilities, isSimulator, method, mode } = connector.manifest
  const hasRefunds = connector.refund !== undefined
  return {
    delayed_capture: connector.capture !== undefined,
    digital_wallets: instruments.includes('wallet'),
    network_tokens_default: false,
    network_tokens_toggle: instruments.includes('network-token'),
    // Every card order carries the scheme's id of an earlier payment, so a card stored elsewhere can be
    // charged here.
    open_loop: instruments.includes('card'),
    open_loop_toggle: false,
    partial_refunds: hasRefunds && capabilities.partialRefunds,
    // Our vault keeps cards, so storing them at the provider, too, is the merchant's choice. Other methods can be stored
    // there alone.
    payment_method_tokenization: connector.tokenize !== undefined && mode !== 'card',
    payment_method_tokenization_toggle: connector.tokenize !== undefined,
    refunds: hasRefunds,
    // A simulator knows where to send its notifications.
    requires_webhook_setup: connector.readNotification !== undefined && !isSimulator,
    settlement_reporting: connector.reports !== undefined,
    // The sandbox authenticates buyers itself.
    three_d_secure_hosted: isSimulator ? method === 'card' : capabilities.threeDSecureByProvider,
    three_d_secure_pass_through: capabilities.threeDSecurePassThrough,
    verify_credentials: connector.verify !== undefined,
    void: connector.void !== undefined,
  }
}

/** What merchants compare ways to pay by. The page docs/connectors/methods.md is made of it, too. */
export function termsOf(connector: Connector): Terms {
  const { mode, instruments, capabilities, terms } = connector.manifest
  // Our vault keeps cards and accounts. All else can be stored at the provider alone.
  const store = mode === 'redirect' ? (connector.tokenize ? 'provider' : 'none') : 'vault'
  return {
    buyer_action: BUYER_ACTIONS[mode === 'redirect' ? (terms?.shape ?? 'page') : mode],
    wallets: [
      ...(instruments.includes('network-token') ? ['opened' as const] : []),
      ...(instruments.includes('wallet') ? ['sealed' as const] : []),
    ],
    captures: connector.capture ? (capabilities.multipleCaptures ? 'several' : 'once') : 'with_approval',
    refunds: connector.refund ? (capabilities.partialRefunds ? 'partial' : 'whole') : 'none',
    recurring: store,
    payouts: connector.payout !== undefined,
    time_limit_seconds: terms?.seconds ?? null,
    payout_days: terms?.payoutDays ?? null,
    required_details: [...(terms?.needs ?? [])],
  }
}
