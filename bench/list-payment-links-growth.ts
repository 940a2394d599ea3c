import type pg from 'pg'
import type { Secrets } from '#platform/access/secrets.ts'
import { growthBenchmark } from './list-growth.ts'
import { type Case, type Filters, middleCursors, spread } from './list-growth-cases.ts'
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

export const listPaymentLinksGrowth = growthBenchmark({
  name: 'list-payment-links-growth',
  title: 'Payment links that grow',
  subject: '`GET /payment-links` is when its tables are',
  accounts: [MAIN_ACCOUNT, SECOND_ACCOUNT, SMALL_ACCOUNT],
  add: fillLinks,
  casesOf,
  creation: { route: 'payment-links', body: { amount: 1299, currency: 'USD', country: 'US' } },
  settings: [
    'as many buyers as links: 9 in 10 in the default account, 1 in 10 in a second one, 5 in a third; created evenly over a year',
    'statuses: 89 % completed, 10 % expired, the newest 1 % active, one in a thousand processing; 5 of the oldest are active, and their time is over',
    'currencies: 90 % USD, 10 % EUR, 5 of the oldest CLP; 997 amounts; every link has a buyer',
  ],
})

/** The job leaves the overdue ones alone while the benchmark runs: it is not there. */
async function fillLinks(client: pg.Client, rows: Rows, progress: (text: string) => void): Promise<void> {
  progress(`payment links: ${rows.count}`)
  const rule = [rows.count, rows.startMs, rows.stepMs]
  const status = `case when index between 100 and 104 then 'active' when index % 1000 = 500 then 'processing'
    when index >= $1::bigint * 99 / 100 then 'active' when index % 10 = 3 then 'expired' else 'completed' end`
  const made = `(select ${sqlId('index')} as id, ${status} as status, ${sqlTime('index')} as at, index,
    ${SQL_ACCOUNT} as account
    from ${SERIES}) as made`
  const due = `case status when 'active' then ${EXPIRY} end`
  await client.query(
    `insert into payment_links (merchant_account_id, id, amount, currency, country, intent, payment_source, store, buyer_id,
       document, status, transaction_id, tries, expires_at, due_at, updated_at)
     select account, id, index % 997, case when index between 100 and 104 then 'CLP' when index % 10 = 4 then 'EUR'
       else 'USD' end, 'US', 'capture', 'ecommerce', false, id, jsonb_build_object('merchant_message', repeat('x', 200)),
       status, case when status in ('processing', 'completed') then id end, 1, ${EXPIRY}, ${due}, at
     from ${made}`,
    rule,
  )
  progress('times and marks of payment links')
  await client.query(
    `insert into payment_link_times (merchant_account_id, id, updated_at, due_at) select account, id, at, ${due} from ${made}`,
    rule,
  )
  await client.query(
    `insert into payment_link_marks (merchant_account_id, mark, id) select account, 'status:' || status, id from ${made}`,
    rule,
  )
}

/** The newest are still active when the benchmark ends. */
const EXPIRY = `case when index >= $1::bigint * 99 / 100 then timestamptz '2100-01-01' else at + interval '1 day' end`

async function casesOf(rows: Rows, secrets: Secrets): Promise<Case[]> {
  const list = 'payment-links'
  const { older, newer } = await middleCursors(list, rows, secrets)
  const middle = createdAt(rows, Math.floor(rows.count / 2)).toISOString()
  const one = (name: string, filters: Filters): Case => ({ name, list, filters: [filters] })
  const all = (given: Case): Case => ({ ...given, name: `${given.name}, all accounts`, account: '*' })
  const cases = [
    one('no filter', {}),
    { ...one('an account with few', {}), account: SMALL_ACCOUNT },
    all(one('no filter', {})),
    { ...one('three accounts', {}), account: '*', isConfined: true } as const,
    one('cursor in the middle, forwards', { cursor: older }),
    one('cursor in the middle, backwards', { cursor: newer }),
    ...['completed', 'expired', 'active', 'processing'].map((status) => one(`status ${status}`, { status })),
    all(one('status expired', { status: 'expired' })),
    one('status, several', { status: ['active', 'processing'] }),
    one('status expired, cursor', { status: 'expired', cursor: older }),
    one('currency, common', { currency: 'USD' }),
    one('currency, rare', { currency: 'CLP' }),
    one('currency, no match', { currency: 'JPY' }),
    one('amount_eq', { amount_eq: '17' }),
    one('amount range', { amount_gte: '100', amount_lte: '110' }),
    one('status and currency', { status: 'active', currency: 'EUR' }),
    one('created_at_lte', { created_at_lte: middle }),
    one('updated_at_gte', { updated_at_gte: middle }),
    one('updated_at_lte', { updated_at_lte: middle }),
    {
      name: 'buyer_search by id',
      list,
      filters: spread(rows).map((at) => ({ buyer_search: idOf(rows, at) })),
    },
    one('buyer_search, rare', { buyer_search: 'zyxwald' }),
  ] satisfies Case[]
  return cases.map((given) => ({ ...given, name: `payment links: ${given.name}` }))
}
