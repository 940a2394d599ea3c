import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { cloneDatabase } from '#testing/harness.ts'
import { MIGRATIONS } from '../../app.ts'
import { compareWith, migrate } from './migrate.ts'
import { BASELINE, LAST_BEFORE } from './take-over.ts'

/** The migrations from before the baseline, as git keeps them: not in an archive, nor in a clone without its history. */
const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8', stdio: 'pipe' })
const isThere = spawnSync('git', ['cat-file', '-e', LAST_BEFORE]).status === 0

const home = mkdtempSync(join(tmpdir(), 'switchyard-before-'))
afterAll(() => rmSync(home, { recursive: true }))

function foldersBefore(): string[] {
  return ['server', 'vault', 'sandbox/simulator', 'issuer'].map((part) => {
    const folder = join(home, part)
    mkdirSync(folder, { recursive: true })
    const listed = git('ls-tree', '--name-only', LAST_BEFORE, `${part}/migrations/`).trim().split('\n')
    for (const file of listed)
      writeFileSync(join(folder, basename(file)), git('show', `${LAST_BEFORE}:${file}`))
    return folder
  })
}

const server = () => ({ host: inject('databaseHost'), user: 'switchyard' })

async function databaseFrom(template: string) {
  const database = `taken_${crypto.randomUUID().replaceAll('-', '')}`
  await query({ ...server(), database: 'switchyard' }, `create database ${database} template ${template}`)
  return { ...server(), database }
}

async function query(connection: pg.ClientConfig, sql: string) {
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query(sql).finally(() => client.end())
  return rows
}

const versions = (connection: pg.ClientConfig) =>
  query(connection, 'select version from schema_migrations order by version').then((rows) =>
    rows.map(({ version }) => version as string),
  )

/** All that makes a schema, as PostgreSQL prints it. */
async function schemaOf(connection: pg.ClientConfig): Promise<string[]> {
  const OURS = "('public', 'vault', 'simulator', 'issuer')"
  const rows = await query(
    connection,
    `with ours as (
       select pg_class.oid, pg_class.oid::regclass::text as name, relkind, reloptions::text from pg_class
       join pg_namespace on pg_namespace.oid = relnamespace
       where nspname in ${OURS} and relname <> 'schema_migrations')
     select concat_ws(' ', relkind::text, name, reloptions) as line from ours where relkind in ('r', 'v', 'S')
     union all
     select concat_ws(' ', name, row_number() over (partition by ours.oid order by attnum), attname, format_type(atttypid, atttypmod),
       attnotnull, attidentity, attgenerated, attcollation, attstattarget, pg_get_expr(adbin, adrelid))
     from ours join pg_attribute on attrelid = ours.oid
       left join pg_attrdef on adrelid = attrelid and adnum = attnum
     where relkind = 'r' and attnum > 0 and not attisdropped
     union all
     select concat_ws(' ', conrelid::regclass::text, contypid::regtype::text, conname, pg_get_constraintdef(pg_constraint.oid))
     from pg_constraint join pg_namespace on pg_namespace.oid = connamespace
     where nspname in ${OURS} and conrelid <> 'schema_migrations'::regclass and contype <> 'n' and conname !~ '^model_'
     union all
     select pg_get_indexdef(indexrelid) from pg_index join ours on ours.oid = indrelid
     union all
     select pg_get_triggerdef(pg_trigger.oid) from pg_trigger join ours on ours.oid = tgrelid
     -- Those of the model are in new databases of the tests alone (testing/model/guard.ts).
     where not tgisinternal and tgname !~ '^model_'
     union all
     select pg_get_functiondef(pg_proc.oid) from pg_proc join pg_namespace on pg_namespace.oid = pronamespace where nspname in ${OURS}
     order by 1`,
  )
  return rows.map(({ line }) => line as string)
}

const SEEDS = `
  select 'role ' || roles::text as line from roles
  union all select 'bin ' || card_bins::text from card_bins
  union all select 'clock ' || sandbox_clock::text from sandbox_clock
  union all select 'fill ' || sandbox_fill::text from sandbox_fill
  union all select 'account ' || id || display_name from merchant_accounts
  order by 1`

describe.runIf(isThere)('a database from before the baseline', () => {
  let last: string
  let former: string[]
  beforeAll(async () => {
    const connection = await databaseFrom('template0')
    former = foldersBefore()
    await migrate(connection, former)
    // As processes left them that sealed otherwise, and noted an open operation by another word.
    await query(
      connection,
      `insert into audit_seals (position, entry_count, hash, sealed_at) values (1, 2, '\\x01', now());
       insert into audit_seals (position, entry_count, hash, sealed_at, entry_ids)
         values (2, 0, '\\x02', now(), '{01900000-0000-7000-8000-000000000003}');
       insert into audit_logs (id, action, resource_type, resource_id, resource_name, actor_name, created_at, seal_position)
         select ('01900000-0000-7000-8000-00000000000' || number)::uuid, 'created', 'thing', '1', 'Thing', 'Somebody', now(),
           case when number < 3 then 1 else 0 end
         from generate_series(1, 3) as number;
       insert into instance (environment, secret_check, created_at, first_key_at) values ('sandbox', '\\x00', now(), now());`,
    )
    last = connection.database
  })

  test('becomes what a new one is, and keeps its rows', async () => {
    const connection = await databaseFrom(last)
    const fresh = await cloneDatabase()

    const applied = await migrate(connection, MIGRATIONS)

    expect(applied.slice(0, BASELINE.length)).toEqual(BASELINE)
    expect(await versions(connection)).toEqual(await versions(fresh))
    expect(await schemaOf(connection)).toEqual(await schemaOf(fresh))
    expect(await query(connection, SEEDS)).toEqual(await query(fresh, SEEDS))
    const links = await query(
      connection,
      'select position, entry_ids::text[] as ids from audit_seals order by 1',
    )
    expect(links.map(({ ids }) => ids.map((id: string) => id.at(-1)).join())).toEqual(['1,2', '3'])
    expect(await query(connection, 'select environment from instance')).toEqual([{ environment: 'sandbox' }])
    expect(await migrate(connection, MIGRATIONS)).toEqual([])
  })

  test('is only looked at by those who ask what is missing', async () => {
    const rows = await query(
      { ...server(), database: last },
      'select version, checksum from schema_migrations',
    )
    const applied = new Map(rows.map(({ version, checksum }) => [version, checksum]))

    const { isNew, missing, unknown } = compareWith(applied, MIGRATIONS)

    expect({ isNew, unknown }).toEqual({ isNew: false, unknown: [] })
    expect(missing).toEqual(expect.arrayContaining([...BASELINE]))
  })

  test('is refused with one sentence if its schema is older, and left as it is', async () => {
    const connection = await databaseFrom('template0')
    await migrate(connection, former, (version) => version < '0182')
    const before = [await versions(connection), await schemaOf(connection)]

    const taken = migrate(connection, MIGRATIONS)

    await expect(taken).rejects.toThrow(`Check out commit ${LAST_BEFORE}, run "switchyard migrate" there`)
    expect([await versions(connection), await schemaOf(connection)]).toEqual(before)
  })

  test.each([
    [
      'entries that wait without a code',
      "insert into audit_waiting (id) values ('01900000-0000-7000-8000-000000000003')",
    ],
    [
      'links in files',
      `insert into audit_archives (id, month, state, file, stored_in, first_position, last_position, last_hash, entries, told,
         created_at, updated_at)
       values (gen_random_uuid(), '2026-01', 'writing', 'a', 'b', 1, 1, decode(repeat('00', 32), 'hex'), 1, '{}', now(), now())`,
    ],
  ])('with %s of the audit log is left as it is', async (_what, sql) => {
    const connection = await databaseFrom(last)
    await query(connection, sql)
    const before = [await versions(connection), await schemaOf(connection)]

    await expect(migrate(connection, MIGRATIONS)).rejects.toThrow('failed and was rolled back')

    expect([await versions(connection), await schemaOf(connection)]).toEqual(before)
  })

  test('is whole after a crash half-way, and taken over by the next start', async () => {
    const connection = await databaseFrom(last)
    const before = [await versions(connection), await schemaOf(connection)]
    const holder = new pg.Client(connection)
    await holder.connect()
    // The change waits for this table at its end, with all other changes made.
    await holder.query('begin; lock table simulator.entries')

    let isOver = false
    const crashed = migrate(connection, MIGRATIONS).finally(() => {
      isOver = true
    })
    const kill = `
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'switchyard migrate' and wait_event_type = 'Lock'`
    const killing = (async () => {
      while (!isOver && (await query(connection, kill)).length === 0);
    })()
    await expect(crashed).rejects.toThrow()
    await killing
    await holder.query('rollback')
    await holder.end()

    expect([await versions(connection), await schemaOf(connection)]).toEqual(before)
    expect((await migrate(connection, MIGRATIONS)).slice(0, BASELINE.length)).toEqual(BASELINE)
  })
})
