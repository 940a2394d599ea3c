import { readLines, type TextLine } from '#connectors/contract/read-lines.ts'
import {
  type ReportEntry,
  type ReportHeader,
  type ReportLine,
  UNREADABLE,
  UnreadableReport,
} from '#connectors/contract/reports.ts'
import { decimalsOf } from './currency.ts'
import { disputeId } from './dispute-id.ts'
import { isNameOf } from './method-names.ts'
import { LINE_TYPES, type LineType, OTHER_TYPES, ZONES } from './report-types.ts'

const COLUMNS = [
  'Merchant Account',
  'Psp Reference',
  'Merchant Reference',
  'Payment Method',
  'Creation Date',
  'TimeZone',
  'Type',
  'Modification Reference',
  'Gross Currency',
  'Gross Debit (GC)',
  'Gross Credit (GC)',
  'Exchange Rate',
  'Net Currency',
  'Net Debit (NC)',
  'Net Credit (NC)',
  'Commission (NC)',
  'Markup (NC)',
  'Scheme Fees (NC)',
  'Interchange (NC)',
  'Modification Merchant Reference',
  'Batch Number',
] as const

type Row = Readonly<Record<(typeof COLUMNS)[number], string>> & {
  readonly number: number
  readonly bookedAt: string
  readonly bookedIn: string
}

/**
 * A settlement details report: the names of the columns, then the lines of one batch. It has no trailer. But all its
 * lines, the payout to the merchant included, add up to nothing: that is how we know that none is missing. Only the lines of
 * one method are passed on.
 */
export async function* parseReport(
  bytes: AsyncIterable<Uint8Array>,
  method: string,
): AsyncGenerator<ReportEntry> {
  let names: readonly string[] | null = null
  let header: ReportHeader | null = null
  const sums = { count: 0, gross: 0, fees: 0, net: 0 }
  let balance = 0
  let last = 0
  for await (const line of readLines(bytes)) {
    last = line.number
    if (names === null) {
      names = readNames(line)
      continue
    }
    const row = toRow(line, names)
    if (header === null) {
      header = toHeader(row)
      yield header
    }
    if (row['Net Currency'] !== header.currency) throw bad(row, 'the batch has lines in several currencies')
    balance += netOf(row)
    const type = LINE_TYPES[row.Type]
    // A new type without a payment can only be a cost or a transfer. The sum of the batch still counts it.
    const isOther = !type && (OTHER_TYPES.includes(row.Type) || row['Psp Reference'] === '')
    const isOwn = isNameOf(method, row['Payment Method']) || (!type && row['Payment Method'] === '')
    if (isOther || !isOwn) continue
    const entry = toEntry(row, type, header)
    sums.count++
    sums.gross += entry.amount
    sums.fees += entry.commission
    sums.net += entry.amount - entry.commission
    yield entry
  }
  if (header === null) throw new UnreadableReport(last + 1, 'the file ends without lines')
  if (balance !== 0)
    throw new UnreadableReport(last + 1, 'the lines do not add up to the payout: some are missing')
  yield { type: 'trailer', ...sums }
}

function readNames({ number, text }: TextLine): readonly string[] {
  const names = cellsOf(number, text.replace(/^\uFEFF/, ''))
  const missing = COLUMNS.filter((name) => !names.includes(name))
  if (missing.length > 0) throw new UnreadableReport(number, `the column ${missing[0]} is missing`)
  return names
}

function toRow({ number, text }: TextLine, names: readonly string[]): Row {
  const cells = cellsOf(number, text)
  if (cells.length !== names.length) {
    throw new UnreadableReport(
      number,
      `the line has ${cells.length} cells, and ${names.length} were expected`,
    )
  }
  const cell = (name: string) => cells[names.indexOf(name)] ?? ''
  const known = Object.fromEntries(COLUMNS.map((name) => [name, cell(name)])) as Record<
    (typeof COLUMNS)[number],
    string
  >
  const [bookedAt, bookedIn] = [cell('Booking Date'), cell('Booking Date TimeZone')]
  return {
    ...known,
    number,
    bookedAt: bookedAt || known['Creation Date'],
    bookedIn: bookedAt ? bookedIn || known.TimeZone : known.TimeZone,
  }
}

/** Cells may be quoted, with two quotes for one. */
function cellsOf(number: number, text: string): string[] {
  const cells: string[] = []
  const shape = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y
  while (shape.lastIndex <= text.length) {
    const found = shape.exec(text)
    if (!found) throw new UnreadableReport(number, 'a cell has a quote that does not end')
    cells.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '')
    if (found[3] === '') return cells
  }
  return cells
}

function toHeader(row: Row): ReportHeader {
  const { 'Batch Number': batch, 'Merchant Account': account, 'Net Currency': currency } = row
  if (!/^\d+$/.test(batch)) throw bad(row, 'the number of the batch is missing')
  if (account === '') throw bad(row, 'the merchant account is missing')
  if (!/^[A-Z]{3}$/.test(currency)) throw bad(row, 'a currency is not of three capital letters')
  // The day of an unknown zone is taken as it is written.
  const known = row.bookedIn in ZONES ? row : { ...row, bookedIn: 'UTC' }
  const date = timeOf(known).toISOString().slice(0, 10)
  return { type: 'header', reportId: `${account}/${batch}`, date, account, currency }
}

/**
 * A line that cannot be read is kept with the money that it moved, and refuses no other line: its amount counts in the sums, and no
 * payment is looked for.
 */
function toEntry(row: Row, type: LineType | undefined, { date }: ReportHeader): ReportLine {
  try {
    if (!type) throw bad(row, 'the type of the line is unknown')
    return toLine(row, type)
  } catch (error) {
    if (!(error instanceof UnreadableReport)) throw error
    return {
      type: 'line',
      number: row.number,
      kind: 'other',
      id: null,
      reference: row['Psp Reference'] || null,
      ourReference: row['Merchant Reference'] || null,
      amount: netOf(row),
      currency: row['Net Currency'],
      commission: 0,
      interchange: null,
      markup: null,
      schemeFee: null,
      original: null,
      exchangeRate: null,
      postedAt: new Date(date),
      code: UNREADABLE,
      reason: error.message,
    }
  }
}

function toLine(row: Row, type: LineType): ReportLine {
  const currency = row['Net Currency']
  const original = grossOf(row)
  const isExchanged = row['Gross Currency'] !== currency
  const net = netOf(row)
  const amount = isExchanged ? net + statedFees(row) : original
  const commission = amount - net
  return {
    type: 'line',
    number: row.number,
    ...whatItIs(row, type),
    amount,
    currency,
    commission,
    ...partsOf(row, commission),
    original: isExchanged ? { amount: original, currency: row['Gross Currency'] } : null,
    exchangeRate: isExchanged ? rateOf(row) : null,
    postedAt: timeOf(row),
    code: null,
    reason: null,
  }
}

/**
 * A capture or a refund of ours has our reference beside Adyen's. A payment that was captured in one step has none, and is
 * named by the payment. A dispute is one of the payment.
 */
function whatItIs(row: Row, { kind, isReversal, isSecond }: LineType) {
  const { 'Psp Reference': payment, 'Modification Reference': modification } = row
  const own = row['Modification Merchant Reference']
  if (payment === '') throw bad(row, 'the line has no reference')
  const isDispute = kind === 'chargeback' || kind === 'chargeback_reversal'
  const isOfPayment = isDispute || own === '' || own === row['Merchant Reference']
  return {
    kind,
    id:
      modification === ''
        ? null
        : isReversal
          ? `${modification}-reversed`
          : disputeId(modification, isSecond === true),
    reference: isOfPayment && kind !== 'refund_settlement' ? payment : modification || payment,
    ourReference: (isOfPayment ? row['Merchant Reference'] : own) || null,
  }
}

/** Above zero is money for the merchant. */
function grossOf(row: Row): number {
  const currency = row['Gross Currency']
  if (!/^[A-Z]{3}$/.test(currency)) throw bad(row, 'a currency is not of three capital letters')
  return minor(row, row['Gross Credit (GC)'], currency) - minor(row, row['Gross Debit (GC)'], currency)
}

function netOf(row: Row): number {
  const currency = row['Net Currency']
  return minor(row, row['Net Credit (NC)'], currency) - minor(row, row['Net Debit (NC)'], currency)
}

const PARTS = ['Interchange (NC)', 'Markup (NC)', 'Scheme Fees (NC)'] as const

/** Adyen states either the commission, or its parts. */
function statedFees(row: Row): number {
  const currency = row['Net Currency']
  return [...PARTS, 'Commission (NC)' as const].reduce(
    (sum, name) => sum + minor(row, row[name], currency),
    0,
  )
}

/** The parts, if they are the whole. Adyen may round each of them on its own. */
function partsOf(row: Row, commission: number) {
  const [interchange = 0, markup = 0, schemeFee = 0] = PARTS.map((name) =>
    minor(row, row[name], row['Net Currency']),
  )
  const isWhole = PARTS.some((name) => row[name] !== '') && interchange + markup + schemeFee === commission
  return isWhole ? { interchange, markup, schemeFee } : { interchange: null, markup: null, schemeFee: null }
}

/** Major units, without floating point. More decimals than the currency has are refused, unless they are zeros. */
function minor(row: Row, text: string, currency: string): number {
  if (text === '') return 0
  const [, sign, whole = '', fraction = ''] = /^(-?)(\d{1,13})(?:\.(\d+))?$/.exec(text) ?? []
  if (sign === undefined) throw bad(row, 'an amount is not a number')
  const decimals = decimalsOf(currency)
  if (/[1-9]/.test(fraction.slice(decimals))) throw bad(row, 'an amount has more decimals than its currency')
  const value = Number(`${whole}${fraction.slice(0, decimals).padEnd(decimals, '0')}`)
  return sign === '-' ? -value : value
}

function rateOf(row: Row): number {
  const text = row['Exchange Rate']
  if (!/^\d{1,9}(\.\d{1,15})?$/.test(text)) throw bad(row, 'the exchange rate is not a number')
  return Number(text)
}

function timeOf(row: Row): Date {
  const hours = ZONES[row.bookedIn]
  if (hours === undefined) throw bad(row, 'the time zone is unknown')
  const isTime = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(row.bookedAt)
  const local = isTime ? Date.parse(`${row.bookedAt.replace(' ', 'T')}Z`) : Number.NaN
  if (Number.isNaN(local)) throw bad(row, 'a date is not one of the form YYYY-MM-DD hh:mm:ss')
  return new Date(local - hours * 3_600_000)
}

function bad({ number }: Row, sentence: string): UnreadableReport {
  return new UnreadableReport(number, sentence)
}
