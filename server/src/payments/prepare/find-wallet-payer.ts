import type { Instrument } from '#connectors/contract/orders.ts'
import { binOf, labelOf } from '#domain/card.ts'
import { currencyNumberOf } from '#domain/currency-number.ts'
import type { Scope } from '#platform/database/db.ts'
import { type DetailType, errors, inBody } from '#platform/http/errors.ts'
import { realTime } from '#platform/process/clock.ts'
import type { Engine } from '#processing/engine.ts'
import type { WalletAuthorities } from '#processing/wallet-tokens/authorities.ts'
import { openApplePay, readApplePay } from '#processing/wallet-tokens/open-apple-pay.ts'
import { openGooglePay } from '#processing/wallet-tokens/open-google-pay.ts'
import {
  type OpenedInstrument,
  type OpenedToken,
  type Refusal,
  RefusedToken,
} from '#processing/wallet-tokens/opened-token.ts'
import { type CardFacts, lookUp } from '#resources/card-details/store.ts'
import { gatewayMerchantIdOf } from '#resources/digital-wallets/google-gateway.ts'
import {
  type GooglePaymentKey,
  openApplePaymentKeys,
  openGooglePaymentKeys,
} from '#resources/digital-wallets/keys/open.ts'
import type { PaymentMethodRequest } from '#resources/transactions/wire/payment-method.ts'
import { NOTHING_KNOWN } from '../document.ts'
import type { NewEvent } from '../store/events.ts'
import type { Order } from './order.ts'
import type { Payer, Source } from './payer.ts'

type WalletRequest = Extract<PaymentMethodRequest, { kind: 'applepay' | 'googlepay' }>

/** Undefined if a provider opens the wallet's tokens. */
export async function findWalletPayer(
  scope: Scope,
  engine: Pick<Engine, 'vault' | 'providers'>,
  order: Order,
  request: WalletRequest,
): Promise<Payer | undefined> {
  const given = { wallet: request.kind, token: request.body.token }
  const opened = await openToken(scope, engine, given, priceOf(order))
  if (!opened) return undefined
  const number = opened.instrument.number.use(String)
  const facts = await lookUp(scope, number)
  const { digest, expiresAt } = opened
  return {
    source: sourceOf(request, opened, facts),
    session: null,
    instrumentType: opened.instrument.kind === 'card' ? 'pan' : 'network_token',
    method: 'card',
    snapshot: {
      ...NOTHING_KNOWN,
      method: request.kind,
      mode: request.kind,
      // A device has a number of its own. Buyers know the one on the card, which only the page was told.
      label: request.body.card_suffix ?? labelOf(number),
      scheme: facts.scheme,
      expiration_date: opened.instrument.expirationDate,
      fingerprint: await engine.vault.fingerprint(scope.db, opened.instrument.number),
      details: { bin: binOf(number), card_type: facts.cardType, card_issuer_name: facts.issuer },
    },
    scheme: facts.scheme,
    cardCountry: facts.country,
    redirectUrl: request.body.redirect_url ?? null,
    walletToken: { digest, expiresAt, event: eventOf(request.kind, opened, facts) },
  }
}

/** Gift cards pay their part apart, so the buyer has agreed to the rest on the device. */
function priceOf({ amount, currency, gift_cards }: Order) {
  const paid = gift_cards.reduce((sum, card) => sum + card.amount, 0)
  return { amount: amount - paid, currency }
}

function sourceOf({ kind, body }: WalletRequest, opened: OpenedToken, facts: CardFacts): Source {
  const { instrument } = opened
  const { number, expirationDate } = instrument
  if (instrument.kind === 'card') {
    const { cardType } = facts
    return {
      kind: 'typed',
      via: 'googlepay_pan_only',
      number,
      securityCode: null,
      expirationDate,
      facts,
      cardType,
    }
  }
  const cardSource = kind === 'applepay' ? 'apple-pay' : 'google-pay'
  const cardholderName = opened.cardholderName ?? body.cardholder_name ?? null
  return {
    kind: 'ready',
    instrument: networkToken(instrument, { cardSource, cardholderName, scheme: facts.scheme }),
  }
}

type Known = Pick<Extract<Instrument, { kind: 'network-token' }>, 'cardSource' | 'cardholderName' | 'scheme'>

function networkToken(
  { number, expirationDate, cryptogram, eci }: Extract<OpenedInstrument, { kind: 'network-token' }>,
  known: Known,
): Instrument {
  return {
    kind: 'network-token',
    source: 'network-token',
    token: number,
    expirationDate,
    cryptogram,
    eci,
    ...known,
  }
}

const EVENTS = {
  applepay: 'digital-wallet-apple-pay-token-decrypted',
  googlepay: 'digital-wallet-google-pay-token-decrypted',
} as const

/** For the payment's history, without the number and without the cryptogram. */
function eventOf(
  wallet: WalletRequest['kind'],
  { instrument, assurance }: OpenedToken,
  facts: CardFacts,
): NewEvent {
  const isToken = instrument.kind === 'network-token'
  return {
    name: EVENTS[wallet],
    context: {
      instrument_type: isToken ? 'network_token' : 'pan',
      payment_method_scheme: facts.scheme,
      has_cryptogram: isToken,
      eci: isToken ? instrument.eci : null,
      account_verified: assurance?.isAccountVerified ?? null,
      card_holder_authenticated: assurance?.isCardHolderAuthenticated ?? null,
    },
  }
}

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

type Given = { readonly wallet: 'applepay' | 'googlepay'; readonly token: unknown }
/** What the wallet is to pay. */
type Price = { readonly amount: number; readonly currency: string }

/**
 * Opens a wallet's token with the keys of the merchant account. Undefined: it has none, and a provider opens
 * the token. A token that is not accepted is answered with 400.
 */
async function openToken(
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
