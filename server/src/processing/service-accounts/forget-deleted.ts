import { type Context, inTransaction } from '#platform/database/db.ts'
import type { Job } from '#platform/process/jobs.ts'
import type { Vault } from '#vault'
import type { CountOpen } from './kind.ts'
import type { ServiceRow, ServiceStore } from './store.ts'

/** Longer than a payment takes that chose the service before it was deleted and is not recorded yet. */
const SLIP_MS = 10 * 60_000

type Kind = Pick<ServiceStore<ServiceRow>, 'listDeletedWithSecrets' | 'nextDeletion' | 'forgetSecrets'> & {
  readonly type: string
  readonly countOpenAt?: CountOpen
}

/**
 * The job that removes the secrets of deleted services from the vault, once nothing is open, held or kept there.
 */
export function forgetSecretsJob(
  kind: Kind,
  countHeldAt?: CountOpen,
): Job<{ readonly context: Context; readonly vault: Vault }> {
  return {
    name: `forget-secrets-of-deleted-${kind.type}s`,
    everyMs: 60_000,
    run: ({ context, vault }) => forgetDeleted(context, vault, kind, countHeldAt),
    nextDueAt: async ({ context }) => {
      const deleted = await kind.nextDeletion(context, new Date(context.clock().getTime() - SLIP_MS))
      return deleted && new Date(deleted.getTime() + SLIP_MS)
    },
  }
}

async function forgetDeleted(
  context: Context,
  vault: Vault,
  kind: Kind,
  countHeldAt?: CountOpen,
): Promise<void> {
  const by = new Date(context.clock().getTime() - SLIP_MS)
  for (const { id, merchant_account_id, secrets } of await kind.listDeletedWithSecrets(context, by)) {
    const scope = { ...context, merchantAccountId: merchant_account_id }
    // In one snapshot, because a hold or a token can become an open attempt, and the reverse, while we look.
    const needed = await context.db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (db) => {
        const open = (await kind.countOpenAt?.({ ...scope, db }, id)) ?? 0
        const held = (await countHeldAt?.({ ...scope, db }, id)) ?? 0
        return open + held
      })
    if (needed > 0) continue
    await inTransaction(scope, async (tx) => {
      for (const token of Object.values(secrets)) await vault.remove(tx.db, tx, token)
      await kind.forgetSecrets(tx, { id })
    })
  }
}
