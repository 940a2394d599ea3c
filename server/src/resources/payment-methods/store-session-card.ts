import { newId } from '#domain/ids.ts'
import { copyItem } from '#payments/store/cards.ts'
import type { Scope } from '#platform/database/db.ts'
import { type ApiError, errors, inBody } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import type { Engine } from '#processing/engine.ts'
import * as checkoutSessions from '#resources/checkout/sessions/store.ts'
import { ItemGone, type Masked, type Vault, WrongItem } from '#vault'
import { insertCard, type Owner } from './insert.ts'
import type { StoreSessionCard } from './new-schemas.ts'
import { sealCard } from './read-card.ts'
import type { PaymentMethod } from './schemas.ts'

type Session = checkoutSessions.StoredSession

/** Stores the card that a buyer has entered in a checkout session. The session can still be paid with it. */
export async function storeSessionCard(
  scope: Scope,
  once: Once,
  engine: Pick<Engine, 'vault' | 'tokenService'>,
  { body, owner }: { readonly body: StoreSessionCard; readonly owner: Owner },
): Promise<Finished<PaymentMethod>> {
  const session = refuseUnusable(await checkoutSessions.find(scope, body.id))
  const number = await openNumber(scope, engine.vault, session)
  try {
    return await inFinalTransaction(scope, once, async (tx) => {
      const current = refuseUnusable(await checkoutSessions.lock(tx, body.id))
      if (current.number_token !== session.number_token) throw cardIsChanging()
      const id = newId(tx.clock().getTime())
      const card = {
        paymentMethodId: id,
        number: number.use(String),
        expirationDate: session.expiration_date ?? '',
        cardType: session.card_type,
      }
      const facts = {
        scheme: session.scheme ?? 'other',
        additionalSchemes: session.additional_schemes ?? [],
        cardType: session.card_type,
        issuer: session.card_issuer_name,
        country: session.card_country,
      }
      return insertCard(tx, engine, await sealCard(tx, engine.vault, card, facts), { ...owner, id })
    })
  } finally {
    number.clear()
  }
}

function refuseUnusable(session: Session | undefined): Session {
  if (!session) throw unusable('there is no such checkout session, or it has expired')
  if (session.transaction_id !== null) {
    throw errors.invalid(inBody('/id', 'value_error.conflict', 'the checkout session is paid already'))
  }
  if (session.method === 'id') {
    const message = 'its payment method is stored already: use payment_method_id of the checkout session'
    throw errors.invalid(inBody('/id', 'value_error.conflict', message))
  }
  if (session.number_token === null) throw unusable('no card has been entered in the checkout session yet')
  return session
}

async function openNumber(scope: Scope, vault: Vault, session: Session): Promise<Masked> {
  const { id, number_token: token, fingerprint } = session
  try {
    const number = await copyItem(scope, vault, { type: 'checkout-session', id, token, fingerprint })
    if (!number) throw new ItemGone()
    return number
  } catch (error) {
    if (error instanceof WrongItem) throw unusable('the card in the checkout session cannot be used')
    // The buyer has entered another card since we read the session.
    if (error instanceof ItemGone) throw cardIsChanging()
    throw error
  }
}

function unusable(message: string): ApiError {
  return errors.invalid(inBody('/id', 'value_error.not_found', message))
}

function cardIsChanging(): ApiError {
  return errors.tooEarly('The card in the checkout session is being changed. Try again.')
}
