import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { FailoverClient } from './failover-client.ts'
import { MigrationTurn, TurnLost } from './migration-turn.ts'
import type { Connection } from './open-database.ts'
import { BASELINE, isToBeTakenOver, readTakeOver } from './take-over.ts'

const VERSION_MIN = 14
/**
 * A statement that waits for a table's lock holds up all statements that come after it. So it waits briefly,
 * and the file is repeated, for some minutes in all.
 */
const LOCK_MS = 3_000
const LOCK_TRIES = 60
/**
 * A file that begins with this runs statement by statement. Each statement must be safe to run again after a
 * crash.
 */
const WITHOUT_TRANSACTION = /^-- Without a transaction\b/

type Migration = { readonly version: string; readonly sql: string; readonly checksum: string }

/**
 * Brings the schema up to date. Safe when several processes start at once: one migrates, the others wait, then find the work
 * done. Returns the applied migrations.
 */
export async function migrate(
  connection: Connection,
  folders: readonly string[],
  isWanted: (version: string) => boolean = () => true,
): Promise<string[]> {
  const client = await connect(connection)
  try {
    await refuseOldServer(client)
    const wanted = readMigrations(folders).filter(({ version }) => isWanted(version))
    if (await areApplied(client, wanted)) return []
    await endWithClient(client)
    return await applyInTurn(client, () => connect(connection), wanted)
  } finally {
    await client.end()
  }
}

async function connect(connection: Connection): Promise<pg.Client> {
  const client = new FailoverClient({
    ...connection,
    application_name: 'switchyard migrate',
    connectionTimeoutMillis: 5_000,
  })
  await client.connect()
  return client
}

/** Most starts find nothing to do, and do not wait for a turn. */
async function areApplied(client: pg.Client, wanted: readonly Migration[]): Promise<boolean> {
  const { rows } = await client.query("select to_regclass('schema_migrations') is not null as found")
  if (!rows[0].found) return false
  const applied = await readApplied(client)
  return !isToBeTakenOver(applied) && wanted.every((migration) => isApplied(migration, applied))
}

/** What a killed process has asked for would go on for its own time, and hold its locks. Not every system can tell. */
async function endWithClient(client: pg.Client): Promise<void> {
  await client.query("set client_connection_check_interval = '1s'").catch(() => {})
}

async function applyInTurn(
  client: pg.Client,
  connectAgain: () => Promise<pg.Client>,
  wanted: readonly Migration[],
): Promise<string[]> {
  const done: string[] = []
  for (;;) {
    const turn = await MigrationTurn.take(client, connectAgain)
    try {
      await applyMissing({ client, turn, done }, wanted)
      return done
    } catch (error) {
      if (!(error instanceof TurnLost)) throw error
    } finally {
      await turn.end()
    }
  }
}

type Work = {
  readonly client: pg.Client
  readonly turn: MigrationTurn
  /** What was applied. */
  readonly done: string[]
}

/**
 * What `migrate` would do, without doing it. `unknown` lists migrations that a newer version of this program
 * has applied.
 */
export async function compareMigrations(pool: pg.Pool, folders: readonly string[]): Promise<Compared> {
  const table = await pool.query("select to_regclass('schema_migrations') as found")
  const applied = table.rows[0].found === null ? new Map<string, string>() : await readApplied(pool)
  return compareWith(applied, folders)
}

type Compared = { readonly isNew: boolean; readonly missing: string[]; readonly unknown: string[] }

/** Compares our migrations with the checksums of those that were applied. */
export function compareWith(applied: ReadonlyMap<string, string>, folders: readonly string[]): Compared {
  const migrations = readMigrations(folders)
  if (isToBeTakenOver(applied)) {
    return { isNew: false, missing: migrations.map(({ version }) => version), unknown: [] }
  }
  const known = new Set(migrations.map(({ version }) => version))
  return {
    isNew: applied.size === 0,
    missing: migrations.filter((migration) => !isApplied(migration, applied)).map(({ version }) => version),
    unknown: [...applied.keys()].filter((version) => !known.has(version)),
  }
}

export async function refuseOldServer(client: pg.Client | pg.Pool): Promise<void> {
  const answer = await client.query('show server_version_num')
  const major = Math.floor(Number(answer.rows[0].server_version_num) / 10_000)
  if (major < VERSION_MIN) {
    throw new Error(`DATABASE_URL names a PostgreSQL ${major}; Switchyard needs ${VERSION_MIN} or newer.`)
  }
}

function readMigrations(folders: readonly string[]): Migration[] {
  return folders.flatMap((folder) => {
    const names = readdirSync(folder).filter((name) => name.endsWith('.sql'))
    return names
      .sort((a, b) => (a < b ? -1 : 1))
      .map((name) => {
        const sql = readFileSync(join(folder, name), 'utf8')
        const checksum = createHash('sha256').update(sql).digest('hex')
        return { version: name.replace(/[.]sql$/, ''), sql, checksum }
      })
  })
}

async function applyMissing(work: Work, migrations: readonly Migration[]): Promise<void> {
  const { client, done } = work
  await client.query(
    `create table if not exists schema_migrations (
       version text primary key,
       checksum text not null,
       applied_at timestamptz(3) not null default now()
     )`,
  )
  if (isToBeTakenOver(await readApplied(client))) done.push(...(await takeOver(work, migrations)))
  const applied = await readApplied(client)
  for (const migration of migrations) {
    if (isApplied(migration, applied)) continue
    await apply(work, migration)
    done.push(migration.version)
  }
}

/** The checksum of each migration that was applied to this database. */
async function readApplied(client: pg.Client | pg.Pool): Promise<Map<string, string>> {
  const { rows } = await client.query<{ version: string; checksum: string }>(
    'select version, checksum from schema_migrations',
  )
  return new Map(rows.map(({ version, checksum }) => [version, checksum]))
}

function isApplied({ version, checksum }: Migration, applied: ReadonlyMap<string, string>): boolean {
  const found = applied.get(version)
  if (found === undefined) return false
  if (found === checksum) return true
  throw new Error(
    `Migration ${version} differs from the one this database was migrated with. ` +
      'Migrations are never edited; restore the file and add a new one.',
  )
}

/** The baseline takes the place of the history. Returns its migrations. */
async function takeOver(work: Work, migrations: readonly Migration[]): Promise<string[]> {
  const { client } = work
  const baseline = migrations.filter(({ version }) => BASELINE.includes(version))
  await inOneTransaction(work, 'The change to the baseline', async () => {
    await client.query(readTakeOver())
    await client.query('delete from schema_migrations')
    for (const migration of baseline) await note(client, migration)
  })
  return baseline.map(({ version }) => version)
}

async function apply(work: Work, migration: Migration): Promise<void> {
  const { client } = work
  const { version, sql } = migration
  if (WITHOUT_TRANSACTION.test(sql)) return applyStepByStep(work, migration)
  await inOneTransaction(work, `Migration ${version}`, async () => {
    await client.query(sql)
    await note(client, migration)
  })
}

async function inOneTransaction(
  { client, turn }: Work,
  name: string,
  change: () => Promise<void>,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await client.query(`begin; set local lock_timeout = ${LOCK_MS}`)
    try {
      await turn.hold()
      await change()
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback')
      if (error instanceof TurnLost) throw error
      if (!isLockedOut(error) || attempt === LOCK_TRIES) {
        throw new Error(`${name} failed and was rolled back`, { cause: error })
      }
    }
    await sleep(LOCK_MS)
  }
}

function isLockedOut(error: unknown): boolean {
  const { code } = error as { readonly code?: string }
  return code === '55P03' || code === '40P01'
}

async function applyStepByStep({ client, turn }: Work, migration: Migration): Promise<void> {
  try {
    for (const statement of migration.sql.split(/;$/m)) {
      await turn.hold()
      await client.query(statement)
    }
    await turn.hold()
    await note(client, migration)
  } catch (error) {
    if (error instanceof TurnLost) throw error
    throw new Error(`Migration ${migration.version} stopped half-way; run migrate again to repeat it`, {
      cause: error,
    })
  }
}

async function note(client: pg.Client, { version, checksum }: Migration): Promise<void> {
  await client.query('insert into schema_migrations (version, checksum) values ($1, $2)', [version, checksum])
}
