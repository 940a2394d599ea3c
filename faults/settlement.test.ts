import { expect, test } from 'vitest'
import { settlement } from './settlement.ts'
import { runShortForm } from './short-form.ts'

test('money that arrives counts once, however often the worker is killed while it reads files', async () => {
  const { broken, did, found } = await runShortForm(settlement)

  expect(broken).toEqual([])
  expect(did['kills']).toBeGreaterThan(0)
  expect(found['files']).toBeGreaterThan(0)
  expect(found['lines that fit a payment']).toBeGreaterThan(0)
}, 400_000)
