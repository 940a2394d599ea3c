import { expect, test } from 'vitest'
import { describeGenerated } from '#testing/generated-orders.ts'
import { mollieConnectors } from './connectors.ts'
import { METHODS } from './methods.ts'
import contract from './testing/contract.json' with { type: 'json' }
import { mollieContract } from './testing/published-contract.ts'
import { openShop } from './testing/shop.ts'

test('every row is a method that Mollie has', () => {
  const listed: readonly (string | null)[] = contract.schemas['0/method'].enum

  expect(METHODS.filter(({ type }) => !listed.includes(type))).toEqual([])
})

for (const connector of mollieConnectors) {
  const { link, decide } = openShop()
  describeGenerated(connector, {
    watch: mollieContract.watch,
    instruments: [],
    isBuyerKnown: METHODS.some((row) => row.method === connector.manifest.method && row.asks),
    decide,
    open: () => link,
  })
}
