import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { disagreements } from '#testing/books.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { holdProcessorLine, type ProcessorLine } from '#testing/processor-line.ts'
import { CARD, openTill, orderPayout, type Till } from '#testing/till.ts'

const MINUTE_MS = 60_000

let service: TestService
let till: Till
let line: ProcessorLine
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  line = holdProcessorLine(service)
})
afterEach(async () => {
  vi.restoreAllMocks()
  line.repair()
  expect(await disagreements(service.database.pool)).toEqual([])
})
afterAll(() => service.close())

const fault = (kind: string) => ({ connection_options: { 'mock-card': { fault: { on: 'payout', kind } } } })
const read = async (id: string) => (await service.send(`GET /payouts/${id}`)).json()
const send = (body: object, options = {}) => orderPayout(service, body, options)
const statusOf = async (id: string) => {
  const found = await sql<{ status: string }>`select status from payouts where id = ${id}`.execute(
    service.context.db,
  )
  return found.rows[0]?.status
}
const keyed = () => ({ headers: { 'idempotency-key': crypto.randomUUID() } })
async function resolveLater(minutes = 2) {
  service.moveClock(minutes * MINUTE_MS)
  await service.resolveDue()
}

describe('an answer that is lost', () => {
  test.each([
    ['lose-answer', 'succeeded'],
    ['garbage', 'succeeded'],
    ['unreachable', 'failed'],
    ['twice', 'succeeded'],
  ])('%s: the job finds the outcome', async (kind, status) => {
    const payout = await till.payOut(fault(kind))

    await resolveLater()

    expect(payout.status).toBe(kind === 'twice' ? 'succeeded' : 'pending')
    expect(await read(payout.id)).toMatchObject({ status })
    const told = kind === 'twice' ? ['payout.succeeded'] : ['payout.pending', `payout.${status}`]
    expect(await till.told(payout.id)).toEqual(told)
  })

  test('is inquired about, and a payout that still waits shows its id at the service', async () => {
    const later = await till.addService({ asynchronous: 'true' })
    const payout = await till.payOut({ payment_service_id: later.id, ...fault('lose-answer') })

    await resolveLater()

    const waiting = await read(payout.id)
    const { payment_service_payout_id } = waiting
    await till.notify(later, { payment_service_payout_id, event: 'payout.succeeded' })

    expect(payout).toMatchObject({ status: 'pending', payment_service_payout_id: null })
    expect(waiting).toMatchObject({ status: 'pending', payment_service_payout_id: expect.any(String) })
    expect(await till.told(payout.id)).toEqual(['payout.pending', 'payout.succeeded'])
  })

  test('is audited by the job that found it', async () => {
    const payout = await till.payOut(fault('lose-answer'))

    await resolveLater()

    expect(await till.audited(payout.id)).toEqual(['created by Test key', 'updated by test'])
  })

  test('a payout that arrives late is refused if we were told that it never arrived', async () => {
    const payout = await line.waitingOnly(50, () => till.payOut(fault('late')))

    await resolveLater()
    await line.letArrive()

    expect(payout.status).toBe('pending')
    expect(await read(payout.id)).toMatchObject({ status: 'failed' })
  })
})

test('a payout that the job decides while its answer is on the way is answered as decided', async () => {
  line.intercept(async (go, url) => {
    const response = await go()
    if (!url.endsWith('/payouts')) return response
    line.repair()
    await resolveLater()
    return response
  })

  const payout = await till.payOut()

  expect(payout.status).toBe('succeeded')
  expect(await read(payout.id)).toEqual(payout)
  expect(await till.told(payout.id)).toEqual(['payout.succeeded'])
  expect(await till.audited(payout.id)).toEqual(['created by Test key', 'updated by test'])
})

describe('a process that dies', () => {
  test('before the payout is sent: it fails, because the card is not kept', async () => {
    const options = keyed()
    line.intercept(() => new Promise(() => {}))
    const first = await line.waitingOnly(50, () => send({ external_identifier: 'died' }, options))
    line.repair()

    await resolveLater()

    expect(first.json().status).toBe('pending')
    expect(await read(first.json().id)).toMatchObject({ status: 'failed' })
    expect(await till.told(first.json().id)).toEqual(['payout.pending', 'payout.failed'])
  })

  test('between the two commits: a retry with the key gets the outcome, and pays nothing', async () => {
    const options = keyed()
    await sql`create function fail_once() returns trigger language plpgsql as $$
      begin if new.state <> 'sent' then raise exception 'the process died'; end if; return new; end $$`.execute(
      service.context.db,
    )
    await sql`create trigger fail_once before update on attempts for each row execute function fail_once()`.execute(
      service.context.db,
    )
    const first = await send({ external_identifier: 'half' }, options)
    await sql`drop trigger fail_once on attempts`.execute(service.context.db)

    service.moveClock(2 * MINUTE_MS)
    const again = await send({ external_identifier: 'half' }, options)

    expect(first.statusCode).toBe(500)
    expect(again.statusCode, again.body).toBe(201)
    expect(again.json().status).toBe('succeeded')
    const { rows } = await sql`select id from payouts where external_identifier = 'half'`.execute(
      service.context.db,
    )
    expect(rows).toEqual([{ id: again.json().id }])
  })
})

describe('what is deleted meanwhile', () => {
  test('the service: its open payout is still resolved', async () => {
    const { id } = await till.addService({ webhook_secret: 'canary' })
    const payout = await till.payOut({ payment_service_id: id, ...fault('lose-answer') })

    await service.send(`DELETE /payment-services/${id}`)
    await resolveLater()

    expect(await read(payout.id)).toMatchObject({ status: 'succeeded', payment_service: { id } })
  })

  test('the stored card of an open payout', async () => {
    const { id } = (await service.send('POST /payment-methods', CARD)).json()
    const payout = await till.payOut({ payment_method: { id }, ...fault('lose-answer') })

    await service.send(`DELETE /payment-methods/${id}`)
    await resolveLater()

    expect(await read(payout.id)).toMatchObject({ status: 'succeeded', payment_method: { id } })
  })

  test('the stored card, before it is opened: nothing is sent', async () => {
    const { id } = (await service.send('POST /payment-methods', CARD)).json()
    const { vault } = service
    const reveal = vault.reveal.bind(vault)
    vi.spyOn(vault, 'reveal').mockImplementationOnce(async (...given: Parameters<typeof reveal>) => {
      await service.send(`DELETE /payment-methods/${id}`)
      return reveal(...given)
    })

    const payout = await till.payOut({ payment_method: { id } })

    expect(payout.status).toBe('failed')
    expect(await till.told(payout.id)).toEqual(['payout.failed'])
  })
})

// The last test: the tokens of the tests expire in an hour.
test('a payout stays pending while the processor cannot be asked, however long that lasts', async () => {
  const payout = await till.payOut(fault('lose-answer'))
  line.intercept(async () => {
    throw new TypeError('fetch failed')
  })

  const seen: unknown[] = []
  for (const minutes of [2, 6, 61, 24 * 60 + 1]) {
    await resolveLater(minutes)
    seen.push(await statusOf(payout.id))
  }
  line.repair()
  await resolveLater(24 * 60 + 1)

  expect(seen).toEqual(['pending', 'pending', 'pending', 'pending'])
  expect(await statusOf(payout.id)).toBe('succeeded')
  expect(await till.told(payout.id)).toEqual(['payout.pending', 'payout.succeeded'])
})
