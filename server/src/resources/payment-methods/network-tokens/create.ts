import type { Scope, Tx } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import type { Finished, Once } from '#platform/idempotency/once.ts'
import type { Engine } from '#processing/engine.ts'
import { type Requestor, TOKEN_SCHEMES } from '#processing/token-service.ts'
import * as merchantAccounts from '#resources/merchant-accounts/store.ts'
import { Masked } from '#vault'
import { codeComplaints } from '../read-card.ts'
import * as paymentMethods from '../store.ts'
import { carryOut } from './carry-out.ts'
import { recordToken } from './drop.ts'
import type { CreateNetworkToken, NetworkToken } from './schemas.ts'
import type { Viewer } from './show.ts'
import * as networkTokens from './store.ts'

type Asked = {
  readonly once: Once
  readonly viewer: Viewer
  readonly paymentMethodId: string
  readonly request: CreateNetworkToken
}

/** Asks the card's scheme for a token that stands in for the number. */
export async function createNetworkToken(
  scope: Scope,
  engine: Engine,
  { once, viewer, paymentMethodId, request }: Asked,
): Promise<Finished<NetworkToken>> {
  const method = await paymentMethods.find(scope, paymentMethodId)
  if (!method) throw errors.notFound()
  const requestor = await requestorFor(scope, engine, method)
  const complaints = codeComplaints(requestor.scheme, request.security_code, '')
  if (complaints.length > 0) throw errors.invalid(...complaints)
  const securityCode = request.security_code ? new Masked(request.security_code) : null
  const begin = (tx: Scope<Tx>) => beginToken(tx, method.id, requestor, request)
  try {
    return await carryOut(scope, engine, { kind: 'provision-token', once, viewer, begin, securityCode })
  } catch (error) {
    throw networkTokens.isSecond(error) ? inProgress() : error
  } finally {
    securityCode?.clear()
  }
}

/** The account's ids at the token service of the card's scheme. Refuses cards that can have no token. */
async function requestorFor(
  scope: Scope,
  { tokenService }: Engine,
  { method, vault_token, scheme }: paymentMethods.StoredMethod,
): Promise<Requestor> {
  const found = TOKEN_SCHEMES.find((one) => one === scheme)
  if (method !== 'card' || vault_token === null || !found) {
    throw errors.refused(
      'Use a stored Visa, Mastercard, American Express or Discover card: others have no network tokens.',
    )
  }
  if (!tokenService) throw errors.refused('No token service is configured in this environment.')
  const requestor = await merchantAccounts.requestorOf(scope, found)
  if (requestor) return requestor
  const fields = `${found}_network_tokens_requestor_id and ${found}_network_tokens_app_id`
  throw errors.refused(`Set ${fields} of the merchant account first: it has no ids at this token service.`)
}

async function beginToken(
  tx: Scope<Tx>,
  paymentMethodId: string,
  requestor: Requestor,
  { merchant_initiated, is_subsequent_payment }: CreateNetworkToken,
): Promise<networkTokens.StoredToken> {
  // Locked, so that the card is not deleted between this check and the commit.
  if (!(await paymentMethods.lock(tx, paymentMethodId))) throw errors.notFound()
  const twin = await networkTokens.findCurrent(tx, paymentMethodId)
  if (twin?.status === 'provisioning') throw inProgress()
  if (twin) {
    const message = 'use its token, or delete it first: the card has one'
    throw errors.duplicate(twin.id, inBody('', 'value_error.duplicate', message))
  }
  const given = { payment_method_id: paymentMethodId, requestor, merchant_initiated, is_subsequent_payment }
  const token = await networkTokens.insert(tx, given)
  await recordToken(tx, 'created', token)
  return token
}

function inProgress() {
  return errors.tooEarly(
    'Try again later: a token of this card was asked for, and the service has not answered.',
  )
}
