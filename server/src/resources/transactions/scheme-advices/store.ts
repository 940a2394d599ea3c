import { sql } from 'kysely'
import { write } from '#platform/brief-transaction.ts'
import type { Context, Scope, Tables, Tx } from '#platform/db.ts'
import { earliest } from '#platform/earliest.ts'
import { insertInto } from '#platform/statements.ts'
import type { Advice } from '#processing/scheme-advice.ts'

declare module '#platform/db.ts' {
  interface Tables {
    scheme_advices: {
      merchant_account_id: string
      fingerprint: string
      transaction_id: string
      amount: number
      currency: string
      merchant_initiated: boolean
      kind: Advice['kind']
      code: string
      created_at: Date
    }
  }
}

export type StoredAdvice = Tables['scheme_advices']

export async function insert(
  tx: Scope<Tx>,
  given: Omit<StoredAdvice, 'merchant_account_id' | 'created_at'>,
): Promise<void> {
  const row = { ...given, merchant_account_id: tx.merchantAccountId, created_at: tx.clock() }
  await write(tx, insertInto('scheme_advices', row))
}

/** The advices about a card since a moment, newest first. */
export function listOf(
  { db, merchantAccountId }: Scope,
  fingerprint: string,
  since: Date,
): Promise<StoredAdvice[]> {
  return db
    .selectFrom('scheme_advices')
    .selectAll()
    .where('merchant_account_id', '=', merchantAccountId)
    .where('fingerprint', '=', fingerprint)
    .where('created_at', '>', since)
    .orderBy('created_at', 'desc')
    .execute()
}

export function oldest(context: Context): Promise<Date | null> {
  return earliest(context, sql`select min(created_at) as at from scheme_advices`)
}

export async function removeOlder({ db }: Context, before: Date): Promise<void> {
  await db.deleteFrom('scheme_advices').where('created_at', '<=', before).execute()
}
