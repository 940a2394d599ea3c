import { expect, test } from 'vitest'
import { goneWhileUsed } from './gone-while-used.ts'
import { runShortForm } from './short-form.ts'

test('what is deleted while it is used is no fault', async () => {
  const { broken } = await runShortForm(goneWhileUsed)

  expect(broken).toEqual([])
}, 240_000)
