import { sql } from 'kysely'
import type { Operation } from '#connectors/contract/orders.ts'
import { newId } from '#domain/ids.ts'
import { write, writeOrFail } from '#platform/brief-transaction.ts'
import { Overtaken } from '#platform/database-errors.ts'
import type { Context, Scope, Tables, Tx } from '#platform/db.ts'
import { insertInto, updateReturning } from '#platform/statements.ts'

declare module '#platform/db.ts' {
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

type State = 'queued' | 'sent' | 'unknown' | 'pending' | 'approved' | 'declined' | 'failed'
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
  const { merchantAccountId } = tx
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
  await write(tx, insertInto('transaction_attempts', attempt))
  return attempt
}

export async function find({ db, merchantAccountId }: Scope, id: string): Promise<Attempt | undefined> {
  const found = await db
    .selectFrom('transaction_attempts')
    .select(COLUMNS)
    .where('id', '=', id)
    .executeTakeFirst()
  // Not in the statement: PostgreSQL would at times rather read all attempts of the account.
  return found?.merchant_account_id === merchantAccountId ? found : undefined
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

/** The last time that something was asked for, decided or not. */
export async function lastOf(
  { db, merchantAccountId }: Scope,
  transactionId: string,
  operation: Attempt['operation'],
): Promise<Attempt | undefined> {
  return db
    .selectFrom('transaction_attempts')
    .select(COLUMNS)
    .where('merchant_account_id', '=', merchantAccountId)
    .where('transaction_id', '=', transactionId)
    .where('operation', '=', operation)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** A void of what another service holds beside the payment. It is none of the payment's own business. */
export function isStray({ operation, subject_id }: Pick<Attempt, 'operation' | 'subject_id'>): boolean {
  return operation === 'void' && subject_id !== null
}

/** Whether a void of its own was asked for what an authorization holds, decided or not. */
export async function isLetGo(
  { db, merchantAccountId }: Scope,
  { id, transaction_id }: Attempt,
): Promise<boolean> {
  const found = await db
    .selectFrom('transaction_attempts')
    .select('id')
    .where('merchant_account_id', '=', merchantAccountId)
    .where('transaction_id', '=', transaction_id)
    .where('operation', '=', 'void')
    .where('subject_id', '=', id)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** How much is asked of a payment service and not decided yet. */
export async function countOpenAt(
  { db, merchantAccountId }: Scope,
  paymentServiceId: string,
): Promise<number> {
  const { open } = await db
    .selectFrom('transaction_attempts')
    .select((eb) => eb.fn.countAll<string>().as('open'))
    .where('merchant_account_id', '=', merchantAccountId)
    .where('payment_service_id', '=', paymentServiceId)
    .where('due_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(open)
}

/** By the provider's own id, as notifications name it. What is still open comes first. */
export async function findByReference(
  { db }: Context,
  {
    paymentServiceId,
    reference,
    operation,
  }: Pick<Attempt, 'operation'> & { readonly paymentServiceId: string; readonly reference: string },
): Promise<Attempt | undefined> {
  return db
    .selectFrom('transaction_attempts')
    .select(COLUMNS)
    .where('payment_service_id', '=', paymentServiceId)
    .where('reference', '=', reference)
    .where('operation', '=', operation)
    .orderBy(sql`due_at is null`)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
}

/** From the state that it was read in. Whoever does not hold the payment's lock is told when somebody was faster. */
export async function change(
  tx: Scope<Tx>,
  attempt: Attempt,
  change: Pick<Attempt, 'state' | 'due_at'> &
    Partial<Pick<Attempt, 'reference' | 'error_code' | 'raw_response_code' | 'raw_response_description'>>,
): Promise<Attempt> {
  const updated_at = tx.clock()
  const { id, state } = attempt
  const statement = updateReturning('transaction_attempts', { ...change, updated_at }, { id, state })
  await writeOrFail(tx, statement, () => new Overtaken())
  return { ...attempt, ...change, updated_at }
}

type Take = {
  readonly limit: number
  readonly limitPerService: number
  /** Payment services whose attempts are left alone. */
  readonly besides: readonly string[]
  readonly leaseMs: number
}

/**
 * Takes attempts that are due, of all accounts. Each is put off by the length of the lease at the same moment, so that
 * no other process takes it, and one that dies meanwhile leaves it to the next. Sending what waits in a queue is no
 * check of it.
 *
 * Services take turns: each has its oldest attempt taken before any has its second, so that a long queue for one does
 * not hold up the others. They are found by leaping from one to the next in the index, however long their queues are.
 */
export async function takeDue(
  { db, clock }: Context,
  { limit, limitPerService, besides, leaseMs }: Take,
): Promise<Attempt[]> {
  const now = clock()
  const until = new Date(now.getTime() + leaseMs)
  const taken = await sql<Attempt>`
    with recursive services as (
      (select payment_service_id as id from transaction_attempts where due_at is not null order by 1 limit 1)
      union all
      select (
        select payment_service_id from transaction_attempts
        where due_at is not null and payment_service_id > services.id order by 1 limit 1
      ) from services where services.id is not null
    ),
    due as materialized (
      select next.id from services cross join lateral (
        select id, due_at, row_number() over (order by due_at) as turn from (
          select id, due_at from transaction_attempts
          where payment_service_id = services.id and due_at <= ${now}
          order by due_at limit ${limitPerService} for update skip locked
        ) as oldest
      ) as next
      where services.id <> all(${besides}::uuid[])
      order by turn, due_at limit ${limit}
    )
    update transaction_attempts
    set due_at = ${until}, checks = case when state = 'queued' then checks else checks + 1 end
    from due where transaction_attempts.id = due.id
    returning ${sql.join(COLUMNS.map((column) => sql.ref(`transaction_attempts.${column}`)))}
  `.execute(db)
  return taken.rows
}
