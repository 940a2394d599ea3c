import { afterAll, expect, test } from 'vitest'
import { describeConnector } from '#connectors/contract/suite.ts'
import { payPal, payPalCard } from './connectors.ts'
import { type Checks, openBench } from './testing/bench.ts'

const checks: Checks = { folder: process.env['PROVIDER_CONTRACTS'], contracts: [] }

describeConnector(payPal, () => openBench(payPal, checks))
describeConnector(payPalCard, () => openBench(payPalCard, checks))

afterAll(() => {
  for (const contract of checks.contracts) {
    if (!contract) continue
    expect(contract.violations).toEqual([])
    // biome-ignore lint/suspicious/noConsole: the counts are for the person who runs it with the contracts
    console.log(`published contracts: ${JSON.stringify(contract.counts)}`)
  }
})

test.skipIf(checks.folder)(
  'is not checked by the published contracts: PROVIDER_CONTRACTS names no folder',
  () => {
    expect(checks.contracts.filter(Boolean)).toEqual([])
  },
)
