import { cpSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { MIGRATIONS } from '../app.ts'
import { cloneDatabase } from '../testing/harness.ts'
import { tempFolder } from '../testing/temp-folder.ts'
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
  expect(await query(connection, 'select slug from roles')).toHaveLength(4)
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

test('one that fails leaves nothing behind and says which it was', async () => {
  const connection = await emptyDatabase()
  const folder = folderWith({ '0001_a.sql': 'create table a (id int); select nonsense' })

  await expect(migrate(connection, [folder])).rejects.toThrow('Migration 0001_a failed and was rolled back')
  expect(await query(connection, "select 1 from pg_tables where tablename = 'a'")).toEqual([])
})

test('one that was edited after it was applied is refused', async () => {
  const connection = await cloneDatabase()
  const folder = tempFolder()
  cpSync(MIGRATIONS[0] ?? '', folder, { recursive: true })
  writeFileSync(join(folder, '0001_foundation.sql'), '-- edited')

  await expect(migrate(connection, [folder])).rejects.toThrow(/0001_foundation differs/)
})
