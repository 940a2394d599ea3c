import { inTransaction, type Scope } from '#platform/database/db.ts'
import { errors, inBody, orNotFound } from '#platform/http/errors.ts'
import { type Call, type Operation, operationsOf, scopeOf } from '#platform/http/operation.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import type { Vault } from '#vault'
import * as wallets from '../store.ts'
import { createKey, refuseOtherMerchant, showKey, toAudited } from './create.ts'
import { certificateComplaints, complaintsAboutKey, describeCertificate, isFor } from './read-pem.ts'
import {
  CertifyDigitalWalletKey,
  CreateDigitalWalletKey,
  DigitalWalletKey,
  DigitalWalletKeys,
} from './schemas.ts'
import * as walletKeys from './store.ts'

const operation = operationsOf({
  tag: 'Digital wallets: keys',
  concerns: 'merchant-account',
  scopes: 'apple-pay-certificates',
})

export function digitalWalletKeyRoutes({ vault }: { readonly vault: Vault }): Operation[] {
  return [
    operation({
      id: 'list_digital_wallet_keys',
      route: 'GET /digital-wallets/:digital_wallet_id/keys',
      summary: 'List digital wallet keys',
      description: 'Certificates and public keys, newest first. Private keys are never shown.',
      responses: { 200: DigitalWalletKeys },
      handler: async (call) => {
        const scope = scopeOf(call)
        const { digital_wallet_id: walletId } = call.params
        if (!(await wallets.find(scope, walletId))) throw errors.notFound()
        const keys = await walletKeys.newest(scope, { digital_wallet_id: walletId })
        return { items: keys.map((key) => showKey(key, scope.clock())) }
      },
    }),

    operation({
      id: 'create_digital_wallet_key',
      route: 'POST /digital-wallets/:digital_wallet_id/keys',
      summary: 'Create digital wallet key',
      description:
        'Keeps your own key, or makes one if you send none. For Apple Pay, a key that we make comes with a certificate signing request: hand it to Apple and PUT the certificate. A wallet can have several keys of one purpose, so that a new one can be used before the old one expires.',
      needsFreshProof: true,
      body: CreateDigitalWalletKey,
      check: ({ body }, { now }) => complaintsAboutKey(body, now),
      errors: ['duplicate_record'],
      responses: { 201: DigitalWalletKey },
      handler: (call) =>
        createKey(scopeOf(call), call.once, vault, {
          walletId: call.params.digital_wallet_id,
          request: call.body,
        }),
    }),

    operation({
      id: 'certify_digital_wallet_key',
      route: 'PUT /digital-wallets/:digital_wallet_id/keys/:digital_wallet_key_id',
      summary: 'Set digital wallet key certificate',
      description: 'The certificate that Apple issued for the key: the first one, or a renewed one.',
      needsFreshProof: true,
      body: CertifyDigitalWalletKey,
      responses: { 200: DigitalWalletKey },
      handler: (call) => certifyKey(scopeOf(call), aimOf(call), call.body.certificate),
    }),

    operation({
      id: 'delete_digital_wallet_key',
      route: 'DELETE /digital-wallets/:digital_wallet_id/keys/:digital_wallet_key_id',
      summary: 'Delete digital wallet key',
      description:
        'Removes the private key from the vault. Tokens that are sealed for it can no longer be opened.',
      needsFreshProof: true,
      responses: { 204: null },
      handler: (call) => deleteKey(scopeOf(call), vault, aimOf(call)),
    }),
  ]
}

function aimOf({ params }: Call<{ digital_wallet_id: string; digital_wallet_key_id: string }>) {
  return { walletId: params.digital_wallet_id, id: params.digital_wallet_key_id }
}

/** Tokens that are sealed for the key can no longer be opened. */
function deleteKey(scope: Scope, vault: Vault, { walletId, id }: Aim): Promise<void> {
  return inTransaction(scope, async (tx) => {
    await wallets.lock(tx, walletId)
    const key = await walletKeys.find(tx, id)
    if (key?.digital_wallet_id !== walletId) throw errors.notFound()
    await vault.remove(tx.db, tx, key.private_key_token)
    await walletKeys.remove(tx, key.id)
    await auditLogs.record(tx, 'deleted', toAudited(key))
  })
}

type Aim = { readonly walletId: string; readonly id: string }

/** Gives a key its first certificate, or a renewed one. */
function certifyKey(scope: Scope, { walletId, id }: Aim, certificate: string): Promise<DigitalWalletKey> {
  return inTransaction(scope, async (tx) => {
    await wallets.lock(tx, walletId)
    const keys = await walletKeys.newest(tx, { digital_wallet_id: walletId })
    const before = orNotFound(keys.find((key) => key.id === id))
    refuseCertificate(before, certificate, tx.clock())
    const certified = describeCertificate(certificate)
    refuseOtherMerchant(
      certified,
      keys.filter((key) => key !== before),
    )
    const after = await walletKeys.update(tx, before, certified)
    await auditLogs.record(tx, 'updated', toAudited(after))
    return showKey(after, tx.clock())
  })
}

function refuseCertificate(key: walletKeys.StoredKey, certificate: string, now: Date): void {
  if (key.purpose === 'google-payment')
    throw errors.refused('Keys of Google Pay have no certificate. Nothing was changed.')
  const complaints = certificateComplaints(key.purpose, certificate, now)
  if (complaints.length > 0) throw errors.invalid(...complaints)
  if (isFor(certificate, key)) return
  const message = 'is for another key: use the certificate that Apple issued for this key’s signing request'
  throw errors.invalid(inBody('/certificate', 'value_error.conflict', message))
}
