import { inTransaction, type Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import type { Vault } from '#vault'
import * as wallets from '../store.ts'
import type { Aim } from './certify.ts'
import { toAudited } from './create.ts'
import * as walletKeys from './store.ts'

/** Tokens that are sealed for the key can no longer be opened. */
export function deleteKey(scope: Scope, vault: Vault, { walletId, id }: Aim): Promise<void> {
  return inTransaction(scope, async (tx) => {
    await wallets.lock(tx, walletId)
    const key = await walletKeys.find(tx, id)
    if (key?.digital_wallet_id !== walletId) throw errors.notFound()
    await vault.remove(tx.db, tx, key.private_key_token)
    await walletKeys.remove(tx, key)
    await auditLogs.record(tx, 'deleted', toAudited(key))
  })
}
