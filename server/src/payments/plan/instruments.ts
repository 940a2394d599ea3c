import type { ErrorCode } from '#connectors/contract/codes.ts'
import type { Refused, SyncAnswer } from '#connectors/contract/connector.ts'
import type { CryptogramAnswer } from '#connectors/contract/network-token.ts'
import type { Instrument } from '#connectors/contract/orders.ts'
import { isExpired, parseExpiration } from '#domain/card.ts'
import type { Scope } from '#platform/database/db.ts'
import { ApiError, inBody } from '#platform/http/errors.ts'
import { refusal } from '#processing/attempts/conclude.ts'
import type { Engine } from '#processing/engine.ts'
import { obstacleTo } from '#processing/obstacle.ts'
import { ServiceGone } from '#processing/service-accounts/fields.ts'
import { askCryptogram, revealToken } from '#resources/payment-methods/network-tokens/reveal.ts'
import * as networkTokens from '#resources/payment-methods/network-tokens/store.ts'
import { openStored } from '#resources/payment-methods/open-stored.ts'
import * as paymentServiceTokens from '#resources/payment-methods/payment-service-tokens/store.ts'
import { reveal } from '#resources/payment-methods/reveal.ts'
import * as paymentMethods from '#resources/payment-methods/store.ts'
import type { InstrumentType } from '#resources/transactions/wire/transaction.ts'
import { ItemGone, type Masked, type Vault, WrongItem } from '#vault'
import type { Source } from '../prepare/payer.ts'
import type { ChosenService } from '../routing/candidates.ts'
import * as cards from '../store/cards.ts'
import { type HeldCard, withItem } from '../store/cards.ts'
import type { NewEvent } from '../store/events.ts'

/** What one attempt presents to a payment service. The attempt records it before the service is asked. */
export type Presented = {
  /** Null: what the payment itself says, such as the number of a card. */
  readonly token: { readonly type: InstrumentType; readonly id: string } | null
  /** Opens the instrument for as long as `work` takes. */
  readonly open: <Result>(work: (instrument: Instrument) => Promise<Result>) => Promise<Result>
  /** What the payment's history tells about the choice. */
  readonly events: readonly NewEvent[]
}

type Asked = {
  readonly source: OpenableSource
  readonly chosen: ChosenService
  readonly isMerchantInitiated: boolean
  /** Called before a service is asked for a cryptogram. */
  readonly beforeAsking?: () => Promise<void>
}

/** The instrument is not there for the payment. */
type NotThere = Pick<Presented, 'events'> & { readonly open?: undefined }

/** A token that may stand in for a stored payment method. */
type Way = {
  readonly type: InstrumentType
  /** Whether the token is there for this payment at this service. If not, only the events are told. */
  readonly find: (scope: Scope, engine: Engine, asked: Asked) => Promise<Presented | NotThere>
}

/** Best first. The number of a card comes after them, and is always there. */
const WAYS: readonly Way[] = [
  { type: 'card_token', find: findProviderToken },
  { type: 'network_token', find: findNetworkToken },
]

export const TOKEN_TYPES = WAYS.map(({ type }) => type)

/**
 * The one place that decides what a payment service gets: the first instrument that is there for it.
 * `besides` are the types that are not to be presented, such as those that this service has refused.
 */
export async function chooseInstrument(
  scope: Scope,
  engine: Engine,
  asked: Asked,
  besides: readonly InstrumentType[] = [],
): Promise<Presented> {
  const events: NewEvent[] = []
  for (const { type, find } of WAYS) {
    if (besides.includes(type) || isUnwanted(type, asked)) continue
    const found = await find(scope, engine, asked)
    events.push(...found.events)
    if (found.open) return { ...found, events }
  }
  const { source } = asked
  return { token: null, events, open: (work) => withInstrument(scope, engine.vault, source, work) }
}

/** A rule may want the number, for which a token of the service itself may stand in, or a network token. */
function isUnwanted(type: InstrumentType, { chosen: { entry } }: Asked): boolean {
  return entry?.instrument === (type === 'network_token' ? 'pan' : 'network_token')
}

/** How the attempt records the choice. */
export function recorded({ token }: Presented) {
  return { instrument_type: token?.type ?? null, instrument_id: token?.id ?? null }
}

/** How the payment shows it. */
export function shownAs({ token }: Presented) {
  return { instrument_type: token?.type ?? null }
}

/** The service could not use the instrument itself. The issuer has not decided about the payment. */
const REFUSED_AS_INSTRUMENT: readonly ErrorCode[] = [
  'invalid_payment_method',
  'unknown_payment_method',
  'unrecognised_payment_method',
  'unsupported_payment_method',
]

/** Whether a service refused a token because it is a token. Then it gets the number, if there is one. */
export function isTokenRefused({ token }: Presented, answer: SyncAnswer): boolean {
  if (token === null || token.type === 'redirect_token') return false
  if (answer.outcome !== 'declined' && answer.outcome !== 'failed') return false
  return REFUSED_AS_INSTRUMENT.includes(answer.code)
}

export type Presentable = {
  readonly chosen: ChosenService
  readonly presented: Presented
  /** The services after it. */
  readonly others: readonly ChosenService[]
  /** The services before it, for which the card has no network token. */
  readonly passed: readonly ChosenService[]
}

type Given = Omit<Asked, 'chosen'>

/**
 * The first service for which there is an instrument, and what it gets. A rule may want a network token: a service for which the
 * card has none is passed over.
 */
export async function findPresentable(
  scope: Scope,
  engine: Engine,
  given: Given & { readonly candidates: readonly ChosenService[] },
  besides: readonly InstrumentType[] = [],
): Promise<Presentable | undefined> {
  const { candidates, ...asked } = given
  for (const [index, chosen] of candidates.entries()) {
    const presented = await chooseInstrument(scope, engine, { ...asked, chosen }, besides)
    if (isWanted(chosen, presented, asked.source))
      return {
        chosen,
        presented,
        others: candidates.slice(index + 1),
        passed: candidates.slice(0, index),
      }
  }
  return undefined
}

function isWanted({ entry }: ChosenService, { token }: Presented, source: OpenableSource): boolean {
  if (entry?.instrument !== 'network_token') return true
  return (
    token?.type === 'network_token' || (source.kind === 'ready' && source.instrument.kind === 'network-token')
  )
}

const NOTHING: NotThere = { events: [] }

/**
 * The network token of a stored card, if the payment service takes them. A payment that the buyer initiates,
 * and the first one with a token, needs a cryptogram; without one, the card's number is presented.
 */
async function findNetworkToken(
  scope: Scope,
  engine: Engine,
  { source, chosen, isMerchantInitiated, beforeAsking }: Asked,
): Promise<Presented | NotThere> {
  const { service, connector } = chosen
  const isTaken = service.network_tokens_enabled && connector.manifest.instruments.includes('network-token')
  if (source.kind !== 'stored' || !isTaken) return NOTHING
  const { scheme } = source.method
  const offered = { kind: 'network-token', scheme, cardSource: null } as const
  if (obstacleTo(connector, offered) !== null) return NOTHING
  const token = await networkTokens.findCurrent(scope, source.method.id)
  if (!networkTokens.isLive(token) || !isUsable(scope, token, scheme)) return NOTHING
  if (isMerchantInitiated && token.first_used_at !== null) return present(scope, engine, token, null)
  await beforeAsking?.()
  const answer = await askCryptogram(scope, engine, token, isMerchantInitiated)
  const events = [tell(token, answer)]
  return answer.outcome === 'made' ? { ...present(scope, engine, token, answer), events } : { events }
}

function isUsable({ clock }: Scope, token: networkTokens.LiveToken, scheme: string | null): boolean {
  const expiration = parseExpiration(token.expiration_date)
  const isCurrent = expiration !== undefined && !isExpired(expiration, clock())
  return token.status === 'active' && token.operation === null && token.scheme === scheme && isCurrent
}

function tell({ id, scheme }: networkTokens.LiveToken, answer: CryptogramAnswer): NewEvent {
  const context = { network_token_id: id, scheme }
  if (answer.outcome === 'made') return { name: 'network-token-cryptogram-provision-succeeded', context }
  const code = answer.outcome === 'refused' ? answer.code : 'service_network_error'
  return { name: 'network-token-cryptogram-provision-failed', context: { ...context, code } }
}

type Proof = Extract<CryptogramAnswer, { outcome: 'made' }>

function present(
  scope: Scope,
  { vault }: Engine,
  token: networkTokens.LiveToken,
  proof: Proof | null,
): Presented {
  const { expiration_date: expirationDate, scheme } = token
  return {
    token: { type: 'network_token', id: token.id },
    events: [],
    open: async (work) => {
      try {
        return await revealToken(scope, vault, { token, purpose: 'payment' }, (number) =>
          work({
            kind: 'network-token',
            source: 'network-token',
            token: number,
            expirationDate,
            cryptogram: proof?.cryptogram ?? null,
            eci: proof?.eci ?? null,
            scheme,
            cardholderName: null,
            cardSource: null,
          }),
        )
      } catch (error) {
        throw error instanceof ItemGone ? new TokenGone() : error
      }
    },
  }
}

const NONE = { events: [] }

/** The token that the service itself has given for a stored payment method. */
async function findProviderToken(scope: Scope, { vault }: Engine, { source, chosen }: Asked) {
  const { service, connector } = chosen
  if (source.kind !== 'stored' || !connector.manifest.instruments.includes('provider-token')) return NONE
  const { method, securityCode } = source
  const at = { payment_method_id: method.id, payment_service_id: service.id }
  const found = await paymentServiceTokens.liveAt(scope, at)
  if (found?.status !== 'succeeded' || found.vault_token === null) return NONE
  const access = {
    token: found.vault_token,
    fingerprint: null,
    paymentMethodId: method.id,
    purpose: 'payment',
  }
  const type: InstrumentType = method.mode === 'card' ? 'card_token' : 'redirect_token'
  return {
    token: { type, id: found.id },
    events: [],
    open: <Result>(work: Work<Result>) =>
      reveal(scope, vault, access, (token) =>
        work({ kind: 'provider-token', method: method.method, token, securityCode }),
      ).catch((error: unknown) => {
        // The token was deleted meanwhile. Nothing was sent. A card still has its number.
        if (!(error instanceof ItemGone)) throw error
        throw type === 'card_token' ? new TokenGone() : new UnusableInstrument('unavailable_payment_method')
      }),
  }
}

type Card = Extract<Instrument, { kind: 'card' }>
type Work<Result> = (instrument: Instrument) => Promise<Result>
/** A card that waited for the buyer's approval is opened where it was held. */
export type OpenableSource =
  | Source
  | {
      readonly kind: 'held'
      readonly held: HeldCard
      /** How the number had reached us. */
      readonly via: Card['source']
      readonly securityCode: Masked | null
    }

/** The payment method cannot be opened any more. Nothing was sent, so no money has moved. */
class UnusableInstrument extends ApiError {
  /** The error code of the payment, if it had begun. */
  readonly reason: 'unavailable_payment_method' | 'internal_error'

  constructor(reason: UnusableInstrument['reason']) {
    const message =
      reason === 'unavailable_payment_method'
        ? 'the payment method was deleted meanwhile; pay with another one'
        : 'the payment method cannot be used; pay with another one'
    const details = [inBody('/payment_method/id', 'value_error.not_found', message)]
    super('bad_request', { message: 'Request failed validation', details })
    this.reason = reason
  }
}

/** The token that stands in for a card's number was deleted meanwhile. The number may still be there. */
class TokenGone extends Error {
  constructor() {
    super('the token of the card was deleted')
  }
}

/**
 * The payment method, its token or the service was deleted meanwhile. The refusal is certain, because nothing was sent.
 */
export function refusalOf(error: unknown): Refused {
  if (error instanceof UnusableInstrument) return refusal(error.reason)
  if (error instanceof TokenGone) return refusal('invalid_payment_method')
  if (error instanceof ServiceGone) {
    return { ...refusal('invalid_service_configuration'), isRetriable: true }
  }
  throw error
}

/** Opens the card or the bank account for as long as `work` takes. The audit log records what is read from the vault. */
export function withInstrument<Result>(
  scope: Scope,
  vault: Vault,
  source: OpenableSource,
  work: Work<Result>,
): Promise<Result> {
  switch (source.kind) {
    case 'ready':
      return work(source.instrument)
    case 'typed': {
      const { via, number, securityCode, expirationDate, facts } = source
      return work({ kind: 'card', source: via, number, securityCode, expirationDate, scheme: facts.scheme })
    }
    case 'stored':
      return withStored(scope, vault, source, work)
    case 'held':
      return withHeld(scope, vault, source, work)
  }
}

/**
 * Reads the row again: the card may have been replaced since the payment began, and even while it is opened.
 */
async function withStored<Result>(
  scope: Scope,
  vault: Vault,
  source: Extract<OpenableSource, { kind: 'stored' }>,
  work: Work<Result>,
): Promise<Result> {
  const { securityCode } = source
  const { id } = source.method
  const method = await paymentMethods.find(scope, id)
  if (!method?.vault_token) throw new UnusableInstrument('unavailable_payment_method')
  const { vault_token: token } = method
  try {
    return await openStored(scope, vault, { method, securityCode, purpose: 'payment' }, work)
  } catch (error) {
    if (error instanceof WrongItem) throw new UnusableInstrument('internal_error')
    if (!(error instanceof ItemGone)) throw error
    // A deleted method is not found any more. If its row still has this token, the row is damaged.
    if ((await paymentMethods.find(scope, id))?.vault_token === token) throw error
    return withStored(scope, vault, source, work)
  }
}

async function withHeld<Result>(
  scope: Scope,
  vault: Vault,
  { held, via, securityCode }: Extract<OpenableSource, { kind: 'held' }>,
  work: Work<Result>,
): Promise<Result> {
  const { transaction_id: id, number_token: token, card } = held
  const owner = held.store?.id
  const at = { type: 'transaction', id, token, fingerprint: card?.fingerprint ?? null, owner }
  try {
    return await withItem(scope, vault, at, async (number) => {
      if (!number || !card) throw new Error('a held card has no number')
      const { scheme, expirationDate } = card
      return work({ kind: 'card', source: via, number, securityCode, expirationDate, scheme })
    })
  } catch (error) {
    if (error instanceof WrongItem) throw new UnusableInstrument('internal_error')
    // The payment was decided meanwhile, and its card is not held any more.
    const isDropped = error instanceof ItemGone && (await cards.find(scope, id))?.number_token !== token
    throw isDropped ? new UnusableInstrument('unavailable_payment_method') : error
  }
}
