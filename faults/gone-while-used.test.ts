import { expect, test } from 'vitest'
import { goneWhileUsed } from './gone-while-used.ts'
import { runShortForm } from './short-form.ts'

test('no request fails when what it uses is deleted meanwhile', async () => {
  const { broken } = await runShortForm(goneWhileUsed)

  expect(broken).toEqual([])
}, 240_000)
