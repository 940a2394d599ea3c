import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Lanes } from './lanes.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const enter = (lanes: Lanes, count: number) => Array.from({ length: count }, () => lanes.enter('one'))
const roomOf = (lanes: Lanes) => lanes.openings().narrow.get('one')

test('five begin at a time, and each that ends makes room', () => {
  const lanes = new Lanes()
  const [leave] = enter(lanes, 5)

  const full = roomOf(lanes)
  leave?.('delivered')

  expect([full, roomOf(lanes)]).toEqual([0, 1])
})

test('those that wait for an answer make room for the next, up to fifty', () => {
  const lanes = new Lanes()
  const rooms: (number | undefined)[] = []

  for (let turn = 0; turn < 10; turn += 1) {
    enter(lanes, 5)
    vi.advanceTimersByTime(100)
    rooms.push(roomOf(lanes))
  }

  expect(rooms).toEqual([5, 5, 5, 5, 5, 5, 5, 5, 5, 0])
  expect(lanes.openings().limit).toBe(200)
})

test('after five timeouts in a row there is one lane, until one is answered', () => {
  const lanes = new Lanes()
  for (const leave of enter(lanes, 5)) leave('timed_out')

  const alone = roomOf(lanes)
  const [leave] = enter(lanes, 1)
  const busy = roomOf(lanes)
  leave?.('refused')

  expect([alone, busy]).toEqual([1, 0])
  expect(lanes.openings().narrow.size).toBe(0)
})

test('a subscription that was full tells when it has room again, and only then', async () => {
  const lanes = new Lanes()
  const [first, second] = enter(lanes, 5)
  const opened = vi.fn()
  void lanes.opening().then(opened)

  await Promise.resolve()
  const whileFull = opened.mock.calls.length
  first?.('delivered')
  const again = vi.fn()
  void lanes.opening().then(again)
  second?.('delivered')
  await Promise.resolve()

  expect([whileFull, opened.mock.calls.length, again.mock.calls.length]).toEqual([0, 1, 0])
})

test('a subscription whose deliveries wait for answers tells that more can begin', async () => {
  const lanes = new Lanes()
  enter(lanes, 5)
  const opened = vi.fn()
  void lanes.opening().then(opened)

  await vi.advanceTimersByTimeAsync(100)

  expect(opened).toHaveBeenCalledOnce()
})
