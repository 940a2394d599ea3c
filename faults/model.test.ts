import { expect, test } from 'vitest'
import { model } from './model.ts'
import { runShortForm } from './short-form.ts'

test('payments and payouts are what a model of the documentation says, step by step and at once', async () => {
  const { broken, did, acknowledged } = await runShortForm(model)

  expect(broken).toEqual([])
  expect(did['captures']).toBeGreaterThan(0)
  expect(did['payouts']).toBeGreaterThan(0)
  expect(acknowledged['201']).toBeGreaterThan(0)
}, 240_000)
