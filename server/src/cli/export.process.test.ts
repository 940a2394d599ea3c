import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { secretsFrom } from '#platform/access/secrets.ts'
import { importFrom } from '#platform/portable/import.ts'
import { emptyDatabase, startSwitchyard, switchyard } from '#testing/command-line.ts'
import { urlOf } from '#testing/database-url.ts'
import { guardedFolder } from '#testing/guard.ts'
import { cloneDatabase } from '#testing/harness.ts'
import { removeFolder, startHere, tokenOf } from '#testing/service-process.ts'
import { CARD } from '#testing/till.ts'
import { MIGRATIONS } from '../app.ts'

const folder = mkdtempSync(join(tmpdir(), 'switchyard-export-'))
const file = join(folder, 'switchyard.export.gz')
const dataDir = guardedFolder()
const keys = {
  SECRET_KEY: randomBytes(32).toString('base64'),
  VAULT_KEY: randomBytes(32).toString('base64'),
}
let source: pg.ClientConfig

/** Pays with a stored card. Returns the status of the payment. */
async function payAt(url: string): Promise<string> {
  const token = await tokenOf(dataDir)
  // biome-ignore lint/suspicious/noExplicitAny: what answers look like is for other tests
  const send = async (path: string, body?: object): Promise<any> => {
    const response = await fetch(`${url}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    return response.json()
  }
  const { items } = await send('/payment-methods')
  const { number, expiration_date } = CARD
  const { id } = items[0] ?? (await send('/payment-methods', { method: 'card', number, expiration_date }))
  const payment = { amount: 1299, currency: 'USD', country: 'US', payment_method: { method: 'id', id } }
  return (await send('/transactions', payment)).status
}

beforeAll(async () => {
  source = (await cloneDatabase()) as pg.ClientConfig
  const service = await startHere(dataDir, { ...keys, DATABASE_URL: urlOf(source), ROLE: 'api' })
  expect(await payAt(service.url)).toBe('authorization_succeeded')
  await service.end('SIGTERM')
  // Values that a careless way of writing rows would change.
  await withClient(source, (client) =>
    client.query(`update events set target = target || '{"odd": null, "text": "\\\\n \\"ü\\" 😀"}'`),
  )
  const { code, stderr } = await run('export', file)
  expect(code, stderr).toBe(0)
})
afterAll(() => {
  removeFolder(dataDir)
  rmSync(folder, { recursive: true })
})

const run = (
  command: string,
  name: string,
  to: pg.ClientConfig = source,
  env: Record<string, string> = keys,
) => switchyard([command, name], { ...env, DATA_DIR: dataDir, DATABASE_URL: urlOf(to) })

async function withClient<Result>(to: pg.ClientConfig, work: (client: pg.Client) => Promise<Result>) {
  const client = new pg.Client(to)
  await client.connect()
  return work(client).finally(() => client.end())
}

/**
 * Everything in a database, by table: how many rows, and a digest of them; constraints and sequences, too. The guard of the model is in
 * databases of the tests alone, and an export does not have it.
 */
function contentOf(to: pg.ClientConfig): Promise<Record<string, string>> {
  return withClient(to, async (client) => {
    const tables = await client.query(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema') and tablename not in ('schema_migrations', 'schema_migrator')`,
    )
    const content: Record<string, string> = {}
    for (const { name } of tables.rows) {
      const { rows } = await client.query(
        `select count(*) || ' ' || coalesce(md5(string_agg(line::text, ',' order by line::text)), '') as digest
         from ${name} as line`,
      )
      content[name] = rows[0].digest
    }
    const rest = await client.query(
      `select 'constraint ' || conrelid::regclass || ' ' || conname as name, pg_get_constraintdef(oid) as value from pg_constraint
       where conname not like 'model\\_%'
       union all select 'trigger ' || tgrelid::regclass || ' ' || tgname, tgenabled::text from pg_trigger
       where not tgisinternal and tgname not like 'model\\_%'
       union all select 'sequence ' || sequencename, last_value::text from pg_sequences where schemaname <> 'model'`,
    )
    for (const { name, value } of rest.rows) content[name] = value
    return content
  })
}

async function isEmpty(to: pg.ClientConfig): Promise<boolean> {
  return withClient(to, async (client) => {
    const { rows } = await client.query("select to_regclass('instance') is null as none")
    return rows[0].none || (await client.query('select from instance')).rows.length === 0
  })
}

describe('an export', () => {
  test('is read by its owner alone, holds no keys, and replaces no file', async () => {
    const text = gunzipSync(readFileSync(file)).toString()

    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(text).toContain('"table":"public.transactions"')
    for (const key of Object.values(keys)) {
      expect(text).not.toContain(key)
      expect(text).not.toContain(Buffer.from(key, 'base64').toString('hex'))
    }
    expect(text).not.toContain(CARD.number)
    expect(await run('export', file)).toMatchObject({
      code: 1,
      stderr: `${file} exists. Name another file, or move it away.\n`,
    })
  })

  test('becomes the same installation in another database, which pays with the same cards', async () => {
    const target = (await emptyDatabase()) as pg.ClientConfig

    const { code, stderr } = await run('import', file, target)

    expect(code, stderr).toBe(0)
    expect(stderr).toMatch(/^Read \d+ rows of \d+ tables[.] All checksums fit, and the code of the file[.]$/m)
    expect(await contentOf(target)).toEqual(await contentOf(source))
    const service = await startHere(dataDir, { ...keys, DATABASE_URL: urlOf(target), ROLE: 'api' })
    const paid = await payAt(service.url)
    await service.end('SIGTERM')
    expect(paid).toBe('authorization_succeeded')
  })

  test('is not imported over an installation, or beside tables of others', async () => {
    const before = await contentOf(source)
    const foreign = (await emptyDatabase()) as pg.ClientConfig
    await withClient(foreign, (client) => client.query('create table theirs (id int)'))

    const results = [await run('import', file), await run('import', file, foreign)]

    for (const result of results) {
      expect(result.code).toBe(1)
      expect(result.stderr).toMatch(/^The database is not empty.* Set DATABASE_URL to an empty one[.]$/m)
    }
    expect(await contentOf(source)).toEqual(before)
    expect(await contentOf(foreign)).toMatchObject({ 'public.theirs': '0 ' })
  })
})

const sha256 = (texts: readonly string[]) =>
  createHash('sha256')
    .update(texts.map((text) => `${text}\n`).join(''))
    .digest('hex')

/** Gives the administrator's key another name, and makes all checksums anew. */
function forge(lines: readonly string[]): string {
  const forged: string[] = []
  let rows: string[] = []
  for (const line of lines.filter((text) => text !== '')) {
    if (line.startsWith('[')) rows.push(line.replace('"Administrator"', '"Intruder"'))
    if (line.startsWith('[')) forged.push(rows.at(-1) ?? '')
    else if (line.startsWith('{"end":"file"'))
      forged.push(line.replace(/"sha256":"\w+"/, `"sha256":"${sha256(forged)}"`))
    else if (line.startsWith('{"end"'))
      forged.push(line.replace(/"sha256":"\w+"/, `"sha256":"${sha256(rows)}"`))
    else forged.push(line)
    if (!line.startsWith('[')) rows = []
  }
  expect(forged.join()).toContain('"Intruder"')
  return `${forged.join('\n')}\n`
}

describe('an import leaves nothing behind', () => {
  const bytes = () => readFileSync(file)
  const lines = () => gunzipSync(bytes()).toString().split('\n')
  const changed = (change: (lines: string[]) => string[]) => gzipSync(change(lines()).join('\n'))

  test.each<[string, () => Buffer, RegExp]>([
    ['is cut in the middle', () => bytes().subarray(0, bytes().length / 2), /^The file ends too early/],
    ['lacks its last bytes', () => bytes().subarray(0, -4), /^The file ends too early/],
    [
      'ends after a whole line',
      () => changed((all) => [...all.slice(0, -3), '']),
      /^The file ends too early/,
    ],
    [
      'lacks a row',
      () =>
        changed((all) =>
          all.filter((_line, index) => index !== all.findIndex((line) => line.startsWith('['))),
        ),
      /^The file is damaged/,
    ],
    [
      'has a row that was changed',
      () =>
        changed((all) =>
          all.map((line) => (line.startsWith('[') ? line.replace('default', 'defaulT') : line)),
        ),
      /^The file is damaged/,
    ],
    [
      'has a value that is none',
      () => changed((all) => all.map((line) => line.replace(/"2\d{3}-\d\d-\d\d [^"]*"/, '"yesterdayish"'))),
      /^The file is damaged/,
    ],
    [
      'was changed by someone who has no key',
      () => gzipSync(forge(lines())),
      /^The code of the file does not fit/,
    ],
    [
      'has no code',
      () => changed((all) => all.map((line) => line.replace(/,"code":"[^"]*"/, ''))),
      /^The code of /,
    ],
    [
      'has a line without an end',
      () => gzipSync(Buffer.alloc(80 * 1024 * 1024, 'a')),
      /^A line is longer than 64 MB/,
    ],
    ['is none of ours', () => gzipSync('hello\n'), /^This is not a file of switchyard export/],
    ['is not compressed', () => Buffer.from('hello\n'), /^This is not a file of switchyard export/],
    ['is empty', () => Buffer.from(''), /^The file ends too early/],
    [
      'was written by a newer version',
      () =>
        changed(([header = '', ...rest]) => [
          header.replace('"migrations":[', '"migrations":[{"version":"9999_x","checksum":"x"},'),
          ...rest,
        ]),
      /schema is newer \(9999_x\)/,
    ],
    [
      'has a newer format',
      () =>
        changed(([header = '', ...rest]) => [
          header.replace('"format_version":1', '"format_version":2'),
          ...rest,
        ]),
      /written by a newer version/,
    ],
  ])('if the file %s', async (name, content, message) => {
    const broken = join(folder, `${name.replaceAll(' ', '-')}.gz`)
    writeFileSync(broken, content())
    const target = (await emptyDatabase()) as pg.ClientConfig

    const { code, stderr } = await run('import', broken, target)

    expect(stderr).toMatch(message)
    expect(code).toBe(1)
    expect(await isEmpty(target)).toBe(true)
  })

  test('if the keys are those of another installation', async () => {
    const target = (await emptyDatabase()) as pg.ClientConfig
    const another = { ...keys, SECRET_KEY: randomBytes(32).toString('base64') }

    const { code, stderr } = await run('import', file, target, another)

    expect(code).toBe(1)
    expect(stderr).toMatch(/^SECRET_KEY is not the one this database was set up with/)
    expect(await isEmpty(target)).toBe(true)
  })

  test('if it dies at its last step, and can then be started again', async () => {
    const target = (await emptyDatabase()) as pg.ClientConfig
    const dying = importFrom(target, {
      file,
      ifUsed: '',
      migrations: MIGRATIONS,
      onProgress: () => {},
      mac: secretsFrom(Buffer.from(keys.SECRET_KEY, 'base64')).mac,
      check: () =>
        withClient(target, async (other) => {
          await other.query(
            `select pg_terminate_backend(pid, 10000) from pg_stat_activity
             where application_name = 'switchyard import' and datname = current_database()`,
          )
        }),
    })

    await expect(dying).rejects.toThrow()
    expect(await isEmpty(target)).toBe(true)
    expect(await run('import', file, target)).toMatchObject({ code: 0 })
    expect(await contentOf(target)).toEqual(await contentOf(source))
  })
})

test('an import that is killed half-way leaves nothing behind, and can then be started again', async () => {
  const target = (await emptyDatabase()) as pg.ClientConfig
  await switchyard(['migrate'], { ...keys, DATA_DIR: dataDir, DATABASE_URL: urlOf(target) })
  const holder = new pg.Client(target)
  await holder.connect()
  const { rows: sequences } = await holder.query(
    "select format('%I.%I', schemaname, sequencename) as name from pg_sequences",
  )
  // Sequences come after all rows. The import waits for this one, in its transaction.
  await holder.query(`begin; alter sequence ${sequences[0].name} cache 2`)
  const child = startSwitchyard(['import', file], { ...keys, DATA_DIR: dataDir, DATABASE_URL: urlOf(target) })
  const killed = new Promise((resolve) => child.once('exit', (_code, signal) => resolve(signal)))
  // A transaction sees one state of this view, so another connection looks.
  await withClient(target, (client) => {
    const waiting = () =>
      client.query(
        `select from pg_stat_activity where application_name = 'switchyard import'
         and datname = current_database() and wait_event_type = 'Lock'`,
      )
    return expect.poll(async () => (await waiting()).rows.length, { interval: 20, timeout: 60_000 }).toBe(1)
  })

  child.kill('SIGKILL')

  expect(await killed).toBe('SIGKILL')
  await holder.query('rollback')
  await holder.end()
  expect(await isEmpty(target)).toBe(true)
  expect(await run('import', file, target)).toMatchObject({ code: 0 })
  expect(await contentOf(target)).toEqual(await contentOf(source))
})

test.each([
  ['backup', /Use pg_dump, or: switchyard export/],
  ['restore', /Use: switchyard import/],
])('%s of the embedded database leaves others alone', async (command, message) => {
  const { code, stderr } = await run(command, join(folder, 'switchyard.backup.gz'))

  expect(code).toBe(2)
  expect(stderr).toMatch(message)
})
