import type { Caller } from '#platform/access/auth.ts'
import type { Scope } from '#platform/database/db.ts'
import { type ApiError, type ErrorDetail, errors, inBody } from '#platform/http/errors.ts'
import type { Buyer } from './schemas.ts'
import * as buyers from './store.ts'

type Named = {
  readonly buyer_id?: string | null | undefined
  readonly buyer_external_identifier?: string | null | undefined
}

/**
 * The buyer that a request names, by our id or by the caller's own. Undefined if it names none. `at` is the
 * place in the request.
 */
export async function findNamedBuyer(
  scope: Scope,
  { buyer_id, buyer_external_identifier }: Named,
  location: 'body' | 'query' = 'body',
  at = '',
): Promise<Buyer | undefined> {
  const twice = namedTwice({ buyer_id, buyer_external_identifier }, location, at)
  if (twice.length > 0) throw errors.invalid(...twice)
  const missing = (pointer: string) =>
    errors.invalid({ location, pointer, type: 'value_error.not_found', message: 'there is no such buyer' })
  if (buyer_id) {
    const buyer = await buyers.find(scope, buyer_id)
    if (!buyer) throw missing(`${at}/buyer_id`)
    return buyer
  }
  if (!buyer_external_identifier) return undefined
  const buyer = await buyers.findByExternalIdentifier(scope, buyer_external_identifier)
  if (!buyer) throw missing(`${at}/buyer_external_identifier`)
  return buyer
}

/** A request names a buyer in one way. Of two names, one would be ignored. */
export function namedTwice(named: Named, location: 'body' | 'query' = 'body', at = ''): ErrorDetail[] {
  if (!named.buyer_id || !named.buyer_external_identifier) return []
  const message = 'name the buyer by buyer_id or by buyer_external_identifier, not by both'
  const pointer = `${at}/buyer_external_identifier`
  return [{ location, pointer, type: 'value_error.conflict', message }]
}

/** A request names a stored buyer or describes a guest. Of both, one would be ignored. */
export function describedAndNamed(
  given: Named & { readonly buyer?: object | null | undefined },
): ErrorDetail[] {
  const isNamed = given.buyer_id || given.buyer_external_identifier
  if (!given.buyer || !isNamed) return []
  return [inBody('/buyer', 'value_error.conflict', 'name a buyer or describe one, not both')]
}

/** For lists of one buyer. */
export function missingBuyer(): ApiError {
  return errors.invalid({
    location: 'query',
    pointer: '/buyer_id',
    type: 'value_error.missing',
    message: 'name the buyer by buyer_id or buyer_external_identifier',
  })
}

/** A browser token has one buyer. */
export function otherBuyer(location: 'body' | 'query', pointer: string): ApiError {
  const message = 'leave this out, or use a token that pins this buyer: the browser token is for another one'
  return errors.forbidden({ location, pointer, type: 'value_error.conflict', message })
}

/**
 * Whether a caller may use a buyer's things: a browser token only those of its own buyer, any other caller
 * all.
 */
export async function isOwnBuyer(scope: Scope, caller: Caller): Promise<(buyerId: string | null) => boolean> {
  if (!caller.isEmbed) return () => true
  const { buyer_id, buyer_external_identifier } = caller.pinned
  const id =
    typeof buyer_id === 'string'
      ? buyer_id
      : typeof buyer_external_identifier === 'string'
        ? (await buyers.findByExternalIdentifier(scope, buyer_external_identifier))?.id
        : undefined
  return (buyerId) => buyerId !== null && buyerId === id
}
