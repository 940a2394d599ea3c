import { sql } from 'kysely'
import { applyReported, type Matched, toBeSettled } from '#payments/reported/apply.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import { costSegmentsOf, type Fees, feesOf, sumOfFees } from '#processing/costs/cost.ts'
import * as costs from '#processing/costs/store.ts'
import { paidOf } from '#processing/scores/score.ts'
import { recordSteps, type TakenStep } from '#resources/disputes/record.ts'
import * as files from '../files/store.ts'
import type { Flag, StoredLine } from '../lines/columns.ts'
import * as lines from '../lines/store.ts'

/** Applies lines that are on record to their payments, and flags those whose settlements do not add up. */
export async function applyLines(tx: Scope<Tx>, matched: readonly Matched[]): Promise<void> {
  await applyReported(tx, matched)
  await concludeLines(tx, matched)
}

/** After lines were applied: learns from them, and flags those that do not add up. */
export async function concludeLines(tx: Scope<Tx>, matched: readonly Matched[]): Promise<void> {
  await learnFees(tx, matched)
  await recordSteps(tx, matched.flatMap(stepsOf))
  const sums = await sumsAfter(tx, matched)
  // The first settlement that is as expected leaves no flag, and there is none to take back.
  await flag(
    tx,
    sums.filter((sum) => sum.wasSettled || flagOf(sum) !== null),
  )
}

export const STAGE_OF_MOVEMENT = { chargeback: 'chargeback', chargeback_reversal: 'won' } as const

/** What a file tells of a dispute. Notifications say more, and are recorded as they come. */
function stepsOf({ line, transaction }: Matched): TakenStep[] {
  const { kind, file_id: fileId, posted_at: postedAt } = line
  if (fileId === null || (kind !== 'chargeback' && kind !== 'chargeback_reversal')) return []
  return [
    {
      paymentServiceId: line.payment_service_id,
      transactionId: transaction.id,
      dispute: null,
      movement: movementOf(line),
      isLater: kind === 'chargeback_reversal',
      step: {
        stage: STAGE_OF_MOVEMENT[kind],
        provider_stage: null,
        amount: Math.abs(Number(line.amount)),
        currency: line.currency,
        reason_code: line.reason_code,
        reason_description: line.reason_description,
        respond_by: null,
        posted_at: postedAt.toISOString(),
      },
    },
  ]
}

/** By what a file and a notification know that they tell of the same movement. */
export function movementOf({ external_identifier, notice, id }: StoredLine): string {
  return external_identifier ?? notice ?? id
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

/** Settled payments tell what a service charges. In the commit that records the lines, so that each counts once. */
function learnFees(tx: Scope<Tx>, matched: readonly Matched[]): Promise<void> {
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
  const paid = paidByBuyer({ line, transaction })
  const fee = (Number(line.commission) * paid) / amount
  return paid > 0 && fee >= 0 ? [feesOf({ amount: paid, fee, at: line.posted_at })] : []
}

/** What the buyer paid. Not a number: it is settled in another currency, and the report does not tell. */
function paidByBuyer({ line, transaction }: Pick<Matched, 'line' | 'transaction'>): number {
  if (line.currency === transaction.currency) return Number(line.amount)
  return line.original_currency === transaction.currency
    ? Number(line.original_amount ?? Number.NaN)
    : Number.NaN
}

/** What lines add to the settlements of a payment or a refund that is settled in another currency than its own. */
type Exchanged = { readonly id: string; readonly amount: number }

/** Adds it up, in the currency of the payment. Returns the sums of all lines so far. */
async function addUp(
  { db, merchantAccountId }: Scope<Tx>,
  added: readonly Exchanged[],
): Promise<Map<string, number>> {
  if (added.length === 0) return new Map()
  const { rows } = await sql<{ id: string; amount: string }>`
    insert into exchanged_settlements as known (merchant_account_id, id, amount)
    select ${merchantAccountId}, added.id, added.amount
    from unnest(${added.map(({ id }) => id)}::uuid[], ${added.map(({ amount }) => amount)}::bigint[]) as added (id, amount)
    on conflict (merchant_account_id, id) do update set amount = known.amount + excluded.amount
    returning id, amount
  `.execute(db)
  return new Map(rows.map(({ id, amount }) => [id, Number(amount)]))
}
