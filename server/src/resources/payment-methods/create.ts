import { isMissingReference, violatedUnique } from '#platform/database/database-errors.ts'
import type { Scope } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import type { Finished, Once } from '#platform/idempotency/once.ts'
import type { Engine } from '#processing/engine.ts'
import { findNamedBuyer } from '#resources/buyers/find-named.ts'
import type { CreatePaymentMethod } from './new-schemas.ts'
import { readNewMethod } from './read-new.ts'
import type { PaymentMethod } from './schemas.ts'
import * as paymentMethods from './store.ts'
import { storeBankAccount } from './store-bank-account.ts'
import { storeCard } from './store-card.ts'
import { storePlaid } from './store-plaid.ts'
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
