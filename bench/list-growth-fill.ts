import pg from 'pg'
import { markOf } from '#resources/payouts/store.ts'
import { FILLING_SETTINGS, fillInBatches } from './fill-in-batches.ts'
import { BUSY_BUYER, OTHER_ACCOUNTS } from './list-growth-payment.ts'
import {
  type Fill,
  MAIN_ACCOUNT,
  type Rows,
  SECOND_ACCOUNT,
  SERIES,
  SMALL_ACCOUNT,
  SQL_ACCOUNT,
  sqlId,
  sqlTime,
} from './list-growth-rows.ts'

const BATCH = 5_000
export const METHODS_OF_A_BUYER = 3
export const SUBSCRIPTION = '01900000-0000-7000-8000-00000000beef'
const COMMON_KEY = keyOf(1)
export const OTHER_KEY = keyOf(2)
export const RARE_KEY = keyOf(3)

/** The tables that hold as many rows as are asked for. */
export const LARGE_TABLES: readonly string[] = [
  'buyers',
  'payment_methods',
  'transactions',
  'transaction_documents',
  'transaction_marks',
  'transaction_statuses',
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

type Filling = {
  /** What to add besides buyers. */
  readonly add: readonly Fill[]
  readonly progress: (text: string) => void
  /** Whether to add as many buyers as rows. Default: yes. */
  readonly hasBuyers?: boolean | undefined
}

/** Fills tables, then builds their indexes again: an index that grows row by row takes many times as long. */
export async function fill(
  connection: pg.ClientConfig,
  rows: Rows,
  { add, progress, hasBuyers = true }: Filling,
): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(FILLING_SETTINGS)
  await addAccounts(client)
  const indexes = await takeIndexes(client)
  if (hasBuyers) await fillInBatches(client, { kind: 'buyers', rows, size: BATCH }, progress)
  for (const one of add) await one(client, rows, progress)
  for (const { name, definition } of indexes) {
    progress(`index ${name}`)
    await client.query(definition)
  }
  progress('vacuum')
  for (const table of LARGE_TABLES) await client.query(`vacuum analyze ${table}`)
  await client.query('checkpoint')
  await client.end()
}

async function addAccounts(client: pg.Client): Promise<void> {
  await client.query(
    `insert into merchant_accounts
       (id, display_name, account_updater_enabled, async_network_tokens_enabled, created_at, updated_at)
     select id, id, false, false, now(), now() from unnest($1::text[]) as id on conflict do nothing`,
    [[MAIN_ACCOUNT, SECOND_ACCOUNT, SMALL_ACCOUNT, ...OTHER_ACCOUNTS]],
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

/** One row in a hundred is the busy buyer’s; of the others, three in a row are of one buyer. */
const SQL_BUYER = `case when index % 100 = 0 then ${sqlId(String(BUSY_BUYER))}
         else ${sqlId(`(index - index % ${METHODS_OF_A_BUYER})`)} end`

/** Statements that fill tables, each with the name of what it adds. Their parameters are those of `SERIES`. */
function filling(statements: Readonly<Record<string, string>>): Fill {
  return async (client, { count, startMs, stepMs }, progress) => {
    for (const [what, statement] of Object.entries(statements)) {
      progress(`${what}: ${count}`)
      await client.query(statement, statement.includes('$1') ? [count, startMs, stepMs] : [])
    }
  }
}

/** Most have succeeded, 3 % failed, one in a thousand is processing, and five of the oldest wait for approval. */
export const fillPaymentMethods = filling({
  'payment methods': `insert into payment_methods (id, merchant_account_id, method, mode, status, buyer_id, external_identifier, label,
       scheme, expiration_date, expires_on, fingerprint, bin, card_type, card_issuer_name, card_country, vault_token,
       created_at, updated_at)
     select ${sqlId('index')},
       ${SQL_ACCOUNT},
       'card', 'card',
       case when index between 100 and 104 then 'buyer_approval_required'
         when index % 1000 = 500 then 'processing' when index % 100 in (10, 20, 30) then 'failed'
         else 'succeeded' end,
       ${SQL_BUYER},
       case when index % 2 = 0 then 'customer-' || index end,
       lpad((index % 10000)::text, 4, '0'), 'visa', '12/30', '2031-01-01',
       encode(sha256(index::text::bytea), 'hex'), '41111111', 'credit', 'Test Bank', 'US', gen_random_uuid(),
       ${sqlTime('index')}, ${sqlTime('index')}
     from ${SERIES}`,
})

const EVENT_NAME = `case when index between 100 and 104 then 'gift-card.deleted'
  when index % 10 = 3 then 'buyer.created' else 'transaction.authorized' end`
const DELIVERY_STATUS = `case when index between 100 and 104 then 'waiting' when index % 1000 = 500 then 'parked'
  else 'delivered' end`

export const fillEvents = filling({
  events: `insert into events (id, merchant_account_id, name, target_type, target_id, target, created_at)
     select ${sqlId('index')},
       ${SQL_ACCOUNT},
       ${EVENT_NAME}, 'buyer', ${sqlId('index')},
       jsonb_build_object('type', 'buyer', 'display_name', repeat('x', 200)), ${sqlTime('index')}
     from ${SERIES}`,
  'the subscription': `insert into webhook_subscriptions (id, merchant_account_id, active, url, secrets, created_at, updated_at)
     values ('${SUBSCRIPTION}', '${MAIN_ACCOUNT}', true, 'http://127.0.0.1:9/', jsonb_build_object('secret', gen_random_uuid()), now(), now())`,
  deliveries: `insert into webhook_deliveries (subscription_id, id, event_name, status, attempts, next_attempt_at, delivered_at,
       parked_because, created_at, updated_at)
     select '${SUBSCRIPTION}', id, 'buyer.created', status, 1,
       case status when 'waiting' then timestamptz '2100-01-01' end, case status when 'delivered' then at end,
       case status when 'parked' then 'schedule_ended' end, at, at
     from (select ${sqlId('index')} as id, ${DELIVERY_STATUS} as status, ${sqlTime('index')} as at from ${SERIES}) as made`,
})

export const fillAuditLogs = filling({
  'audit logs': `insert into audit_logs (id, merchant_account_id, action, resource_type, resource_id, resource_name, actor_id,
       actor_name, request_id, created_at)
     select ${sqlId('index')}, case when index % 100 = 2 then null else ${SQL_ACCOUNT} end,
       case when index between 100 and 104 then 'voided' when index % 10 = 3 then 'updated' else 'created' end,
       case when index between 110 and 114 then 'digital-wallet' when index % 10 = 4 then 'buyer'
         else 'transaction' end,
       ${sqlId('index')}::text, 'Bench',
       case when index between 120 and 124 then '${RARE_KEY}'::uuid when index % 10 = 5 then '${OTHER_KEY}'
         else '${COMMON_KEY}' end,
       'Bench', gen_random_uuid()::text, ${sqlTime('index')}
     from ${SERIES}`,
})

export const fillGiftCards = filling({
  'gift cards': `insert into gift_cards (id, merchant_account_id, gift_card_service_id, buyer_id, bin, sub_bin, last4, fingerprint,
       number_token, pin_token, created_at, updated_at)
     select ${sqlId('index')}, ${SQL_ACCOUNT}, (select id from gift_card_services order by id limit 1),
       ${SQL_BUYER},
       '900012', '345', lpad((index % 10000)::text, 4, '0'), encode(sha256(index::text::bytea), 'hex'),
       gen_random_uuid(), gen_random_uuid(), ${sqlTime('index')}, ${sqlTime('index')}
     from ${SERIES}`,
})

const LINK_STATUS = `case when index between 100 and 104 then 'active' when index % 1000 = 500 then 'processing'
  when index >= $1::bigint * 99 / 100 then 'active' when index % 10 = 3 then 'expired' else 'completed' end`
const MADE_LINKS = `(select ${sqlId('index')} as id, ${LINK_STATUS} as status, ${sqlTime('index')} as at, index,
  ${SQL_ACCOUNT} as account
  from ${SERIES}) as made`
/** The newest are still active when the benchmark ends. */
const EXPIRY = `case when index >= $1::bigint * 99 / 100 then timestamptz '2100-01-01' else at + interval '1 day' end`
const LINK_DUE = `case status when 'active' then ${EXPIRY} end`

/** The job leaves the overdue ones alone while the benchmark runs: it is not there. */
export const fillLinks = filling({
  'payment links': `insert into payment_links (merchant_account_id, id, amount, currency, country, intent, payment_source, store, buyer_id,
       document, status, transaction_id, tries, expires_at, due_at, updated_at)
     select account, id, index % 997, case when index between 100 and 104 then 'CLP' when index % 10 = 4 then 'EUR'
       else 'USD' end, 'US', 'capture', 'ecommerce', false, id, jsonb_build_object('merchant_message', repeat('x', 200)),
       status, case when status in ('processing', 'completed') then id end, 1, ${EXPIRY}, ${LINK_DUE}, at
     from ${MADE_LINKS}`,
  'times of payment links': `insert into payment_link_times (merchant_account_id, id, updated_at, due_at) select account, id, at, ${LINK_DUE} from ${MADE_LINKS}`,
  'marks of payment links': `insert into payment_link_marks (merchant_account_id, mark, id) select account, 'status:' || status, id from ${MADE_LINKS}`,
})

const PAYOUT_STATUS = `case when index between 100 and 104 then 'pending' when index % 1000 = 500 then 'failed'
  when index % 100 in (10, 20, 30) then 'declined' else 'succeeded' end`
const PAYOUT_REFERENCE = `case when index not between 100 and 104 then 'payout-' || index end`
const METHOD = { method: 'card', mode: 'card', label: '1111', scheme: 'visa', expiration_date: '12/30' }
const PAID_OUT = JSON.stringify({
  payment_method: METHOD,
  buyer: null,
  merchant: null,
  connection_options: null,
})

export const fillPayouts = filling({
  payouts: `insert into payouts (merchant_account_id, id, amount, currency, external_identifier, payment_service_id, document,
       status, payment_service_payout_id, updated_at)
     select ${SQL_ACCOUNT}, ${sqlId('index')}, 1 + index % 5000, 'USD', case when index % 2 = 0 then 'customer-' || index end,
       service.id, '${PAID_OUT}'::jsonb, ${PAYOUT_STATUS}, ${PAYOUT_REFERENCE}, ${sqlTime('index')}
     from ${SERIES}, (select id from payment_services order by created_at limit 1) as service`,
  'marks of payouts': `insert into payout_marks (merchant_account_id, mark, id)
     select merchant_account_id, mark, id from payouts, unnest(array[
       '${markOf('status', '')}' || status, '${markOf('service-payout', '')}' || payment_service_payout_id]) as mark
     where mark is not null`,
  'updates of payouts': 'insert into payout_updates select merchant_account_id, id, updated_at from payouts',
})

function keyOf(number: number): string {
  return `019a0000-0000-7000-8000-00000000000${number}`
}
