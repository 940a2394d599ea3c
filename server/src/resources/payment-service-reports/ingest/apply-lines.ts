import type { Scope, Tx } from '#platform/db.ts'
import { applyReported, type Matched, toBeSettled } from '#resources/transactions/reported/apply.ts'
import * as files from '../files/store.ts'
import * as lines from '../lines/store.ts'

/** Applies lines that are on record to their payments, and flags those whose settlements do not add up. */
export async function applyLines(tx: Scope<Tx>, matched: readonly Matched[]): Promise<void> {
  await applyReported(tx, matched)
  await flag(tx, expectedOf(matched))
}

/** After a capture or a refund has failed, its settlements should add up to something else. */
export async function flagAgain(
  tx: Scope<Tx>,
  transaction: Matched['transaction'],
  refundId: string | null,
): Promise<void> {
  const amount = refundId === null ? toBeSettled(transaction) : 0
  await flag(tx, [{ transactionId: transaction.id, refundId, amount }])
}

async function flag(tx: Scope<Tx>, expected: readonly lines.Expected[]): Promise<void> {
  const changes = await lines.flag(tx, expected)
  await files.addCounts(
    tx,
    changes.map(({ file_id, change }) => ({ id: file_id, unmatched: 0, flagged: change })),
  )
}

/** Each payment and each refund once. */
function expectedOf(matched: readonly Matched[]): lines.Expected[] {
  const settled = matched.filter(
    ({ line }) => line.kind === 'settlement' || line.kind === 'refund_settlement',
  )
  const each = new Map(settled.map((found) => [found.refund?.id ?? found.transaction.id, found]))
  return [...each.values()].map(({ transaction, refund }) => ({
    transactionId: transaction.id,
    refundId: refund?.id ?? null,
    amount: refund ? -amountOfRefund(refund) : toBeSettled(transaction),
  }))
}

/** A refund that failed moves nothing: what was settled of it goes back. */
function amountOfRefund({ status, amount }: { readonly status: string; readonly amount: number }): number {
  return status === 'succeeded' ? amount : 0
}
