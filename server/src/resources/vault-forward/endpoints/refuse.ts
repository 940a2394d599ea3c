import type { Scope } from '#platform/database/db.ts'
import { errors, inHeader } from '#platform/http/errors.ts'
import { type Forward, PREFIX } from '../read-request.ts'
import * as endpoints from './store.ts'

/** In production card data goes where somebody with the right to do so has allowed it, and nowhere else. */
export async function refuseUnlessEnabled(
  scope: Scope,
  { url, method }: Pick<Forward, 'url' | 'method'>,
): Promise<void> {
  const { host, pathname } = new URL(url)
  const endpoint = await endpoints.find(scope, { host })
  const refuse = (name: string, message: string) => {
    throw errors.invalid(inHeader(`/${PREFIX}${name}`, 'value_error.conflict', message))
  }
  if (!endpoint)
    return refuse('url', `enable ${host} first: POST /vault-forward/endpoints, or Settings in the dashboard`)
  const { paths, methods } = endpoint
  const isPathEnabled = paths.length === 0 || paths.some((path) => isBelow(pathname, path))
  if (!isPathEnabled) refuse('url', `of ${host}, these paths are enabled: ${paths.join(', ')}`)
  if (!methods.includes(method))
    refuse('http-method', `for ${host}, these are enabled: ${methods.join(', ')}`)
}

function isBelow(pathname: string, path: string): boolean {
  return pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`)
}
