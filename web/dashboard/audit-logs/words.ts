import { moneyText } from '../parts/values.tsx'

/** What is changed, in words, by the type that the API gives it. */
export const KINDS: Readonly<Record<string, string>> = {
  'account-updater-job': 'Card update',
  'anti-fraud-service': 'Anti-fraud service',
  'api-key-pair': 'API key',
  archive: 'Archive',
  'audit-log': 'Audit log',
  buyer: 'Buyer',
  'buyer-erasure': 'Erasure of a buyer',
  'buyer-shipping-details': 'Shipping details',
  'card-bins': 'BIN data',
  'chargeback-answer': 'Answer to a chargeback',
  'checkout-page': 'Checkout page',
  'checkout-session': 'Checkout session',
  'digital-wallet': 'Wallet',
  'failed-sign-in': 'Failed sign-in',
  'flow-rule': 'Flow rule',
  'flow-version': 'Flow version',
  'gift-card': 'Gift card',
  'gift-card-activation': 'Gift card activation',
  'gift-card-issuance': 'Gift card issuance',
  'gift-card-service': 'Gift card service',
  'lock-out': 'Lock-out',
  'merchant-account': 'Merchant account',
  'merchant-account.theme': 'Branding',
  'merchant-account.three-ds-configuration': '3DS configuration',
  'metrics-explorer.preset': 'Saved chart',
  'monitoring.incident': 'Incident',
  'network-token': 'Network token',
  'page-check': 'Check of payment pages',
  passkey: 'Passkey',
  password: 'Password',
  'payment-link': 'Payment link',
  'payment-method': 'Payment method',
  'payment-service': 'Payment service',
  'payment-service-report-file': 'Settlement file',
  'payment-service-token': 'Payment service token',
  payout: 'Payout',
  refund: 'Refund',
  report: 'Report',
  'retry-policy': 'Retry policy',
  role: 'Role',
  'saved-view': 'Saved view',
  'three-d-secure-scenario': '3DS scenario',
  transaction: 'Payment',
  user: 'User',
  'user-session': 'Session of a user',
  vault: 'Vault',
  'webhook-subscription': 'Webhook subscription',
}

/** A type that is newer than this list, as words. */
export function kindText(type: string): string {
  const words = type.replaceAll(/[-.]/g, ' ')
  return KINDS[type] ?? words.charAt(0).toUpperCase() + words.slice(1)
}

const NAMED_BY_AMOUNT = ['transaction', 'refund', 'payout', 'payment-link', 'gift-card-issuance']

/** Entries about money are named by its amount, in minor units. */
export function nameText({ type, name }: { readonly type: string; readonly name: string }): string {
  const [, currency, amount] = /^([A-Z]{3}) (\d+)$/.exec(name) ?? []
  if (currency === undefined || !NAMED_BY_AMOUNT.includes(type)) return name
  return moneyText(Number(amount), currency)
}
