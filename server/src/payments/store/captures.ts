import { newId } from '#domain/ids.ts'
import type { Scope, Tables, Tx } from '#platform/database/db.ts'
import { laterThan } from '#platform/process/clock.ts'
import type { PaymentAttempt } from '#processing/attempts/store.ts'
import type { Capture } from '#resources/transactions/wire/capture.ts'
import type { OrderDetails } from '../document.ts'
import type { Outcome } from './payments.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    transaction_captures: {
      merchant_account_id: string
      transaction_id: string
      id: string
      amount: number
      is_final: boolean
      status: Capture['status']
      external_identifier: string | null
      payment_service_capture_id: string | null
      error_code: string | null
      outcome: Outcome
      details: Details
      captured_at: Date | null
      updated_at: Date
    }
  }
}

/** What the merchant sent with this capture. */
type Details = Pick<OrderDetails, 'cart_items' | 'airline'>
export type StoredCapture = Tables['transaction_captures']

const COLUMNS = [
  'merchant_account_id',
  'transaction_id',
  'id',
  'amount',
  'is_final',
  'status',
  'external_identifier',
  'payment_service_capture_id',
  'error_code',
  'outcome',
  'details',
  'captured_at',
  'updated_at',
] as const

type NewCapture = Pick<StoredCapture, 'transaction_id' | 'amount' | 'is_final' | 'status'> &
  Partial<Pick<StoredCapture, 'external_identifier' | 'payment_service_capture_id' | 'outcome' | 'details'>>

/** Takes out what the merchant sent with the captures of a payment. Returns their ids. */
export async function forgetBuyer(
  { db, merchantAccountId }: Scope<Tx>,
  transactionId: string,
): Promise<string[]> {
  const rows = await db
    .updateTable('transaction_captures')
    .set({ details: JSON.stringify({}) as never })
    .where('merchant_account_id', '=', merchantAccountId)
    .where('transaction_id', '=', transactionId)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

export async function insert(
  { db, clock, merchantAccountId }: Scope<Tx>,
  given: NewCapture,
): Promise<StoredCapture> {
  const now = clock()
  const capture: StoredCapture = {
    merchant_account_id: merchantAccountId,
    id: newId(now.getTime()),
    external_identifier: null,
    payment_service_capture_id: null,
    error_code: null,
    outcome: {},
    details: {},
    ...given,
    captured_at: given.status === 'succeeded' ? now : null,
    updated_at: now,
  }
  const { outcome, details, ...columns } = capture
  await db
    .insertInto('transaction_captures')
    .values({ ...columns, outcome: JSON.stringify(outcome), details: JSON.stringify(details) } as never)
    .execute()
  return capture
}

export async function change(
  { db, clock }: Scope<Tx>,
  before: StoredCapture,
  change: Pick<StoredCapture, 'status'> &
    Partial<Pick<StoredCapture, 'payment_service_capture_id' | 'error_code' | 'outcome'>>,
): Promise<StoredCapture> {
  const now = clock()
  const { outcome, ...columns } = {
    ...change,
    captured_at: change.status === 'succeeded' ? now : null,
    updated_at: laterThan(before, now),
  }
  await db
    .updateTable('transaction_captures')
    .set({ ...columns, ...(outcome && { outcome: JSON.stringify(outcome) as never }) })
    .where('merchant_account_id', '=', before.merchant_account_id)
    .where('transaction_id', '=', before.transaction_id)
    .where('id', '=', before.id)
    .execute()
  return { ...before, ...columns, ...(outcome && { outcome }) }
}

export async function find(
  { db, merchantAccountId }: Scope,
  { transactionId, id }: { readonly transactionId: string; readonly id: string },
): Promise<StoredCapture | undefined> {
  return db
    .selectFrom('transaction_captures')
    .select(COLUMNS)
    .where('merchant_account_id', '=', merchantAccountId)
    .where('transaction_id', '=', transactionId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** The capture that an attempt asks for. */
export async function ofAttempt(
  scope: Scope,
  { transaction_id: transactionId, subject_id }: PaymentAttempt,
): Promise<StoredCapture> {
  const capture = await find(scope, { transactionId, id: subject_id ?? '' })
  if (!capture) throw new Error('a capture was sent that is not on record')
  return capture
}

/** All captures of a payment, newest first. */
export function listOf({ db, merchantAccountId }: Scope, transactionId: string): Promise<StoredCapture[]> {
  return db
    .selectFrom('transaction_captures')
    .select(COLUMNS)
    .where('merchant_account_id', '=', merchantAccountId)
    .where('transaction_id', '=', transactionId)
    .orderBy('id', 'desc')
    .execute()
}
