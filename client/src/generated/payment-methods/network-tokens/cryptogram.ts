// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../../connect.ts'
import { path } from '../../../path.ts'
import { send } from '../../../send.ts'
import type * as T from '../../types.ts'

/**
 * Create network token cryptogram
 *
 * Proves one payment with the token that you make elsewhere. Payments through this API get their own. It is stored nowhere; an audit entry says who got it.
 *
 * Requires the scope `payment-methods.write`.
 */
export function create(
  connection: Connection,
  paymentMethodId: string,
  networkTokenId: string,
  body: T.CreateCryptogram,
  options?: Options,
): Promise<T.Cryptogram> {
  return send(connection, { method: 'POST', path: path`/payment-methods/${paymentMethodId}/network-tokens/${networkTokenId}/cryptogram`, body }, options)
}
