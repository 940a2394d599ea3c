import { expect, test } from 'vitest'
import { overload } from './overload.ts'
import { runShortForm } from './short-form.ts'

test('who asks for more than can be done is turned away, and told when to come back', async () => {
  const { broken, acknowledged } = await runShortForm(overload)

  expect(broken).toEqual([])
  expect(acknowledged['turned away during the flood']).toBeGreaterThan(0)
}, 240_000)
