import type { Instrument } from '#connectors/contract/orders.ts'
import { binOf, labelOf } from '#domain/card.ts'
import type { Scope } from '#platform/database/db.ts'
import type { Engine } from '#processing/engine.ts'
import type { OpenedInstrument, OpenedToken } from '#processing/wallet-tokens/opened-token.ts'
import { type CardFacts, lookUp } from '#resources/card-details/store.ts'
import type { PaymentMethodRequest } from '#resources/transactions/wire/payment-method.ts'
import type { NewEvent } from '../store/events.ts'
import { NOTHING_KNOWN } from './find-payer.ts'
import { openToken } from './open-wallet-token.ts'
import type { Payer, Source } from './payer.ts'
import type { Order } from './resolve.ts'
import type { WalletToken } from './use-once.ts'

type WalletRequest = Extract<PaymentMethodRequest, { kind: 'applepay' | 'googlepay' }>

/** A payer whose wallet's token we have opened, and what the first commit records about the token. */
export type WalletPayer = {
  readonly payer: Payer
  readonly walletToken: WalletToken & { readonly event: NewEvent }
}

/** Undefined if the payment is not made with a wallet, or with one whose tokens a provider opens. */
export async function findWalletPayer(
  scope: Scope,
  engine: Pick<Engine, 'vault' | 'providers'>,
  order: Order,
): Promise<WalletPayer | undefined> {
  const { method: request } = order
  if (request?.kind !== 'applepay' && request?.kind !== 'googlepay') return undefined
  const given = { wallet: request.kind, token: request.body.token }
  const opened = await openToken(scope, engine, given, priceOf(order))
  if (!opened) return undefined
  const number = opened.instrument.number.use(String)
  const facts = await lookUp(scope, number)
  const { digest, expiresAt } = opened
  return {
    payer: {
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
    },
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
