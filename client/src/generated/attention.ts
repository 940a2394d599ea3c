// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../connect.ts'
import { type List, list as listOf } from '../list.ts'
import type * as T from './types.ts'

/**
 * Get attention
 *
 * What needs a person in a merchant account, each with a count of up to 100, the time of the oldest, the nearest deadline, and the list that shows them: payments that wait for a review, payments that are `processing` for more than 5 minutes, attempts whose outcome no provider can tell any more, chargebacks that can still be answered and were not, open incidents, events that a webhook subscription did not take, findings of page checks, certificates that expire within 30 days, payment services that are unverified or disabled, API keys that were not used for 90 days, and settlement reports that cannot be read or fit no payment.
 *
 * Requires the scope `attention.read`.
 */
export function get(
  connection: Connection,
  options?: Options,
): List<T.Attention> {
  return listOf(connection, '/attention', undefined, options)
}
