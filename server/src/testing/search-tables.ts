import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'

type Search = {
  /** Each text that was found, and where. */
  readonly found: readonly string[]
  readonly tables: number
  readonly rows: number
}

/** Looks for texts in every row of every table of the installation, also of those that other roles own. */
export async function searchTables(db: Db, texts: readonly string[]): Promise<Search> {
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname in ('public', 'vault', 'simulator', 'issuer')
  `.execute(db)
  const found: string[] = []
  let count = 0
  for (const { name } of tables) {
    const { rows } = await sql.raw<{ row: string }>(`select t::text as row from ${name} as t`).execute(db)
    count += rows.length
    const all = rows.map(({ row }) => row).join('\n')
    found.push(...texts.filter((text) => all.includes(text)).map((text) => `${text} in ${name}`))
  }
  return { found, tables: tables.length, rows: count }
}
