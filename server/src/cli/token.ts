import { createPrivateKey } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { SCOPES } from '#domain/scopes.ts'
import { signToken } from '#resources/api-key-pairs/sign-token.ts'
import { adminKeyFile, readConfig } from '../config.ts'
import { choose, defineCommand, UsageError } from './command.ts'

const SCOPE = /^(([a-z0-9.-]+|[*])[.](read|write)|embed)$/
const MERCHANT_ACCOUNT = /^[a-zA-Z0-9-]{1,50}$/
const SECONDS: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3_600, d: 86_400 }

export const command = defineCommand({
  name: 'token',
  about: 'Prints a token for the API, signed with a private key of yours. It does not touch the database.',
  options: {
    scopes: {
      type: 'string',
      value: 'LIST',
      multiple: true,
      about: 'What the token may do, separated by commas. Default *.read,*.write: all that the key may.',
    },
    'merchant-account': {
      type: 'string',
      value: 'ID',
      about: 'Pins a token with the scope embed to this account; for others, says which header selects it.',
    },
    'expires-in': {
      type: 'string',
      value: 'TIME',
      about: 'How long it is valid: 90s, 30m, 1h, 7d, or a number of seconds. Default 1h.',
    },
    key: { type: 'string', value: 'FILE', about: 'The private key in PEM. Default DATA_DIR/admin-key.pem.' },
  },
  example: 'curl -H "Authorization: Bearer $(switchyard token)" http://127.0.0.1:3000/api-key-pairs',
  run: async ({ env, print, say }, options) => {
    const scopes = readScopes(options.scopes)
    const lifetimeSeconds = readLifetime(options['expires-in'] ?? '1h')
    const account = readAccount(options['merchant-account'])
    const isEmbed = scopes.includes('embed')
    const file = options.key ?? adminKeyFile(readConfig(env).dataDir)
    const claims = { scopes, ...(isEmbed && account && { embed: { merchant_account_id: account } }) }
    print(await sign(file, claims, lifetimeSeconds))
    if (account && !isEmbed) {
      say('The token itself names no merchant account; a request selects one with this header:')
      say(`X-Service-Merchant-Account-ID: ${account}`)
    }
  },
})

function readScopes(given: readonly string[]): string[] {
  const lists = given.length > 0 ? given : ['*.read,*.write']
  const scopes = lists.flatMap((list) => list.split(',')).map((scope) => scope.trim())
  const wrong = scopes.find((scope) => !SCOPE.test(scope))
  if (wrong !== undefined) {
    throw new UsageError(
      `"${wrong}" is not a scope. Scopes are embed, *.read, *.write, or a resource such as api-key-pairs.read.`,
    )
  }
  const idle = scopes.find((scope) => !['embed', '*.read', '*.write', ...SCOPES].includes(scope))
  if (idle === undefined) return scopes
  throw new UsageError(`No operation takes the scope "${idle}". ${choose(idle, SCOPES)}`)
}

function readLifetime(given: string): number {
  const [, count, unit = ''] = /^(\d{1,9})([smhd]?)$/.exec(given) ?? []
  const seconds = Number(count) * (SECONDS[unit] ?? 1)
  if (seconds > 0) return seconds
  throw new UsageError(`--expires-in must be a time such as 90s, 30m, 1h or 7d, and "${given}" is none.`)
}

function readAccount(given: string | undefined): string | undefined {
  if (given === undefined || MERCHANT_ACCOUNT.test(given)) return given
  throw new UsageError('--merchant-account must be 1 to 50 letters, digits and dashes.')
}

export async function sign(file: string, claims: object, lifetimeSeconds: number): Promise<string> {
  const pem = readKeyFile(file)
  const validity = { from: new Date(), seconds: lifetimeSeconds }
  return signToken(pem, { ...claims, iss: 'switchyard-cli' }, validity).catch((cause: unknown) => {
    throw new Error(`The key in ${file} cannot sign tokens.`, { cause })
  })
}

function readKeyFile(file: string): string {
  if (!existsSync(file)) {
    throw new Error(
      `There is no private key at ${file}. Start the service once, for a sandbox makes its first key, ` +
        'or make one: switchyard keys create --display-name Admin --role administrator',
    )
  }
  const pem = readFileSync(file, 'utf8')
  try {
    createPrivateKey(pem)
  } catch {
    throw new Error(`${file} does not hold a private key in PEM without a passphrase.`)
  }
  return pem
}
