import type { Scope } from '#platform/db.ts'
import * as operations from '#resources/gift-cards/operations/store.ts'
import * as attempts from '#resources/transactions/attempts/store.ts'

/** How much is asked of a gift card service and not decided yet, for payments and otherwise. */
export async function countOpenAt(scope: Scope, serviceId: string): Promise<number> {
  return (await attempts.countOpenAt(scope, serviceId)) + (await operations.countOpenAt(scope, serviceId))
}
