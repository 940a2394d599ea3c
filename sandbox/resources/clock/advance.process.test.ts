import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { disagreements } from '#testing/books.ts'
import { urlOf } from '#testing/database-url.ts'
import { cloneDatabase } from '#testing/harness.ts'
import { useOwnFolder } from '#testing/own-folder.ts'
import type { Running } from '#testing/service-process.ts'
import { CARD } from '#testing/till.ts'

const own = useOwnFolder()
const PAYMENTS = 20
const KILLS = 2

test('a worker that is killed while the clock moves is replaced, and nothing is done twice or left out', async () => {
  const connection = await cloneDatabase()
  const settings = { DATABASE_URL: urlOf(connection), LOG_LEVEL: 'error' }
  const api = await own.start({ ...settings, ROLE: 'api' })
  const database = new pg.Client(connection)
  await database.connect()
  for (let count = 0; count < PAYMENTS; count += 1) {
    const order = { amount: 1000 + count, currency: 'USD', country: 'US', payment_method: CARD }
    expect((await own.call(api, '/transactions', order)).status).toBe(201)
  }
  // Its deliveries give the clock many stops.
  await own.call(api, '/webhook-subscriptions', { url: 'http://127.0.0.1:9/dead' })
  await own.call(api, '/buyers', { display_name: 'Ann' })

  const begun = await (await own.call(api, '/sandbox/clock/advance', { by: 'P8D' })).json()
  for (let kill = 0; kill < KILLS; kill += 1) {
    const worker = await own.startProcess({ ...settings, ROLE: 'worker' })
    await untilMoved(database)
    await worker.end('SIGKILL')
    // As if the lease had run out.
    await database.query(
      "update sandbox_clock set leased_until = now() - interval '1 second' where leased_by is not null",
    )
  }
  const target = Date.parse((begun as { target: string }).target)
  await own.start({ ...settings, ROLE: 'worker' })
  await expect
    .poll(() => clockOf(api), { timeout: 150_000, interval: 200 })
    .toMatchObject({ status: 'ready' })

  expect(Date.parse((await clockOf(api)).now)).toBeGreaterThanOrEqual(target)
  const { rows } = await database.query(
    `select status, count(*)::int as count, count(distinct t.id)::int as payments from transactions t
     join events e on e.target_id = t.id and e.name = 'transaction.voided' group by 1`,
  )
  expect(rows).toEqual([{ status: 'authorization_voided', count: PAYMENTS, payments: PAYMENTS }])
  expect(await disagreements(database)).toEqual([])
  await database.end()
}, 400_000)

async function clockOf(api: Running): Promise<{ readonly status: string; readonly now: string }> {
  return (await (await own.call(api, '/sandbox/clock')).json()) as { status: string; now: string }
}

/** The clock is where it was not, and has not arrived. */
async function untilMoved(database: pg.Client): Promise<void> {
  const read = async () =>
    (await database.query('select offset_ms, target is null as is_done from sandbox_clock')).rows[0]
  const { offset_ms: before } = await read()
  for (;;) {
    const { offset_ms, is_done } = await read()
    if (is_done || offset_ms !== before) return
    await sleep(2)
  }
}
