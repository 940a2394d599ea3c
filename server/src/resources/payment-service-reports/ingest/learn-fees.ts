import type { Scope, Tx } from '#platform/db.ts'
import { costSegmentsOf, feesOf, sumOfFees } from '#processing/costs/cost.ts'
import * as costs from '#processing/costs/store.ts'
import { paidOf } from '#resources/transactions/flow/paid-of.ts'
import type { Matched } from '#resources/transactions/reported/apply.ts'

/** Settled payments tell what a service charges. In the commit that records the lines, so that each counts once. */
export function learnFees(tx: Scope<Tx>, matched: readonly Matched[]): Promise<void> {
  return costs.add(tx, addedUp(matched.flatMap(feesIn)))
}

/** Hundreds of lines are of a few segments. */
function addedUp(fees: readonly costs.StoredFees[]): costs.StoredFees[] {
  const bySegment = Map.groupBy(fees, ({ payment_service_id: id, segment }) => `${id} ${segment}`)
  return [...bySegment.values()].flatMap((own) => {
    const [first] = own
    return first ? [{ ...first, ...sumOfFees(own) }] : []
  })
}

function feesIn({ line, transaction }: Matched): costs.StoredFees[] {
  const amount = Number(line.amount)
  if (line.kind !== 'settlement' || amount <= 0) return []
  const paid = originalOf({ line, transaction })
  const fee = (Number(line.commission) * paid) / amount
  if (!(paid > 0 && fee >= 0)) return []
  const fees = feesOf({ amount: paid, fee, at: line.posted_at })
  return costSegmentsOf(paidOf(transaction)).map((segment) => ({
    ...fees,
    payment_service_id: line.payment_service_id,
    segment,
  }))
}

/** What the buyer paid. Not a number: it is settled in another currency, and the report does not tell. */
function originalOf({ line, transaction }: Pick<Matched, 'line' | 'transaction'>): number {
  if (line.currency === transaction.currency) return Number(line.amount)
  return line.original_currency === transaction.currency
    ? Number(line.original_amount ?? Number.NaN)
    : Number.NaN
}
