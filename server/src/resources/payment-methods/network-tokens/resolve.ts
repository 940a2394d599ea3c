import type { Scope } from '#platform/database/db.ts'
import { type Kind, refusal, resolve } from '#processing/attempts/conclude.ts'
import type { Resolve } from '#processing/attempts/resolve-due.ts'
import * as attempts from '#processing/attempts/store.ts'
import { nextCheckForAMonth } from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import type { Requestor, TokenAnswer, TokenService } from '#processing/token-service.ts'
import { ItemGone, type Masked } from '#vault'
import { numberDate, reveal } from '../reveal.ts'
import * as paymentMethods from '../store.ts'
import { concludeToken } from './conclude.ts'
import { recordToken } from './drop.ts'
import * as networkTokens from './store.ts'

/** What is asked of the token service. The subject of an attempt is the token. */
export const NETWORK_TOKEN: Kind<networkTokens.StoredToken, TokenAnswer> = {
  find: async (scope, { subject_id }) => {
    const token = await networkTokens.find(scope, subject_id ?? '')
    if (!token) throw new Error('an attempt has no network token')
    return token
  },
  ask: (scope, engine, token, attempt) => askFor(scope, engine, { token, attempt, securityCode: null }),
  inquire: async (_scope, engine, token, { id: attemptId, kind }) => {
    const answer = await withService(engine, token, (service, requestor) =>
      service.inquire({ attemptId, requestor }),
    )
    return kind === 'provision-token' ? withToken(answer) : answer
  },
  lock: async (tx, { id, subject_id }) => {
    const found = await networkTokens.find(tx, subject_id ?? '')
    // The card first, then its token: deleting a card takes the locks in this order.
    if (found) await paymentMethods.lock(tx, found.payment_method_id)
    const subject = found && (await networkTokens.lock(tx, found.id))
    const attempt = await attempts.lock(tx, id)
    if (!subject || !attempt) throw new Error('an attempt has no network token')
    return { subject, attempt }
  },
  decide: concludeToken,
  nextCheck: nextCheckForAMonth,
  giveUp: refusal('service_network_error'),
  recordLate: (tx, token) => recordToken(tx, 'updated', token),
  forget,
}

export const resolveToken: Resolve = (scope, engine, attempt) =>
  resolve(scope, engine, NETWORK_TOKEN, attempt)

export function forget(answer: TokenAnswer): void {
  if (answer.outcome === 'approved') answer.networkToken?.number.clear()
}

type Asked = {
  readonly token: networkTokens.StoredToken
  readonly attempt: attempts.Attempt
  readonly securityCode: Masked | null
}

/** Sends an attempt to the token service. May be called twice for the same attempt. */
export function askFor(
  scope: Scope,
  engine: Engine,
  { token, attempt, securityCode }: Asked,
): Promise<TokenAnswer> {
  const { id: attemptId, kind } = attempt
  return withService(engine, token, (service, requestor) => {
    const { reference } = token
    const change = (operation: 'suspend' | 'resume' | 'delete') =>
      // Certain, because nothing is sent.
      reference === null
        ? Promise.resolve(refusal('unexpected_state'))
        : service.change({ attemptId, requestor, operation, reference })
    switch (kind) {
      case 'provision-token':
        return provision(scope, engine, token, async (card) =>
          withToken(await service.provision({ ...card, attemptId, requestor, securityCode })),
        )
      case 'suspend-token':
        return change('suspend')
      case 'resume-token':
        return change('resume')
      default:
        return change('delete')
    }
  })
}

/** An approval without a token proves nothing: we ask again. */
function withToken(answer: TokenAnswer): TokenAnswer {
  const isEmpty = answer.outcome === 'approved' && !answer.networkToken
  return isEmpty ? { outcome: 'unknown', reason: 'the service approved, but gave no token' } : answer
}

type Card = Omit<Parameters<TokenService['provision']>[0], 'attemptId' | 'requestor' | 'securityCode'>

async function provision(
  scope: Scope,
  { vault }: Engine,
  token: networkTokens.StoredToken,
  send: (card: Card) => Promise<TokenAnswer>,
): Promise<TokenAnswer> {
  const method = await paymentMethods.find(scope, token.payment_method_id)
  const expirationDate = method ? numberDate(method) : null
  if (!method?.vault_token || expirationDate === null) return refusal('unavailable_payment_method')
  const { id: paymentMethodId, vault_token, fingerprint } = method
  const access = { token: vault_token, fingerprint, paymentMethodId, purpose: 'network token' }
  try {
    return await reveal(scope, vault, access, (number) =>
      send({
        clientReference: token.id,
        number,
        expirationDate,
        isMerchantInitiated: token.merchant_initiated,
        isSubsequentPayment: token.is_subsequent_payment,
      }),
    )
  } catch (error) {
    // The card was deleted or replaced while it was opened. Nothing was sent.
    if (error instanceof ItemGone) return refusal('unavailable_payment_method')
    throw error
  }
}

async function withService(
  { tokenService }: Engine,
  token: networkTokens.StoredToken,
  work: (service: TokenService, requestor: Requestor) => Promise<TokenAnswer>,
): Promise<TokenAnswer> {
  if (!tokenService) return { outcome: 'unknown', reason: 'no token service is configured' }
  return work(tokenService, networkTokens.requestorOf(token))
}
