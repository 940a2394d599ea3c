import type pg from 'pg'
import { BadRequest } from './requests.ts'
import { COLUMNS, type Entry } from './store.ts'

const PAGE = 20

type Asked = {
  readonly merchantId: string
  readonly product: Entry['product']
  readonly query: URLSearchParams
}

/** What the merchant's system has sent in a window of time, oldest first, as real processors list it. */
export async function listActivity(
  pool: pg.Pool,
  { merchantId, product, query }: Asked,
  show: (entry: Entry) => object,
): Promise<Response> {
  const from = readTime(query, 'from')
  const until = readTime(query, 'until')
  const [afterTime, afterAttempt = ''] = (query.get('after') ?? '').split('|')
  const start = afterTime ? new Date(afterTime) : new Date(0)
  if (Number.isNaN(start.getTime())) throw new BadRequest('after')
  const { rows } = await pool.query<Entry>(
    `select ${COLUMNS} from simulator.entries
     where merchant_id = $1 and product = $2 and created_at between $3 and $4 and (created_at, attempt_id) > ($5, $6)
       and operation in ('authorize', 'capture', 'void', 'cancel', 'refund', 'increment')
     order by created_at, attempt_id limit ${PAGE}`,
    [merchantId, product, from, until, start, afterAttempt],
  )
  const last = rows.length === PAGE ? rows.at(-1) : undefined
  const next = last ? `${last.createdAt.toISOString()}|${last.attemptId}` : null
  return Response.json({ operations: rows.map((entry) => ({ ...show(entry), ...listed(entry) })), next })
}

function listed(entry: Entry): object {
  return {
    attempt_id: entry.attemptId,
    transaction_id: entry.transactionId,
    authorization: entry.authorizationReference ?? entry.reference,
    requested_amount: entry.requestedAmount,
    currency: entry.currency,
    final: entry.isFinal,
    last4: entry.last4,
    at: entry.createdAt,
  }
}

function readTime(query: URLSearchParams, name: string): Date {
  const time = new Date(query.get(name) ?? '')
  if (Number.isNaN(time.getTime())) throw new BadRequest(name)
  return time
}
