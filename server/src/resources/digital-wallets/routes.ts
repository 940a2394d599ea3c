import type { Secrets } from '#platform/access/secrets.ts'
import { inTransaction, type Scope } from '#platform/database/db.ts'
import { errors, orNotFound } from '#platform/http/errors.ts'
import { type Operation, operationsOf, scopeOf } from '#platform/http/operation.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import type { Resource } from '#resources/resource.ts'
import type { Vault } from '#vault'
import { complaintsAboutNew, complaintsAboutSettings } from './check-request.ts'
import { createWallet, inOneSpelling, showWallet, toAudited } from './create.ts'
import { claimDomains } from './domains/claim.ts'
import { digitalWalletDomainRoutes, serveDomainAssociations } from './domains/routes.ts'
import { digitalWalletKeyRoutes } from './keys/routes.ts'
import * as walletKeys from './keys/store.ts'
import { countCertificates, countOfEach, NO_CERTIFICATES } from './keys/store.ts'
import { CreateDigitalWallet, DigitalWallet, DigitalWallets, UpdateDigitalWallet } from './schemas.ts'
import { digitalWalletSessionRoutes } from './session/routes.ts'
import * as wallets from './store.ts'

const IN_USE =
  'The wallet has active certificates, so pages may still show its button. Delete its keys first, then the wallet.'

const operation = operationsOf({
  tag: 'Digital wallets',
  concerns: 'merchant-account',
  scopes: 'digital-wallets',
})

type Needs = { readonly secrets: Secrets; readonly vault: Vault }

function digitalWalletRoutes(needs: Needs): Operation[] {
  return [...collectionRoutes(needs), ...itemRoutes(needs)]
}

function collectionRoutes({ secrets }: Needs): Operation[] {
  return [
    operation({
      id: 'list_digital_wallets',
      route: 'GET /digital-wallets',
      summary: 'List digital wallets',
      description: 'All digital wallets, newest first.',
      isList: true,
      responses: { 200: DigitalWallets },
      handler: async ({ context, reach }) => {
        const rows = await wallets.list(context, reach)
        const counts = await countOfEach(context, rows)
        return { items: rows.map((row) => showWallet(secrets, row, counts.get(row.id) ?? NO_CERTIFICATES)) }
      },
    }),

    operation({
      id: 'configure_digital_wallet',
      route: 'POST /digital-wallets',
      summary: 'Register digital wallet',
      description:
        'Apple Pay, Google Pay, Click to Pay or Paze for this merchant account. An account has one wallet of each: a second one is answered with 409.',
      body: CreateDigitalWallet,
      check: ({ body }) => complaintsAboutNew(body),
      errors: ['duplicate_record'],
      responses: { 201: DigitalWallet },
      handler: (call) => createWallet(scopeOf(call), call.once, secrets, call.body),
    }),
  ]
}

function itemRoutes({ secrets, vault }: Needs): Operation[] {
  return [
    operation({
      id: 'get_digital_wallet',
      route: 'GET /digital-wallets/:digital_wallet_id',
      summary: 'Get digital wallet',
      responses: { 200: DigitalWallet },
      handler: async (call) => {
        const scope = scopeOf(call)
        const wallet = orNotFound(await wallets.find(scope, call.params.digital_wallet_id))
        return showWallet(secrets, wallet, await countCertificates(scope, wallet))
      },
    }),

    operation({
      id: 'update_digital_wallet',
      route: 'PUT /digital-wallets/:digital_wallet_id',
      summary: 'Update digital wallet',
      description:
        'Fields that are left out stay as they are; null clears a field. The name and the domains cannot be null: they stay. The domains, the address and the extra configuration are replaced as a whole.',
      body: UpdateDigitalWallet,
      check: ({ body }) => complaintsAboutSettings(body),
      errors: ['duplicate_record'],
      responses: { 200: DigitalWallet },
      handler: (call) => updateWallet(scopeOf(call), secrets, call.params.digital_wallet_id, call.body),
    }),

    operation({
      id: 'delete_digital_wallet',
      route: 'DELETE /digital-wallets/:digital_wallet_id',
      summary: 'Delete digital wallet',
      description:
        'A wallet with active certificates cannot be deleted: delete its keys first. Other keys are deleted with it.',
      responses: { 204: null },
      handler: (call) => deleteWallet(scopeOf(call), vault, call.params.digital_wallet_id),
    }),
  ]
}

/** Deletes a wallet with its other keys. */
function deleteWallet(scope: Scope, vault: Vault, id: string): Promise<void> {
  return inTransaction(scope, async (tx) => {
    const wallet = orNotFound(await wallets.lock(tx, id))
    const certificates = await walletKeys.countCertificates(tx, wallet)
    if (certificates.active > 0) throw errors.refused(IN_USE)
    for (const key of await walletKeys.newest(tx, { digital_wallet_id: id })) {
      await vault.remove(tx.db, tx, key.private_key_token)
      await walletKeys.remove(tx, key.id)
    }
    await wallets.remove(tx, id)
    await auditLogs.record(tx, 'deleted', toAudited(wallet))
  })
}

/** Absent fields stay. Null clears a field, except the name and the domains, which cannot be null. */
function updateWallet(
  scope: Scope,
  secrets: Secrets,
  id: string,
  request: UpdateDigitalWallet,
): Promise<DigitalWallet> {
  const { merchant_name, domain_names, ...details } = request
  return inTransaction(scope, async (tx) => {
    const before = orNotFound(await wallets.lock(tx, id))
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

export const digitalWalletResource: Resource = {
  operations: (needs) => [
    ...digitalWalletRoutes(needs),
    ...digitalWalletDomainRoutes,
    ...digitalWalletKeyRoutes(needs),
    ...digitalWalletSessionRoutes(needs),
  ],
  servePages: (app, { contextOf }) => serveDomainAssociations(app, contextOf('Apple')),
}
