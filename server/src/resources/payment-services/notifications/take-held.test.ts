import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Notification, Outcome } from '#connectors/contract/connector.ts'
import type { Context } from '#platform/database/db.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { addTellerService, approvedAs, Teller, tell } from '#testing/teller.ts'
import { openTill, type Till } from '#testing/till.ts'
import { JOBS } from '../../../app.ts'
import * as held from './held/store.ts'
import type { Takers } from './take.ts'
import { heldNotificationJob } from './take-held.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

let teller: Teller
let service: TestService
let till: Till
let cards: { readonly id: string; readonly webhook_url: string }
let logged: string[] = []
beforeAll(async () => {
  teller = new Teller()
  service = await startTestService({ connectors: teller.connectors })
  till = openTill(service)
  cards = await addTellerService(service, 'teller-card')
})
afterAll(() => service.close())
beforeEach(() => {
  logged = []
})

const job = JOBS.find(({ name }) => name === 'take-held-notifications')
const logger = pino({ level: 'warn' }, { write: (line) => logged.push(line) })
async function run(own: unknown = job, context: Context = service.context): Promise<void> {
  const { engine } = service
  await (own as ReturnType<typeof heldNotificationJob>).run(
    { context, engine, logger },
    new AbortController().signal,
  )
}
const nothing = async () => false
const KNOWING_NOTHING: Takers = {
  payment: nothing,
  payout: nothing,
  dispute: nothing,
  lateFailure: nothing,
  approval: nothing,
  report: nothing,
}
const heldNow = async () => (await held.count(service.context)).held

function authorized(reference: string): Outcome {
  return { about: 'authorization', reference, answer: approvedAs(reference) }
}

test('takes a notification that overtook the answer with its reference', async () => {
  teller.authorize = async ({ attemptId }) => {
    await tell(service, cards, [authorized(`psp ${attemptId}`)])
    return { outcome: 'pending', reference: `psp ${attemptId}`, facts: {} }
  }
  const { id, status } = await till.pay({ payment_service_id: cards.id })
  expect([status, await heldNow()]).toEqual(['processing', 1])

  service.moveClock(1_000)
  await run()

  expect(await till.get(id)).toMatchObject({ status: 'authorization_succeeded', authorized_amount: 1000 })
  expect(await heldNow()).toBe(0)
  expect(await till.audited(id)).toEqual(['created by Test key', 'updated by Payment service'])
  expect(await job?.nextDueAt?.(service as never)).toBeNull()
})

test('looks again after one second, then after twice as long each time, and gives up after thirty days', async () => {
  await tell(service, cards, [authorized('of another shop')])
  // A clock that stands still, because turns take time.
  let time = service.context.clock().getTime() + 60_000
  const context = { ...service.context, clock: () => new Date(time) }
  await run(job, context)

  const waits: number[] = []
  for (let turn = 0; turn < 18; turn += 1) {
    const dueAt = (await job?.nextDueAt?.({ context } as never))?.getTime() ?? Number.NaN
    waits.push((dueAt - time) / 1_000)
    time = dueAt
    await run(job, context)
  }
  expect(waits.slice(0, 6)).toEqual([1, 2, 4, 8, 16, 32])
  expect(waits.at(-1)).toBe((6 * HOUR_MS) / 1_000)
  expect([await heldNow(), logged]).toEqual([1, []])

  time += 30 * DAY_MS
  await run(job, context)

  expect(await heldNow()).toBe(0)
  expect(logged).toHaveLength(1)
  expect(JSON.parse(logged[0] ?? '')).toMatchObject({
    paymentService: cards.id,
    about: 'authorization',
    reference: 'of another shop',
    msg: expect.stringContaining('look the reference up at the provider'),
  })
})

test('keeps no token that an approval carries', async () => {
  const answer = { ...approvedAs('with a token'), token: { value: 'tok_secret', label: null } }
  await tell(service, cards, [
    { about: 'authorization', reference: 'with a token', answer } as unknown as Notification,
  ])

  const { oldest } = await held.count(service.context)

  expect(oldest?.told).toContain('with a token')
  expect(oldest?.told).not.toContain('tok_secret')
  await held.end(service.context, oldest?.id ?? '', 'expired')
})

test('holds a limited number for each service, the newest', async () => {
  for (const reference of ['first', 'second', 'third', 'fourth']) {
    await tell(service, cards, [authorized(reference)])
  }

  await run(heldNotificationJob(KNOWING_NOTHING, 3))

  expect(await heldNow()).toBe(3)
  expect((await held.count(service.context)).oldest?.told).toContain('second')
  expect(logged).toHaveLength(1)
})

test('a notification that cannot be taken holds up no other, and is tried again', async () => {
  teller.authorize = async ({ attemptId }) => ({ outcome: 'pending', reference: attemptId, facts: {} })
  await tell(service, cards, [authorized('broken'), authorized('sound')])
  const arrived: unknown[] = []
  const payment = async (_scope: unknown, _engine: unknown, _id: string, { reference }: Outcome) => {
    arrived.push(reference)
    if (reference === 'broken') throw new Error('cannot be taken')
    return reference === 'sound'
  }
  service.moveClock(DAY_MS)

  const failing = heldNotificationJob({ ...KNOWING_NOTHING, payment })
  await expect(run(failing)).rejects.toThrow('cannot be taken')

  expect(arrived).toEqual(expect.arrayContaining(['broken', 'sound']))
  const left = await service.context.db.selectFrom('held_notifications').select(['told', 'status']).execute()
  const statusOf = (reference: string) => left.find(({ told }) => told.includes(reference))?.status
  expect([statusOf('broken'), statusOf('sound')]).toEqual(['held', 'matched'])
})
