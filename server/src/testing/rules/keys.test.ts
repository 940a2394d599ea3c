import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase } from '../harness.ts'

/*
 * Databases that spread over machines put the rows of an account together, if the account is first in every key of a table. This
 * says which large tables are ready for it. A new table is either ready or named here (docs/guide/scale.md).
 */

/** A copy on every machine: settings, people, and what the installation has few of. They may have any key. */
const SMALL = [
  ...[
    'instance',
    'made_once',
    'schema_migrator',
    'page_checks',
    'sandbox_clock',
    'sandbox_fill',
    'rate_limits',
    'service_memories',
  ],
  ...[
    'merchant_accounts',
    'merchant_account_network_tokens',
    'merchant_account_themes',
    'three_ds_configurations',
  ],
  ...[
    'roles',
    'api_key_pairs',
    'api_key_pair_roles',
    'api_key_pair_merchant_accounts',
    'card_bins',
    'retry_policies',
  ],
  ...['users', 'user_roles', 'user_merchant_accounts', 'user_sessions', 'user_passkeys', 'user_passwords'],
  ...['user_former_passwords', 'user_recovery_codes', 'user_lock_outs', 'user_challenges', 'user_links'],
  ...['user_identities', 'user_money_moves', 'saved_views'],
  ...[
    'payment_services',
    'account_updater_services',
    'anti_fraud_services',
    'gift_card_services',
    'network_token_services',
    'three_ds_services',
    'webhook_subscriptions',
  ],
  ...['digital_wallets', 'digital_wallet_keys', 'digital_wallet_domains', 'three_ds_scenarios'],
  ...['vault_forward_authentications', 'vault_forward_endpoints', 'vault_import_keys', 'vault_imports'],
  'vault_export_shares',
  ...['flow_versions', 'flow_back_tests', 'monitoring_metrics', 'monitoring_incidents', 'reports'],
  ...['metrics_explorer_presets', 'payment_service_report_feeds', 'payment_service_reports'],
  ...[
    'payment_service_report_files',
    'payment_service_report_offers',
    'archives',
    'audit_archives',
    'audit_seals',
  ],
  ...['vault.key_encryption_keys', 'vault.data_keys', 'vault.rotation'],
]

const BY_ID = 'found by its id alone, also by jobs for all accounts'
const SET_NULL =
  'a deleted buyer is set to null, which for one column of a key of two takes PostgreSQL 15, and 14 is supported'
const BY_METHOD = 'found by the stored method or card that it belongs to'
const NULL_ACCOUNT = 'rows of the installation have no account, and a primary key takes no null'
const NO_ACCOUNT = 'has no account: it is written with rows that have one, and found by other keys'

/** Large tables whose keys have yet to be changed, with what stands in the way. */
const NOT_READY: Readonly<Record<string, string>> = {
  account_updater_inquiries: BY_METHOD,
  account_updater_jobs: BY_ID,
  anti_fraud_progress: BY_ID,
  attempt_orders: 'has the key of attempts',
  attempts: BY_ID,
  audit_logs: NULL_ACCOUNT,
  audit_waiting: NO_ACCOUNT,
  buyer_shipping_details: 'its buyer has a key without the account',
  buyers: `${BY_ID}; and ${SET_NULL}`,
  checkout_pages: 'has the key of checkout_sessions',
  checkout_sessions: BY_ID,
  events: NULL_ACCOUNT,
  gift_card_operations: `${BY_ID}; and ${SET_NULL}`,
  gift_card_uses: NO_ACCOUNT,
  gift_cards: `${BY_ID}; and ${SET_NULL}`,
  mails: 'e-mails of all accounts wait in one line, and are gone after a day',
  held_notifications: 'a service is told of a notification once: its key begins with the service',
  idempotency_keys: 'its owner is an API key pair, a user or a token, which may serve several accounts',
  monitoring_samples: NO_ACCOUNT,
  network_tokens: BY_METHOD,
  payment_method_uses: NO_ACCOUNT,
  payment_methods: `${BY_ID}; and ${SET_NULL}`,
  payment_service_report_lines:
    'a service reports a movement once: three of its keys begin with the service or its file',
  payment_service_tokens: BY_METHOD,
  report_executions: 'the address of a file names the execution alone',
  used_wallet_tokens: 'a wallet token pays once, whichever account sends it',
  webhook_attempts: 'has the key of webhook_deliveries',
  webhook_deliveries:
    'a subscription for all accounts gets the events of every one: its key begins with the subscription',
  vault_import_rows: 'rows of one file may be of several accounts: its keys begin with the import',
  'vault.items': 'a token of the vault is found by itself',
}

let client: pg.Client
beforeAll(async () => {
  client = new pg.Client(await cloneDatabase())
  await client.connect()
})
afterAll(() => client.end())

type Key = { readonly table: string; readonly key: string; readonly refers_to: string | null }

/** Primary keys, unique indexes and foreign keys that do not begin with the account. */
async function keysWithoutAccount(): Promise<Key[]> {
  const { rows } = await client.query<Key>(`
    with ours as (
      select pg_class.oid, pg_class.oid::regclass::text as name,
        (select attnum from pg_attribute where attrelid = pg_class.oid and attname = 'merchant_account_id') as account
      from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where relkind = 'r' and nspname in ('public', 'vault') and relname <> 'schema_migrations')
    select name as table, indexrelid::regclass::text as key, null as refers_to
    from ours join pg_index on indrelid = ours.oid
    where indisunique and indkey[0] is distinct from account
    union all
    select name, conname, confrelid::regclass::text
    from ours join pg_constraint on conrelid = ours.oid
    where contype = 'f' and conkey[1] is distinct from account
    order by 1, 2`)
  return rows
}

test('every key of a large table begins with the account, but for those that are listed', async () => {
  const keys = await keysWithoutAccount()
  const isLarge = (table: string | null) => table !== null && !SMALL.includes(table)
  const odd = keys.filter(
    ({ table, refers_to }) => isLarge(table) && (refers_to === null || isLarge(refers_to)),
  )

  expect(new Set(odd.map(({ table }) => table))).toEqual(new Set(Object.keys(NOT_READY)))
})

test('every table that is listed is there', async () => {
  const { rows } = await client.query(
    'select to_regclass(name) is not null as found from unnest($1::text[]) as name',
    [[...SMALL, ...Object.keys(NOT_READY)]],
  )

  expect(rows.every(({ found }) => found)).toBe(true)
})
