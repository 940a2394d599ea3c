// Made by tools/client.ts. Do not edit.

import type { Connection, Options } from '../../connect.ts'
import { type List, list as listOf } from '../../list.ts'
import { path } from '../../path.ts'
import { send } from '../../send.ts'
import type * as T from '../types.ts'

export * as cryptogram from './network-tokens/cryptogram.ts'
export { delete_ as delete }

/**
 * List network tokens
 *
 * The tokens of a card, newest first, with deleted ones. Each number that is shown is audited.
 *
 * Requires the scope `payment-methods.read`.
 */
export function list(
  connection: Connection,
  paymentMethodId: string,
  options?: Options,
): List<T.NetworkTokens> {
  return listOf(connection, path`/payment-methods/${paymentMethodId}/network-tokens`, undefined, options)
}

/**
 * Provision network token
 *
 * Asks the card’s scheme for a token that stands in for its number. The merchant account must have its ids for the scheme. A card has one token at a time.
 *
 * Requires the scope `payment-methods.write`.
 */
export function create(
  connection: Connection,
  paymentMethodId: string,
  body: T.CreateNetworkToken,
  options?: Options,
): Promise<T.NetworkToken> {
  return send(connection, { method: 'POST', path: path`/payment-methods/${paymentMethodId}/network-tokens`, body }, options)
}

/**
 * Suspend network token
 *
 * It is not used until it is resumed. Payments are made with the number.
 *
 * Requires the scope `payment-methods.write`.
 */
export function suspend(
  connection: Connection,
  paymentMethodId: string,
  networkTokenId: string,
  options?: Options,
): Promise<T.NetworkToken> {
  return send(connection, { method: 'POST', path: path`/payment-methods/${paymentMethodId}/network-tokens/${networkTokenId}/suspend` }, options)
}

/**
 * Resume network token
 *
 * A suspended token is active again.
 *
 * Requires the scope `payment-methods.write`.
 */
export function resume(
  connection: Connection,
  paymentMethodId: string,
  networkTokenId: string,
  options?: Options,
): Promise<T.NetworkToken> {
  return send(connection, { method: 'POST', path: path`/payment-methods/${paymentMethodId}/network-tokens/${networkTokenId}/resume` }, options)
}

/**
 * Delete network token
 *
 * Its number leaves the vault at once, and the token service is asked to delete it, until it has.
 *
 * Requires the scope `payment-methods.write`.
 */
function delete_(
  connection: Connection,
  paymentMethodId: string,
  networkTokenId: string,
  options?: Options,
): Promise<undefined> {
  return send(connection, { method: 'DELETE', path: path`/payment-methods/${paymentMethodId}/network-tokens/${networkTokenId}` }, options)
}
