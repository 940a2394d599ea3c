import { send } from '../lab/product.ts'
import { againstFloor } from './against-floor.ts'
import { PAYMENT } from './payment.ts'

export const createPayout = againstFloor({
  name: 'create-payout',
  title: 'Paying out',
  thing: 'payout',
  path: '/payouts',
  ratioMin: 0.5,
  bodyOf: async (place) => {
    const { items } = (await (await send(place, 'GET /payment-services')).json()) as {
      items: { id: string }[]
    }
    const { security_code: _, ...payment_method } = PAYMENT.payment_method
    const { amount, currency } = PAYMENT
    return { amount, currency, payment_method, payment_service_id: items[0]?.id }
  },
})
