import type pg from 'pg'
import * as store from '../store.ts'
import type { Batch } from './batches.ts'
import { type Line, linesOf, strayLineOf } from './lines.ts'

const PAGE = 2_000
const DAY_MS = 24 * 3_600_000
/** The money is on the merchant's account two days after the day of the payments. */
const POSTED_MS = 2 * DAY_MS

const COLUMNS = [
  'kind',
  'id',
  'reference',
  'our_reference',
  'posted_on',
  'amount',
  'currency',
  'commission',
  'interchange',
  'scheme_fee',
  'markup',
  'original_amount',
  'original_currency',
  'exchange_rate',
  'code',
  'reason',
]

type Sums = { readonly count: number; readonly gross: number; readonly fees: number }

/**
 * A batch as text: a header, a row of names, the lines, and a trailer. It is made of the books each time, page by page.
 * Entries in a batch never change, so the text is the same each time.
 */
export async function* writeFile(pool: pg.Pool, batch: Batch): AsyncGenerator<Uint8Array> {
  yield rows([
    ['header', batch.id, batch.day, encodeURIComponent(batch.merchantId), batch.settlementCurrency],
    ['columns', ...COLUMNS],
  ])
  let sums: Sums = { count: 0, gross: 0, fees: 0 }
  if (batch.fault === 'unknown_reference') {
    const stray = [strayLineOf(batch)]
    sums = add(sums, stray)
    yield rows(stray.map((line) => toRow(line, batch)))
  }
  let after: string | null = null
  do {
    const entries: store.BatchEntry[] = await store.listBatch(pool, { batchId: batch.id, after, limit: PAGE })
    const lines = entries.flatMap((entry) => linesOf(entry, batch))
    sums = add(sums, lines)
    if (lines.length > 0) yield rows(lines.map((line) => toRow(line, batch)))
    after = entries.length === PAGE ? (entries.at(-1)?.reference ?? null) : null
  } while (after !== null)
  const wrong = batch.fault === 'wrong_sum' ? 100 : 0
  const gross = sums.gross + wrong
  yield rows([['trailer', sums.count, gross, sums.fees, gross - sums.fees]])
}

function toRow(line: Line, { day, currency, settlementCurrency, exchangeRate }: Batch): Cell[] {
  const isExchanged = exchangeRate !== null
  return [
    'line',
    line.kind,
    line.id,
    line.reference,
    line.ourReference,
    new Date(Date.parse(day) + POSTED_MS).toISOString().slice(0, 10),
    line.amount,
    settlementCurrency,
    line.commission,
    line.interchange,
    line.schemeFee,
    line.markup,
    isExchanged ? line.originalAmount : null,
    isExchanged ? currency : null,
    exchangeRate,
    line.code,
    line.reason,
  ]
}

function add(sums: Sums, lines: readonly Line[]): Sums {
  return lines.reduce(
    ({ count, gross, fees }, line) => ({
      count: count + 1,
      gross: gross + line.amount,
      fees: fees + line.commission,
    }),
    sums,
  )
}

type Cell = string | number | null

/** No cell has a comma, a quote or a line break in it: ids, numbers, and words of our own. */
function rows(cells: readonly (readonly Cell[])[]): Uint8Array {
  return Buffer.from(cells.map((row) => `${row.map((cell) => cell ?? '').join(',')}\n`).join(''))
}
