import {
  type ReportEntry,
  type ReportHeader,
  type ReportLine,
  type ReportTrailer,
  UnreadableReport,
} from '#connectors/contract/reports.ts'
import { complaintAboutHeader, complaintAboutLine } from './check-line.ts'

/** What a file says, if it is whole and adds up, or what is wrong with it. */
export type Checked = {
  readonly header: ReportHeader | null
  readonly lineCount: number
  readonly gross: number
  readonly fees: number
  /** Null if the file can be applied. */
  readonly problem: string | null
}

/**
 * Reads a file to its end, and compares its lines with its trailer. A file with one mistake is refused as a whole. Throws
 * if the process is to stop.
 */
export async function checkFile(
  entries: AsyncIterable<ReportEntry>,
  account: string | null,
  stopping: AbortSignal,
): Promise<Checked> {
  const check = new Check(account)
  try {
    for await (const entry of entries) {
      stopping.throwIfAborted()
      check.take(entry)
    }
    return { ...check.sums, problem: check.end() }
  } catch (error) {
    if (!(error instanceof UnreadableReport)) throw error
    return { ...check.sums, problem: error.message }
  }
}

/** What was read so far. */
class Check {
  #header: ReportHeader | null = null
  #trailer: ReportTrailer | null = null
  #lineCount = 0
  #lastNumber = 0
  #gross = 0
  #fees = 0
  readonly #account: string | null

  constructor(account: string | null) {
    this.#account = account
  }

  get sums(): Sums {
    return { header: this.#header, lineCount: this.#lineCount, gross: this.#gross, fees: this.#fees }
  }

  take(entry: ReportEntry): void {
    const complaint = this.#complaintAbout(entry)
    if (complaint !== undefined) throw new UnreadableReport(this.#lineOf(entry), complaint)
    switch (entry.type) {
      case 'header':
        this.#header = entry
        return
      case 'line':
        this.#lineCount += 1
        this.#lastNumber = entry.number
        this.#gross += entry.amount
        this.#fees += entry.commission
        return
      case 'trailer':
        this.#trailer = entry
    }
  }

  end(): string | null {
    return problemOf(this.sums, this.#trailer)
  }

  #complaintAbout(entry: ReportEntry): string | undefined {
    if (this.#trailer) return 'the file goes on after its trailer'
    if (entry.type === 'header')
      return this.#header ? 'there is a second header' : complaintAboutHeader(entry, this.#account)
    if (!this.#header) return 'the file has no header'
    if (entry.type !== 'line') return undefined
    return complaintAboutLine(entry, this.#header, this.#lastNumber) ?? this.#complaintAboutSums(entry)
  }

  /** Sums beyond this are not exact. */
  #complaintAboutSums({ amount, commission }: ReportLine): string | undefined {
    const isExact =
      Number.isSafeInteger(this.#gross + amount) && Number.isSafeInteger(this.#fees + commission)
    return isExact ? undefined : 'the sums become too large'
  }

  #lineOf(entry: ReportEntry): number {
    return entry.type === 'line' ? entry.number : this.#lastNumber + 1
  }
}

type Sums = Omit<Checked, 'problem'>

function problemOf({ header, lineCount, gross, fees }: Sums, trailer: ReportTrailer | null): string | null {
  if (!header) return 'the file has no header'
  if (!trailer) return 'the file has no trailer: it was cut off'
  const differing = [
    ['count', trailer.count, lineCount],
    ['gross', trailer.gross, gross],
    ['fees', trailer.fees, fees],
    ['net', trailer.net, gross - fees],
  ].filter(([, stated, counted]) => stated !== counted)
  if (differing.length === 0) return null
  const texts = differing.map(([name, stated, counted]) => `${name} ${stated}, but the lines have ${counted}`)
  return `the trailer does not add up: ${texts.join('; ')}`
}
