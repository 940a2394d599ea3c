import { currencyNumberOf } from '#domain/currency-number.ts'
import type { Scope } from '#platform/database/db.ts'
import { type DetailType, errors, inBody } from '#platform/http/errors.ts'
import { realTime } from '#platform/process/clock.ts'
import type { Engine } from '#processing/engine.ts'
import type { WalletAuthorities } from '#processing/wallet-tokens/authorities.ts'
import { openApplePay, readApplePay } from '#processing/wallet-tokens/open-apple-pay.ts'
import { openGooglePay } from '#processing/wallet-tokens/open-google-pay.ts'
import type { OpenedToken } from '#processing/wallet-tokens/opened-token.ts'
import { type Refusal, RefusedToken } from '#processing/wallet-tokens/refused-token.ts'
import { gatewayMerchantIdOf } from '#resources/digital-wallets/google-gateway.ts'
import {
  type GooglePaymentKey,
  openApplePaymentKeys,
  openGooglePaymentKeys,
} from '#resources/digital-wallets/keys/open.ts'

const AT = '/payment_method/token'

/** How the answer types each refusal. */
const TYPES: Readonly<Record<Refusal, DetailType>> = {
  unreadable: 'value_error.str.regex',
  unsupported: 'value_error.const',
  'wrong-signature': 'value_error.conflict',
  expired: 'value_error.expired',
  'wrong-key': 'value_error.not_found',
  'other-merchant': 'value_error.conflict',
}

export type Given = { readonly wallet: 'applepay' | 'googlepay'; readonly token: unknown }
/** What the wallet is to pay. */
export type Price = { readonly amount: number; readonly currency: string }

/**
 * Opens a wallet's token with the keys of the merchant account. Undefined: it has none, and a provider opens
 * the token. A token that is not accepted is answered with 400.
 */
export async function openToken(
  scope: Scope,
  { vault, providers }: Pick<Engine, 'vault' | 'providers'>,
  { wallet, token }: Given,
  price: Price,
): Promise<OpenedToken | undefined> {
  const { walletAuthorities } = providers
  try {
    const opened =
      wallet === 'applepay'
        ? await openApple(scope, vault, token, walletAuthorities)
        : await openGoogle(scope, vault, token, walletAuthorities)
    if (opened) refuseOtherPrice(opened, price)
    return opened
  } catch (error) {
    if (!(error instanceof RefusedToken)) throw error
    throw errors.invalid(inBody(AT, TYPES[error.refusal], `the token is refused: ${error.message}`))
  }
}

async function openApple(
  scope: Scope,
  vault: Engine['vault'],
  given: unknown,
  { appleRoots: roots }: WalletAuthorities,
): Promise<OpenedToken | undefined> {
  const keys = await openApplePaymentKeys(scope, vault)
  if (keys.length === 0) return undefined
  const token = readApplePay(given)
  const key = keys.find(({ publicKeyHash }) => publicKeyHash === token.publicKeyHash)
  if (!key) {
    const message =
      'it was made for a key that this merchant account does not have: add the key to its wallet'
    throw new RefusedToken('wrong-key', message)
  }
  return openApplePay(token, key, { roots, now: realTime(scope.clock) })
}

async function openGoogle(
  scope: Scope,
  vault: Engine['vault'],
  given: unknown,
  { googleRootKeys: rootKeys }: WalletAuthorities,
): Promise<OpenedToken | undefined> {
  const keys = await openGooglePaymentKeys(scope, vault)
  if (keys.length === 0) return undefined
  if (rootKeys.length === 0) {
    const message = 'this installation knows no root keys of Google Pay: set GOOGLE_PAY_ROOT_KEYS'
    throw new RefusedToken('unsupported', message)
  }
  const refusals: RefusedToken[] = []
  for (const [recipientId, own] of Map.groupBy(keys, (key) => key.recipientId)) {
    try {
      return openGooglePay(given, recipientOf(scope, recipientId, own), {
        rootKeys,
        now: realTime(scope.clock),
      })
    } catch (error) {
      if (!(error instanceof RefusedToken)) throw error
      refusals.push(error)
    }
  }
  // For all recipients but its own, a token has a wrong signature.
  throw refusals.find(({ refusal }) => refusal !== 'wrong-signature') ?? refusals[0]
}

function recipientOf(scope: Scope, recipientId: string, keys: readonly GooglePaymentKey[]) {
  const isGateway = recipientId.startsWith('gateway:')
  return {
    recipientId,
    gatewayMerchantId: isGateway ? gatewayMerchantIdOf(scope.merchantAccountId) : null,
    privateKeys: keys.map(({ privateKey }) => privateKey),
  }
}

/** The device has shown an amount to the buyer. Nothing else may be taken. */
function refuseOtherPrice({ agreed }: OpenedToken, { amount, currency }: Price): void {
  if (!agreed) return
  const complaints = [
    ...(agreed.currencyNumber === currencyNumberOf(currency)
      ? []
      : [
          inBody(
            '/currency',
            'value_error.conflict',
            'is not the currency that the buyer agreed to on the device',
          ),
        ]),
    ...(agreed.amount === amount
      ? []
      : [
          inBody(
            '/amount',
            'value_error.conflict',
            'is not the amount that the buyer agreed to on the device',
          ),
        ]),
  ]
  if (complaints.length > 0) throw errors.invalid(...complaints)
}
