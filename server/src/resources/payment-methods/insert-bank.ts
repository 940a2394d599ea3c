import type { Scope, Tx } from '#platform/database/db.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import type { Owner } from './insert-card.ts'
import { nameOf } from './name-of.ts'
import type { PaymentMethod } from './schemas.ts'
import { toPaymentMethod } from './show.ts'
import * as paymentMethods from './store.ts'

/** Stores a bank account whose numbers, or whose token, are in the vault, with its audit entry. */
export async function insertBank(
  tx: Scope<Tx>,
  fields: paymentMethods.BankFields,
  { buyer, externalIdentifier, id }: Owner,
): Promise<PaymentMethod> {
  const stored = await paymentMethods.insertBank(tx, fields, {
    buyerId: buyer?.id ?? null,
    externalIdentifier,
    id,
  })
  await auditLogs.record(tx, 'created', {
    type: auditLogs.OF_BUYERS.paymentMethod,
    id: stored.id,
    name: nameOf(stored),
  })
  return toPaymentMethod(stored, buyer)
}
