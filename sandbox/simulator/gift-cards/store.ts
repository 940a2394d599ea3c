import type pg from 'pg'
import type { Tx } from '../store.ts'

type Operation = 'redeem' | 'refund' | 'reverse' | 'activate'

/** What the books say of an attempt that arrived. */
export type Entry = {
  readonly attemptId: string
  readonly status: 'approved' | 'refused'
  readonly operation: Operation
  readonly merchantHash: Buffer
  readonly cardHash: Buffer | null
  readonly transactionId: string | null
  readonly reference: string
  readonly redemptionReference: string | null
  readonly amount: number | null
  readonly currency: string | null
  readonly moved: number
  readonly givenBack: number
  readonly code: string | null
  readonly rawCode: string | null
  readonly rawMessage: string | null
  readonly createdAt: Date
}

type Handle = pg.Pool | pg.PoolClient

const COLUMNS = `
  attempt_id as "attemptId", status, operation, merchant_hash as "merchantHash", card_hash as "cardHash",
  transaction_id as "transactionId", reference, redemption_reference as "redemptionReference",
  amount::float8 as amount, currency, moved::float8 as moved, given_back::float8 as "givenBack", code,
  raw_code as "rawCode", raw_message as "rawMessage", created_at as "createdAt"`

/** Null for a card that was not used yet: its balance is what its PIN says. */
export async function findBalance(handle: Handle, cardHash: Buffer): Promise<number | null> {
  const { rows } = await handle.query<{ balance: number }>(
    'select balance::float8 as balance from simulator.gift_cards where card_hash = $1',
    [cardHash],
  )
  return rows[0]?.balance ?? null
}

/** Locks the card and its balance. */
export async function lockCard(
  tx: Tx,
  { cardHash, opening, now }: { readonly cardHash: Buffer; readonly opening: number; readonly now: Date },
): Promise<number> {
  await tx.query(
    `insert into simulator.gift_cards (card_hash, balance, created_at) values ($1, $2, $3)
     on conflict (card_hash) do nothing`,
    [cardHash, opening, now],
  )
  const { rows } = await tx.query<{ balance: number }>(
    'select balance::float8 as balance from simulator.gift_cards where card_hash = $1 for update',
    [cardHash],
  )
  return rows[0]?.balance ?? 0
}

/** Fails rather than take more than there is. */
export async function move(tx: Tx, cardHash: Buffer, change: number): Promise<void> {
  const { rowCount } = await tx.query(
    `update simulator.gift_cards set balance = balance + $2
     where card_hash = $1 and balance + $2 >= 0`,
    [cardHash, change],
  )
  if (rowCount !== 1) throw new Error('a gift card does not have what was taken from it')
}

/** False when the attempt is known already, or closed. */
export async function insert(handle: Handle, entry: Entry): Promise<boolean> {
  const { rowCount } = await handle.query(
    `insert into simulator.gift_card_entries (
       attempt_id, status, operation, merchant_hash, card_hash, transaction_id, reference, redemption_reference,
       amount, currency, moved, code, raw_code, raw_message, created_at
     ) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
     on conflict (attempt_id) do nothing`,
    [
      entry.attemptId,
      entry.status,
      entry.operation,
      entry.merchantHash,
      entry.cardHash,
      entry.transactionId,
      entry.reference,
      entry.redemptionReference,
      entry.amount,
      entry.currency,
      entry.moved,
      entry.code,
      entry.rawCode,
      entry.rawMessage,
      entry.createdAt,
    ],
  )
  return rowCount === 1
}

/** From now on the attempt is refused if it still arrives. Does nothing when it has arrived. */
export async function close(handle: Handle, attemptId: string, now: Date): Promise<void> {
  await handle.query(
    `insert into simulator.gift_card_entries (attempt_id, status, created_at) values ($1, 'closed', $2)
     on conflict (attempt_id) do nothing`,
    [attemptId, now],
  )
}

export async function find(handle: Handle, attemptId: string): Promise<Entry | 'closed' | null> {
  const { rows } = await handle.query(
    `select ${COLUMNS} from simulator.gift_card_entries where attempt_id = $1`,
    [attemptId],
  )
  if (rows.length === 0) return null
  return rows[0].status === 'closed' ? 'closed' : rows[0]
}

/** Locks a redemption and what is given back of it. */
export async function lockRedemption(tx: Tx, reference: string): Promise<Entry | null> {
  const { rows } = await tx.query<Entry>(
    `select ${COLUMNS} from simulator.gift_card_entries
     where reference = $1 and operation = 'redeem' for update`,
    [reference],
  )
  return rows[0] ?? null
}

export async function addGivenBack(tx: Tx, reference: string, amount: number): Promise<void> {
  await tx.query('update simulator.gift_card_entries set given_back = given_back + $2 where reference = $1', [
    reference,
    amount,
  ])
}

/** True for the first call of an attempt that has left no entry yet. */
export async function isFirstHit(
  handle: Handle,
  { attemptId, kind, now }: { readonly attemptId: string; readonly kind: string; readonly now: Date },
): Promise<boolean> {
  const { rowCount } = await handle.query(
    `insert into simulator.faults (attempt_id, kind, hit_at)
     select $1::text, $2::text, $3::timestamptz
     where not exists (select from simulator.gift_card_entries where attempt_id = $1)
     on conflict (attempt_id) do nothing`,
    [attemptId, kind, now],
  )
  return rowCount === 1
}

const PAGE = 1_000

/** By attempt or by transaction; otherwise the first thousand. */
export async function list(
  handle: Handle,
  { attemptId, transactionId }: { readonly attemptId: string | null; readonly transactionId: string | null },
): Promise<Entry[]> {
  const { rows } = await handle.query<Entry>(
    `select ${COLUMNS} from simulator.gift_card_entries
     where status <> 'closed' and ($1::text is null or attempt_id = $1) and ($2::text is null or transaction_id = $2)
     order by attempt_id limit ${PAGE}`,
    [attemptId, transactionId],
  )
  return rows
}
