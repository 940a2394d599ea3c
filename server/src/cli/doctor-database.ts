import type pg from 'pg'
import { secretsFrom } from '#platform/access/secrets.ts'
import {
  measureDifferenceMs,
  readMoves,
  refuseMovedClock,
  warningAbout,
} from '#platform/database/database-clock.ts'
import type { Context, Db } from '#platform/database/db.ts'
import { compareMigrations, refuseOldServer } from '#platform/database/migrate.ts'
import { type Connection, type Database, openDatabase } from '#platform/database/open-database.ts'
import { createCommandLogger, type Logger } from '#platform/observability/log.ts'
import { refuseOtherInstance } from '#platform/process/instance.ts'
import type { Found } from '#processing/attempts/backlog.ts'
import { type Registries, registriesFor } from '#processing/connectors.ts'
import type { OutsidePackage } from '#processing/outside/load-packages.ts'
import * as apiKeyPairs from '#resources/api-key-pairs/store.ts'
import { foreignAmongWaiting, staleEntries } from '#resources/audit-logs/verify.ts'
import { countGivenUp } from '#resources/payment-methods/given-up-tokens.ts'
import { reportHealth } from '#resources/payment-service-reports/health.ts'
import { findUnresolvableAttempts } from '#resources/payment-services/find-unresolvable.ts'
import { nameOf, read } from '#resources/payment-services/notifications/held/hold.ts'
import * as heldNotifications from '#resources/payment-services/notifications/held/store.ts'
import { Vault } from '#vault'
import { MIGRATIONS } from '../app.ts'
import { refuseOtherOwner, secretOf } from '../bring-up-to-date.ts'
import { type Config, connectionsOf, processesOf, vaultKeySource } from '../config.ts'
import { sealerFor } from '../open-foundation.ts'
import { openReplica } from '../open-replica.ts'
import { openSandbox } from '../open-sandbox.ts'
import {
  attempt,
  checkKeyFile,
  checkProviderRoles,
  checkServices,
  type Finding,
  note,
  ok,
  problem,
} from './doctor-machine.ts'
import { withServer } from './foundation.ts'
import { reasonOf, type Terminal } from './terminal.ts'

/** A configuration, and the packages of connectors that it names. Null: one of them is refused. */
export type Examined = Config & { readonly packages: readonly OutsidePackage[] | null }

/** Checks an existing database without changing it. */
export async function checkDatabase(terminal: Terminal, config: Examined): Promise<Finding[]> {
  const findings: Finding[] = []
  try {
    await withServer(terminal, config, async ({ connection }) => {
      findings.push(...(await checkServer(config, connection, createCommandLogger(terminal.say))))
    })
    return findings
  } catch (error) {
    return [...findings, problem('database', reasonOf(error))]
  }
}

async function checkServer(config: Examined, connection: Connection, logger: Logger): Promise<Finding[]> {
  const database = openDatabase(connection, { poolSize: 2, onError: () => {} })
  const { db, pool, close } = database
  try {
    const version = await checkVersion(pool)
    if (version.status === 'problem') return [version]
    const schema = await attempt('migrations', () => checkMigrations(pool))
    const server = [
      version,
      schema,
      await attempt('clock', () => checkClock(pool)),
      await attempt('durability', () => checkDurability(pool)),
      await attempt('connections', () => checkConnections(config, pool)),
    ]
    if (schema.status === 'note') return server
    if (schema.status === 'problem')
      return [...server, await attempt('instance', () => checkOwner(config, db))]
    const differenceMs = await measureDifferenceMs(pool)
    const { offsetMs } = await readMoves({ db })
    const real = () => new Date(Date.now() - differenceMs)
    const clock = Object.assign(() => new Date(real().getTime() + offsetMs), { real })
    const mac: Context['mac'] = (...given) => secretsFrom(secretOf(config)).mac(...given)
    const context: Context = { db, clock, actor: { id: null, name: 'doctor' }, requestId: null, mac }
    const { oidc } = config
    const instance = await attempt('instance', () => checkInstance(config, context))
    return [
      ...server,
      instance,
      await attempt('vault', () => checkVault(config, context)),
      await attempt('sandbox clock', () => checkSandboxClock(config, context, offsetMs)),
      ...(config.readDatabaseUrl === null
        ? []
        : [await attempt('replica', () => checkReplica(config, database, { context, logger }))]),
      await attempt('keys', () => checkKeys(context)),
      await attempt('admin key', () => checkKeyFile(config, context)),
      await attempt('settlements', () => checkSettlements(context)),
      ...(config.packages ? await checkConnectors(context, await registriesOf(config, config.packages)) : []),
      await attempt('notifications', () => checkNotifications(context)),
      await attempt('tokens', () => checkTokens(context)),
      ...(oidc ? [await attempt('provider roles', () => checkProviderRoles(context, oidc))] : []),
      // With another secret, the codes of entries and the audit head on this machine cannot be checked.
      ...(instance.status === 'ok'
        ? [
            await attempt('audit log', () => checkSealing(config, context)),
            await attempt('audit head', () => checkHead(config, context, logger)),
          ]
        : []),
    ]
  } finally {
    await close()
  }
}

async function registriesOf(
  { environment }: Config,
  packages: readonly OutsidePackage[],
): Promise<Registries> {
  const sandbox = await openSandbox(environment)
  return registriesFor(environment, { simulators: sandbox?.simulators, packages })
}

async function checkVersion(pool: pg.Pool): Promise<Finding> {
  // Only if this query fails, no other check is possible.
  const answer = await pool.query('show server_version')
  return attempt('database', async () => {
    await refuseOldServer(pool)
    return ok('database', `PostgreSQL ${answer.rows[0].server_version}`)
  })
}

async function checkMigrations(pool: pg.Pool): Promise<Finding> {
  const { isNew, missing, unknown } = await compareMigrations(pool, MIGRATIONS)
  if (isNew) return note('migrations', 'the database is empty; npm start fills it')
  if (unknown.length > 0) {
    const list = unknown.join(', ')
    return problem(
      'migrations',
      `a newer version has applied ${list}`,
      'Run that version. The version right before it runs on this schema, too, for a while: see docs/guide/operate.md#go-back.',
    )
  }
  if (missing.length === 0) return ok('migrations', 'up to date')
  return problem('migrations', `${missing.join(', ')} not applied`, 'Back up, then run: switchyard migrate')
}

async function checkClock(pool: pg.Pool): Promise<Finding> {
  const differenceMs = await measureDifferenceMs(pool)
  const finding = `${Math.abs(differenceMs / 1000).toFixed(1)} s from the database's`
  if (!warningAbout(differenceMs)) return ok('clock', finding)
  return problem(
    'clock',
    finding,
    'Set both machines by NTP: tokens, certificates and logs depend on the time.',
  )
}

async function checkSandboxClock(
  { environment }: Config,
  context: Context,
  offsetMs: number,
): Promise<Finding> {
  if (environment === 'production') await refuseMovedClock(context)
  if (offsetMs === 0) return ok('sandbox clock', 'shows real time')
  const hours = Math.round(offsetMs / 3_600_000)
  return note('sandbox clock', `${hours} hours ahead of real time; it was moved, and does not go back`)
}

async function checkDurability(pool: pg.Pool): Promise<Finding> {
  const answer = await pool.query(
    "select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit",
  )
  const { fsync, commit } = answer.rows[0]
  if (fsync === 'on' && commit !== 'off') return ok('durability', 'fsync is on')
  const setting = fsync === 'on' ? 'synchronous_commit' : 'fsync'
  return problem(
    'durability',
    `${setting} is off, so a power failure can undo payments that were answered`,
    `Set ${setting} = on in postgresql.conf and restart the database.`,
  )
}

/** What all processes of this service may open at once. Other services and other machines add to it. */
async function checkConnections(config: Config, pool: pg.Pool): Promise<Finding> {
  const settings = ['max_connections', 'superuser_reserved_connections', 'reserved_connections']
  const answer = await pool.query<{ name: string; setting: string }>(
    'select name, setting from pg_settings where name = any($1)',
    [settings],
  )
  const value = (name: string) => Number(answer.rows.find((row) => row.name === name)?.setting ?? 0)
  const allowed =
    value('max_connections') - value('superuser_reserved_connections') - value('reserved_connections')
  const wanted = connectionsOf(config)
  const count = processesOf(config)
  const finding = `${count === 1 ? '1 process' : `${count} processes`} may open ${wanted} of ${allowed} connections`
  if (wanted <= allowed) return ok('connections', finding)
  return problem('connections', finding, 'Raise max_connections, or lower WORKERS or DATABASE_POOL_SIZE.')
}

/** Whether lists can be read from the replica. */
async function checkReplica(
  config: Config,
  primary: Database,
  { context, logger }: { readonly context: Context; readonly logger: Logger },
): Promise<Finding> {
  const secrets = secretsFrom(secretOf(config))
  const opened = await openReplica(config, { primary, context, secrets, logger })
  if (!opened) return note('replica', 'none')
  const { lagMs, reason } = opened.replica
  await opened.close()
  if (reason === null) return ok('replica', `${((lagMs ?? 0) / 1000).toFixed(1)} s behind the primary`)
  return problem(
    'replica',
    `${reason === 'lagging' ? 'more than READ_LAG_MAX_SECONDS behind' : reason.replace('_', ' ')}; lists are read from the primary`,
    'Check the server at READ_DATABASE_URL, and its replication.',
  )
}

async function checkInstance(config: Config, context: Context): Promise<Finding> {
  const { environment } = config
  const isClaimed = await refuseOtherInstance(context, environment, secretsFrom(secretOf(config)))
  if (!isClaimed) return note('instance', 'the first start ties the database to its environment and secret')
  return ok('instance', `${environment}, and the secret fits`)
}

/** All that can be checked with a schema that is older or newer than ours. */
async function checkOwner(config: Config, db: Db): Promise<Finding> {
  if (await refuseOtherOwner(db, config)) return ok('instance', 'environment, secret and vault keys fit')
  return note('instance', 'the first start did not get through; start it again')
}

async function checkVault(config: Config, { db }: Context): Promise<Finding> {
  if (await Vault.check(db, config.environment, vaultKeySource(config))) return ok('vault', 'the keys fit')
  return note('vault', 'empty; the first start ties it to its key')
}

/** Files that are refused, services that do not answer, lines that no payment fits. */
async function checkSettlements(context: Context): Promise<Finding> {
  const { services, failing, refused, abandoned, unmatched } = await reportHealth(context)
  if (services === 0) return note('settlements', 'no payment service has settlement reporting switched on')
  const troubles = [
    ...(failing > 0 ? [`${failing} of ${services} payment services cannot be asked for reports`] : []),
    ...(refused > 0 ? [`${refused} files were refused in the last 30 days`] : []),
    ...(abandoned > 0 ? [`${abandoned} files were applied in part only`] : []),
  ]
  const lines = `${unmatched} lines fit no payment`
  if (troubles.length === 0) return ok('settlements', `${services} payment services report; ${lines}`)
  return problem(
    'settlements',
    [...troubles, lines].join('; '),
    'See GET /payment-service-reports/feeds, and the files that are refused or abandoned in GET /payment-service-reports. Ask the payment service for corrected ones.',
  )
}

function checkConnectors(context: Context, registries: Registries): Promise<Finding[]> {
  return Promise.all([
    attempt('services', () => checkServices(context, registries)),
    attempt('attempts', () => checkAttempts(context, registries)),
  ])
}

/** Attempts whose outcome only the provider or a person can tell. */
async function checkAttempts(context: Context, registries: Registries): Promise<Finding> {
  const { forgotten, untold } = await findUnresolvableAttempts(context, registries)
  if (forgotten.count + untold.count === 0) return ok('attempts', 'every open attempt can be resolved')
  const tell = ({ count, oldest }: Found, why: string) =>
    oldest
      ? [
          `${count} cannot be resolved because ${why}; the oldest is ${oldest.id} (${oldest.kind}) of ` +
            `${oldest.transaction_id ? `transaction ${oldest.transaction_id}` : `merchant account ${oldest.merchant_account_id}`}`,
        ]
      : []
  return problem(
    'attempts',
    [
      ...tell(forgotten, 'the provider may have forgotten them'),
      ...tell(untold, 'the provider has not told their outcome for a day'),
    ].join('; '),
    'Look the ids up at the provider. Have it send its notifications again, or correct the transactions with PUT /transactions/{id}.',
  )
}

/** What providers told about payments that we do not know. */
async function checkNotifications(context: Context): Promise<Finding> {
  const { held, oldest } = await heldNotifications.count(context)
  if (!oldest) return ok('notifications', 'every notification of a provider fitted a payment')
  const { about, reference, ...ids } = nameOf(read(oldest))
  const named = [reference, ids.attemptId, ids.reconciliationId].find((id) => id) ?? 'nothing'
  const since = oldest.created_at.toISOString().slice(0, 10)
  return note(
    'notifications',
    `${held} fit no payment; the oldest is about ${about} of ${named}, came to payment service ` +
      `${oldest.payment_service_id} on ${since}, and is dropped after 30 days`,
  )
}

/** Tokens that their providers did not delete within thirty days. */
async function checkTokens(context: Context): Promise<Finding> {
  const count = await countGivenUp(context)
  if (count === 0) return ok('tokens', 'no provider has failed to delete a token in the last 30 days')
  return note(
    'tokens',
    `${count} deleted in the last 30 days may still be at their providers. Find them with ` +
      'GET /audit-logs?action=updated as "not deleted at the provider", and ask the providers to delete them',
  )
}

async function checkKeys(context: Context): Promise<Finding> {
  const active = await apiKeyPairs.countActive(context)
  if (active > 0) return ok('keys', `${active} active`)
  return problem(
    'keys',
    'no API key is active',
    'Run: switchyard keys create --display-name NAME --role administrator',
  )
}

/** The file in the data folder may know links that the database no longer has. */
async function checkHead(config: Config, context: Context, logger: Logger): Promise<Finding> {
  await sealerFor(config, secretsFrom(secretOf(config)), logger).check(context)
  return ok('audit head', 'the audit log contains what this machine knows of it')
}

/** A database that was restored to be tried, without a worker, has entries that wait. Nobody has changed them. */
async function checkSealing(config: Config, context: Context): Promise<Finding> {
  const foreign = await foreignAmongWaiting(context, secretsFrom(secretOf(config)))
  if (foreign !== null) return problem('audit log', foreign, 'Find out who writes to the database.')
  const stale = await staleEntries(context)
  if (stale === null) return ok('audit log', 'no entry waits to be sealed')
  return note('audit log', `${stale} They are sealed when the service runs with ROLE=all or ROLE=worker`)
}
