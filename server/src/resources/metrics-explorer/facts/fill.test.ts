import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { newId } from '#domain/ids.ts'
import * as transactions from '#payments/store/payments.ts'
import { inTransaction } from '#platform/database/db.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { keepRows } from '#testing/keep-rows.ts'
import { writeByHand } from '#testing/model/guard.ts'
import { advance } from '#testing/sandbox-clock.ts'
import { CARD, openTill, type Till } from '#testing/till.ts'
import { METRICS, MODULES, SOURCES } from '../schemas.ts'
import { fillFacts, nextFill } from './fill.ts'
import { noteLate, SETTLED_MS } from './note-change.ts'
import * as facts from './store.ts'

const RUNNING = new AbortController().signal
const MINUTE_MS = 60_000
const DECLINED = 200_011
const SECRET = 'a-secret-of-ours'

let service: TestService
let till: Till
let rewind: () => Promise<void>
// The busier the process, the longer it pauses between answers: on a busy machine, some questions would wait for too long.
const busyness = vi.spyOn(performance, 'eventLoopUtilization')
beforeAll(async () => {
  busyness.mockReturnValue({ idle: 1, active: 0, utilization: 0 })
  service = await startTestService()
  till = openTill(service)
  rewind = await keepRows(service)
})
afterEach(() => rewind())
afterAll(() => {
  busyness.mockRestore()
  return service.close()
})

async function addAccount(id: string, fields: Record<string, string> = {}) {
  await service.send('POST /merchant-accounts', { id, display_name: id })
  return till.addService(fields, { account: id })
}

/** Payments of all kinds. */
async function payAll(account: string): Promise<void> {
  const options = { account }
  await till.pay({ amount: 100, metadata: { channel: 'web', shop: 'a' } }, options)
  await till.pay({ amount: 200, country: 'NL', payment_source: 'moto' }, options)
  await till.pay({ amount: 300, currency: 'EUR', intent: 'capture', metadata: {} }, options)
  await till.pay({ amount: DECLINED, country: null }, options)
  await till.pay({ amount: 400, payment_method: { ...CARD, number: '5555555555554444' } }, options)
  const proof = {
    cavv: 'AJkBAycVKQAAAAJZQFF3dAAAAAA=',
    eci: '05',
    version: '2.2.0',
    directory_response: 'Y',
    authentication_response: 'Y',
    directory_transaction_id: 'c4e59ceb-a382-4d6a-bc87-385d591fa09d',
  }
  await till.pay({ amount: 500, three_d_secure_data: proof }, options)
}

const START = () => service.context.clock().toISOString()

/** Answers about an account: every module, every source and metric, and some filters. */
async function askAll(account: string, from: string): Promise<Record<string, unknown>> {
  service.moveClock(MINUTE_MS)
  const range = `datetime_range=${from}/P1D`
  const paths = SOURCES.flatMap((source) =>
    METRICS.map((metric) => `${source}/metrics/${metric}/totals?${range}&currency=USD`),
  )
  paths.push(...MODULES.map((module) => `authorization/metrics/transactions/modules/${module}?${range}`))
  paths.push(...MODULES.map((module) => `authentication/metrics/auth_rate/modules/${module}?${range}`))
  const filtered = ['metadata=%7B%22channel%22:%22web%22%7D', 'country=%00', 'payment_method_bin=411111']
  paths.push(...filtered.map((filter) => `authorization/metrics/transactions/totals?${range}&${filter}`))
  const answers: Record<string, unknown> = {}
  for (const path of paths) {
    const response = await service.send(`GET /metrics-explorer/${path}`, undefined, { account })
    expect(response.statusCode, response.body).toBe(200)
    answers[path] = response.json()
  }
  return answers
}

async function count(account: string, from: string): Promise<Record<string, number>> {
  service.moveClock(MINUTE_MS)
  const path = `authorization/metrics/volume/modules/authorized?datetime_range=${from}/P1D&currency=USD`
  const entries = (await service.send(`GET /metrics-explorer/${path}`, undefined, { account })).json()
  return Object.fromEntries(entries.map(({ key, value }: { key: string; value: number }) => [key, value]))
}

async function stored(account: string) {
  const { rows } = await sql<{ facts: number; pending: number }>`
    select (select count(*)::int from payment_facts where merchant_account_id = ${account}) as facts,
      (select count(*)::int from payment_facts_pending where merchant_account_id = ${account}) as pending
  `.execute(service.context.db)
  return rows[0]
}

/** Whether a request waits for rows of another transaction. */
async function waitsForLock(): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
  `.execute(service.context.db)
  return rows.length > 0
}

const fill = (step?: number) => fillFacts(service.context, RUNNING, step)

describe('facts', () => {
  test('give the same answers as the payments themselves: all, some, and none of them written', async () => {
    await addAccount('equal')
    const from = START()
    await payAll('equal')
    const raw = await askAll('equal', from)
    service.moveClock(SETTLED_MS)

    await inTransaction(service.context, (tx) =>
      facts.fillNext(tx, 'equal', { before: service.context.clock(), limit: 3 }),
    )
    const half = await askAll('equal', from)
    const some = await stored('equal')
    await fill()
    const whole = await askAll('equal', from)

    expect(half).toEqual(raw)
    expect(whole).toEqual(raw)
    expect([some, await stored('equal')]).toEqual([
      { facts: 3, pending: 0 },
      { facts: 6, pending: 0 },
    ])
  })

  test('are what the answers come from', async () => {
    await addAccount('read')
    const from = START()
    await till.pay({ amount: 100 }, { account: 'read' })
    service.moveClock(SETTLED_MS)
    await fill()

    await sql`update payment_facts set amount = 101 where merchant_account_id = 'read'`.execute(
      service.context.db,
    )

    expect(await count('read', from)).toEqual({ true: 101 })
  })

  test('leave payments alone that are younger than a quarter of an hour', async () => {
    await addAccount('young')
    const from = START()
    await till.pay({ amount: 100 }, { account: 'young' })

    await fill()

    expect(await stored('young')).toEqual({ facts: 0, pending: 0 })
    expect(await count('young', from)).toEqual({ true: 100 })
  })

  test('are written once by several workers, in small steps, and after a crash in the middle', async () => {
    await addAccount('workers')
    const from = START()
    for (let paid = 0; paid < 12; paid += 1) await till.pay({ amount: 10 }, { account: 'workers' })
    service.moveClock(SETTLED_MS)
    const crashed = inTransaction(service.context, async (tx) => {
      await facts.fillNext(tx, 'workers', { before: service.context.clock(), limit: 5 })
      throw new Error('crash')
    })
    await expect(crashed).rejects.toThrow('crash')
    expect(await stored('workers')).toEqual({ facts: 0, pending: 0 })

    await Promise.all(Array.from({ length: 4 }, () => fill(5)))
    await fill(5)

    expect(await stored('workers')).toEqual({ facts: 12, pending: 0 })
    expect(await count('workers', from)).toEqual({ true: 120 })
  })
})

describe('an account whose facts cannot be written', () => {
  afterEach(async () => {
    await sql`drop function refuse_facts cascade`.execute(service.context.db)
  })

  /** The database refuses the facts of one account, as a broken row would. */
  async function refuseFacts(condition: string, errcode: string): Promise<void> {
    await sql`
      create function refuse_facts() returns trigger language plpgsql as $$
      begin
        if ${sql.raw(condition)} then raise exception 'refused' using errcode = ${sql.lit(errcode)}; end if;
        return null;
      end $$`.execute(service.context.db)
    for (const event of ['insert', 'update']) {
      await sql`
        create trigger ${sql.raw(`refuse_${event}`)} after ${sql.raw(event)} on payment_facts
        referencing new table as added for each statement execute function refuse_facts()`.execute(
        service.context.db,
      )
    }
  }

  test('holds up no other account, neither with new facts nor with pending ones', async () => {
    await addAccount('broken')
    await addAccount('sound')
    const ids: Record<string, string> = {}
    for (const account of ['broken', 'sound']) {
      ids[account] = (await till.pay({ amount: 100 }, { account })).id
    }
    service.moveClock(SETTLED_MS)
    await fill()
    for (const account of ['broken', 'sound']) {
      await service.send(`PUT /transactions/${ids[account]}`, { amount: 110 }, { account })
      await till.pay({ amount: 100 }, { account })
    }
    service.moveClock(SETTLED_MS)
    await refuseFacts(`exists (select from added where merchant_account_id = 'broken')`, '23514')

    await expect(fill()).rejects.toThrow('2 things failed')

    expect(await stored('broken')).toEqual({ facts: 1, pending: 1 })
    expect(await stored('sound')).toEqual({ facts: 2, pending: 0 })
  })

  test('is written in smaller steps after a statement that took too long', async () => {
    await addAccount('slow')
    for (let paid = 0; paid < 5; paid += 1) await till.pay({ amount: 10 }, { account: 'slow' })
    service.moveClock(SETTLED_MS)
    await refuseFacts(`(select count(*) from added) > 2`, '57014')

    await fill(8)

    expect(await stored('slow')).toEqual({ facts: 5, pending: 0 })
  })
})

describe('a payment that changes after the job came by', () => {
  test('counts once it is decided', async () => {
    const { webhook_url } = await addAccount('late', { asynchronous: 'true', webhook_secret: SECRET })
    const from = START()
    const paid = await till.pay({ amount: 100, intent: 'capture' }, { account: 'late' })
    service.moveClock(SETTLED_MS)
    await fill()
    const waiting = [await stored('late'), await count('late', from)]

    const { payment_service_transaction_id } = paid
    const message = { event: 'capture.succeeded', payment_service_transaction_id }
    const told = await till.notify({ webhook_url }, message, SECRET)
    expect(told.statusCode, told.body).toBe(204)
    const decided = await count('late', from)
    await fill()

    expect(waiting).toEqual([{ facts: 0, pending: 1 }, {}])
    expect(decided).toEqual({ true: 100 })
    expect(await stored('late')).toEqual({ facts: 1, pending: 0 })
    expect(await count('late', from)).toEqual({ true: 100 })
  })

  test('is written again after a correction, and not after a capture or a refund', async () => {
    await addAccount('corrected')
    const options = { account: 'corrected' }
    const from = START()
    const { id } = await till.pay({ amount: 100 }, options)
    service.moveClock(SETTLED_MS)
    await fill()

    await till.act(id, 'capture', {}, options)
    await till.act(id, 'refunds', { amount: 50 }, options)
    const usual = await stored('corrected')
    const corrected = await service.send(
      `PUT /transactions/${id}`,
      { amount: 150, metadata: { a: 'b' } },
      options,
    )
    expect(corrected.statusCode, corrected.body).toBe(200)
    const noted = [await stored('corrected'), await count('corrected', from)]
    await fill()

    expect(usual).toEqual({ facts: 1, pending: 0 })
    expect(noted).toEqual([{ facts: 1, pending: 1 }, { true: 150 }])
    expect(await stored('corrected')).toEqual({ facts: 1, pending: 0 })
    expect(await count('corrected', from)).toEqual({ true: 150 })
  })

  test('is written again when its decision is corrected', async () => {
    await addAccount('decided')
    const options = { account: 'decided' }
    const from = START()
    const { id } = await till.pay({ amount: DECLINED }, options)
    service.moveClock(SETTLED_MS)
    await fill()
    expect(await count('decided', from)).toEqual({ false: DECLINED })

    const status = 'authorization_succeeded'
    const answer = await service.send(
      `PUT /transactions/${id}`,
      { status, authorized_amount: DECLINED },
      options,
    )
    expect(answer.statusCode, answer.body).toBe(200)

    expect(await count('decided', from)).toEqual({ true: DECLINED })
    await fill()
    expect(await count('decided', from)).toEqual({ true: DECLINED })
  })

  test('is not lost if it changes while the job writes it', async () => {
    await addAccount('race')
    const options = { account: 'race' }
    const from = START()
    const { id } = await till.pay({ amount: 100 }, options)
    service.moveClock(SETTLED_MS)
    await fill()
    await service.send(`PUT /transactions/${id}`, { amount: 110 }, options)

    let change: Promise<unknown> = Promise.resolve()
    await inTransaction(service.context, async (tx) => {
      await facts.writePending(tx, 'race', 10)
      // It waits for this transaction, and then notes the payment again.
      change = service.send(`PUT /transactions/${id}`, { amount: 120 }, options)
      await expect.poll(waitsForLock).toBe(true)
    })
    await change

    expect(await stored('race')).toEqual({ facts: 1, pending: 1 })
    expect(await count('race', from)).toEqual({ true: 120 })
    await fill()
    expect(await count('race', from)).toEqual({ true: 120 })
  })
})

test('a payment that is recorded long after its id was made is noted', async () => {
  const at = service.context.clock().getTime()
  const key = (age: number) => {
    const time = (at - age).toString(16).padStart(12, '0')
    return { merchant_account_id: 'noted', id: `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000001` }
  }

  for (const age of [MINUTE_MS, SETTLED_MS]) {
    await inTransaction(service.context, (tx) => noteLate(tx, key(age)))
  }

  expect(await stored('noted')).toEqual({ facts: 0, pending: 1 })
})

test('a payment that is being recorded while the clock of a sandbox jumps is not passed over', async () => {
  const sandbox = await startTestService({ hasSandboxClock: true })
  try {
    const scope = { ...sandbox.context, merchantAccountId: 'default' }
    const { id } = await openTill(sandbox).pay({ amount: 100 })
    const paid = await transactions.find(scope, id)
    if (!paid) throw new Error('the payment is gone')
    const { document, ...row } = paid
    await advance(sandbox, { by: 'PT1H' })
    const at = sandbox.context.clock()

    await inTransaction(scope, async (tx) => {
      await writeByHand(tx.db)
      await transactions.insert(tx, { ...row, id: newId(at.getTime()) }, document)
      await sql`update sandbox_clock set offset_ms = offset_ms + 86400000`.execute(sandbox.context.db)
      await sandbox.context.clock.catchUp?.()
      await fillFacts(sandbox.context, RUNNING)
    })

    const path = 'authorization/metrics/volume/modules/authorized'
    const range = `${new Date(at.getTime() - 2 * 3_600_000).toISOString()}/P1D`
    const answer = await sandbox.send(`GET /metrics-explorer/${path}?datetime_range=${range}&currency=USD`)
    expect(answer.json()).toEqual([expect.objectContaining({ key: 'true', value: 200 })])
  } finally {
    await sandbox.close()
  }
})

test('the job says when the next payment is old enough', async () => {
  await fill()
  service.moveClock(SETTLED_MS)
  await fill()
  const idle = await nextFill(service.context)
  await till.pay({ amount: 100 })
  const at = await nextFill(service.context)
  const waitMs = (at?.getTime() ?? 0) - service.context.clock().getTime()
  service.moveClock(waitMs)
  await fill()

  expect(idle).toBeNull()
  expect(waitMs).toBeGreaterThan(SETTLED_MS - MINUTE_MS)
  expect(at && at.getTime() % 3_600_000).toBe(0)
  expect(await nextFill(service.context)).toBeNull()
})
