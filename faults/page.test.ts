import { expect, test } from 'vitest'
import { page } from './page.ts'
import { runShortForm } from './short-form.ts'

test('a page does not decide what its token or its session says', async () => {
  const { broken } = await runShortForm(page)

  expect(broken).toEqual([])
}, 240_000)
