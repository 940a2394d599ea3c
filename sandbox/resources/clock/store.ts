import { sql } from 'kysely'
import type { Context, Tables, Tx } from '#platform/database/db.ts'
import { realTime } from '#platform/process/clock.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    sandbox_clock: {
      is_only: boolean
      /** How far the clock is ahead of real time. */
      offset_ms: string
      target: Date | null
      leased_by: string | null
      leased_until: Date | null
      late_jobs: readonly LateJob[]
    }
  }
}

/** A job that the clock did not wait for. */
export type LateJob = {
  readonly job: string
  readonly reason: 'waiting' | 'slow' | 'failed'
  readonly due_at: string
}

export type StoredClock = {
  readonly offsetMs: number
  readonly target: Date | null
  /** In the order in which they fell behind. */
  readonly lateJobs: readonly LateJob[]
}

const COLUMNS = ['offset_ms', 'target', 'late_jobs'] as const

function toClock({ offset_ms, target, late_jobs: lateJobs }: Row): StoredClock {
  return { offsetMs: Number(offset_ms), target, lateJobs }
}

type Row = Pick<Tables['sandbox_clock'], (typeof COLUMNS)[number]>

export async function read({ db }: Pick<Context, 'db'>): Promise<StoredClock> {
  const row = await db.selectFrom('sandbox_clock').select(COLUMNS).executeTakeFirstOrThrow()
  return toClock(row)
}

/** Locks the row, so that of two requests one begins. */
export async function lock({ db }: Context<Tx>): Promise<StoredClock> {
  const row = await db.selectFrom('sandbox_clock').select(COLUMNS).forUpdate().executeTakeFirstOrThrow()
  return toClock(row)
}

export async function setTarget({ db }: Context<Tx>, target: Date): Promise<void> {
  await db.updateTable('sandbox_clock').set({ target, late_jobs: sql`'[]'` }).execute()
}

export type MovingClock = StoredClock & { readonly target: Date }

/** One worker's turn to move the clock. */
export type Lease = { readonly holder: string; readonly leaseMs: number }

/** Undefined if there is nothing to move, or another worker moves it. */
export async function take(
  { db, clock }: Context,
  { holder, leaseMs }: Lease,
): Promise<MovingClock | undefined> {
  const real = realTime(clock)
  const taken = await db
    .updateTable('sandbox_clock')
    .set({ leased_by: holder, leased_until: new Date(real.getTime() + leaseMs) })
    .where('target', 'is not', null)
    .where((eb) => eb.or([eb('leased_until', 'is', null), eb('leased_until', '<=', real)]))
    .returning(COLUMNS)
    .executeTakeFirst()
  return taken?.target ? { ...toClock(taken), target: taken.target } : undefined
}

/** Makes the lease longer. False if another worker has taken over. */
export async function renew({ db, clock }: Context, { holder, leaseMs }: Lease): Promise<boolean> {
  const renewed = await db
    .updateTable('sandbox_clock')
    .set({ leased_until: new Date(realTime(clock).getTime() + leaseMs) })
    .where('leased_by', '=', holder)
    .executeTakeFirst()
  return renewed.numUpdatedRows === 1n
}

/** Moves the clock, unless it is later already. False if another worker has taken over. */
export async function moveTo({ db }: Context, { holder }: Lease, time: Date): Promise<boolean> {
  const moved = await sql`
    update sandbox_clock set offset_ms = greatest(
      offset_ms, ceil(extract(epoch from ${time}::timestamptz - clock_timestamp()) * 1000)::bigint
    )
    where leased_by = ${holder}
  `.execute(db)
  return moved.numAffectedRows === 1n
}

/** Notes that the clock moves on without a job. A job that is late again stays as it was first noted. */
export async function noteLate({ db }: Context, { holder }: Lease, late: LateJob): Promise<void> {
  await sql`
    update sandbox_clock set late_jobs = late_jobs || ${JSON.stringify([late])}::jsonb
    where leased_by = ${holder} and not late_jobs @> ${JSON.stringify([{ job: late.job }])}::jsonb
  `.execute(db)
}

/** Ends the turn. The next worker continues, unless all is done. */
export async function release(
  { db }: Context,
  { holder }: Lease,
  { isDone }: { readonly isDone: boolean },
): Promise<void> {
  await db
    .updateTable('sandbox_clock')
    .set({ leased_by: null, leased_until: null, ...(isDone && { target: null }) })
    .where('leased_by', '=', holder)
    .execute()
}
