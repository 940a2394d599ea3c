import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import type { Providers } from '#processing/provider.ts'
import { Attention } from './schemas.ts'
import { showAttention } from './show.ts'

export function attentionRoutes({ providers }: { readonly providers: Providers }): Operation[] {
  return [
    operation({
      id: 'get_attention',
      route: 'GET /attention',
      tag: 'Attention',
      summary: 'Get attention',
      description:
        'What needs a person in a merchant account, each with a count of up to 100, the time of the oldest, and the list that shows them: ' +
        'payments that wait for a review, payments that are `processing` for more than 5 minutes, attempts whose outcome no provider can ' +
        'tell any more, chargebacks that can still be answered and were not, open incidents, events that a webhook subscription did not take, findings of page checks, certificates that expire ' +
        'within 30 days, payment services that are unverified or disabled, API keys that were not used for 90 days, and settlement reports that cannot be read or fit no payment.',
      scope: 'attention.read',
      concerns: 'merchant-account',
      responses: { 200: Attention },
      handler: (call) => showAttention(scopeOf(call), call.caller, providers),
    }),
  ]
}
