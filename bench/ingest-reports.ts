import { tmpdir } from 'node:os'
import { sql } from 'kysely'
import type { ReportLine, Reports } from '#connectors/contract/reports.ts'
import { newId } from '#domain/ids.ts'
import type { Db } from '#platform/database/db.ts'
import { diskStorage } from '#platform/file-storage/disk.ts'
import type { Engine } from '#processing/engine.ts'
import { registryOf } from '#processing/service-accounts/registry.ts'
import { checkFile } from '#resources/payment-service-reports/ingest/check-file.ts'
import { ingestDue } from '#resources/payment-service-reports/ingest/ingest-due.ts'
import { withSpool } from '#resources/payment-service-reports/ingest/spool-file.ts'
import { parseSheet } from '#testing/report-sheet.ts'
import { STORED_CARD } from '../lab/card.ts'
import { mustDo } from '../lab/product.ts'
import type { Foundation } from '../server/src/open-foundation.ts'
import { atLeast, atMost, type Benchmark, figuresOf, itself, type Outcome, type Pace } from './figures.ts'
import { openParts, openPlace, WITHOUT_JOBS } from './place.ts'

const LINES_PER_SECOND_MIN = 5_000
const RATIO_MIN = 0.2
const GROWTH_MAX = 1.25
const BATCH = 500
const LINES = 50_000
const LINES_WHEN_QUICK = 10_000
const LONG_LINES = 10_000_000
const LONG_LINES_WHEN_QUICK = 1_000_000
const MEGABYTE = 1024 * 1024
const DEFINITION = 'mock-card'

export const ingestReports: Benchmark = {
  name: 'ingest-reports',
  title: 'Reading settlement files',
  explanation:
    'Lines of a settlement file per second, from asking the provider to the last commit: the file is written to disk, ' +
    'hashed and checked, and each line is matched with its own payment, which gets its record, its amounts, its mark, its ' +
    'history and its event, which one webhook subscription wants. Beside it a floor, in the same round: the same lines ' +
    'inserted into a copy of their table, in commits of the same size, and nothing else. Then a long file is read and ' +
    'checked, and the memory of the process in its second half is compared with that in its first tenth.',
  run,
}

async function run(pace: Pace, progress: (text: string) => void): Promise<Outcome> {
  const isQuick = pace.rounds <= 2
  const lines = isQuick ? LINES_WHEN_QUICK : LINES
  const long = isQuick ? LONG_LINES_WHEN_QUICK : LONG_LINES
  const place = await openPlace(WITHOUT_JOBS)
  await mustDo(place, 'POST /webhook-subscriptions', { url: 'http://127.0.0.1:9/' })
  const paid: Paid = await mustDo(place, 'POST /transactions', PAYMENT)
  const foundation = await openParts(place, { say: progress })
  await copyPayments(foundation.db, paid, lines * pace.rounds, progress)
  const rates: number[] = []
  const ratios: number[] = []
  for (let round = 0; round < pace.rounds; round += 1) {
    progress(`round ${round + 1} of ${pace.rounds}`)
    const own = await perSecond(lines, () => ingest(foundation, { round, lines }))
    const floor = await perSecond(lines, () => insertOnly(foundation.db, round))
    rates.push(own)
    ratios.push(own / floor)
  }
  await checkSettled(foundation.db, lines * pace.rounds)
  progress(`a file of ${long} lines`)
  const growth = await growthOver(long)
  return {
    settings: [
      `${pace.rounds} files of ${lines.toLocaleString('en')} lines, each for a payment of its own; ${BATCH} lines per commit`,
      `the long file has ${long.toLocaleString('en')} lines`,
      'every commit reaches the disk (fsync); process and database share the machine',
    ],
    figures: [
      ...figuresOf(rates, [['lines', '/s', itself, atLeast(LINES_PER_SECOND_MIN)]]),
      ...figuresOf(ratios, [['as a share of the floor', '', itself, atLeast(RATIO_MIN)]]),
      ...figuresOf(
        [growth],
        [['memory in the second half of the long file', '', itself, atMost(GROWTH_MAX)]],
      ),
    ],
  }
}

const PAYMENT = {
  amount: 1_299,
  currency: 'USD',
  country: 'US',
  intent: 'capture',
  metadata: { channel: 'web', campaign: 'autumn' },
  buyer: {
    display_name: 'Ada',
    billing_details: { first_name: 'Ada', last_name: 'Berg', email_address: 'ada@shop.example' },
  },
  payment_method: { ...STORED_CARD, expiration_date: '12/30' },
}
type Paid = { readonly id: string; readonly payment_service: { readonly id: string } }

/** Copies of one payment, each with a reference of its own at the provider. */
async function copyPayments(
  db: Db,
  paid: Paid,
  count: number,
  progress: (text: string) => void,
): Promise<void> {
  const others = (table: string) => sql`
    insert into ${sql.table(table)} select (jsonb_populate_record(template, jsonb_build_object('id', copy.id))).*
    from copies as copy, ${sql.table(table)} as template where template.id = ${paid.id}`
  // A payment is written a second time when it is decided, beside its first version. So half of its page is free later.
  await sql`alter table transactions set (fillfactor = 50)`.execute(db)
  await sql`create table copies (number integer primary key, id uuid not null, attempt_id uuid not null)`.execute(
    db,
  )
  for (let first = 0; first < count; first += 10_000) {
    progress(`payments: ${first} of ${count}`)
    const numbers = Array.from({ length: Math.min(10_000, count - first) }, (_, index) => first + index)
    await sql`truncate copies`.execute(db)
    await sql`insert into copies select * from unnest(${numbers}::int[], ${numbers.map(() => newId())}::uuid[],
      ${numbers.map(() => newId())}::uuid[])`.execute(db)
    for (const table of ['transactions', 'transaction_documents', 'transaction_updates'])
      await others(table).execute(db)
    for (const table of ['transaction_marks', 'transaction_statuses']) {
      await sql`
        insert into ${sql.table(table)} select marked.merchant_account_id, marked.mark, copy.id
        from copies as copy, ${sql.table(table)} as marked where marked.id = ${paid.id}
      `.execute(db)
    }
    await sql`
      insert into attempts select (jsonb_populate_record(template, jsonb_build_object('id', copy.attempt_id,
        'transaction_id', copy.id, 'reference', 'payment-' || copy.number))).*
      from copies as copy, attempts as template where template.transaction_id = ${paid.id} and template.kind = 'authorize'
    `.execute(db)
  }
  await sql`alter table transactions set (fillfactor = 90)`.execute(db)
  await sql`update payment_services set settlement_reporting_enabled = true where id = ${paid.payment_service.id}`.execute(
    db,
  )
  await sql`vacuum analyze`.execute(db)
}

/** Files that come in lose their names at once. */
const STORAGE = diskStorage({ folder: tmpdir(), linkTo: () => '' })

type File = { readonly round: number; readonly lines: number }

/** What the job does, with a provider that has one new file. */
async function ingest(foundation: Foundation, file: File): Promise<void> {
  const { db } = foundation
  await sql`update payment_service_report_feeds set due_at = '-infinity'`.execute(db)
  const connector = { manifest: { id: DEFINITION }, reports: reportsWith(file) }
  const providers = { connectors: registryOf([connector as never]), timeoutMs: 10_000, fetch }
  const engine = { vault: foundation.vault, providers } as unknown as Engine
  const needs = { engine, reportFiles: STORAGE, everyMinutes: 60 }
  await ingestDue(foundation.context, needs, new AbortController().signal)
}

function reportsWith(file: File): Reports {
  return {
    list: async () => ({
      outcome: 'listed',
      files: [{ id: `file-${file.round}`, name: 'settlements', publishedAt: new Date() }],
      hasMore: false,
    }),
    read: () => bytesOf(file),
    parse: parseSheet,
  }
}

/** A file as a stream: it never is in memory as a whole. */
async function* bytesOf({ round, lines }: File): AsyncGenerator<Uint8Array> {
  const header = {
    type: 'header',
    reportId: `round-${round}`,
    date: '2026-11-15',
    account: 'shop',
    currency: 'USD',
  }
  yield Buffer.from(`${JSON.stringify(header)}\n`)
  for (let first = 0; first < lines; first += BATCH) {
    const length = Math.min(BATCH, lines - first)
    const texts = Array.from({ length }, (_, index) =>
      JSON.stringify(lineOf(round * lines + first + index, first + index + 2)),
    )
    yield Buffer.from(`${texts.join('\n')}\n`)
  }
  const [gross, fees] = [1_299 * lines, 38 * lines]
  yield Buffer.from(`${JSON.stringify({ type: 'trailer', count: lines, gross, fees, net: gross - fees })}\n`)
}

function lineOf(payment: number, number: number): ReportLine {
  return {
    type: 'line',
    number,
    kind: 'settlement',
    id: `movement-${payment}`,
    reference: `payment-${payment}`,
    ourReference: null,
    amount: 1_299,
    currency: 'USD',
    commission: 38,
    interchange: 20,
    markup: 12,
    schemeFee: 6,
    original: null,
    exchangeRate: null,
    postedAt: new Date(1_794_700_800_000),
    code: null,
    reason: null,
  }
}

/** The floor: the lines of the round once more, into a table of the same form. */
async function insertOnly(db: Db, round: number): Promise<void> {
  await sql`create table if not exists floor_lines (like payment_service_report_lines including all)`.execute(
    db,
  )
  const { rows } = await sql<{ id: string; line: object }>`
    select line.id, to_jsonb(line) as line from payment_service_report_lines as line
    join payment_service_reports as report on report.id = line.report_id
    where report.external_identifier = ${`round-${round}`} order by line.id
  `.execute(db)
  for (let first = 0; first < rows.length; first += BATCH) {
    const batch = JSON.stringify(rows.slice(first, first + BATCH).map(({ line }) => line))
    await sql`insert into floor_lines select * from json_populate_recordset(null::floor_lines, ${batch}::json)`.execute(
      db,
    )
  }
}

async function perSecond(lines: number, work: () => Promise<void>): Promise<number> {
  const begun = performance.now()
  await work()
  return lines / ((performance.now() - begun) / 1_000)
}

async function checkSettled(db: Db, expected: number): Promise<void> {
  const { rows } = await sql<{ settled: number; told: number }>`
    select (select count(*)::int from transactions where settled_amount = 1299 and settled_currency = 'USD') as settled,
      (select count(*)::int from events where name = 'transaction.settled') as told
  `.execute(db)
  const [counts] = rows
  if (counts?.settled !== expected || counts.told !== expected) {
    throw new Error(
      `${counts?.settled} payments are settled and ${counts?.told} events told, instead of ${expected}`,
    )
  }
}

/** The most memory in the second half of a long file, as a share of the most in its first tenth. */
async function growthOver(lines: number): Promise<number> {
  const most = { start: 0, end: 0 }
  const { signal } = new AbortController()
  await withSpool(bytesOf({ round: 0, lines }), { storage: STORAGE, stopping: signal }, async ({ read }) => {
    const counted = (async function* () {
      for await (const entry of parseSheet(read())) {
        if (entry.type === 'line' && entry.number % 10_000 === 0) {
          const megabytes = process.memoryUsage.rss() / MEGABYTE
          if (entry.number < lines / 10) most.start = Math.max(most.start, megabytes)
          if (entry.number > lines / 2) most.end = Math.max(most.end, megabytes)
        }
        yield entry
      }
    })()
    const { problem, lineCount } = await checkFile(counted, null, signal)
    if (problem !== null || lineCount !== lines) throw new Error(`the long file was not read: ${problem}`)
  })
  return most.end / most.start
}
