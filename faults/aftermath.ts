import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { disagreements } from '#testing/books.ts'
import { giftCardDisagreements } from '#testing/gift-card-books.ts'
import { refusedMove } from '#testing/model/guard.ts'
import { complaints } from './program.ts'
import type { Town } from './town.ts'

const SETTLE_DEADLINE_MS = 120_000
const GONE_DEADLINE_MS = 60_000

/** The processes that held leases are dead. Waiting for the end of leases would take minutes and show nothing more. */
export async function endLeases(database: pg.Client): Promise<void> {
  await waitUntilGone(database, 'switchyard%')
  await database.query(`update idempotency_keys set leased_until = now() where status is null`)
  await database.query(`update attempts set due_at = now() where due_at > now()`)
}

/** The same for a worker that is dead while other processes of the service live. */
export async function endLeasesOfWorker(database: pg.Client, pid: number): Promise<void> {
  await waitUntilGone(database, `switchyard% ${pid}`)
  await database.query(`update payment_service_report_feeds set leased_until = '-infinity'`)
  await database.query('update sandbox_clock set leased_by = null, leased_until = null')
}

/** Until then, what a dead process had sent may still be done. */
async function waitUntilGone(database: pg.Client, name: string): Promise<void> {
  for (const deadline = performance.now() + GONE_DEADLINE_MS; ; await sleep(5)) {
    const { rows } = await database.query(
      `select from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and application_name like $1`,
      [name],
    )
    if (rows.length === 0) return
    if (performance.now() > deadline)
      throw new Error(`${rows.length} connections of dead processes are still open`)
  }
}

/** Lets the job resolve open attempts, and makes them due sooner: its schedule is in minutes. Returns what stays open. */
export async function settleAll(database: pg.Client): Promise<string[]> {
  const deadline = performance.now() + SETTLE_DEADLINE_MS
  for (;;) {
    const { rows } = await database.query(
      'select id, kind, state, checks from attempts where due_at is not null',
    )
    if (rows.length === 0) return []
    if (performance.now() > deadline) return complaints('an attempt stayed open', rows)
    // Attempts that the job has leased are left alone.
    await database.query(`update attempts set due_at = now() where due_at > now() + interval '40 seconds'`)
    await sleep(200)
  }
}

/** What processes tried that the model of payments does not have. Databases of long forms have no guard. */
export async function movesRefused(database: pg.Client): Promise<string[]> {
  const move = await refusedMove(async (text) => (await database.query(text)).rows)
  return move === undefined ? [] : [`a move that the model does not have was made: ${move}`]
}

/** Where our records differ from what the providers of payments and of gift cards have really done. */
export async function compareBooks(database: pg.Client, books?: string): Promise<string[]> {
  return [
    ...complaints('our records and the books of the provider differ', await disagreements(database, books)),
    ...complaints('our records and the books of gift cards differ', await giftCardDisagreements(database)),
    ...(await movesRefused(database)),
  ]
}

/** Everything that is wrong with payments, payouts and tokens once no attempt is open any more. */
export async function audit(database: pg.Client, town: Town, books?: string): Promise<string[]> {
  return [
    ...(await compareBooks(database, books)),
    ...complaints('was done twice', await duplicates(database)),
    ...complaints('was acknowledged, and the database differs', await forgotten(database, town)),
    ...complaints('was paid out, and the database differs', await forgottenPayouts(database, town)),
    ...complaints('a token is not as its shop was told', await town.tokens.wrong(database)),
  ]
}

/** Keys with two payments or payouts, events that were published twice, cards that were left in the vault. */
async function duplicates(database: pg.Client): Promise<object[]> {
  const found = [
    await database.query(
      `select external_identifier, count(*) from transactions group by external_identifier having count(*) > 1`,
    ),
    await database.query(
      `select external_identifier, count(*) from payouts group by external_identifier having count(*) > 1`,
    ),
    await database.query(`select target_id, name, count(*) from events group by 1, 2 having count(*) > 1`),
    await database.query(
      `select transaction_id, count(*) from refunds where status = 'succeeded' group by 1 having count(*) > 1`,
    ),
    await database.query('select transaction_id from transaction_cards'),
  ]
  return found.flatMap(({ rows }) => rows)
}

/** Acknowledged changes that the database lacks or has otherwise, and payments that no caller was told of. */
async function forgotten(database: pg.Client, { paid, acknowledged }: Town): Promise<object[]> {
  const { rows } = await database.query(
    `select id, external_identifier, status, authorized_amount, captured_amount, refunded_amount from transactions`,
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  const unknown = [...paid].filter(([order, id]) => byId.get(id)?.external_identifier !== order)
  const wrong = [...acknowledged].flatMap(([id, expected]) => {
    const row = byId.get(id)
    const actual = {
      authorized: row?.authorized_amount,
      captured: row?.captured_amount,
      refunded: row?.refunded_amount,
      voided: row?.status === 'authorization_voided',
    }
    return JSON.stringify(actual) === JSON.stringify(expected) ? [] : [{ id, expected, actual }]
  })
  const strangers = rows.filter(({ external_identifier }) => !paid.has(external_identifier))
  return [...unknown, ...wrong, ...strangers]
}

/** The same for payouts. */
async function forgottenPayouts(database: pg.Client, { paidOut }: Town): Promise<object[]> {
  const { rows } = await database.query('select id, external_identifier, status from payouts')
  const byOrder = new Map(rows.map((row) => [row.external_identifier, row]))
  const wrong = [...paidOut].flatMap(([order, { id, status }]) => {
    const row = byOrder.get(order)
    const isSame = row?.id === id && (status === null || row?.status === status)
    return isSame ? [] : [{ order, id, status, row }]
  })
  return [...wrong, ...rows.filter(({ external_identifier }) => !paidOut.has(external_identifier))]
}
