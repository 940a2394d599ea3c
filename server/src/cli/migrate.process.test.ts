import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { emptyDatabase, switchyard } from '#testing/command-line.ts'
import { urlOf } from '#testing/database-url.ts'
import { cloneDatabase } from '#testing/harness.ts'
import { tempFolder } from '#testing/temp-folder.ts'
import { MIGRATIONS } from '../app.ts'
import { serveUntil } from './serve.ts'
import { terminalOf } from './terminal.ts'

test('prints what it applied, and the second time finds nothing to do', async () => {
  const env = { DATA_DIR: tmpdir(), DATABASE_URL: urlOf(await emptyDatabase()) }

  const first = await switchyard(['migrate'], env)
  const second = await switchyard(['migrate'], env)

  const versions = MIGRATIONS.flatMap((folder) => readdirSync(folder).sort((a, b) => (a < b ? -1 : 1))).map(
    (name) => name.replace('.sql', ''),
  )
  expect(first).toMatchObject({ code: 0, stdout: `${versions.join('\n')}\n` })
  expect(second).toEqual({ code: 0, stdout: '', stderr: 'Nothing to do: the database is up to date.\n' })
})

test('says so when the database cannot be reached', async () => {
  const env = { DATA_DIR: tmpdir(), DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' }

  const { code, stdout, stderr } = await switchyard(['migrate'], env)

  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('The database cannot be reached.')
  expect(stderr).toContain('because: connect ECONNREFUSED 127.0.0.1:1')
})

test('refuses the database of another installation before it changes anything', async () => {
  const { env, pending, applied } = await halfUpgraded()
  const key = randomBytes(32).toString('base64')

  const otherSecret = await switchyard(['migrate'], { ...env, SECRET_KEY: key })
  const otherVaultKey = await switchyard(['migrate'], { ...env, VAULT_KEY: key })
  const otherEnvironment = await switchyard(['migrate'], { ...env, ENVIRONMENT: 'production' })

  expect(otherSecret.stderr).toContain('SECRET_KEY is not the one this database was set up with')
  expect(otherVaultKey.stderr).toContain('VAULT_KEY does not give the vault key')
  expect(otherEnvironment.stderr).toContain('this database belongs to a sandbox installation')
  expect([otherSecret.code, otherVaultKey.code, otherEnvironment.code]).toEqual([1, 1, 1])
  expect(await applied()).not.toContain(pending)
})

test('does not make a secret that the database would not know', async () => {
  const { env, pending, applied } = await halfUpgraded()
  const { SECRET_KEY: _, ...withoutSecret } = env

  const { code, stderr } = await switchyard(['migrate'], withoutSecret)

  expect(code).toBe(1)
  expect(stderr).toContain('secret.key is missing, and the database needs it. Restore it from a backup.')
  expect(existsSync(join(env.DATA_DIR, 'secret.key'))).toBe(false)
  expect(await applied()).not.toContain(pending)
})

test('is finished by any command if the first start failed', async () => {
  const { env, pending, applied } = await halfUpgraded(['migrate'])

  const { code } = await switchyard(['keys', 'list'], env)

  expect(code).toBe(0)
  expect(await applied()).toContain(pending)
})

test('is done only by migrate: other commands say what is missing and change nothing', async () => {
  const { env, pending, applied } = await halfUpgraded()

  const { code, stderr } = await switchyard(['keys', 'list'], env)

  expect(code).toBe(1)
  expect(stderr).toContain(`${pending} not applied. Back up, then run: switchyard migrate`)
  expect(await applied()).not.toContain(pending)
})

test('a start says what it brings up to date, and shows commands that need the settings of the process', async () => {
  const { env, pending, applied } = await halfUpgraded()
  const told = new AbortController()
  let said = ''
  const write = (text: string) => {
    said += text
    if (said.includes('Switchyard is running')) told.abort()
  }

  await serveUntil(told.signal, terminalOf({ stdout: { write }, stderr: { write }, env }))

  expect(said).toContain(`Bringing the database up to date: ${pending} …\n`)
  expect(said).toContain(
    'Run commands with the settings of this process: docker compose exec api switchyard …',
  )
  expect(said).toMatch(/^ {2}Dashboard {6}[/]\S+[/]bin[/]switchyard users invite /m)
  expect(await applied()).toContain(pending)
})

test('leaves a schema alone that a newer version has migrated, and succeeds: a deployment that goes back runs it', async () => {
  const { env, applied, query } = await halfUpgraded()
  await switchyard(['migrate'], env)
  await query(`insert into schema_migrations (version, checksum) values ('9999_future', 'x')`)
  const before = await applied()

  const { code, stdout, stderr } = await switchyard(['migrate'], env)

  expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
  expect(stderr).toMatch(/9999_future.*a newer version has migrated this database/)
  expect(await applied()).toEqual(before)
})

test('refuses a schema of two versions, neither of which has the migrations of the other', async () => {
  const { env, applied, query } = await halfUpgraded()
  await query(`insert into schema_migrations (version, checksum) values ('9999_future', 'x')`)
  const before = await applied()

  const migrated = await switchyard(['migrate'], env)
  const listed = await switchyard(['keys', 'list'], env)

  for (const { code, stderr } of [migrated, listed]) {
    expect(code).toBe(1)
    expect(stderr).toContain('A newer version has migrated this database (9999_future)')
  }
  expect(await applied()).toEqual(before)
})

/** An installation that lacks a migration. It is in use, unless only a migration has begun it. */
async function halfUpgraded(begun = ['keys', 'list']) {
  const connection = await cloneDatabase()
  const key = () => randomBytes(32).toString('base64')
  const env = { DATA_DIR: tempFolder(), DATABASE_URL: urlOf(connection), SECRET_KEY: key(), VAULT_KEY: key() }
  await switchyard(begun, env)
  const query = async (sql: string) => {
    const client = new pg.Client(connection)
    await client.connect()
    const { rows } = await client.query<{ version: string }>(sql)
    await client.end()
    return rows.map(({ version }) => version)
  }
  await query('drop schema issuer cascade')
  const [pending] = await query(
    `delete from schema_migrations where version = '0001_issuer' returning version`,
  )
  return { env, pending, query, applied: () => query('select version from schema_migrations order by 1') }
}
