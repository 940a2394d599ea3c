import { existsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { writeNewFile } from '#platform/access/secrets.ts'
import { type Context, inTransaction } from '#platform/database/db.ts'
import { savePair } from '#resources/api-key-pairs/create.ts'
import { generatePair } from '#resources/api-key-pairs/keys.ts'
import type { Algorithm, ApiKeyPair } from '#resources/api-key-pairs/schemas.ts'
import * as apiKeyPairs from '#resources/api-key-pairs/store.ts'
import { tell } from '#resources/api-key-pairs/tell.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as merchantAccounts from '#resources/merchant-accounts/store.ts'
import * as roles from '#resources/roles/store.ts'
import { readConfig } from '../config.ts'
import type { Foundation } from '../open-foundation.ts'
import { choose, defineCommand, UsageError } from './command.ts'
import { withFoundation } from './foundation.ts'
import { allPages, oneLine, type Terminal, table } from './terminal.ts'

const ROLES_MAX = 100

export const keysCreate = defineCommand({
  name: 'keys create',
  about: 'Makes an API key pair: registers the public half and writes the private one to a file of yours.',
  options: {
    'display-name': { type: 'string', value: 'NAME', isRequired: true, about: 'Name to display.' },
    role: {
      type: 'string',
      value: 'SLUG',
      multiple: true,
      isRequired: true,
      about: 'What the key may do, such as processing; administrator is everything. May be repeated.',
    },
    'merchant-account': {
      type: 'string',
      value: 'ID',
      multiple: true,
      about: 'An account the key may act on. Default all; the first is used when a request names none.',
    },
    algorithm: { type: 'string', value: 'NAME', about: 'ECDSA (P-521, the default), Ed25519, or RSA.' },
    out: {
      type: 'string',
      value: 'FILE',
      about: 'Where the private key goes; an existing file is refused. Default DATA_DIR/<name>-key.pem.',
    },
  },
  example: 'switchyard keys create --display-name "Shop backend" --role processing --out shop-key.pem',
  run: async (terminal, options) => {
    const config = readConfig(terminal.env)
    const displayName = readName(options['display-name'])
    const wanted: Wanted = {
      displayName,
      algorithm: readAlgorithm(options.algorithm ?? 'ECDSA'),
      roleSlugs: unique(options.role),
      merchantAccountIds: unique(options['merchant-account']),
      file: resolve(options.out ?? join(config.dataDir, `${slugOf(displayName)}-key.pem`)),
    }
    refuseExisting(wanted.file)
    if (options.out !== undefined) refuseMissingFolder(wanted.file)
    await withFoundation(terminal, config, (foundation) => createKey(terminal, foundation, wanted))
  },
})

type Wanted = {
  readonly displayName: string
  readonly algorithm: Algorithm
  readonly roleSlugs: readonly string[]
  readonly merchantAccountIds: readonly string[]
  readonly file: string
}

/**
 * Writes the file before the row. A crash between the two leaves a useless file, never a key without its
 * private half.
 */
async function createKey(terminal: Terminal, { context, sealer }: Foundation, wanted: Wanted): Promise<void> {
  const { displayName, merchantAccountIds, file } = wanted
  const roleIds = await findRoles({ context }, wanted.roleSlugs)
  await refuseUnknownAccounts(context, merchantAccountIds)
  const { publicKey, privateKey } = await generatePair(wanted.algorithm)
  writeKey(file, privateKey)
  const pair = await savePair(context, {
    displayName,
    active: true,
    publicKey,
    privateKey: null,
    roleIds,
    merchantAccountIds,
  }).catch((cause: unknown) => {
    throw new Error(
      `${file} was written, and its key ${publicKey.thumbprint} was perhaps not registered. ` +
        'See switchyard keys list; if it is not there, remove the file and try again.',
      { cause },
    )
  })
  terminal.print(`id          ${pair.id}\nthumbprint  ${pair.thumbprint}\nfile        ${file}`)
  const accounts = merchantAccountIds.length > 0 ? merchantAccountIds.join(', ') : 'all merchant accounts'
  terminal.say(`It may act as ${wanted.roleSlugs.join(', ')} on ${accounts}.`)
  terminal.say(
    `The private key is in this file only. For a token: switchyard token --key ${file.includes(' ') ? `"${file}"` : file}`,
  )
  // No worker may be running, and an unsealed entry would look like an intrusion.
  await sealer.seal(context)
}

function readName(given: string): string {
  const name = given.trim()
  if (name.length > 0 && name.length <= 200) return name
  throw new UsageError('--display-name must have 1 to 200 characters.')
}

/** The API calls keys on the curve Ed25519 EdDSA. */
const ALGORITHMS: Readonly<Record<string, Algorithm>> = {
  ecdsa: 'ECDSA',
  rsa: 'RSA',
  ed25519: 'EdDSA',
  eddsa: 'EdDSA',
}

function readAlgorithm(given: string): Algorithm {
  const algorithm = ALGORITHMS[given.toLowerCase()]
  if (algorithm) return algorithm
  throw new UsageError(`--algorithm must be ECDSA, Ed25519 or RSA, and not "${given}".`)
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)]
}

function slugOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replaceAll(/^-+|-+$/g, '')
  return slug || 'api'
}

function refuseExisting(file: string): void {
  if (!existsSync(file)) return
  throw new Error(`${file} exists, and it may be the only copy of a key. Name another file with --out.`)
}

function refuseMissingFolder(file: string): void {
  if (statSync(dirname(file), { throwIfNoEntry: false })?.isDirectory()) return
  throw new Error(`There is no folder ${dirname(file)}. Make it, or name another file with --out.`)
}

async function findRoles(
  { context }: Pick<Foundation, 'context'>,
  slugs: readonly string[],
): Promise<string[]> {
  const { items } = await roles.list(context, { limit: ROLES_MAX })
  return slugs.map((slug) => {
    const role = items.find((candidate) => candidate.slug === slug)
    if (role) return role.id
    const known = items.map((candidate) => candidate.slug).sort()
    throw new Error(`There is no role "${slug}". ${choose(slug, known)}`)
  })
}

async function refuseUnknownAccounts(context: Context, ids: readonly string[]): Promise<void> {
  const known = await merchantAccounts.existing(context, ids)
  const missing = ids.find((id) => !known.has(id))
  if (missing !== undefined) throw new Error(`There is no merchant account "${missing}".`)
}

function writeKey(file: string, privateKey: string): void {
  let isWritten: boolean
  try {
    isWritten = writeNewFile(file, privateKey)
  } catch (cause) {
    throw new Error(`The private key cannot be written to ${file}, so nothing was registered.`, { cause })
  }
  // Another process made the file since we looked; in a new sandbox, the first start did.
  if (!isWritten) refuseExisting(file)
}

const HEADINGS = ['ID', 'NAME', 'THUMBPRINT', 'ACTIVE', 'ROLES', 'ACCOUNTS', 'LAST USED']

export const keysList = defineCommand({
  name: 'keys list',
  about: 'Lists the API key pairs, newest first.',
  options: { json: { type: 'boolean', about: 'Print a JSON array of what the API shows of each.' } },
  example: 'switchyard keys list --json | jq -r ".[] | select(.active) | .id"',
  run: (terminal, { json }) =>
    withFoundation(terminal, readConfig(terminal.env), async ({ context }) => {
      const pairs = await allPages((page) => apiKeyPairs.list(context, 'all', page))
      terminal.print(json ? JSON.stringify(pairs, null, 2) : table([HEADINGS, ...pairs.map(cellsOf)]))
    }),
})

function cellsOf(pair: ApiKeyPair): string[] {
  const accounts = pair.merchant_accounts.map(({ id }) => id)
  return [
    pair.id,
    oneLine(pair.display_name),
    pair.thumbprint,
    pair.active ? 'yes' : 'no',
    pair.roles.map(({ slug }) => slug).join(','),
    accounts.length > 0 ? accounts.join(',') : 'all',
    pair.last_used_at ?? 'never',
  ]
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const keysDisable = defineCommand({
  name: 'keys disable',
  about: 'Makes an API key pair inactive. The key stays known, and the API can make it active again.',
  options: {},
  parameters: ['ID'],
  example: 'switchyard keys disable 0199f3a0-5d3b-7c00-8a11-3f1f7f1f0002',
  run: (terminal, _options, [id = '']) =>
    withFoundation(terminal, readConfig(terminal.env), async ({ context, sealer }) => {
      const pair = UUID.test(id) ? await disable(context, id) : undefined
      if (!pair) throw new Error(`There is no API key pair ${id}. See: switchyard keys list`)
      const name = `"${oneLine(pair.display_name)}"`
      if (!pair.active) return terminal.say(`The key ${name} was inactive already.`)
      terminal.say(`The key ${name} is inactive. Every running process refuses its tokens within 5 seconds.`)
      if ((await apiKeyPairs.countActive(context)) === 0) {
        terminal.say(
          'No active key is left. Make one: switchyard keys create --display-name NAME --role administrator',
        )
      }
      // No worker may be running, and an unsealed entry would look like an intrusion.
      await sealer.seal(context)
    }),
})

/** Returns the pair as it was before. */
function disable(context: Context, id: string): Promise<ApiKeyPair | undefined> {
  return inTransaction(context, async (tx) => {
    const before = await apiKeyPairs.lock(tx, 'all', id)
    if (!before?.active) return before
    await apiKeyPairs.update(tx, id, { active: false })
    await auditLogs.record({ ...tx, merchantAccountId: null }, 'updated', {
      type: 'api-key-pair',
      id,
      name: before.display_name,
    })
    const after = await apiKeyPairs.find(tx, 'all', id)
    if (after) await tell(tx, 'api-key-pair.updated', after)
    return before
  })
}
