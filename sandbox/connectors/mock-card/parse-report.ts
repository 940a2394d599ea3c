import { readLines, type TextLine } from '#connectors/contract/read-lines.ts'
import {
  REPORT_LINE_KINDS,
  type ReportEntry,
  type ReportHeader,
  type ReportLine,
  type ReportLineKind,
  type ReportTrailer,
  UnreadableReport,
} from '#connectors/contract/reports.ts'

const COLUMNS =
  'columns,kind,id,reference,our_reference,posted_on,amount,currency,commission,interchange,scheme_fee,markup,' +
  'original_amount,original_currency,exchange_rate,code,reason'
const LINE_CELLS = COLUMNS.split(',').length

/** A file of the simulated processor: a header, a row of names, the lines, and a trailer. */
export async function* parseReport(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ReportEntry> {
  let isEnded = false
  let last = 0
  for await (const line of readLines(bytes)) {
    last = line.number
    if (isEnded) throw new UnreadableReport(last, 'there is text after the trailer')
    if (last === 1) yield readHeader(line)
    else if (last === 2) checkColumns(line)
    else if (line.text.startsWith('trailer,')) {
      isEnded = true
      yield readTrailer(line)
    } else yield readLine(line)
  }
  if (!isEnded) throw new UnreadableReport(last + 1, 'the file ends without a trailer')
}

function readHeader({ number, text }: TextLine): ReportHeader {
  const cells = cellsOf(text, number, { first: 'header', count: 5 })
  const [, reportId = '', date = '', account = '', currency = ''] = cells
  if (reportId === '' || account === '') throw new UnreadableReport(number, 'the header has an empty cell')
  checkDate(date, number)
  checkCurrency(currency, number)
  return { type: 'header', reportId, date, account: decode(account, number), currency }
}

function checkColumns({ number, text }: TextLine): void {
  if (text !== COLUMNS)
    throw new UnreadableReport(number, 'the names of the columns are others than expected')
}

function readLine({ number, text }: TextLine): ReportLine {
  const cells = cellsOf(text, number, { first: 'line', count: LINE_CELLS })
  const [, kind = '', id = '', reference = '', ourReference = '', postedOn = ''] = cells
  const [amount = '', currency = '', commission = '', interchange = '', schemeFee = '', markup = ''] =
    cells.slice(6)
  const [originalAmount = '', originalCurrency = '', exchangeRate = '', code = '', reason = ''] =
    cells.slice(12)
  if (!isKind(kind)) throw new UnreadableReport(number, 'the kind of the line is unknown')
  if (reference === '') throw new UnreadableReport(number, 'the line has no reference')
  checkDate(postedOn, number)
  checkCurrency(currency, number)
  const isExchanged = exchangeRate !== ''
  if (isExchanged) checkCurrency(originalCurrency, number)
  return {
    type: 'line',
    number,
    kind,
    id: id || null,
    reference,
    ourReference: ourReference || null,
    amount: integer(amount, number),
    currency,
    commission: integer(commission, number),
    interchange: integer(interchange, number),
    markup: integer(markup, number),
    schemeFee: integer(schemeFee, number),
    original: isExchanged ? { amount: integer(originalAmount, number), currency: originalCurrency } : null,
    exchangeRate: isExchanged ? decimal(exchangeRate, number) : null,
    postedAt: new Date(`${postedOn}T00:00:00Z`),
    code: code || null,
    reason: reason || null,
  }
}

function readTrailer({ number, text }: TextLine): ReportTrailer {
  const cells = cellsOf(text, number, { first: 'trailer', count: 5 })
  const [, count = '', gross = '', fees = '', net = ''] = cells
  const sums = [count, gross, fees, net].map((cell) => integer(cell, number))
  const [lines = 0, ...money] = sums
  return { type: 'trailer', count: lines, gross: money[0] ?? 0, fees: money[1] ?? 0, net: money[2] ?? 0 }
}

function cellsOf(
  text: string,
  number: number,
  { first, count }: { readonly first: string; readonly count: number },
): string[] {
  const cells = text.split(',')
  if (cells[0] !== first) throw new UnreadableReport(number, `a row that starts with ${first} was expected`)
  if (cells.length !== count) {
    throw new UnreadableReport(number, `the row has ${cells.length} cells, and ${count} were expected`)
  }
  return cells
}

function integer(text: string, number: number): number {
  const value = Number(text)
  if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(value)) {
    throw new UnreadableReport(number, 'an amount is not an integer')
  }
  return value
}

function decimal(text: string, number: number): number {
  if (!/^\d{1,9}(\.\d{1,9})?$/.test(text))
    throw new UnreadableReport(number, 'the exchange rate is not a number')
  return Number(text)
}

function checkCurrency(text: string, number: number): void {
  if (!/^[A-Z]{3}$/.test(text))
    throw new UnreadableReport(number, 'a currency is not of three capital letters')
}

function checkDate(text: string, number: number): void {
  const isDate = /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text)
  if (!isDate) throw new UnreadableReport(number, 'a date is not one of the form YYYY-MM-DD')
}

function decode(text: string, number: number): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new UnreadableReport(number, 'the account is not percent-encoded')
  }
}

function isKind(text: string): text is ReportLineKind {
  return REPORT_LINE_KINDS.some((kind) => kind === text)
}
