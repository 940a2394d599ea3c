import type { Refused } from '#connectors/contract/connector.ts'
import type { Instrument } from '#connectors/contract/orders.ts'
import type { Scope } from '#platform/database/db.ts'
import { ApiError, inBody } from '#platform/http/errors.ts'
import { refusal } from '#processing/attempts/answer.ts'
import { ServiceGone } from '#processing/service-accounts/open-fields.ts'
import { openStored } from '#resources/payment-methods/open-stored.ts'
import * as paymentMethods from '#resources/payment-methods/store.ts'
import { ItemGone, type Masked, type Vault, WrongItem } from '#vault'
import { withItem } from '../cards/open-item.ts'
import type { HeldCard } from '../cards/store.ts'
import * as cards from '../cards/store.ts'
import type { Source } from '../preparation/payer.ts'

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
export class UnusableInstrument extends ApiError {
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
export class TokenGone extends Error {
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
