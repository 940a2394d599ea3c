import type { Secrets } from '#platform/access/secrets.ts'
import { inTransaction } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import type { Call } from '#platform/http/operation.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { checkSettings } from './check-settings.ts'
import { refuseTakenNetworkToken } from './refuse-taken-network-token.ts'
import type { MerchantAccount, UpdateMerchantAccount } from './schemas.ts'
import { isMask, showAccount } from './show.ts'
import * as merchantAccounts from './store.ts'

/** Absent fields stay, null clears. A field that cannot be empty keeps its value when it is null. */
export async function updateMerchantAccount(
  { context, callerReach }: Pick<Call, 'context' | 'callerReach'>,
  secrets: Secrets,
  id: string,
  request: UpdateMerchantAccount,
): Promise<MerchantAccount> {
  const { display_name, ...settings } = request
  const changes = Object.fromEntries(Object.entries(settings).filter(([, value]) => !isMask(value)))
  let wanted: merchantAccounts.Account | undefined
  try {
    return await inTransaction(context, async (tx) => {
      const before = await merchantAccounts.lock(tx, secrets, id)
      if (!before) throw errors.notFound()
      wanted = { ...before, ...changes, display_name: display_name ?? before.display_name }
      checkSettings(wanted)
      const account = await merchantAccounts.update(tx, secrets, wanted)
      await auditLogs.record({ ...tx, merchantAccountId: id }, 'updated', {
        type: 'merchant-account',
        id,
        name: account.display_name,
      })
      return showAccount(account)
    })
  } catch (error) {
    throw wanted ? await refuseTakenNetworkToken(context, callerReach, wanted, error) : error
  }
}
