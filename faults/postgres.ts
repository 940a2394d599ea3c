import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { temporaryFolder, undoable } from '../bench/processes.ts'
import type { Connection } from '../server/src/platform/db.ts'
import { ownEmbeddedPostgres } from '../server/src/platform/embedded-postgres.ts'
import { urlOf } from '../server/src/testing/database-url.ts'

export type Postgres = {
  readonly connection: Connection
  readonly newDatabase: () => Promise<string>
  readonly stop: () => Promise<void>
}

/** A PostgreSQL of our own, which survives whatever is done to the services that use it. */
export async function startPostgres(): Promise<Postgres> {
  const folder = temporaryFolder()
  const { connection, stop } = await ownEmbeddedPostgres({ dataDir: folder.path, say: () => {} })
  return {
    connection,
    newDatabase: async () => {
      const database = `faults_${randomBytes(8).toString('hex')}`
      const client = new pg.Client(connection)
      await client.connect()
      await client.query(`create database ${database}`)
      await client.end()
      return urlOf({ ...connection, database })
    },
    stop: undoable(async () => {
      await stop()
      await folder.remove()
    }),
  }
}
