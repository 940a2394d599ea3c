import { type Selectable, sql } from 'kysely'
import { newId } from '#domain/ids.ts'
import type { Finding } from '#pages/verify.ts'
import type { Context, Tables, Tx } from '#platform/database/db.ts'
import { advisoryLock } from '#platform/database/sql.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    page_checks: { id: string; url: string; findings: readonly Finding[] | null; created_at: Date }
  }
}

export type StoredPageCheck = Selectable<Tables['page_checks']>

/** Claims and conclusions of different processes wait for each other. */
export function lockChecks(tx: Context<Tx>): Promise<void> {
  return advisoryLock(tx, 'page_checks')
}

/** The last check that ended, or that began after a time and may still run. */
export async function latest({ db }: Context, runningSince: Date): Promise<StoredPageCheck | undefined> {
  return db
    .selectFrom('page_checks')
    .select(['id', 'url', 'findings', 'created_at'])
    .where((eb) => eb.or([eb('findings', 'is not', null), eb('created_at', '>', runningSince)]))
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export async function begin({ db, clock }: Context<Tx>, url: string): Promise<StoredPageCheck> {
  const now = clock()
  const row = { id: newId(now.getTime()), url, findings: null, created_at: now }
  await db.insertInto('page_checks').values(row).execute()
  return row
}

export async function conclude({ db }: Context<Tx>, id: string, findings: readonly Finding[]): Promise<void> {
  await sql`update page_checks set findings = ${JSON.stringify(findings)}::jsonb where id = ${id}`.execute(db)
}

export async function removeBefore({ db }: Context<Tx>, time: Date): Promise<void> {
  await db.deleteFrom('page_checks').where('created_at', '<', time).execute()
}
