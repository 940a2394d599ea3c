import type { Scope } from '#platform/database/db.ts'
import * as history from '#processing/attempts/history.ts'
import type { WorkingService } from '../store.ts'

/** Card schemes give buyers 120 days for most disputes, and banks some weeks more. */
const DISPUTED_WITHIN_MS = 180 * 24 * 3_600_000

/** Whether a deleted service still takes notifications: payments that it made can be disputed, or fail late. */
export async function isHeardAfterDeletion(
  scope: Scope,
  { id, deleted_at }: Pick<WorkingService, 'id' | 'deleted_at'>,
): Promise<boolean> {
  if (deleted_at === null) return true
  const isOver = scope.clock().getTime() - deleted_at.getTime() > DISPUTED_WITHIN_MS
  return !isOver && history.hasCapturedAt(scope, id)
}
