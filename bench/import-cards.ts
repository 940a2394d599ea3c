import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { importFile } from '#resources/vault-imports/import-file.ts'
import { STORED_CARD } from '../lab/card.ts'
import { ask, type Running, startHelper } from '../lab/processes.ts'
import { inBackground } from '../lab/turns.ts'
import type { Foundation } from '../server/src/open-foundation.ts'
import { atLeast, atMost, type Benchmark, figuresOf, itself, type Outcome, type Pace } from './figures.ts'
import type { Load, LoadResult } from './load-generator.ts'
import { openParts, openPlace, type Place, WITHOUT_JOBS } from './place.ts'

const ROWS_PER_SECOND_MIN = 2_000
const RATIO_MIN = 0.2
const PAYMENTS_SHARE_MIN = 0.8
const GROWTH_MAX = 1.25
const BATCH = 500
const ROWS = 50_000
const ROWS_WHEN_QUICK = 10_000
const CALLERS = 4
const MEGABYTE = 1024 * 1024

export const importCards: Benchmark = {
  name: 'import-cards',
  title: 'Importing cards',
  explanation:
    'Rows of a CSV file per second that become a buyer and a card each, from the first reading of the file to the last ' +
    'commit: checked, sealed, stored, and recorded. The file is not encrypted: opening it takes some microseconds a row. ' +
    'Beside it a floor, in the same round: the rows that came of it, inserted into copies of their tables in commits of the ' +
    'same size, and nothing else. Then payments by four callers, with and without an import, ' +
    'and the memory of the importing process in the second half of the last file, compared with that in its first tenth.',
  run,
}

type Round = { readonly rate: number; readonly ratio: number; readonly payments: number }

async function run(pace: Pace, progress: (text: string) => void): Promise<Outcome> {
  const rows = pace.rounds <= 2 ? ROWS_WHEN_QUICK : ROWS
  const place = await openPlace(WITHOUT_JOBS)
  const foundation = await openParts(place, { say: progress })
  // What is compiled first must not count for one side alone.
  const sender = startHelper(fileURLToPath(import.meta.resolve('./load-generator.ts')))
  await payments(place, sender, pace.warmUpSeconds)
  await imported(foundation, 'warm-up', BATCH)
  const rounds: Round[] = []
  let growth = 1
  for (let round = 0; round < pace.rounds; round += 1) {
    progress(`round ${round + 1} of ${pace.rounds}: an import alone`)
    const rate = await perSecond(rows, () => imported(foundation, `alone-${round}`, rows))
    progress(`round ${round + 1} of ${pace.rounds}: the floor`)
    const came = await whatCame(foundation.db, `alone-${round}`)
    const floor = await perSecond(rows, () => insertOnly(foundation.db, came))
    progress(`round ${round + 1} of ${pace.rounds}: payments`)
    const quiet = await payments(place, sender, pace.seconds)
    const importing = inBackground(imported(foundation, `beside-${round}`, rows))
    const beside = await payments(place, sender, pace.seconds)
    growth = await importing
    rounds.push({ rate, ratio: rate / floor, payments: beside / quiet })
  }
  return {
    settings: [
      `${pace.rounds} files of ${rows.toLocaleString('en')} rows, each with a buyer and a card of its own; ${BATCH} rows per commit`,
      'every commit reaches the disk (fsync); service, import and database share the machine',
    ],
    figures: [
      ...figuresOf(rounds, [
        ['rows', '/s', ({ rate }) => rate, atLeast(ROWS_PER_SECOND_MIN)],
        ['as a share of the floor', '', ({ ratio }) => ratio, atLeast(RATIO_MIN)],
        [
          'payments beside an import, as a share of those without',
          '',
          (one) => one.payments,
          atLeast(PAYMENTS_SHARE_MIN),
        ],
      ]),
      ...figuresOf([growth], [['memory in the second half of a file', '', itself, atMost(GROWTH_MAX)]]),
    ],
  }
}

/** Returns how much more memory the second half took than the first tenth. */
async function imported({ context, vault }: Foundation, name: string, rows: number): Promise<number> {
  const most = { start: 0, end: 0 }
  const done = await importFile({
    context,
    vault,
    name,
    open: () => bytesOf(name, rows),
    onProgress: (at) => {
      const megabytes = process.memoryUsage.rss() / MEGABYTE
      if (at < rows / 10) most.start = Math.max(most.start, megabytes)
      if (at > rows / 2) most.end = Math.max(most.end, megabytes)
    },
  })
  if (done.imported !== rows) throw new Error(`${done.imported} of ${rows} rows were imported`)
  return most.end / most.start
}

const HEADER =
  'audit_reference_id,buyer.external_identifier,buyer.display_name,buyer.billing_details.email_address,' +
  'buyer.billing_details.address.country,payment_method.number,payment_method.expiration_date,payment_method.scheme_transaction_id\n'

async function* bytesOf(name: string, rows: number): AsyncGenerator<Uint8Array> {
  yield Buffer.from(HEADER)
  for (let first = 0; first < rows; first += BATCH) {
    const lines = Array.from({ length: Math.min(BATCH, rows - first) }, (_none, at) => {
      const row = first + at
      const person = `${name}-${row},Ada Berg ${row},ada${row}@shop.example,US`
      return `${name}-${row},${person},${numberOf(row)},12/40,MCC${100_000_000 + row}\n`
    })
    yield Buffer.from(lines.join(''))
  }
}

/** Numbers of forty ranges, each with its check digit. */
function numberOf(row: number): string {
  const start = `${411_111 + (row % 40)}${String((row * 7_919) % 1e9).padStart(9, '0')}`
  let sum = 0
  for (let at = 0; at < start.length; at += 1) {
    const digit = Number(start[start.length - 1 - at]) * (at % 2 === 0 ? 2 : 1)
    sum += digit > 9 ? digit - 9 : digit
  }
  return `${start}${(10 - (sum % 10)) % 10}`
}

type Came = { readonly buyer: object; readonly method: object; readonly item: object }

/** What a file became, and the tables for the floor. */
async function whatCame(db: Db, name: string): Promise<Came[]> {
  for (const [copy, table] of COPIES) {
    // The rules of payment methods are about a row of that very table.
    await sql`create table if not exists ${sql.table(copy)} (like ${sql.table(table)} including defaults including indexes)`.execute(
      db,
    )
  }
  const { rows } = await sql<Came>`
    select to_jsonb(buyers) as buyer, to_jsonb(payment_methods) as method, to_jsonb(items) as item
    from payment_methods join buyers on buyers.id = buyer_id join vault.items on token = vault_token
    where buyers.external_identifier like ${`${name}-%`} order by payment_methods.id
  `.execute(db)
  return rows
}

/** The floor: the same rows once more, into tables of the same form. */
async function insertOnly(db: Db, rows: readonly Came[]): Promise<void> {
  for (let first = 0; first < rows.length; first += BATCH) {
    const batch = rows.slice(first, first + BATCH)
    await db.transaction().execute(async (tx) => {
      for (const [copy, , pick] of COPIES) {
        const values = JSON.stringify(batch.map(pick))
        await sql`insert into ${sql.table(copy)} select * from json_populate_recordset(null::${sql.table(copy)}, ${values}::json)`.execute(
          tx,
        )
      }
    })
  }
}

const COPIES: readonly (readonly [copy: string, table: string, pick: (came: Came) => object])[] = [
  ['floor_buyers', 'buyers', ({ buyer }) => buyer],
  ['floor_methods', 'payment_methods', ({ method }) => method],
  ['floor_items', 'vault.items', ({ item }) => item],
]

/** Payments a second by some callers, in a process of their own. */
async function payments({ url, headers }: Place, sender: Running, seconds: number): Promise<number> {
  const body = JSON.stringify(PAYMENT)
  const load: Load = {
    url: `${url}/transactions`,
    headers,
    body,
    isKeyed: true,
    connections: CALLERS,
    seconds,
  }
  const { requestsPerSecond, failures } = await ask<LoadResult>(sender, load)
  if (failures > 0) throw new Error(`${failures} payments failed`)
  return requestsPerSecond
}

const PAYMENT = { amount: 1_299, currency: 'USD', country: 'US', payment_method: STORED_CARD }

async function perSecond(rows: number, work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return rows / ((performance.now() - begun) / 1_000)
}
