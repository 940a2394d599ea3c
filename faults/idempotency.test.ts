import { expect, test } from 'vitest'
import { idempotency } from './idempotency.ts'
import { runShortForm } from './short-form.ts'

test('of many identical calls to two processes one is carried out', async () => {
  const { broken, did, found } = await runShortForm(idempotency)

  expect(broken).toEqual([])
  expect(found['executions at the processor']).toBeLessThanOrEqual(did['keys'] ?? 0)
}, 240_000)
