import type { Approved, SyncAnswer } from '#connectors/contract/connector.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import {
  type AnsweredAttempt,
  closing,
  codeOf,
  type Decided,
  type Open,
  refusal,
} from '#processing/attempts/conclude.ts'
import * as attempts from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import * as events from '#resources/events/store.ts'
import { Masked, type Vault } from '#vault'
import { showMethod } from '../show.ts'
import * as paymentMethods from '../store.ts'
import { queueForgetting } from './forget.ts'
import * as tokens from './store.ts'

/** How long a buyer may take to approve. */
const APPROVAL_MS = 60 * 60_000

/** The provider has stored the payment method, or refused to. */
export async function concludeTokenization(
  tx: Scope<Tx>,
  { vault }: Engine,
  { subject: token, answer }: AnsweredAttempt<tokens.StoredToken, Decided<SyncAnswer>>,
): Promise<tokens.StoredToken> {
  if (answer.outcome === 'approved') return keep(tx, vault, token, answer)
  if (token.deleted_at !== null || token.status === 'failed') return token
  return follow(
    tx,
    await tokens.update(tx, token, { ...ENDED, status: 'failed', error_code: codeOf(answer) }),
  )
}

const ENDED = { approval_url: null, approval_expires_at: null }

/**
 * Seals the token. If the method was deleted meanwhile, or the buyer's time is over, the provider has a token that is
 * not wanted any more: we ask it to delete the token.
 */
async function keep(
  tx: Scope<Tx>,
  vault: Vault,
  token: tokens.StoredToken,
  { token: given }: Approved,
): Promise<tokens.StoredToken> {
  if (!given) throw new Error('an approved token has no text')
  const vault_token = await given.value.use(async (bytes) => {
    const text = new Masked(bytes)
    try {
      const field = { name: 'provider-token', owner: token.payment_method_id }
      return await vault.store(tx.db, tx, field, text)
    } finally {
      text.clear()
    }
  })
  if (token.deleted_at !== null || token.status === 'failed') {
    const unwanted = await tokens.update(tx, token, { vault_token })
    await queueForgetting(tx, unwanted, tx.clock())
    return unwanted
  }
  const kept = await tokens.update(tx, token, { ...ENDED, status: 'succeeded', vault_token })
  return follow(tx, kept, given.label)
}

/** No answer has come for a month. Without one, no token can be used. */
export const NO_ANSWER = refusal('service_network_error')

/** The buyer has approved after we had stopped asking: the provider has a token that is not wanted any more. */
export async function hearLateToken(
  tx: Scope<Tx>,
  { vault }: Engine,
  { subject: token, attempt, answer }: AnsweredAttempt<tokens.StoredToken, SyncAnswer>,
): Promise<tokens.StoredToken> {
  if (answer.outcome !== 'approved' || !isGivenUp(attempt)) return token
  // From now on the attempt does not count as given up, so a second visit of the buyer changes nothing.
  await attempts.change(tx, attempt, closing(answer))
  return keep(tx, vault, token, answer)
}

export function isGivenUp({ state, due_at, error_code }: attempts.Attempt): boolean {
  return state === 'failed' && due_at === null && error_code === NO_ANSWER.code
}

/** The provider has not decided yet, or wants the buyer to approve on its own page. */
export async function waitForApproval(
  tx: Scope<Tx>,
  _engine: Engine,
  { subject: token, answer }: AnsweredAttempt<tokens.StoredToken, Open<SyncAnswer>>,
): Promise<tokens.StoredToken> {
  if (answer.outcome !== 'approval_required' || token.deleted_at !== null) return token
  if (token.status !== 'processing') return token
  const approval_expires_at = new Date(tx.clock().getTime() + APPROVAL_MS)
  // Tokens are approved at an address of the provider. Its other ways have no page here.
  const approval_url = answer.approval.kind === 'redirect' ? answer.approval.url : null
  const status = 'buyer_approval_required'
  return follow(tx, await tokens.update(tx, token, { status, approval_url, approval_expires_at }))
}

/** The buyer did not approve in time. The attempt stays open for a month, because the provider may still give a token. */
export async function giveUp(tx: Scope<Tx>, token: tokens.StoredToken): Promise<tokens.StoredToken> {
  const error_code = 'incomplete_buyer_approval'
  return follow(tx, await tokens.update(tx, token, { ...ENDED, status: 'failed', error_code }))
}

/** A method that was stored by this token has its status. */
async function follow(
  tx: Scope<Tx>,
  token: tokens.StoredToken,
  label: string | null = null,
): Promise<tokens.StoredToken> {
  const { is_first, payment_method_id: id, status, approval_url } = token
  if (!is_first) return token
  const after = await paymentMethods.changeStatus(tx, id, { status, approval_url, label })
  if (after) await events.publish(tx, ['payment-method.updated'], await showMethod(tx, after))
  return token
}
