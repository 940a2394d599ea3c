import { CARD } from '../lab/card.ts'

/** The body of each payment. */
export const PAYMENT = {
  amount: 1299,
  currency: 'USD',
  country: 'US',
  metadata: { order: '4711' },
  payment_method: { ...CARD, expiration_date: '12/30' },
}
