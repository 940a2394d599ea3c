import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { until } from '#testing/receiver.ts'
import { followDatabaseClock } from './database-clock.ts'

const TOLERANCE_MS = 5_000

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())
afterEach(() => void vi.restoreAllMocks())

const machine = Date.now

function setMachine(aheadMs: number): void {
  vi.spyOn(Date, 'now').mockImplementation(() => machine() + aheadMs)
}

type Pool = Pick<pg.Pool, 'connect' | 'ending'>

async function follow({ connect }: Pick<Pool, 'connect'> = service.database.pool) {
  const pool = { connect: connect.bind(service.database.pool), ending: false }
  const lines: string[] = []
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line).msg) })
  const clock = await followDatabaseClock({ pool: pool as Pool, logger, everyMs: 5 })
  onTestFinished(() => {
    pool.ending = true
  })
  return { clock, lines }
}

/** A database whose clock the test sets, and that may answer slowly. */
function databaseAt(clock: { aheadMs: number; slowMs?: number; asked?: number }): Pick<Pool, 'connect'> {
  const query = async () => {
    clock.asked = (clock.asked ?? 0) + 1
    const ms = machine() + clock.aheadMs
    await sleep(clock.slowMs ?? 0)
    return { rows: [{ ms: String(ms) }] }
  }
  return { connect: async () => ({ query, release: () => {} }) } as unknown as Pool
}

test.each([20_000, -90_000])(
  "tells the database's time where the machine's clock is off by %i ms",
  async (ms) => {
    setMachine(ms)
    const { clock } = await follow()

    expect(Math.abs(clock.now().getTime() - machine())).toBeLessThan(TOLERANCE_MS)
    expect(Math.abs(clock.differenceMs() - ms)).toBeLessThan(TOLERANCE_MS)
  },
)

test("does not move when the machine's clock jumps", async () => {
  const { clock } = await follow()

  setMachine(3_600_000)

  expect(Math.abs(clock.now().getTime() - machine())).toBeLessThan(TOLERANCE_MS)
})

test("follows the database's clock when that is set", async () => {
  const database = { aheadMs: 0 }
  const { clock } = await follow(databaseAt(database))

  database.aheadMs = 60_000

  await until(() => clock.now().getTime() - machine() > 60_000 - TOLERANCE_MS)
})

test('does not go back for a small correction', async () => {
  const database = { aheadMs: 0, asked: 0 }
  const { clock } = await follow(databaseAt(database))
  const times = [clock.now().getTime()]
  database.aheadMs = -400
  const { asked } = database
  while (database.asked < asked + 5) {
    times.push(clock.now().getTime())
    await sleep(1)
  }

  expect(times).toEqual(times.toSorted((one, other) => one - other))
  await until(async () => Math.abs(clock.now().getTime() - (machine() - 400)) < 100)
})

test('is not moved by an answer that took long', async () => {
  const database = { aheadMs: 0, slowMs: 0, asked: 0 }
  const { clock } = await follow(databaseAt(database))
  const before = clock.differenceMs()

  database.slowMs = 1_000
  const asked = database.asked
  await until(() => database.asked > asked + 1)

  // A guess in the middle would be wrong by half of the time that the answer took.
  expect(Math.abs(clock.differenceMs() - before)).toBeLessThan(450)
})

test('goes on while the database is away', async () => {
  let isAway = false
  const goAway = () => (isAway ? Promise.reject(new Error('away')) : service.database.pool.connect())
  const { clock } = await follow({ connect: goAway as Pool['connect'] })

  isAway = true
  const before = clock.now().getTime()
  await sleep(50)

  expect(clock.now().getTime()).toBeGreaterThan(before)
})

test('asks the database once for requests that come together, and each sees a move from before it', async () => {
  const database = { offsetMs: 0, asked: 0 }
  const query = async () => {
    database.asked += 1
    const row = { ms: String(machine()), offset_ms: String(database.offsetMs), is_moved: true }
    await sleep(20)
    return { rows: [row] }
  }
  const pool = { connect: async () => ({ query, release: () => {} }), ending: false } as unknown as pg.Pool
  const logger = pino({ level: 'silent' })
  const { now } = await followDatabaseClock({ pool, logger, everyMs: 3_600_000, isMovable: true })
  onTestFinished(() => void Object.assign(pool, { ending: true }))
  const before = database.asked

  const first = now.catchUp?.()
  database.offsetMs = 60_000
  await Promise.all([first, ...Array.from({ length: 300 }, () => now.catchUp?.())])

  expect(now().getTime() - machine()).toBeGreaterThan(60_000 - TOLERANCE_MS)
  // The clock measures by itself, too, while it is moved.
  expect(database.asked - before).toBeLessThan(10)
})

test('warns once when the clocks differ by more than 5 seconds, and says when they agree again', async () => {
  setMachine(4_000)
  const { clock, lines } = await follow()
  expect(clock.warning()).toBeUndefined()

  setMachine(20_000)
  await until(() => lines.length > 0)
  await sleep(50)
  expect(lines).toEqual(["The clock of this machine is 20 s ahead of the database's. Set both by NTP."])
  expect(clock.warning()).toBe(lines[0])

  setMachine(0)
  await until(() => lines.length > 1)
  expect(lines[1]).toBe("The clock of this machine agrees with the database's again.")
  expect(clock.warning()).toBeUndefined()
})
