import { sql } from 'kysely'
import type { Context, Scope, Tables, Tx } from '#platform/database/db.ts'

type State = 'writing' | 'archived' | 'restored' | 'abandoned'

declare module '#platform/database/db.ts' {
  interface Tables {
    archives: {
      merchant_account_id: string
      id: string
      month: string
      state: State
      file: string
      stored_in: string
      sha256: string | null
      size: string | null
      payments: number | null
      created_at: Date
      updated_at: Date
    }
    archived_payments: {
      merchant_account_id: string
      id: string
      archive_id: string
      buyer_id: string | null
    }
  }
}

export type StoredArchive = Tables['archives']
const COLUMNS = [
  'merchant_account_id',
  'id',
  'month',
  'state',
  'file',
  'stored_in',
  'sha256',
  'size',
  'payments',
  'created_at',
  'updated_at',
] as const

/** The file is not written yet. What a killed process leaves behind is found by this row. */
export async function begin(
  { db, clock, merchantAccountId }: Scope,
  archive: Pick<StoredArchive, 'id' | 'month' | 'file' | 'stored_in'>,
): Promise<void> {
  const now = clock()
  await db
    .insertInto('archives')
    .values({
      ...archive,
      merchant_account_id: merchantAccountId,
      state: 'writing',
      sha256: null,
      size: null,
      payments: null,
      created_at: now,
      updated_at: now,
    })
    .execute()
}

type Written = { readonly sha256: string; readonly size: number; readonly payments: number }

/** The change of state. Returns false if the archive is in another one by now. */
export async function change(
  { db, clock, merchantAccountId }: Scope,
  id: string,
  { from, to, written }: { readonly from: State; readonly to: State; readonly written?: Written },
): Promise<boolean> {
  const changed = await db
    .updateTable('archives')
    .set({ state: to, updated_at: clock(), ...(written && { ...written, size: String(written.size) }) })
    .where('merchant_account_id', '=', merchantAccountId)
    .where('id', '=', id)
    .where('state', '=', from)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}

export type ArchivedPayment = { readonly id: string; readonly buyer_id: string | null }

export async function insertPayments(
  { db, merchantAccountId }: Scope<Tx>,
  archiveId: string,
  payments: readonly ArchivedPayment[],
): Promise<void> {
  const ids = payments.map(({ id }) => id)
  const buyerIds = payments.map(({ buyer_id }) => buyer_id)
  await sql`
    insert into archived_payments (merchant_account_id, id, archive_id, buyer_id)
    select ${merchantAccountId}, id, ${archiveId}, buyer_id
    from unnest(${ids}::uuid[], ${buyerIds}::uuid[]) as payment (id, buyer_id)
  `.execute(db)
}

/** For payments that are back. Returns how many there were. */
export async function removePayments(
  { db, merchantAccountId }: Scope<Tx>,
  archiveId: string,
  ids: readonly string[],
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from archived_payments
    where merchant_account_id = ${merchantAccountId} and id = any(${ids}::uuid[]) and archive_id = ${archiveId}
  `.execute(db)
  return Number(numAffectedRows)
}

/** The archives in a state, the oldest month first. */
export function inState({ db }: Context, state: State): Promise<StoredArchive[]> {
  return db
    .selectFrom('archives')
    .select(COLUMNS)
    .where('state', '=', state)
    .orderBy('month')
    .orderBy('merchant_account_id')
    .orderBy('id')
    .execute()
}

/** The archives that hold a payment, or payments of a buyer, of any merchant account. */
export async function holding({ db }: Context, id: string): Promise<StoredArchive[]> {
  const { rows } = await sql<StoredArchive>`
    select ${sql.join(COLUMNS.map((column) => sql.ref(`archive.${column}`)))} from merchant_accounts as account
    cross join lateral (
      select archive_id from archived_payments where merchant_account_id = account.id and id = ${id}
      union
      select archive_id from archived_payments where merchant_account_id = account.id and buyer_id = ${id}
    ) as payment
    join archives as archive on archive.merchant_account_id = account.id and archive.id = payment.archive_id
    order by archive.month, archive.merchant_account_id, archive.id
  `.execute(db)
  return rows
}

/** The month of an archived payment. */
export async function monthOf(
  { db, merchantAccountId }: Scope,
  paymentId: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ month: string }>`
    select archive.month from archived_payments as payment
    join archives as archive
      on archive.merchant_account_id = payment.merchant_account_id and archive.id = payment.archive_id
    where payment.merchant_account_id = ${merchantAccountId} and payment.id = ${paymentId}
  `.execute(db)
  return rows[0]?.month
}

/** Whether archived payments name a buyer. */
export async function nameBuyer({ db, merchantAccountId }: Scope, buyerId: string): Promise<boolean> {
  const found = await db
    .selectFrom('archived_payments')
    .select('id')
    .where('merchant_account_id', '=', merchantAccountId)
    .where('buyer_id', '=', buyerId)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** The months of an account that were brought back since a time. */
export async function restoredSince(
  { db, merchantAccountId }: Scope,
  since: Date,
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('archives')
    .select('month')
    .distinct()
    .where('merchant_account_id', '=', merchantAccountId)
    .where('state', '=', 'restored')
    .where('updated_at', '>', since)
    .execute()
  return new Set(rows.map(({ month }) => month))
}

const ARCHIVE_LOCK = 4_121_640_164

/**
 * One command at a time moves payments. The lock ends with its connection. It belongs to a transaction without other statements,
 * because a pooler may end a lock of the session with the first statement.
 */
export function alone<Result>({ db }: Context, work: () => Promise<Result>): Promise<Result> {
  return db.transaction().execute(async (lock) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(lock)
    const { rows } = await sql<{
      taken: boolean
    }>`select pg_try_advisory_xact_lock(${ARCHIVE_LOCK}) as taken`.execute(lock)
    if (!rows[0]?.taken)
      throw new Error('Another "switchyard archive" is running on this database. Wait for it to end.')
    return work()
  })
}
