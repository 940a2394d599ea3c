import { errors } from '#platform/http/errors.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import { eraseBuyer } from './create.ts'
import { BuyerErasure } from './schemas.ts'
import { toErasure } from './show.ts'
import * as erasures from './store.ts'

const Path = Strict({ buyer_id: Uuid() })
const TAG = 'Buyers'

export function buyerErasureRoutes(): Operation[] {
  return [
    operation({
      id: 'erase_buyer',
      route: 'POST /buyers/:buyer_id/erasure',
      tag: TAG,
      summary: 'Erase buyer',
      description:
        'Deletes the buyer, its shipping details, stored payment methods and gift cards, and takes everything personal out of its payments, events, webhook deliveries, exchanges, payouts, payment links and report files. Amounts, times and references stay. It cannot be undone. A buyer with an open payment or a pending payout is refused. A repeated request gets the first erasure. A signed-in user must have proved within the last ten minutes who they are.',
      scope: 'personal-data.write',
      concerns: 'merchant-account',
      needsFreshProof: true,
      params: Path,
      responses: { 202: BuyerErasure },
      handler: (call) => eraseBuyer(scopeOf(call), call.once, call.params.buyer_id),
    }),

    operation({
      id: 'get_buyer_erasure',
      route: 'GET /buyers/:buyer_id/erasure',
      tag: TAG,
      summary: 'Get buyer erasure',
      description: 'How far the erasure of a buyer is. It stays, as a proof.',
      scope: 'personal-data.read',
      concerns: 'merchant-account',
      params: Path,
      responses: { 200: BuyerErasure },
      handler: async (call) => {
        const erasure = await erasures.find(scopeOf(call), call.params.buyer_id)
        if (!erasure) throw errors.notFound()
        return toErasure(erasure)
      },
    }),
  ]
}
