import type pg from 'pg'
import { compareBooks } from '../aftermath.ts'
import { type Counts, complaints } from '../program.ts'
import type { Buyers } from './buyers.ts'

type Counted = { readonly counts: Counts; readonly broken: readonly string[] }

/** Compares what buyers were told, what the database has, and what the processor did. All attempts have ended. */
export async function count(database: pg.Client, books: pg.Client, { told }: Buyers): Promise<Counted> {
  const entries = await books.query('select * from simulator.entries')
  await database.query(
    'insert into simulator.entries select * from json_populate_recordset(null::simulator.entries, $1)',
    [JSON.stringify(entries.rows)],
  )
  const { rows: payments } = await database.query('select id, external_identifier, status from transactions')
  const byId = new Map(payments.map((payment) => [payment.id, payment]))
  const charges = entries.rows.filter(
    ({ operation, status }) => operation === 'authorize' && status === 'approved',
  )
  const lost = [...told].filter(([order, { id }]) => byId.get(id)?.external_identifier !== order)
  const twice = repeated(charges.map(({ amount }) => amount))
  const orphans = charges.filter(({ transaction_id }) => !byId.has(transaction_id))
  const uncharged = [...told].filter(([, { id, status, amount }]) => {
    const isCharged = charges.some((one) => one.transaction_id === id && one.amount === amount)
    return status === 'authorization_succeeded' && !isCharged
  })
  const changed = [...told].filter(([, { id, status }]) => {
    const now = byId.get(id)?.status
    return status !== 'processing' && now !== undefined && now !== status
  })
  return {
    counts: {
      payments: payments.length,
      'charges in the books of the processor': charges.length,
      'payments lost': lost.length,
      'charged twice': twice.length,
      'charged without a payment': orphans.length,
    },
    broken: [
      ...complaints('was acknowledged, and is lost', lost),
      ...complaints('was charged twice: the order with the amount', twice),
      ...complaints(
        'was charged, and there is no payment',
        orphans.map(({ transaction_id }) => transaction_id),
      ),
      ...complaints('succeeded, and was not charged', uncharged),
      ...complaints('has another status than the buyer was told', changed),
      ...(await compareBooks(database)),
    ],
  }
}

function repeated(amounts: readonly number[]): number[] {
  const seen = new Set<number>()
  return amounts.filter((amount) => seen.has(amount) || !seen.add(amount))
}
