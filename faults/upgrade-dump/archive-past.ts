import type { Place } from '../keyed-request.ts'
import { advance } from './advance.ts'
import { orderOf, type Shop } from './fill.ts'

/** Longer than payments have to rest before they can be archived. */
const LONG_AGO = 'P215D'
const CARD = { method: 'card', number: '4111111111111111', expiration_date: '12/40', security_code: '123' }

/** Payments that were over long ago. `run` is a command of the service. */
export async function archivePast(
  shop: Shop,
  place: Place,
  run: (...args: readonly string[]) => void,
): Promise<void> {
  const buyer = await shop.make(
    '/buyers',
    { external_identifier: 'early', display_name: 'Early' },
    'own-cards',
  )
  for (const order of ['early-1', 'early-2']) {
    const payment = { ...orderOf(order), payment_method: CARD, buyer_id: buyer.id, intent: 'capture' }
    await shop.make('/transactions', payment, 'own-cards')
  }
  const { now } = await advance(place, LONG_AGO)
  run('archive', '--before', now.slice(0, 'YYYY-MM'.length))
}
