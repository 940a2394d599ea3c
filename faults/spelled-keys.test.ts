import { expect, test } from 'vitest'
import { runShortForm } from './short-form.ts'
import { spelledKeys } from './spelled-keys.ts'

test('one key is carried out once, however it is spelled, and pages have keys of their own', async () => {
  const { broken, acknowledged } = await runShortForm(spelledKeys)

  expect(broken).toEqual([])
  expect(acknowledged['replays of other spellings']).toBeGreaterThan(0)
}, 240_000)
