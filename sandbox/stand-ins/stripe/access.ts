import { StripeError } from './stripe-error.ts'

/** `all`, or the resources of a restricted key, each with what it may do. */
type Access = 'all' | 'expired' | Readonly<Record<string, 'read' | 'write'>>

export type Keys = Readonly<Record<string, Access>>

/** Sources: https://docs.stripe.com/keys and https://docs.stripe.com/api/errors */
export function checkAccess(
  keys: Keys,
  authorization: string | null,
  needed: { readonly resource: string; readonly isWrite: boolean },
): string {
  const key = authorization?.replace(/^Bearer /, '') ?? ''
  const access = keys[key]
  const shown = `${key.slice(0, 8)}****`
  if (access === undefined) throw denied(401, undefined, `Invalid API Key provided: ${shown}`)
  if (access === 'expired') throw denied(401, 'api_key_expired', `Expired API Key provided: ${shown}`)
  if (access === 'all') return key
  const granted = access[needed.resource]
  if (granted === 'write' || (granted === 'read' && !needed.isWrite)) return key
  const level = needed.isWrite ? 'write' : 'read'
  throw denied(
    403,
    undefined,
    `The provided key '${shown}' does not have the required permissions for this endpoint. Having the '${needed.resource}_${level}' permission would allow this request to continue.`,
  )
}

function denied(status: number, code: string | undefined, message: string): StripeError {
  const body = { type: 'invalid_request_error', message, ...(code !== undefined && { code }) } as const
  return new StripeError(status, body, { isValidation: true })
}
