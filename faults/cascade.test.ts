import { expect, test } from 'vitest'
import { cascade } from './cascade.ts'
import { runShortForms } from './short-form.ts'

test('no payment is charged by two services or tried against advice, with each pair of providers', async () => {
  const outcomes = await runShortForms(cascade)

  expect(outcomes.flatMap(({ broken }) => broken)).toEqual([])
  expect(outcomes).toHaveLength(2)
}, 240_000)
