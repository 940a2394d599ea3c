import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Db, Tables } from '#platform/database/db.ts'

export type Statement = { readonly text: string; readonly values: readonly unknown[] }

/** The statements that the product's own functions send while `work` calls them. */
export async function statementsOf(
  connection: pg.PoolConfig,
  work: (db: Db) => Promise<unknown>,
): Promise<Statement[]> {
  const statements: Statement[] = []
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: new pg.Pool(connection) }),
    log: ({ query }) => {
      statements.push({ text: query.sql, values: query.parameters })
    },
  })
  try {
    await work(db)
    return statements
  } finally {
    await db.destroy()
  }
}
