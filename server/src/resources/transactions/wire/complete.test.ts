import { expect, test } from 'vitest'
import { complaintsAbout } from '#platform/http/validation.ts'
import { complete } from './complete.ts'
import { Airline, CartItem, GuestBuyer, NewAirline, NewCartItem, NewGuestBuyer } from './order.ts'

test.each([
  {
    name: 'a cart item',
    asked: NewCartItem,
    answered: CartItem,
    given: { name: 'Bag', quantity: 2, unit_amount: 1299 },
  },
  {
    name: 'an airline, its legs and its passengers',
    asked: NewAirline,
    answered: Airline,
    given: { booking_code: 'X36Q9C', legs: [{ departure_airport: 'LHR' }], passengers: [{}] },
  },
  {
    name: 'a guest with an address',
    asked: NewGuestBuyer,
    answered: GuestBuyer,
    given: { billing_details: { address: { city: 'London' } }, shipping_details: {} },
  },
])('shows every field of $name', ({ asked, answered, given }) => {
  expect(complaintsAbout('body', asked, given)).toEqual([])

  const shown = complete(answered, given)

  expect(complaintsAbout('body', answered, shown)).toEqual([])
  expect(shown).toMatchObject(given)
})

test('fills constants, and shows nothing that the answer does not name', () => {
  const shown = complete(GuestBuyer, { display_name: 'John', billing_details: {}, pin: '1234' })

  expect(shown.billing_details?.type).toBe('billing-details')
  expect(shown.account_number).toBeNull()
  expect(shown).not.toHaveProperty('pin')
})
