import { sql } from 'kysely'
import type { Context, Tx } from '#platform/database/db.ts'
import { realTime } from '#platform/process/clock.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    sandbox_fill: {
      is_only: boolean
      status: 'idle' | 'waiting' | 'filling' | 'succeeded' | 'failed'
      merchant_account_id: string | null
      days: number | null
      payments: number | null
      seed: number | null
      made: Made
      refusals: readonly Refusal[]
      failure: Failure | null
      begun_at: Date | null
      ended_at: Date | null
      api_key_pair_id: string | null
      leased_by: string | null
      leased_until: Date | null
    }
  }
}

/** How much the shop has done. */
export type Made = {
  readonly payments: number
  readonly approved: number
  readonly captures: number
  readonly refunds: number
  readonly voids: number
}
export type Refusal = { readonly reason: string; readonly count: number }
export type Progress = { readonly made: Made; readonly refusals: readonly Refusal[] }
/** `refused`: the service refused all that the shop asked. `interrupted`: its process ended. */
export type Failure = 'refused' | 'interrupted' | 'error'

export type Wish = {
  readonly merchantAccountId: string
  readonly days: number
  readonly payments: number
  readonly seed: number
}

const COLUMNS = [
  'status',
  'merchant_account_id',
  'days',
  'payments',
  'seed',
  'made',
  'refusals',
  'failure',
  'begun_at',
  'ended_at',
] as const

export type StoredFill = Awaited<ReturnType<typeof read>>

export function read({ db }: Pick<Context, 'db'>) {
  return db.selectFrom('sandbox_fill').select(COLUMNS).executeTakeFirstOrThrow()
}

export async function isUnderWay({ db }: Pick<Context, 'db'>): Promise<boolean> {
  const { status } = await read({ db })
  return status === 'waiting' || status === 'filling'
}

const NOTHING: Progress = {
  made: { payments: 0, approved: 0, captures: 0, refunds: 0, voids: 0 },
  refusals: [],
}

/** False if a history is under way. */
export async function begin({ db, clock }: Context<Tx>, wish: Wish): Promise<boolean> {
  const begun = await db
    .updateTable('sandbox_fill')
    .set({
      status: 'waiting',
      merchant_account_id: wish.merchantAccountId,
      days: wish.days,
      payments: wish.payments,
      seed: wish.seed,
      ...inColumns(NOTHING),
      failure: null,
      begun_at: clock(),
      ended_at: null,
    })
    .where('status', 'not in', ['waiting', 'filling'])
    .executeTakeFirst()
  return begun.numUpdatedRows === 1n
}

export type Lease = { readonly holder: string; readonly leaseMs: number }

/** What waits to be made. Undefined if nothing does. */
export async function take({ db, clock }: Context, { holder, leaseMs }: Lease): Promise<Wish | undefined> {
  const taken = await db
    .updateTable('sandbox_fill')
    .set({ status: 'filling', leased_by: holder, leased_until: until(clock, leaseMs) })
    .where('status', '=', 'waiting')
    .returning(['merchant_account_id', 'days', 'payments', 'seed'])
    .executeTakeFirst()
  if (!taken) return undefined
  const { merchant_account_id, days, payments, seed } = taken
  if (merchant_account_id === null || days === null || payments === null || seed === null) {
    throw new Error('a history is under way that was not wished for')
  }
  return { merchantAccountId: merchant_account_id, days, payments, seed }
}

export async function noteKey({ db }: Context<Tx>, { holder }: Lease, keyId: string): Promise<void> {
  await db
    .updateTable('sandbox_fill')
    .set({ api_key_pair_id: keyId })
    .where('leased_by', '=', holder)
    .executeTakeFirstOrThrow()
}

/** Also keeps the lease. */
export async function note(
  { db, clock }: Context,
  { holder, leaseMs }: Lease,
  progress: Progress,
): Promise<void> {
  await db
    .updateTable('sandbox_fill')
    .set({ ...inColumns(progress), leased_until: until(clock, leaseMs) })
    .where('leased_by', '=', holder)
    .execute()
}

export async function end(
  { db, clock }: Context,
  { holder }: Lease,
  { failure, ...progress }: Progress & { readonly failure: Failure | null },
): Promise<void> {
  await db
    .updateTable('sandbox_fill')
    .set({ ...inColumns(progress), ...ended(clock(), failure) })
    .where('leased_by', '=', holder)
    .execute()
}

/** Ends a history whose worker has died. Returns the key that it has left behind. */
export async function endAbandoned({ db, clock }: Context): Promise<string | null> {
  const abandoned = await sql<{ key: string | null }>`
    with dead as (select api_key_pair_id from sandbox_fill
      where status = 'filling' and leased_until <= ${realTime(clock)} for update)
    update sandbox_fill set status = 'failed', failure = 'interrupted', ended_at = ${clock()},
      api_key_pair_id = null, leased_by = null, leased_until = null
    from dead returning dead.api_key_pair_id as key
  `.execute(db)
  return abandoned.rows[0]?.key ?? null
}

function ended(at: Date, failure: Failure | null) {
  const status = failure === null ? ('succeeded' as const) : ('failed' as const)
  return { status, failure, ended_at: at, api_key_pair_id: null, leased_by: null, leased_until: null }
}

/** JSON is sent as text: the driver would take a list for an array of the database. */
function inColumns({ made, refusals }: Progress) {
  return {
    made: sql<Made>`${JSON.stringify(made)}::jsonb`,
    refusals: sql<readonly Refusal[]>`${JSON.stringify(refusals)}::jsonb`,
  }
}

function until(clock: Context['clock'], leaseMs: number): Date {
  return new Date(realTime(clock).getTime() + leaseMs)
}
