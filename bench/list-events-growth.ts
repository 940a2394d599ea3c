import type pg from 'pg'
import type { Secrets } from '#platform/access/secrets.ts'
import { growthBenchmark } from './list-growth.ts'
import { type Case, type ListName, middleCursors, spread } from './list-growth-cases.ts'
import {
  createdAt,
  idOf,
  MAIN_ACCOUNT,
  type Rows,
  SECOND_ACCOUNT,
  SERIES,
  SMALL_ACCOUNT,
  SQL_ACCOUNT,
  sqlId,
  sqlTime,
} from './list-growth-rows.ts'

const SUBSCRIPTION = '01900000-0000-7000-8000-00000000beef'
const DELIVERIES: ListName = `webhook-subscriptions/${SUBSCRIPTION}/deliveries`

export const listEventsGrowth = growthBenchmark({
  name: 'list-events-growth',
  title: 'Events and deliveries that grow',
  subject: '`GET /events` and a subscription’s `GET …/deliveries` are when their tables are',
  accounts: [MAIN_ACCOUNT, SECOND_ACCOUNT, SMALL_ACCOUNT],
  add: fillEvents,
  casesOf,
  settings: [
    'as many buyers as events: 9 in 10 in the default account, 1 in 10 in a second one, 5 in a third; created evenly over a year',
    'names: 90 % transaction.authorized, 10 % buyer.created, 5 of the oldest gift-card.deleted',
    'one subscription with a delivery of every event: one in a thousand parked, 5 of the oldest waiting, the others delivered',
  ],
})

async function fillEvents(client: pg.Client, rows: Rows, progress: (text: string) => void): Promise<void> {
  progress(`events: ${rows.count}`)
  const rule = [rows.count, rows.startMs, rows.stepMs]
  const name = `case when index between 100 and 104 then 'gift-card.deleted'
    when index % 10 = 3 then 'buyer.created' else 'transaction.authorized' end`
  await client.query(
    `insert into events (id, merchant_account_id, name, target_type, target_id, target, created_at)
     select ${sqlId('index')},
       ${SQL_ACCOUNT},
       ${name}, 'buyer', ${sqlId('index')},
       jsonb_build_object('type', 'buyer', 'display_name', repeat('x', 200)), ${sqlTime('index')}
     from ${SERIES}`,
    rule,
  )
  await client.query(
    `insert into webhook_subscriptions (id, merchant_account_id, active, url, secrets, created_at, updated_at)
     values ($1, $2, true, 'http://127.0.0.1:9/', jsonb_build_object('secret', gen_random_uuid()), now(), now())`,
    [SUBSCRIPTION, MAIN_ACCOUNT],
  )
  progress(`deliveries: ${rows.count}`)
  const status = `case when index between 100 and 104 then 'waiting' when index % 1000 = 500 then 'parked'
    else 'delivered' end`
  await client.query(
    `insert into webhook_deliveries (subscription_id, id, event_name, status, attempts, next_attempt_at, delivered_at,
       parked_because, created_at, updated_at)
     select '${SUBSCRIPTION}', id, 'buyer.created', status, 1,
       case status when 'waiting' then timestamptz '2100-01-01' end, case status when 'delivered' then at end,
       case status when 'parked' then 'schedule_ended' end, at, at
     from (select ${sqlId('index')} as id, ${status} as status, ${sqlTime('index')} as at from ${SERIES}) as made`,
    rule,
  )
}

async function casesOf(rows: Rows, secrets: Secrets): Promise<Case[]> {
  const cases = [...(await eventCases(rows, secrets)), ...(await deliveryCases(rows, secrets))]
  return cases.map((one) => ({
    ...one,
    name: `${one.list === 'events' ? 'events' : 'deliveries'}: ${one.name}`,
  }))
}

async function eventCases(rows: Rows, secrets: Secrets): Promise<Case[]> {
  const list = 'events'
  const { older, newer } = await middleCursors(list, rows, secrets)
  const targets = spread(rows).map((index) => ({ target_id: idOf(rows, index) }))
  const middle = createdAt(rows, Math.floor(rows.count / 2)).toISOString()
  const all = { list, account: '*' } as const
  const name = (value: string) => [{ name: value }]
  return [
    { name: 'no filter', list, filters: [{}] },
    { name: 'an account with few', list, filters: [{}], account: SMALL_ACCOUNT },
    { name: 'all accounts', ...all, filters: [{}] },
    { name: 'three accounts', ...all, filters: [{}], isConfined: true },
    { name: 'cursor in the middle, forwards', list, filters: [{ cursor: older }] },
    { name: 'cursor in the middle, backwards', list, filters: [{ cursor: newer }] },
    { name: 'name, common', list, filters: name('transaction.authorized') },
    { name: 'name, one in ten', list, filters: name('buyer.created') },
    { name: 'name, rare', list, filters: name('gift-card.deleted') },
    { name: 'name, no match', list, filters: name('refund.failed') },
    { name: 'name, rare, all accounts', ...all, filters: name('gift-card.deleted') },
    { name: 'name, no match, all accounts', ...all, filters: name('refund.failed') },
    { name: 'name, cursor', list, filters: [{ name: 'buyer.created', cursor: older }] },
    { name: 'target_id', list, filters: targets },
    { name: 'target_id, all accounts', ...all, filters: targets },
    { name: 'target_id, no match', list, filters: [{ target_id: SUBSCRIPTION }] },
    { name: 'created_at_lte', list, filters: [{ created_at_lte: middle }] },
    { name: 'created_at_gte', list, filters: [{ created_at_gte: middle }] },
    { name: 'name and created_at_lte', list, filters: [{ name: 'buyer.created', created_at_lte: middle }] },
  ]
}

async function deliveryCases(rows: Rows, secrets: Secrets): Promise<Case[]> {
  const list = DELIVERIES
  const { older, newer } = await middleCursors(`webhook-deliveries ${SUBSCRIPTION}`, rows, secrets)
  const status = (value: string) => [{ status: value }]
  return [
    { name: 'no filter', list, filters: [{}] },
    { name: 'cursor in the middle, forwards', list, filters: [{ cursor: older }] },
    { name: 'cursor in the middle, backwards', list, filters: [{ cursor: newer }] },
    { name: 'status delivered', list, filters: status('delivered') },
    { name: 'status parked', list, filters: status('parked') },
    { name: 'status waiting', list, filters: status('waiting') },
    { name: 'status parked, cursor', list, filters: [{ status: 'parked', cursor: older }] },
  ]
}
