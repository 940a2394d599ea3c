import { expect, test } from 'vitest'
import { runShortForm } from './short-form.ts'
import { webhooks } from './webhooks.ts'

test('every event arrives, however often workers are killed and the receiver fails', async () => {
  const { broken, did, found } = await runShortForm(webhooks)

  expect(broken).toEqual([])
  expect(did['workers killed']).toBe(2)
  expect(found['events taken by the receiver']).toBe(did['events'])
}, 300_000)
