import { sql } from 'kysely'
import { newId } from '#domain/ids.ts'
import { write, writeOrFail } from '#platform/brief-transaction.ts'
import { realTime } from '#platform/clock.ts'
import { Overtaken } from '#platform/database-errors.ts'
import type { Context, Scope, Tables, Tx } from '#platform/db.ts'
import { earliest } from '#platform/earliest.ts'
import { insertInto, updateReturning } from '#platform/statements.ts'
import { currentTraceparent } from '#platform/trace.ts'
import { dueIfLeft } from './due.ts'
import type { KindName, PaymentKind } from './kinds.ts'

declare module '#platform/db.ts' {
  interface Tables {
    attempts: {
      id: string
      merchant_account_id: string
      kind: KindName
      /** The payment, if the attempt is about one. */
      transaction_id: string | null
      /** The capture, refund or redemption. For a void: the authorization of another service. */
      subject_id: string | null
      /** The service that we ask. Services take turns by it. */
      service_id: string
      is_direct_capture: boolean
      /** What is presented in place of what the payment says: a token of its stored card, and the token's id. */
      instrument_type: string | null
      instrument_id: string | null
      amount: number
      state: State
      reference: string | null
      error_code: string | null
      raw_response_code: string | null
      raw_response_description: string | null
      checks: number
      /** When the provider is asked, or asked again. Of a sent attempt: when it counts as abandoned, in real time. */
      due_at: Date | null
      /** The buyer has come back from the provider. From then on, the provider is asked to complete the attempt. */
      may_complete: boolean
      /** What the buyer's browser brought back, and how the buyer approves. Sealed, and gone once the attempt is decided. */
      returned: Buffer | null
      approval: Buffer | null
      /** Whether an order with a card was kept before it was sent: see `kept-orders.ts`. Null: it need not be kept. */
      order_state: 'awaited' | 'kept' | 'abandoned' | null
      /** When it was recorded, in real time. */
      sent_at: Date | null
      /** The trace of the request that began it, with which the job goes on. Null: it is not traced. */
      traceparent: string | null
      created_at: Date
      updated_at: Date
    }
  }
}

type State = 'queued' | 'sent' | 'unknown' | 'pending' | 'approved' | 'declined' | 'failed'
export type Attempt = Tables['attempts']
export type PaymentAttempt = Attempt & { readonly kind: PaymentKind; readonly transaction_id: string }

const COLUMNS = [
  'id',
  'merchant_account_id',
  'kind',
  'transaction_id',
  'subject_id',
  'service_id',
  'is_direct_capture',
  'instrument_type',
  'instrument_id',
  'amount',
  'state',
  'reference',
  'error_code',
  'raw_response_code',
  'raw_response_description',
  'checks',
  'due_at',
  'may_complete',
  'returned',
  'approval',
  'order_state',
  'sent_at',
  'traceparent',
  'created_at',
  'updated_at',
] as const

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
function own({ merchantAccountId }: Scope, found: Attempt | undefined): Attempt | undefined {
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

/** The last attempt of a kind, decided or not. */
export async function lastOf(
  { db, merchantAccountId }: Scope,
  transactionId: string,
  kind: PaymentKind,
): Promise<PaymentAttempt | undefined> {
  return db
    .selectFrom('attempts')
    .select(COLUMNS)
    .$castTo<PaymentAttempt>()
    .where('merchant_account_id', '=', merchantAccountId)
    .where('transaction_id', '=', transactionId)
    .where('kind', '=', kind)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/**
 * Whether this gives back what a service holds, or has taken, beside the payment. Its outcome does not change the
 * payment.
 */
export function isStray({ kind, subject_id }: Pick<Attempt, 'kind' | 'subject_id'>): boolean {
  return kind === 'void' && subject_id !== null
}

/** Whether a service has taken money for a payment. */
export async function hasCapturedAt({ db, merchantAccountId }: Scope, serviceId: string): Promise<boolean> {
  const { rows } = await sql`
    select from attempts
    where service_id = ${serviceId} and merchant_account_id = ${merchantAccountId} and reference is not null
      and state = 'approved' and transaction_id is not null and (kind = 'capture' or is_direct_capture)
    limit 1
  `.execute(db)
  return rows.length > 0
}

/** Those of these authorizations of which a void exists, decided or not. */
export async function listReleased(
  { db, merchantAccountId }: Scope,
  asked: readonly Pick<PaymentAttempt, 'id' | 'transaction_id'>[],
): Promise<ReadonlySet<string>> {
  if (asked.length === 0) return new Set()
  const { rows } = await sql<{ subject_id: string }>`
    select subject_id from attempts
    where merchant_account_id = ${merchantAccountId} and kind = 'void'
      and transaction_id = any(${asked.map((attempt) => attempt.transaction_id)}::uuid[])
      and subject_id = any(${asked.map(({ id }) => id)}::uuid[])
  `.execute(db)
  return new Set(rows.map(({ subject_id }) => subject_id))
}

/** Whether a void of an authorization's hold exists, decided or not. */
export async function isReleased(scope: Scope, attempt: PaymentAttempt): Promise<boolean> {
  return (await listReleased(scope, [attempt])).has(attempt.id)
}

/** How many attempts at a service are undecided. */
export async function countOpenAt({ db, merchantAccountId }: Scope, serviceId: string): Promise<number> {
  const { open } = await db
    .selectFrom('attempts')
    .select((eb) => eb.fn.countAll<string>().as('open'))
    .where('merchant_account_id', '=', merchantAccountId)
    .where('service_id', '=', serviceId)
    .where('due_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(open)
}

type OpenGroup = Pick<Attempt, 'kind' | 'state'> & {
  readonly open: number
  readonly due: number
  /** When the oldest was recorded, in real time. */
  readonly since: Date
}

/** All undecided attempts, of every account. */
export async function countOpen({ db, clock }: Context): Promise<OpenGroup[]> {
  const { rows } = await sql<OpenGroup>`
    select kind, state, count(*)::int as open, min(coalesce(sent_at, created_at)) as since,
      count(*) filter (where ${isDue(clock(), realTime(clock))})::int as due
    from attempts where due_at is not null group by kind, state
  `.execute(db)
  return rows
}

/** Finds an attempt by the provider's own id, as notifications name it. Open ones come first. */
export async function findByReference(
  scope: Scope,
  { serviceId, reference, kind }: Named & { readonly reference: string },
): Promise<Attempt | undefined> {
  const found = await scope.db
    .selectFrom('attempts')
    .select(COLUMNS)
    .where('service_id', '=', serviceId)
    .where('reference', '=', reference)
    .where('kind', '=', kind)
    .orderBy(sql`due_at is null`)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
  return own(scope, found)
}

type Named = { readonly serviceId: string; readonly kind: KindName }

/** The attempts of a payment at a service, decided or not. */
export function listOfPayment(
  { db, merchantAccountId }: Scope,
  { serviceId, transactionId, kind }: Named & { readonly transactionId: string },
): Promise<Attempt[]> {
  return db
    .selectFrom('attempts')
    .select(COLUMNS)
    .where('merchant_account_id', '=', merchantAccountId)
    .where('transaction_id', '=', transactionId)
    .where('service_id', '=', serviceId)
    .where('kind', '=', kind)
    .orderBy('created_at')
    .execute()
}

/** The last attempts about a payment, decided or not, the newest first. */
export async function newestOf(
  { db, merchantAccountId }: Scope,
  transactionId: string,
  limit: number,
): Promise<PaymentAttempt[]> {
  const rows = await db
    .selectFrom('attempts')
    .select(COLUMNS)
    .where('merchant_account_id', '=', merchantAccountId)
    .where('transaction_id', '=', transactionId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(ofPayment)
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
 * not count as a check.
 *
 * Services take turns: the oldest attempt of each is taken before the second of any, so that a long queue for
 * one does not delay the others. The statement finds services by leaping from one to the next in the index,
 * however long their queues are.
 */
export async function takeDue(
  { db, clock }: Context,
  { kinds, limit, limitPerService, underWay, leaseMs }: Take,
): Promise<Attempt[]> {
  const [now, real] = [clock(), realTime(clock)]
  const later = (time: Date) => new Date(time.getTime() + leaseMs)
  const [taken, busy] = [underWay.map(({ id }) => id), underWay.map(({ service_id }) => service_id)]
  const { rows } = await sql<Attempt>`
    with recursive services as (
      (select service_id as id from attempts where due_at is not null order by 1 limit 1)
      union all
      select (
        select service_id from attempts
        where due_at is not null and service_id > services.id order by 1 limit 1
      ) from services where services.id is not null
    ),
    due as materialized (
      select next.id from services cross join lateral (
        select count(*) as used from unnest(${busy}::uuid[]) as busy (id) where busy.id = services.id
      ) as places cross join lateral (
        select id, due_at, used + row_number() over (order by due_at) as turn from (
          select id, due_at from attempts
          where service_id = services.id and ${isDue(now, real)} and kind = any(${kinds}::text[])
            and id <> all(${taken}::uuid[])
          order by due_at limit greatest(${limitPerService} - used, 0) for update skip locked
        ) as oldest
      ) as next
      order by turn, due_at limit ${limit}
    )
    update attempts
    set due_at = case state when 'sent' then ${later(real)} else ${later(now)} end::timestamptz, checks = case when state = 'queued' then checks else checks + 1 end
    from due where attempts.id = due.id
    returning ${sql.join(COLUMNS.map((column) => sql.ref(`attempts.${column}`)))}
  `.execute(db)
  return rows
}

/** Both conditions, because an index knows only the first. */
function isDue(now: Date, real: Date) {
  return sql`due_at <= ${now} and (state <> 'sent' or due_at <= ${real})`
}

/** When the next attempt is due, of any account. */
export function nextDueAt(context: Context): Promise<Date | null> {
  const real = realTime(context.clock)
  const statement = sql<{ at: Date | null }>`
    with recursive services as (
      (select service_id as id from attempts where due_at is not null order by 1 limit 1)
      union all
      select (
        select service_id from attempts
        where due_at is not null and service_id > services.id order by 1 limit 1
      ) from services where services.id is not null
    )
    select min(next.due_at) as at from services cross join lateral (
      select due_at from attempts
      where service_id = services.id and due_at is not null and (state <> 'sent' or due_at <= ${real})
      order by due_at limit 1
    ) as next`
  return earliest(context, statement)
}
