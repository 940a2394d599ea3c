import * as cards from './cards.ts'
import { enter, isToBeDone, type Performed } from './enter.ts'
import { type Desk, identify } from './identify.ts'
import * as ledger from './ledger.ts'
import { inTransaction } from './office.ts'
import { judgeActivation, judgeLoad, type Money } from './rules.ts'

type Order = {
  readonly programId: string
  readonly attemptId: string
  readonly number: string
  readonly pin: string | null
  readonly validMonths: number
}
/** Without money, a card is activated with a balance of 0. */
export type ActivateOrder = Order & { readonly money: Money | null }
export type LoadOrder = Order & { readonly money: Money }

/** Makes a blank card usable. */
export function activate(desk: Desk, order: ActivateOrder): Promise<Performed> {
  return putOn(desk, 'activate', order)
}

/** Adds value to a card that is in use. The card is then valid for as long as a new one. */
export function load(desk: Desk, order: LoadOrder): Promise<Performed> {
  return putOn(desk, 'load', order)
}

async function putOn(desk: Desk, operation: 'activate' | 'load', order: ActivateOrder): Promise<Performed> {
  const { programId, attemptId, money } = order
  const draft = {
    programId,
    attemptId,
    operation,
    targetId: null,
    transactionId: null,
    amount: money?.amount ?? null,
    currency: money?.currency ?? null,
  }
  const { cardId, refusal } = await identify(desk, { ...order, isPinNeeded: false })
  if (refusal) return enter(desk, desk.pool, { ...draft, cardId }, refusal)
  return desk.turns(cardId, () =>
    inTransaction(desk.pool, async (tx) => {
      const card = await cards.lock(tx, cardId)
      const now = desk.clock()
      const verdict =
        operation === 'load' && money ? judgeLoad(card, money, now) : judgeActivation(card, money)
      const performed = await enter(desk, tx, { ...draft, cardId }, verdict)
      if (!isToBeDone(performed)) return performed
      const expiresAt = monthsAfter(now, order.validMonths)
      await cards.extend(tx, cardId, expiresAt)
      const { id, createdAt } = performed.operation
      if (money) {
        const accounts = { debit: ledger.programAccount('sold', card), credit: ledger.cardAccount(cardId) }
        await ledger.post(tx, { operationId: id, ...accounts, amount: money.amount, createdAt })
      }
      return { ...performed, operation: { ...performed.operation, expiresAt } }
    }),
  )
}

/** If the month does not have that day, its last day is used. */
export function monthsAfter(now: Date, months: number): Date {
  const then = new Date(now)
  then.setUTCMonth(then.getUTCMonth() + months)
  if (then.getUTCDate() !== now.getUTCDate()) then.setUTCDate(0)
  return then
}
