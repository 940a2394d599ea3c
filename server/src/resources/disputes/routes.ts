import { orNotFound } from '#platform/http/errors.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { Dispute, DisputeFilters, Disputes, toDispute } from './schemas.ts'
import * as disputes from './store.ts'

const READING = { tag: 'Disputes', scope: 'transactions.read', concerns: 'merchant-account' } as const

/** What payment services tell of disputes, from the first question of a bank to the decision. */
export const disputeRoutes: readonly Operation[] = [
  operation({
    ...READING,
    id: 'list_disputes',
    route: 'GET /disputes',
    summary: 'List disputes',
    description:
      'Disputes of all transactions of the merchant account, newest first: each with its stage, its deadline and its steps.',
    query: DisputeFilters,
    responses: { 200: Disputes },
    handler: async (call) => {
      const { stage, transaction_id, ...page } = call.query
      const found = await disputes.list(scopeOf(call), { stage, transaction_id }, page)
      return { ...found, items: found.items.map(toDispute) }
    },
  }),

  operation({
    ...READING,
    id: 'get_dispute',
    route: 'GET /disputes/:dispute_id',
    summary: 'Get dispute',
    responses: { 200: Dispute },
    handler: async (call) =>
      toDispute(orNotFound(await disputes.find(scopeOf(call), call.params.dispute_id))),
  }),
]
