import { sql } from 'kysely'
import type { Scope, Tx } from '#platform/database/db.ts'
import type { PaymentAttempt as Attempt } from '#processing/attempts/store.ts'
import { isOwn, LOCKED, OWN_COLUMNS, OWN_TABLES, type StoredTransaction } from './payments.ts'

type Locked = { readonly transaction: StoredTransaction; readonly attempt: Attempt }

type LockedRow = StoredTransaction &
  Pick<Attempt, (typeof ATTEMPT_COLUMNS)[number]> & {
    readonly attempt_error_code: Attempt['error_code']
    readonly attempt_updated_at: Attempt['updated_at']
  }

const ATTEMPT_COLUMNS = [
  'state',
  'reference',
  'raw_response_code',
  'raw_response_description',
  'checks',
  'due_at',
  'may_complete',
  'returned',
  'approval',
] as const

const ATTEMPT = sql.raw(
  `${ATTEMPT_COLUMNS.map((name) => `attempt.${name}`).join(', ')},
    attempt.error_code as attempt_error_code, attempt.updated_at as attempt_updated_at`,
)

/** Locks the payment and one of its attempts, and reads both as they are now. */
export async function lockWithAttempt(scope: Scope<Tx>, attempt: Attempt): Promise<Locked | undefined> {
  const { rows } = await sql<LockedRow>`
    select ${OWN_COLUMNS}, ${ATTEMPT} from ${OWN_TABLES}
    join attempts as attempt
      on attempt.merchant_account_id = transactions.merchant_account_id
      and attempt.transaction_id = transactions.id
      and attempt.id = ${attempt.id}
    where ${isOwn(scope, attempt.transaction_id)}
    for update of ${LOCKED}, attempt
  `.execute(scope.db)
  if (!rows[0]) return undefined
  const { attempt_error_code: error_code, attempt_updated_at: updated_at, ...row } = rows[0]
  const { state, checks, due_at, may_complete, returned, approval, ...rest } = row
  const { reference, raw_response_code, raw_response_description, ...transaction } = rest
  const answered = { reference, error_code, raw_response_code, raw_response_description }
  const asked = { state, checks, due_at, may_complete, returned, approval, updated_at }
  return { transaction, attempt: { ...attempt, ...answered, ...asked } }
}
