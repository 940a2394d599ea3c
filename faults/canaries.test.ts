import { expect, test } from 'vitest'
import { hatchCanaries } from './canaries.ts'

const canaries = hatchCanaries(1)
const { number } = canaries.card()
const prefix = number.slice(0, 10)

test('a number is found wherever it stands, whole or in part', () => {
  expect(canaries.found(`paid with ${number}`)).toContain(prefix)
  expect(canaries.found(`paid with ${prefix}…`)).toContain(prefix)
  expect(canaries.found(Buffer.from(number).toString('base64')).length).toBeGreaterThan(0)
})

test('in a file of a database, digits of two values side by side are no number', () => {
  const [shown, others] = [prefix.slice(0, 6), prefix.slice(6)]

  expect(canaries.foundInFile(`bin${shown}${others}a0`)).toEqual([])
  expect(canaries.foundInFile(`bin${shown}${others}00000`)).toEqual([])
  expect(canaries.foundInFile(`\u0000${number}\u0000`)).toContain(prefix)
  expect(canaries.foundInFile(Buffer.from(number).toString('hex')).length).toBeGreaterThan(0)
})
