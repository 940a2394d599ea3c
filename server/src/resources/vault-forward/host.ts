import { toDomainName } from '#domain/domain-name.ts'
import { type ErrorDetail, inBody } from '#platform/http/errors.ts'
import { Type } from '#platform/http/type.ts'

export const Host = (description: string) => Type.String({ minLength: 1, maxLength: 259, description })

export function hostComplaints(host: string | undefined): ErrorDetail[] {
  if (host === undefined || hostOf(host) !== undefined) return []
  const message = 'must be the name of a public host, such as api.example.com or api.example.com:8443'
  return [inBody('/host', 'value_error.str.regex', message)]
}

/** In its one spelling, as in a URL. */
export function hostOf(text: string): string | undefined {
  const [, name = '', port] = /^([^:]*)(?::(\d{1,5}))?$/.exec(text) ?? []
  const host = toDomainName(name)
  if (host === undefined || (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)))
    return undefined
  return new URL(`https://${host}${port === undefined ? '' : `:${port}`}`).host
}

/** Also an address and a local name, which only sandboxes send to. */
export function anyHostOf(text: string): string | undefined {
  return /^[^\s/?#@\\]+$/.test(text) ? URL.parse(`https://${text}`)?.host : undefined
}
