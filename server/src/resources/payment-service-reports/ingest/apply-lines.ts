import type { Scope, Tx } from '#platform/database/db.ts'
import { applyReported, type Matched, toBeSettled } from '#resources/transactions/reported/apply.ts'
import * as files from '../files/store.ts'
import type { Flag } from '../lines/columns.ts'
import { addUp } from '../lines/exchanged.ts'
import * as lines from '../lines/store.ts'
import { learnFees } from './learn-fees.ts'

/** Applies lines that are on record to their payments, and flags those whose settlements do not add up. */
export async function applyLines(tx: Scope<Tx>, matched: readonly Matched[]): Promise<void> {
  await applyReported(tx, matched)
  await concludeLines(tx, matched)
}

/** After lines were applied: learns from them, and flags those that do not add up. */
export async function concludeLines(tx: Scope<Tx>, matched: readonly Matched[]): Promise<void> {
  await learnFees(tx, matched)
  const sums = await sumsAfter(tx, matched)
  // The first settlement that is as expected leaves no flag, and there is none to take back.
  await flag(
    tx,
    sums.filter((sum) => sum.wasSettled || flagOf(sum) !== null),
  )
}

/** After a capture or a refund has failed, its settlements should add up to something else. */
export async function flagAgain(
  tx: Scope<Tx>,
  transaction: Matched['transaction'],
  refundId: string | null,
): Promise<void> {
  const expected = refundId === null ? toBeSettled(transaction) : 0
  const sums = await lines.sumUp(tx, [{ transactionId: transaction.id, refundId }])
  await flag(
    tx,
    sums.map((sum) => ({ ...sum, expected })),
  )
}

/** What settlements add up to, and what they should. */
type Compared = lines.Sum & { readonly expected: number }

/** The same, and whether there were settlements before. */
type After = Compared & { readonly wasSettled: boolean }

async function flag(tx: Scope<Tx>, sums: readonly Compared[]): Promise<void> {
  const changes = await lines.flag(
    tx,
    sums.map((sum) => ({ ...sum, lineId: sum.lastId, flag: flagOf(sum) })),
  )
  await files.addCounts(
    tx,
    changes.map(({ file_id, change }) => ({ id: file_id, unmatched: 0, flagged: change })),
  )
}

function flagOf({ sum, expected }: Compared): Flag | null {
  if (sum === expected) return null
  return Math.abs(sum) > Math.abs(expected) ? 'above_expected' : 'below_expected'
}

/** The sums of all payments and refunds that these lines settle, after them. */
async function sumsAfter(tx: Scope<Tx>, matched: readonly Matched[]): Promise<After[]> {
  const settled = matched.filter(
    ({ line }) => line.kind === 'settlement' || line.kind === 'refund_settlement',
  )
  const groups = [...Map.groupBy(settled, idOf)]
  const exchanged = groups.filter(([, group]) => isExchanged(group))
  const sums = await addUp(
    tx,
    exchanged.map(([id, group]) => ({ id, amount: originalOf(group) })),
  )
  return groups.map(([id, group]) => compared(group, sums.get(id)))
}

/** Of the payment or the refund that a line settles. */
function idOf({ transaction, refund }: Matched): string {
  return refund?.id ?? transaction.id
}

/** What buyers paid, or got back. */
function originalOf(group: Group): number {
  return group.reduce((sum, { line }) => sum + Number(line.original_amount ?? line.amount), 0)
}

type Group = readonly Matched[]

/** Then `settled_amount` is in another currency, and the amounts that buyers paid are added up elsewhere. */
function isExchanged(group: Group): boolean {
  return group.some(({ line, transaction }) => line.currency !== transaction.currency)
}

/** Unless it is exchanged, what was settled before is on the payment or on the refund: no line has to be read again. */
function compared(group: Group, exchangedSum: number | undefined): After {
  const [{ transaction, refund }] = group as [Matched]
  const before = refund ? 0 - Number(refund.settled_amount) : Number(transaction.settled_amount)
  return {
    transactionId: transaction.id,
    refundId: refund?.id ?? null,
    sum: exchangedSum ?? group.reduce((sum, { line }) => sum + Number(line.amount), before),
    lastId:
      group
        .map(({ line }) => line.id)
        .toSorted()
        .at(-1) ?? '',
    wasSettled: (refund ?? transaction).settled_currency !== null,
    expected: refund ? 0 - amountOfRefund(refund) : toBeSettled(transaction),
  }
}

/** A refund that failed moves nothing: what was settled of it goes back. */
function amountOfRefund({ status, amount }: { readonly status: string; readonly amount: number }): number {
  return status === 'succeeded' ? amount : 0
}
