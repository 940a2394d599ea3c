import { sql } from 'kysely'
import type { Operation } from '../../../../../connectors/contract/orders.ts'
import { newId } from '../../../domain/ids.ts'
import { type Context, type Scope, type Tables, type Tx, write } from '../../../platform/db.ts'

declare module '../../../platform/db.ts' {
  interface Tables {
    transaction_attempts: {
      id: string
      merchant_account_id: string
      transaction_id: string
      operation: Exclude<Operation, 'payout'> | 'redeem' | 'reverse'
      subject_id: string | null
      payment_service_id: string
      is_direct_capture: boolean
      amount: number
      state: State
      reference: string | null
      error_code: string | null
      raw_response_code: string | null
      raw_response_description: string | null
      checks: number
      due_at: Date | null
      created_at: Date
      updated_at: Date
    }
  }
}

export type State = 'queued' | 'sent' | 'unknown' | 'pending' | 'approved' | 'declined' | 'failed'
export type Attempt = Tables['transaction_attempts']

const COLUMNS = [
  'id',
  'merchant_account_id',
  'transaction_id',
  'operation',
  'subject_id',
  'payment_service_id',
  'is_direct_capture',
  'amount',
  'state',
  'reference',
  'error_code',
  'raw_response_code',
  'raw_response_description',
  'checks',
  'due_at',
  'created_at',
  'updated_at',
] as const

type NewAttempt = Pick<Attempt, 'transaction_id' | 'operation' | 'payment_service_id' | 'amount'> &
  Partial<Pick<Attempt, 'id' | 'subject_id' | 'is_direct_capture' | 'reference'>> & {
    readonly state: 'queued' | 'sent'
    readonly dueAt: Date
  }

/** Takes a `Tx`: an attempt is on record before the provider hears of it. */
export async function insert(tx: Scope<Tx>, { dueAt, ...given }: NewAttempt): Promise<Attempt> {
  const { db, merchantAccountId } = tx
  const now = tx.clock()
  const attempt: Attempt = {
    id: newId(now.getTime()),
    merchant_account_id: merchantAccountId,
    subject_id: null,
    is_direct_capture: false,
    reference: null,
    error_code: null,
    raw_response_code: null,
    raw_response_description: null,
    ...given,
    checks: 0,
    due_at: dueAt,
    created_at: now,
    updated_at: now,
  }
  await write(tx, db.insertInto('transaction_attempts').values(attempt))
  return attempt
}

export async function find({ db, merchantAccountId }: Scope, id: string): Promise<Attempt | undefined> {
  return db
    .selectFrom('transaction_attempts')
    .select(COLUMNS)
    .where('merchant_account_id', '=', merchantAccountId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** What is asked of providers for a payment and not decided yet, oldest first. */
export function openOf({ db, merchantAccountId }: Scope, transactionId: string): Promise<Attempt[]> {
  return db
    .selectFrom('transaction_attempts')
    .select(COLUMNS)
    .where('merchant_account_id', '=', merchantAccountId)
    .where('transaction_id', '=', transactionId)
    .where('due_at', 'is not', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** By the provider's own id, as notifications name it. What is still open comes first. */
export async function findByReference(
  { db }: Context,
  { paymentServiceId, reference }: { readonly paymentServiceId: string; readonly reference: string },
): Promise<Attempt | undefined> {
  return db
    .selectFrom('transaction_attempts')
    .select(COLUMNS)
    .where('payment_service_id', '=', paymentServiceId)
    .where('reference', '=', reference)
    .orderBy(sql`due_at is null`)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
}

export async function change(
  tx: Scope<Tx>,
  attempt: Attempt,
  change: Pick<Attempt, 'state' | 'due_at'> &
    Partial<Pick<Attempt, 'reference' | 'error_code' | 'raw_response_code' | 'raw_response_description'>>,
): Promise<Attempt> {
  const updated_at = tx.clock()
  await write(
    tx,
    tx.db
      .updateTable('transaction_attempts')
      .set({ ...change, updated_at })
      .where('id', '=', attempt.id),
  )
  return { ...attempt, ...change, updated_at }
}

/**
 * Takes attempts that are due, of all accounts. Each is put off by the length of the lease at the same moment, so that
 * no other process takes it, and one that dies meanwhile leaves it to the next. Sending what waits in a queue is no
 * check of it.
 */
export async function takeDue(
  { db, clock }: Context,
  { limit, leaseMs }: { readonly limit: number; readonly leaseMs: number },
): Promise<Attempt[]> {
  const now = clock()
  const until = new Date(now.getTime() + leaseMs)
  const taken = await sql<Attempt>`
    update transaction_attempts
    set due_at = ${until}, checks = case when state = 'queued' then checks else checks + 1 end
    where id in (
      select id from transaction_attempts where due_at <= ${now}
      order by due_at limit ${limit} for update skip locked
    )
    returning ${sql.join(COLUMNS.map((column) => sql.ref(column)))}
  `.execute(db)
  return taken.rows
}
