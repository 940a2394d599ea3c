import { expect, test } from 'vitest'
import { overload } from './overload.ts'
import { runShortForm } from './short-form.ts'

test('an overloaded service refuses requests with the time to retry', async () => {
  const { broken, acknowledged } = await runShortForm(overload)

  expect(broken).toEqual([])
  expect(acknowledged['turned away during the flood']).toBeGreaterThan(0)
}, 240_000)
