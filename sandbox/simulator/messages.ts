import type { Office } from './processor.ts'
import { BadRequest } from './requests.ts'
import * as store from './store.ts'
import { COLUMNS, type Entry } from './store.ts'

/** What a message can say the end of, by the first word of its event. */
const OPERATIONS: Readonly<Record<string, readonly string[]>> = {
  authorization: ['authorize'],
  capture: ['capture'],
  void: ['void'],
  refund: ['refund'],
}
const ALL = ['authorize', 'capture', 'void', 'refund', 'chargeback', 'chargebackReversal', 'lateFailure']

type About = {
  readonly merchantId: string
  /** The merchant's own id: a merchant who missed the answer knows no reference. */
  readonly transactionId: string
  /** Null: what the processor told last. */
  readonly event: string | null
}

type Found = { readonly root: Entry; readonly entry: Entry }

/**
 * What a message about a payment is about. Without an event: what ended last. With one: the operation that it names, and of
 * several the one that is pending.
 */
export async function findSubject(
  { pool, clock }: Office,
  { merchantId, transactionId, event }: About,
): Promise<Found | null> {
  const [name = ''] = event?.split('.') ?? []
  const operations = event === null ? ALL : OPERATIONS[name]
  if (!operations) throw new BadRequest('event')
  const root = await store.findPendingOfTransaction(pool, merchantId, transactionId)
  if (!root) return null
  // A sale is one entry: its capture is the sale itself.
  if (name === 'capture' && root.isFinal) return { root, entry: root }
  const { rows } = await pool.query<Entry>(
    `select ${COLUMNS} from simulator.entries
     where (reference = $1 or authorization_reference = $1) and operation = any ($2)
       and (case when $3 then status = 'pending' or ended_at <= $4 else status <> 'pending' and ended_at <= $4 end)
     order by status = 'pending' desc, ended_at desc, reference desc
     limit 1`,
    [root.reference, operations, event !== null, clock()],
  )
  return rows[0] ? { root, entry: rows[0] } : null
}
