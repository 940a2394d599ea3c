import { expect, test } from 'vitest'
import { cardData } from './card-data.ts'
import { runShortForm } from './short-form.ts'

test('card data is found nowhere but in the vault, and stays usable while its keys change', async () => {
  const { broken, found, did } = await runShortForm(cardData)

  expect(broken).toEqual([])
  expect(found['rows searched']).toBeGreaterThan(200)
  expect(found['lines of log searched']).toBeGreaterThan(100)
  expect(did['payments while keys were changed']).toBeGreaterThan(0)
}, 240_000)
