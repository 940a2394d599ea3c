import { cpSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, inject, test } from 'vitest'
import { cloneDatabase } from '#testing/harness.ts'
import { tempFolder } from '#testing/temp-folder.ts'
import { MIGRATIONS } from '../../app.ts'
import { migrate } from './migrate.ts'

async function emptyDatabase() {
  const server = { host: inject('databaseHost'), user: 'switchyard' }
  const database = `empty_${crypto.randomUUID().replaceAll('-', '')}`
  await query({ ...server, database: 'switchyard' }, `create database ${database}`)
  return { ...server, database }
}

async function query(connection: pg.ClientConfig, sql: string) {
  const client = new pg.Client(connection)
  await client.connect()
  const result = await client.query(sql)
  await client.end()
  return result.rows
}

/** The locks that someone waits for. */
const WAITING = `
  select from pg_locks join pg_database on pg_database.oid = database
  where not granted and datname = current_database()`

function folderWith(files: Record<string, string>): string {
  const folder = tempFolder()
  for (const [name, sql] of Object.entries(files)) writeFileSync(join(folder, name), sql)
  return folder
}

test('five processes that start at once apply each migration once', async () => {
  const connection = await emptyDatabase()

  const applied = await Promise.all(Array.from({ length: 5 }, () => migrate(connection, MIGRATIONS)))

  const files = MIGRATIONS.flatMap((folder) =>
    readdirSync(folder)
      .map((name) => name.replace('.sql', ''))
      .sort(),
  )
  expect(applied.filter((versions) => versions.length > 0)).toEqual([files])
  expect(await query(connection, 'select slug from roles')).toHaveLength(11)
})

test('a second run finds nothing to do', async () => {
  expect(await migrate(await cloneDatabase(), MIGRATIONS)).toEqual([])
})

test('new migrations are applied in order, after the old ones', async () => {
  const connection = await emptyDatabase()
  const folder = folderWith({ '0001_a.sql': 'create table a (id int)' })
  await migrate(connection, [folder])
  writeFileSync(join(folder, '0003_c.sql'), 'insert into b values (1)')
  writeFileSync(join(folder, '0002_b.sql'), 'create table b (id int)')

  expect(await migrate(connection, [folder])).toEqual(['0002_b', '0003_c'])
})

test('a failed migration leaves nothing behind and is named', async () => {
  const connection = await emptyDatabase()
  const folder = folderWith({ '0001_a.sql': 'create table a (id int); select nonsense' })

  await expect(migrate(connection, [folder])).rejects.toThrow('Migration 0001_a failed and was rolled back')
  expect(await query(connection, "select 1 from pg_tables where tablename = 'a'")).toEqual([])
})

test('a migration that does not get a lock lets others pass, and is repeated', async () => {
  const connection = await emptyDatabase()
  const folder = folderWith({ '0001_a.sql': 'create table a (id int)' })
  await migrate(connection, [folder])
  writeFileSync(join(folder, '0002_b.sql'), 'create table b (id int); alter table a add column name text')
  const reader = new pg.Client(connection)
  await reader.connect()
  await reader.query('begin; select from a')

  const applying = migrate(connection, [folder])
  // The migration waits for its lock, and this query behind it, until the migration gives way.
  await expect.poll(() => query(connection, WAITING)).toHaveLength(1)
  const others = await query(connection, 'select count(*) from a')
  await reader.query('commit')
  await reader.end()

  expect(others).toEqual([{ count: '0' }])
  expect(await applying).toEqual(['0002_b'])
})

test('a migration that was edited after it was applied is refused', async () => {
  const connection = await cloneDatabase()
  const folder = tempFolder()
  cpSync(MIGRATIONS[0] ?? '', folder, { recursive: true })
  writeFileSync(join(folder, '0001_service.sql'), '-- edited')

  await expect(migrate(connection, [folder])).rejects.toThrow(/0001_service differs/)
})

describe('without a transaction', () => {
  const OPENING = '-- Without a transaction: others write meanwhile.\n'

  test('runs statement by statement, as a concurrent index build needs', async () => {
    const connection = await emptyDatabase()
    const folder = folderWith({
      '0001_a.sql': 'create table a (id int)',
      '0002_b.sql': `${OPENING}create index concurrently a_by_id on a (id);\ncreate index concurrently a_by_id_too\n  on a (id);\n`,
    })

    const applied = await migrate(connection, [folder])

    const indexes = await query(
      connection,
      "select indexname from pg_indexes where tablename = 'a' order by 1",
    )
    expect(applied).toEqual(['0001_a', '0002_b'])
    expect(indexes).toEqual([{ indexname: 'a_by_id' }, { indexname: 'a_by_id_too' }])
  })

  test('is repeated after it stopped half-way', async () => {
    const connection = await emptyDatabase()
    const folder = folderWith({
      '0001_a.sql': `${OPENING}create table if not exists a (id int);\ninsert into b values (1);`,
    })

    const first = migrate(connection, [folder])
    await expect(first).rejects.toThrow('Migration 0001_a stopped half-way')
    await query(connection, 'create table b (id int)')

    expect(await migrate(connection, [folder])).toEqual(['0001_a'])
  })
})
