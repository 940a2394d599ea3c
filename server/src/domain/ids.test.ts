import { expect, test } from 'vitest'
import { idMaker, newId } from './ids.ts'

test('is a UUIDv7 that tells its time', () => {
  const at = Date.UTC(2040, 0, 1)
  const id = newId(at)

  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(at)
})

test('ids of one process are in order, also within a millisecond', () => {
  const ids = Array.from({ length: 20_000 }, () => newId())

  expect(ids.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
})

test('a clock that is ahead does not affect the ids of another clock', () => {
  const now = Date.UTC(2040, 0, 1)
  const [ofRows, ofRequests] = [idMaker(), idMaker()]
  ofRequests(now + 3_600_000)

  const id = ofRows(now)

  expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(now)
})

test('a clock that was far ahead and is set right makes ids of the right time again', () => {
  const make = idMaker()
  const now = Date.UTC(2040, 0, 1)
  const timeOf = (id: string) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
  make(now + 86_400_000)
  const [later, corrected] = [make(now), make(now - 60_000)]

  expect([timeOf(later), timeOf(corrected)]).toEqual([now, now])
  expect(later < corrected).toBe(true)
})
