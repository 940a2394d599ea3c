import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type EmbeddedPostgres, ownEmbeddedPostgres } from '#platform/database/embedded-postgres.ts'
import { emptyDatabase, switchyard } from '#testing/command-line.ts'
import { urlOf } from '#testing/database-url.ts'
import { forgetFolder, guardedFolder } from '#testing/guard.ts'
import { IdentityProvider } from '#testing/identity-provider.ts'
import { removeDataFolder } from '#testing/remove-data-folder.ts'
import { productionSettings } from '#testing/service-process.ts'

const dataDir = guardedFolder()
afterAll(() => {
  removeDataFolder(dataDir)
  forgetFolder(dataDir)
})

const CHECKS = [
  'node',
  'configuration',
  'connectors',
  'data folder',
  'report files',
  'secret',
  'database program',
  'database',
  'migrations',
  'clock',
  'durability',
  'connections',
  'instance',
  'vault',
  'keys',
  'admin key',
  'audit log',
  'settlements',
  'services',
  'attempts',
  'notifications',
  'tokens',
  'audit head',
]

const doctor = (env: Record<string, string> = {}) => switchyard(['doctor'], { DATA_DIR: dataDir, ...env })

describe('on a machine where nothing was started yet', () => {
  test('says that npm start creates everything, finds no problem and creates nothing', async () => {
    const missing = join(dataDir, 'missing')

    const { code, stdout } = await doctor({ DATA_DIR: missing })

    expect(code, stdout).toBe(0)
    expect(stdout).toMatch(/^note +database +not created yet; npm start creates it$/m)
    expect(stdout).toMatch(/^ok +report files +.+missing.reports has [\d.]+ GiB free of [\d.]+ GiB$/m)
    expect(stdout).toMatch(/^ok +database program +postgres \(PostgreSQL\) \d+/m)
    expect(existsSync(missing)).toBe(false)
  })

  test('does not make a new database where the former one was lost', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'switchyard-doctor-'))
    symlinkSync(join(folder, 'lost'), join(folder, 'postgres'))

    const { code, stdout } = await doctor({ DATA_DIR: folder })

    expect(code).toBe(1)
    expect(stdout).toMatch(/^problem +database .* holds no database that this user can read/m)
    expect(readdirSync(folder)).toEqual(['postgres'])
    rmSync(folder, { recursive: true })
  })

  test('leaves an empty database empty', async () => {
    const connection = await emptyDatabase()

    const { code, stdout } = await doctor({ DATABASE_URL: urlOf(connection) })

    const client = new pg.Client(connection as pg.ClientConfig)
    await client.connect()
    const tables = await client.query("select 1 from pg_tables where schemaname = 'public'")
    await client.end()
    // The database server of the tests does not wait for the disk. That is the one problem.
    expect(code, stdout).toBe(1)
    expect(stdout.match(/^problem .*/gm)).toEqual([expect.stringMatching(/^problem +durability .*fsync/)])
    expect(stdout).toMatch(/^note +migrations +the database is empty; npm start fills it$/m)
    expect(tables.rowCount).toBe(0)
  })

  test('names a server that does not answer', async () => {
    const { code, stdout, stderr } = await doctor({ DATABASE_URL: 'postgresql://x@127.0.0.1:1/x' })

    expect(code).toBe(1)
    expect(stdout).toMatch(/^problem +database +The database cannot be reached\./m)
    expect(stderr).toBe('There is 1 problem.\n')
    const told = await switchyard(['doctor', '--json'], {
      DATA_DIR: dataDir,
      DATABASE_URL: 'postgresql://x@127.0.0.1:1/x',
    })
    expect(told).toMatchObject({ code: 1, stderr: 'There is 1 problem.\n' })
    expect(JSON.parse(told.stdout)).toMatchObject({ status: 'problem', problems: 1 })
  })

  test.each([
    ['production', 0, true],
    ['production', 10_001, false],
    ['sandbox', 0, false],
  ])('in %s as user %i: says that root is not needed: %s', async (ENVIRONMENT, uid, isNoted) => {
    const getuid = vi.spyOn(process, 'getuid').mockReturnValue(uid)
    onTestFinished(() => getuid.mockRestore())
    const { ALLOW_EMBEDDED_IN_PRODUCTION: _, ...keys } = productionSettings()

    const { stdout } = await doctor({ ...keys, ENVIRONMENT, DATABASE_URL: 'postgresql://x@127.0.0.1:1/x' })

    expect(/^note +user +this process runs as root/m.test(stdout)).toBe(isNoted)
  })

  test('names every wrong variable', async () => {
    const { code, stdout } = await doctor({ ENVIRONMENT: 'production', ROLE: 'king' })

    expect(code).toBe(1)
    expect(stdout.match(/^problem +configuration +\S+/gm)?.map((line) => line.split(/ +/)[2])).toEqual([
      'ROLE',
      'DATABASE_URL',
      'SECRET_KEY',
      'VAULT_KEY',
    ])
  })
})

describe('on an installation', () => {
  beforeAll(async () => {
    await switchyard(['migrate'], { DATA_DIR: dataDir })
    await switchyard(['keys', 'create', '--display-name', 'Second', '--role', 'administrator'], {
      DATA_DIR: dataDir,
    })
  })

  test('finds everything in order, with a database it starts itself, and changes no file of ours', async () => {
    const files = () =>
      readdirSync(dataDir)
        .filter((name) => !name.startsWith('postgres'))
        .map((name) => [name, statSync(join(dataDir, name)).mode, statSync(join(dataDir, name)).mtimeMs])
    const before = files()

    const { code, stdout, stderr } = await doctor()
    const told = await switchyard(['doctor', '--json'], { DATA_DIR: dataDir })

    const { checks, ...summary } = JSON.parse(told.stdout)
    expect(told.code).toBe(0)
    expect(summary).toMatchObject({ status: 'ok', problems: 0 })
    expect(checks.find(({ name }: { name: string }) => name === 'vault')).toEqual({
      name: 'vault',
      status: 'ok',
      text: 'the keys fit',
      remedy: null,
    })
    const names = stdout.match(/^ok +.+? {2,}/gm)?.map((line) => line.slice(2).trim())
    expect(code, stdout + stderr).toBe(0)
    expect(names).toEqual(expect.arrayContaining(CHECKS))
    expect(files()).toEqual(before)
  })
})

describe('with a fault', () => {
  const secret = join(dataDir, 'secret.key')
  const key = join(dataDir, 'admin-key.pem')
  let server: EmbeddedPostgres
  let client: pg.Client
  // The database runs, as it does under a service, so that no command has to start it.
  beforeAll(async () => {
    server = await ownEmbeddedPostgres({ dataDir, say: () => {} })
    client = new pg.Client(server.connection as pg.ClientConfig)
    await client.connect()
  })
  afterAll(async () => {
    await client.end()
    await server.stop()
  })

  test('finds another secret, an open folder, an open key file and a taken port', async () => {
    const original = readFileSync(secret)
    const mode = statSync(dataDir).mode
    const stranger = createServer((socket) => socket.end('who?'))
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
    const address = stranger.address() as { port: number }
    writeFileSync(secret, randomBytes(32).toString('base64'))
    chmodSync(dataDir, 0o755)
    chmodSync(key, 0o644)

    const { code, stdout, stderr } = await doctor({ PORT: String(address.port) })

    writeFileSync(secret, original)
    chmodSync(dataDir, mode)
    chmodSync(key, 0o600)
    stranger.close()
    expect(code).toBe(1)
    expect(stdout).toMatch(/^problem +instance +SECRET_KEY is not the one this database was set up with/m)
    expect(stdout).toMatch(/^problem +data folder .* Run: chmod o-rw /m)
    expect(stdout).toMatch(/^problem +admin key .* Run: chmod 600 /m)
    expect(stdout).toMatch(/^problem +port .* in use by another program\. Set PORT to a free one\.$/m)
    expect(stderr).toBe('There are 4 problems.\n')
  })

  test('finds a vault key that does not open this vault, and an audit log that was cut', async () => {
    const { rows } = await client.query('delete from audit_seals returning *')

    const { code, stdout } = await doctor({ VAULT_KEY: randomBytes(32).toString('base64') })

    for (const row of rows) {
      const { position, hash, sealed_at, entries_digest, redaction, entry_ids } = row
      const values = [position, hash, sealed_at, entries_digest, redaction, entry_ids]
      await client.query('insert into audit_seals values ($1, $2, $3, $4, $5, $6)', values)
    }
    expect(code).toBe(1)
    expect(stdout).toMatch(/^problem +audit head .*link \d+:[0-9a-f]{64} is gone/m)
    expect(stdout).toMatch(/^problem +vault +VAULT_KEY does not give the vault key /m)
  })

  test('finds inactive keys and the database of another environment', async () => {
    await client.query('update api_key_pairs set active = false')
    await client.query("update instance set environment = 'production'")

    const { code, stdout, stderr } = await doctor()

    await client.query('update api_key_pairs set active = true')
    await client.query("update instance set environment = 'sandbox'")
    expect(code).toBe(1)
    expect(stdout).toMatch(/^problem +keys +no API key is active\. Run: switchyard keys create/m)
    expect(stdout).toMatch(/^problem +admin key .* is inactive/m)
    expect(stdout).toMatch(/^problem +instance +ENVIRONMENT is sandbox, and .* a production installation/m)
    expect(stderr).toBe('There are 3 problems.\n')
  })

  test('finds a missing secret and a lost key file, and creates neither', async () => {
    const files = [secret, key].map((file) => ({ file, content: readFileSync(file) }))
    for (const { file } of files) rmSync(file)

    const { code, stdout } = await doctor()

    const isStillMissing = files.every(({ file }) => !existsSync(file))
    for (const { file, content } of files) writeFileSync(file, content, { mode: 0o600 })
    expect(code).toBe(1)
    expect(stdout).toMatch(/^problem +secret .* Restore it from a backup\.$/m)
    expect(stdout).toMatch(/^problem +admin key .*admin-key\.pem is missing\. Run: switchyard keys create/m)
    expect(isStillMissing).toBe(true)
  })

  test('finds attempts that cannot be resolved any more, and says what to do', async () => {
    // Written by hand: no move of the model leads there.
    await client.query('set session_replication_role = replica')
    const { rows } = await client.query(`
      with left_over as (
        insert into attempts (id, merchant_account_id, kind, service_id, is_direct_capture, amount, state, checks, due_at,
          created_at, updated_at)
        values (gen_random_uuid(), 'default', 'payout', gen_random_uuid(), false, 100, 'unknown', 5, now(), now(), now())
        returning id
      )
      insert into attempt_orders (attempt_id, merchant_account_id, sent_at, code_until, order_until)
      select id, 'default', now(), now(), now() from left_over returning attempt_id`)
    const [{ attempt_id: id }] = rows

    const { code, stdout } = await doctor()

    await client.query('delete from attempts where id = $1', [id])
    await client.query('set session_replication_role = origin')
    expect(code).toBe(1)
    expect(stdout).toMatch(
      new RegExp(`^problem +attempts +1 cannot be resolved .*${id} \\(payout\\) .*Look the ids up`, 'm'),
    )
  })

  test('asks the identity provider whether it knows us, and looks for its roles', async () => {
    const provider = await IdentityProvider.start()
    const env = {
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: provider.settings().clientId,
      OIDC_CLIENT_SECRET: provider.settings().clientSecret,
      OIDC_ROLES: 'admins=administrator,others=no-such-role',
    }

    const good = await doctor(env)
    const wrongSecret = await doctor({ ...env, OIDC_CLIENT_SECRET: 'wrong' })
    await provider.close()
    const away = await doctor(env)

    expect(good.stdout).toMatch(/^ok +sign-in provider +\S+ knows us; .*localhost:3000[/]dashboard[/]oidc$/m)
    expect(good.stdout).toMatch(/^problem +provider roles +OIDC_ROLES names no-such-role, and/m)
    expect(wrongSecret.stdout).toMatch(/^problem +sign-in provider .*invalid_client: check OIDC_CLIENT_ID/m)
    expect(away.stdout).toMatch(/^problem +sign-in provider .*could not be read: ECONNREFUSED/m)
  })

  test('finds migrations that are missing or unknown, and applies none', async () => {
    const applied = 'select version from schema_migrations order by 1'
    await client.query("insert into schema_migrations (version, checksum) values ('9999_future', 'x')")
    const newer = await doctor()
    const { rows: before } = await client.query(
      "delete from schema_migrations where version not like '9999%' returning version, checksum",
    )
    await client.query("update schema_migrations set version = '0000_past'")
    const older = await doctor()
    const foreign = await doctor({ VAULT_KEY: randomBytes(32).toString('base64') })
    const { rows: after } = await client.query(applied)

    expect(newer.stdout).toMatch(/^problem +migrations +a newer version has applied 9999_future\./m)
    expect(older.stdout).toMatch(/^problem +migrations /m)
    expect(older.stdout).toMatch(/^ok +instance +environment, secret and vault keys fit$/m)
    expect(foreign.stdout).toMatch(/^problem +instance +VAULT_KEY does not give the vault key /m)
    expect(older.code).toBe(1)
    expect(before.length).toBeGreaterThan(0)
    expect(after).toEqual([{ version: '0000_past' }])
  })
})
