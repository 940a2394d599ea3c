import type { Secrets } from '#platform/access/secrets.ts'
import { errors } from '#platform/http/errors.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import { billingComplaints } from './check-details.ts'
import { listBuyers } from './list.ts'
import { createBuyer, deleteBuyer, updateBuyer } from './save.ts'
import { Buyer, BuyerFilters, Buyers, CreateBuyer, UpdateBuyer } from './schemas.ts'
import * as buyers from './store.ts'

const Path = Strict({ buyer_id: Uuid() })
const TAG = 'Buyers'

export function buyerRoutes({ secrets }: { readonly secrets: Secrets }): Operation[] {
  return [
    operation({
      id: 'list_buyers',
      route: 'GET /buyers',
      tag: TAG,
      summary: 'List buyers',
      description: 'The buyers of the selected merchant accounts, newest first.',
      scope: 'buyers.read',
      concerns: 'merchant-account',
      isList: true,
      query: BuyerFilters,
      responses: { 200: Buyers },
      handler: ({ context, reach, query }) => listBuyers(context, secrets, reach, query),
    }),

    operation({
      id: 'add_buyer',
      route: 'POST /buyers',
      tag: TAG,
      summary: 'Create buyer',
      scope: 'buyers.write',
      concerns: 'merchant-account',
      body: CreateBuyer,
      check: ({ body }) => billingComplaints('/billing_details', body.billing_details),
      responses: { 201: Buyer },
      handler: (call) => createBuyer(scopeOf(call), call.once, call.body),
    }),

    operation({
      id: 'get_buyer',
      route: 'GET /buyers/:buyer_id',
      tag: TAG,
      summary: 'Get buyer',
      scope: 'buyers.read',
      concerns: 'merchant-account',
      params: Path,
      responses: { 200: Buyer },
      handler: async (call) => {
        const buyer = await buyers.find(scopeOf(call), call.params.buyer_id)
        if (!buyer) throw errors.notFound()
        return buyer
      },
    }),

    operation({
      id: 'update_buyer',
      route: 'PUT /buyers/:buyer_id',
      tag: TAG,
      summary: 'Update buyer',
      description:
        'Fields that are left out stay as they are; null clears a field. Billing details are replaced as a whole.',
      scope: 'buyers.write',
      concerns: 'merchant-account',
      params: Path,
      body: UpdateBuyer,
      check: ({ body }) => billingComplaints('/billing_details', body.billing_details),
      responses: { 200: Buyer },
      handler: (call) => updateBuyer(scopeOf(call), call.params.buyer_id, call.body),
    }),

    operation({
      id: 'delete_buyer',
      route: 'DELETE /buyers/:buyer_id',
      tag: TAG,
      summary: 'Delete buyer',
      description:
        'Deletes the buyer and its shipping details. Payment methods and gift cards stay, without a buyer.',
      scope: 'buyers.write',
      concerns: 'merchant-account',
      params: Path,
      responses: { 204: null },
      handler: (call) => deleteBuyer(scopeOf(call), call.params.buyer_id),
    }),
  ]
}
