import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { createMessage, encrypt, readKey } from 'openpgp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Connection, type Database, openDatabase } from '#platform/database/open-database.ts'
import { startSwitchyard, switchyard } from '#testing/command-line.ts'
import { urlOf } from '#testing/database-url.ts'
import { cloneDatabase } from '#testing/harness.ts'

const ROWS = 12_000
const NUMBER = '4111111111111111'
const HEADER =
  'audit_reference_id,buyer.external_identifier,payment_method.number,payment_method.expiration_date'

const folder = mkdtempSync(join(tmpdir(), 'switchyard-import-'))
let connection: Connection
let database: Database
beforeAll(async () => {
  connection = await cloneDatabase()
  database = openDatabase(connection, { poolSize: 2, onError: () => {} })
})
afterAll(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})

const environment = () => ({ DATA_DIR: join(folder, 'data'), DATABASE_URL: urlOf(connection) })
const run = (...args: string[]) => switchyard(['vault', ...args], environment())

async function rowsDone(): Promise<number> {
  const { rows } = await sql<{ rows_done: number }>`select rows_done from vault_imports`.execute(database.db)
  return rows[0]?.rows_done ?? 0
}

test('an encrypted file is imported once, however often the command is killed', async () => {
  const key = await run('import-key')
  expect(key.stderr).toMatch(/^Fingerprint: [0-9A-F]{40}$/m)
  const lines = Array.from({ length: ROWS }, (_, at) => `row-${at},buyer-${at},${NUMBER},12/40`)
  const file = join(folder, 'cards.gpg')
  const message = await createMessage({
    text: [HEADER, ...lines, `bad,buyer,4111111111111112,12/40`].join('\n'),
  })
  const encryptionKeys = await readKey({ armoredKey: key.stdout })
  writeFileSync(file, await encrypt({ message, encryptionKeys, format: 'binary' }))

  let said = ''
  for (const goal of [0, 1, 3_000, 6_000]) {
    const child = startSwitchyard(['vault', 'import', file], environment())
    child.stderr?.on('data', (chunk) => {
      said += chunk
    })
    const closed = once(child, 'close')
    await expect
      .poll(async () => child.exitCode !== null || (await rowsDone()) >= goal, { timeout: 60_000 })
      .toBe(true)
    child.kill('SIGKILL')
    await closed
  }

  const results = join(folder, 'results.csv')
  const done = await run('import', '--results', results, file)
  expect(done.stdout).toBe(`${ROWS + 1} rows: ${ROWS} imported, 0 were stored already, 1 have errors.\n`)
  const { rows } = await sql<{ methods: number; buyers: number; items: number }>`
    select (select count(*)::integer from payment_methods) as methods,
      (select count(*)::integer from buyers) as buyers,
      (select count(*)::integer from vault.items where field like 'number of %') as items
  `.execute(database.db)
  expect(rows).toEqual([{ methods: ROWS, buyers: ROWS, items: ROWS }])
  const written = readFileSync(results, 'utf8')
  expect(written.trim().split('\r\n')).toHaveLength(ROWS + 2)

  const again = await run('import', file)
  expect(again.stdout).toBe(done.stdout)
  expect(await run('import', '--dry-run', file)).toMatchObject({
    stdout: `${ROWS + 1} rows: 0 would be imported, ${ROWS} are stored already, 1 have errors.\n`,
  })
  for (const text of [said, written, done.stderr, again.stderr]) expect(text).not.toMatch(/41111111/)
  expect(await leftBehind()).toEqual([])
}, 180_000)

/** Files that have a number in them. */
async function leftBehind(): Promise<string[]> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  return files
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => readFileSync(path).includes(NUMBER))
}

test('says what is wrong with a file', async () => {
  const plain = join(folder, 'plain.csv')
  writeFileSync(plain, `${HEADER}\n`)
  const of = async (...args: string[]) => (await run('import', ...args)).stderr
  expect(await of(join(folder, 'missing.csv'))).toMatch(/There is no file .*missing.csv/)
  expect(await of(plain)).toMatch(/plain.csv was not imported.*The file has no rows/s)
  expect(await of('--dry-run', '--results', plain, plain)).toMatch(/A dry run has no results/)
  const { stderr, code } = await run('import-key', '--destroy', 'ABC')
  expect(code).toBe(1)
  expect(stderr).toMatch(/There is no key ABC/)
})
