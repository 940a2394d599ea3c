import { sql } from 'kysely'
import { newId } from '#domain/ids.ts'
import { write } from '#platform/brief-transaction.ts'
import type { Context, Scope, Tx } from '#platform/db.ts'
import { paginate } from '#platform/listing/by-age.ts'
import type { Collection, Page } from '#platform/pagination.ts'
import type { Secrets } from '#platform/secrets.ts'
import { insertInto } from '#platform/statements.ts'
import type { TransactionEvent } from './schemas.ts'

declare module '#platform/db.ts' {
  interface Tables {
    transaction_events: {
      merchant_account_id: string
      transaction_id: string
      id: string
      name: TransactionEvent['name']
      context: Readonly<Record<string, unknown>>
      created_at: Date
    }
  }
}

export type NewEvent = {
  readonly name: TransactionEvent['name']
  readonly context: Readonly<Record<string, unknown>>
}

/** Takes a `Tx`, so that an event is recorded together with its change. */
export async function record(
  tx: Scope<Tx>,
  transactionId: string,
  events: readonly NewEvent[],
): Promise<void> {
  const now = tx.clock()
  const [first, ...others] = events.map(({ name, context }) => ({
    merchant_account_id: tx.merchantAccountId,
    transaction_id: transactionId,
    id: newId(now.getTime()),
    name,
    context: JSON.stringify(context) as never,
    created_at: now,
  }))
  if (first) await write(tx, insertInto('transaction_events', first, ...others))
}

/** The same for many payments, in one statement. */
export async function recordAll(
  tx: Scope<Tx>,
  events: readonly (NewEvent & { readonly transactionId: string })[],
): Promise<void> {
  if (events.length === 0) return
  const now = tx.clock()
  const rows = events.map((event) => ({ id: newId(now.getTime()), ...event }))
  await sql`
    insert into transaction_events (merchant_account_id, transaction_id, id, name, context, created_at)
    select ${tx.merchantAccountId}, "transactionId", id, name, context, ${now}
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as event ("transactionId" uuid, id uuid, name text, context jsonb)
  `.execute(tx.db)
}

/** The events of one name, oldest first. */
export function listNamed({ db, merchantAccountId }: Scope, transactionId: string, name: NewEvent['name']) {
  return db
    .selectFrom('transaction_events')
    .select(['context', 'created_at'])
    .where('merchant_account_id', '=', merchantAccountId)
    .where('transaction_id', '=', transactionId)
    .where('name', '=', name)
    .orderBy('id')
    .execute()
}

export function list(
  { db }: Context,
  secrets: Secrets,
  {
    merchantAccountId,
    transactionId,
  }: { readonly merchantAccountId: string; readonly transactionId: string },
  page: Page,
): Promise<Collection<TransactionEvent>> {
  const query = db
    .selectFrom('transaction_events')
    .select(['id', 'name', 'context', 'created_at'])
    .where('merchant_account_id', '=', merchantAccountId)
    .where('transaction_id', '=', transactionId)
  return paginate(
    { name: `transaction-events:${transactionId}`, query, table: 'transaction_events', page, secrets },
    ({ id, name, context, created_at }) => ({
      type: 'transaction-event' as const,
      id,
      name,
      context,
      created_at: created_at.toISOString(),
    }),
  )
}
