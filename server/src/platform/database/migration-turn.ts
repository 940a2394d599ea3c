import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { errorCode } from './database-errors.ts'

/** A process that is killed holds up the next one for at most this long. */
const LEASE_MS = 10_000
const RENEW_MS = 2_500
const LOOK_MS = 100

const LEASE_END = `clock_timestamp() + interval '${LEASE_MS} milliseconds'`
const TABLE = `
  create table if not exists schema_migrator (
    is_only boolean primary key default true check (is_only),
    -- The process of the database that the holder's connection has. It is for people who look who migrates.
    holder integer,
    -- Grows whenever a process takes its turn.
    fence bigint not null default 0,
    -- In the database's own time.
    leased_until timestamptz(3) not null default '-infinity'
  )`
const UNIQUE_VIOLATION = '23505'
const DUPLICATE_TABLE = '42P07'
/** A table has a type of its name, which another process may have made a moment before. */
const DUPLICATE_TYPE = '42710'

/** Another process has taken over, because this one did not say for a while that it is still at it. */
export class TurnLost extends Error {}

/**
 * The right to migrate a database. One process has it at a time: the one that the only row of a table names, until a time. It is
 * not a lock of PostgreSQL, which databases that spread over machines may take without keeping others out.
 */
export class MigrationTurn {
  readonly #client: pg.Client
  readonly #fence: string
  readonly #renewing: NodeJS.Timeout
  #second: Promise<pg.Client> | undefined

  private constructor(client: pg.Client, fence: string, connect: () => Promise<pg.Client>) {
    this.#client = client
    this.#fence = fence
    this.#renewing = setInterval(() => void this.#renew(connect), RENEW_MS)
    this.#renewing.unref()
  }

  /**
   * Waits for it. Polls: a single waiting statement would be a long transaction, which concurrent index builds wait for.
   * `connect` opens another connection, because the first may be busy for hours.
   */
  static async take(client: pg.Client, connect: () => Promise<pg.Client>): Promise<MigrationTurn> {
    await createTable(client)
    for (;;) {
      // A row that is locked belongs to a transaction of its holder that has not ended, even if the lease has.
      const { rows } = await client.query<{ fence: string }>(
        `update schema_migrator set holder = pg_backend_pid(), fence = fence + 1, leased_until = ${LEASE_END}
         where is_only = (select is_only from schema_migrator where leased_until <= clock_timestamp() for update skip locked)
         returning fence`,
      )
      if (rows[0]) return new MigrationTurn(client, rows[0].fence, connect)
      await sleep(LOOK_MS)
    }
  }

  /** Throws if another process has taken over. Within a transaction, none can until it ends. */
  async hold(): Promise<void> {
    const { rowCount } = await this.#client.query(
      `update schema_migrator set leased_until = ${LEASE_END} where fence = $1`,
      [this.#fence],
    )
    if (rowCount === 0) throw new TurnLost('another process has taken over the migration')
  }

  async end(): Promise<void> {
    clearInterval(this.#renewing)
    await (await this.#second?.catch(() => undefined))?.end().catch(() => {})
    // Without a connection, the lease ends by itself.
    await this.#client
      .query('update schema_migrator set leased_until = clock_timestamp() where fence = $1', [this.#fence])
      .catch(() => {})
  }

  /** A row that a transaction of ours holds need not be renewed, and is not waited for. */
  async #renew(connect: () => Promise<pg.Client>): Promise<void> {
    try {
      this.#second ??= connect()
      const second = await this.#second
      await second.query(
        `update schema_migrator set leased_until = ${LEASE_END}
         where is_only = (select is_only from schema_migrator where fence = $1 for update skip locked)`,
        [this.#fence],
      )
    } catch {
      // The next turn connects again. If the database stays away, the lease ends, and `hold` tells.
      const broken = this.#second
      this.#second = undefined
      await broken?.then((client) => client.end()).catch(() => {})
    }
  }
}

/** Of several processes that create the table at once, all but one may get an error. */
async function createTable(client: pg.Client): Promise<void> {
  try {
    await client.query(TABLE)
  } catch (error) {
    if (![UNIQUE_VIOLATION, DUPLICATE_TABLE, DUPLICATE_TYPE].includes(errorCode(error) ?? '')) throw error
  }
  await client.query('insert into schema_migrator default values on conflict do nothing')
}
