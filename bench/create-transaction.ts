import { againstFloor } from './against-floor.ts'
import { PAYMENT } from './payment.ts'

export const createTransaction = againstFloor({
  name: 'create-transaction',
  title: 'Paying',
  thing: 'payment',
  path: '/transactions',
  bodyOf: async () => PAYMENT,
  ratioMin: 0.8,
  rateMin: 250,
  p99MaxMs: 50,
  walKilobytesMax: 9,
  commitsMax: 4,
})
