import type pg from 'pg'
import type { FAULT_KINDS } from '../faults.ts'
import type { Tx } from '../store.ts'

type Handle = pg.Pool | Tx

export const SCHEMES = ['visa', 'mastercard', 'amex', 'discover'] as const
export type Scheme = (typeof SCHEMES)[number]
export type Status = 'inactive' | 'active' | 'suspended' | 'deleted'

export type Token = {
  readonly reference: string
  readonly clientReference: string
  readonly requestorId: string
  readonly scheme: Scheme
  readonly cardHash: Buffer
  readonly status: Status
  readonly expirationDate: string
  readonly fault: (typeof FAULT_KINDS)[number] | null
  readonly makesCryptograms: boolean
  readonly createdAt: Date
}

/** What the books say of an attempt that arrived. */
export type Entry = {
  readonly attemptId: string
  readonly status: 'approved' | 'refused'
  readonly operation: 'provision' | 'suspend' | 'resume' | 'delete'
  readonly requestorId: string
  readonly reference: string | null
  readonly code: string | null
  readonly createdAt: Date
}

const TOKEN_COLUMNS = `
  reference, client_reference as "clientReference", requestor_id as "requestorId", scheme, card_hash as "cardHash",
  status, expiration_date as "expirationDate", fault,
  makes_cryptograms as "makesCryptograms", created_at as "createdAt"`

const ENTRY_COLUMNS = `
  attempt_id as "attemptId", status, operation, requestor_id as "requestorId", reference, code,
  created_at as "createdAt"`

export async function insertToken(tx: Tx, token: Token): Promise<void> {
  await tx.query(
    `insert into simulator.network_tokens
       (reference, client_reference, requestor_id, scheme, card_hash, status, expiration_date, fault,
        makes_cryptograms, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      token.reference,
      token.clientReference,
      token.requestorId,
      token.scheme,
      token.cardHash,
      token.status,
      token.expirationDate,
      token.fault,
      token.makesCryptograms,
      token.createdAt,
    ],
  )
}

export async function findToken(handle: Handle, reference: string): Promise<Token | null> {
  const { rows } = await handle.query<Token>(
    `select ${TOKEN_COLUMNS} from simulator.network_tokens where reference = $1`,
    [reference],
  )
  return rows[0] ?? null
}

/** Locks a token, by its own reference or by the merchant's. */
export async function lockToken(
  tx: Tx,
  by: 'reference' | 'client_reference',
  value: string,
): Promise<Token | null> {
  const { rows } = await tx.query<Token>(
    `select ${TOKEN_COLUMNS} from simulator.network_tokens where ${by} = $1 for update`,
    [value],
  )
  return rows[0] ?? null
}

export async function changeToken(
  tx: Tx,
  reference: string,
  { status, expirationDate }: Pick<Token, 'status' | 'expirationDate'>,
): Promise<void> {
  await tx.query(
    'update simulator.network_tokens set status = $2, expiration_date = $3 where reference = $1',
    [reference, status, expirationDate],
  )
}

/** False if the attempt is known already. */
export async function insertEntry(handle: Handle, entry: Entry): Promise<boolean> {
  const { rowCount } = await handle.query(
    `insert into simulator.network_token_entries
       (attempt_id, status, operation, requestor_id, reference, code, created_at)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict (attempt_id) do nothing`,
    [
      entry.attemptId,
      entry.status,
      entry.operation,
      entry.requestorId,
      entry.reference,
      entry.code,
      entry.createdAt,
    ],
  )
  return rowCount === 1
}

/** From now on the attempt is refused if it still arrives. Does nothing when it has arrived. */
export async function close(handle: Handle, attemptId: string, now: Date): Promise<void> {
  await handle.query(
    `insert into simulator.network_token_entries (attempt_id, status, created_at) values ($1, 'closed', $2)
     on conflict (attempt_id) do nothing`,
    [attemptId, now],
  )
}

export async function findEntry(handle: Handle, attemptId: string): Promise<Entry | 'closed' | null> {
  const { rows } = await handle.query(
    `select ${ENTRY_COLUMNS} from simulator.network_token_entries where attempt_id = $1`,
    [attemptId],
  )
  if (rows.length === 0) return null
  return rows[0].status === 'closed' ? 'closed' : rows[0]
}

/** True for the first call of an attempt that has left no entry yet. */
export async function isFirstHit(
  handle: Handle,
  { attemptId, kind, now }: { readonly attemptId: string; readonly kind: string; readonly now: Date },
): Promise<boolean> {
  const { rowCount } = await handle.query(
    `insert into simulator.faults (attempt_id, kind, hit_at)
     select $1::text, $2::text, $3::timestamptz
     where not exists (select from simulator.network_token_entries where attempt_id = $1)
     on conflict (attempt_id) do nothing`,
    [attemptId, kind, now],
  )
  return rowCount === 1
}

/** The tokens of a merchant's name for them, with the operations that were carried out. */
export async function listBooks(handle: Handle, clientReference: string): Promise<object[]> {
  const { rows } = await handle.query(
    `select token.client_reference, token.status, token.expiration_date,
       (select coalesce(jsonb_agg(entry.operation order by entry.created_at, entry.attempt_id), '[]')
        from simulator.network_token_entries as entry
        where entry.reference = token.reference and entry.status = 'approved') as done
     from simulator.network_tokens as token where client_reference = $1`,
    [clientReference],
  )
  return rows
}
