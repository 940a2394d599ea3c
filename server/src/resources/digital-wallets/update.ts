import type { Secrets } from '#platform/access/secrets.ts'
import { inTransaction, type Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { inOneSpelling, toAudited } from './create.ts'
import { claimDomains } from './domains/claim.ts'
import { countCertificates } from './keys/store.ts'
import type { DigitalWallet, UpdateDigitalWallet } from './schemas.ts'
import { showWallet } from './show.ts'
import * as wallets from './store.ts'

/** Absent fields stay. Null clears a field, except the name and the domains, which cannot be null. */
export function updateWallet(
  scope: Scope,
  secrets: Secrets,
  id: string,
  request: UpdateDigitalWallet,
): Promise<DigitalWallet> {
  const { merchant_name, domain_names, ...details } = request
  return inTransaction(scope, async (tx) => {
    const before = await wallets.lock(tx, id)
    if (!before) throw errors.notFound()
    const after = await wallets.update(tx, before, {
      ...details,
      ...(merchant_name && { merchant_name }),
      ...(domain_names && { domain_names: inOneSpelling(domain_names) }),
    })
    if (domain_names) await claimDomains(tx, after, '/domain_names')
    else if (request.extra_configuration !== undefined) await claimDomains(tx, after, '/extra_configuration')
    await auditLogs.record(tx, 'updated', toAudited(after))
    return showWallet(secrets, after, await countCertificates(tx, after))
  })
}
