import { sql } from 'kysely'
import type { Context, Tx } from './db.ts'

/**
 * One transaction at a time for each name, until it ends. It locks no row and no table: readers and other writers do not
 * wait, and databases that only speak like PostgreSQL know it, unlike `lock table`.
 */
export async function takeTurn({ db }: Context<Tx>, name: string, part = ''): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${name}), hashtext(${part}))`.execute(db)
}
