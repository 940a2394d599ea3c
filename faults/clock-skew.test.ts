import { expect, test } from 'vitest'
import { clockSkew } from './clock-skew.ts'
import { runShortForm } from './short-form.ts'

test('no payment fails and no event arrives twice when the clocks of three processes differ', async () => {
  const { broken, did, acknowledged } = await runShortForm(clockSkew)

  expect(broken).toEqual([])
  expect(acknowledged['payments that succeeded']).toBe(did['payments'])
}, 240_000)
