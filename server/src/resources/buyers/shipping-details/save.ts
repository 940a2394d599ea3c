import type { Scope, Tx } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once, UNKEYED } from '#platform/idempotency/once.ts'
import type { Action } from '#resources/audit-logs/schemas.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as events from '#resources/events/store.ts'
import * as buyers from '../store.ts'
import type { CreateShippingDetails, ShippingDetails, UpdateShippingDetails } from './schemas.ts'
import * as shippingDetails from './store.ts'

export function createShippingDetails(
  scope: Scope,
  once: Once,
  buyerId: string,
  request: CreateShippingDetails,
): Promise<Finished<ShippingDetails>> {
  return save(scope, once, 'created', async (tx) => {
    if (!(await buyers.hold(tx, buyerId))) return undefined
    return shippingDetails.insert(tx, buyerId, request)
  })
}

export async function updateShippingDetails(
  scope: Scope,
  key: shippingDetails.Key,
  request: UpdateShippingDetails,
): Promise<ShippingDetails> {
  const saved = await save(scope, UNKEYED, 'updated', (tx) => shippingDetails.update(tx, key, request))
  return saved.answer
}

export async function deleteShippingDetails(scope: Scope, key: shippingDetails.Key): Promise<void> {
  await save(scope, UNKEYED, 'deleted', (tx) => shippingDetails.remove(tx, key))
}

type Change = Extract<Action, 'created' | 'updated' | 'deleted'>

/** `change` returns undefined if there is nothing to change. */
async function save(
  scope: Scope,
  once: Once,
  action: Change,
  change: (tx: Scope<Tx>) => Promise<ShippingDetails | undefined>,
): Promise<Finished<ShippingDetails>> {
  return inFinalTransaction(scope, once, async (tx) => {
    const details = await change(tx)
    if (!details) throw errors.notFound()
    await auditLogs.record(tx, action, {
      type: auditLogs.OF_BUYERS.shippingDetails,
      id: details.id,
      name: nameOf(details),
    })
    await events.publish(tx, [`shipping-details.${action}`], details)
    return details
  })
}

function nameOf({ id, first_name, last_name, email_address }: ShippingDetails): string {
  const fullName = [first_name, last_name].filter((part) => part !== null).join(' ')
  return fullName || email_address || id
}
