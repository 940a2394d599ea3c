import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { MIGRATIONS } from '../app.ts'
import { ownEmbeddedPostgres } from '../platform/embedded-postgres.ts'
import { migrate } from '../platform/migrate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the server's socket. */
    databaseHost: string
  }
}

export const TEMPLATE = 'template_switchyard'

/** One real PostgreSQL for the whole run. Each test file clones a migrated template into a database of its own. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'switchyard-test-'))
  const server = await ownEmbeddedPostgres({ dataDir, say: () => {} })
  const client = new pg.Client(server.connection)
  await client.connect()
  await client.query(`create database ${TEMPLATE}`)
  await client.end()
  await migrate({ ...server.connection, database: TEMPLATE }, MIGRATIONS)
  project.provide('databaseHost', String(server.connection.host))
  return async () => {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
