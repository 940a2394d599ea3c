import type { OidcSettings } from '#resources/auth/oidc/settings.ts'

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
