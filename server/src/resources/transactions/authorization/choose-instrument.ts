import type { ErrorCode } from '#connectors/contract/codes.ts'
import type { SyncAnswer } from '#connectors/contract/connector.ts'
import type { Scope } from '#platform/database/db.ts'
import type { Engine } from '#processing/engine.ts'
import type { NewEvent } from '../events/store.ts'
import type { InstrumentType } from '../wire/transaction.ts'
import { findNetworkToken } from './find-network-token.ts'
import { findProviderToken } from './find-provider-token.ts'
import { withInstrument } from './open-instrument.ts'
import type { Asked, NotThere, Presented } from './presented.ts'

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
