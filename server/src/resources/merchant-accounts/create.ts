import { TOKEN_SCHEMES } from '#connectors/contract/network-token.ts'
import type { Secrets } from '#platform/access/secrets.ts'
import { violatedUnique } from '#platform/database/database-errors.ts'
import type { Context } from '#platform/database/db.ts'
import { type ErrorDetail, errors, inBody } from '#platform/http/errors.ts'
import type { Reach } from '#platform/http/operation.ts'
import type { Sound } from '#platform/http/validation.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { refuseTakenNetworkToken, settingsComplaints } from './check-settings.ts'
import type { CreateMerchantAccount, MerchantAccount } from './schemas.ts'
import { isMask, showAccount } from './show.ts'
import * as merchantAccounts from './store.ts'

/** Checks of a new account that a schema cannot express. */
export function accountComplaints(request: Sound<CreateMerchantAccount>): ErrorDetail[] {
  const masked = merchantAccounts.KEY_FIELDS.filter((field) => isMask(request[field]))
  return [
    ...masked.map((field) => inBody(`/${field}`, 'value_error.const', 'send the key: this is only its mask')),
    ...settingsComplaints(request),
  ]
}

/** Only a key that reaches all merchant accounts may add one: a narrower key could not even see it. */
export async function createMerchantAccount(
  context: Context,
  once: Once,
  secrets: Secrets,
  { callerReach, request }: { readonly callerReach: Reach; readonly request: CreateMerchantAccount },
): Promise<Finished<MerchantAccount>> {
  if (callerReach !== 'all') {
    throw errors.forbidden(
      inBody('/id', 'value_error.conflict', 'this key is restricted to its merchant accounts'),
    )
  }
  const settings = withDefaults(request)
  try {
    return await inFinalTransaction(context, once, async (tx) => {
      const account = await merchantAccounts.insert(tx, secrets, settings)
      await auditLogs.record({ ...tx, merchantAccountId: account.id }, 'created', {
        type: 'merchant-account',
        id: account.id,
        name: account.display_name,
      })
      return showAccount(account)
    })
  } catch (error) {
    if (violatedUnique(error) === 'merchant_accounts_pkey') {
      throw errors.duplicate(
        request.id,
        inBody('/id', 'value_error.duplicate', 'a merchant account has this id'),
      )
    }
    throw await refuseTakenNetworkToken(context, callerReach, settings, error)
  }
}

function withDefaults(request: CreateMerchantAccount): merchantAccounts.Settings {
  const tokens = TOKEN_SCHEMES.flatMap((scheme) => [
    [`${scheme}_network_tokens_requestor_id`, null],
    [`${scheme}_network_tokens_app_id`, null],
  ])
  return {
    account_updater_enabled: false,
    account_updater_request_encryption_key: null,
    account_updater_request_encryption_key_id: null,
    account_updater_response_decryption_key: null,
    account_updater_response_decryption_key_id: null,
    over_capture_amount: null,
    over_capture_percentage: null,
    loon_client_key: null,
    loon_secret_key: null,
    loon_accepted_schemes: null,
    loon_merchant_account_id: null,
    async_network_tokens_enabled: false,
    ...Object.fromEntries(tokens),
    ...request,
  }
}
