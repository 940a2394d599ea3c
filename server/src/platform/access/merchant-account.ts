import { type ErrorDetail, errors } from '../http/errors.ts'
import type { Operation, Reach } from '../http/operation.ts'
import type { Caller } from './auth.ts'

const DEFAULT_ACCOUNT = 'default'
export const MERCHANT_ACCOUNT_HEADER = /^x-[a-z0-9-]+-merchant-account-id$/i
const LENGTH_MAX = 255
const ACCOUNT_ID = /^[a-zA-Z0-9-]{1,50}$/

/**
 * The merchant accounts that a request acts on. The middle word of the header is free, so that clients with a
 * vendor's prefix work unchanged.
 */
export async function selectAccounts(
  operation: Pick<Operation, 'isList' | 'isForAll' | 'concerns'>,
  caller: Caller,
  rawHeaders: readonly string[],
  exists: (id: string) => Promise<boolean>,
): Promise<Reach> {
  const selected = selectedBy(caller, rawHeaders)
  if (selected === undefined) {
    return operation.concerns === 'instance'
      ? reachOf(caller)
      : [caller.merchantAccountIds[0] ?? DEFAULT_ACCOUNT]
  }
  if (selected === '*') {
    if (!operation.isList && !operation.isForAll) {
      throw refuse(
        'value_error.const',
        'name one merchant account: this operation cannot act on all (*) at once',
      )
    }
    return reachOf(caller)
  }
  // An unknown account and one that the key may not use get the same answer.
  const isAllowed = caller.merchantAccountIds.length === 0 || caller.merchantAccountIds.includes(selected)
  if (!isAllowed || !ACCOUNT_ID.test(selected) || !(await exists(selected))) {
    throw errors.forbidden(detail('value_error.not_found', 'this key may not act on that merchant account'))
  }
  return [selected]
}

export function reachOf(caller: Pick<Caller, 'merchantAccountIds'>): Reach {
  return caller.merchantAccountIds.length === 0 ? 'all' : caller.merchantAccountIds
}

/** A browser token may pin the account. Then the header must have the same. */
function selectedBy({ pinned }: Caller, rawHeaders: readonly string[]): string | undefined {
  const header = readHeader(rawHeaders)
  const fixed = pinned.merchant_account_id
  if (fixed === undefined) return header
  if (header !== undefined && header !== fixed) throw refuse('value_error.conflict', 'contradicts the token')
  return String(fixed)
}

function readHeader(rawHeaders: readonly string[]): string | undefined {
  let selected: string | undefined
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (!MERCHANT_ACCOUNT_HEADER.test(rawHeaders[index] ?? '')) continue
    const value = (rawHeaders[index + 1] ?? '').trim()
    if (value.length > LENGTH_MAX) {
      throw refuse('value_error.any_str.max_length', `must have at most ${LENGTH_MAX} characters`)
    }
    if (value === '') throw refuse('value_error.any_str.min_length', 'must not be empty')
    if (selected !== undefined && selected !== value) {
      throw refuse('value_error.conflict', 'is given twice with different values')
    }
    selected = value
  }
  return selected
}

function refuse(type: ErrorDetail['type'], message: string) {
  return errors.invalid(detail(type, message))
}

function detail(type: ErrorDetail['type'], message: string): ErrorDetail {
  return { location: 'header', pointer: '/x-service-merchant-account-id', type, message }
}
