import { sql } from 'kysely'
import type { Scope, Tx } from '#platform/database/db.ts'
import { type ApiError, errors } from '#platform/http/errors.ts'
import type { PaymentAttempt as Attempt } from '#processing/attempts/store.ts'
import * as archives from '#resources/archives/store.ts'
import { intentOutcome, isBuyerAsked } from './state.ts'
import * as transactions from './store/payments.ts'
import { isOwn, LOCKED, OWN_COLUMNS, OWN_TABLES, type StoredTransaction } from './store/payments.ts'

/** The payment that a path names. A payment of another account is not found. */
export async function findTransaction(scope: Scope, id: string): Promise<transactions.StoredTransaction> {
  const transaction = await transactions.find(scope, id)
  if (!transaction) throw await missing(scope, id)
  return transaction
}

/** The same with the lock of the payment: see `transactions.lock`. */
export async function lockTransaction(tx: Scope<Tx>, id: string): Promise<transactions.StoredTransaction> {
  const transaction = await transactions.lock(tx, id)
  if (!transaction) throw await missing(tx, id)
  return transaction
}

/** What became of a payment, for pages of buyers. Undefined: it is still being written. */
export async function findOutcome(scope: Scope, id: string) {
  const transaction = await transactions.find(scope, id)
  if (!transaction) return undefined
  const { amount, currency, outcome } = transaction
  return {
    amount,
    currency,
    outcome: intentOutcome(transaction),
    /** Until when the buyer can approve it. Null: nobody waits for that. */
    waitsUntil: isBuyerAsked(transaction) ? (outcome.approval_expires_at ?? null) : null,
  }
}

/** Why a payment is not found: the account has none with this id, or it was archived. */
async function missing(scope: Scope, id: string): Promise<ApiError> {
  const month = await archives.monthOf(scope, id)
  if (month === undefined) return errors.notFound()
  return errors.notFoundBecause({
    location: 'path',
    pointer: '/transaction_id',
    type: 'value_error.not_found',
    message: `this payment of ${month} was archived: ask the operator to run "switchyard archive restore ${id}", then repeat this request`,
  })
}

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
