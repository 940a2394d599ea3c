import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LONG } from './longest-first.ts'

const slices = globSync('server/src/resources/**/*', { withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => `${entry.parentPath}/${entry.name}`)
const sources = globSync(
  '{server,connectors,sandbox,issuer,vault,bench,faults,lab,tools,web,examples}/**/*.{ts,tsx,mjs}',
  {
    exclude: ['web/dist/**'],
  },
)
const texts = globSync(['**/*.{ts,tsx,mjs,md,json,sql,svg,html,css}'], {
  exclude: ['node_modules/**', '.data/**', 'web/dist/**', 'package-lock.json'],
})

/** `charge.test.ts`, or `charge.retries.test.ts` if there is more than one. */
test('a test stands beside the file it tests', () => {
  const tested = [...slices, ...globSync('server/src/payments/**/*.ts')]
  const strays = tested.filter(
    (file) =>
      file.endsWith('.test.ts') && !tested.includes(file.replace(/(?:[.][a-z-]+)?[.]test[.]ts$/, '.ts')),
  )
  expect(strays).toEqual([])
})

/** Short files that one other file imports, and that would be read with it. The number only goes down. */
const SHORT_FILES_MAX = 17

test('a short file that one other file imports is a part of that file', () => {
  const code = sources.filter(
    (file) => /^server[/]src[/]/.test(file) && !/[.]test[.]ts$|[/]testing[/]/.test(file),
  )
  const importers = Map.groupBy(
    code.flatMap((from) => [...importedBy(from)].map((to) => ({ from, to }))),
    ({ to }) => to,
  )
  const short = code.filter((file) => {
    const [first, ...others] = importers.get(file) ?? []
    return (
      // A slice is known by these. A command has a file of its own, and so has what has tests of its own.
      !/[/](routes|resource|store|jobs)[.]ts$|[/]cli[/]/.test(file) &&
      !existsSync(file.replace('.ts', '.test.ts')) &&
      read(file).split('\n').length <= 60 &&
      first !== undefined &&
      others.length === 0 &&
      roomOf(first.from) === roomOf(file)
    )
  })
  expect(short.length, short.join('\n')).toBeLessThanOrEqual(SHORT_FILES_MAX)

  function importedBy(file: string): Set<string> {
    const names = [...read(file).matchAll(/\b(?:from|import)\b[ (]*'((?:[.]{1,2}|#\w+)[/][^']+)'/g)]
    return new Set(
      names.map(([, name = '']) =>
        name.startsWith('#') ? name.replace('#', 'server/src/') : join(dirname(file), name),
      ),
    )
  }

  /** A slice, or a drawer: what is in another one cannot be a part of this one. */
  function roomOf(file: string): string {
    return dirname(file).split('/').slice(0, 4).join('/')
  }
})

test('the test files that are begun first exist', () => {
  expect(LONG.filter((file) => !existsSync(file))).toEqual([])
})

describe('the SQL that writes to a table', () => {
  const tables = globSync('server/migrations/*.sql').flatMap((file) =>
    [...read(file).matchAll(/create table (\w+)/g)].map(([, table = '']) => table),
  )

  test('is in one file', () => {
    const owners = new Map<string, Set<string>>()
    for (const file of sources) {
      if (!file.startsWith('server/src/') || /[.]test[.]ts$|\/testing\//.test(file)) continue
      for (const table of writtenBy(read(file))) {
        // The engine of attempts keeps its orders and its holds in files of their own.
        const owner = file.replace(/^(server\/src\/processing\/attempts)\/.*/, '$1')
        owners.set(table, (owners.get(table) ?? new Set()).add(owner))
      }
    }

    expect([...owners].filter(([, writers]) => writers.size > 1)).toEqual([])
    expect(owners.size).toBeGreaterThan(30)
  })

  test.each([
    ['the query builder', "db.updateTable('buyers')", ['buyers']],
    ['a helper', "write(tx, insertInto(\n  'events',\n  row))", ['events']],
    ['the store of a kind of service', "serviceStore('gift_card_services', …)", ['gift_card_services']],
    [
      'plain SQL',
      'sql`with old as (delete from events) insert into buyers values (1)`',
      ['buyers', 'events'],
    ],
    ['plain SQL over lines', 'sql`\n  update\n    transactions as t set …`', ['transactions']],
    ['a lock', 'sql`select from buyers for update of buyers`', []],
    ['an English sentence', '/** An update of transactions. */', []],
  ])('is seen in %s', (_name, text, expected) => {
    expect(writtenBy(text)).toEqual(new Set(expected))
  })

  function writtenBy(text: string): Set<string> {
    const built = /\b(?:insertInto|updateTable|updateReturning|deleteFrom|serviceStore)\(\s*'(\w+)'/g
    const written = /\b(?:insert\s+into|update|delete\s+from)\s+"?(\w+)"?/gi
    const found = [...text.matchAll(built), ...text.matchAll(written)].map(([, table = '']) => table)
    return new Set(found.filter((table) => tables.includes(table)))
  }
})

test('the status of a payment is named in state.ts alone', () => {
  const word =
    /'(buyer_approval_pending|authorization_(succeeded|declined|failed|voided|void_pending)|capture_(pending|succeeded))'/
  const strays = sources.filter(
    (file) =>
      /^server\/src\/(payments|resources\/transactions)\//.test(file) &&
      // Wire shapes and examples list the words; the queries look for them.
      !/[.]test[.]ts$|schemas[.]ts$|\/wire\/|routes[.]ts$|payments\/(state|store\/[a-z-]+)[.]ts$/.test(
        file,
      ) &&
      word.test(read(file)),
  )
  expect(strays).toEqual([])
})

test('what time it is says the clock that is handed in', () => {
  /** Those that make a clock, and a command that works without a database. */
  const clocks = [
    'platform/process/clock.ts',
    'platform/database/database-clock.ts',
    'platform/http/http-errors.ts',
    'domain/ids.ts',
    'cli/token.ts',
    'cli/doctor-database.ts',
  ]
  const own = sources.filter(
    (file) =>
      /^(server|connectors|sandbox|issuer|vault)\//.test(file) &&
      !/[.]test[.]ts$|\/testing\/|^connectors\/contract\/samples[.]ts$/.test(file) &&
      !clocks.some((name) => file.endsWith(`server/src/${name}`)) &&
      /\bDate[.]now\(|\bnew Date\(\)|\bnewId\(\)/.test(read(file)),
  )
  expect(own).toEqual([])
})

test('a statement is the same text however long a list in it is', () => {
  const lists = sources.filter(
    (file) =>
      /^(server|sandbox|issuer|vault)\//.test(file) &&
      !file.endsWith('.test.ts') &&
      // Values side by side, as `in ($1, $2)` and rows of any number have them.
      /\bin \(\$\{sql[.]join|[.]values\(\s*\w+[.](map|flatMap)\(/.test(read(file)),
  )
  expect(lists).toEqual([])
})

describe('a prepared statement', () => {
  const tables = globSync('{server,vault,issuer,sandbox}/**/*.sql').flatMap((file) =>
    [...read(file).matchAll(/create table (?:if not exists )?(?:\w+[.])?(\w+)/g)].map(
      ([, table = '']) => table,
    ),
  )

  // It would return other columns once a migration adds one, and the server refuses to run it then.
  test('names the columns that it returns', () => {
    const files = sources.filter(
      (file) => /^(server|sandbox|issuer|vault)\//.test(file) && !/[.]test[.]ts$|\/testing\//.test(file),
    )
    expect(files.filter((file) => hasAllColumns(read(file)))).toEqual([])
    expect(tables.length).toBeGreaterThan(80)
  })

  test.each([
    ['the query builder', "db.selectFrom('buyers').selectAll().where(", true],
    ['the query builder', "db.insertInto('buyers').values(row).returningAll()", true],
    ['plain SQL', 'select * from buyers where', true],
    ['plain SQL', 'delete from buyers returning *', true],
    ['the name of a table', 'select total, buyers.* from found join buyers on true', true],
    ['another name', 'select b.* from found join buyers as b on true', true],
    ['columns of a part', 'select buyers.* from (select id from page) as buyers', false],
    ['columns of a part', "db.selectFrom(found.as('buyers')).selectAll('buyers')", false],
    ['a part whose rows go on', 'with page as materialized (\n  select * from transactions as t', false],
  ])('is seen to return all columns in %s: %s', (_name, text, expected) => {
    expect(hasAllColumns(text)).toBe(expected)
  })

  function hasAllColumns(text: string): boolean {
    if (/[.](?:selectAll|returningAll)\(\)|\breturning \*/i.test(text)) return true
    const whole = /(?<!materialized \(\s*)\bselect \* from "?(\w+)"?/gi
    const parts = [...text.matchAll(/\bselect (?:[^`()]*?, )?(\w+)[.]\*([^`]*)/gi)]
    return (
      [...text.matchAll(whole)].some(([, table = '']) => tables.includes(table)) ||
      parts.some(([, name = '', rest = '']) => {
        const origin = new RegExp(`\\b(?:from|join) (?:(\\w+)(?: as)? )?${name}\\b`, 'gi')
        return [...rest.matchAll(origin)].some(([, table = name]) => tables.includes(table))
      })
    )
  }
})

test('an operation lives in the folder its path names', () => {
  /** Folders of several short paths: what payment services report about a transaction. */
  const groups = ['transactions/reported']
  const misplaced = slices
    .filter((file) => basename(file) === 'routes.ts')
    .flatMap((file) => {
      const folder = dirname(file).replace('server/src/resources/', '')
      const folders = (groups.includes(folder) ? dirname(folder) : folder).split('/')
      const paths = [...read(file).matchAll(/route: '\w+ (\/[^']*)'/g)].map(([, path = '']) => path)
      return paths
        .filter((path) => !folders.every((name) => path.split('/').includes(name)))
        .map((path) => `${file}: ${path}`)
    })
  expect(misplaced).toEqual([])
})

test('since the baseline, a migration is never edited, nor removed', async ({ annotate }) => {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8', stdio: 'pipe' }).trim()
  const migrationsIn = (lines: string) =>
    lines.split('\n').flatMap((line) => {
      const [, hash, file] = /([0-9a-f]{40}) ?[AM]?\t(.*[/]migrations[/][^/]+[.]sql)$/.exec(line) ?? []
      return file === undefined ? [] : [[basename(file), hash] as const]
    })
  let base: string
  try {
    base = git('log', '--diff-filter=A', '--format=%H', '--', '*/0001_service.sql').split('\n').at(-1) ?? ''
    git('cat-file', '-e', base)
  } catch {
    // An archive, or a clone without its history.
    await annotate('The history of the migrations is not here, so they were not compared with it.')
    return
  }
  const made = migrationsIn(git('ls-tree', '-r', base))
  const later = migrationsIn(
    git(
      'log',
      '--format=',
      '--raw',
      '--no-abbrev',
      '--no-renames',
      '--diff-filter=AM',
      `${base}..HEAD`,
      '--',
      '*.sql',
    ),
  )
  // A migration may move to another folder. It is known by its name.
  const now = new Map(
    globSync('{*,*/*}/migrations/*.sql').map((file) => [basename(file), git('hash-object', file)]),
  )
  expect(made.map(([name]) => name)).toContain('0001_vault.sql')
  expect([...made, ...later].filter(([name, hash]) => now.get(name) !== hash)).toEqual([])
})

test('platform has drawers and no loose files', () => {
  expect(sources.filter((file) => /^server[/]src[/]platform[/][^/]+$/.test(file))).toEqual([])
})

test('no file has a name that accepts anything', () => {
  const vague = sources.filter((file) =>
    /(^|\/)(index|utils?|helpers?|common|types|service|manager|misc|v\d+)([.]|\/)/.test(file),
  )
  expect(vague).toEqual([])
})

test('no file speaks of unfinished work', () => {
  const unfinished = texts.filter(
    (file) => file !== 'tools/tidy.test.ts' && /\b(TODO|FIXME|XXX|HACK)\b/.test(read(file)),
  )
  expect(unfinished).toEqual([])
})

test('no test is skipped and no check is switched off', () => {
  const weak = sources.filter(
    (file) =>
      file !== 'tools/tidy.test.ts' &&
      /\b(it|test|describe)[.](skip|todo|only)\b|@ts-(ignore|nocheck|expect-error)/.test(read(file)),
  )
  expect(weak).toEqual([])
})

test('every file that a document links to exists', () => {
  const broken = texts
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) =>
      [...read(file).matchAll(/\]\((?!https?:|#|mailto:)([^)#]+)/g)]
        .map(([, target = '']) => `${dirname(file)}/${target}`)
        .filter((target) => !existsSync(target))
        .map((target) => `${file} → ${target}`),
    )
  expect(broken).toEqual([])
})

describe('a decision page', () => {
  const pages = globSync('docs/decisions/*.md').filter((file) => !file.endsWith('README.md'))

  test('is named by its topic, and short lines say what holds', () => {
    const numbered = pages.filter((file) => /\d{4}/.test(file))
    const wide = pages.flatMap((file) =>
      read(file)
        .split('\n')
        .filter((line) => line.length > 160 && !line.startsWith('|'))
        .map((line) => `${file}: ${line.slice(0, 40)}`),
    )

    expect(pages.length).toBeGreaterThan(20)
    expect([...numbered, ...wide]).toEqual([])
  })

  test('is in the index, and linked from code, a guide or the architecture', () => {
    const index = read('docs/decisions/README.md')
    const others = texts.filter((file) => !file.startsWith('docs/decisions/')).map(read)
    const lost = pages.filter(
      (file) =>
        !index.includes(`(${basename(file)})`) ||
        !others.some((text) => text.includes(`decisions/${basename(file)}`)),
    )

    expect(lost).toEqual([])
  })

  test('names the check that enforces it, and tests that exist', () => {
    const paths = globSync('{server,client,connectors,sandbox,issuer,vault,faults,tools,web}/**/*.{ts,mjs}', {
      exclude: ['web/dist/**', '**/node_modules/**'],
    })
    const wrong = pages.flatMap((file) => {
      const [, check] = read(file).split('\n**Check:** ')
      if (check === undefined) return [`${file}: no check`]
      const named = [...check.matchAll(/`([\w./-]+[.](?:ts|mjs))`/g)].map(([, name = '']) => name)
      return named
        .filter((name) => !existsSync(name) && !paths.some((path) => path.endsWith(`/${name}`)))
        .map((name) => `${file}: ${name}`)
    })

    expect(wrong).toEqual([])
  })
})

test('the lock file names no download address', () => {
  expect(read('package-lock.json')).not.toMatch(/"resolved": "http/)
})

function read(file: string): string {
  return readFileSync(file, 'utf8')
}
