import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#domain/ids.ts'
import { inTransaction, type Scope } from '#platform/database/db.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { byHand } from '#testing/model/guard.ts'
import { closing, conclude, type Effects, refusal } from './conclude.ts'
import { type Kinds, type Resolve, resolveDue } from './resolve-due.ts'
import * as attempts from './store.ts'

let service: TestService
let scope: Scope
beforeAll(async () => {
  service = await startTestService()
  scope = { ...service.context, merchantAccountId: 'default' }
})
afterAll(() => service.close())

/** Queues this many attempts for an invented service. */
function queue(count: number, serviceId = newId(scope.clock().getTime())): Promise<attempts.Attempt[]> {
  return inTransaction(scope, async (tx) => {
    const asked = { kind: 'issue', service_id: serviceId, amount: 0 } as const
    const queued: attempts.Attempt[] = []
    for (let made = 0; made < count; made += 1) queued.push(await attempts.queue(tx, asked, tx.clock()))
    return queued
  })
}

const close: Resolve = (own, _engine, attempt) =>
  inTransaction(own, (tx) => attempts.change(tx, attempt, closing(refusal('service_error'))))
const resolveBy = (resolve: Resolve) => {
  const kinds = { issue: resolve } as unknown as Kinds
  return resolveDue(service.context, service.engine, kinds)
}
const countOpen = async (all: readonly attempts.Attempt[]) => {
  const now = await Promise.all(all.map(({ id }) => attempts.find(scope, id)))
  return now.filter((attempt) => attempt?.due_at !== null).length
}

test('while one service does not answer, all rounds of another are done', async () => {
  const [slow, busy] = [await queue(3), await queue(40)]
  const gate = Promise.withResolvers<void>()
  const slowId = slow[0]?.service_id

  const run = resolveBy(async (own, engine, attempt) => {
    if (attempt.service_id === slowId) await gate.promise
    await close(own, engine, attempt)
  })
  await expect.poll(() => countOpen(busy)).toBe(0)
  const isSlowOpen = await countOpen(slow)
  gate.resolve()
  await run

  expect(isSlowOpen).toBe(3)
  expect(await countOpen(slow)).toBe(0)
})

test('an attempt that is not answered takes one place of its service, and is not taken again', async () => {
  const [silent, ...others] = await queue(20)
  const gate = Promise.withResolvers<void>()
  const asked: (string | undefined)[] = []

  const run = resolveBy(async (own, engine, attempt) => {
    asked.push(attempt.id)
    if (attempt.id === silent?.id) {
      // As if its lease were over.
      await byHand(scope.db, sql`update attempts set due_at = ${scope.clock()} where id = ${attempt.id}`)
      await gate.promise
    }
    await close(own, engine, attempt)
  })
  await expect.poll(() => countOpen(others)).toBe(0)
  gate.resolve()
  await run

  expect(asked.filter((id) => id === silent?.id)).toHaveLength(1)
  expect(asked).toHaveLength(20)
})

test('no more than eight attempts of a service are under way at once', async () => {
  const all = await queue(30)
  let [now, most] = [0, 0]

  await resolveBy(async (own, engine, attempt) => {
    now += 1
    most = Math.max(most, now)
    await close(own, engine, attempt)
    now -= 1
  })

  expect(await countOpen(all)).toBe(0)
  expect(most).toBe(8)
})

test('an attempt that cannot be resolved does not stop the others, and the turn fails', async () => {
  const all = await queue(5)

  const run = resolveBy(async (own, engine, attempt) => {
    if (attempt.id === all[0]?.id) throw new Error('broken')
    await close(own, engine, attempt)
  })

  await expect(run).rejects.toThrow('broken')
  expect(await countOpen(all)).toBe(1)
})

test('a process leaves kinds that it does not know to others, and resolves the rest of their service', async () => {
  const known = await queue(2)
  const [serviceId] = known.map(({ service_id }) => service_id)
  const unknown = await inTransaction(scope, (tx) =>
    attempts.queue(tx, { kind: 'payout', service_id: serviceId ?? '', amount: 1 }, tx.clock()),
  )

  await resolveBy(close)

  expect(await countOpen(known)).toBe(0)
  expect(await attempts.find(scope, unknown.id)).toEqual(unknown)
  await inTransaction(scope, (tx) => attempts.change(tx, unknown, closing(refusal('service_error'))))
})

test('two processes take different attempts', async () => {
  const all = await queue(40)
  const taken: string[] = []
  const note: Resolve = async (own, engine, attempt) => {
    taken.push(attempt.id)
    await close(own, engine, attempt)
  }

  await Promise.all([resolveBy(note), resolveBy(note)])

  expect(taken).toHaveLength(40)
  expect(new Set(taken)).toEqual(new Set(all.map(({ id }) => id)))
})

test('an attempt is concluded once, by the first of two answers', async () => {
  const [attempt] = await queue(1)
  if (!attempt) throw new Error('there is no attempt')
  const heard: string[] = []
  const effects: Effects<null, ReturnType<typeof refusal>> = {
    decide: async () => {
      heard.push('decided')
      return null
    },
    hearAgain: async () => {
      heard.push('heard again')
      return null
    },
  }
  const bring = () =>
    inTransaction(scope, async (tx) => {
      const held = await attempts.lock(tx, attempt.id)
      if (!held) throw new Error('there is no attempt')
      const answer = refusal('service_error')
      return conclude(tx, service.engine, effects, { subject: null, attempt: held, answer })
    })

  const both = await Promise.all([bring(), bring()])

  expect(heard).toEqual(['decided', 'heard again'])
  expect(both.filter(({ isNews }) => isNews)).toHaveLength(1)
})
