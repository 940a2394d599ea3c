import type pg from 'pg'
import * as cards from './cards.ts'
import { enter, isToBeDone } from './enter.ts'
import { release } from './give-back.ts'
import * as ledger from './ledger.ts'
import { inTransaction, type Office } from './office.ts'
import * as pages from './pages.ts'
import { APPROVED } from './rules.ts'
import { createTurns } from './turns.ts'

const BATCH = 100
/** A hold that was not redeemed for so long is abandoned. */
const HOLD_MS = 7 * 24 * 60 * 60_000

type Clock = () => Date

/**
 * Moves expired value off its card, releases abandoned holds, and deletes numbers and PINs that were seen. May run in
 * several processes at once. Returns how many cards expired.
 */
export async function expireCards(pool: pg.Pool, clock: Clock): Promise<number> {
  const office = { pool, clock }
  await releaseOldHolds(office)
  await pages.removeOld(pool, clock())
  let expired = 0
  for (;;) {
    const batch = await cards.listExpired(pool, clock(), BATCH)
    for (const id of batch) expired += (await expire(office, id)) ? 1 : 0
    if (batch.length < BATCH) return expired
  }
}

type Time = Pick<Office, 'pool' | 'clock'>

/** False when another process was faster. */
function expire({ pool, clock }: Time, cardId: string): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    const card = await cards.lock(tx, cardId)
    const { programId, status, expiresAt, balance: amount, currency } = card
    if (status !== 'active' || expiresAt === null || expiresAt > clock()) return false
    await cards.expire(tx, cardId)
    if (amount === 0) return true
    const performed = await enter(
      { clock },
      tx,
      {
        programId,
        attemptId: `expire-${cardId}-${expiresAt.getTime()}`,
        operation: 'expire',
        cardId,
        targetId: null,
        transactionId: null,
        amount,
        currency,
      },
      APPROVED,
    )
    if (!isToBeDone(performed)) throw new Error('a card has expired twice at the same moment')
    const { id, createdAt } = performed.operation
    const accounts = { debit: ledger.cardAccount(cardId), credit: ledger.programAccount('expired', card) }
    await ledger.post(tx, { operationId: id, ...accounts, amount, createdAt })
    return true
  })
}

async function releaseOldHolds({ pool, clock }: Time): Promise<void> {
  const desk = { pool, clock, turns: createTurns() }
  for (;;) {
    const holds = await ledger.listOldHolds(pool, new Date(clock().getTime() - HOLD_MS), BATCH)
    for (const { id: holdId, programId } of holds) {
      await release(desk, { programId, holdId, attemptId: `release-${holdId}`, transactionId: null })
    }
    if (holds.length < BATCH) return
  }
}

/** When the next card, page or abandoned hold ends. */
export async function nextExpiryAt(pool: pg.Pool): Promise<Date | null> {
  const { rows } = await pool.query<{ at: Date | null }>(
    `select least(
       (select min(expires_at) from issuer.cards where status = 'active'),
       (select min(expires_at) from issuer.pages),
       (select min(o.created_at) from issuer.accounts a join issuer.operations o on o.id = substr(a.id, 6)::uuid
        where a.kind = 'hold' and a.balance > 0) + $1 * interval '1 millisecond'
     ) as at`,
    [HOLD_MS],
  )
  return rows[0]?.at ?? null
}
