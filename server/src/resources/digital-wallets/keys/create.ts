import { createPrivateKey, createPublicKey } from 'node:crypto'
import { violatedUnique } from '#platform/database/database-errors.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import { sealValue } from '#processing/service-accounts/seal-fields.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import type { Vault } from '#vault'
import * as wallets from '../store.ts'
import { makePair, type Pair, requestCertificate } from './make-key.ts'
import { describeCertificate, describePublicKey } from './read-pem.ts'
import { refuseOtherMerchant } from './refuse-other-merchant.ts'
import type { CreateDigitalWalletKey, DigitalWalletKey, KeyPurpose } from './schemas.ts'
import { showKey } from './show.ts'
import * as walletKeys from './store.ts'

/** A key is renewed once a year or every second year, and old ones are deleted. */
const KEYS_MAX = 20

type Aim = { readonly walletId: string; readonly request: CreateDigitalWalletKey }

/** Keeps a merchant's own key, or makes one. Its private half goes into the vault and does not come back. */
export async function createKey(
  scope: Scope,
  once: Once,
  vault: Vault,
  { walletId, request }: Aim,
): Promise<Finished<DigitalWalletKey>> {
  const wallet = await wallets.find(scope, walletId)
  if (!wallet) throw errors.notFound()
  refuseOtherProvider(wallet, request.purpose)
  // Making a key takes a while, so it happens before the transaction.
  const pair = request.private_key ? readPair(request.private_key) : await makePair(request.purpose)
  const key = describeKey(pair, wallet, request)
  const privateKey = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  try {
    return await inFinalTransaction(scope, once, async (tx) => {
      await refuseMisfit(tx, walletId, key)
      const token = await sealValue(tx, vault, 'digital-wallet-key', privateKey)
      const stored = await walletKeys.insert(tx, { ...key, private_key_token: token })
      await auditLogs.record(tx, 'created', toAudited(stored))
      return showKey(stored, tx.clock())
    })
  } catch (error) {
    if (violatedUnique(error) !== 'digital_wallet_keys_once') throw error
    throw await duplicate(scope, walletId, key)
  }
}

type DescribedKey = Omit<walletKeys.NewKey, 'private_key_token'>

function describeKey(
  pair: Pair,
  wallet: wallets.StoredWallet,
  { purpose, certificate, recipient_id }: CreateDigitalWalletKey,
): DescribedKey {
  const isRequest = !certificate && purpose !== 'google-payment'
  return {
    digital_wallet_id: wallet.id,
    purpose,
    ...describePublicKey(pair.publicKey),
    certificate_signing_request: isRequest ? requestCertificate(pair, wallet.merchant_name) : null,
    ...(certificate ? describeCertificate(certificate) : WITHOUT_CERTIFICATE),
    recipient_id: recipient_id ?? null,
  }
}

const WITHOUT_CERTIFICATE: walletKeys.Certified = {
  certificate: null,
  serial_number: null,
  merchant_identifier: null,
  expires_at: null,
}

function readPair(text: string): Pair {
  const privateKey = createPrivateKey(text)
  return { privateKey, publicKey: createPublicKey(privateKey) }
}

function refuseOtherProvider({ provider }: wallets.StoredWallet, purpose: KeyPurpose): void {
  if (purpose.startsWith(`${provider}-`)) return
  const words =
    provider === 'apple' || provider === 'google'
      ? `this wallet is of the provider ${provider}: use a purpose that begins with ${provider}`
      : `wallets of the provider ${provider} have no keys`
  throw errors.invalid(inBody('/purpose', 'value_error.conflict', words))
}

async function refuseMisfit(tx: Scope<Tx>, walletId: string, key: DescribedKey): Promise<void> {
  if (!(await wallets.lock(tx, walletId))) throw errors.notFound()
  const others = await walletKeys.list(tx, walletId)
  if (others.length >= KEYS_MAX)
    throw errors.refused(
      `The wallet already has ${KEYS_MAX} keys, the most allowed. Delete an old one first.`,
    )
  refuseOtherMerchant(key, others)
}

async function duplicate(scope: Scope, walletId: string, key: DescribedKey): Promise<Error> {
  const keys = await walletKeys.list(scope, walletId)
  const twin = keys.find(
    ({ purpose, public_key_hash: hash }) => purpose === key.purpose && hash === key.public_key_hash,
  )
  const message = 'the wallet has this key: to renew its certificate, PUT the new one'
  return errors.duplicate(twin?.id, inBody('/private_key', 'value_error.duplicate', message))
}

/** How the audit log names a key. */
export function toAudited({ id, purpose }: Pick<walletKeys.StoredKey, 'id' | 'purpose'>) {
  return { type: 'digital-wallet-key', id, name: purpose }
}
