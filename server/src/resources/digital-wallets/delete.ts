import { inTransaction, type Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import type { Vault } from '#vault'
import { toAudited } from './create.ts'
import * as walletKeys from './keys/store.ts'
import * as wallets from './store.ts'

const IN_USE =
  'The wallet has active certificates, so pages may still show its button. Delete its keys first, then the wallet.'

/** Deletes a wallet with its other keys. */
export function deleteWallet(scope: Scope, vault: Vault, id: string): Promise<void> {
  return inTransaction(scope, async (tx) => {
    const wallet = await wallets.lock(tx, id)
    if (!wallet) throw errors.notFound()
    const certificates = await walletKeys.countCertificates(tx, wallet)
    if (certificates.active > 0) throw errors.refused(IN_USE)
    for (const key of await walletKeys.list(tx, id)) {
      await vault.remove(tx.db, tx, key.private_key_token)
      await walletKeys.remove(tx, key)
    }
    await wallets.remove(tx, wallet)
    await auditLogs.record(tx, 'deleted', toAudited(wallet))
  })
}
