import { expect, test } from 'vitest'
import { mollieConnectors } from '#connectors/mollie/connectors.ts'
import { startTestService } from '#testing/harness.ts'
import { openTill } from '#testing/till.ts'
import { offeredIn } from './service-accounts/registry.ts'

/** As many as all providers of the world might have. */
const MANY = 1_000

/** The rows of a table, over and over, each under a name of its own. */
const many = Array.from({ length: MANY }, (_, index) => {
  const row = mollieConnectors[index % mollieConnectors.length] as (typeof mollieConnectors)[number]
  return { ...row, manifest: { ...row.manifest, id: `many-${index}` } }
})

test('a thousand rows are found by their names, without a walk over the others', () => {
  let reads = 0
  const watched = many.map((connector) => ({
    ...connector,
    get manifest() {
      reads += 1
      return connector.manifest
    },
  }))
  const registry = offeredIn('production', watched)
  const atStart = reads
  const found = Array.from({ length: 100 }, (_, index) => registry.find(`many-${index * 7}`))

  expect(found.every((one) => one !== undefined)).toBe(true)
  expect(reads).toBe(atStart)
  // Each row is looked at a few times when the service starts, and is not compared with the others.
  expect(atStart).toBeLessThanOrEqual(MANY * 6)
})

test('a payment never walks over the connectors, however many there are', async () => {
  const service = await startTestService()
  const till = openTill(service)
  const { connectors } = service.providers
  const { list } = connectors
  let walks = 0
  Object.defineProperty(connectors, 'list', {
    get: () => {
      walks += 1
      return list
    },
  })
  const paid = await till.pay({ intent: 'authorize' })
  await till.act(paid.id, 'capture', {})
  await till.act(paid.id, 'refunds', { amount: 100 })
  const { refunded_amount } = await till.get(paid.id)
  await service.close()

  expect(refunded_amount).toBe(100)
  expect(walks).toBe(0)
})
