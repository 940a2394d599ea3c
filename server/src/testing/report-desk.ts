import { sql } from 'kysely'
import { type ReportLine, type Reports, UnreadableReport } from '#connectors/contract/reports.ts'
import type { Engine } from '#processing/engine.ts'
import { registryOf } from '#processing/service-accounts/registry.ts'
import { ingestDue, matchDue } from '#resources/payment-service-reports/ingest/ingest-due.ts'
import { mockCard } from '#sandbox/connectors/mock-card/connector.ts'
import type { TestService } from './harness.ts'
import { parseSheet, type Sheet, writeSheet } from './report-sheet.ts'

/** Names and ids differ between all files of a test, as those of a provider do. */
let count = 0

/** A provider whose report files a test writes by hand. Payments go to the simulator as always. */
export class ReportDesk {
  readonly engine: Engine
  /** The provider is away: listing fails, or reading stops after so many bytes. */
  isAway = false
  cutAfter: number | null = null
  /** The provider says that there are more files than it lists. */
  hasMore = false
  /** The provider has no other file before this time. */
  nextAt: Date | undefined
  /** The account at the provider that files should name. Null: any. */
  account: string | null = null
  /** The connector understands no file. */
  isConfused = false
  /** What the connector makes of a line. Null: it passes over it. A newer version may do otherwise. */
  readAs: (line: ReportLine) => ReportLine | null = (line) => line
  /** Told of each line that the connector has read, and of how often it began to read a file. */
  onLine: (reading: number, line: number) => void = () => {}
  #readings = 0
  /** How often each file was read. */
  readonly reads: string[] = []
  readonly #service: TestService
  readonly #files = new Map<string, { readonly bytes: Buffer; readonly publishedAt: Date }>()

  private constructor(service: TestService) {
    this.#service = service
    const { providers } = service.engine
    const others = providers.connectors.list.filter(({ manifest }) => manifest.id !== mockCard.manifest.id)
    const connectors = registryOf([...others, { ...mockCard, reports: this.#reports() }])
    this.engine = { ...service.engine, providers: { ...providers, connectors } }
  }

  /** The simulator's services of the default account report from now on. */
  static async open(service: TestService): Promise<ReportDesk> {
    await sql`
      update payment_services set settlement_reporting_enabled = true
      where payment_service_definition_id = ${mockCard.manifest.id} and merchant_account_id = 'default'
    `.execute(service.context.db)
    // What an earlier desk offered is gone.
    await sql`delete from payment_service_report_offers`.execute(service.context.db)
    return new ReportDesk(service)
  }

  /** Writes a file that adds up, unless its trailer says otherwise. Returns its id. */
  publish(sheet: Sheet): string {
    return this.publishBytes(writeSheet(sheet, this.#service.context.clock(), ++count), sheet.name)
  }

  publishBytes(bytes: Buffer | string, name = `file-${++count}`): string {
    this.#files.set(name, { bytes: Buffer.from(bytes as string), publishedAt: this.#service.context.clock() })
    return name
  }

  /** An empty file of another time. */
  publishedAt(name: string, publishedAt: Date): void {
    this.#files.set(name, { bytes: Buffer.from(''), publishedAt })
  }

  /** The provider no longer lists the file. */
  forget(name: string): void {
    this.#files.delete(name)
  }

  bytesOf(name: string): Buffer {
    return this.#files.get(name)?.bytes ?? Buffer.alloc(0)
  }

  /** What the job does when the next look is due. The clock stays, because the tokens of tests expire by it. */
  async ingest(stopping = new AbortController().signal): Promise<void> {
    await this.#makeDue('payment_service_report_feeds')
    await this.#makeDue('payment_service_report_offers')
    const needs = { engine: this.engine, reportFiles: this.#service.reportFiles, everyMinutes: 60 }
    await ingestDue(this.#service.context, needs, stopping)
  }

  /** What the job for lines without a payment does when they are due. */
  async matchAgain(): Promise<void> {
    await this.#makeDue('payment_service_report_lines')
    await matchDue(this.#service.context, new AbortController().signal)
  }

  async #makeDue(table: string): Promise<void> {
    const { db, clock } = this.#service.context
    await sql`update ${sql.table(table)} set due_at = ${clock()} where due_at is not null`.execute(db)
  }

  #reports(): Reports {
    const desk = this
    return {
      accountOf: () => desk.account,
      list: async (since) => {
        if (desk.isAway) return { outcome: 'unreachable', message: 'the provider does not answer' }
        const files = [...desk.#files]
          .filter(([, { publishedAt }]) => publishedAt >= since)
          .map(([id, { publishedAt }]) => ({ id, name: `${id}.csv`, publishedAt }))
        const { hasMore, nextAt } = desk
        return { outcome: 'listed', files, hasMore, ...(nextAt && { nextAt }) }
      },
      read: async function* (id) {
        desk.reads.push(id)
        const bytes = desk.bytesOf(id)
        if (desk.cutAfter === null) return yield bytes
        yield bytes.subarray(0, desk.cutAfter)
        throw new Error('the connection was lost')
      },
      parse: async function* (bytes) {
        if (desk.isConfused) throw new UnreadableReport(1, 'a field that the connector does not know')
        desk.#readings += 1
        for await (const entry of parseSheet(bytes)) {
          const read = entry.type === 'line' ? desk.readAs(entry) : entry
          if (read) yield read
          if (entry.type === 'line') desk.onLine(desk.#readings, entry.number)
        }
      },
    }
  }
}
