import { sql } from 'kysely'
import { newId } from '#domain/ids.ts'
import { write, writeOrFail } from '#platform/database/brief-transaction.ts'
import { Overtaken } from '#platform/database/database-errors.ts'
import type { Context, Scope, Tables, Tx } from '#platform/database/db.ts'
import { insertInto, updateReturning } from '#platform/database/statements.ts'
import { currentTraceparent } from '#platform/observability/trace.ts'
import { type Clock, realTime } from '#platform/process/clock.ts'
import * as queues from '#platform/queue/queue.ts'

declare module '#platform/database/db.ts' {
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

/** The kinds of attempts about a payment. */
export type PaymentKind =
  | 'authorize'
  | 'capture'
  | 'void'
  | 'cancel'
  | 'refund'
  | 'increment'
  | 'redeem'
  | 'reverse'

/** The kinds of attempts about a network token. */
export type TokenKind = 'provision-token' | 'suspend-token' | 'resume-token' | 'delete-token'

/** All kinds of attempts, by their names in the table. */
export type KindName =
  | PaymentKind
  | 'payout'
  | 'activate'
  | 'issue'
  | 'update-card'
  | 'tokenize'
  | 'forget-token'
  | 'answer-dispute'
  | TokenKind

export const COLUMNS = [
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
  | 'sent_at'
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
  return queues.takeByTurns(context, QUEUE, {
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

const QUEUE: queues.Queue<Attempt> & queues.Lanes = {
  table: 'attempts',
  key: ['id'],
  columns: COLUMNS,
  open: sql`due_at is not null`,
  due: 'due_at',
  lane: { column: 'service_id', type: 'uuid' },
}

/** When the next attempt is due, of any account. */
export function nextDueAt(context: Context): Promise<Date | null> {
  return queues.nextDueAt(context, QUEUE, isNotOnItsWay(context.clock))
}

/** Besides that it is due. */
export function isNotOnItsWay(clock: Clock) {
  return sql`(state <> 'sent' or due_at <= ${realTime(clock)})`
}

/** How long, beyond the provider's timeout, an attempt is left to the process that sent it. */
const GRACE_MS = 5_000

/** When an attempt counts as abandoned by the process that sends it. */
export function dueIfLeft(now: Date, timeoutMs: number): Date {
  return new Date(now.getTime() + timeoutMs + GRACE_MS)
}

type Waiting = { readonly state: string; readonly due_at: Date | null }

/**
 * Whether the provider may still get the attempt. An inquiry could make the provider refuse it, so the `due_at` of
 * a sent attempt is in real time: it must not come early because the clock of a sandbox is moved.
 */
export function isOnItsWay({ state, due_at }: Waiting, clock: Clock): boolean {
  return state === 'sent' && (due_at === null || due_at > realTime(clock))
}

/** Whether the provider can be asked about an open attempt now. */
export function mayInquire(attempt: Waiting, clock: Clock): boolean {
  const { state, due_at } = attempt
  if (due_at === null || isOnItsWay(attempt, clock)) return false
  return state !== 'queued' || due_at <= clock()
}

const MINUTE_MS = 60_000

/** When to ask again about an unknown outcome: after 1 minute, 5 minutes, 1 hour, then daily. */
export function nextCheck(now: Date, checks: number): Date {
  const delays = [MINUTE_MS, 5 * MINUTE_MS, 60 * MINUTE_MS]
  const delayMs = delays[checks]
  return delayMs === undefined ? aDayLater(now) : new Date(now.getTime() + delayMs)
}

const CHECKS_IN_A_MONTH = 33

/** The same for attempts that move no money: after thirty days, the engine stops asking. */
export function nextCheckForAMonth(now: Date, checks: number): Date | undefined {
  return checks < CHECKS_IN_A_MONTH ? nextCheck(now, checks) : undefined
}

/** When to retry an attempt that the provider refused and that must be done. */
export function aDayLater(now: Date): Date {
  return new Date(now.getTime() + 24 * 60 * MINUTE_MS)
}

/**
 * Leaves an open attempt to this process while it asks a provider that may take so long. Most attempts are left to it for
 * long enough already. Returns false if another process has decided the attempt meanwhile.
 */
export async function holdWhileAsked(
  scope: Scope,
  { id, state, due_at }: Attempt,
  { timeoutMs }: { readonly timeoutMs: number },
): Promise<boolean> {
  const now = state === 'sent' ? realTime(scope.clock) : scope.clock()
  if (due_at === null || due_at.getTime() >= now.getTime() + timeoutMs) return true
  const { rows } = await sql`
    update attempts set due_at = greatest(due_at, ${dueIfLeft(now, timeoutMs)}::timestamptz)
    where id = ${id} and state = ${state} and due_at is not null
    returning 1
  `.execute(scope.db)
  return rows.length > 0
}
