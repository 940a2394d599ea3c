import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { openReceiver } from '../lab/listen.ts'
import { openDatabase } from '../lab/open-database.ts'
import { start } from '../lab/processes.ts'
import { inBackground, inTurns, numbers } from '../lab/turns.ts'
import { endLeases, settleAll } from './aftermath.ts'
import { type Canaries, hatchCanaries } from './canaries.ts'
import { type Ask, openTeller, useCards, useGiftCards } from './card-uses.ts'
import { type KillableService, killableService } from './killable-service.ts'
import { complaints, type Outcome, type Pace, type Program, type Say } from './program.ts'

/*
 * It was seen to fail for each of these changes: a number is sealed without its token (`placesIn` of vault/client.ts), the
 * log has the body under another name (`observe`), a number is taken out without an entry (no `onReveal` in
 * vault/client.ts), the row of an idempotency key has the request in the clear (`storeAnswer`), a validation error names
 * the field in full (`ApiError`), old keys are destroyed before all is sealed again (`rotate`), and nothing is sealed
 * again (`Vault.rotate` does nothing).
 */
const CARDS = { full: 10_000, short: 30 }
const SENDERS = 8
const SERVER_FILES = 'the files of the database server'
const COMMAND = fileURLToPath(new URL('../server/src/cli/switchyard.ts', import.meta.url))

export const cardData: Program = {
  name: 'card-data',
  promise: 13,
  title: 'Card data stays in the vault',
  explanation:
    'Numbers, codes and PINs that occur nowhere else go through every way in: payments with all that follows, declines, ' +
    'lost and garbled answers, checkout sessions, 3-D Secure, stored cards, gift cards, and requests that are broken in ' +
    'places that errors like to repeat. The process logs all it can (`LOG_LEVEL=trace`) and is killed once on the way. ' +
    'Then the program searches for them in every row of every table, in the log, in all answers and webhooks, in the ' +
    'metrics and in the files of the data folder (the full form also searches the files of the database server): as they ' +
    'are, grouped, reversed, in hexadecimal digits and in base64. All keys are changed while cards are used, and each ' +
    'card has to work afterwards in a new process. Sealed numbers are exchanged between two cards, and neither may ' +
    'open. Each payment with a stored card has to have its entry in the audit log.',
  run,
}

async function run({ form, seed, newDatabase }: Pace, say: Say): Promise<Outcome> {
  const canaries = hatchCanaries(seed)
  const databaseUrl = await newDatabase()
  const database = await openDatabase(databaseUrl)
  const service = await killableService({ databaseUrl, env: { LOG_LEVEL: 'trace' } })
  const log = await startLogged(service)
  const teller = openTeller(service)
  const { ask, said } = teller
  const received: string[] = []
  const url = await openReceiver(({ request, response, body }) => {
    received.push(`${request.url} ${JSON.stringify(request.headers)} ${body}`)
    response.end('ok')
  })
  await ask('POST /webhook-subscriptions', { url })

  say('paying in every way')
  await Promise.all([useCards(teller, canaries), useGiftCards(teller, canaries)])
  await service.kill()
  await endLeases(database)
  await startLogged(service, log)
  const unsettled = await settleAll(database)

  say(`storing ${CARDS[form]} cards`)
  const stored = await storeCards(ask, canaries, CARDS[form])
  const rotated = await rotate({ ask, service, databaseUrl, database, log }, stored, say)
  const moved = await moveCiphertext(ask, database, stored)
  const unrecorded = await missingEntries(database, rotated.uses)
  const metrics = await (await fetch(`${service.url}/metrics`)).text()
  await service.kill()

  say('searching')
  const rows = await searchTables(database, canaries)
  const places: Record<string, readonly string[]> = {
    'the log': log.lines,
    'what callers were told': said,
    'what the receiver was told': received,
    'the metrics': [metrics],
    'the data folder': filesIn(service.folder.path),
    ...(form === 'full' && { [SERVER_FILES]: await filesOfServer(database) }),
  }
  const unsearched = Object.entries(places).filter(([, texts]) => texts.length === 0)
  const leaks = Object.entries(places).flatMap(([place, texts]) => {
    const search = place === SERVER_FILES ? canaries.foundInFile : canaries.found
    return texts.flatMap((text) => search(text).map((guise) => ({ place, guise, near: near(text, guise) })))
  })
  return {
    seed,
    did: {
      requests: said.length,
      'items of the vault under new keys': rotated.renewed,
      'payments while keys were changed': rotated.during,
    },
    acknowledged: { 'payments with stored cards': rotated.uses.length },
    found: {
      'rows searched': rows.searched,
      'tables searched': rows.tables,
      'lines of log searched': log.lines.length,
      'answers searched': said.length,
      'webhooks searched': received.length,
      'files searched': (places['the data folder']?.length ?? 0) + (places[SERVER_FILES]?.length ?? 0),
      'traces of card data': leaks.length + rows.leaks.length,
    },
    broken: [
      ...unsettled,
      ...complaints('card data was found', [...rows.leaks, ...leaks]),
      ...rotated.broken,
      ...moved,
      ...complaints('a number was taken out without an entry in the audit log', unrecorded),
      ...unsearched.map(([place]) => `nothing was searched of ${place}`),
      ...(log.lines.length < said.length ? ['the log has fewer lines than there were requests'] : []),
    ],
  }
}

type Log = { readonly lines: string[] }

async function startLogged(service: KillableService, log: Log = { lines: [] }): Promise<Log> {
  const starting = service.start()
  const { child } = service.running()
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => log.lines.push(...String(chunk).split('\n')))
  await starting
  return log
}

async function storeCards(ask: Ask, canaries: Canaries, count: number): Promise<string[]> {
  const ids: string[] = []
  await inTurns(numbers(count), SENDERS, async () => {
    const { status, json } = await ask('POST /payment-methods', canaries.card())
    if (status !== 201) throw new Error(`a card was not stored: ${status}`)
    ids.push(json.id)
  })
  return ids
}

type Rotation = {
  /** The card of each payment. */
  readonly uses: readonly string[]
  readonly during: number
  /** How many items are under keys that were not there before. */
  readonly renewed: number
  readonly broken: string[]
}
type Place = {
  readonly ask: Ask
  readonly service: KillableService
  readonly databaseUrl: string
  readonly database: pg.Client
  readonly log: Log
}

/** Changes all keys while cards are paid with, and then pays with each of them. */
async function rotate(place: Place, stored: readonly string[], say: Say): Promise<Rotation> {
  const { ask, service, databaseUrl, database, log } = place
  const uses: string[] = []
  const broken: string[] = []
  const pay = async (id: string) => {
    const payment_method = { method: 'id', id }
    const { status, json } = await ask('POST /transactions', { ...PAYMENT, payment_method })
    uses.push(id)
    if (json?.status !== 'authorization_succeeded')
      broken.push(`a stored card cannot be paid with: ${status} ${json?.status}`)
  }
  let isOver = false
  let during = 0
  const payOn = async () => {
    while (!isOver) await pay(stored[during++ % stored.length] ?? '')
  }
  const before = await keysInUse(database)
  const paying = inBackground(payOn())
  say('changing keys')
  const code = await changeKeys(service, databaseUrl).finally(() => {
    isOver = true
  })
  await paying
  if (code !== 0) broken.push(`the command that changes keys ended with ${code}`)
  const items = await itemsSince(database, before)
  if (items.old > 0) broken.push(`${items.old} items of the vault are still under old keys`)
  if (items.renewed < stored.length) broken.push(`only ${items.renewed} items are under new keys`)
  // This process has the old keys in memory. A process that starts now has only the new ones.
  await service.kill()
  await startLogged(service, log)
  say('paying with each card')
  await inTurns(stored, SENDERS, pay)
  return { uses, during, renewed: items.renewed, broken: broken.slice(0, 10) }
}

async function keysInUse(database: pg.Client): Promise<string[]> {
  const { rows } = await database.query('select distinct data_key_id as id from vault.items')
  return rows.map(({ id }) => id)
}

/** How many items of the vault are under one of these keys, and how many are not. */
async function itemsSince(database: pg.Client, keys: readonly string[]) {
  const { rows } = await database.query(
    `select count(*) filter (where data_key_id = any($1)) as old,
       count(*) filter (where data_key_id <> all($1)) as renewed from vault.items`,
    [keys],
  )
  return { old: Number(rows[0].old), renewed: Number(rows[0].renewed) }
}

const PAYMENT = { amount: 1299, currency: 'USD', country: 'US' }

async function changeKeys({ folder }: KillableService, databaseUrl: string): Promise<number | null> {
  const { child } = start({
    command: process.execPath,
    args: [COMMAND, 'vault', 'rotate'],
    env: { DATA_DIR: folder.path, DATABASE_URL: databaseUrl },
  })
  const [code] = await once(child, 'exit')
  return code
}

const EXCHANGE = `update vault.items as item set sealed = other.sealed
  from vault.items as other
  where item.token = any($1) and other.token = any($1) and item.token <> other.token`

/** Two rows of one account, one field and one key: only the token differs. */
async function moveCiphertext(ask: Ask, database: pg.Client, stored: readonly string[]): Promise<string[]> {
  const ids = stored.slice(0, 2)
  const { rows } = await database.query('select vault_token from payment_methods where id = any($1)', [ids])
  const tokens = rows.map(({ vault_token }) => vault_token)
  await database.query(EXCHANGE, [tokens])
  const broken: string[] = []
  for (const id of ids) {
    const payment_method = { method: 'id', id }
    const { status, json } = await ask('POST /transactions', { ...PAYMENT, payment_method })
    if (status < 400) broken.push(`a number that was moved from another card was paid with: ${json?.status}`)
  }
  await database.query(EXCHANGE, [tokens])
  return broken
}

/** At least one entry for each time that a card was used. */
async function missingEntries(database: pg.Client, uses: readonly string[]): Promise<object[]> {
  const { rows } = await database.query<{ id: string; count: string }>(
    `select resource_id as id, count(*) from audit_logs
     where action = 'revealed' and resource_type = 'payment-method' group by 1`,
  )
  const entries = new Map(rows.map(({ id, count }) => [id, Number(count)]))
  const counts = Map.groupBy(uses, (id) => id)
  return [...counts].flatMap(([id, { length: used }]) => {
    const recorded = entries.get(id) ?? 0
    return recorded >= used ? [] : [{ id, used, recorded }]
  })
}

/** The database shows bytes as hexadecimal digits, which are searched for, too. */
async function searchTables(database: pg.Client, canaries: Canaries) {
  const { rows: tables } = await database.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  const leaks: object[] = []
  let searched = 0
  for (const { name } of tables) {
    const { rows } = await database.query<{ text: string }>(`select t::text as text from ${name} as t`)
    searched += rows.length
    const text = rows.map((row) => row.text).join('\n')
    for (const guise of canaries.found(text)) leaks.push({ place: name, guise, near: near(text, guise) })
  }
  return { searched, tables: tables.length, leaks }
}

async function filesOfServer(database: pg.Client): Promise<string[]> {
  await database.query('checkpoint')
  const { rows } = await database.query('show data_directory')
  return filesIn(rows[0].data_directory)
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .flatMap((entry) => {
      try {
        return [readFileSync(join(entry.parentPath, entry.name)).toString('latin1')]
      } catch (error) {
        // The server deletes files as it likes.
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
        throw error
      }
    })
}

/** Enough to find the place, without the rest of what was found. */
function near(text: string, guise: string): string {
  const index = text.indexOf(guise)
  return text.slice(Math.max(0, index - 60), index)
}
