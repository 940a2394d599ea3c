import type { NewToken, TokenAnswer } from '#connectors/contract/network-token.ts'
import { labelOf } from '#domain/card.ts'
import * as transactionEvents from '#payments/store/events.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import { type AnsweredAttempt, codeOf, type Decided } from '#processing/attempts/conclude.ts'
import { aDayLater, nextCheck } from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import { Masked, type Vault } from '#vault'
import { isTimeUp, recordGivenUp } from '../given-up-tokens.ts'
import * as paymentMethods from '../store.ts'
import { dropToken, queueDeletion } from './drop.ts'
import type { StoredToken } from './store.ts'
import * as networkTokens from './store.ts'

const AFTER = { suspend: 'suspended', resume: 'active' } as const

type Found = AnsweredAttempt<networkTokens.StoredToken, Decided<TokenAnswer>>

/** The token service has decided about an attempt. */
export async function concludeToken(
  tx: Scope<Tx>,
  { vault }: Engine,
  { subject: token, attempt, answer }: Found,
): Promise<networkTokens.StoredToken> {
  switch (attempt.kind) {
    case 'provision-token':
      return concludeProvision(tx, vault, token, answer)
    case 'suspend-token':
      return concludeChange(tx, vault, { token, operation: 'suspend', answer })
    case 'resume-token':
      return concludeChange(tx, vault, { token, operation: 'resume', answer })
    default:
      return concludeDeletion(tx, token, answer)
  }
}

async function concludeProvision(
  tx: Scope<Tx>,
  vault: Vault,
  token: networkTokens.StoredToken,
  answer: Found['answer'],
): Promise<networkTokens.StoredToken> {
  await tellPayment(tx, token, answer)
  if (answer.outcome !== 'approved') {
    if (token.status === 'deleted') return token
    return networkTokens.update(tx, token, { status: 'failed', error_code: codeOf(answer) })
  }
  if (!answer.networkToken) throw new Error('an approved token has no number')
  const { reference } = answer
  if (token.status === 'deleted') {
    // The card was deleted while its token was made. Only now can the service be asked to delete that.
    const known = await networkTokens.update(tx, token, { reference })
    await queueDeletion(tx, known, tx.clock())
    return known
  }
  const { paymentAccountReference: payment_account_reference } = answer.networkToken
  if (payment_account_reference !== null)
    await paymentMethods.update(tx, token.payment_method_id, { payment_account_reference })
  return networkTokens.update(tx, token, {
    reference,
    ...(await seal(tx, vault, token, answer.networkToken)),
  })
}

async function seal(
  tx: Scope<Tx>,
  vault: Vault,
  { payment_method_id: owner }: networkTokens.StoredToken,
  { number: told, expirationDate, status }: NewToken,
) {
  const number = new Masked(told.use(String))
  try {
    return {
      status,
      vault_token: await vault.store(tx.db, tx, { name: 'network-token', owner }, number),
      fingerprint: await vault.fingerprint(tx.db, number),
      label: number.use((bytes) => labelOf(bytes.toString())),
      expiration_date: expirationDate,
    }
  } finally {
    number.clear()
  }
}

/** The payment that stored the card tells in its history what became of the token. */
async function tellPayment(
  tx: Scope<Tx>,
  { id, transaction_id, payment_method_id, scheme }: networkTokens.StoredToken,
  answer: Found['answer'],
): Promise<void> {
  if (transaction_id === null) return
  const isMade = answer.outcome === 'approved'
  const context = { network_token_id: id, payment_method_id, scheme, code: codeOf(answer) }
  const name = isMade ? 'network-token-provision-succeeded' : 'network-token-provision-failed'
  await transactionEvents.record(tx, transaction_id, [{ name, context }])
}

/** The service does not know the token any more. */
function isGone(answer: Found['answer']): boolean {
  return 'code' in answer && answer.code === 'unknown_service_resource'
}

async function concludeChange(
  tx: Scope<Tx>,
  vault: Vault,
  {
    token,
    operation,
    answer,
  }: {
    readonly token: networkTokens.StoredToken
    readonly operation: 'suspend' | 'resume'
    readonly answer: Found['answer']
  },
): Promise<networkTokens.StoredToken> {
  if (token.status === 'deleted') return token
  if (isGone(answer)) return dropToken(tx, vault, token)
  const status = answer.outcome === 'approved' ? after(operation) : token.status
  return networkTokens.update(tx, token, { status, operation: null })
}

/**
 * A deletion must be done: it is asked for again, as a new attempt, until the service has no such token. For thirty days:
 * then the operator has to ask.
 */
async function concludeDeletion(
  tx: Scope<Tx>,
  token: networkTokens.StoredToken,
  answer: Found['answer'],
): Promise<networkTokens.StoredToken> {
  if (answer.outcome === 'approved' || isGone(answer)) return token
  const now = tx.clock()
  if (isTimeUp(token, now)) {
    await recordGivenUp(tx, 'network-token', token.id)
    return networkTokens.update(tx, token, { given_up_at: now })
  }
  await queueDeletion(tx, token, answer.outcome === 'not_found' ? nextCheck(now, 0) : aDayLater(now))
  return token
}

export type TokenOperation = 'suspend' | 'resume'

export function after(operation: TokenOperation): (typeof AFTER)[TokenOperation] {
  return AFTER[operation]
}

/** What a token service's notification changes. A deleted token stays deleted. */
export function afterNotice(
  { status }: Pick<StoredToken, 'status'>,
  said: 'active' | 'suspended' | 'deleted' | null,
): StoredToken['status'] {
  return status === 'deleted' ? status : (said ?? status)
}
