import { SCOPES } from '../../../server/src/domain/scopes.ts'
import { capital } from '../parts/locale.ts'

type Named = { readonly slug: string; readonly assignable_to: readonly string[] }

/** The server names roles of your own so. */
export function isOwn({ slug }: Pick<Named, 'slug'>): boolean {
  return slug.startsWith('custom-')
}

export function holdersText({ assignable_to }: Pick<Named, 'assignable_to'>): string {
  return assignable_to.map((one) => (one === 'user' ? 'Users' : 'API keys')).join(' and ')
}

export const RIGHTS = ['read', 'write'] as const
export type Right = (typeof RIGHTS)[number]

/** Every user has them, whatever their roles. */
const OF_EVERY_USER = 'users.me'

/** What a role can allow: resources by name, each with its rights. */
export const RESOURCES: readonly { readonly name: string; readonly rights: readonly Right[] }[] = [
  ...new Set(SCOPES.map((scope) => scope.slice(0, scope.lastIndexOf('.')))),
]
  .filter((name) => name !== OF_EVERY_USER)
  .map((name) => ({ name, rights: RIGHTS.filter((right) => SCOPES.includes(`${name}.${right}`)) }))

/** `*.read` allows every resource. */
export function allows(allowed: readonly string[], name: string, right: Right): boolean {
  return allowed.includes(`${name}.${right}`) || allowed.includes(`*.${right}`)
}

const NAMES: Readonly<Record<string, string>> = {
  'anti-fraud-service-definitions': 'Anti-fraud service definitions',
  'anti-fraud-services': 'Anti-fraud services',
  'api-key-pairs': 'API keys',
  'api-logs': 'Request log',
  'apple-pay-certificates': 'Apple Pay certificates',
  attention: 'Attention items',
  'bin-checker': 'BIN checker',
  exchanges: 'Provider exchanges',
  flows: 'Routing',
  'metrics-explorer': 'Metrics',
  'three-ds-scenarios': '3-D Secure scenarios',
  'account-updater-service-definitions': 'Account updater service definitions',
  'account-updater-services': 'Account updater services',
  'network-token-service-definitions': 'Network token service definitions',
  'network-token-services': 'Network token services',
  'three-ds-service-definitions': '3-D Secure service definitions',
  'three-ds-services': '3-D Secure services',
  'vault-forward': 'Card forwarding',
  'vault-forward-authentications': 'Authentications for card forwarding',
  'vault-forward-configs': 'Hosts for card forwarding',
  'transactions.follow-ups': 'Captures, voids, cancels and refunds',
}

export function resourceText(name: string): string {
  return NAMES[name] ?? capital(name.replaceAll('-', ' '))
}
