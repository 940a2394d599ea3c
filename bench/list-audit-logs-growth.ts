import type pg from 'pg'
import type { Secrets } from '#platform/access/secrets.ts'
import { growthBenchmark } from './list-growth.ts'
import { type Case, middleCursors, spread } from './list-growth-cases.ts'
import {
  BUSY_BUYER,
  idOf,
  MAIN_ACCOUNT,
  METHODS_OF_A_BUYER,
  type Rows,
  referenceOf,
  SECOND_ACCOUNT,
  SERIES,
  SMALL_ACCOUNT,
  SQL_ACCOUNT,
  sqlId,
  sqlTime,
} from './list-growth-rows.ts'

const COMMON_KEY = keyOf(1)
const OTHER_KEY = keyOf(2)
const RARE_KEY = keyOf(3)

export const listAuditLogsGrowth = growthBenchmark({
  name: 'list-audit-logs-growth',
  title: 'Audit logs and gift cards that grow',
  subject: '`GET /audit-logs` and `GET /gift-cards` are when their tables are',
  accounts: [MAIN_ACCOUNT, SECOND_ACCOUNT, SMALL_ACCOUNT],
  add: async (client, rows, progress) => {
    await fillAuditLogs(client, rows, progress)
    await fillGiftCards(client, rows, progress)
  },
  casesOf: async (rows, secrets) =>
    [...(await auditLogCases(rows, secrets)), ...(await giftCardCases(rows, secrets))].map((one) => ({
      ...one,
      name: `${one.list}: ${one.name}`,
    })),
  settings: [
    'as many buyers and gift cards as entries: 9 in 10 in the default account, 1 in 10 in a second one, 5 in a third; created evenly over a year',
    'one entry in 100 is of the installation; 90 % created, 10 % updated; 90 % of transactions, 10 % of buyers; 90 % by one key, 10 % by another; "rare" is what 5 of the oldest have',
    'three gift cards for each buyer who has any, and one card in a hundred belongs to the same buyer',
  ],
})

async function fillAuditLogs(client: pg.Client, rows: Rows, progress: (text: string) => void): Promise<void> {
  progress(`audit logs: ${rows.count}`)
  await client.query(
    `insert into audit_logs (id, merchant_account_id, action, resource_type, resource_id, resource_name, actor_id,
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
    [rows.count, rows.startMs, rows.stepMs],
  )
}

async function fillGiftCards(client: pg.Client, rows: Rows, progress: (text: string) => void): Promise<void> {
  progress(`gift cards: ${rows.count}`)
  await client.query(
    `insert into gift_cards (id, merchant_account_id, gift_card_service_id, buyer_id, bin, sub_bin, last4, fingerprint,
       number_token, pin_token, created_at, updated_at)
     select ${sqlId('index')}, ${SQL_ACCOUNT}, (select id from gift_card_services order by id limit 1),
       case when index % 100 = 0 then ${sqlId(String(BUSY_BUYER))}
         else ${sqlId(`(index - index % ${METHODS_OF_A_BUYER})`)} end,
       '900012', '345', lpad((index % 10000)::text, 4, '0'), encode(sha256(index::text::bytea), 'hex'),
       gen_random_uuid(), gen_random_uuid(), ${sqlTime('index')}, ${sqlTime('index')}
     from ${SERIES}`,
    [rows.count, rows.startMs, rows.stepMs],
  )
}

/** A key for all accounts sees the entries of the installation beside those of an account. */
async function auditLogCases(rows: Rows, secrets: Secrets): Promise<Case[]> {
  const list = 'audit-logs'
  const { older, newer } = await middleCursors(list, rows, secrets)
  const all = { list, account: '*' } as const
  const few = { list, account: SMALL_ACCOUNT } as const
  const rareType = { resource_type: 'digital-wallet' }
  return [
    { name: 'no filter', list, filters: [{}] },
    { name: 'an account with few', ...few, filters: [{}] },
    { name: 'all accounts', ...all, filters: [{}] },
    { name: 'three accounts', ...all, filters: [{}], isConfined: true },
    { name: 'cursor in the middle, forwards', list, filters: [{ cursor: older }] },
    { name: 'cursor in the middle, backwards', list, filters: [{ cursor: newer }] },
    { name: 'all accounts, cursor in the middle', ...all, filters: [{ cursor: older }] },
    { name: 'action, common', list, filters: [{ action: 'created' }] },
    { name: 'action, common, an account with few', ...few, filters: [{ action: 'created' }] },
    { name: 'action, rare', list, filters: [{ action: 'voided' }] },
    { name: 'action, no match, all accounts', ...all, filters: [{ action: 'captured' }] },
    { name: 'user_id, one in ten, cursor', list, filters: [{ user_id: OTHER_KEY, cursor: older }] },
    { name: 'user_id, rare', list, filters: [{ user_id: RARE_KEY }] },
    { name: 'user_id, rare, all accounts', ...all, filters: [{ user_id: RARE_KEY }] },
    { name: 'resource_type, rare', list, filters: [rareType] },
    { name: 'resource_type, rare, three accounts', ...all, filters: [rareType], isConfined: true },
    { name: 'resource_type, no match', list, filters: [{ resource_type: 'absent' }] },
    { name: 'common user_id, rare resource_type', list, filters: [{ user_id: COMMON_KEY, ...rareType }] },
    {
      name: 'rare action, common resource_type, all accounts',
      ...all,
      filters: [{ action: 'voided', resource_type: 'transaction' }],
    },
  ]
}

async function giftCardCases(rows: Rows, secrets: Secrets): Promise<Case[]> {
  const list = 'gift-cards'
  const { older, newer } = await middleCursors(list, rows, secrets)
  const all = { list, account: '*' } as const
  // Multiples of 6 that are not the busy buyer's, so that the buyer has all three.
  const some = spread(rows).map((index) => index - (index % (METHODS_OF_A_BUYER * 100)) + 6)
  const references = some.map((index) => ({ buyer_external_identifier: referenceOf(index) }))
  return [
    { name: 'no filter', list, filters: [{}] },
    { name: 'an account with few', list, filters: [{}], account: SMALL_ACCOUNT },
    { name: 'all accounts', ...all, filters: [{}] },
    { name: 'cursor in the middle, forwards', list, filters: [{ cursor: older }] },
    { name: 'cursor in the middle, backwards', list, filters: [{ cursor: newer }] },
    { name: 'buyer_id', list, filters: some.map((index) => ({ buyer_id: idOf(rows, index) })) },
    { name: 'buyer_id of a buyer with many', list, filters: [{ buyer_id: idOf(rows, BUSY_BUYER) }] },
    { name: 'buyer_external_identifier', list, filters: references },
    { name: 'buyer_external_identifier, no match', list, filters: [{ buyer_external_identifier: 'absent' }] },
    { name: 'buyer_external_identifier, all accounts', ...all, filters: references },
  ]
}

function keyOf(number: number): string {
  return `019a0000-0000-7000-8000-00000000000${number}`
}
