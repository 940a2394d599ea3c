import type { Instrument } from '../../../../../connectors/contract/orders.ts'
import type { Masked, Vault } from '../../../../../vault/client.ts'
import type { Scope } from '../../../platform/db.ts'
import { reveal } from '../../payment-methods/reveal.ts'
import * as paymentMethods from '../../payment-methods/store.ts'
import type { HeldCard } from '../cards/store.ts'
import type { Source } from '../preparation/payer.ts'
import { withItem } from './open-item.ts'

type Work<Result> = (instrument: Instrument) => Promise<Result>
/** A card that waited for the buyer's approval is opened from where it was held. */
export type OpenableSource =
  | Source
  | { readonly kind: 'held'; readonly held: HeldCard; readonly securityCode: Masked | null }

/** Has the number at hand for as long as `work` takes. What comes from the vault leaves a trace in the audit log. */
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
      return withStored(scope, vault, source.method.id, (number, method) =>
        work(cardOf(method, number, source.securityCode)),
      )
    case 'held':
      return withHeld(scope, vault, source, work)
  }
}

/** Read anew: the card may have been replaced since the payment began. */
async function withStored<Result>(
  scope: Scope,
  vault: Vault,
  id: string,
  work: (number: Masked, method: paymentMethods.StoredMethod) => Promise<Result>,
): Promise<Result> {
  const method = await paymentMethods.find(scope, id)
  if (!method?.vault_token) throw new Error('a stored payment method was deleted while it was paid with')
  const access = { token: method.vault_token, paymentMethodId: id, purpose: 'payment' }
  return reveal(scope, vault, access, (number) => work(number, method))
}

function withHeld<Result>(
  scope: Scope,
  vault: Vault,
  { held, securityCode }: Extract<OpenableSource, { kind: 'held' }>,
  work: Work<Result>,
): Promise<Result> {
  const at = { type: 'transaction', id: held.transaction_id, token: held.number_token }
  return withItem(scope, vault, at, async (number) => {
    if (!number || !held.card) throw new Error('a held card has no number')
    const { scheme, expirationDate } = held.card
    return work(cardOf({ scheme, expiration_date: expirationDate }, number, securityCode))
  })
}

function cardOf(
  { scheme, expiration_date }: { readonly scheme: string | null; readonly expiration_date: string | null },
  number: Masked,
  securityCode: Masked | null,
): Instrument {
  if (expiration_date === null) throw new Error('a card has no expiration date')
  return { kind: 'card', source: 'card', number, securityCode, expirationDate: expiration_date, scheme }
}
