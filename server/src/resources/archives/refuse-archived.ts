import type { Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import * as archives from './store.ts'

/** For what has to know all payments of a buyer. Those in files are not seen, so it would leave them out without a word. */
export async function refuseArchived(scope: Scope, buyerId: string): Promise<void> {
  if (!(await archives.nameBuyer(scope, buyerId))) return
  throw errors.invalid({
    location: 'path',
    pointer: '/buyer_id',
    type: 'value_error.conflict',
    message: `payments of this buyer are archived: ask the operator to run "switchyard archive restore ${buyerId}", then repeat this request`,
  })
}
