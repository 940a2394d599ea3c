import { spawnSync } from 'node:child_process'
import { accessSync, constants, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readSecretFile, secretFile } from '#platform/access/secrets.ts'
import type { Context } from '#platform/database/db.ts'
import { packagedBinaries } from '#platform/database/embedded-postgres-files.ts'
import { findRoom, isShort } from '#platform/file-storage/room.ts'
import { loadOutside, type Registries } from '#processing/connectors.ts'
import { idsOf, type OutsidePackage } from '#processing/outside/load-packages.ts'
import { findOrphans } from '#processing/service-accounts/store.ts'
import { describePrivateKey } from '#resources/api-key-pairs/keys.ts'
import * as apiKeyPairs from '#resources/api-key-pairs/store.ts'
import { IdentityProvider } from '#resources/auth/oidc/provider.ts'
import type { OidcSettings } from '#resources/auth/oidc/settings.ts'
import { returnAddress } from '#resources/auth/routes.ts'
import * as roles from '#resources/roles/store.ts'
import {
  adminKeyFile,
  type Config,
  needsDataDir,
  PORT_DEFAULT,
  secretsIn,
  vaultKeySource,
} from '../config.ts'
import { reportFolder } from '../report-storage.ts'
import { findInstance, whoListens } from '../who-listens.ts'
import { addressOf, instanceOf, PORTS } from './own-address.ts'
import { reasonOf } from './terminal.ts'

/** The result of one check of the doctor. A note is neither good nor bad: it tells what is yet to come. */
export type Finding = {
  readonly status: 'ok' | 'note' | 'problem'
  readonly name: string
  readonly text: string
  readonly remedy?: string
}

export function ok(name: string, text: string): Finding {
  return { status: 'ok', name, text }
}

export function note(name: string, text: string): Finding {
  return { status: 'note', name, text }
}

export function problem(name: string, text: string, remedy?: string): Finding {
  return { status: 'problem', name, text, ...(remedy !== undefined && { remedy }) }
}

/** A check that fails is itself a finding, and the others still run. */
export async function attempt(name: string, check: () => Finding | Promise<Finding>): Promise<Finding> {
  try {
    return await check()
  } catch (error) {
    return problem(name, reasonOf(error))
  }
}

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

type Checked = { readonly finding: Finding; readonly packages: readonly OutsidePackage[] | null }

/** Loads the packages of connectors as the service does. Null: it would not start with them. */
export async function checkPackages(config: Config): Promise<Checked> {
  try {
    const packages = await loadOutside(config.connectors, secretsIn(config))
    const named = packages.map((one) => `${one.name} ${one.version} (${idsOf(one).join(', ')})`)
    const text = named.length === 0 ? 'none from packages' : `from packages: ${named.join('; ')}`
    return { finding: ok('connectors', text), packages }
  } catch (error) {
    return { finding: problem('connectors', reasonOf(error)), packages: null }
  }
}

/** Payments skip a service without a connector, and nothing else can be done with it but to delete it. */
export async function checkServices(context: Context, registries: Registries): Promise<Finding> {
  const orphans = await findOrphans(context, registries)
  if (orphans.length === 0) return ok('services', 'each has its connector')
  const list = orphans.map(({ definition, services }) => `${services} of ${definition}`).join(', ')
  return problem(
    'services',
    `payments skip services whose connector is not here: ${list}`,
    'Name the packages of these connectors in CONNECTORS, or delete the services.',
  )
}

/** Whether the identity provider answers and knows us. */
export async function checkProvider(config: Config, settings: OidcSettings): Promise<Finding> {
  const address = returnAddress(await addressOf(config))
  await new IdentityProvider(settings, address).probe()
  return ok('sign-in provider', `${settings.issuer} knows us; people come back to ${address}`)
}

/** A role that is not there gives nothing, and its users cannot sign in. */
export async function checkProviderRoles(context: Context, settings: OidcSettings): Promise<Finding> {
  const named = [...new Set([...settings.roles.values()].flat())]
  const found = await roles.findNamed(context, named)
  const usable = new Set(found.filter((role) => role.assignable_to.includes('user')).map(({ slug }) => slug))
  const missing = named.filter((slug) => !usable.has(slug))
  if (missing.length === 0) return ok('provider roles', `${named.length} roles of OIDC_ROLES are there`)
  return problem(
    'provider roles',
    `OIDC_ROLES names ${missing.join(', ')}, and users can have no such role`,
    'Use slugs of GET /roles.',
  )
}
