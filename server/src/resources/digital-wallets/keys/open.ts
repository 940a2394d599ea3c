import { createPrivateKey, type KeyObject } from 'node:crypto'
import type { Scope } from '#platform/database/db.ts'
import { openFields } from '#processing/service-accounts/fields.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import type { Vault } from '#vault'
import type { StoredKey } from './store.ts'
import * as walletKeys from './store.ts'

/** Opens tokens of Apple Pay. */
export type ApplePaymentKey = {
  readonly id: string
  /** As in a token’s `header.publicKeyHash`: it names the key that the token is sealed for. */
  readonly publicKeyHash: string
  /** Part of the key derivation, as a SHA-256. */
  readonly merchantIdentifier: string
  /** On the curve P-256. */
  readonly privateKey: KeyObject
}

/** Opens tokens of Google Pay (ECv2). */
export type GooglePaymentKey = {
  readonly id: string
  /** Part of what Google signs: `gateway:…` or `merchant:…`. */
  readonly recipientId: string
  /** On the curve P-256. */
  readonly privateKey: KeyObject
}

/** Proves to Apple, in TLS, which merchant asks for a session. */
export type AppleIdentity = {
  readonly merchantIdentifier: string
  /** In PEM. */
  readonly certificate: string
  /** In PEM. */
  readonly privateKey: string
}

/** All keys of the account that open tokens of Apple Pay, the newest first. Expired ones are among them. */
export async function openApplePaymentKeys(scope: Scope, vault: Vault): Promise<ApplePaymentKey[]> {
  const keys = await walletKeys.listUsable(scope, 'apple-payment-processing')
  return Promise.all(
    keys.map(async (key) => ({
      id: key.id,
      publicKeyHash: key.public_key_hash,
      merchantIdentifier: key.merchant_identifier ?? '',
      privateKey: createPrivateKey(await openPem(scope, vault, key)),
    })),
  )
}

/** All keys of the account that open tokens of Google Pay, the newest first. A token does not name its key. */
export async function openGooglePaymentKeys(scope: Scope, vault: Vault): Promise<GooglePaymentKey[]> {
  const keys = await walletKeys.listUsable(scope, 'google-payment')
  return Promise.all(
    keys.map(async (key) => ({
      id: key.id,
      recipientId: key.recipient_id ?? '',
      privateKey: createPrivateKey(await openPem(scope, vault, key)),
    })),
  )
}

/** Undefined if the account has no merchant identity whose certificate is valid now. */
export async function openAppleIdentity(scope: Scope, vault: Vault): Promise<AppleIdentity | undefined> {
  const now = scope.clock()
  const keys = await walletKeys.listUsable(scope, 'apple-merchant-identity')
  const key = keys.find(({ expires_at }) => expires_at !== null && expires_at > now)
  if (!key?.certificate || !key.merchant_identifier) return undefined
  return {
    merchantIdentifier: key.merchant_identifier,
    certificate: key.certificate,
    privateKey: await openPem(scope, vault, key),
  }
}

/** Each process opens a key once in some minutes, and the audit log names it each time. */
async function openPem(scope: Scope, vault: Vault, key: StoredKey): Promise<string> {
  const opened = await openFields(scope, vault, toOpenable(key), {
    type: 'digital-wallet-key',
    record: auditLogs.record,
    find: async (place, id) => {
      const found = await walletKeys.find(place, id)
      return found && toOpenable(found)
    },
  })
  const text = opened['private_key']
  if (text === undefined) throw new Error('a key of a digital wallet has no private half')
  return text
}

function toOpenable({ id, purpose, private_key_token, updated_at }: StoredKey) {
  return { id, display_name: purpose, fields: {}, secrets: { private_key: private_key_token }, updated_at }
}
