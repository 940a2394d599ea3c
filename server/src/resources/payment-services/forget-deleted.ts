import type { Vault } from '../../../../vault/client.ts'
import { type Context, inTransaction, type Scope, type Tx } from '../../platform/db.ts'
import { lapsedBy } from '../transactions/attempts/due.ts'
import * as attempts from '../transactions/attempts/store.ts'
import * as transactions from '../transactions/store.ts'
import * as paymentServices from './store.ts'

/** Longer than a payment takes that had chosen the service before it was deleted, and is yet to write that down. */
const SLIP_MS = 10 * 60_000

type Deleted = {
  readonly id: string
  readonly merchant_account_id: string
  readonly secrets: Readonly<Record<string, string>>
}

type Kind = {
  readonly listDeletedWithSecrets: (context: Context, by: Date) => Promise<Deleted[]>
  readonly countOpenAt: (scope: Scope, id: string) => Promise<number>
  readonly forgetSecrets: (tx: Scope<Tx>, deleted: Deleted) => Promise<void>
}

const PAYMENT_SERVICES: Kind = {
  listDeletedWithSecrets: paymentServices.listDeletedWithSecrets,
  // What is held there is let go of by the merchant, or when it expires.
  countOpenAt: async (scope, id) =>
    (await attempts.countOpenAt(scope, id)) +
    (await transactions.countHeldAt(scope, id, lapsedBy(scope.clock()))),
  forgetSecrets: paymentServices.forgetSecrets,
}

/** Takes from the vault the secrets of deleted services at which nothing is open or held any more. */
export async function forgetDeleted(
  context: Context,
  vault: Vault,
  { listDeletedWithSecrets, countOpenAt, forgetSecrets }: Kind = PAYMENT_SERVICES,
): Promise<void> {
  const by = new Date(context.clock().getTime() - SLIP_MS)
  for (const service of await listDeletedWithSecrets(context, by)) {
    const scope = { ...context, merchantAccountId: service.merchant_account_id }
    // Of one moment: what is held becomes open, and the other way round, while we look.
    const open = await context.db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute((db) => countOpenAt({ ...scope, db }, service.id))
    if (open > 0) continue
    await inTransaction(scope, async (tx) => {
      for (const token of Object.values(service.secrets)) await vault.remove(tx.db, tx, token)
      await forgetSecrets(tx, service)
    })
  }
}
