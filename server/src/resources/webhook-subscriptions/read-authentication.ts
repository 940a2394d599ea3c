import type { Context, Tx } from '#platform/database/db.ts'
import { type ErrorDetail, inBody } from '#platform/http/errors.ts'
import type { Sound } from '#platform/http/validation.ts'
import type { Vault } from '#vault'
import { MASK, type NewAuthentication, type StoredAuthentication } from './schemas.ts'
import { sealSecret } from './secrets.ts'
import type { SecretTokens, StoredSubscription } from './store.ts'

type Name = Exclude<keyof NewAuthentication, 'kind' | 'type'>
type Kind = StoredAuthentication['kind']

const REQUIRED: Readonly<Record<Kind, readonly Name[]>> = {
  basic: ['username', 'password'],
  oauth_client_credentials: ['client_id', 'client_secret', 'token_url'],
  oauth_password: ['client_id', 'client_secret', 'token_url', 'username', 'password'],
}
const NAMES: readonly Name[] = ['username', 'password', 'client_id', 'client_secret', 'token_url', 'scope']
const SECRET_NAMES = ['password', 'client_secret'] as const

type Before = Pick<StoredSubscription, 'authentication' | 'secrets'>

const at = (name: Name) => `/authentication/${name}`

/** Checks an authentication by itself: fields that its kind requires or does not have. */
export function complaintsAboutAuthentication(
  given: Sound<NewAuthentication>,
  complaintAboutUrl: (url: string) => string | undefined,
): ErrorDetail[] {
  const kind = given.kind ?? 'basic'
  const missing = REQUIRED[kind].filter((name) => given[name] === undefined || given[name] === null)
  const foreign = NAMES.filter((name) => isGiven(given[name]) && !isOf(kind, name))
  const aboutUrl = given.token_url && kind !== 'basic' ? complaintAboutUrl(given.token_url) : undefined
  return [
    ...missing.map((name) => inBody(at(name), 'value_error.missing', `is required for ${kind}`)),
    ...foreign.map((name) => inBody(at(name), 'value_error.extra', `is not used for ${kind}`)),
    ...(aboutUrl ? [inBody(at('token_url'), 'value_error.url', aboutUrl)] : []),
  ]
}

/** A mask keeps the stored secret, so there must be one. */
export function complaintsAboutMasks(
  given: Sound<NewAuthentication>,
  before: Before | undefined,
): ErrorDetail[] {
  const kind = given.kind ?? 'basic'
  return SECRET_NAMES.filter(
    (name) => given[name] === MASK && isOf(kind, name) && before?.secrets[name] === undefined,
  ).map((name) =>
    inBody(at(name), 'value_error.conflict', `send the value: ${MASK} keeps a stored one, and there is none`),
  )
}

type Aim = { readonly url: string; readonly authentication: NewAuthentication | StoredAuthentication | null }

/**
 * A stored secret is kept only for the origin that it was entered for. Otherwise a caller that may change the
 * URL, but not read the secret, could have it sent to its own server.
 */
export function complaintsAboutAddress(
  before: StoredSubscription,
  url: string,
  given: NewAuthentication | null | undefined,
): ErrorDetail[] {
  const after = given === undefined ? before.authentication : given
  if (!after || !before.authentication) return []
  const isSame =
    originOf(url) === originOf(before.url) &&
    originOfSecrets({ url, authentication: after }) === originOfSecrets(before)
  if (isSame) return []
  const kept = SECRET_NAMES.filter(
    (name) => before.secrets[name] !== undefined && (given ? given[name] === MASK : true),
  )
  return kept.map((name) =>
    inBody(
      `/authentication/${name}`,
      given ? 'value_error.conflict' : 'value_error.missing',
      `send it again, or null as authentication: it was entered for another origin`,
    ),
  )
}

/** OAuth sends its secrets to the token URL. The token goes to the URL, as a password does. */
function originOfSecrets({ url, authentication }: Aim): string | undefined {
  const isBasic = (authentication?.kind ?? 'basic') === 'basic'
  return originOf(isBasic ? url : (authentication?.token_url ?? ''))
}

function originOf(url: string): string | undefined {
  return URL.parse(url)?.origin
}

function isOf(kind: Kind, name: Name): boolean {
  return REQUIRED[kind].includes(name) || (name === 'scope' && kind !== 'basic')
}

function isGiven(value: string | null | undefined): boolean {
  return value !== undefined && value !== null
}

/** The part to store in the clear, and the vault tokens of the rest. A masked secret keeps its token. */
export async function sealAuthentication(
  tx: Context<Tx>,
  vault: Vault,
  owner: Pick<StoredSubscription, 'merchant_account_id'> & Partial<Before>,
  given: NewAuthentication,
): Promise<{ readonly authentication: StoredAuthentication; readonly tokens: SecretTokens }> {
  const { kind = 'basic', username, client_id, token_url, scope } = given
  const tokens: { password?: string; client_secret?: string } = {}
  for (const name of SECRET_NAMES) {
    const value = given[name]
    const kept = value === MASK ? owner.secrets?.[name] : undefined
    if (value) tokens[name] = kept ?? (await sealSecret(tx, vault, owner, value))
  }
  const authentication: StoredAuthentication = {
    kind,
    ...(username && { username }),
    ...(client_id && { client_id }),
    ...(token_url && { token_url }),
    ...(kind !== 'basic' && { scope: scope ?? null }),
  }
  return { authentication, tokens }
}
