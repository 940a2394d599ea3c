import type pg from 'pg'
import type { Secrets } from '#platform/access/secrets.ts'
import { markOf } from '#resources/payouts/store.ts'
import { growthBenchmark } from './list-growth.ts'
import { type Case, middleCursors, spread } from './list-growth-cases.ts'
import {
  createdAt,
  MAIN_ACCOUNT,
  type Rows,
  referenceOf,
  SECOND_ACCOUNT,
  SERIES,
  SMALL_ACCOUNT,
  SQL_ACCOUNT,
  sqlId,
  sqlTime,
} from './list-growth-rows.ts'

export const listPayoutsGrowth = growthBenchmark({
  name: 'list-payouts-growth',
  title: 'Payouts that grow',
  subject: '`GET /payouts` is when its tables are',
  accounts: [MAIN_ACCOUNT, SECOND_ACCOUNT, SMALL_ACCOUNT],
  add: fillPayouts,
  hasBuyers: false,
  casesOf,
  settings: [
    '9 in 10 in the default account, 1 in 10 in a second one, 5 in a third; created evenly over a year',
    'statuses: 97 % succeeded, 3 % declined, one in a thousand failed, 5 of the oldest pending',
    'half of them have an external identifier, all but the pending ones an id at the payment service',
  ],
})

const STATUS = `case when index between 100 and 104 then 'pending' when index % 1000 = 500 then 'failed'
  when index % 100 in (10, 20, 30) then 'declined' else 'succeeded' end`
const REFERENCE = `case when index not between 100 and 104 then 'payout-' || index end`
const METHOD = { method: 'card', mode: 'card', label: '1111', scheme: 'visa', expiration_date: '12/30' }

async function fillPayouts(client: pg.Client, rows: Rows, progress: (text: string) => void): Promise<void> {
  const rule = [rows.count, rows.startMs, rows.stepMs]
  progress(`payouts: ${rows.count}`)
  await client.query(
    `insert into payouts (merchant_account_id, id, amount, currency, external_identifier, payment_service_id, document,
       status, payment_service_payout_id, updated_at)
     select ${SQL_ACCOUNT}, ${sqlId('index')}, 1 + index % 5000, 'USD', case when index % 2 = 0 then 'customer-' || index end,
       service.id, $4::jsonb, ${STATUS}, ${REFERENCE}, ${sqlTime('index')}
     from ${SERIES}, (select id from payment_services order by created_at limit 1) as service`,
    [
      ...rule,
      JSON.stringify({ payment_method: METHOD, buyer: null, merchant: null, connection_options: null }),
    ],
  )
  progress(`marks of payouts: ${rows.count}`)
  await client.query(
    `insert into payout_marks (merchant_account_id, mark, id)
     select merchant_account_id, mark, id from payouts, unnest(array[
       '${markOf('status', '')}' || status, '${markOf('service-payout', '')}' || payment_service_payout_id]) as mark
     where mark is not null`,
  )
  await client.query('insert into payout_updates select merchant_account_id, id, updated_at from payouts')
}

async function casesOf(rows: Rows, secrets: Secrets): Promise<Case[]> {
  const list = 'payouts'
  const { older, newer } = await middleCursors(list, rows, secrets)
  const middle = createdAt(rows, Math.floor(rows.count / 2)).toISOString()
  const some = spread(rows)
  const references = some.map((index) => ({ external_identifier: referenceOf(index) }))
  const payouts = some.map((index) => ({ payment_service_payout_id: `payout-${index}` }))
  const all = { list, account: '*' } as const
  const status = (...values: string[]) => [{ status: values }]
  return [
    { name: 'no filter', list, filters: [{}] },
    { name: 'an account with few', list, filters: [{}], account: SMALL_ACCOUNT },
    { name: 'all accounts', ...all, filters: [{}] },
    { name: 'three accounts', ...all, filters: [{}], isConfined: true },
    { name: 'cursor in the middle, forwards', list, filters: [{ cursor: older }] },
    { name: 'cursor in the middle, backwards', list, filters: [{ cursor: newer }] },
    { name: 'all accounts, cursor in the middle', ...all, filters: [{ cursor: older }] },
    { name: 'external_identifier', list, filters: references },
    { name: 'external_identifier, no match', list, filters: [{ external_identifier: 'absent' }] },
    { name: 'external_identifier, all accounts', ...all, filters: references },
    { name: 'payment_service_payout_id', list, filters: payouts },
    { name: 'payment_service_payout_id, no match', list, filters: [{ payment_service_payout_id: 'absent' }] },
    { name: 'payment_service_payout_id, all accounts', ...all, filters: payouts },
    { name: 'status succeeded', list, filters: status('succeeded') },
    { name: 'status declined', list, filters: status('declined') },
    { name: 'status failed', list, filters: status('failed') },
    { name: 'status pending', list, filters: status('pending') },
    { name: 'two statuses', list, filters: status('declined', 'failed') },
    { name: 'status, no match', list, filters: status('pending'), account: SECOND_ACCOUNT },
    { name: 'status declined, cursor', list, filters: [{ status: ['declined'], cursor: older }] },
    { name: 'rare status, all accounts', ...all, filters: status('pending') },
    { name: 'created_at_lte', list, filters: [{ created_at_lte: middle }] },
    { name: 'created_at_gte', list, filters: [{ created_at_gte: middle }] },
    { name: 'updated_at_lte', list, filters: [{ updated_at_lte: middle }] },
    { name: 'updated_at_gte', list, filters: [{ updated_at_gte: middle }] },
    { name: 'status and created_at_lte', list, filters: [{ status: ['declined'], created_at_lte: middle }] },
  ]
}
