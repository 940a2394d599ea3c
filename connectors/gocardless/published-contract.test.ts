import { expect, test } from 'vitest'
import { describeGenerated } from '#testing/generated-orders.ts'
import { goCardlessConnectors } from './connectors.ts'
import { PAYMENT_STATUSES, REFUND_STATUSES } from './mapping.ts'
import contract from './testing/contract.json' with { type: 'json' }
import { goCardlessContract } from './testing/published-contract.ts'
import { openShop } from './testing/shop.ts'

test('every status that GoCardless lists has a meaning', () => {
  const { '0/Payment': payment, '0/Refund': refund } = contract.schemas

  expect(new Set(Object.keys(PAYMENT_STATUSES))).toEqual(new Set(payment.properties.status.enum))
  expect(new Set(Object.keys(REFUND_STATUSES))).toEqual(new Set(refund.properties.status.enum))
})

for (const connector of goCardlessConnectors) {
  const { link, decide } = openShop()
  describeGenerated(connector, {
    watch: goCardlessContract.watch,
    instruments: [],
    decide: (answer, decision) => decide(answer, decision === 'approve' ? 'approve' : 'cancel'),
    open: () => link,
  })
}
