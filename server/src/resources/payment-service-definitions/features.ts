import type { Connector } from '#connectors/contract/connector.ts'

/** What a connector supports, under the names that merchants know. */
export type Features = Readonly<Record<(typeof FEATURES)[number], boolean>>

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
