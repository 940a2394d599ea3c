import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { secretsFrom } from '#platform/access/secrets.ts'
import { readIdempotencyKey } from '#platform/idempotency/idempotency.ts'
import { tablesOf, writeDump } from '#testing/upgrade/dump.ts'
import { openDatabase } from '../../lab/open-database.ts'
import { startPostgres } from '../../lab/postgres.ts'
import { say } from '../../lab/progress.ts'
import { runProgram } from '../../lab/run.ts'
import { type KillableService, killableService } from '../killable-service.ts'
import { archivePast, openShop, setUp, trade } from './fill.ts'
import { furnish } from './furnish.ts'
import { dieHalfWay, leaveOpen, leaveUnpaid, loseGiftCardAnswers } from './half-done.ts'

/*
 * Makes the dump that `server/src/testing/upgrade/upgrade.process.test.ts` upgrades: a database of this version after a kill in the
 * middle of work. Run it before a release, with the code of that release.
 */
const FOLDER = fileURLToPath(new URL('../../server/src/testing/upgrade/', import.meta.url))
const MIGRATIONS = fileURLToPath(new URL('../../server/migrations/', import.meta.url))
const CRASH_POINTS = fileURLToPath(new URL('../crash-points.ts', import.meta.url))
const JOBS_MS = 6_000
const KEPT_MAX = 3
const ABOUT =
  'The keys in this file were made for the dump beside it. They open nothing else, and the card numbers are public test numbers.'

/**
 * What needs more than a simulated processor and a key: other providers, a phone with a wallet, an identity provider, a person who types a
 * password; and what is there for moments.
 */
const MAY_BE_EMPTY = [
  'public.attempt_orders',
  'public.digital_wallet_domains',
  'public.exchanged_settlements',
  'public.held_notifications',
  'public.page_checks',
  'public.payment_facts_pending',
  'public.sandbox_fill',
  'public.service_memories',
  'public.used_wallet_tokens',
  'public.user_challenges',
  'public.user_former_passwords',
  'public.user_identities',
  'public.user_lock_outs',
  'public.user_money_moves',
  'public.user_passwords',
  'public.user_recovery_codes',
  'simulator.levers',
  'simulator.notices',
]

await runProgram(main)

async function main(): Promise<number> {
  const databaseUrl = await (await startPostgres()).newDatabase()
  const database = await openDatabase(databaseUrl)
  const keys = { SECRET_KEY: newKey(), VAULT_KEY: newKey() }
  const service = await killableService({ databaseUrl, preload: [CRASH_POINTS], env: keys })
  const shop = openShop(service)
  await service.start()
  await setUp(shop)
  const env = { ...keys, DATABASE_URL: databaseUrl, DATA_DIR: service.folder.path }
  const run = commandsOf(env)
  await archivePast(shop, service, { env, run })
  await trade(shop)
  importBins(service, run)
  await furnish(shop, service)
  // Time for jobs: they try webhooks, ask the account updater and seal the audit log.
  await sleep(JOBS_MS)
  await service.kill()
  // From here on without jobs, so that half-done work stays half done.
  await service.start({ ROLE: 'api' })
  await leaveOpen(shop)
  await leaveUnpaid(shop)
  const unanswered = await loseGiftCardAnswers(service, database)
  unanswered.push(...(await dieHalfWay(service, say)))
  await service.kill()
  // Stored answers would be half of the dump, and a few are enough.
  const answered = shop.answered.filter(({ request }) => request.route === '/transactions').slice(-KEPT_MAX)
  const secrets = secretsFrom(Buffer.from(keys.SECRET_KEY, 'base64'))
  const kept = [...answered.map(({ request }) => request), ...unanswered]
  await database.query('delete from idempotency_keys where status is not null and key <> all($1)', [
    kept.map(({ key }) => readIdempotencyKey(secrets, key)),
  ])
  const empty = await emptyTables(database)
  refuseEmpty(empty)
  const { rows: clocks } = await database.query(
    "select clock_timestamp() + coalesce((select offset_ms from sandbox_clock), 0) * interval '1 millisecond' as now",
  )
  const facts = {
    about: ABOUT,
    madeAt: new Date().toISOString(),
    clock: clocks[0].now,
    empty,
    migrations: (await database.query('select version from schema_migrations order by 1')).rows.map(
      ({ version }) => version,
    ),
    keys: { ...keys, admin: service.folder.key },
    unanswered,
    answered,
  }
  const name = `after-${readdirSync(MIGRATIONS).sort().at(-1)?.slice(0, 4)}`
  writeFileSync(join(FOLDER, `${name}.sql`), await writeDump(database))
  writeFileSync(join(FOLDER, `${name}.json`), `${JSON.stringify(facts, null, 1)}\n`)
  say(`${name} was written to ${FOLDER}`)
  return 0
}

function newKey(): string {
  return randomBytes(32).toString('base64')
}

type Run = (...args: readonly string[]) => void

function commandsOf(env: Record<string, string>): Run {
  const program = fileURLToPath(new URL('../../server/src/cli/switchyard.ts', import.meta.url))
  return (...args) => {
    execFileSync(process.execPath, [program, ...args], { env })
  }
}

function importBins({ folder }: KillableService, run: Run): void {
  const file = join(folder.path, 'bins.csv')
  writeFileSync(
    file,
    'bin,scheme,additional_schemes,card_type,issuer,country\n457173,visa,dankort,debit,Jyske Bank,DK\n',
  )
  run('bins', 'import', file)
}

async function emptyTables(database: pg.Client): Promise<string[]> {
  const empty: string[] = []
  for (const { name } of await tablesOf(database)) {
    const { rows } = await database.query(`select from ${name} limit 1`)
    if (rows.length === 0) empty.push(name)
  }
  return empty
}

/** An empty table would not test its upgrade. */
function refuseEmpty(tables: readonly string[]): void {
  const missing = tables.filter((name) => !MAY_BE_EMPTY.includes(name))
  if (missing.length > 0) throw new Error(`Nothing is in ${missing.join(', ')}.`)
}
