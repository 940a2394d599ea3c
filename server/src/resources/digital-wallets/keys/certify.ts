import { inTransaction, type Scope } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as wallets from '../store.ts'
import { toAudited } from './create.ts'
import { certificateComplaints, describeCertificate, isFor } from './read-pem.ts'
import { refuseOtherMerchant } from './refuse-other-merchant.ts'
import type { DigitalWalletKey } from './schemas.ts'
import { showKey } from './show.ts'
import * as walletKeys from './store.ts'

export type Aim = { readonly walletId: string; readonly id: string }

/** Gives a key its first certificate, or a renewed one. */
export function certifyKey(
  scope: Scope,
  { walletId, id }: Aim,
  certificate: string,
): Promise<DigitalWalletKey> {
  return inTransaction(scope, async (tx) => {
    await wallets.lock(tx, walletId)
    const keys = await walletKeys.list(tx, walletId)
    const before = keys.find((key) => key.id === id)
    if (!before) throw errors.notFound()
    refuseCertificate(before, certificate, tx.clock())
    const certified = describeCertificate(certificate)
    refuseOtherMerchant(
      certified,
      keys.filter((key) => key !== before),
    )
    const after = await walletKeys.certify(tx, before, certified)
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
