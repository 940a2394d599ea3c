import { expect, test } from 'vitest'
import { runShortForm } from './short-form.ts'
import { unknownOutcomes } from './unknown.ts'

test('a charge or payout whose answer is lost is neither reported failed nor made twice', async () => {
  const { broken, acknowledged } = await runShortForm(unknownOutcomes)

  expect(broken).toEqual([])
  expect(acknowledged['answered processing']).toBeGreaterThan(0)
  expect(acknowledged['payout answered pending']).toBeGreaterThan(0)
}, 240_000)
