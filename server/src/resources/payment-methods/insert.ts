import type { Scope, Tx } from '#platform/database/db.ts'
import type { Engine } from '#processing/engine.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import type { Buyer } from '#resources/buyers/schemas.ts'
import { queueProvision } from './network-tokens/queue-provision.ts'
import type { PaymentMethod } from './schemas.ts'
import { nameOf, toPaymentMethod } from './show.ts'
import * as paymentMethods from './store.ts'

/** For whom a payment method is stored, and under which reference. */
export type Owner = {
  readonly buyer: Buyer | undefined
  readonly externalIdentifier: string | null
  /** Of the payment method, for which its number was sealed. */
  readonly id?: string
}

/** Stores a card whose number is in the vault, with its audit entry. */
export async function insertCard(
  tx: Scope<Tx>,
  engine: Pick<Engine, 'providers'>,
  fields: paymentMethods.CardFields,
  { buyer, externalIdentifier, id }: Owner,
): Promise<PaymentMethod> {
  const owner = { buyerId: buyer?.id ?? null, externalIdentifier, id }
  const stored = await paymentMethods.insertCard(tx, fields, owner)
  await auditLogs.record(tx, 'created', {
    type: auditLogs.OF_BUYERS.paymentMethod,
    id: stored.id,
    name: nameOf(stored),
  })
  await queueProvision(tx, engine, {
    paymentMethodId: stored.id,
    scheme: fields.scheme,
    isMerchantInitiated: false,
    isSubsequentPayment: false,
    transactionId: null,
  })
  return toPaymentMethod(stored, buyer)
}

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
