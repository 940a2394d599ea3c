import { availableParallelism } from 'node:os'
import { urlsOf } from '#platform/database/addresses.ts'
import { isCidr } from '#platform/outgoing/address-filter.ts'
import { readGoogleRootKeys } from '#processing/wallet-tokens/authorities.ts'
import type { GoogleRootKey } from '#processing/wallet-tokens/open-google-pay.ts'
import type { OidcSettings } from '#resources/auth/oidc/settings.ts'

const WORKERS_MAX = 128

export type Env = Readonly<Record<string, string | undefined>>

/** What a database is for: to be written to, to be read from, or to be read from at one address. */
type Use = 'written' | 'read' | 'one'

/** Where we choose among several addresses, the URL must not choose another way. */
function problemOfDatabase(value: string, use: Use): string | undefined {
  const urls = urlsOf(value).map((one) => URL.parse(one))
  if (!urls.every((url) => url && /^postgres(ql)?:$/.test(url.protocol)))
    return 'a URL that starts with postgres:// or postgresql://'
  const wanted = urls[0]?.searchParams.get('target_session_attrs')
  if (use === 'written' && !/^(read-write|primary)$/.test(wanted ?? 'primary'))
    return 'without target_session_attrs, or with read-write: the service writes'
  if (use === 'one' && urls.length > 1)
    return 'a URL with one address. Put a load balancer before several replicas'
  return undefined
}

/** Reads settings of one kind each. What is wrong with them is added to `problems`. */
export function reader(env: Env, problems: string[]) {
  const text = (name: string): string | null => env[name]?.trim() || null
  const refuse = (name: string, expected: string): null => {
    problems.push(`${name} must be ${expected}.`)
    return null
  }
  return {
    text,
    integer: (name: string, min: number, max: number): number | null => {
      const value = text(name)
      if (value === null) return null
      if (/^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max) return Number(value)
      return refuse(name, `a whole number from ${min} to ${max}`)
    },
    workers: (name: string): number => {
      const value = text(name) ?? '1'
      if (value === 'auto') return Math.min(availableParallelism(), WORKERS_MAX)
      if (/^\d{1,3}$/.test(value) && Number(value) >= 1 && Number(value) <= WORKERS_MAX) return Number(value)
      return refuse(name, `auto, or a whole number from 1 to ${WORKERS_MAX}`) ?? 1
    },
    oneOf: <Value extends string>(name: string, values: readonly Value[], fallback: Value): Value => {
      const value = text(name) ?? fallback
      const known = values.find((candidate) => candidate === value)
      if (known === undefined) refuse(name, `one of ${values.join(', ')}`)
      return known ?? fallback
    },
    database: (name: string, use: Use): string | null => {
      const value = text(name)
      const problem = value === null ? undefined : problemOfDatabase(value, use)
      return problem === undefined ? value : refuse(name, problem)
    },
    /** Links in answers begin with it, so it can have no more than a path. */
    baseUrl: (name: string): string | null => {
      const value = text(name)
      if (value === null) return null
      const parsed = URL.parse(value)
      const isPlain = parsed && !parsed.username && !parsed.password && !parsed.search && !parsed.hash
      if (isPlain && /^https?:$/.test(parsed.protocol)) return value.replace(/[/]+$/, '')
      return refuse(name, 'a URL that starts with http:// or https://, without a name, a query or a fragment')
    },
    matching: (name: string, pattern: RegExp, expected: string): string | null => {
      const value = text(name)
      if (value === null || pattern.test(value)) return value
      return refuse(name, `made of ${expected}, at most 63 characters`)
    },
    key: (name: string): Buffer | null => {
      const value = text(name)
      if (value === null) return null
      const bytes = Buffer.from(value, 'base64')
      if (bytes.length === 32) return bytes
      return refuse(name, '32 bytes in base64 (openssl rand -base64 32)')
    },
    keys: (name: string): Buffer[] | null => {
      const keys = text(name)
        ?.split(',')
        .map((part) => Buffer.from(part.trim(), 'base64'))
      if (keys === undefined || keys.every((key) => key.length === 32)) return keys ?? null
      return refuse(name, 'keys of 32 bytes in base64, separated by commas, the newest first')
    },
    googleKeys: (name: string): GoogleRootKey[] => {
      const value = text(name)
      const keys = value === null ? [] : readGoogleRootKeys(value)
      if (!keys) refuse(name, 'the JSON of Google’s root signing keys, with at least one of the version ECv2')
      return keys ?? []
    },
    flag: (name: string): boolean => {
      const value = text(name) ?? 'false'
      if (value !== 'true' && value !== 'false') refuse(name, 'true or false')
      return value === 'true'
    },
    cidrs: (name: string): string[] | null => {
      const value = text(name)
      if (value === null) return null
      const list = value === 'none' ? [] : value.split(',').map((entry) => entry.trim())
      if (list.every(isCidr)) return list
      return refuse(name, 'none, or a list of addresses and CIDR ranges separated by commas')
    },
    proxies: (name: string): boolean | string[] => {
      const value = text(name) ?? 'false'
      if (value === 'true' || value === 'false') return value === 'true'
      const list = value.split(',').map((entry) => entry.trim())
      if (list.every((entry) => /^[0-9a-f.:]+(\/\d{1,3})?$/i.test(entry))) return list
      refuse(name, 'true, false, or a list of addresses and CIDR ranges separated by commas')
      return false
    },
  }
}

type Reader = {
  readonly text: (name: string) => string | null
  readonly baseUrl: (name: string) => string | null
}

const WHOLE = 'Set OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET and OIDC_ROLES, or none of them'

/** All four belong together: without roles, no user of the provider could sign in. */
export function readOidc(read: Reader, problems: string[]): OidcSettings | null {
  const issuer = read.baseUrl('OIDC_ISSUER')
  const given = {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: read.text('OIDC_CLIENT_ID'),
    OIDC_CLIENT_SECRET: read.text('OIDC_CLIENT_SECRET'),
    OIDC_ROLES: read.text('OIDC_ROLES'),
  }
  const missing = Object.entries(given).filter(([, value]) => value === null)
  if (missing.length === 4) return null
  problems.push(...missing.map(([name]) => `${name} is not set. ${WHOLE}.`))
  const { OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_ROLES: written } = given
  const roles = rolesIn(written ?? '')
  if (!roles) {
    problems.push(
      'OIDC_ROLES must be pairs separated by commas, such as payments-admins=administrator,support=customer-support.',
    )
  }
  if (issuer !== null) problems.push(...issuerProblems(issuer))
  if (!issuer || !clientId || !clientSecret || !roles) return null
  return {
    issuer,
    clientId,
    clientSecret,
    roles,
    name: read.text('OIDC_NAME') ?? new URL(issuer).hostname,
    scope: scopeOf(read.text('OIDC_SCOPE')),
    rolesClaim: read.text('OIDC_ROLES_CLAIM') ?? 'groups',
    accountsClaim: read.text('OIDC_ACCOUNTS_CLAIM'),
    acrValues: wordsOf(read.text('OIDC_ACR_VALUES') ?? ''),
  }
}

function issuerProblems(issuer: string): string[] {
  if (issuer.includes('/.well-known/')) {
    return ['OIDC_ISSUER must be the address before /.well-known/openid-configuration.']
  }
  if (!isOpenToOthers(issuer)) return []
  return [
    'OIDC_ISSUER must begin with https://: over http, others on the way can sign in as any user. Only a provider on this machine (localhost, 127.0.0.1) may use http.',
  ]
}

/** Whether what is sent to an address passes a network unencrypted. */
export function isOpenToOthers(url: string): boolean {
  const { protocol, hostname: host } = new URL(url)
  const isThisMachine = host === 'localhost' || host === '[::1]' || /^127([.]\d{1,3}){3}$/.test(host)
  return protocol === 'http:' && !isThisMachine
}

/** Null if an entry is no pair. The value of a claim may have an equals sign in it; a role has none. */
function rolesIn(text: string): Map<string, string[]> | null {
  const roles = new Map<string, string[]>()
  for (const entry of text.split(',').filter((part) => part.trim() !== '')) {
    const at = entry.lastIndexOf('=')
    const [value, role] = [entry.slice(0, Math.max(at, 0)).trim(), entry.slice(at + 1).trim()]
    if (value === '' || !/^[a-z0-9-]{1,100}$/.test(role)) return null
    roles.set(value, [...(roles.get(value) ?? []), role])
  }
  return roles
}

/** Without `openid`, a provider does not say who the user is. */
function scopeOf(written: string | null): string {
  const words = wordsOf(written ?? 'openid profile email')
  return [...new Set(['openid', ...words])].join(' ')
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}
