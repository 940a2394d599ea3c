import type { PrivateKey } from 'openpgp'
import { type Context, inTransaction } from '#platform/database/db.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { Masked, type Vault } from '#vault'
import * as imports from './store.ts'

/** What providers ask for at least. */
const RSA_BITS = 4_096
/** Private halves belong to the installation, and to no merchant account. */
const INSTALLATION = { merchantAccountId: '' }
const TYPE = 'vault-import-key'

/** The public key for which files are encrypted. It is made when it is first asked for, or when a new one is wanted. */
export async function importKey(
  context: Context,
  vault: Vault,
  { isNew = false, rsaBits = RSA_BITS }: { readonly isNew?: boolean; readonly rsaBits?: number } = {},
): Promise<imports.ImportKey> {
  const [current] = isNew ? [] : await imports.listKeys(context)
  return current ?? makeKey(context, vault, rsaBits)
}

async function makeKey(context: Context, vault: Vault, rsaBits: number): Promise<imports.ImportKey> {
  const { generateKey } = await import('openpgp')
  const { privateKey, publicKey } = await generateKey({
    type: 'rsa',
    rsaBits,
    userIDs: [{ name: 'Switchyard vault import' }],
    format: 'object',
  })
  const fingerprint = publicKey.getFingerprint().toUpperCase()
  const secret = new Masked(privateKey.armor())
  try {
    return await inTransaction(context, async (tx) => {
      const field = { name: TYPE, owner: fingerprint }
      const key = {
        fingerprint,
        public_key: publicKey.armor(),
        vault_token: await vault.store(tx.db, INSTALLATION, field, secret),
        created_at: tx.clock(),
      }
      await imports.insertKey(tx, key)
      await auditLogs.record({ ...tx, merchantAccountId: null }, 'created', {
        type: TYPE,
        id: fingerprint,
        name: fingerprint,
      })
      return key
    })
  } finally {
    secret.clear()
  }
}

/** Files that were encrypted for this key can never be opened again. */
export function destroyKey(context: Context, vault: Vault, fingerprint: string): Promise<boolean> {
  return inTransaction(context, async (tx) => {
    const key = await imports.removeKey(tx, fingerprint)
    if (!key) return false
    await vault.remove(tx.db, INSTALLATION, key.vault_token)
    await auditLogs.record({ ...tx, merchantAccountId: null }, 'deleted', {
      type: TYPE,
      id: fingerprint,
      name: fingerprint,
    })
    return true
  })
}

/** The private half of each key, the newest first. The audit log records it before it is opened. */
export async function openKeys(context: Context, vault: Vault): Promise<PrivateKey[]> {
  const { readPrivateKey } = await import('openpgp')
  const opened: PrivateKey[] = []
  for (const { fingerprint, vault_token: token } of await imports.listKeys(context)) {
    const onReveal = () =>
      inTransaction(context, (tx) =>
        auditLogs.record({ ...tx, merchantAccountId: null }, 'revealed', {
          type: TYPE,
          id: fingerprint,
          name: 'vault import',
        }),
      )
    const access = { ...INSTALLATION, token, owner: fingerprint, purpose: 'vault import', onReveal }
    opened.push(
      await vault.reveal(context.db, access, (secret) =>
        secret.use((bytes) => readPrivateKey({ armoredKey: bytes.toString() })),
      ),
    )
  }
  return opened
}
