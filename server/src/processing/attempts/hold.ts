import { sql } from 'kysely'
import type { Scope } from '#platform/database/db.ts'
import { realTime } from '#platform/process/clock.ts'
import type { Line } from '../provider.ts'
import { dueIfLeft } from './due.ts'
import type { Attempt } from './store.ts'

/**
 * Leaves an open attempt to this process while it asks a provider that may take so long. Most attempts are left to it for
 * long enough already. Returns false if another process has decided the attempt meanwhile.
 */
export async function holdWhileAsked(
  scope: Scope,
  { id, state, due_at }: Attempt,
  { timeoutMs }: Pick<Line, 'timeoutMs'>,
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
