/** The body of each payment. */
export const PAYMENT = {
  amount: 1299,
  currency: 'USD',
  country: 'US',
  metadata: { order: '4711' },
  payment_method: {
    method: 'card',
    number: '4111111111111111',
    expiration_date: '12/30',
    security_code: '123',
  },
}
