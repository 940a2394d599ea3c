import * as cards from './cards.ts'
import { type Draft, enter, isToBeDone, type Performed } from './enter.ts'
import { type Desk, identify } from './identify.ts'
import * as ledger from './ledger.ts'
import { inTransaction } from './office.ts'
import { judgeTaking, judgeTakingHeld, type Money, refused } from './rules.ts'

type Attempt = {
  readonly programId: string
  readonly attemptId: string
  readonly transactionId: string | null
}
export type TakeOrder = Attempt & Money & { readonly number: string; readonly pin: string | null }
export type TakeHeldOrder = Attempt & Money & { readonly holdId: string }

/** Redeems from the balance of a card, or sets a part of it aside. */
export async function take(desk: Desk, operation: 'redeem' | 'hold', order: TakeOrder): Promise<Performed> {
  const { number, pin, ...attempt } = order
  const draft = { ...attempt, operation, targetId: null }
  const { cardId, refusal } = await identify(desk, { ...order, isPinNeeded: true })
  if (refusal) return enter(desk, desk.pool, { ...draft, cardId }, refusal)
  return desk.turns(cardId, () => takeFrom(desk, { ...draft, cardId }, order))
}

/** Redeems what was set aside, or a part of it. */
export async function takeHeld(desk: Desk, { holdId, ...order }: TakeHeldOrder): Promise<Performed> {
  const { programId, amount } = order
  const draft = { ...order, operation: 'redeem', cardId: null, targetId: null } as const
  const hold = await ledger.findById(desk.pool, { programId, id: holdId })
  if (hold?.operation !== 'hold' || hold.status !== 'approved' || !hold.cardId) {
    return enter(desk, desk.pool, draft, refused('unexpected_state', 'unknown_hold', 'no such hold'))
  }
  const { cardId } = hold
  return desk.turns(cardId, () =>
    inTransaction(desk.pool, async (tx) => {
      const card = await cards.lock(tx, cardId)
      const held = await ledger.readHold(tx, holdId)
      const verdict = judgeTakingHeld(held, card.currency, order)
      const performed = await enter(desk, tx, { ...draft, cardId, targetId: holdId }, verdict)
      if (isToBeDone(performed)) {
        const { id, createdAt } = performed.operation
        const credit = ledger.programAccount('redeemed', card)
        await ledger.post(tx, {
          operationId: id,
          debit: ledger.holdAccount(holdId),
          credit,
          amount,
          createdAt,
        })
      }
      return performed
    }),
  )
}

function takeFrom(desk: Desk, draft: Draft & { readonly cardId: string }, money: Money): Promise<Performed> {
  return inTransaction(desk.pool, async (tx) => {
    const card = await cards.lock(tx, draft.cardId)
    const performed = await enter(desk, tx, draft, judgeTaking(card, money, desk.clock()))
    if (!isToBeDone(performed)) return performed
    const { id, createdAt, operation } = performed.operation
    if (operation === 'hold') await ledger.openHold(tx, card, { id, cardId: card.id })
    const credit = operation === 'hold' ? ledger.holdAccount(id) : ledger.programAccount('redeemed', card)
    const debit = ledger.cardAccount(card.id)
    await ledger.post(tx, { operationId: id, debit, credit, amount: money.amount, createdAt })
    return performed
  })
}
