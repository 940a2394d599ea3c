import * as cards from './cards.ts'
import { enter, isToBeDone, type Performed } from './enter.ts'
import * as ledger from './ledger.ts'
import { monthsAfter } from './load.ts'
import { newNumber, newPin } from './numbers.ts'
import { inTransaction, newId, type Office, type Tx } from './office.ts'
import * as pages from './pages.ts'
import { hashPin, insertPin } from './pins.ts'
import { APPROVED, type Money } from './rules.ts'

/** A random number that is taken is very rare; three in a row do not happen. */
const NUMBERS_MAX = 3

export type IssueOrder = Money & {
  readonly programId: string
  readonly attemptId: string
  readonly theme: string
  readonly externalIdentifier: string | null
  readonly validMonths: number
}

/** Makes a card. One without an amount is a blank: it is inactive until it is activated, and does not expire before. */
export async function issue(office: Office, order: IssueOrder): Promise<Performed> {
  const { programId, attemptId, amount, currency } = order
  const cardId = newId(office.clock())
  const pin = newPin()
  const hashed = await hashPin(office, cardId, pin)
  const draft = {
    programId,
    attemptId,
    operation: 'issue',
    cardId,
    targetId: null,
    transactionId: null,
    amount,
    currency,
  } as const
  return inTransaction(office.pool, async (tx) => {
    const performed = await enter(office, tx, draft, APPROVED)
    if (!isToBeDone(performed)) return performed
    const { id, createdAt } = performed.operation
    const number = await insertCard(office, tx, { order, cardId, createdAt })
    await insertPin(tx, cardId, hashed)
    await ledger.openAccounts(tx, order, cardId)
    if (amount > 0) {
      const accounts = { debit: ledger.programAccount('sold', order), credit: ledger.cardAccount(cardId) }
      await ledger.post(tx, { operationId: id, ...accounts, amount, createdAt })
    }
    await pages.insert(office, tx, id, { number, pin })
    return performed
  })
}

type New = { readonly order: IssueOrder; readonly cardId: string; readonly createdAt: Date }

/** Returns the number, which is not stored. */
async function insertCard(office: Office, tx: Tx, { order, cardId, createdAt }: New): Promise<string> {
  const { programId, amount, currency, theme, externalIdentifier } = order
  for (let tried = 0; tried < NUMBERS_MAX; tried += 1) {
    const number = newNumber()
    const isInserted = await cards.insert(tx, {
      id: cardId,
      programId,
      numberHash: cards.numberHashOf(office, number),
      last4: number.slice(-4),
      currency,
      status: amount > 0 ? 'active' : 'inactive',
      theme,
      externalIdentifier,
      expiresAt: amount > 0 ? monthsAfter(createdAt, order.validMonths) : null,
      createdAt,
    })
    if (isInserted) return number
  }
  throw new Error('no number is free')
}
