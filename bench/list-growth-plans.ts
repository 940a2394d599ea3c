import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { showSummaries } from '#payments/show.ts'
import type { Secrets } from '#platform/access/secrets.ts'
import type { Context, Db } from '#platform/database/db.ts'
import { joinEmbeddedPostgres } from '#platform/database/embedded-postgres.ts'
import type { Reach } from '#platform/http/operation.ts'
import type { Static, TSchema } from '#platform/http/type.ts'
import { decodeText } from '#platform/http/validation.ts'
import { listAuditLogs } from '#resources/audit-logs/list.ts'
import { listBuyers } from '#resources/buyers/routes.ts'
import { listEvents } from '#resources/events/routes.ts'
import { showCards } from '#resources/gift-cards/show.ts'
import * as giftCards from '#resources/gift-cards/store.ts'
import { listLinks } from '#resources/payment-links/list.ts'
import { PaymentLinkFilters } from '#resources/payment-links/schemas.ts'
import { listPaymentMethods } from '#resources/payment-methods/routes.ts'
import { showMethods } from '#resources/payment-methods/show.ts'
import { listPayouts } from '#resources/payouts/list.ts'
import { PayoutFilters } from '#resources/payouts/schemas.ts'
import { TransactionFilters } from '#resources/transactions/filters/schemas.ts'
import { listTransactions } from '#resources/transactions/list.ts'
import * as deliveries from '#resources/webhook-subscriptions/deliveries/read.ts'
import { benchContext } from '../lab/context.ts'
import { type DataFolder, startService } from '../lab/product.ts'
import { JOBS } from '../server/src/app.ts'
import { LARGE_TABLES } from './list-growth-fill.ts'
import type { Case } from './list-growth-lists.ts'
import { MAIN_ACCOUNT, SECOND_ACCOUNT, SMALL_ACCOUNT } from './list-growth-rows.ts'
import type { Place } from './place.ts'
import { type Statement, statementsOf } from './statements.ts'

const PAGE = 20
/** A full read of fewer rows is fine. */
const ROWS_MIN = 10_000
/** Long enough for every job that runs by the minute. */
const JOBS_MS = 65_000
/** An idle connection reports its counts after ten seconds; one that ends reports at once. */
const TOLD_MS = 11_000
const LARGE = new Set(LARGE_TABLES)
/** From the sixth execution on, PostgreSQL may use a generic plan, which ignores the values. */
const TRIES = 6

export type Fault = { readonly name: string; readonly table: string }

/** Cases whose statements read a whole large table, by the plan that a connection uses in the end. */
export async function sequentialScans(
  connection: pg.ClientConfig,
  cases: readonly Case[],
  secrets: Secrets,
): Promise<Fault[]> {
  const client = new pg.Client(connection)
  await client.connect()
  const faults: Fault[] = []
  let statementCount = 0
  for (const one of cases) {
    const statements = await statementsOf(connection, (db) => askFor(db, one, secrets))
    // Transactions begin and end with statements that have no plan.
    for (const statement of statements.filter(({ text }) => /^\s*(select|with)\b/i.test(text))) {
      statementCount += 1
      for (const table of await scannedTables(client, statement, `plan ${statementCount}`)) {
        faults.push({ name: one.name, table })
      }
    }
  }
  await client.end()
  return faults
}

type Asked = {
  readonly context: Context
  readonly secrets: Secrets
  readonly reach: Reach
  readonly query: { limit: number }
}

/** The function that the service's handler calls for such a request. */
const ASK: Readonly<Record<string, (asked: Asked, one: Case) => Promise<unknown>>> = {
  buyers: ({ context, reach, query }) => listBuyers(context, reach, query),
  transactions: async ({ context, secrets, reach, query }) => {
    const page = await listTransactions(context, secrets, reach, read(TransactionFilters, query))
    await showSummaries(context, page.items)
  },
  events: ({ context, reach, query }) => listEvents(context, { reach, seesKeys: true }, query),
  'audit-logs': ({ context, reach, query }, { isConfined }) =>
    listAuditLogs(context, { reach, callerReach: isConfined ? reach : 'all' }, query),
  'gift-cards': async ({ context, reach, query }) => {
    const page = await giftCards.list(context, reach, query)
    await showCards(context, page.items)
  },
  'payment-links': ({ context, reach, query }) => listLinks(context, reach, read(PaymentLinkFilters, query)),
  payouts: ({ context, reach, query }) => listPayouts(context, reach, read(PayoutFilters, query)),
  'payment-methods': async ({ context, reach, query }) => {
    const page = await listPaymentMethods(context, reach, query)
    await showMethods(context, page.items)
  },
  deliveries: ({ context, query }, { list }) => deliveries.list(context, list.split('/')[1] ?? '', query),
}

async function askFor(db: Db, one: Case, secrets: Secrets): Promise<void> {
  const query = { limit: PAGE, ...one.filters[0] } as { limit: number }
  const asked = { context: benchContext(db), secrets, reach: reachOf(one), query }
  await ASK[one.list.split('/').at(-1) ?? '']?.(asked, one)
}

/** As the service reads them from a query string. */
function read<Schema extends TSchema>(schema: Schema, query: object): Static<Schema> {
  return decodeText(schema, { ...query }) as Static<Schema>
}

function reachOf({ account = MAIN_ACCOUNT, isConfined }: Pick<Case, 'account' | 'isConfined'>): Reach {
  if (account !== '*') return [account]
  return isConfined ? [MAIN_ACCOUNT, SECOND_ACCOUNT, SMALL_ACCOUNT] : 'all'
}

async function scannedTables(
  client: pg.Client,
  { text, values }: Statement,
  name: string,
): Promise<string[]> {
  const prepared = client.escapeIdentifier(name)
  await client.query(`prepare ${prepared} as ${text}`)
  const list = values.length > 0 ? `(${values.map(literal).join(', ')})` : ''
  let plan: PlanNode | undefined
  // EXPLAIN plans as an execution would, and is fast even if the statement would take seconds.
  for (let index = 0; index < TRIES; index += 1) {
    const { rows } = await client.query(`explain (format json) execute ${prepared}${list}`)
    plan = rows[0]['QUERY PLAN'][0]['Plan']
  }
  return (plan ? nodesOf(plan) : [])
    .filter((node) => node['Node Type'] === 'Seq Scan' && LARGE.has(node['Relation Name'] ?? ''))
    .map((node) => node['Relation Name'] ?? '')
}

type PlanNode = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly Plans?: readonly PlanNode[]
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}

function literal(value: unknown): string {
  if (value === null) return 'null'
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString())
  if (Array.isArray(value))
    return pg.escapeLiteral(`{${value.map((item) => JSON.stringify(item)).join(',')}}`)
  return pg.escapeLiteral(String(value))
}

/** Jobs that run too seldom to be observed. */
export const UNWATCHED_JOBS = JOBS.filter(({ everyMs }) => everyMs >= JOBS_MS).map(({ name }) => name)

/**
 * The tables that `work` and then jobs read from end to end, by the database's own counts, which include foreign key
 * checks. A folder has room for one service, so another service takes its place to run the jobs.
 */
export async function tablesScanned({ stop, folder }: Place, work: () => Promise<void>): Promise<Fault[]> {
  // Earlier requests must not count.
  await sleep(TOLD_MS)
  const before = await countScans(folder)
  await work()
  await stop()
  const withJobs = await startService(folder)
  await sleep(JOBS_MS)
  // Stopped first, so that all connections have reported their counts.
  await withJobs.stop()
  const after = await countScans(folder)
  return [...after]
    .filter(([table, count]) => count > (before.get(table) ?? count))
    .map(([table]) => ({ name: 'payments or jobs', table }))
}

async function countScans({ path }: DataFolder): Promise<ReadonlyMap<string, number>> {
  const { connection, stop } = await joinEmbeddedPostgres({ dataDir: path, say: () => {} })
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query<{ table: string; count: string }>(
    `select relname as table, seq_scan as count from pg_stat_user_tables
     where schemaname = 'public' and relname = any($1) and n_live_tup >= $2`,
    [LARGE_TABLES, ROWS_MIN],
  )
  await client.end()
  await stop()
  return new Map(rows.map(({ table, count }) => [table, Number(count)]))
}
