import { expect, test } from 'vitest'
import { outgoing } from './outgoing.ts'
import { runShortForm } from './short-form.ts'

test('no request goes into the network of the service, whatever a URL looks like and wherever a name leads', async () => {
  const { broken, did, found } = await runShortForm(outgoing)

  expect(broken).toEqual([])
  expect(did['hostile URLs']).toBeGreaterThanOrEqual(60)
  expect(found['connections at the canary']).toBe(0)
  expect(found['requests at the harmless address']).toBe(1)
}, 180_000)
