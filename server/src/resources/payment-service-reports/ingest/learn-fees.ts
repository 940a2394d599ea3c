import type { Scope, Tx } from '#platform/database/db.ts'
import { costSegmentsOf, type Fees, feesOf, sumOfFees } from '#processing/costs/cost.ts'
import * as costs from '#processing/costs/store.ts'
import { paidOf } from '#resources/transactions/flow/paid-of.ts'
import type { Matched } from '#resources/transactions/reported/apply.ts'

/** Settled payments tell what a service charges. In the commit that records the lines, so that each counts once. */
export function learnFees(tx: Scope<Tx>, matched: readonly Matched[]): Promise<void> {
  // Hundreds of lines are of a few kinds of payments. So segments are made once for each kind.
  const kinds = [...Map.groupBy(matched, kindOf).values()]
  return costs.add(tx, addedUp(kinds.flatMap(feesIn)))
}

/** Lines of one kind are of the same segments. */
function kindOf({ line, transaction }: Matched): string {
  const { method, currency, payment_method_scheme: scheme, payment_method_country: country } = transaction
  return `${line.payment_service_id} ${method} ${currency} ${scheme} ${country}`
}

function addedUp(fees: readonly costs.StoredFees[]): costs.StoredFees[] {
  const bySegment = Map.groupBy(fees, ({ payment_service_id: id, segment }) => `${id} ${segment}`)
  return [...bySegment.values()].flatMap((own) => {
    const [first] = own
    return first ? [{ ...first, ...sumOfFees(own) }] : []
  })
}

/** What the lines of one kind add to each of its segments. */
function feesIn(kind: readonly Matched[]): costs.StoredFees[] {
  const [first] = kind
  const all = kind.flatMap(feesOfLine)
  if (!first || all.length === 0) return []
  const fees = sumOfFees(all)
  return costSegmentsOf(paidOf(first.transaction)).map((segment) => ({
    ...fees,
    payment_service_id: first.line.payment_service_id,
    segment,
  }))
}

function feesOfLine({ line, transaction }: Matched): Fees[] {
  const amount = Number(line.amount)
  if (line.kind !== 'settlement' || amount <= 0) return []
  const paid = originalOf({ line, transaction })
  const fee = (Number(line.commission) * paid) / amount
  return paid > 0 && fee >= 0 ? [feesOf({ amount: paid, fee, at: line.posted_at })] : []
}

/** What the buyer paid. Not a number: it is settled in another currency, and the report does not tell. */
function originalOf({ line, transaction }: Pick<Matched, 'line' | 'transaction'>): number {
  if (line.currency === transaction.currency) return Number(line.amount)
  return line.original_currency === transaction.currency
    ? Number(line.original_amount ?? Number.NaN)
    : Number.NaN
}
