import { once } from 'node:events'
import { createWriteStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Connection, type Database, openDatabase } from '#platform/database/open-database.ts'
import { startSwitchyard, switchyard } from '#testing/command-line.ts'
import { urlOf } from '#testing/database-url.ts'
import { cloneDatabase } from '#testing/harness.ts'

const HEADER = 'bin,scheme,additional_schemes,card_type,issuer,country'
const GOOD = '457173,visa,dankort,debit,Jyske Bank,DK'

const folder = mkdtempSync(join(tmpdir(), 'switchyard-bins-'))
let connection: Connection
let database: Database
beforeAll(async () => {
  connection = await cloneDatabase()
  database = openDatabase(connection, { poolSize: 2, onError: () => {} })
})
beforeEach(() => database.db.deleteFrom('card_bins').where('source', '=', 'imported').execute())
afterAll(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})

const environment = () => ({ DATA_DIR: join(folder, 'data'), DATABASE_URL: urlOf(connection) })

function write(name: string, content: string | Uint8Array): string {
  const file = join(folder, name)
  writeFileSync(file, content)
  return file
}

const run = (...args: string[]) => switchyard(['bins', 'import', ...args], environment())
const runOn = (content: string | Uint8Array, ...options: string[]) =>
  run(write('bins.csv', content), ...options)

function imported() {
  return database.db
    .selectFrom('card_bins')
    .select(['prefix', 'scheme', 'additional_schemes', 'card_type', 'issuer', 'country'])
    .where('source', '=', 'imported')
    .orderBy('prefix')
    .execute()
}

/** What an earlier import has left. */
const keepOne = () =>
  database.db
    .insertInto('card_bins')
    .values({ prefix: '457173', source: 'imported', scheme: 'visa' })
    .execute()

const prefixes = async () => (await imported()).map(({ prefix }) => prefix)

test('imports a file in common spellings', async () => {
  const lines = [
    '\uFEFFbin,scheme,additional_schemes,card_type,issuer,country',
    GOOD,
    '',
    ' 41111111 , Visa , STAR|pulse , Debit ,"First Bank, ""Main"" Street", us ',
    '222300-222399,,,,,',
    '45717312345,visa,,,Bank of Ålesund,NO',
  ]

  const { code, stdout, stderr } = await runOn(lines.join('\r\n'))

  expect(code, stderr).toBe(0)
  expect(stdout).toBe('')
  expect(stderr).toMatch(/^Imported 4 lines in \d+\.\d s\. Every running process knows within a minute\.\n$/)
  expect(await imported()).toEqual([
    { prefix: '2223', scheme: null, additional_schemes: null, card_type: null, issuer: null, country: null },
    {
      prefix: '41111111',
      scheme: 'visa',
      additional_schemes: ['star', 'pulse'],
      card_type: 'debit',
      issuer: 'First Bank, "Main" Street',
      country: 'US',
    },
    {
      prefix: '457173',
      scheme: 'visa',
      additional_schemes: ['dankort'],
      card_type: 'debit',
      issuer: 'Jyske Bank',
      country: 'DK',
    },
    {
      prefix: '45717312345',
      scheme: 'visa',
      additional_schemes: null,
      card_type: null,
      issuer: 'Bank of Ålesund',
      country: 'NO',
    },
  ])
})

test('adds and changes lines, or replaces all, but never built-in data', async () => {
  const builtIn = () =>
    database.db.selectFrom('card_bins').where('source', '=', 'built-in').selectAll().execute()
  const before = await builtIn()
  await runOn(`${HEADER}\n${GOOD}\n411111,visa,,credit,Old,US\n`)

  await runOn(`${HEADER}\n411111,visa,,debit,New,CA\n420000,,,,,\n`)
  const added = await imported()
  await runOn(`${HEADER}\n430000,,,,,\n`, '--replace')

  expect(added.map(({ prefix, issuer }) => [prefix, issuer])).toEqual([
    ['411111', 'New'],
    ['420000', null],
    ['457173', 'Jyske Bank'],
  ])
  expect(await prefixes()).toEqual(['430000'])
  expect(await builtIn()).toEqual(before)
})

test('the last line about a prefix counts', async () => {
  await runOn(`${HEADER}\n411111,,,,First,\n411110-411119,,,,Range,\n411111,,,,Last,\n`)

  expect((await imported()).map(({ prefix, issuer }) => [prefix, issuer])).toEqual([
    ['41111', 'Range'],
    ['411111', 'Last'],
  ])
})

test('is in the audit log', async () => {
  await runOn(`${HEADER}\n${GOOD}\n`)

  const entry = await database.db
    .selectFrom('audit_logs')
    .select(['action', 'resource_type', 'resource_name'])
    .orderBy('created_at', 'desc')
    .executeTakeFirst()

  expect(entry).toMatchObject({
    action: 'updated',
    resource_type: 'card-bins',
    resource_name: 'bins.csv: 1 line',
  })
  expect(await database.db.selectFrom('audit_waiting').selectAll().execute()).toEqual([])
})

describe('a broken line', () => {
  const BROKEN = [
    ['411111,visa,,credit,Bank,XX', 'country "XX" is not an ISO 3166 code'],
    ['411111,visa,,credit,Bank,USA', 'country "USA" is not an ISO 3166 code'],
    ['41111,visa,,credit,Bank,US', 'bin "41111" is not 6 to 11 digits, or a range such as 411111-411199'],
    ['4111a1,visa,,credit,Bank,US', 'bin "4111a1" is not'],
    [',visa,,credit,Bank,US', 'bin "" is not'],
    ['411111-4111,visa,,credit,Bank,US', 'bin "411111-4111" is not'],
    [
      '411111-41111200,visa,,credit,Bank,US',
      'bin "411111-41111200" is a range of two numbers that differ in length',
    ],
    ['411199-411111,visa,,credit,Bank,US', 'bin "411199-411111" is a range that ends before it begins'],
    ['411111,vlsa,,credit,Bank,US', 'scheme "vlsa" is none of accel, amex, '],
    ['411111,constructor,,credit,Bank,US', 'scheme "constructor" is none of '],
    ['411111,visa,star|,credit,Bank,US', 'scheme "" is none of '],
    ['411111,visa,star;nyce,credit,Bank,US', 'scheme "star;nyce" is none of '],
    ['411111,visa,visa,credit,Bank,US', 'a scheme is named twice'],
    ['411111,visa,star|star,credit,Bank,US', 'a scheme is named twice'],
    ['411111,visa,,charge,Bank,US', 'card_type "charge" is not credit, debit, prepaid or empty'],
    [`411111,visa,,credit,${'x'.repeat(201)},US`, 'issuer has more than 200 characters'],
    ['411111,visa,,credit,Ba\tnk,US', 'issuer has control characters'],
    ['411111,visa,,credit,Bank', 'it has 5 fields, and needs 6'],
    ['411111,visa,,credit,Bank, Inc.,US', 'it has 7 fields, and needs 6'],
    ['411111;visa;;credit;Bank;US', 'it has 1 field, and needs 6'],
    ['411111,visa,,credit,"Bank,US', 'a quote is not closed, or stands inside a field'],
  ]

  // One process for ten of them: a start takes longer than an import.
  test.each([BROKEN.slice(0, 11), BROKEN.slice(11)])(
    'stops the import and is named, whatever is wrong with it (%#)',
    async (...broken) => {
      const { code, stdout, stderr } = await runOn(
        [HEADER, GOOD, '', ...broken.map(([line]) => line), ''].join('\n'),
      )

      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      for (const [index, [, problem]] of broken.entries())
        expect(stderr).toContain(`line ${index + 4}: ${problem}`)
      expect(stderr).toContain(`${broken.length} lines are broken, so nothing was imported.`)
      expect(await prefixes()).toEqual([])
    },
  )

  test('alone is counted as one', async () => {
    const { code, stderr } = await runOn(`${HEADER}\n${GOOD}\n\n411111,visa,,credit,Bank,XX\n`)

    expect(code).toBe(1)
    expect(stderr).toContain('line 4: country "XX" is not an ISO 3166 code')
    expect(stderr).toContain('1 line is broken, so nothing was imported.')
  })

  test('does not put a card number on the screen', async () => {
    const { stderr } = await runOn(`${HEADER}\n4111111111111111,visa,,credit,Bank,US\n`)

    expect(stderr).toContain('line 2: bin (too long to show) is not 6 to 11 digits')
    expect(stderr).not.toContain('4111111111111111')
  })

  test('among many: twenty are named, all are counted, and earlier data stays', async () => {
    await keepOne()
    const broken = Array.from(
      { length: 6_000 },
      (_, index) => `${400_000 + index},visa,,,,${index % 2 ? 'US' : 'XX'}`,
    )

    const { code, stderr } = await runOn(`${HEADER}\n${broken.join('\n')}\n`, '--replace')

    expect(code).toBe(1)
    expect(stderr.match(/^line \d+: country "XX"/gm)?.length).toBe(20)
    expect(stderr).toContain('line 40: ')
    expect(stderr).toContain('… and 2980 more.\n3000 lines are broken, so nothing was imported.')
    expect(stderr).toContain('--skip-broken')
    expect(await prefixes()).toEqual(['457173'])
  })

  test('can be left out', async () => {
    const lines = [HEADER, '41,visa,,,,', GOOD, '411111,visa,,,,XX', '420000,visa,,,,US']

    const { code, stderr } = await runOn(lines.join('\n'), '--skip-broken')

    expect(code, stderr).toBe(0)
    expect(stderr).toMatch(
      /^line 2: bin "41" .*\nline 4: country "XX" .*\nImported 2 lines in .* s, and left out 2 broken\. /,
    )
    expect(await prefixes()).toEqual(['420000', '457173'])
  })
})

describe('a file', () => {
  test.each([
    ['that is empty', '', 'The file is empty.'],
    ['of empty lines', '\n\r\n  \n', 'The file is empty.'],
    ['with a header only', `${HEADER}\n`, 'There is no line to import, so nothing was changed.'],
    ['with another header', `bin,brand\n411111,visa\n`, `line 1: the header must be "${HEADER}".`],
    ['without a header', `${GOOD}\n`, `line 1: the header must be "${HEADER}".`],
    ['with semicolons', `${HEADER.replaceAll(',', ';')}\n`, `line 1: the header must be "${HEADER}".`],
    ['that is an image', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'not UTF-8'],
    ['with NUL characters', `${HEADER}\n\0\0\0\n`, 'This is not a text file.'],
    ['in another encoding', Buffer.from(`${HEADER}\n411111,,,,Banco do Brás,\n`, 'latin1'), 'not UTF-8'],
    ['with a line without end', `${HEADER}\n${'x'.repeat(20_000)}`, 'has more than 10000 characters'],
  ])('%s is refused, and what was there stays', async (_name, content, problem) => {
    await keepOne()

    const { code, stderr } = await runOn(content, '--replace', '--skip-broken')

    expect(code).toBe(1)
    expect(stderr).toContain('bins.csv cannot be imported.\n  because: ')
    expect(stderr).toContain(problem)
    expect(await prefixes()).toEqual(['457173'])
  })

  test('without a good line removes nothing', async () => {
    await keepOne()

    const { code, stderr } = await runOn(`${HEADER}\n4,,,,,\n`, '--replace', '--skip-broken')

    expect(code).toBe(1)
    expect(stderr).toContain('There is no line to import')
    expect(await prefixes()).toEqual(['457173'])
  })

  test('that is not there, or is a folder, is refused before the database is opened', async () => {
    mkdirSync(join(folder, 'some.csv'))

    const missing = await run(join(folder, 'missing.csv'))
    const directory = await run(join(folder, 'some.csv'))
    const none = await run()

    expect(missing).toMatchObject({ code: 1, stderr: `There is no file ${join(folder, 'missing.csv')}.\n` })
    expect(directory.code).toBe(1)
    expect(directory.stderr).toContain('is a folder')
    expect(none.code).toBe(2)
    expect(none.stderr).toContain('"switchyard bins import" needs FILE.')
  })
})

test('an import that is interrupted ends, and changes nothing', async () => {
  const file = join(folder, 'long.csv')
  const out = createWriteStream(file)
  out.write(`${HEADER}\n`)
  for (let block = 0; block < 100; block += 1) {
    out.write(
      Array.from({ length: 5_000 }, (_, line) => `${4_000_000 + block * 5_000 + line},,,,,\n`).join(''),
    )
  }
  out.end()
  await once(out, 'finish')
  const child = startSwitchyard(['bins', 'import', file], environment())
  let said = ''
  child.stderr?.on('data', (chunk) => {
    said += chunk
  })

  await untilLocked()
  child.kill('SIGINT')
  const [code] = await once(child, 'close')

  expect(code).toBe(1)
  expect(said).toContain('Stopped by SIGINT.')
  expect(await prefixes()).toEqual([])
})

async function untilLocked(): Promise<void> {
  for (;;) {
    const { rows } = await database.pool.query(
      `select 1 from pg_locks where relation = 'card_bins'::regclass and mode = 'RowShareLock' and granted
         and database = (select oid from pg_database where datname = current_database())`,
    )
    if (rows.length > 0) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
