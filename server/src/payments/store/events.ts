import { sql } from 'kysely'
import { newId } from '#domain/ids.ts'
import type { Secrets } from '#platform/access/secrets.ts'
import { write } from '#platform/database/brief-transaction.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import { insertColumns, insertRows } from '#platform/database/statements.ts'
import { paginate } from '#platform/listing/by-age.ts'
import type { Collection, Page } from '#platform/listing/pagination.ts'
import type { TransactionEvent } from '#resources/transactions/wire/event.ts'

declare module '#platform/database/db.ts' {
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

type Place = { readonly id: string; readonly created_at: Date }

export type StoredEvent = NewEvent & Place

/**
 * Gives events their place before they are recorded. Events that are made later come after them: the time gives the order, and
 * within a millisecond the id.
 */
export function placed({ clock }: Pick<Scope, 'clock'>, events: readonly NewEvent[]): StoredEvent[] {
  const now = clock()
  return events.map((event) => ({ ...event, id: newId(now.getTime()), created_at: now }))
}

/** Takes a `Tx`, so that an event is recorded together with its change. */
export async function record(
  tx: Scope<Tx>,
  transactionId: string,
  events: readonly (NewEvent & Partial<Place>)[],
): Promise<void> {
  if (events.length === 0) return
  const now = tx.clock()
  const rows = events.map(({ name, context, id = newId(now.getTime()), created_at = now }) => ({
    merchant_account_id: tx.merchantAccountId,
    transaction_id: transactionId,
    id,
    name,
    context,
    created_at,
  }))
  await write(tx, insertRows('transaction_events', rows))
}

/** The same for many payments, in one statement. */
export async function recordAll(
  tx: Scope<Tx>,
  events: readonly (NewEvent & { readonly transactionId: string })[],
): Promise<void> {
  if (events.length === 0) return
  const now = tx.clock()
  const statement = insertColumns('transaction_events', {
    same: { merchant_account_id: ['text', tx.merchantAccountId], created_at: ['timestamptz', now] },
    each: {
      transaction_id: ['uuid', events.map(({ transactionId }) => transactionId)],
      id: ['uuid', events.map(() => newId(now.getTime()))],
      name: ['text', events.map(({ name }) => name)],
      context: ['jsonb', events.map(({ context }) => context)],
    },
  })
  await write(tx, statement)
}

/** Takes what providers said in their own words out of a payment's history. */
export async function forgetBuyer(
  { db, merchantAccountId }: Scope<Tx>,
  transactionId: string,
): Promise<void> {
  await sql`
    update transaction_events set context = context - '{raw_response_description,reason}'::text[]
    where merchant_account_id = ${merchantAccountId} and transaction_id = ${transactionId}
  `.execute(db)
}

/** Whether the payment's history has a decision of an anti-fraud service. */
export async function isJudgedBy(
  { db, merchantAccountId }: Scope,
  transactionId: string,
  serviceId: string,
): Promise<boolean> {
  const { rows } = await sql`
    select from transaction_events
    where merchant_account_id = ${merchantAccountId} and transaction_id = ${transactionId}
      and name like 'anti-fraud-decision%' and context->>'anti_fraud_service_id' = ${serviceId}
    limit 1`.execute(db)
  return rows.length > 0
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

/** `kept`: an event that is no row of its own. */
export function list(
  { db, merchantAccountId }: Scope,
  secrets: Secrets,
  { transactionId, kept }: { readonly transactionId: string; readonly kept: StoredEvent | undefined },
  page: Page,
): Promise<Collection<TransactionEvent>> {
  const rows = sql`
    select id, name, context, created_at from transaction_events
    where merchant_account_id = ${merchantAccountId} and transaction_id = ${transactionId}`
  const found = sql<StoredEvent>`(${kept ? sql`${rows} union all ${asRow(kept)}` : rows})`
  const query = db.selectFrom(found.as('transaction_events')).selectAll('transaction_events')
  return paginate(
    {
      name: `transaction-events:${transactionId}`,
      query,
      table: 'transaction_events',
      page,
      mac: secrets.mac,
    },
    ({ id, name, context, created_at }) => ({
      type: 'transaction-event' as const,
      id,
      name,
      context,
      created_at: created_at.toISOString(),
    }),
  )
}

function asRow({ id, name, context, created_at }: StoredEvent) {
  return sql`select ${id}::uuid, ${name}::text, ${JSON.stringify(context)}::jsonb, ${created_at}::timestamptz`
}
