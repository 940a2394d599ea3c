import { timingSafeEqual } from 'node:crypto'
import type { Office, Tx } from './office.ts'

const DAY_MS = 24 * 60 * 60_000
/** The buyer of a card has this long to look at it, and this long to look again. */
const UNSEEN_MS = 30 * DAY_MS
const SEEN_MS = DAY_MS

const PURPOSE = 'gift-card-page'

export type CardText = { readonly number: string; readonly pin: string }
export type PageFacts = {
  readonly program: string
  readonly amount: number
  readonly currency: string
  readonly expiresAt: Date | null
}

/** The address is the operation's id and a keyed hash of it: it can be made again, and cannot be guessed. */
export function urlOf({ publicUrl, secrets }: Office, operationId: string): string {
  return `${publicUrl}/gift-cards/issued/${operationId}/${keyOf(secrets, operationId)}`
}

export function isKeyOf({ secrets }: Office, operationId: string, key: string): boolean {
  const [given, right] = [Buffer.from(key), Buffer.from(keyOf(secrets, operationId))]
  return given.length === right.length && timingSafeEqual(given, right)
}

export async function insert(office: Office, tx: Tx, operationId: string, card: CardText): Promise<void> {
  const { secrets, clock } = office
  await tx.query('insert into issuer.pages (operation_id, sealed, expires_at) values ($1, $2, $3)', [
    operationId,
    secrets.seal(PURPOSE, operationId, JSON.stringify(card)),
    new Date(clock().getTime() + UNSEEN_MS),
  ])
}

/** What a page shows besides number and PIN. Null when it is not shown any more. */
export async function find({ pool, clock }: Office, operationId: string): Promise<PageFacts | null> {
  const { rows } = await pool.query<PageFacts>(
    `select p.name as program, o.amount::float8 as amount, o.currency, c.expires_at as "expiresAt"
     from issuer.pages s
     join issuer.operations o on o.id = s.operation_id
     join issuer.programs p on p.id = o.program_id
     join issuer.cards c on c.id = o.card_id
     where s.operation_id = $1 and s.expires_at > $2`,
    [operationId, clock()],
  )
  return rows[0] ?? null
}

/** Number and PIN. From now on they are kept for one day. */
export async function reveal(
  { pool, clock, secrets }: Office,
  operationId: string,
): Promise<CardText | null> {
  const now = clock()
  const { rows } = await pool.query<{ sealed: Buffer }>(
    `update issuer.pages set expires_at = least(expires_at, $3)
     where operation_id = $1 and expires_at > $2
     returning sealed`,
    [operationId, now, new Date(now.getTime() + SEEN_MS)],
  )
  const [row] = rows
  return row ? (JSON.parse(secrets.open(PURPOSE, operationId, row.sealed)) as CardText) : null
}

export async function removeOld(pool: Office['pool'], now: Date): Promise<void> {
  await pool.query('delete from issuer.pages where expires_at <= $1', [now])
}

function keyOf(secrets: Office['secrets'], operationId: string): string {
  return secrets.mac(PURPOSE, operationId).toString('base64url')
}
