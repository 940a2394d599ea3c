import { expect, test } from 'vitest'
import { generatedInput } from './generated-input.ts'
import { runShortForm } from './short-form.ts'

test('no generated request gets a 5xx or an answer that is not documented', async () => {
  const { broken, did, acknowledged } = await runShortForm(generatedInput)

  expect(broken).toEqual([])
  expect(did['valid requests']).toBeGreaterThan(100)
  expect(did['requests with a broken body']).toBeGreaterThan(50)
  expect(acknowledged['200']).toBeGreaterThan(50)
}, 600_000)
