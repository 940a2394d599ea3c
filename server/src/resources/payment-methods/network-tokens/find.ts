import type { Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import * as paymentMethods from '../store.ts'
import * as networkTokens from './store.ts'

export type Place = { readonly payment_method_id: string; readonly network_token_id: string }

/** A token of a card that is not deleted. Deleted tokens, and those that were never made, are not found. */
export async function findToken(
  scope: Scope,
  { payment_method_id, network_token_id }: Place,
): Promise<networkTokens.LiveToken> {
  const token = await networkTokens.find(scope, network_token_id)
  const isThere = networkTokens.isLive(token) && token.payment_method_id === payment_method_id
  if (!isThere || !(await paymentMethods.find(scope, payment_method_id))) throw errors.notFound()
  return token
}
