import { existsSync } from 'node:fs'
import { sql } from 'kysely'
import { readSecretFile, secretFile, secretsFrom } from '#platform/access/secrets.ts'
import type { Db } from '#platform/database/db.ts'
import { examinePooler } from '#platform/database/examine-pooler.ts'
import { compareMigrations, migrate } from '#platform/database/migrate.ts'
import { type Connection, openDatabase } from '#platform/database/open-database.ts'
import type { Logger } from '#platform/observability/log.ts'
import { isClaimed, refuseOtherInstance } from '#platform/process/instance.ts'
import { Vault } from '#vault'
import { MIGRATIONS } from './app.ts'
import { type Config, vaultKeySource } from './config.ts'
import { ANALYTICS_SETTINGS } from './open-replica.ts'

type Options = {
  readonly logger: Logger
  /** A command that only reads, or changes a row, must not upgrade an installation as a side effect. */
  readonly isUpgrade: boolean
  readonly say?: (text: string) => void
}

/**
 * Brings the schema up to date after checking that the database belongs to this installation: a migration
 * cannot be undone. An empty database belongs to the first process that uses it. Returns the applied
 * migrations.
 */
export async function bringUpToDate(
  connection: Connection,
  config: Config,
  { logger, say, isUpgrade }: Options,
): Promise<string[]> {
  // With all settings that a connection of ours may send, so that a pooler that refuses one is noticed here.
  const { db, pool, close } = openDatabase(connection, {
    poolSize: 2,
    onError: () => {},
    settings: ANALYTICS_SETTINGS,
  })
  try {
    const way = await examinePooler(pool)
    const { isNew, missing, unknown } = await compareMigrations(pool, MIGRATIONS)
    // Not refused: during a rolling upgrade, or on the way back from one, a process of the old version may have to start.
    if (unknown.length > 0 && missing.length === 0) {
      logger.warn({ unknown }, 'a newer version has migrated this database')
    } else if (unknown.length > 0) throw new Error(newer(unknown))
    const isInUse = !isNew && missing.length > 0 && (await refuseOtherOwner(db, config))
    if (isInUse && !isUpgrade) {
      throw new Error(`${missing.join(', ')} not applied. Back up, then run: switchyard migrate`)
    }
    if (way === 'by transaction') {
      if (missing.length > 0) throw new Error(throughPooler(missing))
      return []
    }
    if (isInUse) say?.(`Bringing the database up to date: ${missing.join(', ')} …`)
  } finally {
    await close()
  }
  return migrate(connection, MIGRATIONS)
}

/** Some migrations run statement by statement, each for longer than a pooler may allow, and set what their session needs. */
function throughPooler(missing: readonly string[]): string {
  return (
    `${missing.length} migrations are not applied, and DATABASE_URL leads through a pooler in transaction mode, which cannot apply ` +
    'them. Run "switchyard migrate" once with a DATABASE_URL that leads to the database directly, then start again.'
  )
}

/** Two lines of versions that meet in one database would each change what the other does not know. */
function newer(unknown: readonly string[]): string {
  return (
    `A newer version has migrated this database (${unknown.join(', ')}), so this version must not. ` +
    'Nothing was changed. Run the newer version. To go back, see docs/guide/operate.md#go-back.'
  )
}

/**
 * Throws if the database belongs to another environment, secret or vault key. Returns whether it belongs to
 * any installation. Its schema may be old, or that of an unfinished first start.
 */
export async function refuseOtherOwner(db: Db, config: Config): Promise<boolean> {
  if (!(await exists(db, 'instance'))) return false
  if (!(await isClaimed(db))) return false
  await refuseOtherInstance({ db }, config.environment, secretsFrom(secretOf(config)))
  if (await exists(db, 'vault.key_encryption_keys')) {
    await Vault.check(db, config.environment, vaultKeySource(config))
  }
  return true
}

async function exists(db: Db, table: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select to_regclass(${table}) is not null as found`.execute(
    db,
  )
  return rows[0]?.found === true
}

/** Never makes a secret: a new one could not be the one that the database knows. */
export function secretOf({ secretKey, dataDir }: Config): Buffer {
  if (secretKey !== null) return secretKey
  const file = secretFile(dataDir)
  if (!existsSync(file))
    throw new Error(`${file} is missing, and the database needs it. Restore it from a backup.`)
  return readSecretFile(dataDir)
}
