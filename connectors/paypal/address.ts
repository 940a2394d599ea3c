import type { Link } from '#connectors/contract/connector.ts'

const API = {
  sandbox: 'https://api-m.sandbox.paypal.com',
  production: 'https://api-m.paypal.com',
} as const

/** The hosts that serve the certificates of webhooks. */
const CERTIFICATE_HOSTS = {
  sandbox: ['api.sandbox.paypal.com', 'api-m.sandbox.paypal.com'],
  production: ['api.paypal.com', 'api-m.paypal.com'],
} as const

type Place = Pick<Link, 'fields' | 'environment'>

/** In a sandbox, merchants may name the address of a stand-in for PayPal. */
export function apiOf({ fields, environment }: Place): string {
  return standInOf({ fields, environment }) ?? API[environment]
}

function standInOf({ fields, environment }: Place): string | null {
  const given = fields['stand_in_url']
  return environment === 'sandbox' && given ? given.replace(/\/+$/, '') : null
}

/** Any other address could serve the certificate of another signer. */
export function isCertificateAddress(text: string, place: Place): boolean {
  const url = URL.parse(text)
  if (!url || !/^\/v1\/notifications\/certs\/[A-Za-z0-9-]{1,100}$/.test(url.pathname)) return false
  if (url.search !== '' || url.hash !== '' || url.username !== '') return false
  const standIn = standInOf(place)
  if (standIn !== null) return url.origin === URL.parse(standIn)?.origin
  const hosts: readonly string[] = CERTIFICATE_HOSTS[place.environment]
  return url.protocol === 'https:' && url.port === '' && hosts.includes(url.hostname)
}
