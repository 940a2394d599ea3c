import type { Connector } from '#connectors/contract/connector.ts'
import type { InstrumentKind } from '#connectors/contract/orders.ts'
import type { CardScheme } from '#domain/card-scheme.ts'
import { describeMethod } from '#domain/payment-method.ts'
import type { Scope } from '#platform/database/db.ts'
import { obstacleTo } from '#processing/obstacle.ts'
import { GATEWAY, gatewayMerchantIdOf } from '#resources/digital-wallets/google-gateway.ts'
import { listUsable } from '#resources/digital-wallets/keys/store.ts'
import type { WalletProvider } from '#resources/digital-wallets/schemas.ts'
import { displayNameOf, WALLET_NAMES } from '#resources/digital-wallets/session/find-wallet.ts'
import type { StoredWallet } from '#resources/digital-wallets/store.ts'
import * as wallets from '#resources/digital-wallets/store.ts'
import type { PaymentOption } from './schemas.ts'

type Wallet = {
  readonly provider: WalletProvider
  readonly method: 'applepay' | 'googlepay' | 'click-to-pay' | 'paze'
  /** A payment service that takes one of these can take payments with the wallet. */
  readonly instruments: readonly InstrumentKind[]
  /** The schemes of the cards that buyers can put into the wallet. */
  readonly schemes: readonly CardScheme[]
}

/** In the order in which buyers are offered them. */
const WALLETS: readonly Wallet[] = [
  {
    provider: 'apple',
    method: 'applepay',
    instruments: ['network-token', 'wallet'],
    schemes: ['amex', 'discover', 'jcb', 'maestro', 'mastercard', 'unionpay', 'visa'],
  },
  {
    provider: 'google',
    method: 'googlepay',
    instruments: ['network-token', 'wallet'],
    schemes: ['amex', 'discover', 'jcb', 'mastercard', 'visa'],
  },
  {
    provider: 'click-to-pay',
    method: 'click-to-pay',
    instruments: ['card', 'network-token'],
    schemes: ['amex', 'discover', 'mastercard', 'visa'],
  },
  {
    provider: 'paze',
    method: 'paze',
    instruments: ['wallet'],
    schemes: ['discover', 'mastercard', 'visa'],
  },
]

/** The account's wallets that a buyer can pay with at these payment services. */
export async function listWalletOptions(
  scope: Scope,
  connectors: readonly Connector[],
  publicUrl: string,
): Promise<PaymentOption[]> {
  const usable = await usableWallets(scope)
  return WALLETS.flatMap((wallet): PaymentOption[] => {
    const registered = usable.find(({ provider }) => provider === wallet.provider)
    const able = connectors.filter((connector) => takesWallet(connector, wallet))
    return registered && able.length > 0 ? [toOption(wallet, registered, { able, publicUrl })] : []
  })
}

/** Without a merchant identity, Apple opens no session, and the button would not work. */
async function usableWallets(scope: Scope): Promise<StoredWallet[]> {
  const registered = await wallets.list(scope, [scope.merchantAccountId])
  if (!registered.some(({ provider }) => provider === 'apple')) return registered
  const now = scope.clock()
  const identities = await listUsable(scope, 'apple-merchant-identity')
  const isApplePossible = identities.some(({ expires_at }) => expires_at !== null && expires_at > now)
  return registered.filter(({ provider }) => provider !== 'apple' || isApplePossible)
}

function takesWallet(connector: Connector, { method, instruments }: Wallet): boolean {
  const { manifest } = connector
  if (manifest.method !== 'card') return false
  const kinds = instruments.filter((kind) => manifest.instruments.includes(kind))
  return kinds.some((kind) => kind !== 'wallet' || opens(connector, method))
}

/** Whether the provider opens what the wallet gives to every page. */
function opens(connector: Connector, wallet: Wallet['method']): boolean {
  if (wallet === 'click-to-pay') return false
  return obstacleTo(connector, { kind: 'wallet', wallet, token: null }) === null
}

function toOption(
  { provider, method, schemes }: Wallet,
  registered: StoredWallet,
  { able, publicUrl }: { readonly able: readonly Connector[]; readonly publicUrl: string },
): PaymentOption {
  const context = { merchant_name: displayNameOf(registered), supported_schemes: [...schemes] }
  const gateway = {
    gateway: GATEWAY,
    gateway_merchant_id: gatewayMerchantIdOf(registered.merchant_account_id),
  }
  return {
    type: 'payment-option',
    method,
    mode: method,
    label: WALLET_NAMES[provider],
    icon_url: describeMethod(method) ? `${publicUrl}/assets/payment-methods/${method}.svg` : null,
    can_store_payment_method: false,
    can_delay_capture: able.every(({ capture }) => capture !== undefined),
    context: provider === 'google' ? { ...context, ...gateway } : context,
  }
}
