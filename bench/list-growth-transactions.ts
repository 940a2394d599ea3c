import type pg from 'pg'
import type { Row } from '#payments/store/payments.ts'
import { copyInto } from './copy.ts'
import { fillInBatches } from './fill-in-batches.ts'
import { paymentOf } from './list-growth-payment.ts'
import type { Rows } from './list-growth-rows.ts'

const BATCH = 2_000

/** Payments of twenty-one accounts over a year, and their marks. The default account has 60 %. */
export async function fillTransactions(
  client: pg.Client,
  rows: Rows,
  progress: (text: string) => void,
): Promise<void> {
  const marks = ['transaction_marks', 'transaction_statuses']
  for (const table of marks) await client.query(`alter table ${table} drop constraint ${table}_pkey`)
  await fillInBatches(client, { kind: 'transactions', rows, size: BATCH }, progress)
  for (const table of marks) {
    progress(`index ${table}_pkey`)
    await client.query(`alter table ${table} add primary key (merchant_account_id, mark, id)`)
  }
}

export async function addTransactions(
  client: pg.Client,
  rows: Rows,
  first: number,
  end: number,
): Promise<void> {
  const payments = Array.from({ length: end - first }, (_none, at) => paymentOf(rows, first + at))
  const columns = Object.keys(payments[0]?.row ?? {}) as (keyof Row)[]
  const key = ['merchant_account_id', 'id']
  await copyInto(
    client,
    'transactions',
    columns,
    payments.map(({ row }) =>
      columns.map((column) => (column === 'outcome' ? JSON.stringify(row.outcome) : row[column])),
    ),
  )
  await copyInto(
    client,
    'transaction_documents',
    [...key, 'document'],
    payments.map(({ row, document }) => [row.merchant_account_id, row.id, JSON.stringify(document)]),
  )
  await copyInto(
    client,
    'transaction_updates',
    [...key, 'updated_at'],
    payments.map(({ row }) => [row.merchant_account_id, row.id, row.updated_at]),
  )
  const marks = payments.flatMap(({ row, marks: own }) =>
    own.map((mark) => [row.merchant_account_id, row.id, mark] as const),
  )
  const isStatus = ([, , mark]: (typeof marks)[number]) => mark.startsWith('status:')
  await copyInto(
    client,
    'transaction_marks',
    [...key, 'mark'],
    marks.filter((one) => !isStatus(one)),
  )
  await copyInto(client, 'transaction_statuses', [...key, 'mark'], marks.filter(isStatus))
}
