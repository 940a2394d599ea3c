import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import { collectExport } from './collect.ts'
import { BuyerExport, EXPORTED_MAX } from './schemas.ts'

export function buyerExportRoutes(): Operation[] {
  return [
    operation({
      id: 'export_buyer',
      route: 'GET /buyers/:buyer_id/export',
      tag: 'Buyers',
      summary: 'Export buyer',
      description: `Everything that is known of a buyer, as one document to hand over: the buyer, shipping details, stored payment methods and gift cards, payouts, payment links, and up to ${EXPORTED_MAX} payments. A signed-in user must have proved within the last ten minutes who they are.`,
      scope: 'personal-data.read',
      concerns: 'merchant-account',
      needsFreshProof: true,
      params: Strict({ buyer_id: Uuid() }),
      responses: { 200: BuyerExport },
      handler: (call) => collectExport(scopeOf(call), call.params.buyer_id),
    }),
  ]
}
