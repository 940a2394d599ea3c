import { expect, test } from 'vitest'
import type { Scope } from '#platform/db.ts'
import { Answers } from './answers.ts'

const scope = { merchantAccountId: 'default', clock: () => new Date() } as Scope

test('a question that fails before it is asked fails alone', async () => {
  const answers = new Answers(1)
  const failing = answers.find(scope, 'bad', () => {
    throw new Error('no answer')
  })
  const good = answers.find(scope, 'good', async () => 42)

  await expect(failing).rejects.toThrow('no answer')
  expect(await good).toBe(42)
})
