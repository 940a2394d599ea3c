import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import type { Engine } from '#processing/engine.ts'
import { requestComplaints } from './check-request.ts'
import { createPayout } from './create.ts'
import { listPayouts } from './list.ts'
import { Payout, PayoutCreate, PayoutFilters, Payouts } from './schemas.ts'
import { showPayout, toPayout } from './show.ts'

const TAG = 'Payouts'

export function payoutRoutes({ engine }: { readonly engine: Engine }): Operation[] {
  return [
    operation({
      id: 'list_payouts',
      route: 'GET /payouts',
      tag: TAG,
      summary: 'List payouts',
      description: 'Newest first. Lists the payouts that match all filters.',
      scope: 'payouts.read',
      concerns: 'merchant-account',
      isList: true,
      query: PayoutFilters,
      responses: { 200: Payouts },
      handler: async ({ context, reach, query }) => {
        const page = await listPayouts(context, reach, query)
        return { ...page, items: page.items.map((payout) => toPayout(payout, payout.service)) }
      },
    }),

    operation({
      id: 'create_payout',
      route: 'POST /payouts',
      tag: TAG,
      summary: 'Create payout',
      description:
        'Sends money to a card, by its number or stored. A declined or failed payout is answered with 201, too: see `status`. ' +
        'The events `payout.declined` and `payout.failed` tell why. A payout stays `pending` while its outcome is not known. ' +
        'Send an idempotency key, so that a retry does not pay out twice.',
      scope: 'payouts.write',
      concerns: 'merchant-account',
      needsFreshProof: true,
      body: PayoutCreate,
      check: ({ body }, about) => requestComplaints(body, about),
      responses: { 201: Payout },
      handler: (call) => createPayout(scopeOf(call), call.once, engine, call.body),
    }),

    operation({
      id: 'get_payout',
      route: 'GET /payouts/:payout_id',
      tag: TAG,
      summary: 'Get payout',
      scope: 'payouts.read',
      concerns: 'merchant-account',
      params: Strict({ payout_id: Uuid() }),
      responses: { 200: Payout },
      handler: (call) => showPayout(scopeOf(call), call.params.payout_id),
    }),
  ]
}
