import type { Handle, Tx } from './office.ts'

type OperationName =
  | 'issue'
  | 'activate'
  | 'load'
  | 'hold'
  | 'release'
  | 'redeem'
  | 'refund'
  | 'reverse'
  | 'expire'

/** What the books say of an attempt that arrived. */
export type Operation = {
  readonly programId: string
  readonly attemptId: string
  readonly status: 'approved' | 'refused'
  readonly operation: OperationName
  readonly id: string
  readonly cardId: string | null
  readonly targetId: string | null
  readonly transactionId: string | null
  readonly amount: number | null
  readonly currency: string | null
  readonly givenBack: number
  readonly code: string | null
  readonly rawCode: string | null
  readonly rawMessage: string | null
  readonly createdAt: Date
  /** The card's expiry as it is now. */
  readonly expiresAt: Date | null
}

/** Moves value from one account to another. */
export type Entry = {
  readonly operationId: string
  readonly debit: string
  readonly credit: string
  readonly amount: number
  readonly createdAt: Date
}

type ProgramAccount = 'sold' | 'redeemed' | 'refunded' | 'expired'
type Owner = { readonly programId: string; readonly currency: string }

export function cardAccount(cardId: string): string {
  return `card:${cardId}`
}

export function holdAccount(holdId: string): string {
  return `hold:${holdId}`
}

export function programAccount(kind: ProgramAccount, { programId, currency }: Owner): string {
  return `${kind}:${programId}:${currency}`
}

/** The account of a new card, and those of its program, unless an earlier card has opened them. */
export async function openAccounts(tx: Tx, owner: Owner, cardId: string): Promise<void> {
  const { programId, currency } = owner
  await tx.query(
    `insert into issuer.accounts (id, program_id, kind, card_id, currency, balance)
     values ($1, $2, 'card', $3, $4, 0)`,
    [cardAccount(cardId), programId, cardId, currency],
  )
  const kinds: readonly ProgramAccount[] = ['sold', 'redeemed', 'refunded', 'expired']
  await tx.query(
    `insert into issuer.accounts (id, program_id, kind, currency)
     select id, $3, kind, $4 from unnest($1::text[], $2::text[]) as new (id, kind)
     on conflict (id) do nothing`,
    [kinds.map((kind) => programAccount(kind, owner)), kinds, programId, currency],
  )
}

export async function openHold(tx: Tx, owner: Owner, hold: { id: string; cardId: string }): Promise<void> {
  await tx.query(
    `insert into issuer.accounts (id, program_id, kind, card_id, currency, balance)
     values ($1, $2, 'hold', $3, $4, 0)`,
    [holdAccount(hold.id), owner.programId, hold.cardId, owner.currency],
  )
}

export async function readHold(tx: Tx, holdId: string): Promise<number> {
  const { rows } = await tx.query<{ balance: number }>(
    'select balance::float8 as balance from issuer.accounts where id = $1',
    [holdAccount(holdId)],
  )
  return rows[0]?.balance ?? 0
}

/** Holds from before that time that were neither used up nor released. */
export async function listOldHolds(handle: Handle, before: Date, limit: number): Promise<Operation[]> {
  const { rows } = await handle.query<Operation>(
    `select ${COLUMNS} from issuer.accounts a
     join issuer.operations o on o.id = substr(a.id, 6)::uuid
     left join issuer.cards c on c.id = o.card_id
     where a.kind = 'hold' and a.balance > 0 and o.created_at <= $1
     limit $2`,
    [before, limit],
  )
  return rows
}

/** Moves value, in one statement. The database refuses a negative balance. */
export async function post(tx: Tx, { operationId, debit, credit, amount, createdAt }: Entry): Promise<void> {
  await tx.query(
    `with debited as (update issuer.accounts set balance = balance - $4 where id = $2 and balance is not null),
       credited as (update issuer.accounts set balance = balance + $4 where id = $3 and balance is not null)
     insert into issuer.entries (operation_id, debit_account, credit_account, amount, created_at)
     values ($1, $2, $3, $4, $5)`,
    [operationId, debit, credit, amount, createdAt],
  )
}

/** False when the attempt is known already, or closed. */
export async function insert(handle: Handle, operation: Omit<Operation, 'expiresAt'>): Promise<boolean> {
  const { rowCount } = await handle.query(
    `insert into issuer.operations (
       program_id, attempt_id, status, operation, id, card_id, target_id, transaction_id, amount, currency, code,
       raw_code, raw_message, created_at
     ) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
     on conflict (program_id, attempt_id) do nothing`,
    [
      operation.programId,
      operation.attemptId,
      operation.status,
      operation.operation,
      operation.id,
      operation.cardId,
      operation.targetId,
      operation.transactionId,
      operation.amount,
      operation.currency,
      operation.code,
      operation.rawCode,
      operation.rawMessage,
      operation.createdAt,
    ],
  )
  return rowCount === 1
}

type Attempt = { readonly programId: string; readonly attemptId: string }

/** From now on the attempt is refused if it still arrives. Does nothing when it has arrived. */
export async function close(handle: Handle, { programId, attemptId }: Attempt, now: Date): Promise<void> {
  await handle.query(
    `insert into issuer.operations (program_id, attempt_id, status, created_at) values ($1, $2, 'closed', $3)
     on conflict (program_id, attempt_id) do nothing`,
    [programId, attemptId, now],
  )
}

const COLUMNS = `
  o.program_id as "programId", o.attempt_id as "attemptId", o.status, o.operation, o.id, o.card_id as "cardId",
  o.target_id as "targetId", o.transaction_id as "transactionId", o.amount::float8 as amount, o.currency,
  o.given_back::float8 as "givenBack", o.code, o.raw_code as "rawCode", o.raw_message as "rawMessage",
  o.created_at as "createdAt", c.expires_at as "expiresAt"`

export async function find(
  handle: Handle,
  { programId, attemptId }: Attempt,
): Promise<Operation | 'closed' | null> {
  const { rows } = await handle.query(
    `select ${COLUMNS} from issuer.operations o left join issuer.cards c on c.id = o.card_id
     where o.program_id = $1 and o.attempt_id = $2`,
    [programId, attemptId],
  )
  if (rows.length === 0) return null
  return rows[0].status === 'closed' ? 'closed' : rows[0]
}

export async function findById(
  handle: Handle,
  { programId, id }: { readonly programId: string; readonly id: string },
): Promise<Operation | null> {
  const { rows } = await handle.query<Operation>(
    `select ${COLUMNS} from issuer.operations o left join issuer.cards c on c.id = o.card_id
     where o.id = $2 and o.program_id = $1`,
    [programId, id],
  )
  return rows[0] ?? null
}

/** The card must be locked. */
export async function addGivenBack(tx: Tx, redemptionId: string, amount: number): Promise<void> {
  await tx.query('update issuer.operations set given_back = given_back + $2 where id = $1', [
    redemptionId,
    amount,
  ])
}
