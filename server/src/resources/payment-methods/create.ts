import type { Vault } from '../../../../vault/client.ts'
import { inFinalTransaction, type Scope, violatedUnique } from '../../platform/db.ts'
import { errors, inBody } from '../../platform/errors.ts'
import * as auditLogs from '../audit-logs/store.ts'
import { findNamedBuyer } from '../buyers/find-named.ts'
import { checkCard, sealCard } from './read-card.ts'
import type { CreatePaymentMethod, PaymentMethod } from './schemas.ts'
import { showMethod } from './show.ts'
import * as paymentMethods from './store.ts'

/** Stores a card: its number in the vault, what may be known of it in a row, both in one commit. The code is not kept. */
export async function createPaymentMethod(
  scope: Scope,
  vault: Vault,
  request: CreatePaymentMethod,
): Promise<PaymentMethod> {
  const card = {
    number: request.number,
    expirationDate: request.expiration_date,
    cardType: request.card_type,
  }
  checkCard(card, scope.clock())
  const buyer = await findNamedBuyer(scope, request)
  const externalIdentifier = request.external_identifier ?? null
  try {
    return await inFinalTransaction(scope, async (tx) => {
      const fields = await sealCard(tx, vault, card)
      const id = await paymentMethods.insertCard(tx, fields, {
        buyerId: buyer?.id ?? null,
        externalIdentifier,
      })
      await auditLogs.record(tx, {
        action: 'created',
        resource: { type: 'payment-method', id, name: `${fields.scheme} ${fields.label}` },
        merchantAccountId: scope.merchantAccountId,
      })
      const stored = await paymentMethods.find(tx, id)
      if (!stored) throw new Error('a payment method vanished from its own transaction')
      return showMethod(tx, stored)
    })
  } catch (error) {
    if (violatedUnique(error) !== 'payment_methods_external_identifier' || externalIdentifier === null)
      throw error
    const twin = await paymentMethods.findByExternalIdentifier(scope, externalIdentifier)
    const detail = inBody(
      '/external_identifier',
      'value_error.duplicate',
      'a payment method has this reference',
    )
    throw errors.duplicate(twin, detail)
  }
}
