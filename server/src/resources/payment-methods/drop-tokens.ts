import type { Scope, Tx } from '#platform/database/db.ts'
import type { Vault } from '#vault'
import { dropTokenOf } from './network-tokens/drop.ts'
import { retire } from './payment-service-tokens/forget.ts'
import * as paymentServiceTokens from './payment-service-tokens/store.ts'

/** The method is deleted, and its tokens with it: the schemes and payment services are asked to delete their own. */
export async function dropTokens(tx: Scope<Tx>, vault: Vault, paymentMethodId: string): Promise<void> {
  await dropTokenOf(tx, vault, paymentMethodId)
  for (const token of await paymentServiceTokens.lockOf(tx, paymentMethodId)) await retire(tx, token)
}
