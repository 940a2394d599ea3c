import type { Scope } from '#platform/database/db.ts'
import { type ApiError, errors } from '#platform/http/errors.ts'
import * as archives from '#resources/archives/store.ts'

/** Why a payment is not found: the account has none with this id, or it was archived. */
export async function missing(scope: Scope, id: string): Promise<ApiError> {
  const month = await archives.monthOf(scope, id)
  if (month === undefined) return errors.notFound()
  return errors.notFoundBecause({
    location: 'path',
    pointer: '/transaction_id',
    type: 'value_error.not_found',
    message: `this payment of ${month} was archived: ask the operator to run "switchyard archive restore ${id}", then repeat this request`,
  })
}
