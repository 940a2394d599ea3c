import { expect, test } from 'vitest'
import { complaintsAbout } from '#platform/http/validation.ts'
import { giftCardBalanceRoutes } from './routes.ts'

const cards = (count: number) => ({
  items: Array.from({ length: count }, (_, index) => ({
    number: `41234555412345612${10 + index}`,
    pin: '01000',
  })),
})

test.each([
  [{ giftCardBalancesMax: 2 }, 2],
  [{ giftCardBalancesMax: 25 }, 25],
  [{}, 10],
])('with %j, %d cards can be asked about at once', (settings, most) => {
  const [operation] = giftCardBalanceRoutes(settings as never)
  const body = operation?.body
  if (!body) throw new Error('the operation has no body')

  expect(complaintsAbout('body', body, cards(most))).toEqual([])
  expect(complaintsAbout('body', body, cards(most + 1))).toMatchObject([
    { type: 'value_error.list.max_items' },
  ])
})
