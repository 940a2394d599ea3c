import { expect, test } from 'vitest'
import { positionsAfter } from './order.ts'

const placed = (...positions: number[]) =>
  positions.map((position, index) => ({ id: 'abcdef'.charAt(index), position }))

test.each([
  ['to the top: one position', placed(1, 2, 3), ['b', -1], { b: 0 }],
  ['to the end: one position', placed(1, 2, 3), ['b', 1], { b: 4 }],
  ['into a gap: one position', placed(1, 5, 9, 12), ['d', -1], { d: 6 }],
  ['between neighbours: those that change places', placed(1, 2, 3, 4), ['c', -1], { c: 2, b: 3 }],
  ['among equals: all that have no number of their own', placed(7, 7, 7), ['c', -1], { a: 1, c: 2, b: 3 }],
  ['beyond the top: none', placed(1, 2), ['a', -1], {}],
  ['beyond the end: none', placed(1, 2), ['b', 1], {}],
] as const)('a service moves %s', (_name, services, [id, step], expected) => {
  const changes = positionsAfter(services, id, step)

  expect(Object.fromEntries(changes.map((one) => [one.id, one.position]))).toEqual(expected)
  const after = services.map((one) => changes.find((change) => change.id === one.id) ?? one)
  const before = services.map((one) => one.id)
  const order = after.toSorted((a, b) => a.position - b.position).map((one) => one.id)
  const at = before.indexOf(id)
  const isPossible = at + step >= 0 && at + step < before.length
  expect(order).toEqual(isPossible ? before.toSpliced(at, 1).toSpliced(at + step, 0, id) : before)
})
