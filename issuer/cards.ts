import type { Handle, Office, Tx } from './office.ts'
import { type HashedPin, TRIES_MAX, WINDOW_MS } from './pins.ts'

type CardStatus = 'inactive' | 'active' | 'expired'

export type FoundCard = HashedPin & {
  readonly id: string
  /** Too many wrong PINs. */
  readonly isLocked: boolean
}

/** A card that no other transaction can change until this one ends. */
export type LockedCard = {
  readonly id: string
  readonly programId: string
  readonly status: CardStatus
  readonly currency: string
  readonly expiresAt: Date | null
  readonly balance: number
}

export type NewCard = {
  readonly id: string
  readonly programId: string
  readonly numberHash: Buffer
  readonly last4: string
  readonly currency: string
  readonly status: CardStatus
  readonly theme: string
  readonly externalIdentifier: string | null
  readonly expiresAt: Date | null
  readonly createdAt: Date
}

/** Cards are stored and looked up by this hash, not by their number. */
export function numberHashOf({ secrets }: Office, number: string): Buffer {
  return secrets.mac('gift-card-number', number)
}

export async function find(
  { pool, clock }: Office,
  programId: string,
  numberHash: Buffer,
): Promise<FoundCard | null> {
  const { rows } = await pool.query<FoundCard>(
    `select c.id, p.salt, p.hash, p.cost, p.block_size as "blockSize", p.parallelization,
       coalesce(p.tries >= $3 and p.tries_since > $4, false) as "isLocked"
     from issuer.cards c
     join issuer.pins p on p.card_id = c.id
     where c.program_id = $1 and c.number_hash = $2`,
    [programId, numberHash, TRIES_MAX, new Date(clock().getTime() - WINDOW_MS)],
  )
  return rows[0] ?? null
}

const LOCKED_COLUMNS = `
  c.id, c.program_id as "programId", c.status, c.currency, c.expires_at as "expiresAt", a.balance::float8 as balance`

export async function read(handle: Handle, id: string): Promise<LockedCard> {
  return theOnly(
    await handle.query<LockedCard>(
      `select ${LOCKED_COLUMNS} from issuer.cards c join issuer.accounts a on a.id = 'card:' || c.id
       where c.id = $1`,
      [id],
    ),
  )
}

/** Locks both rows: a transaction that waited for one must not see an old state of the other. */
export async function lock(tx: Tx, id: string): Promise<LockedCard> {
  return theOnly(
    await tx.query<LockedCard>(
      `select ${LOCKED_COLUMNS} from issuer.cards c join issuer.accounts a on a.id = 'card:' || c.id
       where c.id = $1
       for no key update of c, a`,
      [id],
    ),
  )
}

/** False when the number is taken. */
export async function insert(tx: Tx, card: NewCard): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into issuer.cards (
       id, program_id, number_hash, last4, currency, status, theme, external_identifier, expires_at, created_at
     ) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict (program_id, number_hash) do nothing`,
    [
      card.id,
      card.programId,
      card.numberHash,
      card.last4,
      card.currency,
      card.status,
      card.theme,
      card.externalIdentifier,
      card.expiresAt,
      card.createdAt,
    ],
  )
  return rowCount === 1
}

/** Makes a card usable until `expiresAt`, or longer if it already was. */
export async function extend(tx: Tx, id: string, expiresAt: Date): Promise<void> {
  await tx.query(
    `update issuer.cards set status = 'active', expires_at = greatest(expires_at, $2)
     where id = $1 and (status <> 'active' or expires_at < $2)`,
    [id, expiresAt],
  )
}

export async function expire(tx: Tx, id: string): Promise<void> {
  await tx.query(`update issuer.cards set status = 'expired' where id = $1`, [id])
}

export async function listExpired(handle: Handle, now: Date, limit: number): Promise<string[]> {
  const { rows } = await handle.query<{ id: string }>(
    `select id from issuer.cards where status = 'active' and expires_at <= $1 order by expires_at limit $2`,
    [now, limit],
  )
  return rows.map(({ id }) => id)
}

function theOnly<Row>({ rows }: { readonly rows: readonly Row[] }): Row {
  const [row] = rows
  if (!row) throw new Error('a card that was found is not there')
  return row
}
