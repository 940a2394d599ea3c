import { sql } from 'kysely'
import { isDatabaseAway } from '#platform/database/database-errors.ts'
import { type Context, inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import { failTogether } from '#platform/process/jobs.ts'
import type { Vault } from '#vault'
import { dropTokenOf } from './network-tokens/drop.ts'
import { retire } from './payment-service-tokens/forget.ts'
import * as paymentServiceTokens from './payment-service-tokens/store.ts'

/** The method is deleted, and its tokens with it: the schemes and payment services are asked to delete their own. */
export async function dropTokens(tx: Scope<Tx>, vault: Vault, paymentMethodId: string): Promise<void> {
  await dropTokenOf(tx, vault, paymentMethodId)
  for (const token of await paymentServiceTokens.lockOf(tx, paymentMethodId)) await retire(tx, token)
}

const BATCH = 100

/**
 * Compares tokens with their payment methods. A method that a process of an older version has deleted may have left tokens,
 * with which it could still be charged.
 */
export async function dropLeftTokens(context: Context, vault: Vault): Promise<void> {
  const failures: unknown[] = []
  let beyond: string | null = null
  do {
    const found: Left[] = await left(context, beyond)
    for (const { id, merchant_account_id: merchantAccountId } of found) {
      await inTransaction({ ...context, merchantAccountId }, (tx) => dropTokens(tx, vault, id)).catch(
        (error: unknown) => {
          if (isDatabaseAway(error)) throw error
          failures.push(error)
        },
      )
    }
    beyond = found.length < BATCH ? null : (found.at(-1)?.id ?? null)
  } while (beyond !== null)
  failTogether(failures)
}

type Left = { readonly id: string; readonly merchant_account_id: string }

/** Deleted methods of all accounts that have tokens, by their ids. The conditions are those of the indexes by method. */
async function left({ db }: Context, beyond: string | null): Promise<Left[]> {
  const next = beyond === null ? sql`` : sql`and token.payment_method_id > ${beyond}`
  const { rows } = await sql<Left>`
    select method.id, method.merchant_account_id from (
      select payment_method_id from network_tokens as token
      where status not in ('deleted', 'failed') ${next}
      union
      select payment_method_id from payment_service_tokens as token
      where deleted_at is null ${next}
    ) as token
    join payment_methods as method on method.id = token.payment_method_id
    where method.deleted_at is not null
    order by method.id limit ${sql.lit(BATCH)}
  `.execute(db)
  return rows
}
