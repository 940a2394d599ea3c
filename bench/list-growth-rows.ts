import pg from 'pg'
import { searchTerms, searchText } from '#resources/buyers/search-terms.ts'

export const MAIN_ACCOUNT = 'default'
/** Holds one row in ten. */
export const SECOND_ACCOUNT = 'second'
export const SMALL_ACCOUNT = 'small'
const SMALL_ROWS = 5
const PERIOD_MS = 365 * 24 * 3_600_000
const BATCH = 5_000
/** No term holds it: texts have no control characters, and the other terms use the first two. */
const TERM_END = '\u001f'
const RARE_NAME = 'Zyxwald'
const FIRST_NAMES = ['Anna', 'Ben', 'Clara', 'David', 'Emma', 'Felix', 'Greta', 'Hugo', 'Ida', 'Jonas']
const LAST_NAMES = ['Berg', 'Dorn', 'Fuchs', 'Gross', 'Huber', 'Jung', 'Koch', 'Lang', 'Meyer', 'Nowak']

/** The rows of a database as a rule from index to content, which both programs and SQL can follow. */
export type Rows = { readonly count: number; readonly startMs: number; readonly stepMs: number }

export function rowsOf(count: number): Rows {
  return { count, startMs: Date.now() - PERIOD_MS, stepMs: Math.floor(PERIOD_MS / count) }
}

export function createdAt({ startMs, stepMs }: Rows, index: number): Date {
  return new Date(startMs + index * stepMs)
}

/** The same layout as the service's own ids: the time first. */
export function idOf(rows: Rows, index: number): string {
  const time = createdAt(rows, index).getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${index.toString(16).padStart(12, '0')}`
}

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
  // Foreign keys are right by construction. Checking each would take longer than writing it.
  await client.query(`set session_replication_role = replica; set synchronous_commit = off;
    set maintenance_work_mem = '512MB'; set timezone = 'UTC'`)
  await addAccounts(client, accounts)
  const indexes = await takeIndexes(client)
  for (let first = 0; hasBuyers && first < rows.count; first += BATCH) {
    progress(`buyers: ${first} of ${rows.count}`)
    await addBuyers(client, rows, first, Math.min(first + BATCH, rows.count))
  }
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

/** The few rows of the small account are spread over the whole time; the other accounts alternate. */
function accountOf({ count }: Rows, index: number): string {
  if (index % Math.floor(count / SMALL_ROWS) === 1) return SMALL_ACCOUNT
  return index % 10 === 9 ? SECOND_ACCOUNT : MAIN_ACCOUNT
}

async function addBuyers(client: pg.Client, rows: Rows, first: number, end: number): Promise<void> {
  const buyers = Array.from({ length: end - first }, (_none, at) => buyerOf(rows, first + at))
  const column = <Value>(pick: (buyer: (typeof buyers)[number]) => Value) => buyers.map(pick)
  await client.query(
    `insert into buyers (id, merchant_account_id, created_at, updated_at, display_name, external_identifier,
       billing_details, search_text, search_terms)
     select id, account, created_at, created_at, name, reference, json_build_object('email_address', email), text,
       array_to_tsvector(string_to_array(terms, '${TERM_END}'))
     from unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
       as given (id, account, created_at, name, reference, email, text, terms)`,
    [
      column(({ id }) => id),
      column(({ merchant_account_id }) => merchant_account_id),
      column(({ created_at }) => created_at.toISOString()),
      column(({ name }) => name),
      column(({ reference }) => reference),
      column(({ email }) => email),
      column(({ search_text }) => search_text),
      column(({ terms }) => terms),
    ],
  )
}

function buyerOf(rows: Rows, index: number) {
  const name = nameOf(rows, index)
  const email = emailOf(rows, index)
  const reference = referenceOf(index)
  const search_text = searchText([name, email, reference])
  const row = {
    id: idOf(rows, index),
    merchant_account_id: accountOf(rows, index),
    created_at: createdAt(rows, index),
    search_text,
  }
  return { ...row, name, email, reference, terms: searchTerms(row).join(TERM_END) }
}

/** One in 100 has a given name, one in 25,000 also a given number after it, three of all the rare name. */
export function nameOf({ count }: Rows, index: number): string {
  const isRare = index % Math.floor(count / 3) === 17
  const last = isRare ? RARE_NAME : LAST_NAMES[Math.floor(index / 10) % 10]
  return `${FIRST_NAMES[index % 10]} ${last} ${Math.floor(index / 100) % 250}`
}

export function emailOf(rows: Rows, index: number): string {
  return `${nameOf(rows, index).replaceAll(' ', '.').toLowerCase()}@shop.example`
}

/** Of buyers and payment methods alike. */
export function referenceOf(index: number): string {
  return `customer-${index}`
}

/** The buyer of one payment method in a hundred. */
export const BUSY_BUYER = 0
export const METHODS_OF_A_BUYER = 3

/** Most have succeeded, 3 % failed, one in a thousand is processing, and five of the oldest wait for approval. */
export async function fillPaymentMethods(
  client: pg.Client,
  rows: Rows,
  progress: (text: string) => void,
): Promise<void> {
  progress(`payment methods: ${rows.count}`)
  await client.query(
    `insert into payment_methods (id, merchant_account_id, method, mode, status, buyer_id, external_identifier, label,
       scheme, expiration_date, expires_on, fingerprint, bin, card_type, card_issuer_name, card_country, vault_token,
       created_at, updated_at)
     select ${sqlId('index')},
       ${SQL_ACCOUNT},
       'card', 'card',
       case when index between 100 and 104 then 'buyer_approval_required'
         when index % 1000 = 500 then 'processing' when index % 100 in (10, 20, 30) then 'failed'
         else 'succeeded' end,
       case when index % 100 = 0 then ${sqlId(String(BUSY_BUYER))}
         else ${sqlId(`(index - index % ${METHODS_OF_A_BUYER})`)} end,
       case when index % 2 = 0 then 'customer-' || index end,
       lpad((index % 10000)::text, 4, '0'), 'visa', '12/30', '2031-01-01',
       encode(sha256(index::text::bytea), 'hex'), '41111111', 'credit', 'Test Bank', 'US', gen_random_uuid(),
       ${sqlTime('index')}, ${sqlTime('index')}
     from ${SERIES}`,
    [rows.count, rows.startMs, rows.stepMs],
  )
}

export function sqlTime(index: string): string {
  return `to_timestamp((start_ms + ${index} * step_ms) / 1000.0)`
}

/** The account of a row, by its `index`. The first parameter is the count of rows. */
export const SQL_ACCOUNT = `case when index % ($1::bigint / ${SMALL_ROWS}) = 1 then '${SMALL_ACCOUNT}'
  when index % 10 = 9 then '${SECOND_ACCOUNT}' else '${MAIN_ACCOUNT}' end`

/** An `index` for each row, and the `rule` for their times. Its parameters are count, start and step. */
export const SERIES = `generate_series(0, $1::bigint - 1) as index,
  (select $2::bigint as start_ms, $3::bigint as step_ms) as rule`

/** What `idOf` makes. */
export function sqlId(index: string): string {
  const time = `lpad(to_hex(start_ms + ${index} * step_ms), 12, '0')`
  return `(${time} || '70008000' || lpad(to_hex(${index}::bigint), 12, '0'))::uuid`
}
