import type { Vault } from '../../../../vault/client.ts'
import { type Context, inTransaction } from '../../platform/db.ts'
import * as attempts from '../transactions/attempts/store.ts'
import * as paymentServices from './store.ts'

/** Longer than a payment takes that had chosen the service before it was deleted, and is yet to write that down. */
const SLIP_MS = 10 * 60_000

/** Takes from the vault the secrets of deleted services at which nothing is open any more. */
export async function forgetDeleted(context: Context, vault: Vault): Promise<void> {
  const by = new Date(context.clock().getTime() - SLIP_MS)
  for (const service of await paymentServices.listDeletedWithSecrets(context, by)) {
    const scope = { ...context, merchantAccountId: service.merchant_account_id }
    if ((await attempts.countOpenAt(scope, service.id)) > 0) continue
    await inTransaction(scope, async (tx) => {
      for (const token of Object.values(service.secrets)) await vault.remove(tx.db, tx, token)
      await paymentServices.forgetSecrets(tx, service)
    })
  }
}
