import type { Secrets } from '#platform/access/secrets.ts'
import { inTransaction } from '#platform/database/db.ts'
import { errors, orNotFound } from '#platform/http/errors.ts'
import { type Call, type Operation, operationsOf, type Reach } from '#platform/http/operation.ts'
import { Strict } from '#platform/http/schemas.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import type { Resource } from '#resources/resource.ts'
import { checkSettings, refuseTakenNetworkToken } from './check-settings.ts'
import { accountComplaints, createMerchantAccount } from './create.ts'
import {
  CreateMerchantAccount,
  MerchantAccount,
  MerchantAccountFilters,
  MerchantAccountId,
  MerchantAccounts,
  UpdateMerchantAccount,
} from './schemas.ts'
import { isMask, showAccount } from './show.ts'
import * as merchantAccounts from './store.ts'
import { serveLogos, themeRoutes } from './theme/routes.ts'
import { threeDSConfigurationRoutes } from './three-ds-configurations/routes.ts'

const Path = Strict({ merchant_account_id: MerchantAccountId })
const operation = operationsOf({
  tag: 'Merchant accounts',
  concerns: 'instance',
  scopes: 'merchant-accounts',
})

function merchantAccountRoutes({ secrets }: { readonly secrets: Secrets }): Operation[] {
  return [
    operation({
      id: 'list_merchant_accounts',
      route: 'GET /merchant-accounts',
      summary: 'List merchant accounts',
      description: 'The merchant accounts that this key can reach, newest first.',
      isList: true,
      query: MerchantAccountFilters,
      responses: { 200: MerchantAccounts },
      handler: async ({ context, callerReach, query }) => {
        const page = await merchantAccounts.list(context, secrets, callerReach, query)
        return { ...page, items: page.items.map(showAccount) }
      },
    }),

    operation({
      id: 'create_merchant_account',
      route: 'POST /merchant-accounts',
      summary: 'Create merchant account',
      description: 'The id cannot be changed later. The key must reach all merchant accounts.',
      needsFreshProof: true,
      body: CreateMerchantAccount,
      check: ({ body }) => accountComplaints(body),
      errors: ['duplicate_record'],
      responses: { 201: MerchantAccount },
      handler: ({ context, once, callerReach, body }) =>
        createMerchantAccount(context, once, secrets, { callerReach, request: body }),
    }),

    operation({
      id: 'get_merchant_account',
      route: 'GET /merchant-accounts/:merchant_account_id',
      summary: 'Get merchant account',
      params: Path,
      responses: { 200: MerchantAccount },
      handler: async ({ context, callerReach, params }) => {
        refuseHidden(callerReach, params.merchant_account_id)
        const account = orNotFound(await merchantAccounts.find(context, secrets, params.merchant_account_id))
        return showAccount(account)
      },
    }),

    operation({
      id: 'update_merchant_account',
      route: 'PUT /merchant-accounts/:merchant_account_id',
      summary: 'Update merchant account',
      description: 'Fields that are left out stay as they are; null clears a field.',
      needsFreshProof: true,
      params: Path,
      body: UpdateMerchantAccount,
      errors: ['duplicate_record'],
      responses: { 200: MerchantAccount },
      handler: (call) => {
        refuseHidden(call.callerReach, call.params.merchant_account_id)
        return updateMerchantAccount(call, secrets, call.params.merchant_account_id, call.body)
      },
    }),
  ]
}

/** An account that the key may not use looks like a missing one. */
function refuseHidden(callerReach: Reach, id: string): void {
  if (callerReach !== 'all' && !callerReach.includes(id)) throw errors.notFound()
}

/** Absent fields stay, null clears. A field that cannot be empty keeps its value when it is null. */
async function updateMerchantAccount(
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
      const before = orNotFound(await merchantAccounts.lock(tx, secrets, id))
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

export const merchantAccountResource: Resource = {
  operations: (needs) => [
    ...merchantAccountRoutes(needs),
    ...threeDSConfigurationRoutes,
    ...themeRoutes(needs),
  ],
  servePages: (app, { contextOf }) => serveLogos(app, contextOf('Buyer')),
}
