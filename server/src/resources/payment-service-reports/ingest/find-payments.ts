import { sql } from 'kysely'
import { uuidOf } from '#domain/reconciliation-id.ts'
import { markOf } from '#payments/store/marks.ts'
import type { Context, Scope } from '#platform/database/db.ts'
import { arrayOf } from '#platform/database/statements.ts'
import { isId } from '#platform/http/incoming.ts'
import type { StoredLine } from '../lines/columns.ts'

/** A payment that a line may be about. */
export type Candidate = {
  readonly transactionId: string
  /** The refund, if the line is about one. */
  readonly refundId: string | null
  /** Whether the attempt that the line names was approved. `open`: its outcome is not known yet. `none`: it names none. */
  readonly attempt: 'approved' | 'open' | 'refused' | 'none'
  /** Whether the attempt captured money. An authorization alone does not. */
  readonly isCapture: boolean
  /** The attempt, if it authorized and captured in one step. */
  readonly sale: { readonly attemptId: string; readonly reference: string | null } | null
  /** Whether the attempt refunded a sale that came too late. */
  readonly isRefundOfLateSale: boolean
}

type Named = Pick<StoredLine, 'kind' | 'provider_reference' | 'own_reference'>
type Service = { readonly paymentServiceId: string }

/**
 * Finds the payments of lines: by the provider's reference, then by ours. Looks only at payments of the service and of
 * its merchant account, so that a line for another merchant finds nothing. The result has the order of the lines.
 */
export async function findPayments(
  scope: Scope & Service,
  lines: readonly Named[],
): Promise<(Candidate | undefined)[]> {
  const found: (Candidate | undefined)[] = new Array(lines.length)
  for (const find of [byReference, byAttempt, byMark, byId]) {
    const missing = lines.flatMap((line, place) =>
      found[place] || line.kind === 'other' ? [] : [{ line, place }],
    )
    if (missing.length === 0) break
    for (const { place, ...candidate } of await find(scope, missing)) found[place] ??= candidate
  }
  return found
}

type Missing = { readonly line: Named; readonly place: number }
type Placed = Candidate & { readonly place: number }

type Row = {
  readonly place: number
  readonly id: string
  readonly reference: string | null
  readonly transaction_id: string
  readonly subject_id: string | null
  readonly kind: string
  readonly state: string
  readonly is_direct_capture: boolean
}

/** A void with a subject refunds a sale that came too late: see `releaseLate`. */
const FITS = sql`attempt.transaction_id is not null and case when line.is_refund
  then attempt.kind = 'refund' or (attempt.kind = 'void' and attempt.subject_id is not null)
  else attempt.kind in ('capture', 'authorize') end`
const COLUMNS = sql`line.place, attempt.id, attempt.reference, attempt.transaction_id, attempt.subject_id, attempt.kind, attempt.state, attempt.is_direct_capture`

async function byReference(scope: Scope & Service, missing: readonly Missing[]): Promise<Placed[]> {
  const { rows } = await sql<Row>`
    select ${COLUMNS}
    from unnest(${arrayOf.integer(missing.map(({ place }) => place))}::int[],
      ${arrayOf.text(missing.map(({ line }) => line.provider_reference))}::text[],
      ${arrayOf.boolean(missing.map(({ line }) => isAboutRefund(line)))}::boolean[]) as line (place, reference, is_refund)
    join attempts as attempt
      on attempt.service_id = ${scope.paymentServiceId} and attempt.reference = line.reference
      and attempt.reference is not null
    where attempt.merchant_account_id = ${scope.merchantAccountId} and ${FITS}
  `.execute(scope.db)
  return candidates(rows)
}

async function byAttempt(scope: Scope & Service, missing: readonly Missing[]): Promise<Placed[]> {
  const named = missing.flatMap(({ line, place }) => {
    const id = line.own_reference ?? ''
    return isId(id) ? [{ place, id, isRefund: isAboutRefund(line) }] : []
  })
  if (named.length === 0) return []
  const { rows } = await sql<Row>`
    select ${COLUMNS}
    from unnest(${named.map(({ place }) => place)}::int[], ${named.map(({ id }) => id)}::uuid[],
      ${named.map(({ isRefund }) => isRefund)}::boolean[]) as line (place, id, is_refund)
    join attempts as attempt on attempt.id = line.id
    where attempt.service_id = ${scope.paymentServiceId} and attempt.merchant_account_id = ${scope.merchantAccountId}
      and ${FITS}
  `.execute(scope.db)
  return candidates(rows)
}

/** Merchants may enter the outcome of a payment by hand. Then the provider's reference is known, but there is no attempt. */
async function byMark(scope: Scope & Service, missing: readonly Missing[]): Promise<Placed[]> {
  const named = missing.filter(({ line }) => !isAboutRefund(line))
  if (named.length === 0) return []
  const { rows } = await sql<{ readonly place: number; readonly id: string }>`
    select line.place, payment.id
    from unnest(${named.map(({ place }) => place)}::int[],
      ${named.map(({ line }) => markOf('service-transaction', line.provider_reference ?? ''))}::text[]) as line (place, mark)
    join transaction_marks as marked
      on marked.merchant_account_id = ${scope.merchantAccountId} and marked.mark = line.mark
    join transactions as payment
      on payment.merchant_account_id = marked.merchant_account_id and payment.id = marked.id
    where payment.payment_service_id = ${scope.paymentServiceId}
  `.execute(scope.db)
  return rows.map(({ place, id }) => ({ place, transactionId: id, ...WITHOUT_ATTEMPT }))
}

/** By the reconciliation id of the payment or of the refund. */
async function byId(scope: Scope & Service, missing: readonly Missing[]): Promise<Placed[]> {
  const named = missing.flatMap(({ line, place }) => {
    const id = uuidOf(line.own_reference ?? '')
    return id === undefined ? [] : [{ place, id, isRefund: isAboutRefund(line) }]
  })
  const payments = await idsOf(scope, 'transactions', named)
  const refunds = await idsOf(scope, 'refunds', named)
  return named.flatMap(({ place, id, isRefund }) => {
    const transactionId = isRefund ? refunds.get(id) : payments.get(id)
    if (transactionId === undefined) return []
    return [{ place, transactionId, ...WITHOUT_ATTEMPT, refundId: isRefund ? id : null }]
  })
}

const WITHOUT_ATTEMPT = {
  refundId: null,
  attempt: 'none',
  isCapture: false,
  sale: null,
  isRefundOfLateSale: false,
} as const

/** The payments of those ids that are the service's own. */
async function idsOf(
  { db, merchantAccountId, paymentServiceId }: Context & { readonly merchantAccountId: string } & Service,
  table: 'transactions' | 'refunds',
  named: readonly { readonly id: string; readonly isRefund: boolean }[],
): Promise<ReadonlyMap<string, string>> {
  const ids = named.filter(({ isRefund }) => isRefund === (table === 'refunds')).map(({ id }) => id)
  if (ids.length === 0) return new Map()
  const transactionId = sql.ref(table === 'refunds' ? 'transaction_id' : 'id')
  const { rows } = await sql<{ readonly id: string; readonly transaction_id: string }>`
    select id, ${transactionId} as transaction_id from ${sql.table(table)}
    where merchant_account_id = ${merchantAccountId} and id = any(${ids}::uuid[])
      and payment_service_id = ${paymentServiceId}
  `.execute(db)
  return new Map(rows.map((row) => [row.id, row.transaction_id]))
}

/** A provider may use one reference for several attempts: the approved one counts, and a capture before its authorization. */
function candidates(rows: readonly Row[]): Placed[] {
  return rows
    .map((row): Placed => {
      const { place, transaction_id: transactionId, kind, state } = row
      const isOpen = state !== 'approved' && state !== 'declined' && state !== 'failed'
      return {
        place,
        transactionId,
        refundId: kind === 'refund' ? row.subject_id : null,
        attempt: isOpen ? 'open' : state === 'approved' ? 'approved' : 'refused',
        isCapture: kind === 'capture' || row.is_direct_capture,
        sale: row.is_direct_capture ? { attemptId: row.id, reference: row.reference } : null,
        isRefundOfLateSale: kind === 'void',
      }
    })
    .sort((one, other) => rankOf(one) - rankOf(other))
}

function rankOf({ attempt, isCapture }: Candidate): number {
  return ['approved', 'open', 'refused'].indexOf(attempt) * 2 + (isCapture ? 0 : 1)
}

function isAboutRefund({ kind }: Pick<StoredLine, 'kind'>): boolean {
  return kind === 'refund_settlement'
}
