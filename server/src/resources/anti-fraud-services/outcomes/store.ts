import { sql } from 'kysely'
import type { Context } from '#platform/database/db.ts'
import { KIND, type StoredService } from '../store.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    anti_fraud_progress: { anti_fraud_service_id: string; told_at: Date; told_id: string; busy_until: Date }
  }
}

/** The last event that a service was told of. */
export type Progress = { readonly told_at: Date; readonly told_id: string }

/** The services of these definitions, and all silent ones. Deleted ones hear nothing more. */
export async function listServices(
  { db }: Context,
  definitions: readonly string[],
): Promise<readonly StoredService[]> {
  return db
    .selectFrom('anti_fraud_services')
    .select(KIND.columns)
    .where(sql<boolean>`(silent or anti_fraud_service_definition_id = any(${definitions}::text[]))`)
    .where('deleted_at', 'is', null)
    .execute()
}

const NO_ID = '00000000-0000-0000-0000-000000000000'

/** Null while another process tells the service. One that was told of nothing yet begins at `from`. */
export async function claim(
  { db }: Context,
  serviceId: string,
  { now, from, until }: { readonly now: Date; readonly from: Date; readonly until: Date },
): Promise<Progress | null> {
  const { rows } = await sql<Progress>`
    insert into anti_fraud_progress (anti_fraud_service_id, told_at, told_id, busy_until)
    values (${serviceId}, ${from}, ${NO_ID}, ${until})
    on conflict (anti_fraud_service_id) do update set busy_until = excluded.busy_until
      where anti_fraud_progress.busy_until <= ${now}
    returning told_at, told_id
  `.execute(db)
  return rows[0] ?? null
}

export async function advance(
  { db }: Context,
  serviceId: string,
  progress: Progress & { readonly busy_until?: Date },
): Promise<void> {
  await db
    .updateTable('anti_fraud_progress')
    .set(progress)
    .where('anti_fraud_service_id', '=', serviceId)
    .execute()
}
