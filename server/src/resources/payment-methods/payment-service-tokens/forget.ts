import type { SyncAnswer } from '#connectors/contract/connector.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import {
  type AnsweredAttempt,
  type Decided,
  type Kind,
  refusal,
  resolve,
} from '#processing/attempts/conclude.ts'
import { ABANDONED } from '#processing/attempts/kept-orders.ts'
import type { Resolve } from '#processing/attempts/resolve-due.ts'
import * as attempts from '#processing/attempts/store.ts'
import { aDayLater, holdWhileAsked, nextCheckForAMonth } from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import { askProvider, lineTo } from '#processing/provider.ts'
import { linkTo } from '#resources/payment-services/link.ts'
import { isTimeUp, recordGivenUp } from '../given-up-tokens.ts'
import { reveal } from '../reveal.ts'
import * as tokens from './store.ts'

/**
 * Takes a `Tx`: the token is not shown or used from now on. The job asks the provider to delete its own, and the vault
 * keeps ours until then. If the provider is still being asked for the token, its answer is concluded first.
 */
export async function retire(tx: Scope<Tx>, token: tokens.StoredToken): Promise<void> {
  const now = tx.clock()
  const retired = await tokens.update(tx, token, {
    deleted_at: now,
    ...(token.approval_url !== null && { status: 'failed', approval_url: null, approval_expires_at: null }),
  })
  await queueForgetting(tx, retired, now)
}

export async function queueForgetting(
  tx: Scope<Tx>,
  { id, payment_service_id: service_id, vault_token }: tokens.StoredToken,
  dueAt: Date,
): Promise<void> {
  if (vault_token === null) return
  await attempts.queue(tx, { kind: 'forget-token', subject_id: id, service_id, amount: 0 }, dueAt)
}

/** Deletions of tokens at their providers. */
const FORGETTING: Kind<tokens.StoredToken, SyncAnswer> = {
  find: async (scope, { subject_id }) => present(await tokens.find(scope, subject_id ?? '')),
  ask,
  inquire,
  lock: async (tx, { id, subject_id }) => ({
    subject: present(await tokens.lock(tx, subject_id ?? '')),
    attempt: present(await attempts.lock(tx, id)),
  }),
  decide,
  nextCheck: nextCheckForAMonth,
  giveUp: refusal('service_network_error'),
}

export const resolveForgetting: Resolve = (scope, engine, attempt) =>
  resolve(scope, engine, FORGETTING, attempt)

function present<Found>(found: Found | undefined): Found {
  if (!found) throw new Error('a token that is to be forgotten is not on record')
  return found
}

/** Certain, because nothing is sent: no provider can be asked. */
const UNABLE: SyncAnswer = refusal('invalid_service_configuration')

async function ask(
  scope: Scope,
  engine: Engine,
  { id: tokenId, payment_method_id: paymentMethodId, payment_service_id, vault_token }: tokens.StoredToken,
  attempt: attempts.Attempt,
): Promise<SyncAnswer> {
  const link = await linkTo(scope, engine, payment_service_id, null)
  const forgetToken = link?.connector.forgetToken
  if (!forgetToken || vault_token === null) return UNABLE
  const line = lineTo(engine.providers, link.connector, 'forgetToken')
  if (!(await holdWhileAsked(scope, attempt, line))) return ABANDONED
  const access = { token: vault_token, fingerprint: null, paymentMethodId, purpose: 'deletion' }
  return reveal(scope, engine.vault, access, (token) =>
    askProvider(line, forgetToken, { attemptId: attempt.id, tokenId, token }, link),
  )
}

async function inquire(
  scope: Scope,
  engine: Engine,
  token: tokens.StoredToken,
  attempt: attempts.Attempt,
): Promise<SyncAnswer> {
  const { id, payment_service_id } = token
  const link = await linkTo(scope, engine, payment_service_id, null)
  if (!link) return UNABLE
  const { connector } = link
  if (!connector.sync) return { outcome: 'unknown', reason: 'the provider cannot be asked' }
  // Deleting a token twice does no harm, so the same order is sent again, however late it is.
  if (connector.manifest.recovery.by === 'replay') return ask(scope, engine, token, attempt)
  const { id: attemptId, reference } = attempt
  const sentAt = attempt.sent_at ?? attempt.created_at
  const asked = { attemptId, transactionId: id, reference, ownReference: reference, sentAt, order: null }
  const inquiry = { ...asked, operation: 'forgetToken' } as const
  const line = lineTo(engine.providers, connector, 'sync')
  return (await holdWhileAsked(scope, attempt, line))
    ? askProvider(line, connector.sync, inquiry, link)
    : ABANDONED
}

/**
 * Our copy goes once the provider has no such token any more. Until then we ask again, each time as a new attempt: at
 * once for a request that never arrived, otherwise daily, for thirty days.
 */
async function decide(
  tx: Scope<Tx>,
  { vault }: Engine,
  { subject: token, answer }: AnsweredAttempt<tokens.StoredToken, Decided<SyncAnswer>>,
): Promise<tokens.StoredToken> {
  const isGone = 'code' in answer && answer.code === 'unknown_service_resource'
  const isDone = answer.outcome === 'approved' || isGone
  const now = tx.clock()
  if (!isDone && !isTimeUp(token, now)) {
    await queueForgetting(tx, token, answer.outcome === 'not_found' ? now : aDayLater(now))
    return token
  }
  if (!isDone) await recordGivenUp(tx, 'payment-service-token', token.id)
  if (token.vault_token !== null) await vault.remove(tx.db, tx, token.vault_token)
  return tokens.update(tx, token, { vault_token: null, given_up_at: isDone ? null : now })
}
