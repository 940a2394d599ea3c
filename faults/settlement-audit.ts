import type pg from 'pg'
import type { FileSum } from '#sandbox/simulator/settlement/sums.ts'
import type { Processor } from '../lab/processor.ts'
import { type Json, mustDo, type Place } from '../lab/product.ts'
import { type Counts, complaints } from './program.ts'

type Scene = {
  readonly database: pg.Client
  readonly processor: Processor
  readonly api: Place
  readonly merchants: readonly Merchant[]
}

/** `isTold`: the processor tells of chargebacks by notifications, too. */
type Merchant = { readonly merchantId: string; readonly isTold: boolean }

type Audit = { readonly acknowledged: Counts; readonly found: Counts; readonly broken: string[] }

/** Compares what the processor has published with what we show and have on record. */
export async function auditSettlement({ database, processor, api, merchants }: Scene): Promise<Audit> {
  const files = await readFiles(
    processor,
    merchants.map(({ merchantId }) => merchantId),
  )
  const reports = await listAll(api, '/payment-service-reports')
  const payments = await listAll(api, '/transactions')
  const owners = await ownersOf(database)
  const lines = await linesOf(database)
  const applied = files.filter(({ fault }) => fault !== 'wrong_sum')
  const heard = files.flatMap((file) => heardOnly(file, merchants))
  const strays = files.flatMap((file) => file.lines.filter(({ isStray }) => isStray))
  const unmatched = lines.filter(({ unmatched_because }) => unmatched_because !== null)
  const broken = [
    ...complaints('a file and the books differ', files.filter(isOtherThanBooks)),
    ...complaints('a file and our report differ', differingReports(files, reports)),
    ...complaints('a file and our lines differ', differingLines(applied, lines)),
    ...complaints('a notification and our lines differ', differingNotices(heard, lines)),
    ...complaints(
      'a line has no payment, and no fault explains it',
      without(unmatched, strays, 'provider_reference'),
    ),
    ...complaints('a line about no payment was not kept', without(strays, unmatched, 'reference')),
    ...complaints(
      'a payment and the files differ',
      differingPayments({ files: applied, heard, lines, payments, owners }),
    ),
    ...complaints('a flag has no fault that explains it', unexplainedFlags({ files, lines, owners })),
    ...complaints('our books and the processor’s differ', await differingSums(database)),
    ...complaints('history and lines differ', await differingHistory(database)),
    ...complaints('the totals and the lines differ', await differingTotals(database)),
    ...complaints('it was left behind', await leftovers(database)),
  ]
  return {
    acknowledged: {
      payments: payments.length,
      'of them settled': payments.filter(({ settled }) => settled).length,
      'of them disputed': payments.filter(({ disputed }) => disputed).length,
    },
    found: {
      files: files.length,
      'files with a fault': files.filter(({ fault }) => fault !== null).length,
      'of them refused': files.length - applied.length,
      lines: lines.length,
      'lines that fit a payment': lines.length - unmatched.length,
      'lines about no payment': unmatched.length,
      'flagged lines': lines.filter(({ flag }) => flag !== null).length,
    },
    broken,
  }
}

async function listAll(api: Place, path: string): Promise<Json[]> {
  const items: Json[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Json = await mustDo(api, `GET ${path}?limit=100${cursor && `&cursor=${cursor}`}`)
    items.push(...page.items)
    cursor = page.next_cursor
  }
  return items
}

/** The payment of everything that the processor has done, by its reference. */
async function ownersOf(database: pg.Client): Promise<ReadonlyMap<string, string>> {
  const { rows } = await database.query('select reference, transaction_id from simulator.entries')
  return new Map(rows.map(({ reference, transaction_id }) => [reference, transaction_id]))
}

async function linesOf(database: pg.Client): Promise<Json[]> {
  const { rows } = await database.query(
    `select line.*, report.external_identifier as report
     from payment_service_report_lines line join payment_service_reports report on report.id = line.report_id`,
  )
  return rows
}

/** The books are added up by the database of the processor, the trailer by the code that writes the file. */
function isOtherThanBooks(file: PublishedFile): boolean {
  const added = addedByFault(file)
  const { count, gross, fees } = file.books
  const expected = { count: count + added.count, gross: gross + added.gross, fees: fees + added.fees }
  return !isSame(expected, file.trailer)
}

/** As the API shows them. A copy under another name is one file with two names. */
function differingReports(files: readonly PublishedFile[], reports: readonly Json[]): object[] {
  const byName = new Map(reports.map((report) => [report.external_identifier, report]))
  return files.flatMap(({ id, currency, fault, trailer, lines }): object[] => {
    const [file, ...others] = byName.get(id)?.files ?? []
    if (!file || others.length > 0) return [{ id, fault, shown: byName.get(id) ?? null }]
    const isRefused = fault === 'wrong_sum'
    const expected = {
      status: isRefused ? 'refused' : 'applied',
      currency,
      line_count: trailer.count,
      applied_line_count: isRefused ? 0 : trailer.count,
      unmatched_line_count: lines.filter(({ isStray }) => isStray).length,
      // The trailer of the wrong file says another sum than its lines.
      gross_amount: trailer.gross - (isRefused ? 100 : 0),
      fee_amount: trailer.fees,
      names: fault === 'duplicate_file' ? 2 : 1,
    }
    const shown = { ...file, names: file.names.length }
    const isEqual = Object.entries(expected).every(([field, value]) => shown[field] === value)
    return isEqual ? [] : [{ id, fault, expected, file }]
  })
}

/** What is on record of a file, by its lines, currency by currency. */
function differingLines(files: readonly PublishedFile[], lines: readonly Json[]): object[] {
  const byFile = Map.groupBy(lines, ({ report, currency }) => `${report} ${currency}`)
  const known = new Set(files.map(({ id, currency }) => `${id} ${currency}`))
  const strangers = lines.filter(
    ({ file_id, report, currency }) => file_id !== null && !known.has(`${report} ${currency}`),
  )
  const differing = files.flatMap(({ id, currency, fault, trailer }) => {
    const own = byFile.get(`${id} ${currency}`) ?? []
    const sums = {
      count: own.length,
      gross: sumOf(own, ({ amount }) => amount),
      fees: sumOf(own, ({ commission }) => commission),
    }
    return isSame(sums, trailer) ? [] : [{ id, currency, fault, trailer, sums }]
  })
  return [...strangers, ...differing]
}

/** Chargebacks whose file was refused. If the processor notifies the merchant, we know of them all the same. */
function heardOnly({ fault, merchantId, lines }: PublishedFile, merchants: Scene['merchants']) {
  const isTold = merchants.some((merchant) => merchant.merchantId === merchantId && merchant.isTold)
  if (fault !== 'wrong_sum' || !isTold) return []
  const disputes = lines.filter(({ kind }) => kind.startsWith('chargeback'))
  return disputes.map((line) => ({ ...line, amount: line.originalAmount }))
}

function differingNotices(heard: readonly PublishedLine[], lines: readonly Json[]): object[] {
  const ours = lines.filter(({ file_id }) => file_id === null)
  const shown = new Set(ours.map(({ external_identifier }) => external_identifier))
  const known = new Set(heard.map(({ id }) => id))
  return [
    ...heard.filter(({ id }) => !shown.has(id)),
    ...ours.filter(({ external_identifier }) => !known.has(external_identifier)),
  ]
}

/** Those of the first list whose reference none of the second has. */
function without(some: readonly Json[], others: readonly Json[], field: string): object[] {
  const known = new Set(others.map(({ reference, provider_reference }) => reference ?? provider_reference))
  return some.filter((one) => !known.has(one[field]))
}

type Books = {
  readonly files: readonly PublishedFile[]
  readonly heard: readonly PublishedLine[]
  readonly lines: readonly Json[]
  readonly payments: readonly Json[]
  readonly owners: ReadonlyMap<string, string>
}

/** For each payment and kind of movement, the lines of the files and ours, and the sums that the API shows. */
function differingPayments({ files, heard, lines, payments, owners }: Books): object[] {
  const published = [...files.flatMap((file) => file.lines.filter(({ isStray }) => !isStray)), ...heard]
  const theirs = tally(published, ({ kind, reference }) => `${owners.get(reference)} ${kind}`)
  const matched = lines.filter(({ transaction_id }) => transaction_id !== null)
  const ours = tally(matched, ({ transaction_id, kind }) => `${transaction_id} ${kind}`)
  const differing = [...new Set([...theirs.keys(), ...ours.keys()])]
    .filter((name) => theirs.get(name) !== ours.get(name))
    .map((name) => ({ name, theirs: theirs.get(name), ours: ours.get(name) }))
  const byPayment = Map.groupBy(published, ({ reference }) => owners.get(reference))
  const shown = payments.flatMap(({ id, settled, settled_amount, disputed }) => {
    const own = byPayment.get(id) ?? []
    const expected = {
      settled: own.some(({ kind }) => kind === 'settlement'),
      settled_amount: sumOf(
        own.filter(({ kind }) => kind === 'settlement'),
        ({ amount }) => amount,
      ),
      disputed: own.some(({ kind }) => kind.startsWith('chargeback')),
    }
    const isEqual =
      settled === expected.settled &&
      settled_amount === expected.settled_amount &&
      disputed === expected.disputed
    return isEqual ? [] : [{ id, expected, shown: { settled, settled_amount, disputed } }]
  })
  return [...differing, ...shown]
}

/** Number and sum of the lines of each name. */
function tally<Line extends { readonly amount: number }>(
  lines: readonly Line[],
  nameOf: (line: Line) => string,
): ReadonlyMap<string, string> {
  const groups = [...Map.groupBy(lines, nameOf)]
  return new Map(
    groups.map(([name, own]) => [name, `${own.length} lines, ${sumOf(own, ({ amount }) => amount)}`]),
  )
}

/** Sums are not what we expect where a file settles one less, or was refused with a part of them. */
function unexplainedFlags({ files, lines, owners }: Omit<Books, 'payments' | 'heard'>): object[] {
  const spoilt = files.filter(({ fault }) => fault === 'off_by_one' || fault === 'wrong_sum')
  const explained = new Set(
    spoilt.flatMap((file) => file.lines.map(({ reference }) => owners.get(reference))),
  )
  return lines
    .filter(({ flag, transaction_id }) => flag !== null && !explained.has(transaction_id))
    .map(({ id, flag, transaction_id, report }) => ({ id, flag, transaction_id, report }))
}

/** Captured and refunded, less what failed later. */
async function differingSums(database: pg.Client): Promise<object[]> {
  const { rows } = await database.query(
    `select payment.id, payment.status, payment.captured_amount, payment.refunded_amount, theirs.*
     from transactions as payment
     cross join lateral (
       select
         coalesce(sum(amount) filter (where operation = 'capture' or is_final), 0)
           - coalesce(sum(amount) filter (where code = 'capture_failed'), 0) as captured,
         coalesce(sum(amount) filter (where operation = 'refund'), 0)
           - coalesce(sum(amount) filter (where code = 'refund_failed'), 0) as refunded
       from simulator.entries where transaction_id = payment.id::text and status = 'approved'
     ) as theirs
     where payment.captured_amount <> theirs.captured or payment.refunded_amount <> theirs.refunded`,
  )
  return rows
}

/** Each line that fits a payment has one entry in the payment's history, and no entry is without a line. */
async function differingHistory(database: pg.Client): Promise<object[]> {
  const { rows } = await database.query(
    `select line.id as line, count(event.id)
     from (select id from payment_service_report_lines where transaction_id is not null) as line
     full join (
       select id, context->>'id' as line_id from transaction_events where name like 'payment-connector-report-%'
     ) as event on event.line_id = line.id::text
     group by line.id having count(event.id) <> 1 or line.id is null`,
  )
  return rows
}

/** The totals of each day are those of its lines, counted anew and without the rule of the service. */
async function differingTotals(database: pg.Client): Promise<object[]> {
  const { rows } = await database.query(
    `select * from (
       select merchant_account_id, (posted_at at time zone 'UTC')::date as day, currency, kind,
         sum(amount) as amount, sum(commission) as fees, count(*) as lines
       from payment_service_report_lines
       where file_id is not null and (unmatched_because is null or unmatched_because not in ('duplicate', 'differs'))
       group by 1, 2, 3, 4
     ) as own
     full join (
       select merchant_account_id, day, currency, kind, sum(amount) as amount, sum(commission) as fees, sum(line_count) as lines
       from settlement_sums group by 1, 2, 3, 4 having sum(line_count) > 0
     ) as total using (merchant_account_id, day, currency, kind)
     where (own.amount, own.fees, own.lines) is distinct from (total.amount, total.fees, total.lines)`,
  )
  return rows
}

/** Files that stay unfinished, what waits for ever, and what the processor has put into no file. */
async function leftovers(database: pg.Client): Promise<object[]> {
  const found = [
    await database.query(`select id, status from payment_service_report_files where status = 'applying'`),
    await database.query(
      'select name, published_at from payment_service_report_offers where file_id is null',
    ),
    await database.query(
      `select reference, operation from simulator.entries
       where batch_id is null and status = 'approved'
         and (is_final or operation in ('capture', 'refund', 'chargeback', 'chargebackReversal', 'lateFailure'))`,
    ),
    await database.query(
      `select target_id, name, count(*) from events
       where name in ('transaction.charged-back', 'transaction.chargeback-reversed', 'refund.settled')
       group by 1, 2 having count(*) > 1`,
    ),
  ]
  return found.flatMap(({ rows }) => rows)
}

function isSame(one: Sums, other: Sums): boolean {
  return one.count === other.count && one.gross === other.gross && one.fees === other.fees
}

function sumOf<Item>(items: readonly Item[], numberOf: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + Number(numberOf(item)), 0)
}

/** A file as the processor publishes it, read without any code of the service. */
type PublishedFile = {
  readonly id: string
  readonly merchantId: string
  readonly currency: string
  readonly fault: string | null
  readonly lines: readonly PublishedLine[]
  readonly trailer: Sums
  /** What the books of the processor say, which know nothing of faults. */
  readonly books: Sums
}

type PublishedLine = {
  readonly kind: string
  readonly id: string
  readonly reference: string
  readonly amount: number
  /** In the currency of the buyer. */
  readonly originalAmount: number
  /** It is about no payment, because the shop asked for that. */
  readonly isStray: boolean
}

type Sums = { readonly count: number; readonly gross: number; readonly fees: number }

/** All files of these merchants. */
async function readFiles(processor: Processor, merchants: readonly string[]): Promise<PublishedFile[]> {
  const answer = await processor.ask('books/files')
  const { files } = (await answer.json()) as { files: FileSum[] }
  const own = files.filter(({ merchant_id }) => merchants.includes(merchant_id))
  return Promise.all(
    own.map(async (sum) => {
      const file = await processor.ask(`files/${sum.id}`, sum.merchant_id)
      if (!file.ok) throw new Error(`the processor did not deliver ${sum.id}: ${file.status}`)
      return toFile(sum, await file.text())
    }),
  )
}

function toFile(sum: FileSum, text: string): PublishedFile {
  const { id, merchant_id: merchantId, fault, currency, count, gross, fees } = sum
  const rows = text.split('\n').map((row) => row.split(','))
  const [, lineCount, grossSum, feeSum] = rows.find(([first]) => first === 'trailer') ?? []
  const lines = rows.filter(([first]) => first === 'line').map(toLine)
  const trailer = { count: Number(lineCount), gross: Number(grossSum), fees: Number(feeSum) }
  return { id, merchantId, currency, fault, lines, trailer, books: { count, gross, fees } }
}

function toLine(row: readonly string[]): PublishedLine {
  const [, kind = '', id = '', reference = '', ours = '', , text] = row
  const amount = Number(text)
  const originalAmount = Number(row[12] || amount)
  return { kind, id, reference, amount, originalAmount, isStray: ours.startsWith('unknown-') }
}

/** What a fault adds to the books of a file. */
function addedByFault({ fault, lines }: PublishedFile): Sums {
  switch (fault) {
    case 'wrong_sum':
      return { count: 0, gross: 100, fees: 0 }
    case 'unknown_reference':
      return { count: 1, gross: 1_000, fees: 34 }
    case 'partial_lines':
      return { count: lines.filter(({ id }) => id.endsWith('-2')).length, gross: 0, fees: 0 }
    case 'off_by_one':
      return {
        count: 0,
        gross: -lines.filter(({ kind, amount }) => kind === 'settlement' && amount > 0).length,
        fees: 0,
      }
    default:
      return { count: 0, gross: 0, fees: 0 }
  }
}
