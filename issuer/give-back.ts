import * as cards from './cards.ts'
import { enter, isToBeDone, type Performed } from './enter.ts'
import type { Desk } from './identify.ts'
import type { Operation } from './ledger.ts'
import * as ledger from './ledger.ts'
import { inTransaction, type Office, type Tx } from './office.ts'
import { APPROVED, judgeGivingBack, type Money, refused } from './rules.ts'

/** Value that comes back to a card can be used for at least so long, even if the card had expired. */
const GRACE_MS = 30 * 24 * 60 * 60_000

type Attempt = {
  readonly programId: string
  readonly attemptId: string
  readonly transactionId: string | null
}
export type GiveBackOrder = Attempt &
  Money & {
    readonly operation: 'refund' | 'reverse'
    /** Null when the answer to the redemption was lost; then the attempt id identifies it. */
    readonly redemptionId: string | null
    readonly redemptionAttemptId: string
  }
export type ReleaseOrder = Attempt & { readonly holdId: string }

/** Puts redeemed value back on its card: a refund for something returned, or a reversal that undoes the redemption. */
export async function giveBack(desk: Desk, order: GiveBackOrder): Promise<Performed> {
  const { redemptionId, redemptionAttemptId, ...attempt } = order
  const redemption = await findNamed(desk, order)
  if (redemption === 'closed' || redemption?.status !== 'approved' || !redemption.cardId) {
    // The redemption did not happen and cannot any more, so there is nothing to reverse.
    const isUndone = order.operation === 'reverse' && redemption !== null
    const verdict = isUndone ? APPROVED : NO_REDEMPTION
    return enter(desk, desk.pool, { ...attempt, cardId: null, targetId: null }, verdict)
  }
  const { id: targetId, cardId } = redemption
  return desk.turns(cardId, () =>
    inTransaction(desk.pool, async (tx) => {
      const card = await cards.lock(tx, cardId)
      // Read again: with the lock held, no other transaction can give back.
      const { amount, givenBack } = (await ledger.findById(tx, { ...order, id: targetId })) ?? redemption
      const verdict = judgeGivingBack(card.currency, (amount ?? 0) - givenBack, order)
      const performed = await enter(desk, tx, { ...attempt, cardId, targetId }, verdict)
      if (!isToBeDone(performed)) return performed
      const debit = ledger.programAccount(order.operation === 'refund' ? 'refunded' : 'redeemed', card)
      await credit(desk, tx, performed.operation, debit)
      await ledger.addGivenBack(tx, targetId, order.amount)
      return performed
    }),
  )
}

/** Puts the rest of a hold back on its card. */
export async function release(
  desk: Pick<Desk, 'pool' | 'clock' | 'turns'>,
  { holdId, ...attempt }: ReleaseOrder,
): Promise<Performed> {
  const draft = { ...attempt, operation: 'release', amount: null, currency: null } as const
  const hold = await ledger.findById(desk.pool, { ...attempt, id: holdId })
  if (hold?.operation !== 'hold' || hold.status !== 'approved' || !hold.cardId) {
    const verdict = refused('unexpected_state', 'unknown_hold', 'no such hold')
    return enter(desk, desk.pool, { ...draft, cardId: null, targetId: null }, verdict)
  }
  const { cardId } = hold
  return desk.turns(cardId, () =>
    inTransaction(desk.pool, async (tx) => {
      await cards.lock(tx, cardId)
      const amount = await ledger.readHold(tx, holdId)
      const verdict =
        amount > 0 ? APPROVED : refused('unexpected_state', 'nothing_held', 'nothing is held any more')
      const performed = await enter(desk, tx, { ...draft, cardId, targetId: holdId }, verdict)
      if (!isToBeDone(performed)) return performed
      await credit(desk, tx, { ...performed.operation, amount }, ledger.holdAccount(holdId))
      return performed
    }),
  )
}

const NO_REDEMPTION = refused('unexpected_state', 'unknown_redemption', 'no such redemption')

/** A reversal closes an attempt that has not arrived. */
async function findNamed(
  { pool, clock }: Office,
  order: GiveBackOrder,
): Promise<Operation | 'closed' | null> {
  const { programId, redemptionId, redemptionAttemptId: attemptId } = order
  if (redemptionId === null && order.operation === 'reverse') {
    await ledger.close(pool, { programId, attemptId }, clock())
  }
  const found =
    redemptionId === null
      ? await ledger.find(pool, { programId, attemptId })
      : await ledger.findById(pool, { programId, id: redemptionId })
  return found === 'closed' || found?.operation === 'redeem' ? found : null
}

async function credit(
  { clock }: Pick<Office, 'clock'>,
  tx: Tx,
  operation: Operation,
  debit: string,
): Promise<void> {
  const { id, cardId, amount, createdAt } = operation
  if (!cardId || !amount) return
  await ledger.post(tx, { operationId: id, debit, credit: ledger.cardAccount(cardId), amount, createdAt })
  await cards.extend(tx, cardId, new Date(clock().getTime() + GRACE_MS))
}
