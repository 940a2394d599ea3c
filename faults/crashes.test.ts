import { expect, test } from 'vitest'
import { crashes } from './crashes.ts'
import { runShortForm } from './short-form.ts'

test('a payment, a refund, a payout and tokens are finished, and done once, wherever the process dies', async () => {
  const { broken, did } = await runShortForm(crashes)

  expect(broken).toEqual([])
  expect(did['deaths']).toBeGreaterThan(0)
}, 240_000)
