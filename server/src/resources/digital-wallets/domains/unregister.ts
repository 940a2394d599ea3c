import { inTransaction, type Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { inOneSpelling, toAudited } from '../create.ts'
import * as wallets from '../store.ts'
import { giveUpDomains } from './claim.ts'
import type { Aim } from './register.ts'

/** A domain that is not registered is as good as removed. */
export function unregisterDomain(scope: Scope, { walletId, domain }: Aim): Promise<void> {
  return inTransaction(scope, async (tx) => {
    const wallet = await wallets.lock(tx, walletId)
    if (!wallet) throw errors.notFound()
    const [name] = inOneSpelling([domain])
    const after = wallet.domain_names.filter((registered) => registered !== name)
    if (after.length === wallet.domain_names.length) return
    await giveUpDomains(tx, await wallets.update(tx, wallet, { domain_names: after }))
    await auditLogs.record(tx, 'updated', toAudited(wallet))
  })
}
