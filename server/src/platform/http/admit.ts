import type { FastifyRequest } from 'fastify'
import { ANONYMOUS, type Caller } from '../access/auth.ts'
import { identify, refuseForeignSignIn, refuseKeys } from '../access/identify.ts'
import { selectAccounts } from '../access/merchant-account.ts'
import { refuseOldProof } from '../access/session-reader.ts'
import { type ErrorDetail, errors } from './errors.ts'
import { holderName, type Operation, type Permission } from './operation.ts'
import { type Admitted, contextOf, placeOf, type Services } from './read-call.ts'
import { decodeText } from './validation.ts'

/** Who may call an operation: token, scope, merchant account, limit. */
export async function admit(
  services: Services,
  operation: Operation,
  request: FastifyRequest,
): Promise<Admitted> {
  if (operation.isSignIn) {
    refuseForeignSignIn(services, request)
    return { caller: ANONYMOUS, reach: [] }
  }
  if (operation.scope === null) {
    const { params, complaints } = placeOf(request)
    if (operation.params && complaints.length === 0)
      await limitAnonymous(services, operation, request, params)
    return { caller: ANONYMOUS, reach: [] }
  }
  const caller = await identify(services, request)
  request.caller = caller
  const missing = missingScope(operation, caller)
  if (missing) throw errors.forbidden(complaintOf(missing, caller))
  const reach = await selectAccounts(
    operation,
    caller,
    request.raw.rawHeaders,
    services.merchantAccountExists,
  )
  if (operation.isForUsers) refuseKeys(caller)
  if (operation.needsFreshProof) refuseOldProof(caller, services.clock)
  if (operation.limit === 'browser' && caller.isEmbed) {
    await services.browserLimit.count(caller.tokenId)
  }
  return { caller, reach }
}

/**
 * Limits how often an id may be used that stands in for a token. An unknown id is a guess: it leaves no row
 * behind, and counts against its address.
 */
export async function limitAnonymous(
  services: Services,
  operation: Operation,
  request: FastifyRequest,
  holder: unknown,
): Promise<void> {
  if (operation.scope !== null || operation.limit !== 'browser') return
  const query = operation.query ? decodeText(operation.query, request.query as Record<string, unknown>) : {}
  const isThere = await operation.isThere?.(contextOf(services, request, ANONYMOUS), holder, query)
  if (isThere) await services.browserLimit.count(holderName(holder))
  else await services.browserLimit.countGuess(request.ip)
}

/** A browser token stands in for the scope, but not for the key's roles. */
export function missingScope(
  operation: Pick<Operation, 'scope' | 'orScope' | 'andScope' | 'roleScope' | 'embed'>,
  caller: Pick<Caller, 'may' | 'roleAllows' | 'isEmbed'>,
): Permission | undefined {
  const { scope, orScope, andScope, roleScope, embed } = operation
  if (roleScope && !caller.roleAllows(roleScope)) return roleScope
  const isMissing = (permission: Permission) =>
    !caller.may(permission) && !(embed === true && caller.isEmbed && caller.roleAllows(permission))
  // A scope covers its parts. Whoever has the whole one needs the second, too.
  if (scope && isMissing(scope)) return orScope && !isMissing(orScope) ? undefined : scope
  return andScope && isMissing(andScope) ? andScope : undefined
}

function complaintOf(scope: Permission, caller: Caller): ErrorDetail {
  const type = 'value_error.missing'
  if (caller.kind === 'user')
    return { location: 'header', pointer: '/cookie', type, message: `none of your roles allows ${scope}` }
  const message = caller.roleAllows(scope)
    ? `the token lacks the scope ${scope}`
    : `no role of this API key allows ${scope}`
  return { location: 'header', pointer: '/authorization', type, message }
}
