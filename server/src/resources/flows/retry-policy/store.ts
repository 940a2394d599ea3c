import type { Scope, Tables, Tx } from '#platform/database/db.ts'
import type { Limit } from '#processing/scheme-rules.ts'
import type { RetryPolicy } from './schemas.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    retry_policies: {
      merchant_account_id: string
      mode: RetryPolicy['mode']
      /** Null: the limits of the schemes. */
      limits: readonly Limit[] | null
      created_at: Date
      updated_at: Date
    }
  }
}

export type StoredPolicy = Pick<Tables['retry_policies'], 'mode' | 'limits' | 'updated_at'>

const COLUMNS = ['mode', 'limits', 'updated_at'] as const

/** Undefined: the merchant has never changed it. */
export function find({ db, merchantAccountId }: Scope): Promise<StoredPolicy | undefined> {
  return db
    .selectFrom('retry_policies')
    .select(COLUMNS)
    .where('merchant_account_id', '=', merchantAccountId)
    .executeTakeFirst()
}

/** Absent fields stay. */
export function save(
  { db, clock, merchantAccountId }: Scope<Tx>,
  { mode, limits }: Partial<Pick<StoredPolicy, 'mode' | 'limits'>>,
): Promise<StoredPolicy> {
  const now = clock()
  const changes = {
    ...(mode !== undefined && { mode }),
    ...(limits !== undefined && { limits: (limits && JSON.stringify(limits)) as never }),
    updated_at: now,
  }
  return db
    .insertInto('retry_policies')
    .values({
      merchant_account_id: merchantAccountId,
      mode: 'obey',
      limits: null,
      created_at: now,
      ...changes,
    })
    .onConflict((conflict) => conflict.column('merchant_account_id').doUpdateSet(changes))
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}
