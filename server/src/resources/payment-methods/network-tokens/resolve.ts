import type { ProvisionOrder, TokenAnswer } from '#connectors/contract/network-token.ts'
import type { Scope } from '#platform/database/db.ts'
import { type Kind, refusal, resolve } from '#processing/attempts/conclude.ts'
import type { Resolve } from '#processing/attempts/resolve-due.ts'
import * as attempts from '#processing/attempts/store.ts'
import { nextCheckForAMonth } from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import * as buyers from '#resources/buyers/store.ts'
import { ItemGone, type Masked } from '#vault'
import { numberDate, reveal } from '../reveal.ts'
import * as paymentMethods from '../store.ts'
import { concludeToken } from './conclude.ts'
import { recordToken } from './drop.ts'
import { askTokenService, findServiceOf, type TokenServiceAt } from './find-service.ts'
import * as networkTokens from './store.ts'

/** What is asked of the token service. The subject of an attempt is the token. */
export const NETWORK_TOKEN: Kind<networkTokens.StoredToken, TokenAnswer> = {
  find: async (scope, { subject_id }) => {
    const token = await networkTokens.find(scope, subject_id ?? '')
    if (!token) throw new Error('an attempt has no network token')
    return token
  },
  ask: (scope, engine, token, attempt) => askFor(scope, engine, { token, attempt, securityCode: null }),
  inquire: async (scope, engine, token, attempt) => {
    const at = await findServiceOf(scope, engine.providers, token)
    if (!at) return NOT_OFFERED
    // Without a way to ask, it is asked for again.
    if (!at.connector.inquire) return askFor(scope, engine, { token, attempt, securityCode: null })
    const order = { attemptId: attempt.id, requestor: networkTokens.requestorOf(token) }
    const answer = await askTokenService(scope, engine, at, { act: 'inquire', order })
    return attempt.kind === 'provision-token' ? withToken(answer) : answer
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
}

export const resolveToken: Resolve = (scope, engine, attempt) =>
  resolve(scope, engine, NETWORK_TOKEN, attempt)

/** The package with its connector may come back. */
const NOT_OFFERED: TokenAnswer = { outcome: 'unknown', reason: 'the token service is not offered any more' }

type Asked = {
  readonly token: networkTokens.StoredToken
  readonly attempt: attempts.Attempt
  readonly securityCode: Masked | null
}

/** Sends an attempt to the token service. May be called twice for the same attempt. */
export async function askFor(
  scope: Scope,
  engine: Engine,
  { token, attempt, securityCode }: Asked,
): Promise<TokenAnswer> {
  const at = await findServiceOf(scope, engine.providers, token)
  if (!at) return NOT_OFFERED
  const { id: attemptId, kind } = attempt
  const requestor = networkTokens.requestorOf(token)
  if (kind === 'provision-token') {
    const asked = { attemptId, requestor, securityCode, reference: attempt.reference }
    return provision(scope, engine, at, { token, asked })
  }
  const { reference } = token
  // Certain, because nothing is sent.
  if (reference === null) return refusal('unexpected_state')
  const operation = OPERATIONS[kind as keyof typeof OPERATIONS]
  return askTokenService(scope, engine, at, {
    act: 'change',
    order: { attemptId, requestor, operation, reference },
  })
}

const OPERATIONS = { 'suspend-token': 'suspend', 'resume-token': 'resume', 'delete-token': 'delete' } as const

/** An approval without a token proves nothing: we ask again. */
function withToken(answer: TokenAnswer): TokenAnswer {
  const isEmpty = answer.outcome === 'approved' && !answer.networkToken
  return isEmpty ? { outcome: 'unknown', reason: 'the service approved, but gave no token' } : answer
}

type Provision = {
  readonly token: networkTokens.StoredToken
  readonly asked: Pick<ProvisionOrder, 'attemptId' | 'requestor' | 'securityCode' | 'reference'>
}

async function provision(
  scope: Scope,
  engine: Engine,
  at: TokenServiceAt,
  { token, asked }: Provision,
): Promise<TokenAnswer> {
  const method = await paymentMethods.find(scope, token.payment_method_id)
  const expirationDate = method ? numberDate(method) : null
  if (!method?.vault_token || expirationDate === null) return refusal('unavailable_payment_method')
  const { id: paymentMethodId, vault_token, fingerprint } = method
  const access = { token: vault_token, fingerprint, paymentMethodId, purpose: 'network token' }
  const { id: clientReference, scheme } = token
  const buyer = method.buyer_id === null ? undefined : await buyers.find(scope, method.buyer_id)
  const { first_name, last_name } = buyer?.billing_details ?? {}
  try {
    const answer = await reveal(scope, engine.vault, access, (number) =>
      askTokenService(scope, engine, at, {
        act: 'provision',
        order: {
          ...asked,
          clientReference,
          number,
          expirationDate,
          cardholderName: [first_name, last_name].filter(Boolean).join(' ') || null,
          scheme,
          isMerchantInitiated: token.merchant_initiated,
          isSubsequentPayment: token.is_subsequent_payment,
        },
      }),
    )
    return withToken(answer)
  } catch (error) {
    // The card was deleted or replaced while it was opened. Nothing was sent.
    if (error instanceof ItemGone) return refusal('unavailable_payment_method')
    throw error
  }
}
