import { violatedUnique } from '#platform/database/database-errors.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import { errors, inBody, orNotFound } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once, UNKEYED } from '#platform/idempotency/once.ts'
import type { Action } from '#resources/audit-logs/schemas.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as events from '#resources/events/store.ts'
import type { Buyer, CreateBuyer, UpdateBuyer } from './schemas.ts'
import * as shippingDetails from './shipping-details/store.ts'
import * as buyers from './store.ts'

export function createBuyer(scope: Scope, once: Once, request: CreateBuyer): Promise<Finished<Buyer>> {
  return save(scope, { action: 'created', once }, request, (tx) => buyers.insert(tx, request))
}

export async function updateBuyer(scope: Scope, id: string, request: UpdateBuyer): Promise<Buyer> {
  const saved = await save(scope, { action: 'updated', once: UNKEYED }, request, async (tx) =>
    buyers.update(tx, orNotFound(await buyers.lock(tx, id)), request),
  )
  return saved.answer
}

/** Deletes the buyer and its shipping details. Payment methods and gift cards stay, without a buyer. */
export async function deleteBuyer(scope: Scope, id: string): Promise<void> {
  await save(scope, { action: 'deleted', once: UNKEYED }, {}, async (tx) => {
    if (!(await buyers.lock(tx, id))) throw errors.notFound()
    for (const details of await shippingDetails.removeAll(tx, id)) {
      await events.publish(tx, ['shipping-details.deleted'], details)
    }
    return orNotFound(await buyers.remove(tx, id))
  })
}

type Change = Extract<Action, 'created' | 'updated' | 'deleted'>

async function save(
  scope: Scope,
  { action, once }: { readonly action: Change; readonly once: Once },
  { external_identifier }: UpdateBuyer,
  change: (tx: Scope<Tx>) => Promise<Buyer>,
): Promise<Finished<Buyer>> {
  try {
    return await inFinalTransaction(scope, once, async (tx) => {
      const buyer = await change(tx)
      await auditLogs.record(tx, action, {
        type: auditLogs.OF_BUYERS.buyer,
        id: buyer.id,
        name: buyer.display_name ?? buyer.external_identifier ?? buyer.id,
      })
      await events.publish(tx, [`buyer.${action}`], buyer)
      return buyer
    })
  } catch (error) {
    if (violatedUnique(error) !== 'buyers_external_identifier' || !external_identifier) throw error
    const twin = await buyers.findByExternalIdentifier(scope, external_identifier)
    throw errors.duplicate(
      twin?.id,
      inBody('/external_identifier', 'value_error.duplicate', 'a buyer has this external identifier'),
    )
  }
}
