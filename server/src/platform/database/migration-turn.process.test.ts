import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { tempFolder } from '#testing/temp-folder.ts'
import { migrate } from './migrate.ts'

const server = { host: inject('databaseHost'), user: 'switchyard' }
const LEASE_MS = 10_000

async function database() {
  const name = `turn_${crypto.randomUUID().replaceAll('-', '')}`
  await query({ ...server, database: 'switchyard' }, `create database ${name}`)
  return { ...server, database: name }
}

async function query(connection: pg.ClientConfig, sql: string) {
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query(sql)
  await client.end()
  return rows
}

/** A process that migrates, and waits for ever amid its work. */
async function startMigrating(connection: pg.ClientConfig, folder: string) {
  const code = `
    import { migrate } from '${join(import.meta.dirname, 'migrate.ts')}'
    await migrate(${JSON.stringify(connection)}, ['${folder}'])`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'inherit' })
  const isWaiting =
    "select from pg_stat_activity where datname = current_database() and query like '%pg_sleep%'"
  await expect
    .poll(() => query(connection, `${isWaiting} and pid <> pg_backend_pid()`), { timeout: 30_000 })
    .toHaveLength(1)
  return child
}

test.each(['', '-- Without a transaction: it waits.\n'])(
  'a killed process holds up the next one until its lease ends, and no longer: "%s"',
  async (opening) => {
    const connection = await database()
    const folder = tempFolder()
    const write = (sql: string) => writeFileSync(join(folder, '0001_a.sql'), opening + sql)
    write('create table if not exists a (id int);\nselect pg_sleep(3600);\n')
    const child = await startMigrating(connection, folder)
    // Longer than a lease: a process that lives renews it.
    await new Promise((resolve) => setTimeout(resolve, LEASE_MS + 1_000))
    write('create table if not exists a (id int);\ninsert into a values (1);\n')
    let isDone = false
    const next = migrate(connection, [folder]).finally(() => {
      isDone = true
    })
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    expect(isDone).toBe(false)

    child.kill('SIGKILL')
    await once(child, 'exit')
    const killedAt = Date.now()

    expect(await next).toEqual(['0001_a'])
    expect(Date.now() - killedAt).toBeLessThan(LEASE_MS + 10_000)
    expect(await query(connection, 'select id from a')).toEqual([{ id: 1 }])
  },
  120_000,
)

test('a process that was taken for dead changes nothing any more, and finds the work done', async () => {
  const connection = await database()
  const folder = tempFolder()
  writeFileSync(join(folder, '0001_a.sql'), 'create table a (id int)')
  await migrate(connection, [folder])
  writeFileSync(
    join(folder, '0002_b.sql'),
    '-- Without a transaction\nselect pg_sleep(3);\ninsert into a values (2);\n',
  )
  const slow = migrate(connection, [folder])
  const isWaiting =
    "select from pg_stat_activity where datname = current_database() and query like '%pg_sleep%'"
  await expect.poll(() => query(connection, `${isWaiting} and pid <> pg_backend_pid()`)).toHaveLength(1)

  // As if its lease had ended, and another process had done the work meanwhile.
  await query(connection, 'update schema_migrator set fence = fence + 1, leased_until = clock_timestamp()')
  await query(
    connection,
    `insert into schema_migrations (version, checksum) values ('0002_b', encode(sha256('-- Without a transaction\nselect pg_sleep(3);\ninsert into a values (2);\n'), 'hex'))`,
  )

  expect(await slow).toEqual([])
  expect(await query(connection, 'select id from a')).toEqual([])
})
