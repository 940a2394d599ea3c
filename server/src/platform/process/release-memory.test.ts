import { memoryUsage } from 'node:process'
import { expect, test } from 'vitest'
import { releaseMemory } from './release-memory.ts'

test('what nothing refers to is given back, and no program can collect garbage afterwards', () => {
  let garbage = Array.from({ length: 400_000 }, (_none, at) => ({ at, text: `text ${at}` }))
  const before = memoryUsage().heapTotal
  expect(garbage).toHaveLength(400_000)
  garbage = []
  releaseMemory()

  expect(before - memoryUsage().heapTotal).toBeGreaterThan(20_000_000)
  expect(globalThis.gc).toBeUndefined()
})
