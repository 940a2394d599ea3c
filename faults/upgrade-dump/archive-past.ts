import { addLinks } from '#testing/audit-links.ts'
import { CARD } from '../../lab/card.ts'
import type { Place } from '../../lab/product.ts'
import { advance } from './advance.ts'
import { orderOf, type Shop } from './fill.ts'

/** Longer than payments have to rest before they can be archived. */
const LONG_AGO = 'P215D'

/** More links than stay in the database. */
const LINKS = 120

type Commands = {
  readonly env: Record<string, string>
  /** Runs a command of the service. */
  readonly run: (...args: readonly string[]) => void
}

/** Payments that were over long ago, and an audit log whose beginning is in a file. */
export async function archivePast(shop: Shop, place: Place, { env, run }: Commands): Promise<void> {
  const buyer = await shop.make(
    '/buyers',
    { external_identifier: 'early', display_name: 'Early' },
    'own-cards',
  )
  for (const order of ['early-1', 'early-2']) {
    const payment = { ...orderOf(order), payment_method: CARD, buyer_id: buyer.id, intent: 'capture' }
    await shop.make('/transactions', payment, 'own-cards')
  }
  await addLinks(env, LINKS)
  const { now } = await advance(place, LONG_AGO)
  const month = now.slice(0, 'YYYY-MM'.length)
  run('archive', '--before', month)
  run('archive', 'audit-log', '--before', month)
}
