import { sql } from 'kysely'
import { newId } from '#domain/ids.ts'
import { write, writeOrFail } from '#platform/database/brief-transaction.ts'
import { Overtaken } from '#platform/database/database-errors.ts'
import type { Context, Scope, Tx } from '#platform/database/db.ts'
import { insertInto, updateReturning } from '#platform/database/statements.ts'
import { currentTraceparent } from '#platform/observability/trace.ts'
import { realTime } from '#platform/process/clock.ts'
import { takeByTurns } from '#platform/queue/queue.ts'
import { isNotOnItsWay, QUEUE } from './backlog.ts'
import {
  COLUMNS,
  type Attempt as StoredAttempt,
  type PaymentAttempt as StoredPaymentAttempt,
} from './columns.ts'
import { dueIfLeft } from './due.ts'
import type { KindName } from './kinds.ts'

/** An attempt as it is stored. */
export type Attempt = StoredAttempt
export type PaymentAttempt = StoredPaymentAttempt

type Asked = Pick<Attempt, 'kind' | 'service_id' | 'amount'> & Partial<Pick<Attempt, Optional>>
type Optional =
  | 'id'
  | 'transaction_id'
  | 'subject_id'
  | 'is_direct_capture'
  | 'instrument_type'
  | 'instrument_id'
  | 'reference'
  | 'order_state'
type Recorded<Given extends Asked> = Attempt & Pick<Given, 'kind' | 'transaction_id'>

/** Takes a `Tx`, so that the attempt is recorded before this process asks the provider. */
export function send<Given extends Asked>(
  tx: Scope<Tx>,
  { timeoutMs }: { readonly timeoutMs: number },
  asked: Given,
): Promise<Recorded<Given>> {
  return insert(tx, asked, { state: 'sent', due_at: dueIfLeft(realTime(tx.clock), timeoutMs) })
}

/**
 * Takes a `Tx`: the attempt is sent after the commit. The job sends it at `dueAt`. If this request sends it
 * itself, `dueAt` is the time at which the process counts as dead (`dueIfLeft`).
 */
export function queue<Given extends Asked>(
  tx: Scope<Tx>,
  asked: Given,
  dueAt: Date,
): Promise<Recorded<Given>> {
  return insert(tx, asked, { state: 'queued', due_at: dueAt })
}

/** Nothing is kept of an approval that was never asked for, or that is over. */
const NOT_ASKED = { may_complete: false, returned: null, approval: null } as const

async function insert<Given extends Asked>(
  tx: Scope<Tx>,
  asked: Given,
  start: Pick<Attempt, 'state' | 'due_at'>,
): Promise<Recorded<Given>> {
  const now = tx.clock()
  const attempt = {
    id: newId(now.getTime()),
    merchant_account_id: tx.merchantAccountId,
    transaction_id: null,
    subject_id: null,
    is_direct_capture: false,
    instrument_type: null,
    instrument_id: null,
    reference: null,
    error_code: null,
    raw_response_code: null,
    raw_response_description: null,
    ...NOT_ASKED,
    order_state: null,
    sent_at: realTime(tx.clock),
    traceparent: currentTraceparent(),
    ...asked,
    ...start,
    checks: 0,
    created_at: now,
    updated_at: now,
  }
  await write(tx, insertInto('attempts', attempt))
  return attempt as Recorded<Given>
}

export async function find(scope: Scope, id: string): Promise<Attempt | undefined> {
  return own(scope, await byId(scope, id).executeTakeFirst())
}

/** Locks the row, so that one process concludes it. */
export async function lock(tx: Scope<Tx>, id: string): Promise<Attempt | undefined> {
  return own(tx, await byId(tx, id).forUpdate().executeTakeFirst())
}

function byId({ db }: Scope, id: string) {
  return db.selectFrom('attempts').select(COLUMNS).where('id', '=', id)
}

/** Not in the statement: PostgreSQL would sometimes read all attempts of the account instead. */
export function own({ merchantAccountId }: Scope, found: Attempt | undefined): Attempt | undefined {
  return found?.merchant_account_id === merchantAccountId ? found : undefined
}

/** For callers that know the attempt to be about a payment. */
export function ofPayment(attempt: Attempt): PaymentAttempt {
  if (attempt.transaction_id === null) throw new Error('an attempt has no payment')
  return attempt as PaymentAttempt
}

/** The undecided attempts of a payment, oldest first. */
export function openOf({ db, merchantAccountId }: Scope, transactionId: string): Promise<PaymentAttempt[]> {
  return db
    .selectFrom('attempts')
    .select(COLUMNS)
    .$castTo<PaymentAttempt>()
    .where('merchant_account_id', '=', merchantAccountId)
    .where('transaction_id', '=', transactionId)
    .where('due_at', 'is not', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Takes what providers said in their own words out of the decided attempts of a payment. */
export async function forgetBuyer(
  { db, merchantAccountId }: Scope<Tx>,
  transactionId: string,
): Promise<void> {
  await db
    .updateTable('attempts')
    .set({ raw_response_description: null })
    .where('merchant_account_id', '=', merchantAccountId)
    .where('transaction_id', '=', transactionId)
    .where('raw_response_description', 'is not', null)
    .execute()
}

/**
 * Whether this gives back what a service holds, or has taken, beside the payment. Its outcome does not change the
 * payment.
 */
export function isStray({ kind, subject_id }: Pick<Attempt, 'kind' | 'subject_id'>): boolean {
  return kind === 'void' && subject_id !== null
}

/**
 * Changes an attempt that is still in the state in which it was read. If another process was faster, the
 * transaction ends with `Overtaken`. A decided attempt keeps nothing of the buyer's approval.
 */
export async function change<A extends Attempt>(
  tx: Scope<Tx>,
  attempt: A,
  change: Pick<Attempt, 'state' | 'due_at'> & Partial<Pick<Attempt, Changeable>>,
): Promise<A> {
  const updated_at = tx.clock()
  const { id, state } = attempt
  const hadApproval = attempt.may_complete || attempt.approval !== null
  const changed = { ...change, ...(change.due_at === null && hadApproval && NOT_ASKED), updated_at }
  const statement = updateReturning('attempts', changed, { id, state })
  await writeOrFail(tx, statement, () => new Overtaken())
  return { ...attempt, ...changed }
}

type Changeable =
  | 'reference'
  | 'error_code'
  | 'raw_response_code'
  | 'raw_response_description'
  | 'may_complete'
  | 'returned'
  | 'approval'

type Take = {
  /** Others are left to processes that know them, such as those of a newer version. */
  readonly kinds: readonly KindName[]
  readonly limit: number
  readonly limitPerService: number
  /** What this process is asking about. It is not taken again, and counts for the limit of its service. */
  readonly underWay: readonly Pick<Attempt, 'id' | 'service_id'>[]
  readonly leaseMs: number
}

/**
 * Takes due attempts of all accounts. In the same statement each is put off by the length of the lease, so
 * that no other process takes it, and the next one does if this process dies. Sending a queued attempt does
 * not count as a check. Services take turns: the oldest attempt of each is taken before the second of any.
 */
export function takeDue(
  context: Context,
  { kinds, limit, limitPerService, underWay, leaseMs }: Take,
): Promise<Attempt[]> {
  const { clock } = context
  const later = (time: Date) => new Date(time.getTime() + leaseMs)
  const left = new Map<string, number>()
  for (const { service_id } of underWay) {
    left.set(service_id, Math.max(0, (left.get(service_id) ?? limitPerService) - 1))
  }
  return takeByTurns(context, QUEUE, {
    limit,
    width: limitPerService,
    narrow: left,
    isRoundRobin: true,
    where: sql`${isNotOnItsWay(clock)} and kind = any(${kinds}::text[])
      and id <> all(${underWay.map(({ id }) => id)}::uuid[])`,
    set: sql`due_at = case state when 'sent' then ${later(realTime(clock))} else ${later(clock())} end::timestamptz,
      checks = case when state = 'queued' then checks else checks + 1 end`,
  })
}
