import type { Scope } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { inOneSpelling, toAudited } from '../create.ts'
import { DOMAINS_MAX } from '../schemas.ts'
import * as wallets from '../store.ts'
import { claimDomains } from './claim.ts'
import type { RegisteredDomain } from './schemas.ts'

export type Aim = { readonly walletId: string; readonly domain: string }

/** Registering a domain again changes nothing. */
export function registerDomain(
  scope: Scope,
  once: Once,
  { walletId, domain }: Aim,
): Promise<Finished<RegisteredDomain>> {
  return inFinalTransaction(scope, once, async (tx) => {
    const wallet = await wallets.lock(tx, walletId)
    if (!wallet) throw errors.notFound()
    const { provider, domain_names: before } = wallet
    if (provider !== 'apple') throw refusalFor(provider)
    const after = inOneSpelling([...before, domain])
    if (after.length > DOMAINS_MAX)
      throw errors.invalid(
        inBody(
          '/domain_name',
          'value_error.list.max_items',
          `the wallet has ${DOMAINS_MAX} domains, the most allowed`,
        ),
      )
    if (after.length > before.length) {
      await claimDomains(tx, await wallets.update(tx, wallet, { domain_names: after }), '/domain_name')
      await auditLogs.record(tx, 'updated', toAudited(wallet))
    }
    return {}
  })
}

function refusalFor(provider: string): Error {
  return errors.refused(
    `Domains are registered for Apple Pay only, and this wallet is of the provider ${provider}. Its pages need no registration.`,
  )
}
