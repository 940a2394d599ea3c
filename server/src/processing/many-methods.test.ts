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

test('a thousand rows cost two looks at each at the start, and work only for those that are asked for', () => {
  let looks = 0
  let dressed = 0
  const watched = many.map((connector) => ({
    ...connector,
    get manifest() {
      looks += 1
      return connector.manifest
    },
    // Nothing but the guard of its answers reads it.
    get authorize() {
      dressed += 1
      return connector.authorize
    },
  }))
  const registry = offeredIn('production', watched)
  const [looksAtStart, dressedAtStart] = [looks, dressed]
  const ids = Array.from({ length: 100 }, (_, index) => `many-${index * 7}`)
  const found = ids.map((id) => registry.find(id))
  const dressedForThem = dressed
  const again = ids.map((id) => registry.find(id))

  // Whether it is offered, and its id.
  expect(looksAtStart).toBe(MANY * 2)
  expect(dressedAtStart).toBe(0)
  expect(found.map((one) => one?.manifest.id)).toEqual(ids)
  expect(again).toEqual(found)
  expect(dressed).toBe(dressedForThem)
  expect(dressedForThem).toBeLessThanOrEqual(ids.length * 3)
  expect(registry.find('many-1001')).toBeUndefined()
  expect(registry.list).toHaveLength(MANY)
  expect(registry.list[7]).toBe(found[1])
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
