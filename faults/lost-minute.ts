import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { migrate } from '#platform/database/migrate.ts'
import { SIMULATOR_BOOKS } from '#testing/books.ts'
import { openDatabase } from '../lab/open-database.ts'
import { unreached } from '../lab/processor.ts'
import { MIGRATIONS } from '../server/src/app.ts'
import { compareBooks, settleAll } from './aftermath.ts'
import { type KillableService, killableService } from './killable-service.ts'
import { complaints, type Outcome, type Pace, type Program, type Say } from './program.ts'
import { IN_WORDS, nameWith, openAccount, type Provider, startProvider, titleWith } from './provider.ts'
import { openTown } from './town.ts'

/*
 * It was seen to fail for each of these changes: the list of the provider ends with its first page, captures are not entered, and a
 * payment is entered under a new id.
 */
const SHOPS = 5
const BEFORE_ANSWERS = { full: 500, short: 40 } as const
const LOST = { full: { ms: 60_000, answers: 500 }, short: { ms: 0, answers: 80 } } as const
/** Providers round times to seconds. An operator begins some minutes earlier. */
const EARLIER_MS = 10_000
const CLI = fileURLToPath(new URL('../server/src/cli/switchyard.ts', import.meta.url))
/** They pay no payouts and get no tokens: those are not listed by providers. */
const CAN = { payouts: false, tokens: false, faults: false }

export const lostMinute: readonly Program[] = (['simulator', 'stripe'] as const).map((provider) => ({
  name: nameWith('lost-minute', provider),
  promise: 22,
  title: titleWith('What a database has lost is found at the provider', provider),
  explanation:
    'Five shops pay, capture, void, refund and increment. The process is killed and the database copied. The shops go on for a minute, then ' +
    `the copy takes the place of the database: the minute is lost. ${IN_WORDS[provider].replace('the', 'The')} has its books elsewhere, and keeps them. \`switchyard ` +
    'recover` asks it, lists what is missing, and enters it. Afterwards every payment has the amounts and the status that it had, the books of ' +
    'both agree, a second run finds nothing, and a service of Adyen is named as one that cannot be asked.',
  run: (pace, say) => run(provider, pace, say),
}))

async function run(
  name: 'simulator' | 'stripe',
  { form, seed, newDatabase }: Pace,
  say: Say,
): Promise<Outcome> {
  const databaseUrl = await newDatabase()
  const booksUrl = await newDatabase()
  await migrate({ connectionString: booksUrl }, MIGRATIONS)
  const elsewhere = await openDatabase(booksUrl)
  const provider = await startProvider(name, booksUrl)
  const adyen = await startProvider('adyen', booksUrl)
  const service = await killableService({ databaseUrl, ...provider.reach(provider.port) })
  await service.start()
  const account = provider.account(provider.port)
  const other = await openAccount(service, adyen.account(adyen.port), 'adyen')
  const town = await openTown(service, seed, { provider: { isSlow: false, can: CAN }, account })
  const shops = Array.from({ length: SHOPS }, (_, index) => town.trade(index))
  say('the shops pay')
  await town.answers(BEFORE_ANSWERS[form])
  await service.kill()
  const since = new Date(Date.now() - EARLIER_MS)
  await copyDatabase(elsewhere, databaseUrl)
  await service.start()
  say('the minute that will be lost')
  await Promise.all([town.answers(LOST[form].answers), sleep(LOST[form].ms)])
  town.close()
  await Promise.all(shops)
  const before = await look(databaseUrl, settleAll)
  await service.kill()
  await putBack(elsewhere, databaseUrl)
  say('the database is as it was a minute ago')
  const restored = await openDatabase(databaseUrl)
  const kept = await paymentsIn(restored)
  await restored.end()
  const command = commandsOf(service, databaseUrl, provider)
  await command('verify', '--accept')
  const listed = JSON.parse(await command('recover', '--since', since.toISOString(), '--json'))
  const untouched = await look(databaseUrl)
  const entered = JSON.parse(
    await command('recover', '--since', since.toISOString(), '--enter', '--yes', '--json'),
  )
  await service.start()
  const database = await openDatabase(databaseUrl)
  const unsettled = await settleAll(database)
  const again = JSON.parse(await command('recover', '--since', since.toISOString(), '--json'))
  await command('verify')
  const after = await paymentsIn(database)
  const books = name === 'simulator' ? await copyBooks(elsewhere, database) : await provider.books(database)
  const lost = [...before.payments.keys()].filter((id) => !kept.has(id))
  const found = lost.filter((id) => after.get(id) === before.payments.get(id))
  const broken = [
    ...town.broken,
    ...unsettled,
    ...complaints('a payment is not as it was', differences(before.payments, after)),
    ...complaints('the list changed something', differences(kept, untouched.payments)),
    ...complaints('could not be entered', [...listed.refused, ...entered.refused]),
    ...complaints('is different', [...listed.different, ...entered.different]),
    ...complaints('was found again', [...again.missing, ...again.refused, ...again.different]),
    ...complaints('was not said of the service of Adyen', adyenIn(listed, other.id)),
    ...(await compareBooks(database, books)),
    ...(lost.length === 0 ? ['no payment was lost: nothing was shown'] : []),
    ...unreached(provider),
  ]
  await service.kill()
  return {
    seed,
    did: { 'payments before': kept.size, 'operations lost': before.attempts - untouched.attempts },
    acknowledged: { payments: town.paid.size, 'payments lost': lost.length },
    found: { 'payments found': found.length, 'operations entered': entered.entered.length },
    broken,
  }
}

/** Where the service is put back to. It does not run. */
async function copyDatabase(admin: pg.Client, databaseUrl: string): Promise<void> {
  const name = nameOf(databaseUrl)
  await endConnections(admin, name)
  await admin.query(`create database "${name}_copy" template "${name}"`)
}

async function putBack(admin: pg.Client, databaseUrl: string): Promise<void> {
  const name = nameOf(databaseUrl)
  await admin.query(`drop database "${name}" with (force)`)
  await admin.query(`alter database "${name}_copy" rename to "${name}"`)
}

function nameOf(databaseUrl: string): string {
  return new URL(databaseUrl).pathname.slice(1)
}

async function endConnections(admin: pg.Client, name: string): Promise<void> {
  await admin.query('select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1', [
    name,
  ])
}

/** Every payment, and what decides what may be done with it. */
async function paymentsIn(database: pg.Client): Promise<ReadonlyMap<string, string>> {
  const { rows } = await database.query(
    `select id, status, intent, currency, authorized_amount, captured_amount, refunded_amount, released_amount, is_capture_final,
       payment_service_transaction_id from transactions`,
  )
  return new Map(rows.map(({ id, ...money }) => [id, JSON.stringify(money)]))
}

async function look(databaseUrl: string, settle: (database: pg.Client) => Promise<unknown> = async () => {}) {
  const database = await openDatabase(databaseUrl)
  await settle(database)
  const payments = await paymentsIn(database)
  const { rows } = await database.query('select count(*)::int as attempts from attempts')
  await database.end()
  return { payments, attempts: Number(rows[0].attempts) }
}

function differences(wanted: ReadonlyMap<string, string>, found: ReadonlyMap<string, string>): object[] {
  const ids = new Set([...wanted.keys(), ...found.keys()])
  return [...ids].flatMap((id) => {
    const [was, is] = [wanted.get(id), found.get(id)]
    return was === is ? [] : [{ id, was, is }]
  })
}

type Answered = {
  readonly services: readonly { readonly id: string; readonly problem: { kind: string } | null }[]
}

function adyenIn({ services }: Answered, id: string): object[] {
  const named = services.find((one) => one.id === id)
  return named?.problem?.kind === 'cannot' ? [] : [named ?? { id }]
}

/** The books of the processor, beside ours. */
async function copyBooks(from: pg.Client, to: pg.Client): Promise<string> {
  const { rows } = await from.query(
    `select attempt_id, transaction_id, operation, status, amount, is_final, reference, currency from ${SIMULATOR_BOOKS}`,
  )
  await to.query(
    `create table books_of_processor as select * from json_to_recordset('${JSON.stringify(rows)}') as e (
       attempt_id text, transaction_id text, operation text, status text, amount bigint, is_final boolean, reference uuid, currency text)`,
  )
  return 'books_of_processor'
}

/** The command line with the settings of the service, as an operator runs it. Returns what it prints. */
function commandsOf({ folder }: KillableService, databaseUrl: string, provider: Provider) {
  const { preload, env } = provider.reach(provider.port)
  return async (...args: readonly string[]): Promise<string> => {
    const options = preload.flatMap((file) => ['--import', file])
    const child = spawn(process.execPath, [...options, CLI, ...args], {
      env: { PATH: process.env['PATH'] ?? '', DATA_DIR: folder.path, DATABASE_URL: databaseUrl, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const read = async (stream: AsyncIterable<Buffer>) => {
      const chunks: Buffer[] = []
      for await (const chunk of stream) chunks.push(chunk)
      return Buffer.concat(chunks).toString()
    }
    const ended = new Promise((resolve) => child.once('close', resolve))
    const [printed, said] = await Promise.all([read(child.stdout), read(child.stderr)])
    if ((await ended) !== 0) throw new Error(`switchyard ${args.join(' ')} failed: ${said}`)
    return printed
  }
}
