import { expect, test } from 'vitest'
import { runShortForms } from './short-form.ts'
import { unknownOutcomes } from './unknown.ts'

test('a charge or payout whose answer is lost is neither reported failed nor made twice, with each provider', async () => {
  const outcomes = await runShortForms(unknownOutcomes)

  expect(outcomes.flatMap(({ broken }) => broken)).toEqual([])
  expect(outcomes).toHaveLength(3)
  for (const { acknowledged } of outcomes) expect(acknowledged['answered processing']).toBeGreaterThan(0)
  expect(outcomes[0]?.acknowledged['payout answered pending']).toBeGreaterThan(0)
}, 240_000)
