import { type Requestor, TOKEN_SCHEMES, type TokenScheme } from '#connectors/contract/network-token.ts'
import { inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import { errors, inBody, orNotFound } from '#platform/http/errors.ts'
import { type Operation, operationsOf, scopeOf } from '#platform/http/operation.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import { dueIfLeft } from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as merchantAccounts from '#resources/merchant-accounts/store.ts'
import { Masked } from '#vault'
import { codeComplaints } from '../read-card.ts'
import * as paymentMethods from '../store.ts'
import { carryOut, finish } from './carry-out.ts'
import { after, type TokenOperation } from './conclude.ts'
import { dropToken, queueDeletion, recordToken } from './drop.ts'
import { findActiveService, findServiceOf } from './find-service.ts'
import { resolveToken } from './resolve.ts'
import { askCryptogram } from './reveal.ts'
import { CreateCryptogram, CreateNetworkToken, Cryptogram, NetworkToken, NetworkTokens } from './schemas.ts'
import { showToken, type Viewer } from './show.ts'
import * as networkTokens from './store.ts'

const operation = operationsOf({
  tag: 'Payment methods: network tokens',
  concerns: 'merchant-account',
  scopes: 'payment-methods',
})
/** What a replay shows once the secret is gone. */
const HIDDEN = '***'

type Needs = { readonly engine: Engine }

export function networkTokenRoutes({ engine }: Needs): Operation[] {
  return [...collectionRoutes(engine), ...changeRoutes(engine), ...itemRoutes(engine)]
}

function collectionRoutes(engine: Engine): Operation[] {
  return [
    operation({
      id: 'list_payment_method_network_tokens',
      route: 'GET /payment-methods/:payment_method_id/network-tokens',
      summary: 'List network tokens',
      description:
        'The tokens of a card, newest first, with deleted ones. Each number that is shown is audited.',
      responses: { 200: NetworkTokens },
      handler: async (call) => {
        const scope = scopeOf(call)
        const { payment_method_id: id } = call.params
        if (!(await paymentMethods.find(scope, id))) throw errors.notFound()
        const items = []
        for (const token of await networkTokens.listOf(scope, id)) {
          items.push(await showToken(scope, engine.vault, token, call.caller))
        }
        return { items }
      },
    }),

    operation({
      id: 'create_payment_method_network_token',
      route: 'POST /payment-methods/:payment_method_id/network-tokens',
      summary: 'Provision network token',
      description:
        'Asks the card’s scheme for a token that stands in for its number. The merchant account must have its ids for the scheme. A card has one token at a time.',
      body: CreateNetworkToken,
      shownOnce: { token: HIDDEN },
      errors: ['duplicate_record', 'too_early', 'gateway_timeout'],
      responses: { 201: NetworkToken },
      handler: ({ once, params, body, ...call }) =>
        createNetworkToken(scopeOf(call), engine, {
          once,
          viewer: call.caller,
          paymentMethodId: params.payment_method_id,
          request: body,
        }),
    }),
  ]
}

function changeRoutes(engine: Engine): Operation[] {
  return [
    operation({
      id: 'suspend_payment_method_network_token',
      route: 'POST /payment-methods/:payment_method_id/network-tokens/:network_token_id/suspend',
      summary: 'Suspend network token',
      description: 'It is not used until it is resumed. Payments are made with the number.',
      shownOnce: { token: HIDDEN },
      errors: ['too_early', 'gateway_timeout'],
      responses: { 200: NetworkToken },
      handler: ({ once, params, ...call }) =>
        changeNetworkToken(scopeOf(call), engine, {
          once,
          viewer: call.caller,
          place: params,
          operation: 'suspend',
        }),
    }),

    operation({
      id: 'resume_payment_method_network_token',
      route: 'POST /payment-methods/:payment_method_id/network-tokens/:network_token_id/resume',
      summary: 'Resume network token',
      description: 'A suspended token is active again.',
      shownOnce: { token: HIDDEN },
      errors: ['too_early', 'gateway_timeout'],
      responses: { 200: NetworkToken },
      handler: ({ once, params, ...call }) =>
        changeNetworkToken(scopeOf(call), engine, {
          once,
          viewer: call.caller,
          place: params,
          operation: 'resume',
        }),
    }),
  ]
}

function itemRoutes(engine: Engine): Operation[] {
  return [
    operation({
      id: 'create_payment_method_network_token_cryptogram',
      route: 'POST /payment-methods/:payment_method_id/network-tokens/:network_token_id/cryptogram',
      summary: 'Create network token cryptogram',
      description:
        'Proves one payment with the token that you make elsewhere. Payments through this API get their own. It is stored nowhere; an audit entry says who got it.',
      body: CreateCryptogram,
      shownOnce: { cryptogram: HIDDEN },
      neverStored: true,
      errors: ['gateway_timeout'],
      responses: { 201: Cryptogram },
      handler: ({ once, params, body, ...call }) =>
        createCryptogram(scopeOf(call), engine, { once, place: params, request: body }),
    }),

    operation({
      id: 'delete_payment_method_network_token',
      route: 'DELETE /payment-methods/:payment_method_id/network-tokens/:network_token_id',
      summary: 'Delete network token',
      description:
        'Its number leaves the vault at once, and the token service is asked to delete it, until it has.',
      responses: { 204: null },
      handler: (call) => deleteNetworkToken(scopeOf(call), engine, call.params),
    }),
  ]
}

type Asked = {
  readonly once: Once
  readonly viewer: Viewer
  readonly place: Place
  readonly operation: TokenOperation
}

/** Suspends a token, or resumes it. A token that is already as it should be stays as it is. */
async function changeNetworkToken(
  scope: Scope,
  engine: Engine,
  { once, viewer, place, operation }: Asked,
): Promise<Finished<NetworkToken>> {
  const token = await findToken(scope, place)
  const at = await findServiceOf(scope, engine.providers, token)
  if (at && !at.connector.canSuspend) {
    throw errors.refused('Delete the token instead: its token service does not suspend tokens.')
  }
  if (!once.begun && isDone(token, operation)) return finish(scope, engine, { once, viewer }, token.id)
  return carryOut(scope, engine, {
    kind: `${operation}-token`,
    once,
    viewer,
    begin: (tx) => begin(tx, token.id, operation),
  })
}

function isDone({ status, operation: open }: networkTokens.StoredToken, operation: TokenOperation): boolean {
  return open === null && status === after(operation)
}

async function begin(
  tx: Scope<Tx>,
  id: string,
  operation: TokenOperation,
): Promise<networkTokens.StoredToken> {
  const token = await networkTokens.lock(tx, id)
  if (!networkTokens.isLive(token)) throw errors.notFound()
  if (token.operation !== null || isDone(token, operation)) {
    throw errors.tooEarly('Try again later: another change of this token has not ended.')
  }
  if (token.status === 'inactive') {
    throw errors.refused('Wait until the issuer has activated the token: it is inactive.')
  }
  await recordToken(tx, 'updated', token)
  return networkTokens.update(tx, token, { operation })
}

type CryptogramRequest = { readonly once: Once; readonly place: Place; readonly request: CreateCryptogram }

/** Gets a cryptogram for a payment that is made elsewhere. It is not stored. */
async function createCryptogram(
  scope: Scope,
  engine: Engine,
  { once, place, request }: CryptogramRequest,
): Promise<Finished<Cryptogram>> {
  const token = await findToken(scope, place)
  if (token.status !== 'active' || token.operation !== null) {
    const state = token.operation === null ? token.status : `about to ${token.operation}`
    throw errors.refused(`Use an active token: this one is ${state}.`)
  }
  const answer = await askCryptogram(scope, engine, token, request.merchant_initiated)
  if (answer.outcome === 'unknown') {
    throw errors.unanswered('gateway_timeout', 'The token service did not answer.')
  }
  if (answer.outcome === 'refused') throw errors.refused(`The token service refuses: ${answer.code}.`)
  const { cryptogram } = answer
  return inFinalTransaction(scope, once, async (tx) => {
    const entry = { type: 'network-token', id: token.id, name: 'cryptogram' }
    await auditLogs.record(tx, 'revealed', entry)
    return { type: 'network-token-cryptogram' as const, cryptogram: cryptogram.use(String) }
  })
}

/**
 * The token is not used from the first commit on. Then the service is asked to delete it; if it does not
 * answer, the job goes on asking.
 */
async function deleteNetworkToken(scope: Scope, engine: Engine, place: Place): Promise<void> {
  const { id } = await findToken(scope, place)
  const attempt = await inTransaction(scope, async (tx) => {
    const token = await networkTokens.lock(tx, id)
    if (!networkTokens.isLive(token)) throw errors.notFound()
    const dropped = await dropToken(tx, engine.vault, token)
    await recordToken(tx, 'deleted', dropped)
    return queueDeletion(tx, dropped, dueIfLeft(tx.clock(), engine.providers.timeoutMs))
  })
  await resolveToken(scope, engine, attempt)
}

type Place = { readonly payment_method_id: string; readonly network_token_id: string }

/** A token of a card that is not deleted. Deleted tokens, and those that were never made, are not found. */
async function findToken(
  scope: Scope,
  { payment_method_id, network_token_id }: Place,
): Promise<networkTokens.LiveToken> {
  const token = await networkTokens.find(scope, network_token_id)
  const isThere = networkTokens.isLive(token) && token.payment_method_id === payment_method_id
  if (!isThere || !(await paymentMethods.find(scope, payment_method_id))) throw errors.notFound()
  return token
}

type TokenRequest = {
  readonly once: Once
  readonly viewer: Viewer
  readonly paymentMethodId: string
  readonly request: CreateNetworkToken
}

/** Asks the card's scheme for a token that stands in for the number. */
async function createNetworkToken(
  scope: Scope,
  engine: Engine,
  { once, viewer, paymentMethodId, request }: TokenRequest,
): Promise<Finished<NetworkToken>> {
  const method = orNotFound(await paymentMethods.find(scope, paymentMethodId))
  const maker = await makerFor(scope, engine, method)
  const complaints = codeComplaints(maker.scheme, request.security_code, '')
  if (complaints.length > 0) throw errors.invalid(...complaints)
  const securityCode = request.security_code ? new Masked(request.security_code) : null
  const begin = (tx: Scope<Tx>) => beginToken(tx, method.id, maker, request)
  try {
    return await carryOut(scope, engine, { kind: 'provision-token', once, viewer, begin, securityCode })
  } catch (error) {
    throw networkTokens.isSecond(error) ? inProgress() : error
  } finally {
    securityCode?.clear()
  }
}

type Maker = {
  readonly scheme: TokenScheme
  /** Null: the simulator. */
  readonly service_id: string | null
  readonly requestor: Requestor | null
}

/** Who can give the card a token, and under which ids. Refuses cards that can have none. */
async function makerFor(
  scope: Scope,
  { providers }: Engine,
  { method, vault_token, scheme }: paymentMethods.StoredMethod,
): Promise<Maker> {
  const found = TOKEN_SCHEMES.find((one) => one === scheme)
  if (method !== 'card' || vault_token === null || !found) {
    throw errors.refused(
      'Use a stored Visa, Mastercard, American Express or Discover card: others have no network tokens.',
    )
  }
  const at = await findActiveService(scope, providers)
  if (!at) {
    throw errors.refused(
      'Create a network token service first: this merchant account has none that is active and offered here.',
    )
  }
  const { manifest, schemes, needsRequestor } = at.connector
  if (!schemes.includes(found)) {
    throw errors.refused(
      `Use a card of another scheme: ${manifest.displayName} gives cards of ${found} no tokens.`,
    )
  }
  const requestor = (await merchantAccounts.requestorOf(scope, found)) ?? null
  if (requestor || !needsRequestor) return { scheme: found, service_id: at.service?.id ?? null, requestor }
  const fields = `${found}_network_tokens_requestor_id and ${found}_network_tokens_app_id`
  throw errors.refused(`Set ${fields} of the merchant account first: it has no ids at this token service.`)
}

async function beginToken(
  tx: Scope<Tx>,
  paymentMethodId: string,
  maker: Maker,
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
  const given = { payment_method_id: paymentMethodId, ...maker, merchant_initiated, is_subsequent_payment }
  const token = await networkTokens.insert(tx, given)
  await recordToken(tx, 'created', token)
  return token
}

function inProgress() {
  return errors.tooEarly(
    'Try again later: a token of this card was asked for, and the service has not answered.',
  )
}
