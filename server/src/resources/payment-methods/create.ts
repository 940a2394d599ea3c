import { isMissingReference, violatedUnique } from '#platform/database-errors.ts'
import type { Scope } from '#platform/db.ts'
import { errors, inBody } from '#platform/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/once.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { findNamedBuyer } from '#resources/buyers/find-named.ts'
import { lookUp } from '#resources/card-details/store.ts'
import type { Vault } from '#vault'
import { sealCard } from './read-card.ts'
import type { CreatePaymentMethod, PaymentMethod } from './schemas.ts'
import { toPaymentMethod } from './show.ts'
import * as paymentMethods from './store.ts'

/**
 * Stores a card: its number in the vault, its visible part in a row, both in one commit. The security code is
 * not stored.
 */
export async function createPaymentMethod(
  scope: Scope,
  once: Once,
  vault: Vault,
  request: CreatePaymentMethod,
): Promise<Finished<PaymentMethod>> {
  const card = {
    number: request.number,
    expirationDate: request.expiration_date,
    cardType: request.card_type,
  }
  const buyer = await findNamedBuyer(scope, request)
  const facts = await lookUp(scope, card.number)
  const externalIdentifier = request.external_identifier ?? null
  try {
    return await inFinalTransaction(scope, once, async (tx) => {
      const fields = await sealCard(tx, vault, card, facts)
      const stored = await paymentMethods.insertCard(tx, fields, {
        buyerId: buyer?.id ?? null,
        externalIdentifier,
      })
      await auditLogs.record(tx, 'created', {
        type: 'payment-method',
        id: stored.id,
        name: `${fields.scheme} ${fields.label}`,
      })
      return toPaymentMethod(stored, buyer)
    })
  } catch (error) {
    if (isMissingReference(error)) {
      const pointer = request.buyer_id ? '/buyer_id' : '/buyer_external_identifier'
      throw errors.invalid(inBody(pointer, 'value_error.not_found', 'there is no such buyer'))
    }
    if (violatedUnique(error) !== 'payment_methods_external_identifier' || externalIdentifier === null)
      throw error
    const twin = await paymentMethods.findByExternalIdentifier(scope, externalIdentifier)
    const detail = inBody(
      '/external_identifier',
      'value_error.duplicate',
      'use another reference: a payment method has this one',
    )
    throw errors.duplicate(twin, detail)
  }
}
