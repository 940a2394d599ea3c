import { expect, test } from 'vitest'
import { runShortForm } from './short-form.ts'
import { stalledReceiver } from './stalled-receiver.ts'

test('one endpoint that stalls holds up no other, and failures follow the documented schedule', async () => {
  const { broken, found, did } = await runShortForm(stalledReceiver)

  expect(broken).toEqual([])
  expect(found['deliveries at the others']).toBeGreaterThan(0)
  expect(did['attempts by the schedule']).toBeGreaterThan(13)
}, 240_000)
