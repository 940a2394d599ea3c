import type pg from 'pg'
import { BadRequest, isReference, type Presented } from './requests.ts'
import { COLUMNS, type Entry } from './store.ts'

const LIMIT_DEFAULT = 100
const LIMIT_MAX = 1_000
const FILTERS: Readonly<Record<string, (place: string) => string>> = {
  attempt_id: (place) => `attempt_id = ${place}`,
  transaction_id: (place) => `transaction_id = ${place}`,
  reference: (place) => `(reference = ${place} or authorization_reference = ${place})`,
}

/** The processor's books, for programs that compare them with those of the merchant's system. */
export type Books = {
  readonly entries: readonly BookEntry[]
  /** For each authorization of the entries: the totals of what succeeded. */
  readonly sums: readonly BookSum[]
  /** How often each attempt changed something: once, or not at all. */
  readonly effects: Readonly<Record<string, number>>
  /** Where the next page starts, when all entries are asked for. */
  readonly next: string | null
}

type BookEntry = {
  readonly attempt_id: string
  readonly operation: Entry['operation'] | null
  readonly status: Entry['status'] | 'closed'
  readonly transaction_id: string | null
  readonly reference: string | null
  readonly authorization_reference: string | null
  readonly subject_reference: string | null
  readonly requested_amount: number | null
  readonly amount: number | null
  readonly currency: string | null
  readonly code: string | null
  readonly description: string | null
  readonly last4: string | null
  readonly presented: Presented | null
  readonly created_at: string
}

type BookSum = {
  readonly reference: string
  readonly transaction_id: string | null
  readonly currency: string
  readonly authorized: number
  readonly captured: number
  readonly refunded: number
  readonly voided: number
  readonly charged_back: number
  readonly reversed: number
}

/** Narrowed by `attempt_id`, `transaction_id` or `reference` (of an authorization), or page by page with `after`. */
export async function readBooks(pool: pg.Pool, query: URLSearchParams, now: Date): Promise<Books> {
  const limit = readLimit(query)
  const rows = await findEntries(pool, query, limit)
  const references = rows.flatMap(({ operation, authorizationReference, reference }) =>
    authorizationReference ? [authorizationReference] : operation === 'authorize' ? [reference] : [],
  )
  const entries = rows.map(toBookEntry)
  return {
    entries,
    sums: await sumUp(pool, [...new Set(references)], now),
    effects: Object.fromEntries(
      entries.map(({ attempt_id, status }) => [attempt_id, status === 'approved' ? 1 : 0]),
    ),
    next: entries.length === limit ? (entries.at(-1)?.attempt_id ?? null) : null,
  }
}

async function findEntries(pool: pg.Pool, query: URLSearchParams, limit: number): Promise<Entry[]> {
  const conditions = ['attempt_id > $1']
  const values: unknown[] = [query.get('after') ?? '', limit]
  for (const [name, toCondition] of Object.entries(FILTERS)) {
    const value = query.get(name)
    if (value === null) continue
    if (name === 'reference' && !isReference(value)) throw new BadRequest(name)
    conditions.push(toCondition(`$${values.push(value)}`))
  }
  const { rows } = await pool.query<Entry>(
    `select ${COLUMNS} from simulator.entries where ${conditions.join(' and ')} order by attempt_id limit $2`,
    values,
  )
  return rows
}

/** At a time: what takes effect later does not count yet. */
async function sumUp(pool: pg.Pool, references: readonly string[], now: Date): Promise<BookSum[]> {
  if (references.length === 0) return []
  const sum = (condition: string) => `coalesce(sum(e.amount) filter (where ${condition}), 0)::float8`
  const captured = "e.operation = 'capture' or (e.operation = 'authorize' and e.is_final)"
  const { rows } = await pool.query<BookSum>(
    `select a.reference, a.transaction_id, a.currency,
       ${sum("e.operation in ('authorize', 'increment')")} as authorized,
       ${sum(captured)} - ${sum("e.code = 'capture_failed'")} as captured,
       ${sum("e.operation = 'refund'")} - ${sum("e.code = 'refund_failed'")} as refunded,
       ${sum("e.operation = 'void'")} as voided,
       ${sum("e.operation = 'chargeback'")} as charged_back,
       ${sum("e.operation = 'chargebackReversal'")} as reversed
     from simulator.entries a
     join simulator.entries e
       on e.status = 'approved' and (e.reference = a.reference or e.authorization_reference = a.reference)
         and e.ended_at <= $2
     where a.reference = any ($1::uuid[])
     group by a.reference, a.transaction_id, a.currency
     order by a.reference`,
    [references, now],
  )
  return rows
}

function toBookEntry(entry: Entry): BookEntry {
  return {
    attempt_id: entry.attemptId,
    operation: entry.operation,
    status: entry.status,
    transaction_id: entry.transactionId,
    reference: entry.reference,
    authorization_reference: entry.authorizationReference,
    subject_reference: entry.subjectReference,
    requested_amount: entry.requestedAmount,
    amount: entry.amount,
    currency: entry.currency,
    code: entry.code,
    description: entry.description,
    last4: entry.last4,
    presented: entry.facts?.presented ?? null,
    created_at: entry.createdAt.toISOString(),
  }
}

function readLimit(query: URLSearchParams): number {
  const limit = Number(query.get('limit') ?? LIMIT_DEFAULT)
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX) throw new BadRequest('limit')
  return limit
}
