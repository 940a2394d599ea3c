import type { Link } from '#connectors/contract/connector.ts'

const API = 'https://api.sift.com'

/** In a sandbox, merchants may name the address of a stand-in. Sift has one address for live and for test accounts. */
export function apiOf({ fields, environment }: Pick<Link, 'fields' | 'environment'>): string {
  const given = fields['stand_in_url']
  return environment === 'sandbox' && given ? given.replace(/\/+$/, '') : API
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch {
    return undefined
  }
}
