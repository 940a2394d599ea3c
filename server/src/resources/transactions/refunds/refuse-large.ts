import type { Caller } from '#platform/auth.ts'
import type { Scope } from '#platform/db.ts'
import { refuseOldProof } from '#platform/fresh-proof.ts'
import { restOf } from '../gift-card-redemptions/refund.ts'
import * as redemptions from '../gift-card-redemptions/store.ts'
import { refundable } from '../state.ts'
import * as transactions from '../store.ts'
import type { RefundCreate } from './schemas.ts'

/** In the smallest unit of the currency, whichever it is. */
const LIMIT_DEFAULT = 50_000

export type RefundLimit = { readonly refundStepUpAmount?: number }

type Wanted = {
  readonly caller: Caller
  readonly transactionId: string
  /** `all`: one refund for each instrument that paid, each of all that is left. */
  readonly request: 'all' | Pick<RefundCreate, 'amount' | 'target_type' | 'target_id'>
}

/** A user who refunds much must have proved within the last minutes who they are. Tokens are not asked. */
export async function refuseLarge(
  scope: Scope,
  { refundStepUpAmount: limit = LIMIT_DEFAULT }: RefundLimit,
  wanted: Wanted,
): Promise<void> {
  if (!wanted.caller.session) return
  if ((await amountOf(scope, wanted)) > limit) refuseOldProof(wanted.caller, scope.clock)
}

/** Without an amount, all that is left. */
async function amountOf(scope: Scope, { transactionId, request }: Wanted): Promise<number> {
  if (request !== 'all' && typeof request.amount === 'number') return request.amount
  const transaction = await transactions.find(scope, transactionId)
  if (!transaction) return 0
  const ofMethod = refundable(transaction)
  const isOfMethod = request !== 'all' && request.target_type !== 'gift-card-redemption'
  if (isOfMethod || !transaction.has_gift_card_redemptions) return ofMethod
  const paid = await redemptions.listOf(scope, transactionId)
  if (request === 'all') return paid.reduce((sum, redemption) => sum + restOf(redemption), ofMethod)
  const target = paid.find(({ id }) => id === request.target_id)
  return target ? restOf(target) : 0
}
