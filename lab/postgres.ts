import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { ownEmbeddedPostgres } from '#platform/database/embedded-postgres.ts'
import type { Connection } from '#platform/database/open-database.ts'
import { urlOf } from '#testing/database-url.ts'
import { temporaryFolder, undoable } from './processes.ts'

export type Postgres = {
  readonly connection: Connection
  /** In the given folder, or in the server's own. */
  readonly newDatabase: (folder?: string) => Promise<string>
  readonly stop: () => Promise<void>
}

/** A PostgreSQL of our own, which outlives the services that use it. */
export async function startPostgres(settings: Readonly<Record<string, string>> = {}): Promise<Postgres> {
  const folder = temporaryFolder()
  const { connection, stop } = await ownEmbeddedPostgres({ dataDir: folder.path, say: () => {}, settings })
  return {
    connection,
    newDatabase: async (folder) => {
      const database = `faults_${randomBytes(8).toString('hex')}`
      const client = new pg.Client(connection)
      await client.connect()
      if (folder !== undefined) await client.query(`create tablespace ${database} location '${folder}'`)
      await client.query(
        `create database ${database} tablespace ${folder === undefined ? 'pg_default' : database}`,
      )
      await client.end()
      return urlOf({ ...connection, database })
    },
    stop: undoable(async () => {
      await stop()
      await folder.remove()
    }),
  }
}
