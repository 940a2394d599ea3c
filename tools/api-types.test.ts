import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { apiTypes, FILE } from './api-types.ts'

test('the pages know the API as it is', () => {
  const isCurrent = readFileSync(FILE, 'utf8') === apiTypes()

  expect(isCurrent, `run: node tools/api-types.ts, which writes ${FILE}`).toBe(true)
})
