import { againstFloor } from './against-floor.ts'

export const storeCard = againstFloor({
  name: 'store-card',
  title: 'Storing a card',
  thing: 'card',
  path: '/payment-methods',
  bodyOf: async () => ({
    method: 'card',
    number: '4111111111111111',
    expiration_date: '12/30',
    security_code: '123',
  }),
  ratioMin: 0.5,
})
