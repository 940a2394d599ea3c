import { expect, test } from 'vitest'
import { database } from './database.ts'
import { runShortForm } from './short-form.ts'

test('nothing is lost or done twice, and the process stays up, whatever happens to the database', async () => {
  const { broken, did, acknowledged } = await runShortForm(database)

  expect(broken).toEqual([])
  expect(did['restarts']).toBeGreaterThan(0)
  expect(did['serialization failures']).toBeGreaterThan(0)
  expect(acknowledged['sums compared']).toBeGreaterThan(0)
}, 240_000)
