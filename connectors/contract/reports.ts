/**
 * The provider's files about money: what it settled, and what buyers disputed. The server lists the files,
 * keeps their bytes' hash, reads them line by line, and matches each line with a payment.
 */
export type Reports = {
  /**
   * The files that were published at `since` or later, oldest first. The server asks again for days that it
   * knows, because a file may appear late. Left out: the provider's files cannot be listed, and it tells of each by a
   * notification (`NewReport`).
   */
  readonly list?: (since: Date, link: ReportLink) => Promise<ListAnswer>
  /**
   * The bytes of a file, of any length. The same file gives the same bytes each time. Throws when the provider does
   * not deliver it, also in the middle: then the server reads it again later, from the start.
   */
  readonly read: (fileId: string, link: ReportLink) => AsyncIterable<Uint8Array>
  /**
   * What the bytes say: one header, the lines, one trailer. Asks nothing else, keeps one line in memory, and
   * reads on only as fast as its entries are taken. Throws `UnreadableReport` at the first mistake.
   */
  readonly parse: (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<ReportEntry>
  /** The account at the provider that these fields name, as headers have it. Left out: headers are not compared with it. */
  readonly accountOf?: (fields: Readonly<Record<string, string>>) => string | null
  /** The parts of the commission that its lines state. Left out: the commission as a whole. */
  readonly fees?: readonly FeePart[]
}

export const FEE_PARTS = ['interchange', 'markup', 'schemeFee'] as const
export type FeePart = (typeof FEE_PARTS)[number]

/** What the functions for reports may touch: see `Link`. `fields` includes the manifest's `reportingFields`. */
export type ReportLink = {
  readonly fetch: (url: string, init?: RequestInit) => Promise<Response>
  readonly fields: Readonly<Record<string, string>>
  readonly environment: 'sandbox' | 'production'
  /**
   * Like `fetch`, for answers of any length. The body ends with an error when the provider pauses for too long, and
   * when it exceeds the limit of the server. Follows no redirects.
   */
  readonly stream: (url: string, init?: RequestInit) => Promise<StreamedResponse>
}

export type StreamedResponse = Pick<Response, 'status' | 'headers'> & {
  /** To be read once. Leaving it early closes the connection. */
  readonly body: AsyncIterable<Uint8Array>
}

export type ListAnswer =
  | {
      readonly outcome: 'listed'
      readonly files: readonly ReportFile[]
      /** There are more: the server asks again from the time of the last one. */
      readonly hasMore: boolean
      /** No other file is published before this time. Left out: the provider does not say. */
      readonly nextAt?: Date
    }
  | { readonly outcome: 'unreachable'; readonly message: string }

export type ReportFile = {
  /** The provider's own id of the file, for `read`. */
  readonly id: string
  /** As the provider names the file. */
  readonly name: string
  readonly publishedAt: Date
}

export type ReportEntry = ReportHeader | ReportLine | ReportTrailer

export type ReportHeader = {
  readonly type: 'header'
  /** The provider's own id of the report. Files that repeat or correct each other have the same. */
  readonly reportId: string
  /** The day that the report is about, as YYYY-MM-DD. */
  readonly date: string
  /** The merchant's account at the provider. */
  readonly account: string
  /** The currency of the sums in the trailer. */
  readonly currency: string
}

export const REPORT_LINE_KINDS = [
  'settlement',
  'refund_settlement',
  'chargeback',
  'chargeback_reversal',
  'other',
] as const
export type ReportLineKind = (typeof REPORT_LINE_KINDS)[number]

/**
 * The `code` of an `other` line that tells of a payment, and that the connector cannot read: its kind is new, say. Its amount is what the merchant got
 * or lost by it, so that the sums are right; `reason` says what cannot be read, without values. The rest of the file is booked.
 */
export const UNREADABLE = 'unreadable'

/** What a line says of a payment. The others are about none. */
export type PaymentLineKind = Exclude<ReportLineKind, 'other'>

/**
 * One movement of money. Amounts are in minor units of `currency`. An amount above zero is money for the
 * merchant: of a settlement, of a chargeback that was reversed. One below zero is taken: of a refund, of a chargeback.
 * A settlement below zero takes back an earlier one, of a capture that failed later; a refund settlement above zero
 * gives back an earlier one. `other` is about no payment: a monthly fee, a payout to the bank, a reserve. It counts in the sums.
 */
export type ReportLine = {
  readonly type: 'line'
  /** The line's place in the file, from 1: for people who look for it. */
  readonly number: number
  readonly kind: ReportLineKind
  /**
   * The provider's own id of this movement. It is the same in every file, and in the notification about it. Null if
   * the provider has none.
   */
  readonly id: string | null
  /**
   * The provider's own id of what is settled: a capture, a refund, or the authorization of a payment that was
   * captured in one step. Of a chargeback and its reversal: of the capture or of the authorization. Null only for `other`.
   */
  readonly reference: string | null
  /** The attempt id or the reconciliation id that we sent with it. Null if the provider does not repeat it. */
  readonly ourReference: string | null
  readonly amount: number
  readonly currency: string
  /** What the fees leave is the amount less the commission. Below zero: the provider gives a fee back. */
  readonly commission: number
  /** The parts of the commission: of the issuer, of the provider, of the scheme. Null if the provider does not say. */
  readonly interchange: number | null
  readonly markup: number | null
  readonly schemeFee: number | null
  /** What the buyer paid, if the currency is another one. */
  readonly original: { readonly amount: number; readonly currency: string } | null
  /** Units of `currency` for one unit of the original currency. Null without an exchange. */
  readonly exchangeRate: number | null
  readonly postedAt: Date
  /** The provider's code for a chargeback, and its words. */
  readonly code: string | null
  readonly reason: string | null
}

/** The sums that the provider states. The server compares them with the lines. */
export type ReportTrailer = {
  readonly type: 'trailer'
  readonly count: number
  /** The sum of the amounts. */
  readonly gross: number
  /** The sum of the commissions. */
  readonly fees: number
  /** What the merchant gets. */
  readonly net: number
}

/** The file is not as the provider documents it: empty, cut off, no text, or a line that cannot be read. */
export class UnreadableReport extends Error {
  readonly line: number

  /** The sentence says what is wrong, without values of the line. */
  constructor(line: number, sentence: string) {
    super(`line ${line}: ${sentence}`)
    this.line = line
  }
}
