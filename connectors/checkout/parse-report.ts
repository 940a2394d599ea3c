import { readLines, type TextLine } from '#connectors/contract/read-lines.ts'
import {
  type ReportEntry,
  type ReportHeader,
  type ReportLine,
  type ReportLineKind,
  UNREADABLE,
  UnreadableReport,
} from '#connectors/contract/reports.ts'
import { CURRENCIES, decimalsOf } from './currency.ts'
import { BREAKDOWNS, COSTS, NO_PAYMENTS } from './mapping.ts'
import { isObject, type Json } from './wire.ts'

const COLUMNS = [
  'Action ID',
  'Payment ID',
  'Reference',
  'Processed On',
  'Processing Currency',
  'Processing Currency Amount',
  'Holding Currency',
  'Holding Currency Amount',
  'Payout ID',
  'Breakdown Type',
] as const
/** Accounts may have these, too. */
const OPTIONAL = ['Processed On UTC', 'Timezone', 'FX Rate Applied', 'Processing Channel ID'] as const

type Row = Readonly<Record<(typeof COLUMNS)[number] | (typeof OPTIONAL)[number], string>> & {
  readonly number: number
  /** What the row moved, in parts of a unit of the holding currency. */
  readonly held: bigint
}

/** What `reports.ts` says of the report before its files. */
type About = {
  readonly payout: string
  readonly account: string
  readonly date: string
  readonly zone: string
  readonly channel: string | null
}

/**
 * Financial actions of one payout. A row is one part of an action: what was captured, or a fee for it. The rows of an action follow each
 * other, and become one line. Reads what `reports.ts` writes.
 */
export async function* parseReport(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ReportEntry> {
  const sums = { count: 0, gross: 0, fees: 0, net: 0 }
  let about: About | null = null
  let names: readonly string[] | null = null
  let header: ReportHeader | null = null
  let action: Row[] = []
  let isEnded = false
  let last = 0
  for await (const line of readLines(bytes)) {
    last = line.number
    if (isEnded) throw new UnreadableReport(last, 'there is text after the end')
    if (about === null) {
      about = aboutIn(line)
      continue
    }
    if (line.text === END) {
      isEnded = true
      continue
    }
    if (line.text.startsWith(FILE)) {
      names = null
      continue
    }
    if (names === null) {
      names = namesIn(line)
      continue
    }
    const row = toRow(line, names)
    if (header === null) {
      header = toHeader(row, about)
      yield header
    }
    if (row['Holding Currency'] !== header.currency)
      throw new UnreadableReport(last, 'the payout has lines in several currencies')
    if (row['Payout ID'] !== '' && row['Payout ID'] !== about.payout)
      throw new UnreadableReport(last, 'the line is of another payout')
    const [first] = action
    if (first && (first['Action ID'] === '' || first['Action ID'] !== row['Action ID'])) {
      yield* counted(toLines(action, header, about), sums)
      action = []
    }
    action.push(row)
    if (action.length > ROWS_MAX) throw new UnreadableReport(last, 'an action has too many rows')
  }
  if (!isEnded) throw new UnreadableReport(last + 1, 'the end is missing')
  if (header === null || about === null)
    throw new UnreadableReport(last + 1, 'the report has no financial action')
  yield* counted(toLines(action, header, about), sums)
  yield { type: 'trailer', ...sums }
}

const END = '{"end":true}'
const FILE = '{"file":'
/** An action has a row for what it moved, and one for each kind of fee. */
const ROWS_MAX = 500

type Sums = { count: number; gross: number; fees: number; net: number }

function* counted(lines: readonly ReportLine[], sums: Sums): Generator<ReportLine> {
  for (const line of lines) {
    sums.count++
    sums.gross += line.amount
    sums.fees += line.commission
    sums.net += line.amount - line.commission
    yield line
  }
}

function aboutIn({ number, text }: TextLine): About {
  const value = jsonIn(text)
  const texts = ['payout', 'account', 'date', 'zone'].map((name) => value?.[name])
  const [payout, account, date, zone] = texts
  if (!texts.every((one): one is string => typeof one === 'string' && one !== ''))
    throw new UnreadableReport(number, 'the file does not begin with what it is about')
  const channel = value?.['channel']
  return {
    payout: String(payout),
    account: String(account),
    date: String(date),
    zone: String(zone),
    channel: typeof channel === 'string' ? channel : null,
  }
}

function jsonIn(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

/** The place of each column that we read. Others, and their order, may change. */
function namesIn({ number, text }: TextLine): readonly string[] {
  const names = cellsOf(number, text.replace(/^\uFEFF/, '')).map((name) => name.trim().toLowerCase())
  const missing = COLUMNS.find((name) => !names.includes(name.toLowerCase()))
  if (missing) throw new UnreadableReport(number, `the column ${missing} is missing`)
  return names
}

function toRow({ number, text }: TextLine, names: readonly string[]): Row {
  const cells = cellsOf(number, text)
  if (cells.length !== names.length) {
    const found = `the line has ${cells.length} cells, and ${names.length} were expected`
    throw new UnreadableReport(number, found)
  }
  const known = Object.fromEntries(
    [...COLUMNS, ...OPTIONAL].map((name) => [name, cells[names.indexOf(name.toLowerCase())]?.trim() ?? '']),
  ) as Omit<Row, 'number' | 'held'>
  if (!/^[A-Z]{3}$/.test(known['Holding Currency']))
    throw new UnreadableReport(number, 'a currency is not of three capital letters')
  return { ...known, number, held: unitsOf(known['Holding Currency Amount'], number) }
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

function toHeader(row: Row, { payout, account, date }: About): ReportHeader {
  return { type: 'header', reportId: payout, date, account, currency: row['Holding Currency'] }
}

/** An action becomes one line, in most cases. Each of its rows that this connector does not know becomes another. */
function toLines(rows: readonly Row[], { date }: ReportHeader, about: About): readonly ReportLine[] {
  const own = rows.filter(
    ({ 'Processing Channel ID': channel }) =>
      about.channel === null || channel === '' || channel === about.channel,
  )
  const moving = own.filter((row) => BREAKDOWNS.has(row['Breakdown Type']))
  // Without a payment, a new type can only be a cost or a transfer.
  const strange = own.filter((row) => !isKnown(row) && row['Payment ID'] !== '')
  const lines = strange.map((row) => unreadable([row], date, 'the breakdown type is unknown'))
  const [first] = moving
  if (first) {
    const costs = own.filter((row) => COSTS.test(row['Breakdown Type']))
    try {
      lines.push(toLine({ moving, first, costs, about }))
    } catch (error) {
      if (!(error instanceof UnreadableReport)) throw error
      lines.push(unreadable([...moving, ...costs], date, error.message))
    }
  }
  return lines.toSorted((one, other) => one.number - other.number)
}

function isKnown({ 'Breakdown Type': type }: Row): boolean {
  return BREAKDOWNS.has(type) || COSTS.test(type) || NO_PAYMENTS.some((one) => type.startsWith(one))
}

/** Kept with the money that it moved, so that the sums are right. No payment is looked for. */
function unreadable(rows: readonly Row[], date: string, reason: string): ReportLine {
  const [first] = rows
  if (!first) throw new Error('there is no row')
  const currency = first['Holding Currency']
  return {
    ...NOTHING_MORE,
    number: first.number,
    kind: 'other',
    id: null,
    reference: first['Payment ID'] || null,
    ourReference: first.Reference || null,
    amount: rounded(heldBy(rows), currency),
    currency,
    commission: 0,
    postedAt: new Date(date),
    code: UNREADABLE,
    reason: reason.startsWith('line ') ? reason : `line ${first.number}: ${reason}`,
  }
}

const NOTHING_MORE = {
  type: 'line',
  interchange: null,
  markup: null,
  schemeFee: null,
  original: null,
  exchangeRate: null,
  code: null,
  reason: null,
} as const

type Action = {
  readonly moving: readonly Row[]
  readonly first: Row
  readonly costs: readonly Row[]
  readonly about: About
}

function toLine({ moving, first, costs, about }: Action): ReportLine {
  const currency = first['Holding Currency']
  const amount = rounded(heldBy(moving), currency)
  const kind = kindOf(first, amount)
  const isDispute = kind === 'chargeback' || kind === 'chargeback_reversal'
  const { 'Action ID': action, 'Payment ID': payment } = first
  if (payment === '' || action === '') throw bad(first, 'the line has no payment, or no action')
  return {
    ...NOTHING_MORE,
    number: first.number,
    kind,
    // Messages about disputes name the dispute, and no page says that its actions do.
    id: isDispute ? null : action,
    reference: isDispute ? payment : action,
    ourReference: first.Reference || null,
    amount,
    currency,
    ...feesOf(costs, currency),
    ...exchangeOf(moving, first, amount),
    postedAt: timeOf(first, about),
    code: isDispute ? (/\((\w+)\)/.exec(first['Breakdown Type'])?.[1] ?? null) : null,
  }
}

/** A dispute takes money and gives it back; what failed later takes a capture back, or gives a refund back. */
function kindOf({ 'Breakdown Type': type }: Row, amount: number): ReportLineKind {
  const meaning = BREAKDOWNS.get(type)
  if (meaning === 'by sign: dispute') return amount < 0 ? 'chargeback' : 'chargeback_reversal'
  if (meaning === 'by sign: failed later') return amount < 0 ? 'settlement' : 'refund_settlement'
  return meaning ?? 'other'
}

/** Fees are below zero, in parts of a minor unit. Their sum is rounded, and what the parts leave is Checkout.com's. */
function feesOf(costs: readonly Row[], currency: string) {
  const sum = (pattern: RegExp) =>
    0 - rounded(heldBy(costs.filter((row) => pattern.test(row['Breakdown Type']))), currency)
  const commission = sum(/./)
  const isSplit = costs.some((row) => /^(Interchange|Scheme) /.test(row['Breakdown Type']))
  if (!isSplit) return { commission, interchange: null, markup: null, schemeFee: null }
  const [interchange, schemeFee] = [sum(/^Interchange /), sum(/^Scheme /)]
  return { commission, interchange, schemeFee, markup: commission - interchange - schemeFee }
}

/** What the buyer paid, if it was another currency. The rate is between whole units. */
function exchangeOf(
  moving: readonly Row[],
  first: Row,
  amount: number,
): Pick<ReportLine, 'original' | 'exchangeRate'> {
  const currency = first['Processing Currency']
  const settled = first['Holding Currency']
  if (currency === settled) return { original: null, exchangeRate: null }
  if (!CURRENCIES.includes(currency)) throw bad(first, 'the currency of the payment is unknown')
  const units = moving.map((row) => unitsOf(row['Processing Currency Amount'], row.number))
  const paid = rounded(
    units.reduce((all, one) => all + one, 0n),
    currency,
  )
  const stated = Number(first['FX Rate Applied'])
  const rate = stated > 0 ? stated : amount / 10 ** decimalsOf(settled) / (paid / 10 ** decimalsOf(currency))
  if (!(rate > 0 && Number.isFinite(rate))) throw bad(first, 'the exchange rate is not above zero')
  return { original: { amount: paid, currency }, exchangeRate: rate }
}

/** Checkout.com states eight decimals of a unit. */
const PRECISION = 8

function unitsOf(text: string, number: number): bigint {
  const [, sign, whole = '', fraction = ''] = /^(-?)(\d{1,12})(?:\.(\d{1,20}))?$/.exec(text) ?? []
  if (sign === undefined) throw new UnreadableReport(number, 'an amount is not a number')
  const value = BigInt(whole + fraction.slice(0, PRECISION).padEnd(PRECISION, '0'))
  return sign === '-' ? -value : value
}

function heldBy(rows: readonly Row[]): bigint {
  return rows.reduce((all, { held }) => all + held, 0n)
}

/** To minor units, halves away from zero. */
function rounded(units: bigint, currency: string): number {
  const step = 10n ** BigInt(PRECISION - decimalsOf(currency))
  const half = units < 0n ? -step / 2n : step / 2n
  return Number((units + half) / step)
}

/** UTC if the account has that column; else the clocks of a time zone, which the account names. */
function timeOf(row: Row, { zone }: About): Date {
  const { 'Processed On UTC': utc, 'Processed On': local, Timezone: own } = row
  const moment = utc === '' ? momentAt(local, own || zone, row) : momentAt(utc, 'UTC', row)
  if (Number.isNaN(moment)) throw bad(row, 'a date is not one of the form YYYY-MM-DDThh:mm:ss')
  return new Date(moment)
}

function momentAt(text: string, zone: string, row: Row): number {
  const [, day, time = '', offset] =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d)?$/.exec(text) ?? []
  if (day === undefined) return Number.NaN
  if (offset !== undefined) return Date.parse(`${day}T${time}${offset}`)
  const shown = Date.parse(`${day}T${time}Z`)
  if (zone === 'UTC' || Number.isNaN(shown)) return shown
  const clock = clockOf(zone)
  if (clock === null) throw bad(row, 'the time zone is unknown')
  // The second look is for a moment beside a change of the clocks.
  const first = shown - (shownBy(clock, shown) - shown)
  return first - (shownBy(clock, first) - shown)
}

const CLOCKS = new Map<string, Intl.DateTimeFormat | null>()

function clockOf(zone: string): Intl.DateTimeFormat | null {
  const known = CLOCKS.get(zone)
  if (known !== undefined) return known
  let clock: Intl.DateTimeFormat | null = null
  try {
    const digits = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
    const time = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const
    clock = new Intl.DateTimeFormat('en-US', { timeZone: zone, ...digits, ...time })
  } catch {
    // No such zone.
  }
  if (CLOCKS.size < ZONES_MAX) CLOCKS.set(zone, clock)
  return clock
}

const ZONES_MAX = 100

/** What the clocks of the zone show, as if it were UTC. */
function shownBy(clock: Intl.DateTimeFormat, moment: number): number {
  const part = Object.fromEntries(clock.formatToParts(moment).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

function bad({ number }: Row, sentence: string): UnreadableReport {
  return new UnreadableReport(number, sentence)
}
