import { sql } from 'kysely'
import type { Context, Scope, Tx } from '#platform/database/db.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'

const DAY_MS = 24 * 3_600_000
const PATIENCE_MS = 30 * DAY_MS

/**
 * Whether a provider had thirty days to delete a token. Then we give up: a provider that refuses, or an account that is
 * closed, would be asked for ever. Nothing changes a token while its provider is asked to delete it.
 */
export function isTimeUp({ updated_at }: { readonly updated_at: Date }, now: Date): boolean {
  return now.getTime() - updated_at.getTime() >= PATIENCE_MS
}

/** The audit log says which token its provider may still have. */
export function recordGivenUp(
  tx: Scope<Tx>,
  type: 'network-token' | 'payment-service-token',
  id: string,
): Promise<void> {
  return auditLogs.record(tx, 'updated', { type, id, name: 'not deleted at the provider' })
}

/** How many tokens we gave up in the last thirty days, over all merchant accounts. */
export async function countGivenUp({ db, clock }: Context): Promise<number> {
  const since = new Date(clock().getTime() - 30 * DAY_MS)
  const { rows } = await sql<{ count: number }>`
    select (
      (select count(*) from network_tokens where given_up_at > ${since})
      + (select count(*) from payment_service_tokens where given_up_at > ${since})
    )::int as count
  `.execute(db)
  return rows[0]?.count ?? 0
}
