import { expect, test } from 'vitest'
import { readRuns, writeRuns } from './kept-decision.ts'

test.each([
  [[], ''],
  [[0], '0'],
  [[5, 5, 5], '5x3'],
  [[0, -1, -1, 12, 0], '0,-1x2,12,0'],
  [new Array<number>(500).fill(29), '29x500'],
])('%j is written as a short text, and read again', (numbers, text) => {
  expect(writeRuns(numbers)).toBe(text)
  expect(readRuns(text)).toEqual(numbers)
})
