import type { Caller } from '#platform/access/auth.ts'
import { reachOf } from '#platform/access/identify.ts'
import { isMissingReference, violatedUnique } from '#platform/database/database-errors.ts'
import { type Context, inTransaction, type Tx } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { checkGrant, roleIsGone } from './grant.ts'
import { generatePair, type PublicKey, readPublicKey } from './keys.ts'
import type { ApiKeyPair, CreateApiKeyPair } from './schemas.ts'
import * as apiKeyPairs from './store.ts'
import { tell } from './tell.ts'

/** The private key is in this answer and nowhere else. */
export async function createApiKeyPair(
  context: Context,
  once: Once,
  caller: Caller,
  request: CreateApiKeyPair,
): Promise<Finished<ApiKeyPair>> {
  const merchantAccountIds = request.merchant_account_ids ?? []
  const { role_ids } = request
  const roleIds = await checkGrant(context, caller, { role_ids, merchant_account_ids: merchantAccountIds })
  const { publicKey, privateKey } = await keyFor(request)
  try {
    return await inFinalTransaction(context, once, (tx) =>
      insertPair(tx, {
        displayName: request.display_name,
        active: request.active ?? true,
        roleIds,
        merchantAccountIds,
        publicKey,
        privateKey,
      }),
    )
  } catch (error) {
    if (isMissingReference(error)) throw roleIsGone()
    if (violatedUnique(error) !== 'api_key_pairs_thumbprint') throw error
    const twin = await apiKeyPairs.findByThumbprint(context, reachOf(caller), publicKey.thumbprint)
    throw errors.duplicate(
      twin?.id,
      inBody('/public_key', 'value_error.duplicate', 'this key is already registered'),
    )
  }
}

type Pair = apiKeyPairs.NewPair & { readonly privateKey: string | null }

/** For the command line, which has no caller. */
export function savePair(context: Context, pair: Pair): Promise<ApiKeyPair> {
  return inTransaction(context, (tx) => insertPair(tx, pair))
}

export async function insertPair(tx: Context<Tx>, { privateKey, ...pair }: Pair): Promise<ApiKeyPair> {
  const id = await apiKeyPairs.insert(tx, pair)
  await auditLogs.record({ ...tx, merchantAccountId: null }, 'created', {
    type: 'api-key-pair',
    id,
    name: pair.displayName,
  })
  const saved = await apiKeyPairs.find(tx, 'all', id)
  if (!saved) throw new Error('a new API key pair is missing in its own transaction')
  await tell(tx, 'api-key-pair.created', saved)
  return { ...saved, private_key: privateKey }
}

async function keyFor({ public_key, algorithm }: CreateApiKeyPair): Promise<{
  readonly publicKey: PublicKey
  readonly privateKey: string | null
}> {
  if (public_key) {
    const publicKey = await readPublicKey(public_key)
    if (algorithm && algorithm !== publicKey.algorithm) {
      throw errors.invalid(inBody('/algorithm', 'value_error.conflict', `the key is ${publicKey.algorithm}`))
    }
    return { publicKey, privateKey: null }
  }
  if (algorithm === 'EdDSA') {
    const message =
      'make an Ed25519 pair yourself and send its public_key: we generate only ECDSA and RSA pairs'
    throw errors.invalid(inBody('/algorithm', 'type_error.enum', message))
  }
  return generatePair(algorithm ?? 'ECDSA')
}
