import type { ReportHeader, ReportLine, ReportLineKind } from '#connectors/contract/reports.ts'

const TEXT_MAX = 200
const REASON_MAX = 2_000
const NUMBER_MAX = 2 ** 31 - 1

/** What is wrong with a line, without its values. Undefined if it can be stored, added up and looked up. */
export function complaintAboutLine(
  line: ReportLine,
  header: ReportHeader,
  before: number,
): string | undefined {
  if (!Number.isInteger(line.number) || line.number <= before || line.number > NUMBER_MAX) {
    return 'the numbers of lines do not rise'
  }
  // Sums of two currencies mean nothing.
  if (line.currency !== header.currency)
    return `the currency is not ${header.currency}, the currency of the file`
  return complaintAboutMovement(line)
}

type Movement = Pick<
  ReportLine,
  'kind' | 'id' | 'reference' | 'ourReference' | 'amount' | 'currency' | 'postedAt' | 'code' | 'reason'
> &
  Partial<ReportLine>

/** The same for what a notification tells. */
export function complaintAboutMovement(line: Movement): string | undefined {
  const { original, exchangeRate = null, currency } = line
  if (!isCurrency(currency)) return 'the currency is no currency'
  if (!amountsOf(line).every((amount) => amount === null || Number.isSafeInteger(amount))) {
    return 'an amount is no whole number of minor units'
  }
  if (line.amount * SIGNS[line.kind] < 0) return 'the amount of a chargeback or reversal has the wrong sign'
  if (original && !isCurrency(original.currency)) return 'the currency of the buyer is no currency'
  if (exchangeRate !== null && !(exchangeRate > 0 && Number.isFinite(exchangeRate))) {
    return 'the exchange rate is not above zero'
  }
  const { reference } = line
  const isNamed = reference === null ? line.kind === 'other' : reference !== '' && isText(reference, TEXT_MAX)
  if (!isNamed) return 'the reference is empty or not plain text'
  const texts = [line.id, line.ourReference, line.code]
  if (!texts.every((text) => text === null || isText(text, TEXT_MAX)))
    return 'an id or code is not plain text'
  if (line.reason !== null && !isText(line.reason, REASON_MAX)) return 'the reason is not plain text'
  return isTime(line.postedAt) ? undefined : 'the time of the posting is no time'
}

/** `expected`: the account of the payment service. Null: any will do. */
export function complaintAboutHeader(
  { reportId, date, currency, account }: ReportHeader,
  expected: string | null,
): string | undefined {
  if (expected !== null && account !== expected) return 'the file is about another account at the provider'
  if (reportId === '' || !isText(reportId, TEXT_MAX)) return 'the id of the report is empty or not plain text'
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date) || !isTime(new Date(date))) return 'the date of the report is no date'
  return isCurrency(currency) ? undefined : 'the currency of the file is no currency'
}

/** What a chargeback takes is below zero, what a reversal gives back above. Other amounts have any sign. */
const SIGNS: Readonly<Record<ReportLineKind, number>> = {
  settlement: 0,
  refund_settlement: 0,
  chargeback: -1,
  chargeback_reversal: 1,
  other: 0,
}

function amountsOf(line: Movement): (number | null)[] {
  const { amount, commission = 0, interchange = null, markup = null, schemeFee = null, original } = line
  return [amount, commission, interchange, markup, schemeFee, original?.amount ?? null]
}

function isCurrency(text: string): boolean {
  return /^[A-Z]{3}$/.test(text)
}

/** Text without control characters, which the database or a terminal would not take. */
function isText(text: string, max: number): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return text.length <= max && text.isWellFormed() && !/[\u0000-\u001f\u007f]/.test(text)
}

function isTime(time: Date): boolean {
  const ms = time.getTime()
  return ms > Date.UTC(1970, 0, 1) && ms < Date.UTC(9999, 0, 1)
}
