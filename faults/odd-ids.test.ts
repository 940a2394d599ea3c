import { expect, test } from 'vitest'
import { oddIds } from './odd-ids.ts'
import { runShortForm } from './short-form.ts'

test('no odd id, deep body or guessed session gets a 5xx or leaves a row', async () => {
  const { broken, did } = await runShortForm(oddIds)

  expect(broken).toEqual([])
  expect(did['ids']).toBeGreaterThan(100)
  expect(did['bodies']).toBeGreaterThan(100)
}, 240_000)
