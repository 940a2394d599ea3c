// Makes a release: version, changelog, commit, archives, a try of the image, tag: npm run release -- [--dry-run] [--version 1.4.0] …
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { describeArchive, makeArchives } from './archive.ts'
import { addToChangelog, notesOf } from './changelog.ts'
import { commitsSince, git, lastTag } from './commits.ts'
import { missingSchema } from './kept-schema.ts'
import { isNewer, nextVersion, readVersion } from './version.ts'

/** The files that name the version. */
const MANIFESTS = ['package.json', 'package-lock.json', 'client/package.json']
/** It names the version of the chart, and of the image that the chart runs. */
const CHART = 'deploy/helm/switchyard/Chart.yaml'

const USAGE =
  '[--dry-run] [--version 1.4.0] [--out FOLDER] [--previous ARCHIVE] [--without-image] [--without-advisories]'

export type Order = {
  readonly root: string
  readonly isDryRun: boolean
  /** Null: the commits decide. */
  readonly version: string | null
  readonly say: (text: string) => void
  /** Makes the archives of what is checked out, after the commit and before the tag. */
  readonly build: () => void
}

class Refusal extends Error {}

if (import.meta.main) {
  const say = (text: string) => void process.stdout.write(`${text}\n`)
  const root = process.cwd()
  try {
    const values = readOptions(process.argv.slice(2))
    if (!values['dry-run'] && !values['without-image']) checkTools()
    if (!values['dry-run'] && !values['without-advisories']) checkAdvisories(root)
    release({
      root,
      isDryRun: values['dry-run'],
      version: values.version ?? null,
      say,
      build: () => {
        for (const archive of makeArchives(root, values.out)) say(describeArchive(archive).trimEnd())
        if (!values['without-image']) tryImage(root, values.previous)
      },
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}

export function readOptions(args: readonly string[]) {
  const options = {
    'dry-run': { type: 'boolean', default: false },
    version: { type: 'string' },
    out: { type: 'string', default: 'release' },
    previous: { type: 'string' },
    'without-image': { type: 'boolean', default: false },
    'without-advisories': { type: 'boolean', default: false },
  } as const
  try {
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Refusal(`${reason}\nUsage: npm run release -- ${USAGE}`)
  }
}

/** Before anything is written: what the image is built with. */
function checkTools(): void {
  const missing = ['buildah', 'debootstrap'].filter((name) => spawnSync(name, ['--version']).error)
  if (missing.length === 0 && process.getuid?.() === 0) return
  throw new Refusal(
    `The image is built and paid with before the tag. That needs root${missing.map((name) => ` and ${name}`).join('')}. ` +
      'Add --without-image to leave it out.',
  )
}

/** No release with a known weakness in what it brings (PCI DSS 6.3). */
function checkAdvisories(root: string): void {
  const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { cwd: root, encoding: 'utf8' })
  const refusal = refusalOf(stdout)
  if (refusal !== null) throw new Refusal(`${refusal} Add --without-advisories to release all the same.`)
}

type Audit = {
  readonly metadata?: { readonly vulnerabilities: Readonly<Record<string, number>> }
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string }>>
}

/** What `npm audit --json` says against a release, or null. */
export function refusalOf(answer: string): string | null {
  const { metadata, vulnerabilities = {} }: Audit = answer.startsWith('{') ? JSON.parse(answer) : {}
  if (!metadata) return 'The registry gave no answer about weaknesses of dependencies.'
  const bad = Object.entries(vulnerabilities).filter(([, { severity }]) => /^(high|critical)$/.test(severity))
  if (bad.length === 0) return null
  return `Dependencies have known weaknesses: ${bad.map(([name, { severity }]) => `${name} (${severity})`).join(', ')}.`
}

/** Builds the image of this commit, runs it, pays, and upgrades from the archive of the release before. */
function tryImage(root: string, previous: string | undefined): void {
  const args = previous === undefined ? [] : ['--previous', previous]
  execFileSync(process.execPath, ['faults/image/run.ts', ...args], { cwd: root, stdio: 'inherit' })
}

/**
 * The tag comes last, so a tag always has its archives. A run that was interrupted can be repeated: it finds its commit
 * and goes on from there.
 */
export function release({ root, isDryRun, version: wanted, say, build }: Order): string {
  const dirty = git(root, 'status', '--porcelain')
  if (dirty !== '')
    throw new Refusal(`The tree has changes that are not committed. Commit or remove them:\n${dirty}`)
  const last = lastTag(root)
  const commits = commitsSince(root, last).filter(
    ({ type, scope }) => !(type === 'chore' && scope === 'release'),
  )
  if (commits.length === 0) throw new Refusal(`There is no commit since ${last}.`)
  const version =
    wanted ?? nextVersion(last, JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version, commits)
  checkVersion(root, version, last)
  const notes = notesOf(commits, last === null)
  say(
    `Switchyard ${version}${last ? ` (after ${last.slice(1)})` : ''}, ${commits.length} commits\n\n${notes}`,
  )
  const missing = missingSchema(root)
  if (isDryRun) {
    if (missing !== null) say(`The release would be refused. ${missing}`)
    say('A dry run: nothing was written, committed or tagged.')
    return version
  }
  if (missing !== null) throw new Refusal(missing)
  writeVersion(root, version, notes)
  if (git(root, 'status', '--porcelain') !== '') {
    const named = [...MANIFESTS, CHART].filter((file) => existsSync(join(root, file)))
    git(root, 'add', '--', ...named, 'CHANGELOG.md')
    git(root, 'commit', '--quiet', '-m', `chore(release): ${version}`)
  }
  build()
  git(
    root,
    'tag',
    '--annotate',
    `v${version}`,
    '--cleanup=whitespace',
    '-m',
    `Switchyard ${version}\n\n${notes}`,
  )
  say(`Tagged v${version}. Publish it: git push --follow-tags`)
  return version
}

function checkVersion(root: string, version: string, last: string | null): void {
  try {
    readVersion(version)
  } catch (error) {
    throw new Refusal(error instanceof Error ? error.message : String(error))
  }
  if (git(root, 'tag', '--list', `v${version}`) !== '') {
    throw new Refusal(
      `The tag v${version} exists. A version is released once: choose another one with --version.`,
    )
  }
  if (last !== null && !isNewer(version, last))
    throw new Refusal(`${version} is not newer than ${last.slice(1)}.`)
}

function writeVersion(root: string, version: string, notes: string): void {
  for (const file of MANIFESTS.filter((one) => existsSync(join(root, one)))) {
    const text = readFileSync(join(root, file), 'utf8')
    const named = `"version": "${JSON.parse(text).version}"`
    // The lock file names it twice: for itself, and for the package at its root.
    const count = file === 'package-lock.json' ? 2 : 1
    let done = 0
    const changed = text.replaceAll(named, (found) => (++done > count ? found : `"version": "${version}"`))
    writeFileSync(join(root, file), changed)
  }
  const chart = join(root, CHART)
  if (existsSync(chart)) {
    const text = readFileSync(chart, 'utf8')
    writeFileSync(chart, text.replaceAll(/^(version|appVersion): .*/gm, `$1: ${version}`))
  }
  const file = join(root, 'CHANGELOG.md')
  const date = git(root, 'log', '-1', '--format=%cs')
  const old = existsSync(file) ? readFileSync(file, 'utf8') : ''
  writeFileSync(file, addToChangelog(old, { version, date, notes }))
}
