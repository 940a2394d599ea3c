import pg from 'pg'
import { FILLING_SETTINGS, fillInBatches } from './fill-in-batches.ts'
import type { Rows } from './list-growth-rows.ts'

const BATCH = 5_000

/** The tables that hold as many rows as are asked for. */
export const LARGE_TABLES: readonly string[] = [
  'buyers',
  'payment_methods',
  'transactions',
  'transaction_documents',
  'transaction_marks',
  'transaction_updates',
  'events',
  'webhook_deliveries',
  'audit_logs',
  'gift_cards',
  'payment_links',
  'payment_link_times',
  'payment_link_marks',
  'payouts',
  'payout_marks',
  'payout_updates',
]

export type Filling = {
  readonly accounts: readonly string[]
  /** What to add besides buyers. */
  readonly add: (client: pg.Client, rows: Rows, progress: (text: string) => void) => Promise<void>
  readonly progress: (text: string) => void
  /** Whether to add as many buyers as rows. Default: yes. */
  readonly hasBuyers?: boolean
}

/** Fills tables, then builds their indexes again: an index that grows row by row takes many times as long. */
export async function fill(
  connection: pg.ClientConfig,
  rows: Rows,
  { accounts, add, progress, hasBuyers = true }: Filling,
): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(FILLING_SETTINGS)
  await addAccounts(client, accounts)
  const indexes = await takeIndexes(client)
  if (hasBuyers) await fillInBatches(client, { kind: 'buyers', rows, size: BATCH }, progress)
  await add(client, rows, progress)
  for (const { name, definition } of indexes) {
    progress(`index ${name}`)
    await client.query(definition)
  }
  progress('vacuum')
  for (const table of LARGE_TABLES) await client.query(`vacuum analyze ${table}`)
  await client.query('checkpoint')
  await client.end()
}

async function addAccounts(client: pg.Client, accounts: readonly string[]): Promise<void> {
  await client.query(
    `insert into merchant_accounts
       (id, display_name, account_updater_enabled, async_network_tokens_enabled, created_at, updated_at)
     select id, id, false, false, now(), now() from unnest($1::text[]) as id on conflict do nothing`,
    [accounts],
  )
}

type Index = { readonly name: string; readonly definition: string }

async function takeIndexes(client: pg.Client): Promise<Index[]> {
  const { rows } = await client.query<Index>(
    `select indexname as name, indexdef as definition from pg_indexes
     where tablename = any($1) and indexname not like '%_pkey' order by indexname`,
    [LARGE_TABLES],
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return rows
}
