import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'

const LENGTH_MAX = 253
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
/** Names that no public server can have: RFC 6761, RFC 6762, RFC 7686, and ICANN's reservation of `internal`. */
const NOT_PUBLIC = new Set(['arpa', 'internal', 'invalid', 'local', 'localhost', 'onion'])

/** A host name in its one spelling: small letters, in ASCII. Undefined if the text is something else. */
export function toHostName(text: string): string | undefined {
  // A parser of URLs would decode, skip or interpret these.
  if (text.length > LENGTH_MAX || /[\s\p{Cc}%/\\?#@:[\]]/u.test(text)) return undefined
  const name = domainToASCII(text)
  const isName = name.length <= LENGTH_MAX && name.split('.').every((label) => LABEL.test(label))
  return isName && isIP(name) === 0 ? name : undefined
}

/** The name of a public host, such as `shop.example.com`. Undefined for all else, such as `localhost`. */
export function toDomainName(text: string): string | undefined {
  const name = toHostName(text)
  const labels = name?.split('.') ?? []
  const top = labels.at(-1) ?? ''
  const isPublic = labels.length > 1 && /[a-z]/.test(top) && !NOT_PUBLIC.has(top)
  return isPublic ? name : undefined
}
