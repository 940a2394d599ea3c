import { accessSync, constants, globSync } from 'node:fs'
import { userInfo } from 'node:os'
import { delimiter, join } from 'node:path'

/** What the trial runs besides the service. */
export type Programs = {
  readonly patroni: string
  readonly etcd: string
  readonly haproxy: string
  /** The folder of PostgreSQL's own programs. Patroni needs more of them than the embedded PostgreSQL has. */
  readonly postgres: string
  /** Put before each command: PostgreSQL refuses to run as root. */
  readonly as: readonly string[]
}

const NEEDED = ['patroni', 'etcd', 'haproxy'] as const
const PACKAGES = 'patroni etcd-server haproxy postgresql'
/** The user that Debian's package of PostgreSQL makes. */
const USER = 'postgres'

/** From Debian's packages. A sentence instead, if one is missing. */
export function findPrograms(): Programs | string {
  const [patroni, etcd, haproxy] = NEEDED.map(inPath)
  const postgres = newestPostgres()
  if (process.platform !== 'linux') return 'it reads /proc, so it runs on Linux only'
  if (!patroni || !etcd || !haproxy || !postgres) {
    const missing = [...NEEDED.filter((name) => !inPath(name)), ...(postgres ? [] : ['PostgreSQL'])]
    return `${missing.join(', ')} not installed; on Debian: apt-get install --no-install-recommends ${PACKAGES}`
  }
  return { patroni, etcd, haproxy, postgres, as: isRoot() ? asUser() : [] }
}

/** The files that PostgreSQL writes belong to this user. */
export function ownerOfFiles(): string {
  return isRoot() ? USER : userInfo().username
}

function isRoot(): boolean {
  return process.getuid?.() === 0
}

/** It becomes the program: the process keeps its number. */
function asUser(): string[] {
  return ['setpriv', `--reuid=${USER}`, `--regid=${USER}`, '--clear-groups']
}

function inPath(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return [...folders, '/usr/sbin'].map((folder) => join(folder, name)).find(isProgram)
}

function newestPostgres(): string | undefined {
  const versions = globSync('/usr/lib/postgresql/*/bin').filter((folder) =>
    ['postgres', 'initdb', 'pg_basebackup', 'pg_rewind'].every((name) => isProgram(join(folder, name))),
  )
  return versions.toSorted((one, other) => versionOf(other) - versionOf(one))[0]
}

function versionOf(folder: string): number {
  return Number.parseInt(folder.split('/')[4] ?? '0', 10)
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
