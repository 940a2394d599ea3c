import { expect, test } from 'vitest'
import { estimateOf, movesOf } from './estimate.ts'
import { emptyTally } from './tally.ts'

test('compares the same payments before and after, where a service is known for one scheme alone', () => {
  const tally = {
    ...emptyTally(),
    observed: { 'visa|new': { payments: 200, approved: 184 } },
    moves: {
      'visa|old|new': { payments: 1_000, approved: 900 },
      'mastercard|old|new': { payments: 500, approved: 450 },
    },
  }

  const moves = movesOf(tally)

  expect(moves).toMatchObject([{ from: 'old', to: 'new', payments: 1_500, approved: 1_350, unknown: 500 }])
  expect(estimateOf(moves, tally)).toMatchObject({
    payments: 1_000,
    approved_before: 900,
    approved_after: 920,
    unknown: 500,
  })
})
