import pg from 'pg'
import { showSummaries } from '#payments/show.ts'
import { type Secrets, secretsFrom } from '#platform/access/secrets.ts'
import type { Db } from '#platform/database/db.ts'
import { ApiError } from '#platform/http/errors.ts'
import type { Reach } from '#platform/http/operation.ts'
import { decodeText } from '#platform/http/validation.ts'
import { systemClock } from '#platform/process/clock.ts'
import { listAuditLogs } from '#resources/audit-logs/list.ts'
import { listBuyers } from '#resources/buyers/routes.ts'
import { listEvents } from '#resources/events/list.ts'
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
import type { Case } from './list-growth-cases.ts'
import { LARGE_TABLES } from './list-growth-fill.ts'
import { MAIN_ACCOUNT, SECOND_ACCOUNT, SMALL_ACCOUNT } from './list-growth-rows.ts'
import { type Statement, statementsOf } from './statements.ts'

const PAGE = 20
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
    const statements = await statementsOf(connection, (db) => askInTime(db, one, secrets))
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

/** Statements of a slow list that was given up are planned as well. */
async function askInTime(db: Db, one: Case, secrets: Secrets): Promise<void> {
  try {
    await askFor(db, one, secrets)
  } catch (error) {
    if (!one.isSlow || !(error instanceof ApiError)) throw error
  }
}

/** Calls the function that the service's handler calls for such a request. */
async function askFor(db: Db, { list, filters, ...one }: Case, secrets: Secrets): Promise<void> {
  const context = {
    db,
    clock: systemClock,
    actor: { id: null, name: 'bench' },
    requestId: null,
    mac: secretsFrom(Buffer.alloc(32)).mac,
  }
  const query = { limit: PAGE, ...filters[0] }
  if (list === 'buyers') {
    await listBuyers(context, secrets, reachOf(one), query)
    return
  }
  if (list === 'transactions') {
    const page = await listTransactions(context, secrets, reachOf(one), transactionFilters(query))
    await showSummaries(context, page.items)
    return
  }
  if (list === 'events') {
    await listEvents(context, secrets, { reach: reachOf(one), seesKeys: true }, query)
    return
  }
  if (list === 'audit-logs') {
    const reach = reachOf(one)
    await listAuditLogs(context, secrets, { reach, callerReach: one.isConfined ? reach : 'all' }, query)
    return
  }
  if (list === 'gift-cards') {
    const page = await giftCards.list(context, secrets, reachOf(one), query)
    await showCards(context, page.items)
    return
  }
  if (list === 'payment-links') {
    await listLinks(context, secrets, reachOf(one), linkFilters(query))
    return
  }
  if (list === 'payouts') {
    await listPayouts(context, secrets, reachOf(one), payoutFilters(query))
    return
  }
  if (list !== 'payment-methods') {
    await deliveries.list(context, secrets, list.split('/')[1] ?? '', query)
    return
  }
  const page = await listPaymentMethods(context, secrets, reachOf(one), query as { limit: number })
  await showMethods(context, page.items)
}

/** As the service reads them from a query string. */
function transactionFilters(query: object): TransactionFilters {
  return decodeText(TransactionFilters, { ...query }) as TransactionFilters
}

function linkFilters(query: object): PaymentLinkFilters {
  return decodeText(PaymentLinkFilters, { ...query }) as PaymentLinkFilters
}

function payoutFilters(query: object): PayoutFilters {
  return decodeText(PayoutFilters, { ...query }) as PayoutFilters
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
