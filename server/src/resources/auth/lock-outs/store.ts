import { sql } from 'kysely'
import type { Context } from '#platform/database/db.ts'
import { realTime } from '#platform/process/clock.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    user_lock_outs: { email_mac: Buffer; failures: number; failed_at: Date; locked_until: Date | null }
  }
}

/** PCI DSS 8.3.4: at most ten tries, then at least half an hour. */
const TRIES_MAX = 10
const LOCKED_MS = 30 * 60_000

/**
 * Counts a try before it is judged, so that many tries at once are not more than ten. Returns null, or until
 * when no try is judged. Addresses of users and of no user are treated alike.
 */
export async function countTry({ db, clock }: Context, emailMac: Buffer): Promise<Date | null> {
  const now = realTime(clock)
  const end = new Date(now.getTime() + LOCKED_MS)
  const fresh = new Date(now.getTime() - LOCKED_MS)
  const tries = sql`case when lock.locked_until is not null or lock.failed_at < ${fresh} then 1 else lock.failures + 1 end`
  const counted = await sql`
    insert into user_lock_outs as lock (email_mac, failures, failed_at) values (${emailMac}, 1, ${now})
    on conflict (email_mac) do update set failures = ${tries}, failed_at = ${now},
      locked_until = case when ${tries} >= ${TRIES_MAX} then ${end}::timestamptz end
      where lock.locked_until is null or lock.locked_until <= ${now}`.execute(db)
  if (counted.numAffectedRows === 1n) return null
  const row = await db
    .selectFrom('user_lock_outs')
    .select('locked_until')
    .where('email_mac', '=', emailMac)
    .executeTakeFirst()
  return row?.locked_until ?? null
}

/** Whether the last try has locked the address. */
export async function isLocked({ db, clock }: Context, emailMac: Buffer): Promise<boolean> {
  const row = await db
    .selectFrom('user_lock_outs')
    .select('email_mac')
    .where('email_mac', '=', emailMac)
    .where('locked_until', '>', realTime(clock))
    .executeTakeFirst()
  return row !== undefined
}

/** After a success, or when an administrator lets the user in again. */
export async function clear({ db }: Context, emailMac: Buffer): Promise<void> {
  await db.deleteFrom('user_lock_outs').where('email_mac', '=', emailMac).execute()
}

export async function purge({ db, clock }: Context): Promise<void> {
  const oldest = new Date(realTime(clock).getTime() - 2 * LOCKED_MS)
  await db.deleteFrom('user_lock_outs').where('failed_at', '<', oldest).execute()
}
