import { spawnSync } from 'node:child_process'
import { accessSync, constants, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readSecretFile, secretFile } from '#platform/access/secrets.ts'
import type { Context } from '#platform/database/db.ts'
import { packagedBinaries } from '#platform/database/embedded-postgres-files.ts'
import { findRoom, isShort } from '#platform/file-storage/room.ts'
import { describePrivateKey } from '#resources/api-key-pairs/keys.ts'
import * as apiKeyPairs from '#resources/api-key-pairs/store.ts'
import { adminKeyFile, type Config, needsDataDir, PORT_DEFAULT } from '../config.ts'
import { reportFolder } from '../report-storage.ts'
import { vaultKeySource } from '../vault-key-source.ts'
import { findInstance, whoListens } from '../who-listens.ts'
import { type Finding, note, ok, problem } from './finding.ts'
import { instanceOf, PORTS } from './own-address.ts'

const NODE_MAJOR = 24
const GIB = 1024 ** 3
const COMING = 'not created yet; npm start creates it'

export function checkNode(): Finding {
  const { node } = process.versions
  if (Number(node.split('.')[0]) >= NODE_MAJOR) return ok('node', node)
  return problem(
    'node',
    `${node} is too old`,
    `Install Node ${NODE_MAJOR}, or use bin/switchyard, which brings it.`,
  )
}

export function checkFolder(config: Config): Finding {
  const { dataDir } = config
  if (!needsDataDir(config)) return ok('data folder', 'not needed: nothing is kept in DATA_DIR')
  const found = statSync(dataDir, { throwIfNoEntry: false })
  if (!found) return note('data folder', `${dataDir} ${COMING}`)
  if (!found.isDirectory()) {
    return problem('data folder', `${dataDir} is not a folder`, 'Set DATA_DIR to another path.')
  }
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    return problem(
      'data folder',
      `${dataDir} is not writable`,
      'Run as its owner, change its owner, or set DATA_DIR to another path.',
    )
  }
  // Other users may pass through it: as root, the database runs as another user. They must not list it or
  // write to it.
  if ((found.mode & 0o006) !== 0) {
    return problem('data folder', `${dataDir} is open to every user`, `Run: chmod o-rw ${dataDir}`)
  }
  return ok('data folder', dataDir)
}

/** Report files must not take the room of a database on the same disk. */
export async function checkReportFolder(config: Config): Promise<Finding> {
  const folder = reportFolder(config)
  const room = await findRoom(folder)
  const text = `${folder} has ${(room.free / GIB).toFixed(1)} GiB free of ${(room.total / GIB).toFixed(1)} GiB`
  if (!isShort(room)) return ok('report files', text)
  const remedy =
    'No report file is written to a disk that is nearly full. Free some space, or set REPORTS_DIR to a folder on another disk.'
  return problem('report files', text, remedy)
}

export function checkSecret(config: Config, hasDatabase: boolean): Finding {
  if (config.secretKey !== null) return ok('secret', 'SECRET_KEY is set')
  const file = secretFile(config.dataDir)
  const mode = modeOf(file)
  if (mode === undefined && !hasDatabase) return note('secret', `${file} ${COMING}`)
  if (mode === undefined) {
    return problem('secret', `${file} is missing, and the database needs it`, 'Restore it from a backup.')
  }
  if (isOpen(mode)) return problem('secret', `${file} can be read by others`, `Run: chmod 600 ${file}`)
  readSecretFile(config.dataDir)
  return ok('secret', file)
}

export function checkVaultKey(config: Config, hasDatabase: boolean): Finding {
  const source = vaultKeySource(config)
  if (source.kind !== 'file')
    return ok('vault key', `comes from ${source.kind === 'given' ? 'VAULT_KEY' : 'VAULT_KEY_COMMAND'}`)
  const mode = modeOf(source.path)
  if (mode === undefined && !hasDatabase) return note('vault key', `${source.path} ${COMING}`)
  if (mode === undefined) {
    return problem(
      'vault key',
      `${source.path} is missing, and stored cards need it`,
      'Restore it from a backup.',
    )
  }
  if (isOpen(mode))
    return problem('vault key', `${source.path} can be read by others`, `Run: chmod 600 ${source.path}`)
  return ok('vault key', source.path)
}

/** Runs the program, because the libraries that it needs may be missing, too. */
export function checkBinaries(): Finding {
  const program = join(packagedBinaries(), 'bin/postgres')
  const result = spawnSync(program, ['--version'], { encoding: 'utf8', env: { LC_ALL: 'C' } })
  if (result.status === 0) return ok('database program', result.stdout.trim())
  const reason = result.error?.message ?? result.stderr.trim()
  return problem(
    'database program',
    `${program} does not run (${reason})`,
    'Remove node_modules and run npm start.',
  )
}

/** `context` is null while there is no database to look the key up in. */
export async function checkKeyFile(config: Config, context: Context | null): Promise<Finding> {
  const name = 'admin key'
  const file = adminKeyFile(config.dataDir)
  const mode = modeOf(file)
  const create = `switchyard keys create --display-name Administrator --role administrator --out ${file}`
  if (mode === undefined) return missingKeyFile(config, context, `Run: ${create}`)
  if (isOpen(mode)) return problem(name, `${file} can be read by others`, `Run: chmod 600 ${file}`)
  const { thumbprint } = await describePrivateKey(readFileSync(file, 'utf8')).catch((cause: unknown) => {
    throw new Error(`${file} does not hold a private key. Move it away and run: ${create}`, { cause })
  })
  if (!context) return note(name, `${file}; npm start registers it`)
  const pair = await apiKeyPairs.findByThumbprint(context, 'all', thumbprint)
  if (pair?.active) return ok(name, file)
  const state = pair ? 'is inactive' : 'is unknown to the database'
  return problem(name, `the key in ${file} ${state}`, `Move the file away and run: ${create}`)
}

function missingKeyFile({ environment, dataDir }: Config, context: Context | null, remedy: string): Finding {
  const file = adminKeyFile(dataDir)
  // In production keys are kept where the operator wants them.
  if (environment === 'production') return note('admin key', `there is none at ${file}; use --key for tokens`)
  if (!context) return note('admin key', `${file} ${COMING}`)
  return problem('admin key', `${file} is missing`, remedy)
}

export async function checkPort(config: Config): Promise<Finding> {
  const { environment, host, port: wanted } = config
  const port = wanted ?? PORT_DEFAULT
  const address = `${host}:${port}`
  const instance = instanceOf(config)
  const listener = await whoListens({ host, port }, instance)
  if (listener === 'none') return ok('port', `${address} is free`)
  if (listener === 'this installation') return ok('port', `${address} is served by this installation`)
  if (wanted === null && environment === 'sandbox') {
    const own = instance && (await findInstance(host, PORTS, instance))
    const taken = `${address} is in use by ${listener}`
    if (own) return ok('port', `${taken}; this installation is served at ${host}:${own}`)
    return note('port', `${taken}; npm start takes the next free one`)
  }
  return problem('port', `${address} cannot be used, or is in use by ${listener}`, 'Set PORT to a free one.')
}

function modeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mode
}

function isOpen(mode: number): boolean {
  return (mode & 0o077) !== 0
}
