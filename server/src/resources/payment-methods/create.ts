import { newId } from '#domain/ids.ts'
import { isMissingReference, violatedUnique } from '#platform/database/database-errors.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import type { Engine } from '#processing/engine.ts'
import { findNamedBuyer } from '#resources/buyers/find-named.ts'
import { lookUp } from '#resources/card-details/store.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import { Masked, type Vault } from '#vault'
import { insertBank, insertCard, type Owner } from './insert.ts'
import type { CreatePaymentMethod, StoreCard, StorePlaid } from './new-schemas.ts'
import { sealCard } from './read-card.ts'
import { readNewMethod } from './read-new.ts'
import type { PaymentMethod } from './schemas.ts'
import type { BankFields } from './store.ts'
import * as paymentMethods from './store.ts'
import { storeBankAccount } from './store-bank-account.ts'
import { storeRedirect, takeUpRedirect } from './store-redirect.ts'
import { storeSessionCard } from './store-session-card.ts'

/** Stores a payment method: cards and bank accounts in our vault, other methods at a provider. */
export async function createPaymentMethod(
  scope: Scope,
  once: Once,
  engine: Engine,
  request: CreatePaymentMethod,
): Promise<Finished<PaymentMethod>> {
  if (once.begun) return takeUpRedirect(scope, engine, once, once.begun)
  const { kind, body } = readNewMethod(request)
  const buyer = await findNamedBuyer(scope, body)
  const owner = { buyer, externalIdentifier: body.external_identifier ?? null }
  try {
    switch (kind) {
      case 'card':
        return await storeCard(scope, once, engine, { body, owner })
      case 'checkout-session':
        return await storeSessionCard(scope, once, engine, { body, owner })
      case 'ach':
      case 'bacs':
      case 'sepa':
        return await storeBankAccount(scope, once, engine, { scheme: kind, body, owner })
      case 'plaid':
        return await storePlaid(scope, once, engine, { body, owner })
      case 'redirect':
        return await storeRedirect(scope, engine, once, { body, owner })
    }
  } catch (error) {
    return refuseOwner(scope, error, request)
  }
}

/** The buyer was deleted meanwhile, or another method has the reference. */
async function refuseOwner(
  scope: Scope,
  error: unknown,
  { buyer_id, external_identifier }: CreatePaymentMethod,
): Promise<never> {
  if (isMissingReference(error)) {
    const pointer = buyer_id ? '/buyer_id' : '/buyer_external_identifier'
    throw errors.invalid(inBody(pointer, 'value_error.not_found', 'there is no such buyer'))
  }
  if (violatedUnique(error) !== 'payment_methods_external_identifier' || !external_identifier) throw error
  const twin = await paymentMethods.findByExternalIdentifier(scope, external_identifier)
  const detail = inBody(
    '/external_identifier',
    'value_error.duplicate',
    'use another reference: a payment method has this one',
  )
  throw errors.duplicate(twin, detail)
}

/**
 * Stores a card: its number in the vault, its visible part in a row, both in one commit. The security code is
 * not stored.
 */
export async function storeCard(
  scope: Scope,
  once: Once,
  engine: Pick<Engine, 'vault' | 'tokenService'>,
  { body, owner }: { readonly body: StoreCard; readonly owner: Owner },
): Promise<Finished<PaymentMethod>> {
  const card = { number: body.number, expirationDate: body.expiration_date, cardType: body.card_type }
  const facts = await lookUp(scope, card.number)
  return inFinalTransaction(scope, once, async (tx) => {
    const id = newId(tx.clock().getTime())
    const sealed = await sealCard(tx, engine.vault, { ...card, paymentMethodId: id }, facts)
    return insertCard(tx, engine, sealed, { ...owner, id })
  })
}

/** Stores a token of Plaid in the vault. We do not ask Plaid: the payment service that charges it does. */
async function storePlaid(
  scope: Scope,
  once: Once,
  engine: Engine,
  { body, owner }: { readonly body: StorePlaid; readonly owner: Owner },
): Promise<Finished<PaymentMethod>> {
  await refuseOtherService(scope, engine, body.payment_service_id ?? null)
  return inFinalTransaction(scope, once, async (tx) => {
    const id = newId(tx.clock().getTime())
    return insertBank(tx, await sealToken(tx, engine.vault, body, id), { ...owner, id })
  })
}

async function refuseOtherService(scope: Scope, { providers }: Engine, id: string | null): Promise<void> {
  if (id === null) return
  const service = await paymentServices.find(scope, id)
  if (!service) {
    const message = 'there is no such payment service'
    throw errors.invalid(inBody('/payment_service_id', 'value_error.not_found', message))
  }
  const connector = providers.connectors.find(service.payment_service_definition_id)
  if (service.method === 'plaid' && connector?.manifest.instruments.includes('plaid')) return
  const message = `${service.display_name} takes no tokens of Plaid; name another service`
  throw errors.invalid(inBody('/payment_service_id', 'value_error.conflict', message))
}

async function sealToken(tx: Scope<Tx>, vault: Vault, body: StorePlaid, owner: string): Promise<BankFields> {
  const { token, account_id = null, payment_service_id = null } = body
  const payload = new Masked(JSON.stringify({ method: 'plaid', token, account_id }))
  try {
    return {
      method: 'plaid',
      bank_scheme: null,
      label: null,
      currency: null,
      payment_service_id,
      fingerprint: await vault.fingerprint(tx.db, payload),
      vault_token: await vault.store(tx.db, tx, { name: 'plaid-token', owner }, payload),
    }
  } finally {
    payload.clear()
  }
}
