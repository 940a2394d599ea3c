import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { violatedUnique } from '#platform/database/database-errors.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import { errors, inBody, orNotFound } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import { sealValue } from '#processing/service-accounts/fields.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import type { Vault } from '#vault'
import * as wallets from '../store.ts'
import { describeCertificate, describePublicKey } from './read-pem.ts'
import type { CreateDigitalWalletKey, DigitalWalletKey, KeyPurpose } from './schemas.ts'
import type { StoredKey } from './store.ts'
import * as walletKeys from './store.ts'

const generate = promisify(generateKeyPair)

const COMMON_NAME = '550403'
const SHA256_WITH_RSA = '2a864886f70d01010b'
const ECDSA_WITH_SHA256 = '2a8648ce3d040302'
/** X.520 has room for as many characters in a common name. */
const COMMON_NAME_MAX = 64

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
  const wallet = orNotFound(await wallets.find(scope, walletId))
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
  const others = await walletKeys.newest(tx, { digital_wallet_id: walletId })
  if (others.length >= KEYS_MAX)
    throw errors.refused(
      `The wallet already has ${KEYS_MAX} keys, the most allowed. Delete an old one first.`,
    )
  refuseOtherMerchant(key, others)
}

async function duplicate(scope: Scope, walletId: string, key: DescribedKey): Promise<Error> {
  const keys = await walletKeys.newest(scope, { digital_wallet_id: walletId })
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

type Pair = { readonly publicKey: KeyObject; readonly privateKey: KeyObject }

/** The key that Apple and Google ask for. */
function makePair(purpose: KeyPurpose): Promise<Pair> {
  return purpose === 'apple-merchant-identity'
    ? generate('rsa', { modulusLength: 2048 })
    : generate('ec', { namedCurve: 'P-256' })
}

/** A certificate signing request (PKCS #10, RFC 2986). Apple reads only its key. */
function requestCertificate({ publicKey, privateKey }: Pair, name: string): string {
  const commonName = Buffer.from([...name].slice(0, COMMON_NAME_MAX).join(''))
  const subject = der(0x30, der(0x31, der(0x30, oid(COMMON_NAME), der(0x0c, commonName))))
  const version = der(0x02, Buffer.from([0]))
  const noAttributes = der(0xa0)
  const info = der(0x30, version, subject, publicKey.export({ type: 'spki', format: 'der' }), noAttributes)
  const algorithm =
    privateKey.asymmetricKeyType === 'rsa'
      ? der(0x30, oid(SHA256_WITH_RSA), der(0x05))
      : der(0x30, oid(ECDSA_WITH_SHA256))
  const signature = der(0x03, Buffer.from([0]), sign('sha256', info, privateKey))
  return pem('CERTIFICATE REQUEST', der(0x30, info, algorithm, signature))
}

/** One element of ASN.1 in its distinguished encoding: its tag, length and content. */
export function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const length =
    content.length < 0x80
      ? [content.length]
      : content.length < 0x100
        ? [0x81, content.length]
        : [0x82, content.length >> 8, content.length & 255]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}

/** An object identifier, from its content in hex. */
export function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'))
}

export function pem(label: string, content: Buffer): string {
  const lines = content.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}

type Named = Pick<StoredKey, 'merchant_identifier'>

/**
 * Apple seals tokens for the merchant that opened the session. Certificates of two merchants in one wallet
 * would give sessions whose tokens the service cannot open.
 */
export function refuseOtherMerchant({ merchant_identifier: name }: Named, others: readonly Named[]): void {
  const other = others.find(({ merchant_identifier }) => merchant_identifier !== null)?.merchant_identifier
  if (name === null || other === undefined || other === name) return
  const message = `is for ${name}, and the wallet’s other certificates are for ${other}: delete those keys first`
  throw errors.invalid(inBody('/certificate', 'value_error.conflict', message))
}

export function showKey({ private_key_token: _kept, ...key }: StoredKey, now: Date): DigitalWalletKey {
  return {
    type: 'digital-wallet-key',
    ...key,
    status: statusOf(key, now),
    expires_at: key.expires_at?.toISOString() ?? null,
    created_at: key.created_at.toISOString(),
    updated_at: key.updated_at.toISOString(),
  }
}

function statusOf(
  { purpose, expires_at }: Pick<StoredKey, 'purpose' | 'expires_at'>,
  now: Date,
): DigitalWalletKey['status'] {
  if (purpose === 'google-payment') return 'active'
  if (expires_at === null) return 'pending'
  return expires_at > now ? 'active' : 'expired'
}
